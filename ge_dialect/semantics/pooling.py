"""Golden meaning of the pooling operators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.conv import from_nchw, spatial, to_nchw
from ge_dialect.semantics.numerics import Array, lowest, widen
from ge_dialect.semantics.registry import semantics
from ge_dialect.semantics.volumes import argmax_windows
from ge_dialect.semantics.windows import Axis, reduce_windows, window_axes, window_counts

Attrs = Mapping[str, Any]


def pooling_axes(x: Array, attrs: Attrs, ctx: Context) -> tuple[Axis, Axis]:
    """Windows of a pooling operator over NCHW data."""
    data_format = attrs["data_format"]
    size = x.shape[2:]
    mode = attrs.get("padding_mode") or attrs.get("padding") or "CALCULATED"
    kernel = spatial(attrs["ksize"], data_format)
    strides = spatial(attrs["strides"], data_format)
    pads = attrs.get("pads") or (0, 0, 0, 0)
    if attrs.get("global_pooling"):
        kernel, strides, mode, pads = size, (1, 1), "VALID", (0, 0, 0, 0)
    ceil_mode = bool(attrs.get("ceil_mode"))
    return window_axes(size, kernel, strides, (1, 1), mode, pads, ceil_mode, ctx)


def _is_channels_last(attrs: Attrs) -> bool:
    return attrs["data_format"] == "NHWC"


@semantics("MaxPool", "MaxPoolV3")
def max_pool(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Largest element of each window; padding never wins, NaN always does."""
    x = to_nchw(widen(args[0]), attrs["data_format"])
    h, w = pooling_axes(x, attrs, ctx)
    y = reduce_windows(x, h, w, np.maximum, lowest(x.dtype))
    return from_nchw(y, attrs["data_format"]) if _is_channels_last(attrs) else y


@semantics("AvgPool", "AvgPoolV2")
def avg_pool(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Mean of each window.

    The divisor counts data elements only, unless `exclusive` is false (then also padding, but not
    what ceil mode adds) or `divisor_override` is given.
    """
    x = to_nchw(widen(args[0]), attrs["data_format"])
    h, w = pooling_axes(x, attrs, ctx)
    total = reduce_windows(x, h, w, np.add, 0)
    override = attrs.get("divisor_override") or 0
    if override:
        total /= x.dtype.type(override)
    else:
        total /= window_counts(h, w, not attrs.get("exclusive", True)).astype(x.dtype)
    return from_nchw(total, attrs["data_format"]) if _is_channels_last(attrs) else total


@semantics("Pooling")
def pooling(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """MaxPoolV3 or AvgPoolV2 with Caffe's attributes; a mean counts padding."""
    own = {
        "ksize": attrs["window"],
        "strides": attrs["stride"],
        "pads": attrs["pad"],
        "padding_mode": "CALCULATED",
        "data_format": attrs["data_format"],
        "global_pooling": attrs["global_pooling"],
        "ceil_mode": attrs["ceil_mode"] == 0,
        "exclusive": False,
    }
    return (avg_pool if attrs["mode"] else max_pool)(args, own, ctx)


@semantics("GlobalAveragePool")
def global_average_pool(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Mean over all axes behind the channels, which stay as axes of size 1."""
    x = widen(args[0])
    over = tuple(range(2, x.ndim))
    count = int(np.prod(x.shape[2:], dtype=np.int64))
    # no elements: 0 / 0, without numpy's warning about an empty mean
    return np.sum(x, axis=over, keepdims=True) / x.dtype.type(count)


@semantics("MaxPoolWithArgmax")
def max_pool_with_argmax(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array]:
    """Largest element of each window, the first of equals, and its place with channels last."""
    x = to_nchw(widen(args[0]), attrs["data_format"])
    if not attrs["nan_prop"]:
        x = np.where(np.isnan(x), -np.inf, x)
    best, place = argmax_windows(x, pooling_axes(x, attrs, ctx))
    n, c, height, width = x.shape
    place = place * c + np.arange(c)[:, None, None]
    if attrs["include_batch_in_index"]:
        place = place + np.arange(n)[:, None, None, None] * (height * width * c)
    if _is_channels_last(attrs):
        return from_nchw(best, "NHWC"), from_nchw(place, "NHWC")
    return best, place


@semantics("AdaptiveAvgPool2d")
def adaptive_avg_pool2d(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Means as products with one matrix of weights per axis."""
    x = widen(args[0])
    if not np.isfinite(x).all():  # the zeros of a matrix would meet what a window does not read
        for axis, out in zip((-2, -1), attrs["output_size"], strict=True):
            size = x.shape[axis]
            spans = [(i * size // out, -(-(i + 1) * size // out)) for i in range(out)]
            means = [x.take(range(a, b), axis).mean(axis, keepdims=True) for a, b in spans]
            x = np.concatenate([x.take([], axis), *means], axis)
        return x
    rows, cols = (
        _shares(size, out).astype(x.dtype)
        for size, out in zip(x.shape[-2:], attrs["output_size"], strict=True)
    )
    return rows @ x @ cols.T


def _shares(size: int, out: int) -> Array:
    """Weights [out, size] of the elements of each window; their sums are 1."""
    i, at = np.arange(out)[:, None], np.arange(size)
    inside = (at >= i * size // out) & (at < -(-(i + 1) * size // out))
    return inside / inside.sum(axis=1, keepdims=True)
