"""Golden meaning of single nodes of TensorFlow 1's control flow; `routes` runs graphs of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import DEAD, Context
from ge_dialect.semantics.control_flow import holds
from ge_dialect.semantics.numerics import scalar
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


@semantics("Switch", "RefSwitch")
def switch(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Any, Any]:
    """The data one way, nothing the other."""
    data, pred = args
    return (DEAD, data) if holds(pred) else (data, DEAD)


@semantics("SwitchN")
def switch_n(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Any, ...]:
    """The data one of several ways; a number that there is not means the last."""
    data, value = args
    count, chosen = max(len(ctx.out_types), 1), scalar(value, "pred_value", ctx)
    if not 0 <= chosen < count:
        chosen = count - 1
    return tuple(data if i == chosen else DEAD for i in range(count))


@semantics("Merge", "RefMerge")
def merge(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Any, Any]:
    """The first input that is alive, and its number."""
    for i, value in enumerate(args[0]):
        if value is not DEAD:
            return value, np.asarray(i, np.int32)
    return DEAD, DEAD


@semantics(
    *("Enter", "RefEnter", "Exit", "RefExit", "NextIteration", "RefNextIteration", "LoopCond")
)
def handed_on(args: list[Any], attrs: Attrs, ctx: Context) -> Any:
    """x."""
    return args[0]
