"""Golden meaning of quantisation by packed scales, by ranges and by a framework's scales."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import F32, F64, Array, cast, limits, widen
from ge_dialect.semantics.quant import along, unpacked_scale
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]
_TORCH = {"torch.qint8": np.int8, "torch.quint8": np.uint8, "torch.qint32": np.int32}


def _packed_offset(packed: Array) -> Array:
    """The 9-bit integer in bits 37 to 45."""
    field = ((packed >> np.uint64(37)) & np.uint64(0x1FF)).astype(np.int64)
    return np.where(field > 255, field - 512, field)


@semantics("AscendRequant")
def ascend_requant(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Scale, offset, rounding, saturation."""
    x, packed = args
    scale = along(unpacked_scale(packed).astype(F64), x.ndim, 1)
    y = x.astype(F64) * scale + along(_packed_offset(packed), x.ndim, 1)
    y = cast(np.rint(y), np.dtype(np.int8))
    return np.maximum(y, 0) if attrs["relu_flag"] else y


@semantics("TransQuantParamV2")
def trans_quant_param_v2(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Bits put together."""
    bits = np.asarray(args[0], F32).view(np.uint32).astype(np.uint64)
    if attrs["round_mode"]:  # half to even: add just under half, and the last bit that stays
        bits = bits + np.uint64(0xFFF) + ((bits >> np.uint64(13)) & np.uint64(1))
    out = (bits & np.uint64(0xFFFFE000)) | np.uint64(1 << 46)
    if args[1] is None:
        return out
    offset = np.clip(cast(np.rint(args[1]), np.dtype(np.int64)), -256, 255)
    return out | ((offset & 0x1FF).astype(np.uint64) << np.uint64(37))


@semantics("Quantize")
def quantize(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """round(x / scale) + zero point."""
    x, scales, zeros = args
    wide = widen(x).astype(F64)
    y = np.rint(wide / along(widen(scales).astype(F64), x.ndim, attrs["axis"]))
    if zeros is not None:
        y = y + along(widen(zeros).astype(F64), x.ndim, attrs["axis"])
    return cast(np.rint(y), np.dtype(_TORCH[attrs["dtype"]]))


@semantics("Dequantize")
def dequantize(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Codes as numbers of the range."""
    x = args[0].astype(F64)
    low, high = (np.asarray(a, F64).reshape(()) for a in args[1:])
    lowest, highest = limits(args[0].dtype)
    codes = highest - lowest
    if attrs["mode"] == "SCALED":
        factor = high / highest
        if lowest < 0:
            factor = np.maximum(low / lowest, factor)
        return (x * factor).astype(F32)
    # MIN_FIRST spreads the range over one code more before it divides by their number: the same
    return (low + (x - lowest) * ((high - low) / codes)).astype(F32)


@semantics("FakeQuantWithMinMaxArgs")
def fake_quant(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Clamped, counted in steps from the moved minimum, and back."""
    low, high = F64.type(attrs["min"]), F64.type(attrs["max"])
    first, last = float(attrs["narrow_range"]), 2.0 ** attrs["num_bits"] - 1
    step = (high - low) / (last - first)
    zero = np.clip(np.floor(first - low / step + 0.5), first, last)
    bottom, top = (first - zero) * step, (last - zero) * step
    inside = np.minimum(np.maximum(args[0].astype(F64), bottom), top)
    return (np.floor((inside - bottom) / step + 0.5) * step + bottom).astype(F32)
