"""Reductions, transposes, squeezes: rules about axes."""

from __future__ import annotations

from collections.abc import Sequence

from ge_dialect.infer.dims import UNKNOWN, Shape, norm_axes, show
from ge_dialect.infer.errors import AXIS, SHAPE, InferError


def reduce_shape(shape: Shape, axes: Sequence[int] | None, keep_dims: bool) -> Shape:
    """Shape after a reduction; `axes` None means that they are not known yet.

    An empty list of axes reduces nothing: what an empty list means is the operator's business
    (`all_if_empty`).
    """
    if shape is None:
        return None
    rank = len(shape)
    if axes is None:
        return (UNKNOWN,) * rank if keep_dims else None
    drop = set(norm_axes(axes, rank))
    if keep_dims:
        return tuple(1 if i in drop else d for i, d in enumerate(shape))
    return tuple(d for i, d in enumerate(shape) if i not in drop)


def transpose_shape(shape: Shape, perm: Sequence[int] | None) -> Shape:
    """Shape after permuting axes: output dim i is input dim perm[i]; `perm` None: not known yet."""
    if perm is None:
        return None if shape is None else (UNKNOWN,) * len(shape)
    if shape is None:
        return (UNKNOWN,) * len(perm)
    rank = len(shape)
    if len(perm) != rank or sorted(p + rank if p < 0 else p for p in perm) != list(range(rank)):
        raise InferError(
            "perm is no permutation of the axes",
            found=list(perm),
            expected=f"a permutation of 0 … {rank - 1}" if rank else "an empty list",
            code=AXIS,
        )
    return tuple(shape[p] for p in perm)


def squeeze_shape(shape: Shape, axes: Sequence[int] | None) -> Shape:
    """Shape without the listed axes of size 1; an empty list drops all of size 1.

    With an empty list and an unknown dim the rank is unknown. `axes` None: not known yet.
    """
    if shape is None or axes is None:
        return None
    if not axes:
        return None if UNKNOWN in shape else tuple(d for d in shape if d != 1)
    drop = norm_axes(axes, len(shape))
    for a in drop:
        if shape[a] not in (1, UNKNOWN):
            raise InferError(
                f"axis {a} cannot be squeezed",
                found=f"size {shape[a]} in {show(shape)}",
                expected="size 1",
                code=SHAPE,
            )
    gone = set(drop)
    return tuple(d for i, d in enumerate(shape) if i not in gone)


def unsqueeze_shape(shape: Shape, axes: Sequence[int] | None) -> Shape:
    """Shape with axes of size 1 inserted at the given places of the *output*, in any order."""
    if shape is None or axes is None:
        return None
    rank = len(shape) + len(axes)
    new = set(norm_axes(axes, rank))
    rest = iter(shape)
    return tuple(1 if i in new else next(rest) for i in range(rank))
