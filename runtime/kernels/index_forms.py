"""Kernels of reading and writing by index on ND: place by place, by flat offsets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.kernels.indexing import strided_index
from runtime.kernels.refusal import Refusal, check_indices, counted
from runtime.kernels.registry import Call, kernel
from runtime.kernels.views import logical, store, wide


def _offsets(
    shape: Sequence[int], indices: Sequence[np.ndarray], mask: Sequence[int]
) -> np.ndarray:
    """Flat offsets of the elements that advanced indexing reads, in the shape of the result."""
    marks = [*mask, *[0] * (len(shape) - len(mask))]
    places = [a for a, m in enumerate(marks) if m]
    common = np.broadcast_shapes(*(i.shape for i in indices))
    steps = [int(np.prod(shape[a + 1 :])) for a in range(len(shape))]
    picked = np.zeros(common, np.int64)
    for axis, index in zip(places, indices, strict=True):
        size = shape[axis]
        picked = picked + counted(index, size) * steps[axis]
    kept = [a for a in range(len(shape)) if a not in places]
    together = places[-1] - places[0] == len(places) - 1
    before = [a for a in kept if together and a < places[0]]
    behind = [a for a in kept if a not in before]

    def spread(axes: Sequence[int]) -> np.ndarray:
        total = np.zeros([shape[a] for a in axes], np.int64)
        for i, a in enumerate(axes):
            line = np.arange(shape[a]) * steps[a]
            total = total + line.reshape([-1 if j == i else 1 for j in range(len(axes))])
        return total

    return np.add.outer(np.add.outer(spread(before), picked), spread(behind))


@kernel("Index", "IndexByTensor")
def index(call: Call) -> None:
    """By flat offsets."""
    x = logical(call.arg(0))
    by_tensor = "indices_mask" in call.attrs
    indices = [logical(v) for v in call.many(1 if by_tensor else 3)]
    mask = call.attrs["indices_mask"] if by_tensor else call.ints(1)
    places = _offsets(x.shape, indices, mask or [1] * len(indices))
    store(call.outs[0], x.reshape(-1)[places])


@kernel("IndexPutV2")
def index_put_v2(call: Call) -> None:
    """Offset by offset, in row-major order."""
    x, value = logical(call.arg(0)), logical(call.arg(1))
    places = _offsets(x.shape, [logical(v) for v in call.many(4)], call.ints(2))
    values = np.broadcast_to(value, places.shape).reshape(-1)
    places = places.reshape(-1)
    if not call.attrs["accumulate"]:
        out = x.reshape(-1).copy()
        for place, v in zip(places, values, strict=True):
            out[place] = v
    else:
        out = wide(x).reshape(-1).copy()
        values = wide(values)
        for place, v in zip(places, values, strict=True):
            out[place] = out[place] | v if x.dtype == bool else out[place] + v
    store(call.outs[0], out.astype(x.dtype).reshape(x.shape))


@kernel("InplaceIndexAdd")
def inplace_index_add(call: Call) -> None:
    """Slice by slice."""
    x, updates = wide(logical(call.arg(0))).copy(), wide(logical(call.arg(2)))
    axis = call.attrs["axis"]
    alpha = 1 if call.opt(3) is None else wide(logical(call.arg(3))).reshape(-1)[0]
    lines, added = np.moveaxis(x, axis, 0), np.moveaxis(updates, axis, 0)
    places = counted(logical(call.arg(1)).reshape(-1), len(lines), negative=False)
    with np.errstate(over="ignore"):
        for i, place in enumerate(places):
            lines[place] += (added[i] * alpha).astype(x.dtype)
    store(call.outs[0], x)


@kernel("StridedSliceGrad")
def strided_slice_grad(call: Call) -> None:
    """The slice of the result is written."""
    begin, end, strides = (call.ints(i) for i in (1, 2, 3))
    out = call.outs[0]
    value = np.zeros(out.shape, out.data.dtype)
    value[strided_index(value.ndim, begin, end, strides, call.attrs)] = logical(call.arg(4))
    store(out, value)


@kernel("SearchSorted")
def search_sorted(call: Call) -> None:
    """Elements before a value are counted."""
    rows, values = wide(logical(call.arg(0))), wide(logical(call.arg(1)))
    out = np.zeros(values.shape, np.int64)
    order = None if call.opt(2) is None else logical(call.arg(2))
    if order is not None:
        check_indices(order, rows.shape[-1], negative=False)
    for place in np.ndindex(values.shape):
        lead = place[:-1] if rows.ndim > 1 else ()
        row = rows[lead] if order is None else rows[lead][order[lead]]
        v = values[place]
        # NaN stands behind everything, and before or behind other NaN as equals do
        nan = np.isnan(row) if row.dtype.kind == "f" else np.zeros(row.shape, bool)
        if v != v:
            before = np.ones(row.shape, bool) if call.attrs["right"] else ~nan
        else:
            before = (row <= v if call.attrs["right"] else row < v) & ~nan
        out[place] = int(before.sum())
    store(call.outs[0], out.astype(call.outs[0].data.dtype))


def _walk(call: Call, first: int, whole: int) -> list[int]:
    """Offsets of a strided view of `whole` elements, in row-major order."""
    sizes, strides, (offset,) = (call.ints(first + i) for i in range(3))
    found = [
        offset + sum(i * s for i, s in zip(place, strides, strict=True))
        for place in np.ndindex(*sizes)
    ]
    if found and not 0 <= min(found) <= max(found) < whole:
        far = min(found) if min(found) < 0 else max(found)
        raise Refusal("a view leaves its tensor", found=far, expected=f"0 … {whole - 1}")
    return found


@kernel("AsStrided")
def as_strided(call: Call) -> None:
    """Element by element."""
    x, out = logical(call.arg(0)).reshape(-1), call.outs[0]
    value = np.empty(out.data.size, x.dtype)
    for i, place in enumerate(_walk(call, 1, x.size)):
        value[i] = x[place]
    store(out, value.reshape(out.shape))


@kernel("ViewCopy")
def view_copy(call: Call) -> None:
    """Element by element."""
    dst, src = logical(call.arg(0)), logical(call.arg(4)).reshape(-1)
    value = dst.reshape(-1).copy()
    for to, place in zip(_walk(call, 1, dst.size), _walk(call, 5, src.size), strict=True):
        value[to] = src[place]
    store(call.outs[0], value.reshape(dst.shape))


@kernel("EmbeddingDenseGrad")
def embedding_dense_grad(call: Call) -> None:
    """Weight by weight."""
    grad, indices, out = wide(logical(call.arg(0))), call.ints(1), call.outs[0]
    rows = grad.reshape(len(indices), grad.shape[-1])
    check_indices(logical(call.arg(1)), out.shape[0], negative=False)
    value = np.zeros(out.shape, grad.dtype)
    for weight in range(out.shape[0]):
        mine = [i for i, v in enumerate(indices) if v == weight]
        if mine and weight != call.attrs["padding_idx"]:
            value[weight] = rows[mine].sum(axis=0)
            if call.attrs["scale_grad_by_freq"]:
                value[weight] /= len(mine)
    store(out, value)
