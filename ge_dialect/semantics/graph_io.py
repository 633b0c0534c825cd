"""Golden meaning of the edge of a graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


@semantics("Data")
def data(args: list[Any], attrs: Attrs, ctx: Context) -> Any:
    """The graph's argument."""
    return args[0]


@semantics("Const", "Constant")
def const(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The tensor held by the graph."""
    array, declared = ctx.constant(attrs["value"]), ctx.out_dtype()
    if declared is not None and isinstance(array, np.ndarray) and array.dtype != declared:
        ctx.fail(
            "a constant does not have the dtype of its weight",
            code="GX-216",
            found=f"{declared}",
            expected=f"{array.dtype}, the weight's",
        )
    return array


@semantics("NetOutput")
def net_output(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Any, ...]:
    """Nothing: its inputs are the outputs of the graph."""
    return ()
