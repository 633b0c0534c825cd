"""Golden meaning of reading and writing by index, as frameworks do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.indexing import check_indices
from ge_dialect.semantics.numerics import Array, finish, int_list, scalar, widen
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


def _key(indices: Sequence[Array], mask: Sequence[int], shape: Sequence[int], ctx: Context) -> Any:
    """The numpy index of advanced indexing, its numbers checked."""
    if sum(1 for m in mask if m) != len(indices) or len(mask) > len(shape):
        ctx.fail("there is not one index per axis marked", found=list(mask), expected=len(indices))
    rest = iter(indices)
    key = [next(rest) if m else slice(None) for m in mask]
    for k, size in zip(key, shape, strict=False):
        if isinstance(k, np.ndarray):
            check_indices(k, size, ctx)
    return tuple(key)


@semantics("Index")
def index(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Elements at index tensors."""
    x, mask, _, indices = args
    return x[_key(indices, int_list(mask), x.shape, ctx)]


@semantics("IndexByTensor")
def index_by_tensor(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Elements at index tensors."""
    x, indices = args
    mask = attrs["indices_mask"] or (1,) * len(indices)
    return x[_key(indices, mask, x.shape, ctx)]


@semantics("IndexPutV2")
def index_put_v2(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x with some elements changed."""
    x, value, mask, _, indices = args
    key = _key(indices, int_list(mask), x.shape, ctx)
    if not attrs["accumulate"]:
        out = x.copy()
        out[key] = value
        return out
    wide = widen(x).astype(np.uint8) if x.dtype == bool else widen(x).copy()
    np.add.at(wide, key, widen(value))
    return finish(wide, x.dtype)


@semantics("InplaceIndexAdd")
def inplace_index_add(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Slices added one by one."""
    x, indices, updates, alpha = args
    axis, size = attrs["axis"] % x.ndim, x.shape[attrs["axis"]]
    check_indices(indices, size, ctx, negative=False)
    added = widen(updates)
    if alpha is not None:
        added = (added * widen(alpha).reshape(())).astype(added.dtype)
    wide = widen(x).copy()
    np.add.at(np.moveaxis(wide, axis, 0), indices, np.moveaxis(added, axis, 0))
    return wide


@semantics("StridedSliceGrad")
def strided_slice_grad(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """dy at the places of a slice of numbered elements."""
    from ge_dialect.semantics.registry import lookup

    shape, begin, end, strides, dy = args
    dims = int_list(shape)
    out = np.zeros(int(np.prod(dims)), dy.dtype)
    numbers = np.arange(out.size).reshape(dims)
    read = lookup("StridedSlice")
    assert read is not None
    out[read([numbers, begin, end, strides], attrs, ctx)] = dy
    return out.reshape(dims)


@semantics("SearchSorted")
def search_sorted(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """How many elements of its row stand before a value, whatever their order in the row is."""
    rows, values, sorter = args
    if sorter is not None:
        count = rows.shape[-1]
        check_indices(sorter, count, ctx, negative=False)
        rows = np.take_along_axis(rows, sorter, axis=-1)
    if rows.ndim == 1:
        rows, wanted = rows[None], values.reshape(1, -1)
    else:
        count = int(np.prod(rows.shape[:-1]))
        wanted = values.reshape(count, values.shape[-1])
        rows = rows.reshape(count, rows.shape[-1])
    side = "right" if attrs["right"] else "left"
    found = [np.searchsorted(np.sort(r), v, side=side) for r, v in zip(rows, wanted, strict=True)]
    dtype = ctx.dtype(attrs["dtype"])
    return np.array(found, dtype).reshape(values.shape)


def _numbers(size: Any, stride: Any, offset: Any, whole: int, ctx: Context) -> Array:
    """Numbers of the elements of a strided view."""
    sizes, strides = int_list(size), int_list(stride)
    out = np.full(sizes, scalar(offset, "storage_offset", ctx), np.int64)
    for axis, (count, step) in enumerate(zip(sizes, strides, strict=True)):
        steps = np.arange(count) * step
        out = out + steps.reshape([-1 if a == axis else 1 for a in range(len(sizes))])
    if out.size and not 0 <= out.min() <= out.max() < whole:
        far = int(out.min() if out.min() < 0 else out.max())
        ctx.fail("a view leaves its tensor", found=far, expected=f"0 … {whole - 1}")
    return out


@semantics("AsStrided")
def as_strided(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Elements by their numbers."""
    x, size, stride, offset = args
    return x.reshape(-1)[_numbers(size, stride, offset, x.size, ctx)]


@semantics("ViewCopy")
def view_copy(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Elements of one view to the places of another."""
    dst, src = args[0], args[4]
    out = dst.reshape(-1).copy()
    places = _numbers(args[1], args[2], args[3], dst.size, ctx)
    out[places] = src.reshape(-1)[_numbers(args[5], args[6], args[7], src.size, ctx)]
    return out.reshape(dst.shape)


@semantics("EmbeddingDenseGrad")
def embedding_dense_grad(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Sums of the rows that belong to an index."""
    grad, indices = widen(args[0]), args[1].reshape(-1)
    count, skipped = attrs["num_weights"], attrs["padding_idx"]
    rows = grad.reshape(indices.size, grad.shape[-1])
    check_indices(indices, count, ctx, negative=False)
    out = np.zeros((count, grad.shape[-1]), grad.dtype)
    kept = indices != skipped
    np.add.at(out, indices[kept], rows[kept])
    if attrs["scale_grad_by_freq"]:
        often = np.bincount(indices, minlength=count)[:, None]
        out = out / np.maximum(often, 1).astype(out.dtype)
    return out


@semantics("DynamicPartition")
def dynamic_partition(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """Slices by their number."""
    x, numbers = args
    count = attrs["num_partitions"]
    check_indices(numbers, count, ctx, negative=False)
    rows = x.reshape(numbers.size, *x.shape[numbers.ndim :])
    return tuple(rows[numbers.reshape(-1) == i] for i in range(count))


@semantics("DynamicStitch")
def dynamic_stitch(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Slices at their numbers."""
    indices, parts = args
    flat = [i.reshape(-1) for i in indices]
    if any(i.size and i.min() < 0 for i in flat):
        ctx.fail("an index is negative", found=[i.tolist() for i in flat], expected="≥ 0")
    size = max((int(i.max()) + 1 for i in flat if i.size), default=0)
    rest = parts[0].shape[indices[0].ndim :]
    out = np.zeros((size, *rest), parts[0].dtype)
    for places, part in zip(flat, parts, strict=True):
        out[places] = part.reshape(places.size, *rest)
    return out


@semantics("UniqueConsecutive")
def unique_consecutive(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """Runs of equal slices."""
    (x,) = args
    whole = attrs["axis"] == 1000
    lines = x.reshape(-1) if whole else np.moveaxis(x, attrs["axis"], 0)
    rows = lines.reshape(len(lines), int(np.prod(lines.shape[1:])))
    fresh = np.ones(len(rows), bool)
    fresh[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    starts = np.flatnonzero(fresh)
    y = x.reshape(-1)[starts] if whole else np.take(x, starts, axis=attrs["axis"])
    dtype = ctx.dtype(attrs["out_idx"])
    empty = np.zeros(0, dtype)
    places = (np.cumsum(fresh) - 1).astype(dtype)
    counts = np.diff(np.append(starts, len(rows))).astype(dtype)
    idx = places.reshape(x.shape) if whole else places
    return (
        y,
        idx if attrs["return_idx"] else empty,
        counts if attrs["return_counts"] else empty,
    )
