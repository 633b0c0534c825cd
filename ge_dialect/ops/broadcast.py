"""Operators of several inputs with numpy's broadcasting, and those that choose or add a bias."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.broadcast import broadcast_all, broadcast_to
from ge_dialect.infer.dims import UNKNOWN, merge_dim, refine, require_rank
from ge_dialect.infer.errors import COUNT
from ge_dialect.infer.window import CHANNEL
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import dyn_tin, int_, string, tin, tout
from ge_dialect.ir.types import tensor_type
from ge_dialect.ops._bases import Binary, Comparison, Logical, Promoting

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_REAL_NUMBERS = "RealNumberType, bool"
_NUMBERS = "NumberType, bool"


def _sum_of_equals(n: InferNode) -> Sequence[Attribute]:
    given = n.types("x")
    if len(given) != n.attr("N") or not given:
        n.fail("N is not the number of inputs", found=n.attr("N"), expected=len(given), code=COUNT)
    shape = n.shape("x")
    for other in n.shapes("x")[1:]:
        shape = refine(shape, other, "shapes of the inputs")
    return (tensor_type(shape, n.elem("x")),)


@ge_op
class AccumulateNV2(GeOp):
    """Sum of N tensors of one shape (what ONNX's Sum becomes when nothing broadcasts)."""

    name = "ge.AccumulateNV2"
    TYPES: ClassVar = {"T": "NumberType"}
    x = dyn_tin("T")
    y = tout("T")
    N = int_()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _sum_of_equals(n)


@ge_op
class Add(Binary):
    """x1 + x2; strings are joined."""

    name = "ge.Add"
    TYPES: ClassVar = {"T": "NumberType, bool, string"}


@ge_op
class AddN(GeOp):
    """Sum of N tensors of one shape."""

    name = "ge.AddN"
    TYPES: ClassVar = {"T": "NumberType, variant"}
    x = dyn_tin("T")
    y = tout("T")
    N = int_()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _sum_of_equals(n)


@ge_op
class Atan2(Binary):
    """Angle of the point (x2, x1) from the x axis, in -pi … pi."""

    name = "ge.Atan2"
    TYPES: ClassVar = {"T": "FLOAT, float64"}  # the headers' list lost a group: assumed


@ge_op
class BiasAdd(GeOp):
    """x plus a bias per channel; the channel axis is that of `data_format`.

    NHWC and NDHWC mean the last axis, NCHW and NCDHW axis 1, for any rank from 2 on.
    """

    name = "ge.BiasAdd"
    TYPES: ClassVar = {"T": "NumberType"}
    x = tin("T")
    bias = tin("T")
    y = tout("T")
    data_format = string("NHWC")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, bias = n.shape("x"), n.shape("bias")
        data_format = n.attr("data_format")
        if data_format not in CHANNEL:
            n.fail("data_format is not supported", found=data_format, expected=", ".join(CHANNEL))
        require_rank(bias, 1, "bias")
        if shape is not None:
            require_rank(shape, range(2, 9), "x")
            axis = 1 if data_format.startswith("NC") else len(shape) - 1
            if bias is not None:
                c = merge_dim(shape[axis], bias[0], "channels of x and bias")
                shape = (*shape[:axis], c, *shape[axis + 1 :])
        return (tensor_type(shape, n.elem("x")),)


@ge_op
class BitwiseAnd(Binary):
    """Bitwise and."""

    name = "ge.BitwiseAnd"
    TYPES: ClassVar = {"T": "IntegerDataType, bool"}


@ge_op
class BitwiseOr(Binary):
    """Bitwise or."""

    name = "ge.BitwiseOr"
    TYPES: ClassVar = {"T": "IntegerDataType, bool"}


@ge_op
class BitwiseXor(Binary):
    """Bitwise exclusive or."""

    name = "ge.BitwiseXor"
    TYPES: ClassVar = {"T": "IntegerDataType, bool"}


@ge_op
class BroadcastTo(GeOp):
    """x stretched to `shape`, in one direction."""

    name = "ge.BroadcastTo"
    TYPES: ClassVar = {"T": "ANY"}
    x = tin("T")
    shape = tin("IndexNumberType")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        target = n.ints("shape")
        rank = n.vector_length("shape")
        if target is None:
            known = None if rank is None else (-1,) * rank
            return (tensor_type(broadcast_to(n.shape("x"), known), n.elem("x")),)
        if any(d < -1 for d in target):
            n.fail("shape has a negative entry", found=list(target), expected="sizes, or -1")
        shape = n.shape("x")
        if shape is not None and -1 in target[: max(len(target) - len(shape), 0)]:
            n.fail("-1 stands for an axis that x has not", found=list(target), expected="a size")
        if shape is not None and len(shape) <= len(target):
            own = (UNKNOWN,) * (len(target) - len(shape)) + shape
            target = tuple(d if t == UNKNOWN else t for t, d in zip(target, own, strict=True))
        return (tensor_type(broadcast_to(shape, target), n.elem("x")),)


@ge_op
class Div(Binary):
    """x1 / x2; the quotient of integers is rounded towards zero."""

    name = "ge.Div"
    TYPES: ClassVar = {"T": "NumberType"}


@ge_op
class DivNoNan(Binary):
    """x1 / x2, and 0 where x2 is 0."""

    name = "ge.DivNoNan"
    TYPES: ClassVar = {"T": "NumberType"}


@ge_op
class Equal(Comparison):
    """x1 = x2."""

    name = "ge.Equal"
    TYPES: ClassVar = {"T": "ALL"}


@ge_op
class FloorDiv(Binary):
    """x1 / x2 rounded down."""

    name = "ge.FloorDiv"
    TYPES: ClassVar = {"T": "RealNumberType"}


@ge_op
class FloorMod(Binary):
    """Remainder with the sign of x2."""

    name = "ge.FloorMod"
    TYPES: ClassVar = {"T": "RealNumberType"}


@ge_op
class FusedMulAdd(GeOp):
    """x1·x2 + x3, with broadcast."""

    name = "ge.FusedMulAdd"
    TYPES: ClassVar = {"T": "NumberType"}
    x1 = tin("T")
    x2 = tin("T")
    x3 = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = broadcast_all(n.shape("x1"), n.shape("x2"), n.shape("x3"))
        return (tensor_type(shape, n.elem("x1")),)


@ge_op
class Greater(Comparison):
    """x1 > x2."""

    name = "ge.Greater"
    TYPES: ClassVar = {"T": _REAL_NUMBERS}


@ge_op
class GreaterEqual(Comparison):
    """x1 ≥ x2."""

    name = "ge.GreaterEqual"
    TYPES: ClassVar = {"T": _REAL_NUMBERS}


@ge_op
class Less(Comparison):
    """x1 < x2."""

    name = "ge.Less"
    TYPES: ClassVar = {"T": _REAL_NUMBERS}


@ge_op
class LessEqual(Comparison):
    """x1 ≤ x2."""

    name = "ge.LessEqual"
    TYPES: ClassVar = {"T": _REAL_NUMBERS}


@ge_op
class LogicalAnd(Logical):
    """Boolean and."""

    name = "ge.LogicalAnd"


@ge_op
class LogicalOr(Logical):
    """Boolean or."""

    name = "ge.LogicalOr"


@ge_op
class Maximum(Binary):
    """The larger one; NaN wins."""

    name = "ge.Maximum"
    TYPES: ClassVar = {"T": _REAL_NUMBERS}


@ge_op
class Minimum(Binary):
    """The smaller one; NaN wins."""

    name = "ge.Minimum"
    TYPES: ClassVar = {"T": _REAL_NUMBERS}


@ge_op
class Mod(Binary):
    """Remainder with the sign of x1."""

    name = "ge.Mod"
    TYPES: ClassVar = {"T": "RealNumberType"}


@ge_op
class Mul(Promoting):
    """x1 · x2; operands of different dtypes meet in the common one."""

    name = "ge.Mul"
    TYPES: ClassVar = {"T1": _NUMBERS, "T2": _NUMBERS, "T3": _NUMBERS}


@ge_op
class NotEqual(Comparison):
    """x1 ≠ x2."""

    name = "ge.NotEqual"
    TYPES: ClassVar = {"T": "ALL"}


@ge_op
class Pow(Promoting):
    """x1 to the power x2; operands of different dtypes meet in the common one."""

    name = "ge.Pow"
    TYPES: ClassVar = {"T1": _NUMBERS, "T2": _NUMBERS, "T3": _NUMBERS}


@ge_op
class RealDiv(Binary):
    """x1 / x2; the result of integers is the quotient rounded towards zero."""

    name = "ge.RealDiv"
    TYPES: ClassVar = {"T": _NUMBERS}


@ge_op
class Select(GeOp):
    """x1 where the condition holds, else x2; the values do not broadcast.

    The condition has their shape, or is a scalar, or a vector that chooses along the first axis.
    """

    name = "ge.Select"
    TYPES: ClassVar = {"T": "ANY"}
    condition = tin("bool")
    x1 = tin("T")
    x2 = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = refine(n.shape("x1"), n.shape("x2"), "shapes of x1 and x2")
        chosen = n.shape("condition")
        if chosen is not None and shape is not None and chosen != ():
            if len(chosen) == 1 and shape:
                shape = (merge_dim(shape[0], chosen[0], "condition and first axis"), *shape[1:])
            else:
                shape = refine(shape, chosen, "shapes of x1 and condition")
        return (tensor_type(shape, n.elem("x1")),)


@ge_op
class SelectV2(GeOp):
    """`then` where the condition holds, else `else`, all three with broadcast."""

    name = "ge.SelectV2"
    TYPES: ClassVar = {"T": "ANY"}
    condition = tin("bool")
    then = tin("T")
    else_ = tin("T", name="else")
    result = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = broadcast_all(n.shape("condition"), n.shape("then"), n.shape("else"))
        return (tensor_type(shape, n.elem("then")),)


@ge_op
class SquaredDifference(Binary):
    """(x1 - x2)²."""

    name = "ge.SquaredDifference"
    TYPES: ClassVar = {"T": "NumberType"}


@ge_op
class Sub(Binary):
    """x1 - x2."""

    name = "ge.Sub"
    TYPES: ClassVar = {"T": _NUMBERS}


@ge_op
class TruncateDiv(Binary):
    """x1 / x2 rounded towards zero."""

    name = "ge.TruncateDiv"
    TYPES: ClassVar = {"T": "RealNumberType"}
