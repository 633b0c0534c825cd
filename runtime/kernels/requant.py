"""Kernels of quantisation by packed scales, by ranges and by a framework's scales."""

from __future__ import annotations

import numpy as np

from runtime.kernels.registry import Call, kernel
from runtime.kernels.unary import apply, convert
from runtime.kernels.views import logical, store


def _f64(call: Call, index: int) -> np.ndarray:
    return logical(call.arg(index)).astype(np.float32).astype(np.float64)


def _along(value: np.ndarray, rank: int, axis: int) -> np.ndarray:
    """One value as a scalar, several along an axis."""
    if value.size == 1:
        return value.reshape(())
    shape = [1] * rank
    shape[axis] = value.size
    return value.reshape(shape)


@kernel("AscendRequant")
def ascend_requant(call: Call) -> None:
    """The two halves of each word: a float, and fields of an integer."""
    x, packed = call.arg(0), call.arg(1)
    words = np.frombuffer(packed.data.astype("<u8").tobytes(), "<u4")
    scale = words[::2].copy().view(np.float32).astype(np.float64)
    field = (words[1::2] >> 5 & 0x1FF).astype(np.int16)
    offset = (field << 7).astype(np.int16) >> 7  # the sign is the ninth bit
    rank = len(x.shape)
    y = logical(x).astype(np.float64) * _along(scale, rank, 1) + _along(offset, rank, 1)
    floor = 0 if call.attrs.get("relu_flag") else -128
    with np.errstate(all="ignore"):
        y = np.where(np.isnan(y), 0, np.round(y))
    store(call.outs[0], np.clip(y, floor, 127).astype(np.int8))


@kernel("TransQuantParamV2")
def trans_quant_param_v2(call: Call) -> None:
    """Arithmetic on whole numbers: multiples of 2**13, 2**37 and 2**46."""
    scale = np.ascontiguousarray(logical(call.arg(0)).astype(np.float32))
    bits = scale.reshape(-1).view(np.uint32).astype(np.int64).reshape(scale.shape)
    whole, rest = np.divmod(bits, 1 << 13)
    if call.attrs.get("round_mode"):
        whole = whole + ((rest > 4096) | ((rest == 4096) & (whole % 2 == 1)))
    y = (whole % (1 << 19)) * (1 << 13) + (1 << 46)
    offset = call.opt(1)
    if offset is not None:
        value = np.nan_to_num(logical(offset).astype(np.float64), nan=0.0)
        steps = np.round(np.clip(value, -256, 255)).astype(np.int64)
        y = y + np.mod(steps, 512) * (1 << 37)
    store(call.outs[0], y.astype(np.uint64))


@kernel("Quantize")
def quantize(call: Call) -> None:
    """Counted in scales."""
    x = _f64(call, 0)
    axis, out = int(call.attrs.get("axis", 1)), call.outs[0]
    with np.errstate(all="ignore"):
        y = np.round(x / _along(_f64(call, 1), x.ndim, axis))
    zeros = call.opt(2)
    if zeros is not None:
        y = np.round(y + _along(logical(zeros).astype(np.float64), x.ndim, axis))
    info = np.iinfo(out.data.dtype)
    y = np.where(np.isnan(y), 0, y)
    store(out, np.clip(y, info.min, info.max).astype(out.data.dtype))


@kernel("Dequantize")
def dequantize(call: Call) -> None:
    """A straight line through the ends of the range."""
    x, out = logical(call.arg(0)), call.outs[0]
    low, high = (float(call.arg(i).data.reshape(())) for i in (1, 2))
    info = np.iinfo(x.dtype)
    wide = x.astype(np.float64)
    with np.errstate(all="ignore"):
        if call.attrs.get("mode") == "SCALED":
            parts = [np.float64(high) / info.max]
            parts += [np.float64(low) / info.min] if info.min else []
            y = wide * np.max(parts)
        else:
            share = (wide - info.min) / (float(info.max) - float(info.min))
            y = share * (np.float64(high) - np.float64(low)) + low
    store(out, convert(y, out.data.dtype))


@kernel("FakeQuantWithMinMaxArgs", layouts="*")
def fake_quant(call: Call) -> None:
    """The nearest of all steps, which are listed."""
    attrs = call.attrs
    low, high = float(np.float32(attrs.get("min", -6.0))), float(np.float32(attrs.get("max", 6.0)))
    first = int(bool(attrs.get("narrow_range")))
    last = 2 ** int(attrs.get("num_bits", 8)) - 1
    step = (high - low) / (last - first)
    zero = min(max(np.floor(first - low / step + 0.5), first), last)
    steps = (np.arange(first, last + 1) - zero) * step

    def nearest(x: np.ndarray) -> np.ndarray:
        wide = np.clip(x.astype(np.float64), steps[0], steps[-1])
        place = np.searchsorted((steps[1:] + steps[:-1]) / 2, wide, side="right")
        return np.where(np.isnan(x), np.nan, steps[place]).astype(x.dtype)

    apply(call, nearest, zero=True)
