"""Kernels that pick elements: gathers and slices, on ND."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.kernels.refusal import counted
from runtime.kernels.registry import Call, kernel
from runtime.kernels.views import logical, store


def may_be_negative(call: Call) -> bool:
    """Whether a node takes indices that count from the end."""
    return bool(call.attrs.get("negative_index_support", False))


def _gather(call: Call, axis: int) -> None:
    x, indices = logical(call.arg(0)), logical(call.arg(1))
    batch = int(call.attrs.get("batch_dims", 0))
    batch += indices.ndim if batch < 0 else 0
    axis = axis % x.ndim
    indices = counted(indices, x.shape[axis], negative=may_be_negative(call), choice=True)
    if not batch:
        store(call.outs[0], np.take(x, indices, axis=axis))
        return
    lead = x.shape[:batch]
    rows = x.reshape(-1, *x.shape[batch:])
    picks = indices.reshape(-1, *indices.shape[batch:])
    parts = [np.take(r, i, axis=axis - batch) for r, i in zip(rows, picks, strict=True)]
    result = np.stack(parts) if parts else np.zeros(call.outs[0].shape, x.dtype)
    store(call.outs[0], result.reshape(*lead, *result.shape[1:]))


@kernel("Gather")
def gather(call: Call) -> None:
    """Rows along the first axis (after the batch axes)."""
    batch = int(call.attrs.get("batch_dims", 0))
    _gather(call, batch if batch >= 0 else batch + len(call.arg(1).shape))


@kernel("GatherV2")
def gather_v2(call: Call) -> None:
    """Slices along an axis given as a tensor."""
    _gather(call, call.ints(2)[0])


def _slice(call: Call, offsets: Sequence[int], sizes: Sequence[int]) -> None:
    x = logical(call.arg(0))
    index = tuple(
        slice(o, n if s < 0 else o + s) for o, s, n in zip(offsets, sizes, x.shape, strict=True)
    )
    store(call.outs[0], x[index])


@kernel("Slice")
def slice_(call: Call) -> None:
    """Block at `offsets` of `size`, -1 for the rest of an axis."""
    _slice(call, call.ints(1), call.ints(2))


@kernel("SliceD")
def slice_d(call: Call) -> None:
    """Block at attribute offsets and sizes."""
    _slice(call, call.attrs["offsets"], call.attrs["size"])


def strided_index(
    rank: int,
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int],
    masks: dict[str, int],
) -> tuple[slice | int | None, ...]:
    """The numpy index of a TensorFlow strided slice of a rank-`rank` tensor."""

    def bit(name: str, i: int) -> bool:
        return bool(masks.get(f"{name}_mask", 0) >> i & 1)

    entries = len(begin)
    consumed = sum(1 for i in range(entries) if not bit("ellipsis", i) and not bit("new_axis", i))
    index: list[slice | int | None] = []
    for i in range(entries):
        if bit("ellipsis", i):
            index.extend([slice(None)] * (rank - consumed))
        elif bit("new_axis", i):
            index.append(None)
        elif bit("shrink_axis", i):
            index.append(int(begin[i]))
        else:
            start = None if bit("begin", i) else int(begin[i])
            stop = None if bit("end", i) else int(end[i])
            index.append(slice(start, stop, int(strides[i])))
    return tuple(index)


def _strided(call: Call, begin: Sequence[int], end: Sequence[int], strides: Sequence[int]) -> None:
    x = logical(call.arg(0))
    names = ("begin", "end", "ellipsis", "new_axis", "shrink_axis")
    masks = {f"{n}_mask": int(call.attrs.get(f"{n}_mask", 0)) for n in names}
    store(call.outs[0], x[strided_index(x.ndim, begin, end, strides, masks)])


@kernel("StridedSlice")
def strided_slice(call: Call) -> None:
    """TensorFlow's strided slice with bounds given as tensors."""
    strides = call.ints(3) if call.opt(3) is not None else [1] * len(call.ints(1))
    _strided(call, call.ints(1), call.ints(2), strides)


@kernel("StridedSliceD")
def strided_slice_d(call: Call) -> None:
    """TensorFlow's strided slice with attribute bounds."""
    _strided(call, call.attrs["begin"], call.attrs["end"], call.attrs["strides"])


@kernel("StridedSliceV2")
def strided_slice_v2(call: Call) -> None:
    """Strided slice of the axes that a tensor names, or of the leading ones."""
    begin, end = call.ints(1), call.ints(2)
    strides = call.ints(4) if call.opt(4) is not None else [1] * len(begin)
    if call.opt(3) is None:
        _strided(call, begin, end, strides)
        return
    x = logical(call.arg(0))
    open_begin, open_end = (int(call.attrs.get(f"{m}_mask", 0)) for m in ("begin", "end"))
    for i, axis in enumerate(call.ints(3)):
        first = None if open_begin >> i & 1 else begin[i]
        last = None if open_end >> i & 1 else end[i]
        # One axis after the other, by explicit places.
        places = range(x.shape[axis])[slice(first, last, strides[i])]
        x = np.take(x, np.array(places, np.int64), axis=axis)
    store(call.outs[0], x)


@kernel("GatherElements")
def gather_elements(call: Call) -> None:
    """One element of x for each index along an axis."""
    x, index = logical(call.arg(0)), logical(call.arg(1))
    axis = int(call.attrs.get("dim", 0)) % x.ndim
    # x is cut to the places of the index on all other axes.
    cut = tuple(slice(None) if i == axis else slice(n) for i, n in enumerate(index.shape))
    store(call.outs[0], np.take_along_axis(x[cut], counted(index, x.shape[axis]), axis))


def rows_of(
    indices: np.ndarray, shape: Sequence[int], *, negative: bool, choice: bool = False
) -> np.ndarray:
    """Number of the slice that each tuple along the last axis names, slices in row-major order.

    `Refusal` of an index outside its axis; negative and choice: see `counted`.
    """
    depth = indices.shape[-1]
    total = np.zeros(indices.shape[:-1], np.int64)
    for i in range(depth):
        at = counted(indices[..., i], shape[i], negative=negative, choice=choice)
        total = total * shape[i] + at
    return total


@kernel("GatherNd")
def gather_nd(call: Call) -> None:
    """Slices by index tuples: rows of x seen as a matrix."""
    x, indices = logical(call.arg(0)), logical(call.arg(1))
    depth = indices.shape[-1]
    lead = int(np.prod(x.shape[:depth], dtype=np.int64))
    matrix = np.ascontiguousarray(x).reshape(lead, *x.shape[depth:])
    rows = rows_of(indices, x.shape, negative=may_be_negative(call), choice=True)
    store(call.outs[0], matrix[rows])
