"""Golden meaning of sub-graph operators, pass-through, ordering and printing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context, Ref
from ge_dialect.semantics.numerics import Array, kind
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


def holds(condition: Any) -> bool:
    """Truth of a condition: its one element is not zero (a string: not empty); else, has it any?"""
    if isinstance(condition, Ref):
        return condition.value is not None
    if condition.size != 1:
        return condition.size > 0
    value = condition.reshape(-1)[0]
    return len(value) > 0 if condition.dtype == object else bool(value != 0)


@semantics("If")
def if_(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Any, ...]:
    """The results of one of the two bodies on the inputs."""
    return tuple(ctx.run_body(0 if holds(args[0]) else 1, args[1]))


@semantics("While")
def while_(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Any, ...]:
    """The body applied to its own results while the condition body holds."""
    values = list(args[0])
    while holds(ctx.run_body(0, values)[0]):
        values = ctx.run_body(1, values)
    return tuple(values)


@semantics("PartitionedCall")
def partitioned_call(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Any, ...]:
    """The results of the body."""
    return tuple(ctx.run_body(0, args[0]))


@semantics("Identity")
def identity(args: list[Any], attrs: Attrs, ctx: Context) -> Any:
    """x."""
    return args[0]


@semantics("Assert")
def assert_(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Any, ...]:
    """An error that shows the inputs, where the condition is false."""
    if not holds(args[0]):
        most = attrs["summarize"]
        shown = [_text(x.reshape(-1)[: most if most >= 0 else None]) for x in args[1]]
        ctx.fail(
            "an assertion does not hold",
            code="GX-252",
            found="a false condition, and " + (" ".join(shown) or "no data"),
            expected="a true condition",
            hint="the graph itself checks its values here: look at what computes the condition",
        )
    return ()


@semantics("NoOp")
def no_op(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Any, ...]:
    """Nothing."""
    return ()


@semantics("Print")
def print_(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Any, ...]:
    """Hands the text of its inputs to the run's state."""
    text = " ".join(_text(x) for x in args[0])
    ctx.state.printed.append((ctx.node_name, text))
    return ()


def _text(x: Array) -> str:
    if kind(x.dtype) == "f" and x.dtype.itemsize < 4:
        x = x.astype(np.float32)
    return np.array2string(x, threshold=64, separator=", ")
