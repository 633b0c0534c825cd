"""Golden meaning of slices and gathers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, axis_order, int_list, scalar
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


def _block(x: Array, offsets: Sequence[int], size: Sequence[int], ctx: Context) -> Array:
    if len(offsets) != x.ndim or len(size) != x.ndim:
        ctx.fail("offsets and size need an entry per axis", found=f"{offsets}, {size}")
    places = []
    for n, start, count in zip(x.shape, offsets, size, strict=True):
        stop = n if count == -1 else start + count
        if not 0 <= start <= stop <= n:
            ctx.fail("the block reaches beyond x", found=f"{start} … {stop}", expected=f"0 … {n}")
        places.append(slice(start, stop))
    return x[tuple(places)]


@semantics("Slice")
def slice_(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The block of `size` at `offsets`; a size of -1 reaches to the end."""
    return _block(args[0], int_list(args[1]), int_list(args[2]), ctx)


@semantics("SliceD")
def slice_d(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Slice with its block as attributes."""
    return _block(args[0], list(attrs["offsets"]), list(attrs["size"]), ctx)


def strided(
    x: Array,
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int],
    attrs: Attrs,
    ctx: Context,
) -> Array:
    """TensorFlow's strided slice as one indexing expression; masks are bit sets over entries."""
    if not len(begin) == len(end) == len(strides):
        ctx.fail("begin, end and strides differ in length", found=(begin, end, strides))

    def has(mask: str, i: int) -> bool:
        return bool(attrs[mask] >> i & 1)

    index: list[Any] = []
    axis = 0
    left = sum(not has("new_axis_mask", i) and not has("ellipsis_mask", i) for i in range(len(end)))
    for i, (b, e, s) in enumerate(zip(begin, end, strides, strict=True)):
        if has("ellipsis_mask", i):
            index.append(Ellipsis)
            axis = x.ndim - left
            continue
        if has("new_axis_mask", i):
            index.append(None)
            continue
        left -= 1
        if s == 0 or axis >= x.ndim:
            ctx.fail("the slice does not fit x", found=f"entry {i}, stride {s}", expected=x.shape)
        if has("shrink_axis_mask", i):
            if not -x.shape[axis] <= b < x.shape[axis]:
                ctx.fail("the index lies outside the axis", found=b, expected=x.shape[axis])
            index.append(b)
        else:
            start = None if has("begin_mask", i) else b
            stop = None if has("end_mask", i) else e
            index.append(slice(start, stop, s))
        axis += 1
    return np.asarray(x[tuple(index)])


@semantics("StridedSlice")
def strided_slice(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Strided slice with its bounds as inputs."""
    begin, end, strides = (int_list(a) for a in args[1:4])
    return strided(args[0], begin, end, strides, attrs, ctx)


@semantics("StridedSliceD")
def strided_slice_d(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Strided slice with its bounds as attributes."""
    begin, end, strides = (attrs[name] for name in ("begin", "end", "strides"))
    return strided(args[0], begin, end, strides, attrs, ctx)


def gather(
    x: Array, indices: Array, axis: int, batch_dims: int, negative: bool, ctx: Context
) -> Array:
    """Slices of x along `axis`; the first `batch_dims` axes of x and indices go together.

    Negative indices count from the end where `negative` allows them. GeError for an index outside
    the axis.
    """
    axis = axis_order([axis], x.ndim, ctx)[0]
    batch = batch_dims + indices.ndim if batch_dims < 0 else batch_dims
    check_indices(indices, x.shape[axis], ctx, negative=negative, choice=True)
    if batch == 0:
        return np.take(x, indices, axis=axis)
    common = x.shape[:batch]
    rows = int(np.prod(common, dtype=np.int64))
    flat_x = x.reshape(rows, *x.shape[batch:])
    flat_i = indices.reshape(rows, int(np.prod(indices.shape[batch:], dtype=np.int64)))
    moved = np.moveaxis(flat_x, axis - batch + 1, 1)
    picked = moved[np.arange(rows)[:, None], flat_i]
    back = np.moveaxis(picked, 1, axis - batch + 1)
    return back.reshape(*x.shape[:axis], *indices.shape[batch:], *x.shape[axis + 1 :])


@semantics("Gather")
def gather_(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Rows of x by index along the axis behind the batch axes."""
    batch = attrs["batch_dims"]
    batch = batch + args[1].ndim if batch < 0 else batch
    return gather(args[0], args[1], batch, batch, attrs["negative_index_support"], ctx)


@semantics("GatherV2")
def gather_v2(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Slices of x by index along the axis in the third input."""
    axis = scalar(args[2], "axis", ctx)
    negative = attrs["negative_index_support"]
    return gather(args[0], args[1], axis, attrs["batch_dims"], negative, ctx)


@semantics("StridedSliceV2")
def strided_slice_v2(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """StridedSlice on the axes named in the fourth input, all others whole."""
    x, begin, end = args[0], int_list(args[1]), int_list(args[2])
    strides = [1] * len(begin) if args[4] is None else int_list(args[4])
    if 0 in strides:
        ctx.fail("strides must not be zero", found=strides, expected="≠ 0")
    if args[3] is None:
        return strided(x, begin, end, strides, attrs, ctx)
    axes = axis_order(int_list(args[3]), x.ndim, ctx)
    if not len(axes) == len(begin) == len(end) == len(strides):
        ctx.fail("begin, end, axes and strides differ in length", found=(begin, end, axes, strides))
    places: list[Any] = [slice(None)] * x.ndim
    for i, axis in enumerate(axes):
        first = None if attrs["begin_mask"] >> i & 1 else begin[i]
        last = None if attrs["end_mask"] >> i & 1 else end[i]
        places[axis] = slice(first, last, strides[i])
    return x[tuple(places)]


def check_indices(
    indices: Array, size: int, ctx: Context, *, negative: bool = True, choice: bool = False
) -> None:
    """GeError for an index outside an axis of `size`; negative ones count from its end.

    choice: whether the operator has an attribute that says if they do.
    """
    if not indices.size:
        return
    low, high, least = int(indices.min()), int(indices.max()), -size if negative else 0
    if low < least or high >= size:
        ctx.fail(
            "an index lies outside the axis",
            found=low if low < least else high,
            expected=f"{least} … {size - 1}" if size else "none: the axis is empty",
            hint="set negative_index_support" if choice and -size <= low < least else None,
        )


def counted(
    indices: Array, size: int, ctx: Context, *, negative: bool = True, choice: bool = False
) -> Array:
    """Indices counted from the front, after `check_indices`."""
    check_indices(indices, size, ctx, negative=negative, choice=choice)
    wide = indices.astype(np.int64)
    return np.where(wide < 0, wide + size, wide)


@semantics("GatherElements")
def gather_elements(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x at an index per element along one axis; the other places are those of the index."""
    x, index = args
    axis = axis_order([attrs["dim"]], x.ndim, ctx)[0]
    index = counted(index, x.shape[axis], ctx)
    places: list[Any] = list(np.indices(index.shape, sparse=True))
    places[axis] = index
    return x[tuple(places)]


def tuple_places(
    indices: Array, shape: tuple[int, ...], ctx: Context, negative: bool, choice: bool = False
) -> Any:
    """Index tuples along the last axis as one index array per leading axis of `shape`."""
    depth = indices.shape[-1] if indices.ndim else 0
    if not 1 <= depth <= len(shape):
        ctx.fail("index tuples do not fit the rank", found=depth, expected=f"1 … {len(shape)}")
    return tuple(
        counted(indices[..., i], shape[i], ctx, negative=negative, choice=choice)
        for i in range(depth)
    )


@semantics("GatherNd")
def gather_nd(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Slices of x by index tuples."""
    x, indices = args
    return x[tuple_places(indices, x.shape, ctx, attrs["negative_index_support"], choice=True)]
