"""Golden meaning of matrix products of quantised numbers.

Integer sums are exact; what follows is computed in f64 and rounded once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import F64, Array, cast, kind, matmul, widen
from ge_dialect.semantics.quant import unpacked_scale
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


def _scale(value: Array) -> Array:
    """A scale as f64, unpacked where it holds 64 bits."""
    if value.dtype.kind in "iu":
        return unpacked_scale(value).astype(F64)
    return widen(value).astype(F64)


def _turned(x: Array, flag: bool) -> Array:
    return np.swapaxes(x, -1, -2) if flag else x


def _sums(x1: Array, x2: Array) -> Array:
    """The product; of integers exact, of floats in f64."""
    if kind(x1.dtype) in "iu":
        return matmul(x1, x2)
    return np.matmul(widen(x1).astype(F64), widen(x2).astype(F64))


def _quantised(y: Array) -> Array:
    return cast(np.rint(y), np.dtype(np.int8))


@semantics("QuantBatchMatmul")
def quant_batch_matmul(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """(sums + bias) · scale."""
    x1, x2, bias, scale = args
    sums = matmul(_turned(x1, attrs["adj_x1"]), _turned(x2, attrs["adj_x2"]))
    return (sums + bias.astype(np.int64)).astype(F64) * _scale(scale)


@semantics("QuantBatchMatmulV3")
def quant_batch_matmul_v3(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Sums, integer bias, scales, float bias, offset."""
    x1, x2, scale, offset, bias, per_token = args
    if attrs["group_size"] or any(
        a is not None and a.dtype.name == "float8_e8m0fnu" for a in (scale, per_token)
    ):
        ctx.fail("a scale per block is not evaluated", found=attrs["group_size"], expected=0)
    y = _sums(_turned(x1, attrs["transpose_x1"]), _turned(x2, attrs["transpose_x2"]))
    late: Array | None = None
    if bias is not None and kind(bias.dtype) in "iu":
        y = y + bias.astype(np.int64)
    elif bias is not None:
        late = widen(bias).astype(F64)
    if attrs["dtype"] == 3:
        return y
    y = y.astype(F64) * _scale(scale)
    if per_token is not None:
        y = y * _scale(per_token).reshape(-1, 1)
    if late is not None:
        y = y + late
    if attrs["dtype"] != 2:
        return y
    return _quantised(y if offset is None else y + offset.astype(F64))


def _per_weight(value: Array, inner: int, attrs: Attrs) -> Array:
    """A parameter stretched over a weight of [inner, columns]."""
    wide = widen(value).astype(F64)
    if wide.ndim < 2:
        return wide.reshape(()) if wide.size == 1 else wide
    if attrs["transpose_weight"]:
        wide = wide.T
    step = attrs["antiquant_group_size"] or max(inner, 1)
    return np.repeat(wide, step, axis=0)[:inner]


@semantics("WeightQuantBatchMatmulV2")
def weight_quant_batch_matmul_v2(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The weight as floats, the product, the bias, and quantisation where it is asked for."""
    x, weight, scale, offset, quant_scale, quant_offset, bias = args
    if weight.dtype == np.int32:
        ctx.fail("a weight of packed int4 is not evaluated", found="int32", expected="int4")
    if scale.dtype.kind in "iu" or scale.dtype.name == "float8_e8m0fnu":
        ctx.fail("such an antiquant_scale is not evaluated", found=scale.dtype, expected="float16")
    x = _turned(widen(x).astype(F64), attrs["transpose_x"])
    w = _turned(widen(weight).astype(F64), attrs["transpose_weight"])
    if offset is not None:
        w = w + _per_weight(offset, w.shape[0], attrs)
    y = x @ (w * _per_weight(scale, w.shape[0], attrs))
    if bias is not None:
        y = y + widen(bias).astype(F64)
    if quant_scale is None:
        return y
    y = y * _scale(quant_scale)
    return _quantised(y if quant_offset is None else y + quant_offset.astype(F64))
