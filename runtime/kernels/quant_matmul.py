"""Kernels of matrix products of quantised numbers, on ND, by scalar products in double precision.

Sums of products of 8-bit integers are exact there. Weights are not turned into floats first: the
sums of a group of rows are scaled, and what the offset adds is the sum of x.
"""

from __future__ import annotations

import numpy as np

from runtime.kernels.refusal import refuse_where
from runtime.kernels.registry import Call, View, kernel
from runtime.kernels.unary import convert
from runtime.kernels.views import logical, store

#: A dtype of exponents, which scales of blocks have.
_EXPONENTS = "float8_e8m0fnu"


def _numbers(view: View) -> np.ndarray:
    """Values in double precision; of 64 bits the low half is a float32."""
    if view.data.dtype in (np.uint64, np.int64):
        words = np.frombuffer(view.data.astype("<i8").tobytes(), "<f4")
        return words[::2].astype(np.float64).reshape(view.shape)
    return logical(view).astype(np.float32).astype(np.float64)


def _matrix(call: Call, index: int, flag: str) -> np.ndarray:
    x = logical(call.arg(index)).astype(np.float32).astype(np.float64)
    return np.moveaxis(x, -1, -2) if call.attrs.get(flag) else x


def _products(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.einsum("...ik,...kj->...ij", a, b)


def _one_or_row(value: np.ndarray) -> np.ndarray:
    return value.reshape(()) if value.size == 1 else value.reshape(1, -1)


def _save(call: Call, y: np.ndarray) -> None:
    out = call.outs[0]
    if out.data.dtype == np.int8:
        with np.errstate(all="ignore"):
            y = np.clip(np.round(np.where(np.isnan(y), 0, y)), -128, 127)
    if out.data.dtype == np.int32:
        y = y.astype(np.int64).astype(np.int32)
    store(out, convert(y, out.data.dtype))


@kernel("QuantBatchMatmul")
def quant_batch_matmul(call: Call) -> None:
    """Sums, bias, scale."""
    y = _products(_matrix(call, 0, "adj_x1"), _matrix(call, 1, "adj_x2"))
    y += _one_or_row(logical(call.arg(2)).astype(np.float64))
    _save(call, y * _one_or_row(_numbers(call.arg(3))))


@kernel("QuantBatchMatmulV3")
def quant_batch_matmul_v3(call: Call) -> None:
    """One affine map per column, one factor per row."""
    scales = (v for v in (call.opt(2), call.opt(5)) if v is not None)
    size = call.attrs.get("group_size", 0)
    blocks = size or any(v.data.dtype.name == _EXPONENTS for v in scales)
    refuse_where(blocks, "a scale per block is not evaluated", found=size, expected=0)
    y = _products(_matrix(call, 0, "transpose_x1"), _matrix(call, 1, "transpose_x2"))
    bias, offset, per_token = call.opt(4), call.opt(3), call.opt(5)
    late = 0.0
    if bias is not None:
        shift = _one_or_row(logical(bias).astype(np.float64))
        if bias.data.dtype == np.int32:
            y = y + shift
        else:
            late = shift
    if int(call.attrs["dtype"]) == 3:
        _save(call, y)
        return
    with np.errstate(all="ignore"):
        y = y * _one_or_row(_numbers(call.arg(2)))
        if per_token is not None:
            y = _numbers(per_token).reshape(-1, 1) * y
        y = y + late
        if offset is not None and int(call.attrs["dtype"]) == 2:
            y = y + _one_or_row(_numbers(offset))
    _save(call, y)


def _groups(call: Call, view: View, groups: int) -> np.ndarray:
    """A parameter of the weight as [groups, columns] or [groups, 1]."""
    value = logical(view).astype(np.float32).astype(np.float64)
    if value.ndim == 2:
        value = value.T if call.attrs.get("transpose_weight") else value
        return np.broadcast_to(value, (groups, value.shape[1])) if groups else value[:0]
    return np.broadcast_to(value.reshape(1, -1), (groups, value.size))


@kernel("WeightQuantBatchMatmulV2")
def weight_quant_batch_matmul_v2(call: Call) -> None:
    """Group by group: sums of the raw weight, scaled, plus the offset times the sum of x."""
    scale_view, offset = call.arg(2), call.opt(3)
    dtype = scale_view.data.dtype
    message = "a weight of packed int4 is not evaluated"
    packed = call.arg(1).data.dtype == np.int32
    refuse_where(packed, message, found="int32", expected="int4")
    message = "such an antiquant_scale is not evaluated"
    other = dtype.kind in "iu" or dtype.name == _EXPONENTS
    refuse_where(other, message, found=dtype, expected="float16")
    x, weight = _matrix(call, 0, "transpose_x"), _matrix(call, 1, "transpose_weight")
    inner = weight.shape[0]
    step = int(call.attrs.get("antiquant_group_size", 0)) or max(inner, 1)
    starts = range(0, inner, step)
    scale = _groups(call, scale_view, len(starts))
    shift = None if offset is None else _groups(call, offset, len(starts))
    y = np.zeros((x.shape[0], weight.shape[1]))
    factors = [x, scale] if shift is None else [x, scale, shift]
    apart = all(np.isfinite(f).all() for f in factors)
    for g, start in enumerate(starts):
        part = slice(start, start + step)
        if not apart:  # an infinity meets every weight by itself
            numbers = weight[part] if shift is None else weight[part] + shift[g]
            y = y + _products(x[:, part], numbers * scale[g])
            continue
        total = _products(x[:, part], weight[part])
        if shift is not None:
            total = total + x[:, part].sum(axis=1, keepdims=True) * shift[g]
        y = y + total * scale[g]
    bias, quant_scale, quant_offset = call.opt(6), call.opt(4), call.opt(5)
    if bias is not None:
        y = y + _one_or_row(logical(bias).astype(np.float64))
    if quant_scale is not None:
        y = y * _one_or_row(_numbers(quant_scale))
        if quant_offset is not None:
            y = y + _one_or_row(_numbers(quant_offset))
    _save(call, y)
