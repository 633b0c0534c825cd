"""Kernels of Ascend's quantising operators, on ND: one clamp and one rounding per element."""

from __future__ import annotations

from itertools import pairwise

import ml_dtypes
import numpy as np

from runtime.kernels.refusal import Refusal
from runtime.kernels.registry import Call, View, kernel
from runtime.kernels.unary import convert
from runtime.kernels.views import is_whole, logical, store, wide


def _bounds(dtype: np.dtype) -> tuple[float, float]:
    """Smallest and largest number of an integer or a narrow float."""
    try:
        info = ml_dtypes.iinfo(dtype)
    except ValueError:
        info = ml_dtypes.finfo(dtype)
    return float(info.min), float(info.max)


def quantise(view: View, y: np.ndarray, mode: str) -> None:
    """Store y, rounded and saturated."""
    dtype = view.data.dtype
    low, high = _bounds(dtype)
    if is_whole(dtype):
        mode = mode.lower()
        names = {"floor": np.floor, "ceil": np.ceil, "trunc": np.trunc}
        y = names.get(mode, np.round)(np.where(np.isnan(y), 0, y))
    store(view, convert(np.minimum(np.maximum(y, low), high).astype(y.dtype), dtype))


def _spread(view: View | None, x: np.ndarray, axis: int) -> np.ndarray | None:
    if view is None:
        return None
    value = wide(logical(view))
    if value.ndim == 1 and value.size == 1:
        value = value[0]
    elif value.ndim == 1:
        value = np.expand_dims(value, tuple(a for a in range(x.ndim) if a != axis % x.ndim))
    return value


def _square(call: Call, scale: np.ndarray) -> np.ndarray:
    return np.square(scale) if call.attrs.get("sqrt_mode") else scale


@kernel("AscendQuant")
def ascend_quant(call: Call) -> None:
    """x · scale + offset by attributes."""
    x = wide(logical(call.arg(0)))
    scale = _square(call, np.asarray(call.attrs["scale"], x.dtype))
    y = x * scale + np.asarray(call.attrs["offset"], x.dtype)
    quantise(call.outs[0], y, str(call.attrs["round_mode"]))


@kernel("AscendQuantV2")
def ascend_quant_v2(call: Call) -> None:
    """x · scale + offset by tensors."""
    x, axis = wide(logical(call.arg(0))), int(call.attrs["axis"])
    scale, offset = _spread(call.arg(1), x, axis), _spread(call.opt(2), x, axis)
    assert scale is not None
    y = x * _square(call, scale) + (0 if offset is None else offset)
    quantise(call.outs[0], y, str(call.attrs["round_mode"]))


@kernel("AscendAntiQuant")
def ascend_anti_quant(call: Call) -> None:
    """(x + offset) · scale by attributes."""
    x = logical(call.arg(0)).astype(np.float32)
    scale = _square(call, np.float32(call.attrs["scale"]))  # pyright: ignore[reportArgumentType]
    store(
        call.outs[0],
        convert(scale * (np.float32(call.attrs["offset"]) + x), call.outs[0].data.dtype),
    )


def _thin(view: View, x: np.ndarray) -> tuple[int, ...]:
    """Shape of a factor of x: without its only axis where x is a scalar."""
    return view.shape if x.ndim else ()


@kernel("AscendAntiQuantV2")
def ascend_anti_quant_v2(call: Call) -> None:
    """(x + offset) · scale by tensors."""
    x = logical(call.arg(0)).astype(np.float32)
    offset = call.opt(2)
    if offset is not None:
        x = x + wide(logical(offset)).reshape(_thin(offset, x))
    scale = _square(call, wide(logical(call.arg(1))))
    y = scale.reshape(_thin(call.arg(1), x)) * x
    store(call.outs[0], convert(y, call.outs[0].data.dtype))


@kernel("AscendDequant")
def ascend_dequant(call: Call) -> None:
    """Sums times a scale, which may be packed."""
    x = logical(call.arg(0)).astype(np.float32)
    packed = call.arg(1)
    if packed.data.dtype == np.uint64:
        values = np.frombuffer(packed.data.astype("<u8").tobytes(), "<f4")[::2]
        packed = View(values.reshape(packed.shape), packed.shape)
    scale = _spread(packed, x, 1)
    assert scale is not None
    y = x * _square(call, scale)
    if call.attrs.get("relu_flag"):
        y = np.where(y < 0, 0, y)
    store(call.outs[0], convert(y.astype(np.float32), call.outs[0].data.dtype))


def _smooth_rows(call: Call) -> np.ndarray:
    """Rows of x times the factors of their group."""
    x = wide(logical(call.arg(0)))
    rows = x.reshape(int(np.prod(x.shape[:-1])), x.shape[-1])
    smooth, ends = call.opt(1), call.opt(2)
    if smooth is None:
        return rows
    factors = wide(logical(smooth))
    if ends is None:
        return rows * factors
    cuts = [0, *logical(ends).tolist()]
    if cuts != sorted(cuts) or cuts[-1] != len(rows) or len(cuts) == 1:
        expected = f"up to {len(rows)}"
        raise Refusal("group_index does not cut the axis", found=cuts[1:], expected=expected)
    parts = [rows[:0]]
    for group, (start, end) in enumerate(pairwise(cuts)):
        parts.append(rows[start:end] * factors[group])
    return np.concatenate(parts)


@kernel("DynamicQuant")
def dynamic_quant(call: Call) -> None:
    """Rows stretched to the range of the target."""
    x = _smooth_rows(call).reshape(call.arg(0).shape)
    _, top = _bounds(call.outs[0].data.dtype)
    size = np.zeros(x.shape[:-1], x.dtype)
    if x.shape[-1]:
        size = np.maximum(x.max(axis=-1), -x.min(axis=-1))
    scale = size / x.dtype.type(top)
    safe = np.where(scale == 0, 1, scale)[..., None]
    quantise(call.outs[0], np.where(scale[..., None] == 0, 0, x / safe), "rint")
    store(call.outs[1], scale)


@kernel("DynamicQuantV2")
def dynamic_quant_v2(call: Call) -> None:
    """Row by row, the whole as one row where it has one scale."""
    rows, out = _smooth_rows(call), call.outs[0]
    if call.attrs.get("quant_mode", "pertoken") == "pertensor":
        rows = rows.reshape(1, -1)
    low, top = _bounds(out.data.dtype)
    y, scales = np.zeros_like(rows), np.zeros(len(rows), rows.dtype)
    offsets = np.zeros_like(scales)
    for i, row in enumerate(rows):
        if call.attrs.get("is_symmetrical"):
            scales[i] = (np.max(np.abs(row)) if row.size else 0) / rows.dtype.type(top)
        else:
            ends_of_row = (row.min(), row.max()) if row.size else (0, 0)
            scales[i] = (ends_of_row[1] - ends_of_row[0]) / rows.dtype.type(top - low)
            share = ends_of_row[1] / scales[i] if scales[i] != 0 else 0
            offsets[i] = rows.dtype.type(top) - share
        if scales[i] != 0:
            y[i] = row / scales[i] + offsets[i]
    quantise(out, y.reshape(out.shape), "rint")
    store(call.outs[1], scales)
    store(call.outs[2], offsets)
