"""Golden meaning of the convolutions of the Ascend C generation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.conv import conv2d, conv3d
from ge_dialect.semantics.numerics import F32, Array
from ge_dialect.semantics.quant import unpacked_scale
from ge_dialect.semantics.registry import semantics
from ge_dialect.semantics.windows import same_axis

Attrs = Mapping[str, Any]


def _explicit(args: list[Any], attrs: Attrs) -> dict[str, Any]:
    """The attributes with pads in place of a pad_mode."""
    mode, x, weight = attrs["pad_mode"], args[0], args[1]
    if mode == "SPECIFIC":
        return dict(attrs)
    last = attrs["data_format"][1] != "C"
    spatial = range(1, x.ndim - 1) if last else range(2, x.ndim)
    window = weight.shape[:-2] if last else weight.shape[2:]
    pads: list[int] = []
    for axis, kernel in zip(spatial, window, strict=True):
        stride, dilation = attrs["strides"][axis], attrs["dilations"][axis]
        made = same_axis(x.shape[axis], kernel, stride, dilation, mode == "SAME_LOWER")
        pads += (0, 0) if mode == "VALID" else (made.before, made.after)
    return {**attrs, "pads": tuple(pads)}


@semantics("Conv2DV2")
def conv2d_v2(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Conv2D with padding by mode."""
    return conv2d(args, _explicit(args, attrs), ctx)


@semantics("Conv3DV2")
def conv3d_v2(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Conv3D with padding by mode."""
    x, weight, bias, scale, offset, offset_w = args
    if scale is not None or offset is not None:
        ctx.fail("quantisation by scale and offset is not evaluated", expected="not connected")
    return conv3d([x, weight, bias, offset_w], _explicit(args, attrs), ctx)


@semantics("QuantConv2D")
def quant_conv2d(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Exact sums of int8 products, plus bias, times the scale."""
    x, weight, scale, bias, offset = args
    if offset is not None:
        ctx.fail("the reserved input offset is not evaluated", expected="not connected")
    whole = Context(compute_dtype=ctx.compute_dtype, node_name=ctx.node_name)
    sums = conv2d([x, weight, None, None], attrs, whole).astype(np.float64)
    axis = attrs["data_format"].index("C")
    along = tuple(-1 if a == axis else 1 for a in range(4))
    if bias is not None:
        sums = sums + bias.astype(np.float64).reshape(along)
    factor = unpacked_scale(scale).astype(np.float64)
    return (sums * (factor.reshape(()) if factor.size == 1 else factor.reshape(along))).astype(F32)
