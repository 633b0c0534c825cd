"""Kernel of SwiGlu between a dequantisation and a quantisation: one row after the other."""

from __future__ import annotations

from collections.abc import Callable

import ml_dtypes
import numpy as np

from runtime.kernels.quant import quantise
from runtime.kernels.refusal import Refusal
from runtime.kernels.registry import Call, View, kernel
from runtime.kernels.views import is_whole, logical, store, wide

Row = Callable[[int], np.ndarray]


def _groups(call: Call, rows: int) -> list[int]:
    """The group of each row, -1 for those of none."""
    counts = call.opt(6)
    if counts is None:
        return [0] * rows
    sizes = logical(counts).tolist()
    if sum(sizes) > rows or min(sizes, default=0) < 0:
        expected = f"counts of up to {rows} rows"
        raise Refusal("group_index does not cut the axis", found=sizes, expected=expected)
    found = [g for g, count in enumerate(sizes) for _ in range(count)]
    return found + [-1] * (rows - len(found))


def _of_group(view: View, grouped: bool) -> Row:
    """What a group takes of a factor: its row, its number, or all of it."""
    value = wide(logical(view))
    if value.ndim == 2 and len(value) > 1:
        return lambda group: value[group]
    if value.ndim == 1 and grouped:
        return lambda group: value[group]
    whole = value.reshape(-1)
    return lambda group: whole


def _number_rows(call: Call, groups: list[int]) -> np.ndarray:
    """All rows of x as float32."""
    x = logical(call.arg(0))
    rows = x.reshape(len(groups), x.shape[-1])
    if not is_whole(x.dtype):
        return rows.astype(np.float32)
    weight, bias, scale = _of_group(call.arg(1), False), call.opt(3), call.opt(2)
    bias_of = None if bias is None else _of_group(bias, False)
    scales = None if scale is None else logical(scale).reshape(-1)
    out = np.zeros(rows.shape, np.float32)
    for i, group in enumerate(groups):
        if group < 0:
            continue
        row = rows[i]
        if bias is not None and bias_of is not None and is_whole(bias.data.dtype):
            row = (row.astype(np.int64) + bias_of(group)).astype(np.int32)
        line = row.astype(np.float32) * weight(group)
        if scales is not None:
            line = line * scales[i]
        if bias is not None and bias_of is not None and not is_whole(bias.data.dtype):
            line = line + bias_of(group)
        out[i] = line
    return out


def _product(a: np.ndarray, b: np.ndarray, call: Call) -> np.ndarray:
    mode = int(call.attrs.get("swiglu_mode", 0))
    limit = np.float32(float(call.attrs.get("clamp_limit", 7.0)))
    alpha = np.float32(1)
    if mode:
        b = np.clip(b, -limit, limit)
    if mode in (1, 2):
        a, alpha = np.minimum(a, limit), np.float32(call.attrs.get("glu_alpha", 1.702))
        b = b + np.float32(call.attrs.get("glu_bias", 1.0))
    with np.errstate(all="ignore"):
        swish = a / (np.exp(a * -alpha) + 1)
        return (np.minimum(swish, limit) if mode == 3 else swish) * b


@kernel("DequantSwigluQuant")
def dequant_swiglu_quant(call: Call) -> None:
    """Rows of numbers, halves of the whole, rows of codes."""
    x, out = call.arg(0), call.outs[0]
    axis = int(call.attrs.get("activate_dim", -1)) % len(x.shape)
    groups = _groups(call, int(np.prod(x.shape[:-1])))
    numbers = _number_rows(call, groups).reshape(x.shape)
    half = x.shape[axis] // 2
    first, second = np.arange(half), np.arange(half, 2 * half)
    if call.attrs.get("swiglu_mode") == 1:
        first, second = 2 * first, 2 * first + 1
    elif not call.attrs.get("activate_left"):
        first, second = second, first
    y = _product(numbers.take(first, axis), numbers.take(second, axis), call)
    y = y.reshape(int(np.prod(out.shape[:-1])), out.shape[-1])
    if axis != len(x.shape) - 1:
        groups = [0] * len(y)
    grouped = call.opt(6) is not None
    factor = None if call.opt(4) is None else _of_group(call.arg(4), grouped)
    offset = None if call.opt(5) is None else _of_group(call.arg(5), grouped)
    static = call.attrs.get("quant_mode", "static") == "static"
    dtype = out.data.dtype
    info = ml_dtypes.iinfo(dtype) if is_whole(dtype) else ml_dtypes.finfo(dtype)
    scales = np.zeros(len(y), np.float32)
    with np.errstate(all="ignore"):
        for i, group in enumerate(groups):
            if group < 0:
                y[i] = 0
            elif static:
                assert factor is not None
                y[i] = y[i] / factor(group)
                if offset is not None:
                    y[i] += offset(group)
            else:
                y[i] = y[i] if factor is None else y[i] * factor(group)
                top = np.abs(y[i]).max(initial=0)
                scales[i] = 1 if top == 0 else top / np.float32(info.max)
                y[i] /= scales[i]
    quantise(out, y.reshape(out.shape), "rint")
    store(call.outs[1], scales)
