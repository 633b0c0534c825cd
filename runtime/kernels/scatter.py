"""Kernels that write by index, and reversed sequences, on ND."""

from __future__ import annotations

import numpy as np

from runtime.kernels.indexing import rows_of
from runtime.kernels.refusal import Refusal, check_indices, counted
from runtime.kernels.registry import Call, kernel
from runtime.kernels.views import logical, store, wide

_COMBINE = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}


@kernel("ScatterElements")
def scatter_elements(call: Call) -> None:
    """One step along the axis after the other, so that no step meets an element twice."""
    data, indices, updates = (logical(call.arg(i)) for i in range(3))
    axis = int(call.attrs.get("axis", 0)) % data.ndim
    combine = _COMBINE.get(str(call.attrs.get("reduction", "none")))
    out = (data if combine is None else wide(data)).copy()
    cut = tuple(slice(None) if i == axis else slice(n) for i, n in enumerate(indices.shape))
    target = out[cut]
    places = counted(indices, data.shape[axis])
    for step in range(indices.shape[axis]):
        at, value = places.take([step], axis=axis), updates.take([step], axis=axis)
        if combine is not None:
            value = combine(np.take_along_axis(target, at, axis), wide(value))
        np.put_along_axis(target, at, value, axis)
    store(call.outs[0], out)


@kernel("ScatterNd")
def scatter_nd(call: Call) -> None:
    """Slices added one by one to zeros."""
    indices, x, out = logical(call.arg(0)), wide(logical(call.arg(1))), call.outs[0]
    depth = indices.shape[-1]
    lead = int(np.prod(out.shape[:depth], dtype=np.int64))
    total = np.zeros((lead, *out.shape[depth:]), x.dtype)
    slices = x.reshape(-1, *out.shape[depth:])
    rows = rows_of(indices, out.shape, negative=False).reshape(-1)
    for row, value in zip(rows, slices, strict=True):
        total[row] += value
    store(out, total.reshape(out.shape))


@kernel("TensorScatterUpdate")
def tensor_scatter_update(call: Call) -> None:
    """Slices replaced one by one in a copy."""
    x, indices, updates = (logical(call.arg(i)) for i in range(3))
    depth = indices.shape[-1]
    lead = int(np.prod(x.shape[:depth], dtype=np.int64))
    total = np.ascontiguousarray(x).reshape(lead, *x.shape[depth:]).copy()
    slices = updates.reshape(-1, *x.shape[depth:])
    rows = rows_of(indices, x.shape, negative=False).reshape(-1)
    for row, value in zip(rows, slices, strict=True):
        total[row] = value
    store(call.outs[0], total.reshape(x.shape))


@kernel("ReverseSequence")
def reverse_sequence(call: Call) -> None:
    """Sequence by sequence."""
    x, lengths = logical(call.arg(0)).copy(), call.ints(1)
    time, batch = int(call.attrs["seq_dim"]) % x.ndim, int(call.attrs.get("batch_dim", 0)) % x.ndim
    if any(not 0 <= length <= x.shape[time] for length in lengths):
        raise Refusal("a length exceeds the sequence", found=lengths, expected=x.shape[time])
    for b, length in enumerate(lengths):
        where: list[slice | int] = [slice(None)] * x.ndim
        where[batch], where[time] = slice(b, b + 1), slice(0, length)
        part = x[tuple(where)]
        x[tuple(where)] = np.flip(part, time).copy()
    store(call.outs[0], x)


@kernel("UnsortedSegmentSum")
def unsorted_segment_sum(call: Call) -> None:
    """Slices added one by one."""
    x, ids, out = wide(logical(call.arg(0))), logical(call.arg(1)), call.outs[0]
    total = np.zeros(out.shape, x.dtype)
    check_indices(ids[ids >= 0], out.shape[0], negative=False)
    for place in np.ndindex(ids.shape):
        if ids[place] >= 0:  # a negative number belongs to no segment
            total[int(ids[place])] += x[place]
    store(out, total)
