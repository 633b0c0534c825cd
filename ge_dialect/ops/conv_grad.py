"""Gradients of convolutions with respect to the filter.

The filter has the shape and order of axes it has in the forward convolution; strides, pads,
dilations and groups are the forward convolution's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import to_xdsl
from ge_dialect.infer.dims import UNKNOWN, merge_dim, require_rank
from ge_dialect.infer.errors import LENGTH, SHAPE
from ge_dialect.infer.window import CHANNEL, require_positive, spatial_axes
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import int_, ints, string, tin, tout
from ge_dialect.ir.types import tensor_type
from ge_dialect.ops._bases import REAL
from ge_dialect.ops.conv import FILTER_AXES, FORMATS, check_lists, filter_positions

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_F32, _F64 = to_xdsl("float32"), to_xdsl("float64")


def _filter_gradient(
    n: InferNode, length: int | None, sizes: Sequence[int] | None, rank: int, elem: Attribute
) -> Sequence[Attribute]:
    data_format = n.attr("data_format")
    spatial, channel = spatial_axes(data_format, FORMATS[rank]), CHANNEL.get(data_format, 1)
    x, grad = n.shape("x"), n.shape("out_backprop")
    require_rank(x, rank, "x")
    require_rank(grad, rank, "out_backprop")
    lists = check_lists(n, spatial, rank)
    groups = n.attr("groups")
    require_positive([groups], "groups")
    if length not in (None, rank):
        what = "filter_size has the wrong number of entries"
        n.fail(what, found=length, expected=rank, code=LENGTH)
    x = x if x is not None else (UNKNOWN,) * rank
    grad = grad if grad is not None else (UNKNOWN,) * rank
    merge_dim(x[0], grad[0], "batches of x and out_backprop")
    order = FILTER_AXES[data_format]
    out, given = grad[channel], x[channel]
    if (out >= 0 and out % groups) or (given >= 0 and given % groups):
        n.fail(
            "channels do not divide into groups",
            found=f"{given} and {out} channels, {groups} groups",
            expected=f"multiples of {groups}",
            code=SHAPE,
        )
    per_group = given // groups if given >= 0 else UNKNOWN
    if sizes is None:
        dims = [UNKNOWN] * rank
        dims[order[0]], dims[order[1]] = out, per_group
        return (tensor_type(dims, elem),)
    if any(s < 0 for s in sizes):
        n.fail("a size is negative", found=list(sizes), expected="≥ 0")
    merge_dim(out, sizes[order[0]], "output channels of out_backprop and filter_size")
    merge_dim(per_group, sizes[order[1]], "input channels of a group and filter_size")
    for k, axis in enumerate(spatial):
        made = filter_positions(lists, axis, k, x[axis], sizes[order[2 + k]])
        merge_dim(made, grad[axis], "windows over x and out_backprop")
    return (tensor_type(sizes, elem),)


def _by_input(n: InferNode, rank: int) -> Sequence[Attribute]:
    length, sizes = n.vector_length("filter_size"), n.ints("filter_size")
    return _filter_gradient(n, length, sizes, rank, n.elem("x"))


@ge_op
class Conv2DBackpropFilter(GeOp):
    """Gradient of Conv2D with respect to its filter, of shape `filter_size`."""

    name = "ge.Conv2DBackpropFilter"
    TYPES: ClassVar = {"T": REAL}  # bfloat16 is assumed

    x = tin("T")
    filter_size = tin("IndexNumberType")
    out_backprop = tin("T")
    y = tout("T")
    strides = ints()
    pads = ints()
    dilations = ints([1, 1, 1, 1])
    groups = int_(1)
    data_format = string("NHWC")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _by_input(n, 4)


@ge_op
class Conv2DBackpropFilterD(GeOp):
    """Conv2DBackpropFilter with `filter_size` as an attribute and the sums as float32."""

    name = "ge.Conv2DBackpropFilterD"
    TYPES: ClassVar = {"T": REAL}  # beyond float16 assumed, as is float64 for float64

    x = tin("T")
    out_backprop = tin("T")
    y = tout("float32, float64")
    filter_size = ints()
    strides = ints()
    pads = ints()
    dilations = ints([1, 1, 1, 1])
    groups = int_(1)
    data_format = string("NHWC")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        sizes = n.attr("filter_size")
        elem = n.elem("x")
        return _filter_gradient(n, len(sizes), sizes, 4, elem if elem == _F64 else _F32)


@ge_op
class Conv3DBackpropFilter(GeOp):
    """Gradient of Conv3D with respect to its filter, of shape `filter_size`."""

    name = "ge.Conv3DBackpropFilter"
    TYPES: ClassVar = {"T": REAL}  # bfloat16 is assumed

    x = tin("T")
    filter_size = tin("IndexNumberType")
    out_backprop = tin("T")
    y = tout("T")
    strides = ints()
    pads = ints()
    dilations = ints([1, 1, 1, 1, 1])
    groups = int_(1)
    data_format = string("NDHWC")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _by_input(n, 5)
