"""Kernels of Ascend's quantising operators, on ND: one clamp and one rounding per element."""

from __future__ import annotations

import ml_dtypes
import numpy as np

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


def _quantise(view: View, y: np.ndarray, mode: str) -> None:
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
    _quantise(call.outs[0], y, str(call.attrs["round_mode"]))


@kernel("AscendQuantV2")
def ascend_quant_v2(call: Call) -> None:
    """x · scale + offset by tensors."""
    x, axis = wide(logical(call.arg(0))), int(call.attrs["axis"])
    scale, offset = _spread(call.arg(1), x, axis), _spread(call.opt(2), x, axis)
    assert scale is not None
    y = x * _square(call, scale) + (0 if offset is None else offset)
    _quantise(call.outs[0], y, str(call.attrs["round_mode"]))


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


@kernel("DynamicQuant")
def dynamic_quant(call: Call) -> None:
    """Rows stretched to the range of the target."""
    x = wide(logical(call.arg(0)))
    smooth = call.opt(1)
    if smooth is not None:
        x = x * wide(logical(smooth))
    _, top = _bounds(call.outs[0].data.dtype)
    size = np.zeros(x.shape[:-1], x.dtype)
    if x.shape[-1]:
        size = np.maximum(x.max(axis=-1), -x.min(axis=-1))
    scale = size / x.dtype.type(top)
    safe = np.where(scale == 0, 1, scale)[..., None]
    _quantise(call.outs[0], np.where(scale[..., None] == 0, 0, x / safe), "rint")
    store(call.outs[1], scale)
