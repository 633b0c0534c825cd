"""Convolutions of the Ascend C generation: padding by mode, and quantised data.

`pad_mode` SPECIFIC takes `pads`; VALID has none; SAME and SAME_UPPER pad so that the output has
ceil(in / stride) elements, the odd one behind, SAME_LOWER before. Otherwise as Conv2D and Conv3D.
`enable_hf32` allows the device to drop bits, which nothing here does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import BY_ENUM, to_xdsl
from ge_dialect.infer.dims import merge_dim, require_rank
from ge_dialect.infer.errors import DTYPE
from ge_dialect.infer.window import CHANNEL, SPATIAL, same_output
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, int_, ints, opt_tin, string, tin, tout
from ge_dialect.ir.types import shape_of, tensor_type
from ge_dialect.ops.conv import grouped

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

PAD_MODES = ("SPECIFIC", "VALID", "SAME", "SAME_UPPER", "SAME_LOWER")
_HIF8 = to_xdsl("hifloat8")


def _padded(n: InferNode, rank: int) -> Sequence[Attribute]:
    """The rule of `grouped` under a pad_mode."""
    mode = n.attr("pad_mode")
    if mode not in PAD_MODES:
        n.fail("unknown pad_mode", found=mode, expected=", ".join(PAD_MODES))
    if n.elem("x") == _HIF8:
        n.fail("hifloat8 is carried, not computed", found="hifloat8", expected="f16", code=DTYPE)
    if mode == "SPECIFIC":
        return grouped(n, rank)
    # no window is larger than its padded axis: padding is as much as is needed
    types = grouped(n, rank, pads=(0,) * (2 * (rank - 2)), fits=mode != "VALID")
    if mode == "VALID":
        return types
    shape, out = n.shape("x"), shape_of(types[0])
    assert out is not None
    dims = list(out)
    for axis in SPATIAL[n.attr("data_format")]:
        size = -1 if shape is None else shape[axis]
        dims[axis] = same_output(size, n.attr("strides")[axis])
    return (tensor_type(dims, n.elem("x")),)


@ge_op
class Conv2DV2(GeOp):
    """Conv2D with a pad_mode."""

    name = "ge.Conv2DV2"
    TYPES: ClassVar = {"T": "FLOAT, float64, hifloat8"}  # float64: host engine

    x = tin("T")
    filter = tin("T")
    bias = opt_tin("FLOAT, float64")
    offset_w = opt_tin("int8")
    y = tout("FLOAT, float64, hifloat8")
    strides = ints()
    pads = ints([0, 0, 0, 0])
    dilations = ints([1, 1, 1, 1])
    groups = int_(1)
    data_format = string("NCHW")
    offset_x = int_(0)
    pad_mode = string("SPECIFIC")
    enable_hf32 = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _padded(n, 4)


@ge_op
class Conv3DV2(GeOp):
    """Conv3D with a pad_mode; what scale and offset, for int8 data, do is not known here."""

    name = "ge.Conv3DV2"
    TYPES: ClassVar = {"T": "FLOAT, float64, hifloat8"}  # without int8, see above

    x = tin("T")
    filter = tin("T")
    bias = opt_tin("FLOAT, float64")
    scale = opt_tin("float32")
    offset = opt_tin("float32")
    offset_w = opt_tin("int8")
    y = tout("FLOAT, float64, hifloat8")
    strides = ints()
    pads = ints([0, 0, 0, 0, 0, 0])
    dilations = ints([1, 1, 1, 1, 1])
    groups = int_(1)
    data_format = string("NCDHW")
    offset_x = int_(0)
    pad_mode = string("SPECIFIC")
    enable_hf32 = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _padded(n, 5)


@ge_op
class QuantConv2D(GeOp):
    """(convolution of int8 data + bias)·scale as the dtype with GE's number `dtype`.

    A scale is one number per output channel, or one for all: a float32 in the low half of 64 bits.
    A bias counts in steps of the sums. Padding stands for the zero point offset_x. The input offset
    is reserved.
    """

    name = "ge.QuantConv2D"

    x = tin("int8")
    filter = tin("int8")
    scale = tin("int64, uint64")
    bias = opt_tin("int32, float32")
    offset = opt_tin("float32")
    y = tout("FLOAT")
    dtype = int_()
    strides = ints()
    pads = ints()
    dilations = ints([1, 1, 1, 1])
    groups = int_(1)
    data_format = string("NCHW")
    offset_x = int_(0)
    round_mode = string("rint")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        row = BY_ENUM.get(n.attr("dtype"))
        if row is None or row.name not in ("float32", "float16", "bfloat16"):
            n.fail("dtype is not supported", found=n.attr("dtype"), expected="0, 1 or 27 (a float)")
        (summed,) = grouped(n, 4, float_bias=True)
        dims = shape_of(summed)
        assert dims is not None
        scale = n.shape("scale")
        require_rank(scale, (0, 1), "scale")
        if scale not in (None, (), (1,)):
            merge_dim(dims[CHANNEL[n.attr("data_format")]], scale[0], "output channels and scale")
        return (tensor_type(dims, row.type),)
