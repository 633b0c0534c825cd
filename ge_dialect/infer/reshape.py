"""Reshape and flatten."""

from __future__ import annotations

from collections.abc import Sequence

from ge_dialect.infer.dims import UNKNOWN, Shape, as_size, norm_axis, product, show
from ge_dialect.infer.errors import ATTR, SHAPE, InferError


def reshape_shape(
    shape: Shape,
    target: Sequence[int] | None,
    target_rank: int | None = None,
    axis: int = 0,
    num_axes: int = -1,
) -> Shape:
    """Shape of `shape` viewed as `target`, over the axes `axis … axis + num_axes`.

    In `target` one entry may be -1 (the rest of the elements) and 0 copies the input's dim at the
    same place; of an input without elements it is a size like any other where copying would give
    elements. What is copied cancels out, so that -1 is known of inputs without elements, too.
    `target` None:
    its values are not known, only perhaps its length `target_rank`. `num_axes` -1 means all axes
    from `axis` on, as in GE (taken from Caffe).
    """
    if target is not None:
        target = tuple(as_size(t) for t in target)
        _check_target(target)
    head: tuple[int, ...] = ()
    tail: tuple[int, ...] = ()
    if axis or num_axes != -1:
        if shape is None:
            return None
        rank = len(shape)
        start = axis if axis >= 0 else axis + rank + 1
        stop = rank if num_axes == -1 else start + num_axes
        if not 0 <= start <= stop <= rank:
            raise InferError(
                "axis and num_axes lie outside the input",
                found=f"axis {axis}, num_axes {num_axes} for {show(shape)}",
                expected=f"a range within 0 … {rank}",
                code=ATTR,
            )
        head, shape, tail = shape[:start], shape[start:stop], shape[stop:]
    if target is None:
        return None if target_rank is None else head + (UNKNOWN,) * target_rank + tail
    return head + _view(shape, target) + tail


def _check_target(target: Sequence[int]) -> None:
    for t in target:
        if t < UNKNOWN:
            raise InferError(
                "shape has an entry below -1", found=list(target), expected="≥ -1", code=ATTR
            )
    if target.count(UNKNOWN) > 1:
        raise InferError(
            "shape has more than one -1", found=list(target), expected="at most one", code=ATTR
        )


def _view(shape: Shape, target: tuple[int, ...]) -> tuple[int, ...]:
    copied = [i for i, t in enumerate(target) if t == 0]
    if shape is None:
        return tuple(UNKNOWN if t == 0 else t for t in target)
    total = product(shape)
    if any(i >= len(shape) for i in copied):
        if total > 0:
            i = next(i for i in copied if i >= len(shape))
            raise InferError(
                f"entry {i} of shape is 0 (copy) but the input has no such axis",
                found=show(shape),
                expected=f"rank > {i}",
                code=SHAPE,
            )
        return tuple(0 if t == UNKNOWN else t for t in target)
    out = [shape[i] if t == 0 else t for i, t in enumerate(target)]
    left = product(d for i, d in enumerate(shape) if i not in copied)
    if UNKNOWN not in target:
        rest = product(t for i, t in enumerate(target) if i not in copied)
        kept = product(shape[i] for i in copied)
        if left > 0 or not copied:
            if left >= 0 and left != rest and kept > 0:
                raise _count_error(shape, target)
            return tuple(out)
        if kept == 0:
            return tuple(out)
        if left == 0 < kept:
            return target
        # the input may be empty, and then 0 is a size
        return tuple(UNKNOWN if i in copied else d for i, d in enumerate(out))
    hole = target.index(UNKNOWN)
    rest = product(t for i, t in enumerate(target) if i != hole and i not in copied)
    if left < 0:
        out[hole] = UNKNOWN
    elif left % rest:
        raise _count_error(shape, target)
    else:
        out[hole] = left // rest
    return tuple(out)


def _count_error(shape: tuple[int, ...], target: Sequence[int]) -> InferError:
    return InferError(
        "the number of elements changes",
        found=f"{show(shape)} viewed as {list(target)}",
        expected=f"{product(shape)} elements",
        code=SHAPE,
    )


def flatten_shape(shape: Shape, axis: int) -> Shape:
    """Two axes: the product of the dims before `axis` and of those from it on."""
    if shape is None:
        return (UNKNOWN, UNKNOWN)
    rank = len(shape)
    if axis != rank:
        axis = norm_axis(axis, rank) if rank else norm_axis(axis, 1)
    return product(shape[:axis]), product(shape[axis:])
