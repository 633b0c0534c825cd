"""Golden meaning of Ascend's quantising operators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ml_dtypes
import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import F32, Array, cast, kind, limits, widen
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]
_ROUND = {"round": np.rint, "rint": np.rint, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc}


def _largest(dtype: np.dtype[Any]) -> float:
    """Largest number of a target of quantisation."""
    return limits(dtype)[1] if kind(dtype) in "iu" else float(ml_dtypes.finfo(dtype).max)


def _into(y: Array, mode: str, ctx: Context) -> Array:
    """y rounded and saturated into the dtype of the first result; NaN of integers is 0."""
    from ge_dialect.dtypes import numpy_dtype
    from ge_dialect.ir.types import elem_of

    dtype = numpy_dtype(elem_of(ctx.out_types[0]))  # also in a shadow run: it is the point
    if kind(dtype) in "iu":
        return cast(_ROUND.get(mode.lower(), np.rint)(y), dtype)
    top = _largest(dtype)
    return cast(np.clip(y, -top, top), dtype)


def along(value: Array, rank: int, axis: int) -> Array:
    """A vector along `axis` of an array of `rank` axes; others as they are."""
    if value.ndim != 1:
        return value
    if value.size == 1:
        return value.reshape(())
    shape = [1] * rank
    shape[axis] = -1
    return value.reshape(shape)


def unpacked_scale(scale: Array) -> Array:
    """The float32 in the low half of each 64-bit number."""
    return (scale.astype(np.uint64) & np.uint64(0xFFFFFFFF)).astype(np.uint32).view(F32)


def _twice(scale: Array, attrs: Attrs) -> Array:
    return scale * scale if attrs["sqrt_mode"] else scale


@semantics("AscendQuant")
def ascend_quant(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x times scale plus offset, rounded and saturated."""
    x = widen(args[0])
    scale = _twice(x.dtype.type(attrs["scale"]), attrs)
    return _into(x * scale + x.dtype.type(attrs["offset"]), attrs["round_mode"], ctx)


@semantics("AscendQuantV2")
def ascend_quant_v2(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x times scale plus offset, per tensor or along an axis."""
    x = widen(args[0])
    y = x * _twice(along(widen(args[1]), x.ndim, attrs["axis"]), attrs)
    if args[2] is not None:
        y = y + along(widen(args[2]), x.ndim, attrs["axis"])
    return _into(y, attrs["round_mode"], ctx)


@semantics("AscendAntiQuant")
def ascend_anti_quant(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """(x + offset) times scale in f32."""
    x = widen(args[0]).astype(F32)
    return (x + F32.type(attrs["offset"])) * _twice(F32.type(attrs["scale"]), attrs)  # pyright: ignore[reportArgumentType]


@semantics("AscendAntiQuantV2")
def ascend_anti_quant_v2(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """(x + offset) times scale in f32, with tensors that broadcast."""
    x = widen(args[0]).astype(F32)
    if args[2] is not None:
        x = x + _one(widen(args[2]))
    return x * _twice(_one(widen(args[1])), attrs)


def _one(value: Array) -> Array:
    return value.reshape(()) if value.shape == (1,) else value


@semantics("AscendDequant")
def ascend_dequant(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """int32 sums times a scale, per tensor or along axis 1."""
    x, scale = args
    if scale.dtype.kind == "u":
        scale = unpacked_scale(scale)
    scale = _twice(along(widen(scale), x.ndim, 1), attrs)
    y = x.astype(F32) * scale
    return np.maximum(y, 0) if attrs["relu_flag"] else y


@semantics("DynamicQuant")
def dynamic_quant(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array]:
    """Each row over its largest magnitude, stretched to the range of the target."""
    from ge_dialect.dtypes import from_enum, numpy_dtype

    x = widen(args[0])
    if args[1] is not None:
        x = x * widen(args[1])
    top = x.dtype.type(_largest(numpy_dtype(from_enum(attrs["dst_type"]))))
    scale = np.max(np.abs(x), axis=-1, keepdims=True, initial=0) / top
    y = np.divide(x, scale, out=np.zeros_like(x), where=scale != 0)
    return _into(y, "rint", ctx), scale[..., 0]
