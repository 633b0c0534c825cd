"""Shapes as tuples of integers: -1 is an unknown dim, None a tensor of unknown rank."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ge_dialect.infer.errors import AXIS, RANK, SHAPE, InferError

Shape = tuple[int, ...] | None
UNKNOWN = -1


def as_size(value: Any) -> int:
    """`value` as a plain integer; a symbolic size, which computes like one, as it is."""
    return value if type(value) is int or getattr(value, "is_symbolic", False) else int(value)


def show(shape: Shape) -> str:
    """A shape for a message: `2x?x3`, `scalar` for rank 0, `*` for unknown rank."""
    if shape is None:
        return "*"
    if not shape:
        return "scalar"
    return "x".join("?" if d < 0 else str(d) for d in shape)


def is_known(shape: Shape) -> bool:
    """True when rank and all dims are known."""
    return shape is not None and all(d >= 0 for d in shape)


def product(dims: Iterable[int]) -> int:
    """Number of elements, -1 when a dim is unknown (0 as soon as one dim is 0)."""
    total = 1
    unknown = False
    for d in dims:
        if d < 0:
            unknown = True
        elif d == 0:
            return 0
        else:
            total *= d
    return UNKNOWN if unknown else total


def merge_dim(a: int, b: int, what: str = "dims") -> int:
    """The one dim that both sides describe: the known one; an error where both are and differ."""
    if a == b or b < 0:
        return a
    if a < 0:
        return b
    raise InferError(f"{what} do not agree", found=f"{a} and {b}", expected="equal", code=SHAPE)


def refine(a: Shape, b: Shape, what: str = "shapes") -> Shape:
    """The shape two descriptions of one tensor agree on, with everything either of them knows."""
    if a is None or a == b:
        return b
    if b is None:
        return a
    if len(a) != len(b):
        raise InferError(
            f"{what} do not agree", found=f"{show(a)} and {show(b)}", expected="equal", code=SHAPE
        )
    out = []
    for x, y in zip(a, b, strict=True):
        if x >= 0 and y >= 0 and x != y:
            raise InferError(
                f"{what} do not agree",
                found=f"{show(a)} and {show(b)}",
                expected="equal",
                code=SHAPE,
            )
        out.append(y if x < 0 else x)
    return tuple(out)


def widen(a: Shape, b: Shape) -> Shape:
    """The shape that holds whichever of the two occurs (branches of If, turns of While).

    GE's rule for several sub-graph outputs: equal dims stay, others become unknown; different
    ranks give unknown rank.
    """
    if a == b:
        return a
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(x if x == y else UNKNOWN for x, y in zip(a, b, strict=True))


def norm_axis(axis: int, rank: int, what: str = "axis") -> int:
    """`axis` counted from the front; an error unless -rank <= axis < rank."""
    if -rank <= axis < rank:
        return axis + rank if axis < 0 else axis
    raise InferError(
        f"{what} is out of range for rank {rank}",
        found=axis,
        expected=f"{-rank} … {rank - 1}" if rank else "no axis",
        code=AXIS,
    )


def norm_axes(axes: Sequence[int], rank: int, what: str = "axes") -> tuple[int, ...]:
    """All axes counted from the front, in the given order; an error for a repeated one."""
    out = tuple(norm_axis(a, rank, what) for a in axes)
    if len(set(out)) != len(out):
        raise InferError(
            f"{what} names an axis twice", found=list(axes), expected="distinct axes", code=AXIS
        )
    return out


def require_rank(shape: Shape, ranks: int | Sequence[int], what: str) -> None:
    """An error unless the rank is unknown or among `ranks`."""
    if shape is None:
        return
    allowed = (ranks,) if isinstance(ranks, int) else tuple(ranks)
    if len(shape) not in allowed:
        raise InferError(
            f"{what} has the wrong rank",
            found=f"rank {len(shape)} ({show(shape)})",
            expected="rank " + " or ".join(map(str, allowed)),
            code=RANK,
        )
