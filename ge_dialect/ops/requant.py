"""Quantisation by packed scales, by ranges, and by scales a framework gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import to_xdsl
from ge_dialect.infer.broadcast import broadcast_shapes
from ge_dialect.infer.dims import merge_dim, norm_axis, refine, require_rank
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, float_, int_, opt_tin, string, tin, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_F32, _U64, _INT8 = to_xdsl("float32"), to_xdsl("uint64"), to_xdsl("int8")
_TORCH = {
    "torch.qint8": to_xdsl("int8"),
    "torch.quint8": to_xdsl("uint8"),
    "torch.qint32": to_xdsl("int32"),
}


@ge_op
class AscendRequant(GeOp):
    """int32 sums times req_scale, rounded to nearest even and saturated to int8, relu on demand.

    req_scale serves all or lies along axis 1. Of its 64 bits the low half is a float32 and bits 37
    to 45 an integer that is added before rounding, as TransQuantParamV2 packs them (assumed).
    """

    name = "ge.AscendRequant"

    x = tin("int32")
    req_scale = tin("uint64")
    y = tout("int8")
    relu_flag = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, scale = n.shape("x"), n.shape("req_scale")
        require_rank(scale, (0, 1), "req_scale")
        if shape is not None and scale not in (None, (), (1,), (-1,)):
            require_rank(shape, range(2, 64), "x")
            merge_dim(shape[1], scale[0], "x along axis 1 and req_scale")
        return (tensor_type(shape, _INT8),)


@ge_op
class Dequantize(GeOp):
    """Numbers of a range min_range … max_range that a quantised dtype counts (TensorFlow's).

    `mode` MIN_COMBINED: min + (x - lowest)·(max - min) / (highest - lowest); MIN_FIRST: the same
    with steps of the whole number of codes; SCALED: x·max(min / lowest, max / highest).
    """

    name = "ge.Dequantize"
    TYPES: ClassVar = {"T": "QuantifiedType, int8, uint8, int32"}  # as the op library has it

    x = tin("T")
    min_range = tin("float32")
    max_range = tin("float32")
    y = tout("float32")
    mode = string("MIN_COMBINED")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if n.attr("mode") not in ("MIN_COMBINED", "MIN_FIRST", "SCALED"):
            expected = "MIN_COMBINED, MIN_FIRST or SCALED"
            n.fail("mode is not supported", found=n.attr("mode"), expected=expected)
        for name in ("min_range", "max_range"):
            given = n.shape(name)
            if given is not None and any(d not in (1, -1) for d in given):
                n.fail(f"{name} must hold one value", found=list(given), expected="1 element")
        return (tensor_type(n.shape("x"), _F32),)


@ge_op
class FakeQuantWithMinMaxArgs(GeOp):
    """x clamped to min … max and rounded to one of 2**num_bits steps (TensorFlow's).

    The range is moved so that 0 is a step. With `narrow_range` one step less is used.
    """

    name = "ge.FakeQuantWithMinMaxArgs"

    x = tin("float32")
    y = tout("float32")
    min = float_(-6.0)
    max = float_(6.0)
    num_bits = int_(8)
    narrow_range = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        low, high, bits = n.attr("min"), n.attr("max"), n.attr("num_bits")
        if not low < high:
            n.fail("min must be less than max", found=f"{low} and {high}", expected="min < max")
        if not 2 <= bits <= 16:
            n.fail("num_bits is out of range", found=bits, expected="2 … 16")
        return (n.logical("x"),)


@ge_op
class Quantize(GeOp):
    """round(x / scales) + zero_points, saturated (PyTorch's quantize_per_tensor, …_per_channel).

    One scale serves all; several lie along `axis`. `dtype` is torch.qint8, torch.quint8 or
    torch.qint32. Ties go to the even neighbour.
    """

    name = "ge.Quantize"

    x = tin("FLOAT")
    scales = tin("bfloat16, float32")
    zero_points = opt_tin("bfloat16, float32, int8, int32, uint8")
    y = tout("int8, int32, uint8")
    dtype = string()
    axis = int_(1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        elem = _TORCH.get(n.attr("dtype"))
        if elem is None:
            n.fail("dtype is not supported", found=n.attr("dtype"), expected=", ".join(_TORCH))
        shape = n.shape("x")
        for name in ("scales", "zero_points"):
            given = n.shape(name)
            require_rank(given, (0, 1), name)
            if given not in (None, (), (1,), (-1,)) and shape is not None:
                axis = norm_axis(n.attr("axis"), len(shape))
                merge_dim(shape[axis], given[0], f"x along axis and {name}")
        if n.has("zero_points"):
            refine(n.shape("scales"), n.shape("zero_points"), "shapes of scales and zero_points")
        return (tensor_type(shape, elem),)


@ge_op
class TransQuantParamV2(GeOp):
    """A scale and an offset packed for the device.

    The upper 19 bits of the float32 scale are the low half of the number, bit 46 is set, and the
    offset, rounded to -256 … 255, is in bits 37 to 45. `round_mode` 0 cuts the lower 13 bits of the
    scale, 1 rounds them to the even neighbour.
    """

    name = "ge.TransQuantParamV2"

    scale = tin("float32")
    offset = opt_tin("float32")
    y = tout("uint64")
    round_mode = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if n.attr("round_mode") not in (0, 1):
            n.fail("round_mode is not supported", found=n.attr("round_mode"), expected="0 or 1")
        shape = n.shape("scale")
        if n.has("offset"):
            shape = broadcast_shapes(shape, n.shape("offset"))
        return (tensor_type(shape, _U64),)
