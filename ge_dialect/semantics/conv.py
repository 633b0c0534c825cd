"""Golden meaning of the convolutions.

Everything is computed on NCHW data with [O, C / groups, kh, kw] filters; NHWC data with HWCN
filters is transposed first. The same holds for volumes, with a depth before the height.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import F32, F64, I64, Array, kind, widen, widen_all, wrap
from ge_dialect.semantics.registry import semantics
from ge_dialect.semantics.volumes import axes_of
from ge_dialect.semantics.volumes import convolve as convolve_volume
from ge_dialect.semantics.windows import convolve, window_axes

Attrs = Mapping[str, Any]


def spatial(values: Any, data_format: str) -> tuple[int, int]:
    """H and W entries of a list of 4 in data_format order (a list of 2 holds just them)."""
    if len(values) == 2:
        return values[0], values[1]
    return values[data_format.index("H")], values[data_format.index("W")]


def to_nchw(x: Array, data_format: str) -> Array:
    """Rank-4 array with its axes brought to NCHW (a view)."""
    return x.transpose([data_format.index(a) for a in "NCHW"])


def from_nchw(x: Array, data_format: str) -> Array:
    """Rank-4 NCHW array with its axes in `data_format` order, contiguous."""
    return np.ascontiguousarray(x.transpose(["NCHW".index(a) for a in data_format]))


def _refuse_offset_w(offset_w: Array | None, ctx: Context) -> None:
    if offset_w is not None:
        ctx.fail("offset_w is reserved by GE and has no meaning", expected="not connected")


def exact(x: Array, weight: Array, product: Callable[[Array, Array], Array]) -> Array:
    """An integer convolution `product` through floats that hold every partial sum exactly."""
    reach = _largest(x) * _largest(weight) * int(np.prod(weight.shape[1:]))
    dtype = F32 if reach < 2**24 else F64
    if reach >= 2**53:
        raise OverflowError("an integer convolution beyond 2**53 is not exact")
    return product(x.astype(dtype), weight.astype(dtype)).astype(I64)


def _largest(a: Array) -> int:
    return max(abs(int(a.min())), abs(int(a.max()))) if a.size else 0


def _convolve(args: list[Any], attrs: Attrs, ctx: Context, weight: Array, groups: int) -> Array:
    """Common part: `weight` is [O, C / groups, kh, kw]."""
    data_format = attrs["data_format"]
    x = to_nchw(args[0], data_format)
    h, w = window_axes(
        x.shape[2:],
        weight.shape[2:],
        spatial(attrs["strides"], data_format),
        spatial(attrs["dilations"], data_format),
        "CALCULATED",
        attrs["pads"],
        False,
        ctx,
    )
    y = _computed(args, attrs, ctx, x, weight, groups, lambda a, b: convolve(a, b, h, w, groups))
    return y if data_format == "NCHW" else from_nchw(y, data_format)


def _computed(
    args: list[Any],
    attrs: Attrs,
    ctx: Context,
    x: Array,
    weight: Array,
    groups: int,
    product: Callable[[Array, Array], Array],
) -> Array:
    """`product` of channels-first data and filter under the numeric policy, plus bias."""
    bias = args[2]
    _refuse_offset_w(args[3], ctx)
    if x.shape[1] != weight.shape[1] * groups:
        ctx.fail(
            "channels of x and filter do not fit",
            code="GX-221",
            found=f"{x.shape[1]} and {weight.shape[1]} in {groups} groups",
            expected="channels of x = channels of filter x groups",
        )
    per_channel = (-1, *(1,) * (x.ndim - 2))
    if kind(x.dtype) not in "iu":
        x, weight = widen_all([x, weight])
        y = product(x, weight)
        return y if bias is None else y + bias.astype(y.dtype).reshape(per_channel)
    offset = attrs["offset_x"]
    wide = widen(x).astype(I64) - offset if offset else widen(x)
    y = exact(wide, widen(weight), product)
    if bias is not None:
        y = y + bias.astype(I64).reshape(per_channel)
    out_dtype = ctx.out_dtype(0)
    if out_dtype is not None and kind(out_dtype) == "f":
        return y.astype(F64)
    return wrap(y, np.dtype(np.int32)) if out_dtype is None else y


@semantics("Conv2D")
def conv2d(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Correlation of x with filter, plus bias; strides, dilations in data_format order.

    filter is [O, C / groups, kh, kw] for NCHW and [kh, kw, C / groups, O] for NHWC.
    """
    weight = args[1]
    if attrs["data_format"] == "NHWC":
        weight = weight.transpose(3, 2, 0, 1)
    return _convolve(args, attrs, ctx, weight, attrs["groups"])


@semantics("DepthwiseConv2D")
def depthwise_conv2d(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Correlation of each channel with its own m filters; channel c gives outputs c*m + 0 … m - 1.

    filter is [C * m, 1, kh, kw] for NCHW and [kh, kw, C, m] for NHWC.
    """
    data_format, weight = attrs["data_format"], args[1]
    channels = args[0].shape[data_format.index("C")]
    if data_format == "NHWC":
        kh, kw, c, m = weight.shape
        weight = weight.transpose(2, 3, 0, 1).reshape(c * m, 1, kh, kw)
    if not channels:
        weight = weight.reshape(weight.shape[0], 0, *weight.shape[2:])
    return _convolve(args, attrs, ctx, weight, max(channels, 1))


@semantics("Conv3D")
def conv3d(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Correlation of x with filter over depth, height and width, plus bias.

    filter is [O, C / groups, kd, kh, kw] for NCDHW and [kd, kh, kw, C / groups, O] for NDHWC.
    """
    x, weight, last = args[0], args[1], attrs["data_format"] == "NDHWC"
    if last:
        x, weight = x.transpose(0, 4, 1, 2, 3), weight.transpose(4, 3, 0, 1, 2)
    places = slice(1, 4) if last else slice(2, 5)
    lists = (attrs["strides"][places], attrs["dilations"][places])
    axes = axes_of(x.shape[2:], weight.shape[2:], *lists, "CALCULATED", attrs["pads"], False, ctx)
    groups = attrs["groups"]
    y = _computed(
        args, attrs, ctx, x, weight, groups, lambda a, b: convolve_volume(a, b, axes, groups)
    )
    return np.ascontiguousarray(y.transpose(0, 2, 3, 4, 1)) if last else y
