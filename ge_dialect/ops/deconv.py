"""Transposed convolutions: each input element adds its filter to the output.

`strides`, `dilations` and `output_padding` have one entry per axis of `data_format`; `pads` are
pairs per spatial axis and are cut from the output. The filter has the shape of the filter of the
forward convolution, whose input is this operator's output: (in, out / groups, …) for NCHW and
NCDHW, where in are the channels of x. It must not be empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import to_xdsl
from ge_dialect.infer.dims import UNKNOWN, merge_dim, require_rank
from ge_dialect.infer.errors import DTYPE, LENGTH, SHAPE, SIZE
from ge_dialect.infer.window import (
    CHANNEL,
    require_at_least_zero,
    require_length,
    require_positive,
    spatial_axes,
)
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import int_, ints, opt_tin, string, tin, tout
from ge_dialect.ir.types import tensor_type
from ge_dialect.ops.conv import FILTER_AXES, FORMATS, check_bias, check_lists, filter_positions

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_INT8, _INT32 = to_xdsl("int8"), to_xdsl("int32")


def _channels(n: InferNode, filter_: tuple[int, ...] | None, data_format: str, given: int) -> int:
    """Channels of the output: of the filter times groups."""
    groups = n.attr("groups")
    require_positive([groups], "groups")
    if filter_ is None:
        return UNKNOWN
    first, per_group = (filter_[a] for a in FILTER_AXES[data_format][:2])
    if given >= 0 and first >= 0 and given != first:
        n.fail(
            "input channels do not fit the filter",
            found=f"x has {given}",
            expected=f"{first} of the filter",
            code=SHAPE,
        )
    channels = first if first >= 0 else given
    if channels >= 0 and channels % groups:
        n.fail(
            "input channels do not divide into groups",
            found=f"{channels} channels, {groups} groups",
            expected=f"a multiple of {groups}",
            code=SHAPE,
        )
    return per_group * groups if per_group >= 0 else UNKNOWN


def _spatial(n: InferNode, size: int, base: int | None, stride: int, extra: int) -> int:
    """One output dim: `size` where given, else `base`, what the filter reaches, plus `extra`."""
    if base is None:
        return size if size > 0 else UNKNOWN
    if not size:
        if base + extra < 0:
            n.fail("pads cut more than there is", found=base + extra, expected="≥ 0", code=SIZE)
        return base + extra
    if not max(base, 0) <= size < base + stride:
        n.fail(
            "input_size does not belong to x",
            found=size,
            expected=f"{max(base, 0)} … {base + stride - 1}",
            code=SHAPE,
        )
    return size


def _infer(n: InferNode, rank: int) -> Sequence[Attribute]:
    data_format = n.attr("data_format")
    spatial = spatial_axes(data_format, FORMATS[rank])
    shape, filter_ = n.shape("x"), n.shape("filter")
    require_rank(shape, rank, "x")
    require_rank(filter_, rank, "filter")
    if n.elem("filter") != n.elem("x"):
        found = f"{n.elem('x')} and {n.elem('filter')}"
        n.fail("x and filter differ in dtype", found=found, expected="one dtype", code=DTYPE)
    lists = check_lists(n, spatial, rank)
    extra = n.attr("output_padding")
    require_length(extra, rank, "output_padding")
    require_at_least_zero(extra, "output_padding")
    if "input_size" in n.cls.ge_table().attrs:
        sizes = n.attr("input_size")
        length = len(sizes)
    else:
        length, sizes = n.vector_length("input_size"), n.ints("input_size")
    if length is not None and length != rank:
        what = "input_size has the wrong number of entries"
        n.fail(what, found=length, expected=rank, code=LENGTH)
    x = shape if shape is not None else (UNKNOWN,) * rank
    channel = CHANNEL[data_format]
    out = [UNKNOWN] * rank
    out[0] = x[0]
    out[channel] = _channels(n, filter_, data_format, x[channel])
    check_bias(n, out[channel])
    for k, axis in enumerate(spatial):
        kernel = UNKNOWN if filter_ is None else filter_[FILTER_AXES[data_format][2 + k]]
        stride, dilation = lists["strides"][axis], lists["dilations"][axis]
        if kernel == 0:
            n.fail("the filter is empty", found=0, expected="at least 1 element", code=SIZE)
        if extra[axis] >= max(stride, dilation):
            n.fail(
                "output_padding must be smaller than the stride or the dilation",
                found=list(extra),
                expected=f"less than {max(stride, dilation)}",
            )
        cut = lists["pads"][2 * k] + lists["pads"][2 * k + 1]
        if sizes is not None:
            base = None
            if x[axis] >= 0 and kernel >= 0:
                base = (x[axis] - 1) * stride + (kernel - 1) * dilation + 1 - cut
            out[axis] = _spatial(n, sizes[axis], base, stride, extra[axis])
    elem = n.elem("x")
    return (tensor_type(out, _INT32 if elem == _INT8 else elem),)


def _backprop(
    n: InferNode, length: int | None, sizes: Sequence[int] | None, rank: int
) -> Sequence[Attribute]:
    """The gradient of a convolution with respect to its data."""
    data_format = n.attr("data_format")
    spatial, channel = spatial_axes(data_format, FORMATS[rank]), CHANNEL.get(data_format, 1)
    grad, filter_ = n.shape("out_backprop"), n.shape("filter")
    require_rank(grad, rank, "out_backprop")
    require_rank(filter_, rank, "filter")
    lists = check_lists(n, spatial, rank)
    if length not in (None, rank):
        what = "input_size has the wrong number of entries"
        n.fail(what, found=length, expected=rank, code=LENGTH)
    x = grad if grad is not None else (UNKNOWN,) * rank
    channels = _channels(n, filter_, data_format, x[channel])
    elem = n.elem("filter")
    elem = _INT32 if elem == _INT8 else elem
    if sizes is None:
        out = [UNKNOWN] * rank
        out[0], out[channel] = x[0], channels
        return (tensor_type(out, elem),)
    if any(s < 0 for s in sizes):
        n.fail("a size is negative", found=list(sizes), expected="≥ 0")
    merge_dim(x[0], sizes[0], "batches of out_backprop and input_size")
    merge_dim(channels, sizes[channel], "channels of filter and input_size")
    for k, axis in enumerate(spatial):
        kernel = UNKNOWN if filter_ is None else filter_[FILTER_AXES[data_format][2 + k]]
        made = filter_positions(lists, axis, k, sizes[axis], kernel)
        merge_dim(made, x[axis], "windows over input_size and out_backprop")
    return (tensor_type(sizes, elem),)


@ge_op
class Conv2DTranspose(GeOp):
    """Transposed 2-D convolution; int8 inputs give int32.

    `input_size` is the shape of the output; where an entry is 0, the dim is (in - 1)·stride +
    (kernel - 1)·dilation + 1 + output_padding - pads. What no filter reaches is zero.
    """

    name = "ge.Conv2DTranspose"
    TYPES: ClassVar = {"T": "FLOAT, float64, int8"}  # float32 and float64 are assumed

    input_size = tin("IndexNumberType")
    x = tin("T")
    filter = tin("T")
    bias = opt_tin("FLOAT, float64, int32")
    offset_w = opt_tin("int8")
    y = tout("FLOAT, float64, int32")
    strides = ints()
    pads = ints()
    dilations = ints([1, 1, 1, 1])
    groups = int_(1)
    data_format = string("NHWC")
    output_padding = ints([0, 0, 0, 0])
    offset_x = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _infer(n, 4)


@ge_op
class Conv3DTranspose(GeOp):
    """Transposed 3-D convolution; `input_size` as for Conv2DTranspose."""

    name = "ge.Conv3DTranspose"
    TYPES: ClassVar = {"T": "FLOAT, float64"}  # float32 and float64 are assumed

    input_size = tin("IndexNumberType")
    x = tin("T")
    filter = tin("T")
    bias = opt_tin("FLOAT, float64")
    offset_w = opt_tin("int8")
    y = tout("FLOAT, float64")
    strides = ints()
    pads = ints()
    dilations = ints([1, 1, 1, 1, 1])
    groups = int_(1)
    data_format = string("NDHWC")
    output_padding = ints([0, 0, 0, 0, 0])
    offset_x = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _infer(n, 5)


@ge_op
class Conv2DTransposeD(GeOp):
    """Conv2DTranspose with `input_size` as an attribute."""

    name = "ge.Conv2DTransposeD"
    TYPES: ClassVar = {"T": "FLOAT, float64, int8"}  # bfloat16 and float64 are assumed

    x = tin("T")
    filter = tin("T")
    bias = opt_tin("FLOAT, float64, int32")
    offset_w = opt_tin("int4, int8")
    y = tout("FLOAT, float64, int32")
    input_size = ints()
    strides = ints()
    pads = ints()
    dilations = ints([1, 1, 1, 1])
    groups = int_(1)
    data_format = string("NHWC")
    output_padding = ints([0, 0, 0, 0])
    offset_x = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        require_at_least_zero(n.attr("input_size"), "input_size")
        return _infer(n, 4)


@ge_op
class Conv2DBackpropInput(GeOp):
    """Gradient of Conv2D with respect to x, of shape `input_size`: its transposed convolution."""

    name = "ge.Conv2DBackpropInput"
    TYPES: ClassVar = {"T": "FLOAT, float64"}  # bfloat16 is assumed

    input_size = tin("IndexNumberType")
    filter = tin("T")
    out_backprop = tin("T")
    y = tout("T")
    strides = ints()
    pads = ints()
    dilations = ints([1, 1, 1, 1])
    groups = int_(1)
    data_format = string("NHWC")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        length, sizes = n.vector_length("input_size"), n.ints("input_size")
        return _backprop(n, length, sizes, 4)


@ge_op
class Conv2DBackpropInputD(GeOp):
    """Conv2DBackpropInput with `input_size` as an attribute; int8 inputs give int32."""

    name = "ge.Conv2DBackpropInputD"
    TYPES: ClassVar = {"T": "FLOAT, float64, int8"}  # float32 and float64 are assumed

    filter = tin("T")
    out_backprop = tin("T")
    y = tout("FLOAT, float64, int32")
    input_size = ints()
    strides = ints()
    pads = ints()
    dilations = ints([1, 1, 1, 1])
    groups = int_(1)
    data_format = string("NHWC")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        sizes = n.attr("input_size")
        return _backprop(n, len(sizes), sizes, 4)


@ge_op
class Conv3DBackpropInput(GeOp):
    """Gradient of Conv3D with respect to x, of shape `input_size`: its transposed convolution."""

    name = "ge.Conv3DBackpropInput"
    TYPES: ClassVar = {"T": "FLOAT, float64"}  # bfloat16 is assumed

    input_size = tin("IndexNumberType")
    filter = tin("T")
    out_backprop = tin("T")
    y = tout("T")
    strides = ints()
    pads = ints()
    dilations = ints([1, 1, 1, 1, 1])
    groups = int_(1)
    data_format = string("NDHWC")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        length, sizes = n.vector_length("input_size"), n.ints("input_size")
        return _backprop(n, length, sizes, 5)
