"""Golden meaning of norms, deviations and other reductions of several steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, axis_list, cast, kind, truncate_div, widen
from ge_dialect.semantics.reduce import reduction_axes
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]
_MOST = 2**31 - 1


def _axes(listed: Any, x: Array, ctx: Context) -> tuple[int, ...]:
    """Axes of an attribute, all where there are none."""
    return axis_list(listed, x.ndim, ctx) or tuple(range(x.ndim))


def _norm(x: Array, p: float, over: tuple[int, ...], attrs: Attrs) -> Array:
    keep, size = attrs["keepdim"], np.abs(x)
    if p == np.inf:
        y = np.max(size, axis=over, keepdims=keep, initial=0)
    elif p == -np.inf:
        y = np.min(size, axis=over, keepdims=keep, initial=np.inf)
    elif p == 0:
        y = np.sum(size != 0, axis=over, keepdims=keep).astype(x.dtype)
    elif p == 1:
        y = np.sum(size, axis=over, keepdims=keep)
    elif p == 2:
        y = np.sqrt(np.sum(np.square(size), axis=over, keepdims=keep))
    else:
        t = x.dtype.type
        y = np.power(np.sum(np.power(size, t(p)), axis=over, keepdims=keep), t(1 / p))
    return np.maximum(y, x.dtype.type(attrs["epsilon"]))


@semantics("LpNorm", "LpNormV2")
def lp_norm(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """(sum of |x|**p)**(1 / p)."""
    x, p = widen(args[0]), attrs["p"]
    if isinstance(p, int) and abs(p) >= _MOST:
        p = np.inf if p > 0 else -np.inf
    return _norm(x, p, _axes(attrs["axes"], x, ctx), attrs)


@semantics("ReduceLogSum")
def reduce_log_sum(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """log(sum(x))."""
    x = widen(args[0])
    over = reduction_axes(args[1], x.ndim, attrs, True, ctx)
    return np.log(np.sum(x, axis=over, keepdims=attrs["keep_dims"]) if over else x)


@semantics("ReduceMeanWithCast")
def reduce_mean_with_cast(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Cast, sum, quotient; integer means are truncated toward zero."""
    x = args[0]
    out = ctx.out_dtype(0)
    x = widen(cast(x, out if attrs.get("dtype") is not None and out is not None else x.dtype))
    over = reduction_axes(args[1], x.ndim, attrs, True, ctx)
    if not over:
        return x
    count = int(np.prod([x.shape[a] for a in over], dtype=np.int64))
    if kind(x.dtype) in "iu":
        total = np.sum(x, axis=over, keepdims=attrs["keep_dims"], dtype=x.dtype.kind + "8")
        return truncate_div(total, np.asarray(count, total.dtype))
    return np.sum(x, axis=over, keepdims=attrs["keep_dims"]) / x.dtype.type(count)


def _deviation(x: Array, mean: Array, over: tuple[int, ...], less: int, keep: bool) -> Array:
    """sqrt(sum((x - mean)²) / (n - less)); a divisor below 0 counts as 0."""
    count = int(np.prod([x.shape[a] for a in over], dtype=np.int64))
    total = np.sum(np.square(x - mean), axis=over, keepdims=keep)
    return np.sqrt(total / x.dtype.type(max(count - less, 0)))


@semantics("ReduceStdV2")
def reduce_std_v2(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array]:
    """Deviation and mean."""
    x = widen(args[0])
    over, keep = _axes(attrs["dim"], x, ctx), attrs["keepdim"]
    count = x.dtype.type(int(np.prod([x.shape[a] for a in over], dtype=np.int64)))
    mean = np.sum(x, axis=over, keepdims=True) / count
    std = _deviation(x, mean, over, attrs["correction"], keep)
    return std, mean if keep else mean.reshape(std.shape)


@semantics("ReduceStdWithMean")
def reduce_std_with_mean(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Deviation about a given mean."""
    if attrs["invert"]:
        ctx.fail("an inverted deviation is not evaluated", found=True, expected=False)
    x, mean = widen(args[0]), widen(args[1])
    less = attrs["correction"] if attrs["unbiased"] else 0
    return _deviation(x, mean, _axes(attrs["dim"], x, ctx), less, attrs["keepdim"])


@semantics("SquareSumV1")
def square_sum_v1(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Squares, summed up."""
    x = widen(args[0])
    return np.sum(np.square(x), axis=_axes(attrs["axis"], x, ctx), keepdims=attrs["keep_dims"])
