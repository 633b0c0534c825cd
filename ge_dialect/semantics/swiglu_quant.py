"""Golden meaning of SwiGlu between a dequantisation and a quantisation."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import F32, Array, kind, widen
from ge_dialect.semantics.quant import into, largest
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


def _numbers(args: list[Any], group: Array, ctx: Context) -> Array:
    """x as rows of numbers."""
    x, weight, scale, bias = args[:4]
    rows = x.reshape(math.prod(x.shape[:-1]), x.shape[-1])
    if kind(x.dtype) == "f":
        return widen(rows)
    dtype = F32 if ctx.compute_dtype is None else np.dtype(ctx.compute_dtype)
    whole = bias is not None and kind(bias.dtype) == "i"
    if bias is not None and whole:
        rows = rows + _per_row(bias, group, None)  # int32, which wraps
    y = rows.astype(dtype) * _per_row(weight, group, None).astype(dtype)
    if scale is not None:
        y = y * scale.reshape(-1, 1).astype(dtype)
    if bias is not None and not whole:
        y = y + _per_row(widen(bias), group, None).astype(dtype)
    return y


def _per_row(value: Array, group: Array, grouped: bool | None) -> Array:
    """The part of a factor that each row takes; grouped: a vector has one number per group."""
    if value.ndim == 2:
        if not len(value):  # no group, so no row of any
            return np.zeros((1, value.shape[1]), value.dtype)
        return value[group] if len(value) > 1 else value
    if grouped and not value.size:
        return np.zeros((1, 1), value.dtype)
    return value[group][:, None] if grouped else value


def _swiglu(a: Array, b: Array, attrs: Attrs) -> Array:
    mode, limit = attrs["swiglu_mode"], a.dtype.type(attrs["clamp_limit"])
    if mode == 0:
        return _swish(a, 1.0) * b
    b = np.minimum(np.maximum(b, -limit), limit)
    if mode == 3:
        return np.minimum(_swish(a, 1.0), limit) * b
    a = np.minimum(a, limit)
    return _swish(a, attrs["glu_alpha"]) * (b + a.dtype.type(attrs["glu_bias"]))


def _swish(a: Array, alpha: float) -> Array:
    return a / (1 + np.exp(-a.dtype.type(alpha) * a))


@semantics("DequantSwigluQuant")
def dequant_swiglu_quant(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array]:
    """Numbers, halves, their product, codes."""
    x, quant_scale, offset, counts = args[0], *args[4:7]
    rows = math.prod(x.shape[:-1])
    used, group = rows, np.zeros(rows, np.int64)
    if counts is not None:
        used = sum(counts.tolist())
        if np.any(counts < 0) or used > rows:
            expected = f"counts of up to {rows} rows"
            ctx.fail("group_index does not cut the axis", found=counts.tolist(), expected=expected)
        group[:used] = np.repeat(np.arange(len(counts)), counts)
    numbers = _numbers(args, group, ctx).reshape(x.shape)
    axis = attrs["activate_dim"] % x.ndim
    if attrs["swiglu_mode"] == 1:
        numbers = np.moveaxis(numbers, axis, -1)
        a, b = (np.moveaxis(numbers[..., i::2], -1, axis) for i in (0, 1))
    else:
        a, b = np.split(numbers, 2, axis)
        a, b = (a, b) if attrs["activate_left"] else (b, a)
    y = _swiglu(a, b, attrs)
    flat, shape = y.reshape(math.prod(y.shape[:-1]), y.shape[-1]), y.shape
    if axis != x.ndim - 1:  # rows are halved: nothing is said of groups
        group = np.zeros(len(flat), np.int64)
    grouped = counts is not None
    factor = None if quant_scale is None else _per_row(widen(quant_scale), group, grouped)
    scale = np.zeros((len(flat), 1), y.dtype)
    if attrs["quant_mode"] == "static":
        assert factor is not None
        flat = flat / factor
        if offset is not None:
            flat = flat + _per_row(widen(offset), group, grouped)
    else:
        flat = flat if factor is None else flat * factor
        size = np.max(np.abs(flat), axis=-1, keepdims=True, initial=0)
        scale = np.where(size == 0, 1, size / y.dtype.type(largest(ctx)))
        flat = flat / scale
    known = (np.arange(len(flat)) < used)[:, None] if grouped else np.True_
    flat, scale = np.where(known, flat, 0), np.where(known, scale, 0)
    return into(flat.reshape(shape), "rint", ctx), scale.reshape(shape[:-1])
