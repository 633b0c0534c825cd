"""Golden meaning of the transposed convolutions: each input element adds its filter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.conv import exact
from ge_dialect.semantics.numerics import I64, Array, int_list, kind, widen, widen_all
from ge_dialect.semantics.registry import semantics
from ge_dialect.semantics.volumes import spread
from ge_dialect.semantics.windows import Axis

Attrs = Mapping[str, Any]


def _axes(sizes: list[int], x: Array, weight: Array, attrs: Attrs, places: list[int]) -> list[Axis]:
    """Windows of the forward convolution, whose data is this operator's output."""
    axes = []
    for k, place in enumerate(places):
        kernel, count = weight.shape[2 + k], x.shape[2 + k]
        stride, dilation = attrs["strides"][place], attrs["dilations"][place]
        before, after = attrs["pads"][2 * k], attrs["pads"][2 * k + 1]
        size = sizes[place]
        if not size:
            reach = (count - 1) * stride + (kernel - 1) * dilation + 1
            size = reach + attrs["output_padding"][place] - before - after
        axes.append(Axis(size, kernel, stride, dilation, before, after, count))
    return axes


@semantics("Conv2DTranspose", "Conv3DTranspose")
def conv_transpose(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Transpose of the convolution with `filter` from the output's shape to that of x, plus bias.

    filter is [channels of x, channels of y / groups, …] for NCHW and NCDHW, and has them last, in
    the other order, for NHWC and NDHWC.
    """
    sizes, x, weight, bias, offset_w = int_list(args[0]), *args[1:]
    if offset_w is not None:
        ctx.fail("offset_w is reserved by GE and has no meaning", expected="not connected")
    rank = x.ndim
    last = attrs["data_format"][1] != "C"
    if last:
        x = np.moveaxis(x, -1, 1)
        weight = np.moveaxis(weight, (-1, -2), (0, 1))
    places = [a - 1 if last else a for a in range(2, rank)]
    groups = attrs["groups"]
    if x.shape[1] != weight.shape[0]:
        ctx.fail(
            "channels of x and filter do not fit",
            code="GX-221",
            found=f"{x.shape[1]} and {weight.shape[0]}",
            expected="as many",
        )
    axes = _axes(sizes, x, weight, attrs, places)
    per_channel = (-1, *(1,) * (rank - 2))
    if kind(x.dtype) in "iu":
        offset = attrs["offset_x"]
        wide = widen(x).astype(I64) - offset
        flat = np.swapaxes(weight, 0, 1)  # a sum goes over channels of x and filter elements
        y = exact(wide, widen(flat), lambda a, b: spread(a, np.swapaxes(b, 0, 1), axes, groups))
        y = y if bias is None else y + bias.astype(I64).reshape(per_channel)
    else:
        x, weight = widen_all([x, weight])
        y = spread(x, weight, axes, groups)
        y = y if bias is None else y + bias.astype(y.dtype).reshape(per_channel)
    return np.ascontiguousarray(np.moveaxis(y, 1, -1)) if last else y


@semantics("Conv2DTransposeD")
def conv_transpose_d(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Conv2DTranspose with the shape of the result as an attribute."""
    return conv_transpose([np.asarray(attrs["input_size"]), *args], attrs, ctx)


@semantics("Conv2DBackpropInput", "Conv3DBackpropInput")
def conv_backprop_input(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """What each output's gradient adds to the elements its window read."""
    sizes, weight, grad = args
    full = {**attrs, "output_padding": (0,) * 5, "offset_x": 0}
    sizes = np.asarray(sizes)
    y = conv_transpose([sizes, grad, weight, None, None], full, ctx)
    # a size of 0 is one here, while Conv2DTranspose would derive it
    return y if sizes.all() else np.zeros(int_list(sizes), y.dtype)


@semantics("Conv2DBackpropInputD")
def conv_backprop_input_d(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Conv2DBackpropInput with the shape of the result as an attribute."""
    return conv_backprop_input([np.asarray(attrs["input_size"]), *args], attrs, ctx)
