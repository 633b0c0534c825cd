"""Elementwise operators of one input.

Dtype lists follow the public headers; where their transcription lost a group (Erf, Floor, …) or
left out a dtype of an operator that plainly takes any number, the group is assumed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import BY_ENUM
from ge_dialect.infer.broadcast import broadcast_shapes, broadcast_to
from ge_dialect.infer.promote import need_order
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import float_, int_, tin, tout
from ge_dialect.ir.types import tensor_type
from ge_dialect.ops._bases import REAL, UNARY, Predicate, Unary

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


#: all numbers; int4 and the narrow floats go both ways (assumed)
_CAST = (
    "bool, NumberType, qint16, quint16, int4, uint1, hifloat8, float8_e5m2, float8_e4m3fn, "
    "float8_e8m0, float6_e3m2, float6_e2m3, float4_e2m1, float4_e1m2, int2, uint2, "
    "uint4, float8_e4m3fnuz, float8_e5m2fnuz"  # these three are not GE's
)


def _check_base(n: InferNode) -> Sequence[Attribute]:
    base = n.attr("base")
    if base != -1.0 and base <= 0.0:
        n.fail("base must be positive or -1", found=base, expected="> 0, or -1 for e")
    return (n.logical("x"),)


@ge_op
class Abs(Unary):
    """Absolute value."""

    name = "ge.Abs"
    TYPES: ClassVar = {"T": "NumberType, bool"}


@ge_op
class Acos(Unary):
    """Arc cosine."""

    name = "ge.Acos"
    TYPES: ClassVar = {"T": UNARY}


@ge_op
class Acosh(Unary):
    """Inverse hyperbolic cosine; NaN below 1."""

    name = "ge.Acosh"
    TYPES: ClassVar = {"T": UNARY}


@ge_op
class Adds(Unary):
    """x plus the scalar `value`."""

    name = "ge.Adds"
    TYPES: ClassVar = {"T": "RealNumberType, complex32, complex64"}

    value = float_()


@ge_op
class Asin(Unary):
    """Arc sine."""

    name = "ge.Asin"
    TYPES: ClassVar = {"T": UNARY}


@ge_op
class Asinh(Unary):
    """Inverse hyperbolic sine."""

    name = "ge.Asinh"
    TYPES: ClassVar = {"T": UNARY}


@ge_op
class Atan(Unary):
    """Arc tangent."""

    name = "ge.Atan"
    TYPES: ClassVar = {"T": UNARY}


@ge_op
class Atanh(Unary):
    """Inverse hyperbolic tangent; NaN outside -1 … 1."""

    name = "ge.Atanh"
    TYPES: ClassVar = {"T": UNARY}


@ge_op
class Axpy(GeOp):
    """x1 + alpha·x2, with broadcast."""

    name = "ge.Axpy"
    TYPES: ClassVar = {"T": "RealNumberType"}
    x1 = tin("T")
    x2 = tin("T")
    y = tout("T")
    alpha = float_()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (tensor_type(broadcast_shapes(n.shape("x1"), n.shape("x2")), n.elem("x1")),)


@ge_op
class Cast(GeOp):
    """Converts to the dtype with GE's number `dst_type`."""

    name = "ge.Cast"
    x = tin(_CAST)
    y = tout(_CAST)
    dst_type = int_()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        number = n.attr("dst_type")
        row = BY_ENUM.get(number)
        if row is None:
            n.fail("dst_type is no dtype number", found=number, expected="a number of GE's table")
        return (tensor_type(n.shape("x"), row.type),)


@ge_op
class Ceil(Unary):
    """Rounds up."""

    name = "ge.Ceil"
    TYPES: ClassVar = {"T": REAL}


@ge_op
class ClipByValue(GeOp):
    """min(max(x, clip_value_min), clip_value_max); the bounds stretch to x."""

    name = "ge.ClipByValue"
    TYPES: ClassVar = {"T": "NumberType"}
    x = tin("T")
    clip_value_min = tin("T")
    clip_value_max = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        need_order(n, "x")
        shape = n.shape("x")
        for bound in ("clip_value_min", "clip_value_max"):
            if n.shape(bound) not in ((), (1,), (-1,)):
                shape = broadcast_to(n.shape(bound), shape)
        return (tensor_type(shape, n.elem("x")),)


@ge_op
class Cos(Unary):
    """Cosine."""

    name = "ge.Cos"
    TYPES: ClassVar = {"T": UNARY}


@ge_op
class Cosh(Unary):
    """Hyperbolic cosine."""

    name = "ge.Cosh"
    TYPES: ClassVar = {"T": UNARY}


@ge_op
class Erf(Unary):
    """Gauss error function."""

    name = "ge.Erf"
    TYPES: ClassVar = {"T": REAL}


@ge_op
class Exp(Unary):
    """base**(scale·x + shift); base -1 means e."""

    name = "ge.Exp"
    TYPES: ClassVar = {"T": UNARY}

    base = float_(-1.0)
    scale = float_(1.0)
    shift = float_(0.0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _check_base(n)


@ge_op
class Expm1(Unary):
    """exp(x) - 1, accurate near 0."""

    name = "ge.Expm1"
    TYPES: ClassVar = {"T": UNARY}


@ge_op
class Floor(Unary):
    """Rounds down."""

    name = "ge.Floor"
    TYPES: ClassVar = {"T": REAL}


@ge_op
class Invert(Unary):
    """Bitwise not."""

    name = "ge.Invert"
    TYPES: ClassVar = {"T": "IntegerDataType"}


@ge_op
class IsFinite(Predicate):
    """True where x is neither infinite nor NaN."""

    name = "ge.IsFinite"
    TYPES: ClassVar = {"T": "RealNumberType, bool"}


@ge_op
class IsInf(Predicate):
    """True where x is infinite."""

    name = "ge.IsInf"
    TYPES: ClassVar = {"T": REAL}


@ge_op
class IsNan(Predicate):
    """True where x is not a number."""

    name = "ge.IsNan"
    TYPES: ClassVar = {"T": REAL}


@ge_op
class Log(Unary):
    """Logarithm of scale·x + shift; base -1 means e."""

    name = "ge.Log"
    TYPES: ClassVar = {"T": UNARY}

    base = float_(-1.0)
    scale = float_(1.0)
    shift = float_(0.0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _check_base(n)


@ge_op
class Log1p(Unary):
    """log(1 + x), accurate near 0."""

    name = "ge.Log1p"
    TYPES: ClassVar = {"T": UNARY}


@ge_op
class LogicalNot(Unary):
    """Boolean not."""

    name = "ge.LogicalNot"
    TYPES: ClassVar = {"T": "bool"}


@ge_op
class Muls(Unary):
    """x times the scalar `value`."""

    name = "ge.Muls"
    TYPES: ClassVar = {"T": "RealNumberType, complex32, complex64"}

    value = float_()


@ge_op
class Neg(Unary):
    """Negation."""

    name = "ge.Neg"
    TYPES: ClassVar = {"T": "NumberType"}


@ge_op
class OnesLike(Unary):
    """Ones in the shape and dtype of x."""

    name = "ge.OnesLike"
    TYPES: ClassVar = {"T": "ANY"}


@ge_op
class Reciprocal(Unary):
    """1 / x."""

    name = "ge.Reciprocal"
    TYPES: ClassVar = {"T": UNARY}


@ge_op
class Rint(Unary):
    """Rounds to the nearest integer, ties to even."""

    name = "ge.Rint"
    TYPES: ClassVar = {"T": REAL}


@ge_op
class Round(Unary):
    """Rounds to `decimals` digits, ties to even."""

    name = "ge.Round"
    TYPES: ClassVar = {"T": REAL + ", int32, int64"}

    decimals = int_(0)


@ge_op
class Rsqrt(Unary):
    """1 / sqrt(x)."""

    name = "ge.Rsqrt"
    TYPES: ClassVar = {"T": UNARY}


@ge_op
class Sign(Unary):
    """-1, 0 or 1."""

    name = "ge.Sign"
    TYPES: ClassVar = {"T": "NumberType"}


@ge_op
class Sin(Unary):
    """Sine."""

    name = "ge.Sin"
    TYPES: ClassVar = {"T": UNARY}


@ge_op
class Sinh(Unary):
    """Hyperbolic sine."""

    name = "ge.Sinh"
    TYPES: ClassVar = {"T": UNARY}


@ge_op
class Sqrt(Unary):
    """Square root."""

    name = "ge.Sqrt"
    TYPES: ClassVar = {"T": UNARY}


@ge_op
class Square(Unary):
    """x·x."""

    name = "ge.Square"
    TYPES: ClassVar = {"T": "NumberType"}


@ge_op
class Tan(Unary):
    """Tangent."""

    name = "ge.Tan"
    TYPES: ClassVar = {"T": UNARY}


@ge_op
class ZerosLike(Unary):
    """Zeros in the shape and dtype of x."""

    name = "ge.ZerosLike"
    TYPES: ClassVar = {"T": "ANY"}
