"""Golden meaning of the pooling operators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.conv import from_nchw, spatial, to_nchw
from ge_dialect.semantics.numerics import Array, lowest, widen
from ge_dialect.semantics.registry import semantics
from ge_dialect.semantics.windows import Axis, reduce_windows, window_axes, window_counts

Attrs = Mapping[str, Any]


def _axes(x: Array, attrs: Attrs, ctx: Context) -> tuple[Axis, Axis]:
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
    h, w = _axes(x, attrs, ctx)
    y = reduce_windows(x, h, w, np.maximum, lowest(x.dtype))
    return from_nchw(y, attrs["data_format"]) if _is_channels_last(attrs) else y


@semantics("AvgPool", "AvgPoolV2")
def avg_pool(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Mean of each window.

    The divisor counts data elements only, unless `exclusive` is false (then also padding, but not
    what ceil mode adds) or `divisor_override` is given.
    """
    x = to_nchw(widen(args[0]), attrs["data_format"])
    h, w = _axes(x, attrs, ctx)
    total = reduce_windows(x, h, w, np.add, 0)
    override = attrs.get("divisor_override") or 0
    if override:
        total /= x.dtype.type(override)
    else:
        total /= window_counts(h, w, not attrs.get("exclusive", True)).astype(x.dtype)
    return from_nchw(total, attrs["data_format"]) if _is_channels_last(attrs) else total


@semantics("GlobalAveragePool")
def global_average_pool(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Mean over all axes behind the channels, which stay as axes of size 1."""
    x = widen(args[0])
    over = tuple(range(2, x.ndim))
    count = int(np.prod(x.shape[2:], dtype=np.int64))
    # no elements: 0 / 0, without numpy's warning about an empty mean
    return np.sum(x, axis=over, keepdims=True) / x.dtype.type(count)
