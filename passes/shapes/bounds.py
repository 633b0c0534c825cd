"""Upper bounds of sizes that depend on values, by the definition of the operator."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from passes.shapes.expr import Expr, constant

if TYPE_CHECKING:
    from ge_dialect.ir.base import GeOp
    from passes.shapes.tracker import Tracker

#: The axis of UniqueConsecutive that means all elements.
_ALL_AXES = 1000
#: (result, axis) -> a bound of that size
Bounds = dict[tuple[int, int], Expr]


def _elements(op: GeOp, t: Tracker) -> Expr | None:
    total = constant(1)
    for value in op.ge_data_operands[:1]:
        dims = t.shape(value)
        if dims is None:
            return None
        for d in dims:
            total = total * d
            if total.is_long:
                return None
    return total


def _found(op: GeOp, t: Tracker) -> Bounds:
    """At most all elements are found."""
    n = _elements(op, t)
    transposed = op.name == "ge.NonZero" and op.ge_attr("transpose")
    return {} if n is None else {(0, 1 if transposed else 0): n}


def _distinct(op: GeOp, t: Tracker) -> Bounds:
    """At most all elements, or all slices along the axis, are distinct."""
    limit = _elements(op, t)
    dims = t.shape(op.ge_data_operands[0])
    if limit is None or dims is None:
        return {}
    place: int | None = op.ge_attr("axis") if "axis" in type(op).ge_table().attrs else None
    if place is None or (op.name == "ge.UniqueConsecutive" and place == _ALL_AXES):
        place = 0
    else:
        place %= len(dims)
        limit = dims[place]
    return {(0, place): limit, **{(i, 0): limit for i in range(1, len(op.ge_data_results))}}


def _boxes(op: GeOp, t: Tracker) -> Bounds:
    """Each box is taken once at most."""
    dims = t.shape(op.ge_data_operands[0])
    return {(0, 0): dims[0]} if dims else {}


def _parts(op: GeOp, t: Tracker) -> Bounds:
    """A part has at most all rows."""
    rank = t.shape(op.ge_data_operands[1])
    dims = t.shape(op.ge_data_operands[0])
    if dims is None or rank is None:
        return {}
    rows = constant(1)
    for d in dims[: len(rank)]:
        rows = rows * d
    return {(i, 0): rows for i in range(len(op.ge_data_results))}


_BOUNDS: dict[str, Callable[[Any, Any], Bounds]] = {
    "ge.DynamicPartition": _parts,
    "ge.HostUnique": _distinct,
    "ge.MaskedSelect": _found,
    "ge.NonMaxSuppressionV3": _boxes,
    "ge.NonZero": _found,
    "ge.Unique": _distinct,
    "ge.UniqueConsecutive": _distinct,
    "ge.UniqueWithCounts": _distinct,
    "ge.UniqueWithCountsAndSorting": _distinct,
    "ge.Where": _found,
}


def upper_bounds(op: GeOp, tracker: Tracker) -> Bounds:
    """Bounds of the sizes of results; empty where the definition gives none."""
    rule = _BOUNDS.get(op.name)
    return {} if rule is None else rule(op, tracker)
