"""Golden meaning of further operators with graphs of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.ops.branches import shapes_listed
from ge_dialect.semantics.context import Context
from ge_dialect.semantics.control_flow import holds
from ge_dialect.semantics.numerics import Array, scalar
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


@semantics("StatelessIf")
def stateless_if(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Any, ...]:
    """The results of one of the two bodies."""
    return tuple(ctx.run_body(0 if holds(args[0]) else 1, args[1]))


@semantics("Case", "StatelessCase")
def case(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Any, ...]:
    """The results of the chosen branch."""
    index = scalar(args[0], "branch_index", ctx)
    count = ctx.bodies
    return tuple(ctx.run_body(index if 0 <= index < count else count - 1, args[1]))


@semantics("StatelessWhile")
def stateless_while(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Any, ...]:
    """The body applied to its own results while the condition holds."""
    values = list(args[0])
    while holds(ctx.run_body(0, values)[0]):
        values = ctx.run_body(1, values)
    return tuple(values)


@semantics("For")
def for_(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Any, ...]:
    """The body applied to its own results, with a counter before them."""
    start, limit, delta = (
        scalar(args[i], name, ctx) for i, name in enumerate(("start", "limit", "delta"))
    )
    if not delta:
        ctx.fail("delta must not be zero", found=0, expected="≠ 0")
    values = list(args[3])
    for counter in range(start, limit, delta):
        values = ctx.run_body(0, [np.array(counter, args[0].dtype), *values])
    return tuple(values)


@semantics("StatefulPartitionedCall", "AscBackend", "FusedAscBackend", "SuperKernel")
def its_body(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Any, ...]:
    """The results of the body."""
    return tuple(ctx.run_body(0, args[0]))


@semantics("ControlTrigger")
def control_trigger(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Any, ...]:
    """Nothing."""
    return ()


@semantics("MapIndex")
def map_index(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The number of the first equal row."""
    x, table, levels = args
    hits = np.flatnonzero((table.reshape(-1, x.size) == x).all(axis=1))
    if not hits.size:
        return np.array(-1, np.int32)
    return np.array(hits[0] if levels is None else levels[hits[0]], np.int32)


@semantics("GetDynamicDims")
def get_dynamic_dims(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Numbers under a mask."""
    shapes = shapes_listed(attrs["shape_info"])
    assert shapes is not None
    mask = [d == -1 for shape in shapes for d in shape]
    return np.concatenate(args[0])[np.array(mask, bool)]
