"""Kernels of writes into parts of a variable: its own memory is changed."""

from __future__ import annotations

import numpy as np

from runtime.kernels.indexing import rows_of, strided_index
from runtime.kernels.refusal import Refusal, refuse_where
from runtime.kernels.registry import Call, View, kernel
from runtime.kernels.views import logical


def _handed(call: Call, *refs: View) -> None:
    """The ref outputs are the variables, unless the plan gave them memory of their own."""
    for out, ref in zip(call.outs, refs, strict=True):
        if not (ref.data.size and np.shares_memory(out.data, ref.data)):
            out.data[...] = ref.data.reshape(out.data.shape)


@kernel("ScatterNdUpdate")
def scatter_nd_update(call: Call) -> None:
    """By flat offsets of the slices."""
    ref, indices, updates = call.arg(0), logical(call.arg(1)), logical(call.arg(2)).copy()
    depth = indices.shape[-1]
    rows = ref.data.reshape(-1, int(np.prod(ref.shape[depth:])))
    numbers = rows_of(indices.reshape(-1, depth), ref.shape, negative=False)
    parts = updates.reshape(len(numbers), rows.shape[1])
    for number, part in zip(numbers, parts, strict=True):
        rows[number] = part
    _handed(call, ref)


@kernel("StridedSliceAssign")
def strided_slice_assign(call: Call) -> None:
    """A view of the variable is written."""
    ref, value = call.arg(0), logical(call.arg(4)).copy()
    begin, end, strides = (call.ints(i) for i in (1, 2, 3))
    whole = ref.data.reshape(ref.shape)
    whole[strided_index(whole.ndim, begin, end, strides, call.attrs)] = value
    _handed(call, ref)


@kernel("ScatterPaKvCache")
def scatter_pa_kv_cache(call: Call) -> None:
    """By block and place in the block."""
    attrs, unread = call.attrs, any(call.opt(i) is not None for i in (5, 6, 7))
    form = f"{attrs['cache_mode']}, {attrs['scatter_mode']}"
    other, message = unread or form != "Norm, None", "this form of the cache is not evaluated"
    refuse_where(other, message, found=form, expected="Norm, None")
    slots = call.ints(2)
    for tokens, ref in ((call.arg(0), call.arg(1)), (call.arg(3), call.arg(4))):
        cache, rows = ref.data.reshape(ref.shape), logical(tokens)
        limit = cache.shape[0] * cache.shape[1]
        if max(slots, default=-1) >= limit:
            raise Refusal("a slot is out of range", found=max(slots), expected=f"< {limit}")
        for t, slot in enumerate(slots):
            if slot >= 0:
                block, place = divmod(slot, cache.shape[1])
                cache[block, place] = rows[t]
    _handed(call, call.arg(1), call.arg(4))
