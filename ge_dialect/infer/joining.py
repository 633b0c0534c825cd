"""Concatenation, stacking, splitting, padding, tiling."""

from __future__ import annotations

from collections.abc import Sequence

from ge_dialect.infer.dims import UNKNOWN, Shape, as_size, norm_axis, refine, show
from ge_dialect.infer.errors import ATTR, COUNT, LENGTH, SHAPE, SIZE, InferError


def concat_shape(shapes: Sequence[Shape], axis: int | None) -> Shape:
    """Shape of the inputs joined along `axis` (None: not known yet).

    Dims other than the joined one are refined from all inputs; an input of unknown rank leaves
    only the joined dim unknown.
    """
    if not shapes:
        raise InferError("nothing to join", found="0 inputs", expected="at least 1", code=COUNT)
    ranked = [s for s in shapes if s is not None]
    if not ranked:
        return None
    rank = len(ranked[0])
    for s in ranked:
        if len(s) != rank:
            raise InferError(
                "the inputs differ in rank",
                found=" and ".join((show(ranked[0]), show(s))),
                expected="equal ranks",
                code=SHAPE,
            )
    if axis is None:
        return (UNKNOWN,) * rank
    axis = norm_axis(axis, rank)
    if all(s == ranked[0] for s in ranked):
        rest = list(ranked[0])
    else:
        rest = [UNKNOWN] * rank
        for s in ranked:
            for i, d in enumerate(s):
                if i == axis or d < 0 or rest[i] == d:
                    continue
                if rest[i] >= 0:
                    raise InferError(
                        f"the inputs differ on axis {i}",
                        found=", ".join(map(show, shapes)),
                        expected=f"equal dims except on axis {axis}",
                        code=SHAPE,
                    )
                rest[i] = d
    joined = [s[axis] for s in ranked]
    known = len(ranked) == len(shapes) and min(joined) >= 0
    rest[axis] = sum(joined) if known else UNKNOWN
    return tuple(rest)


def stack_shape(shapes: Sequence[Shape], axis: int) -> Shape:
    """Shape of equal inputs stacked on a new axis at place `axis` of the output."""
    if not shapes:
        raise InferError("nothing to stack", found="0 inputs", expected="at least 1", code=COUNT)
    one = shapes[0]
    for s in shapes[1:]:
        one = refine(one, s, "shapes of the inputs")
    if one is None:
        return None
    axis = norm_axis(axis, len(one) + 1)
    return (*one[:axis], len(shapes), *one[axis:])


def unstack_shape(shape: Shape, axis: int, num: int) -> Shape:
    """Shape of each of `num` slices of `shape` along `axis`, which disappears."""
    if num < 1:
        raise InferError("num must be positive", found=num, expected="≥ 1", code=ATTR)
    if shape is None:
        return None
    axis = norm_axis(axis, len(shape))
    if shape[axis] not in (num, UNKNOWN):
        raise InferError(
            f"num is not the size of axis {axis}", found=num, expected=shape[axis], code=COUNT
        )
    return shape[:axis] + shape[axis + 1 :]


#: Results an operator may have at most (assumed).
MOST_PARTS = 1 << 16


def split_shapes(shape: Shape, axis: int | None, parts: int) -> list[Shape]:
    """Shapes of `parts` equal parts along `axis` (None: not known yet)."""
    if parts < 1:
        raise InferError("num_split must be positive", found=parts, expected="≥ 1", code=ATTR)
    if parts > MOST_PARTS:
        raise InferError(
            "num_split is out of range", found=parts, expected=f"≤ {MOST_PARTS}", code=ATTR
        )
    if shape is None:
        return [None] * parts
    if axis is None:
        return [(UNKNOWN,) * len(shape)] * parts
    axis = norm_axis(axis, len(shape), "split_dim")
    size = shape[axis]
    if size >= 0 and size % parts:
        raise InferError(
            f"axis {axis} does not split evenly",
            found=f"size {size} into {parts} parts",
            expected=f"a multiple of {parts}",
            code=SHAPE,
        )
    part = UNKNOWN if size < 0 else size // parts
    return [(*shape[:axis], part, *shape[axis + 1 :])] * parts


def split_sizes(
    shape: Shape, axis: int | None, sizes: Sequence[int] | None, parts: int
) -> list[Shape]:
    """Shapes of parts with the given sizes along `axis`; one may be -1, the rest of the axis."""
    if parts < 1:
        raise InferError("num_split must be positive", found=parts, expected="≥ 1", code=ATTR)
    if sizes is not None and len(sizes) != parts:
        raise InferError(
            "size_splits has the wrong number of entries",
            found=len(sizes),
            expected=f"num_split = {parts}",
            code=LENGTH,
        )
    if shape is None:
        return [None] * parts
    if axis is None:
        return [(UNKNOWN,) * len(shape)] * parts
    axis = norm_axis(axis, len(shape), "split_dim")
    total = shape[axis]
    if sizes is None:
        dims = [UNKNOWN] * parts if parts > 1 else [total]
    else:
        dims = [as_size(s) for s in sizes]
        if min(dims) < UNKNOWN or dims.count(UNKNOWN) > 1:
            raise InferError(
                "size_splits may hold one -1 and no other negative entry",
                found=dims,
                expected="sizes ≥ 0",
                code=ATTR,
            )
        known = sum(d for d in dims if d >= 0)
        if total >= 0:
            if UNKNOWN in dims and known <= total:
                dims[dims.index(UNKNOWN)] = total - known
            elif known != total:
                raise InferError(
                    "size_splits does not add up to the axis",
                    found=f"{list(sizes)} (sum {known})",
                    expected=f"sum {total}",
                    code=SHAPE,
                )
    return [(*shape[:axis], d, *shape[axis + 1 :]) for d in dims]


def pad_shape(shape: Shape, paddings: Sequence[Sequence[int]] | None) -> Shape:
    """Shape after adding (before, after) elements per axis; None: not known yet.

    Negative entries crop.
    """
    if shape is None:
        return None if paddings is None else (UNKNOWN,) * len(paddings)
    if paddings is None:
        return (UNKNOWN,) * len(shape)
    if len(paddings) != len(shape) or any(len(p) != 2 for p in paddings):
        raise InferError(
            "paddings must hold a pair per axis",
            found=[list(p) for p in paddings],
            expected=f"{len(shape)} pairs for {show(shape)}",
            code=LENGTH,
        )
    out = []
    for d, (before, after) in zip(shape, paddings, strict=True):
        n = UNKNOWN if d < 0 else d + as_size(before) + as_size(after)
        if d >= 0 and n < 0:
            raise InferError(
                "padding leaves a negative size",
                found=f"{d} + {before} + {after}",
                expected="≥ 0",
                code=SIZE,
            )
        out.append(n)
    return tuple(out)


def tile_shape(shape: Shape, multiples: Sequence[int] | None) -> Shape:
    """Shape after repeating each axis; axes missing on the left count as 1."""
    if multiples is None:
        return None if shape is None else (UNKNOWN,) * len(shape)
    multiples = [as_size(m) for m in multiples]
    for m in multiples:
        if m < 0:
            raise InferError(
                "multiples must not be negative", found=multiples, expected="≥ 0", code=ATTR
            )
    if shape is None:
        return None
    rank = max(len(shape), len(multiples))
    if len(multiples) < len(shape):
        raise InferError(
            "multiples has too few entries",
            found=len(multiples),
            expected=f"{len(shape)} for {show(shape)}",
            code=LENGTH,
        )
    full = (1,) * (rank - len(shape)) + shape
    out = []
    for d, m in zip(full, multiples, strict=True):
        out.append(0 if m == 0 else UNKNOWN if d < 0 else d * m)
    return tuple(out)
