"""Kernel of sorting tokens by expert with capacities and quantisation, on ND."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.kernels.registry import Call, kernel
from runtime.kernels.unary import convert
from runtime.kernels.views import logical, store, wide


def _narrow(row: np.ndarray, factor: Any, call: Call) -> tuple[np.ndarray, float]:
    """One row as int8, and its scale."""
    if call.attrs.get("quant_mode", -1) == 0:
        scale, offset = (logical(call.arg(i)).reshape(()).astype(np.float16) for i in (2, 3))
        product = (row.astype(np.float32) * np.float32(scale)).astype(np.float16)
        shifted = (product.astype(np.float32) + np.float32(offset)).astype(np.float16)
        return convert(np.rint(shifted.astype(np.float64)), np.dtype(np.int8)), 0.0
    row = wide(row) if factor is None else wide(row) * factor
    top = np.abs(row).max(initial=0)  # with a NaN it is NaN, wherever that stands
    scale = np.float32(top) / np.float32(127)
    if scale == 0:
        return np.zeros(row.shape, np.int8), 0.0
    return convert(np.rint(row / scale), np.dtype(np.int8)), float(scale)


@kernel("MoeInitRoutingV3")
def moe_init_routing_v3(call: Call) -> None:
    """A bucket per expert, filled choice by choice."""
    x, chosen, attrs = logical(call.arg(0)), logical(call.arg(1)), call.attrs
    rows, places, counts, scales = (np.zeros(v.shape, v.data.dtype) for v in call.outs)
    given = call.opt(2)
    scale = None if given is None else logical(given)
    count = int(attrs.get("expert_num", -1))
    first, last = attrs.get("active_expert_range") or (0, count)
    buckets: list[list[int]] = [[] for _ in range(last - first)]
    for number, expert in enumerate(chosen.reshape(-1).tolist()):
        if first <= expert < last:
            buckets[expert - first].append(number)
    padded, mode = bool(attrs.get("drop_pad_mode")), int(attrs.get("quant_mode", -1))
    capacity = int(attrs.get("expert_capacity", -1))
    kind = 1 if padded else int(attrs.get("expert_tokens_num_type", 0))
    places[...] = -1
    lines = rows.reshape(scales.size, x.shape[1])
    turn = pairs = 0
    for own, bucket in enumerate(buckets):
        if attrs.get("expert_tokens_num_flag"):
            if kind == 2:
                if bucket:
                    counts[pairs] = own + first, len(bucket)
                    pairs += 1
            else:
                counts[own] = len(bucket) + (counts[own - 1] if kind == 0 and own else 0)
        for rank, number in enumerate(bucket[:capacity] if padded else bucket):
            at = own * capacity + rank if padded else turn
            turn += 1
            if attrs.get("row_idx_type"):
                places[at] = number
            else:
                places[number] = at
            if at >= len(lines):
                continue
            token = number // chosen.shape[1]
            if mode == -1:
                lines[at] = x[token]
                scales[at] = 0 if scale is None else scale[token]
            else:
                factor = None if scale is None or mode == 0 else scale[own if len(scale) > 1 else 0]
                lines[at], scales[at] = _narrow(x[token], factor, call)
    for view, value in zip(call.outs, (rows, places, counts, scales), strict=True):
        store(view, value)
