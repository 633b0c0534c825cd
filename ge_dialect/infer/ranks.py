"""Shapes of what ranks exchange: blocks along axis 0, or rows of counted elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ge_dialect.infer.dims import UNKNOWN, Shape, require_rank
from ge_dialect.infer.errors import LENGTH, RANK, SHAPE

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

#: How the elements of several ranks become one.
REDUCTIONS = ("sum", "max", "min", "prod")


def check_reduction(n: InferNode, name: str = "reduction") -> None:
    """Refuse an attribute that names no reduction."""
    if n.attr(name) not in REDUCTIONS:
        n.fail(f"{name} is not supported", found=n.attr(name), expected=", ".join(REDUCTIONS))


def rank_count(n: InferNode) -> int:
    """The attribute `rank_size`, which must be positive."""
    size = n.attr("rank_size")
    if size < 1:
        n.fail("rank_size must be positive", found=size, expected="≥ 1")
    return size


def block_shape(n: InferNode, name: str) -> Shape:
    """Shape of an input that has an axis 0, None for an unknown rank."""
    shape = n.shape(name)
    if shape == ():
        n.fail(f"{name} has no axis 0", found="scalar", expected="rank ≥ 1", code=RANK)
    return shape


def gathered_shape(shape: Shape, size: int) -> Shape:
    """The blocks of `size` ranks behind one another."""
    if shape is None:
        return None
    return (UNKNOWN if shape[0] < 0 else shape[0] * size, *shape[1:])


def scattered_shape(n: InferNode, shape: Shape, size: int) -> Shape:
    """One of `size` equal blocks along axis 0."""
    if shape is None:
        return None
    if shape[0] >= 0 and shape[0] % size:
        n.fail(
            "axis 0 does not divide among the ranks",
            found=shape[0],
            expected=f"a multiple of {size}",
            code=SHAPE,
        )
    return (UNKNOWN if shape[0] < 0 else shape[0] // size, *shape[1:])


def known_counts(n: InferNode, name: str) -> tuple[int, ...] | None:
    """Known counts of a form with counts, none of them negative."""
    require_rank(n.shape(name), 1, name)
    counts = n.ints(name)
    if counts is not None and any(c < 0 for c in counts):
        n.fail(f"{name} has a negative entry", found=list(counts), expected="≥ 0")
    return counts


def extent(n: InferNode, counts: str, places: str) -> int:
    """Elements that blocks of these sizes at these places reach to, -1 where unknown."""
    sizes, starts = known_counts(n, counts), known_counts(n, places) if n.has(places) else ()
    a, b = n.vector_length(counts), n.vector_length(places) if n.has(places) else None
    if a is not None and b is not None and a != b:
        n.fail(f"{counts} and {places} differ in length", found=f"{a} and {b}", expected="equal",
               code=LENGTH)  # fmt: skip
    if sizes is None or starts is None:
        return UNKNOWN
    if not n.has(places):
        return sum(sizes)
    return max((s + c for s, c in zip(starts, sizes, strict=True) if c), default=0)
