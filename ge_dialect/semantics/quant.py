"""Golden meaning of Ascend's quantising operators."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import ml_dtypes
import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import F32, Array, cast, kind, limits, widen
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]
_ROUND = {"round": np.rint, "rint": np.rint, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc}


def _largest_of(dtype: np.dtype[Any]) -> float:
    """Largest number of a target of quantisation."""
    return limits(dtype)[1] if kind(dtype) in "iu" else float(ml_dtypes.finfo(dtype).max)


def target(ctx: Context) -> np.dtype[Any]:
    """dtype of the first result, also in a shadow run: it is the point."""
    from ge_dialect.dtypes import numpy_dtype
    from ge_dialect.ir.types import elem_of

    return numpy_dtype(elem_of(ctx.out_types[0]))


def largest(ctx: Context) -> float:
    """Largest number of the dtype of the first result."""
    return _largest_of(target(ctx))


def into(y: Array, mode: str, ctx: Context) -> Array:
    """y rounded and saturated into the dtype of the first result; NaN of integers is 0."""
    dtype = target(ctx)
    if kind(dtype) in "iu":
        return cast(_ROUND.get(mode.lower(), np.rint)(y), dtype)
    top = _largest_of(dtype)
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
    return into(x * scale + x.dtype.type(attrs["offset"]), attrs["round_mode"], ctx)


@semantics("AscendQuantV2")
def ascend_quant_v2(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x times scale plus offset, per tensor or along an axis."""
    x = widen(args[0])
    y = x * _twice(along(widen(args[1]), x.ndim, attrs["axis"]), attrs)
    if args[2] is not None:
        y = y + along(widen(args[2]), x.ndim, attrs["axis"])
    return into(y, attrs["round_mode"], ctx)


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


def _group_of_rows(ends: Array, rows: int, ctx: Context) -> Array:
    """Number of the group of each row, of groups that end before the rows `ends`."""
    if np.any(np.diff(ends, prepend=0) < 0) or not ends.size or ends[-1] != rows:
        ctx.fail("group_index does not cut the axis", found=ends.tolist(), expected=f"up to {rows}")
    return np.searchsorted(ends, np.arange(rows), side="right")


def _smoothed(args: list[Any], ctx: Context) -> Array:
    """x times smooth_scales, of which each group of rows has its own where group_index is given."""
    x, smooth, ends = args
    x = widen(x)
    if smooth is None:
        return x
    smooth = widen(smooth)
    if ends is not None:
        smooth = smooth[_group_of_rows(ends, math.prod(x.shape[:-1]), ctx)].reshape(x.shape)
    return x * smooth


@semantics("DynamicQuant")
def dynamic_quant(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array]:
    """Each row over its largest magnitude, stretched to the range of the target."""
    x = _smoothed(args, ctx)
    top = x.dtype.type(largest(ctx))
    scale = np.max(np.abs(x), axis=-1, keepdims=True, initial=0) / top
    y = np.divide(x, scale, out=np.zeros_like(x), where=scale != 0)
    return into(y, "rint", ctx), scale[..., 0]


@semantics("DynamicQuantV2")
def dynamic_quant_v2(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array, Array]:
    """Each row, or all, stretched to the range of the target, which need not hold zero."""
    x = _smoothed(args, ctx)
    top = x.dtype.type(largest(ctx))
    span = 2 * top + (1 if kind(target(ctx)) in "iu" else 0)
    axes = -1 if attrs["quant_mode"] == "pertoken" else tuple(range(x.ndim))
    if x.size:
        high = np.max(x, axis=axes, keepdims=True)
        low = np.min(x, axis=axes, keepdims=True)
    else:
        high = low = np.zeros_like(np.sum(x, axis=axes, keepdims=True))
    if attrs["is_symmetrical"]:
        scale = np.maximum(np.abs(high), np.abs(low)) / top
        offset = np.zeros_like(scale)
    else:
        scale = (high - low) / span
        offset = top - np.divide(high, scale, out=np.zeros_like(scale), where=scale != 0)
    y = np.where(scale == 0, 0, x / scale + offset)
    shape = (1,) if attrs["quant_mode"] == "pertensor" else x.shape[:-1]
    return into(y, "rint", ctx), scale.reshape(shape), offset.reshape(shape)
