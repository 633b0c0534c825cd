"""Convolutions of 2-D images and 3-D volumes.

`strides` and `dilations` have one entry per axis of `data_format`; `pads` are top, bottom, left,
right (front and back before them in 3-D). The logical shape of a filter follows the data format, as
in GE's front ends: NCHW goes with (out, in / groups, height, width), NHWC with TensorFlow's
(height, width, in / groups, out); NCDHW and NDHWC have a depth before the height.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import ge_name, is_integer, to_xdsl
from ge_dialect.infer.dims import require_rank
from ge_dialect.infer.errors import DTYPE, SHAPE
from ge_dialect.infer.window import (
    CHANNEL,
    require_at_least_zero,
    require_length,
    require_positive,
    spatial_axes,
    window_output,
)
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import int_, ints, opt_tin, string, tin, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_SUMMED = {to_xdsl(name) for name in ("int4", "int8", "int16")}
_INT32 = to_xdsl("int32")
#: axes of a filter (out, in, depth, height, width) by data format
FILTER_AXES = {
    "NCHW": (0, 1, 2, 3),
    "NHWC": (3, 2, 0, 1),
    "NCDHW": (0, 1, 2, 3, 4),
    "NDHWC": (4, 3, 0, 1, 2),
}
#: data formats by rank
FORMATS = {4: ("NCHW", "NHWC"), 5: ("NCDHW", "NDHWC")}


def check_lists(
    n: InferNode, spatial: Sequence[int], rank: int, names: Sequence[str] = ("strides", "dilations")
) -> dict[str, Sequence[int]]:
    """The attributes `names` and `pads`, checked: entries per axis, ones beside `spatial`."""
    data_format = n.attr("data_format")
    lists = {}
    for name in names:
        lists[name] = values = n.attr(name)
        require_length(values, rank, name)
        require_positive(values, name)
        if any(v != 1 for i, v in enumerate(values) if i not in spatial):
            n.fail(
                f"{name} must be 1 along batch and channels",
                found=list(values),
                expected=f"entries other than 1 only in places {spatial} of {data_format}",
            )
    lists["pads"] = pads = n.attr("pads")
    require_length(pads, 2 * len(spatial), "pads")
    require_at_least_zero(pads, "pads")
    return lists


def filter_positions(
    lists: Mapping[str, Sequence[int]], axis: int, number: int, size: int, kernel: int
) -> int:
    """Positions of a filter along one axis, -1 where the size or the filter's is unknown.

    lists: strides, dilations and pads by `check_lists`. axis: of the tensor, spatial axis `number`.
    """
    before, after = lists["pads"][2 * number : 2 * number + 2]
    stride, dilation = lists["strides"][axis], lists["dilations"][axis]
    return window_output(size, kernel, stride, before, after, dilation, what="filter")


def _windows(
    n: InferNode,
    shape: tuple[int, ...] | None,
    filter_: tuple[int, ...] | None,
    rank: int = 4,
    pads: Sequence[int] | None = None,
    fits: bool = False,
) -> tuple[str, list[int]]:
    """Checks what all convolutions share; gives the data format and the spatial output dims.

    pads: instead of the attribute. fits: the padding is as large as it has to be (and the dims that
    come back are of no use).
    """
    data_format = n.attr("data_format")
    spatial = spatial_axes(data_format, FORMATS[rank])
    require_rank(shape, rank, "x")
    require_rank(filter_, rank, "filter")
    lists = check_lists(n, spatial, rank)
    if pads is not None:
        lists["pads"] = pads
    out = []
    for k, axis in enumerate(spatial):
        size = -1 if shape is None or fits else shape[axis]
        kernel = -1 if filter_ is None else filter_[FILTER_AXES[data_format][2 + k]]
        out.append(filter_positions(lists, axis, k, size, kernel))
    return data_format, out


def check_bias(n: InferNode, channels: int, float_bias: bool = False) -> None:
    """One bias per output channel; float_bias: also a float on top of integer sums."""
    bias = n.shape("bias")
    if bias is None:
        return
    require_rank(bias, 1, "bias")
    elem, own = n.elem("bias"), n.elem("x")
    if is_integer(own) and not is_integer(elem) and not float_bias:
        n.fail(
            "the bias of integer sums must be integer",
            found=ge_name(elem),
            expected="int32",
            code=DTYPE,
        )
    if channels >= 0 and bias[0] not in (channels, -1):
        n.fail(
            "bias does not have one value per output channel",
            found=bias[0],
            expected=channels,
            code=SHAPE,
        )


def _result(
    n: InferNode,
    shape: tuple[int, ...] | None,
    data_format: str,
    channels: int,
    spatial: list[int],
) -> Sequence[Attribute]:
    elem = n.elem("x")
    if n.elem("filter") != elem:
        n.fail(
            "x and filter differ in dtype",
            found=f"{elem} and {n.elem('filter')}",
            expected="one dtype",
            code=DTYPE,
        )
    batch = -1 if shape is None else shape[0]
    dims = (batch, channels, *spatial) if data_format[1] == "C" else (batch, *spatial, channels)
    return (tensor_type(dims, _INT32 if elem in _SUMMED else elem),)


def grouped(
    n: InferNode,
    rank: int,
    pads: Sequence[int] | None = None,
    fits: bool = False,
    float_bias: bool = False,
) -> Sequence[Attribute]:
    """The rule of convolutions with the attribute `groups`.

    pads and fits as in `_windows`, float_bias as in `check_bias`.
    """
    shape, filter_ = n.shape("x"), n.shape("filter")
    data_format, spatial = _windows(n, shape, filter_, rank, pads, fits)
    groups = n.attr("groups")
    require_positive([groups], "groups")
    out = -1
    if filter_ is not None:
        order = FILTER_AXES[data_format]
        out, per_group = filter_[order[0]], filter_[order[1]]
        if out >= 0 and out % groups:
            n.fail(
                "output channels do not divide into groups",
                found=f"{out} channels, {groups} groups",
                expected=f"a multiple of {groups}",
                code=SHAPE,
            )
        given = -1 if shape is None else shape[CHANNEL[data_format]]
        if given >= 0 and per_group >= 0 and given != per_group * groups:
            n.fail(
                "input channels do not fit the filter",
                found=f"x has {given}",
                expected=f"{per_group} of the filter times {groups} groups",
                code=SHAPE,
            )
    check_bias(n, out, float_bias)
    return _result(n, shape, data_format, out, spatial)


@ge_op
class Conv2D(GeOp):
    """2-D convolution in `groups` groups of channels; int8 inputs give int32.

    Out dims: floor((in + pads - (kernel - 1)·dilation - 1) / stride) + 1.
    """

    name = "ge.Conv2D"
    TYPES: ClassVar = {"T": "FLOAT, int8, hifloat8, float64, int16"}  # the last two: host engine

    x = tin("T")
    filter = tin("T")
    bias = opt_tin("FLOAT, int32, float64")
    offset_w = opt_tin("int8")
    y = tout("FLOAT, int32, hifloat8, float64")
    strides = ints()
    pads = ints()
    dilations = ints([1, 1, 1, 1])
    groups = int_(1)
    data_format = string("NHWC")
    offset_x = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return grouped(n, 4)


@ge_op
class Conv3D(GeOp):
    """3-D convolution in `groups` groups of channels; int8 inputs give int32.

    Out dims: floor((in + pads - (kernel - 1)·dilation - 1) / stride) + 1.
    """

    name = "ge.Conv3D"
    TYPES: ClassVar = {"T": "FLOAT, int8, hifloat8, float64, int16"}  # the last two: host engine

    x = tin("T")
    filter = tin("T")
    bias = opt_tin("FLOAT, int32, float64")
    offset_w = opt_tin("int8")
    y = tout("FLOAT, int32, hifloat8, float64")
    strides = ints()
    pads = ints()
    dilations = ints([1, 1, 1, 1, 1])
    groups = int_(1)
    data_format = string("NDHWC")
    offset_x = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return grouped(n, 5)


@ge_op
class DepthwiseConv2D(GeOp):
    """2-D convolution of each channel on its own; int8 inputs give int32.

    Filter: NCHW goes with (channels·multiplier, 1, height, width), as a Conv2D of as many groups
    as channels; NHWC with TensorFlow's (height, width, channels, multiplier). In both, output
    channel c·multiplier + m is made from input channel c.
    """

    name = "ge.DepthwiseConv2D"
    TYPES: ClassVar = {"T": "FLOAT, int8, int4"}  # FLOAT beyond float16 is assumed

    x = tin("T")
    filter = tin("T")
    bias = opt_tin("FLOAT, int32")
    offset_w = opt_tin("int8, int4")
    y = tout("FLOAT, int32")
    strides = ints()
    dilations = ints([1, 1, 1, 1])
    pads = ints()
    data_format = string("NHWC")
    offset_x = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, filter_ = n.shape("x"), n.shape("filter")
        data_format, spatial = _windows(n, shape, filter_)
        channels = -1 if shape is None else shape[CHANNEL[data_format]]
        out = -1
        if filter_ is not None and data_format == "NCHW":
            out = filter_[0]
            if filter_[1] not in (1, -1):
                n.fail(
                    "a depthwise filter has one input channel",
                    found=filter_[1],
                    expected="(channels·multiplier, 1, height, width)",
                    code=SHAPE,
                )
            if out >= 0 and channels >= 0 and (out % channels if channels else out):
                n.fail(
                    "the filter does not fit the channels",
                    found=f"{out} filters for {channels} channels",
                    expected=f"a multiple of {channels}",
                    code=SHAPE,
                )
        elif filter_ is not None:
            given, multiplier = filter_[2], filter_[3]
            if given >= 0 and channels >= 0 and given != channels:
                n.fail(
                    "the filter does not fit the channels",
                    found=f"filter for {given}",
                    expected=f"{channels} channels",
                    code=SHAPE,
                )
            channels = channels if channels >= 0 else given
            out = channels * multiplier if channels >= 0 and multiplier >= 0 else -1
        check_bias(n, out)
        return _result(n, shape, data_format, out, spatial)
