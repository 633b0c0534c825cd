"""Functions of one input for every tensor of a list.

Prototypes: the public headers of the foreach operators. The tensors of a list have one dtype. The
forms that write into their inputs are left out: a front end turns them into these and Assign.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import dyn_tin, dyn_tout, tin
from ge_dialect.ir.types import elem_of, shape_of, tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_FLOAT = "FLOAT"
_NUMBER = "FLOAT, int32"
_SIGNED = "FLOAT, int8, int32, int64"
_COPIED = "FLOAT, float64, int8, int16, int32, int64, uint8, uint16, uint32, bool"


class _Each(GeOp):
    """Each y has the shape and dtype of the x at its place."""

    x = dyn_tin("T")
    y = dyn_tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return [tensor_type(shape_of(t), elem_of(t)) for t in n.types("x")]


@ge_op
class ForeachAbs(_Each):
    """|x|, element by element."""

    name = "ge.ForeachAbs"
    TYPES: ClassVar = {"T": _FLOAT}


@ge_op
class ForeachAcos(_Each):
    """The angle in 0 … pi whose cosine is x."""

    name = "ge.ForeachAcos"
    TYPES: ClassVar = {"T": _FLOAT}


@ge_op
class ForeachAsin(_Each):
    """The angle in -pi/2 … pi/2 whose sine is x."""

    name = "ge.ForeachAsin"
    TYPES: ClassVar = {"T": _FLOAT}


@ge_op
class ForeachAtan(_Each):
    """The angle in -pi/2 … pi/2 whose tangent is x."""

    name = "ge.ForeachAtan"
    TYPES: ClassVar = {"T": _FLOAT}


@ge_op
class ForeachCopy(_Each):
    """A copy of each tensor."""

    name = "ge.ForeachCopy"
    TYPES: ClassVar = {"T": _COPIED}


@ge_op
class ForeachCos(_Each):
    """Cosine of x."""

    name = "ge.ForeachCos"
    TYPES: ClassVar = {"T": _FLOAT}


@ge_op
class ForeachCosh(_Each):
    """Hyperbolic cosine of x."""

    name = "ge.ForeachCosh"
    TYPES: ClassVar = {"T": _FLOAT}


@ge_op
class ForeachErf(_Each):
    """Error function of x."""

    name = "ge.ForeachErf"
    TYPES: ClassVar = {"T": _FLOAT}


@ge_op
class ForeachErfc(_Each):
    """1 - Erf(x), without loss where it is small."""

    name = "ge.ForeachErfc"
    TYPES: ClassVar = {"T": _FLOAT}


@ge_op
class ForeachExp(_Each):
    """e to the power of x."""

    name = "ge.ForeachExp"
    TYPES: ClassVar = {"T": _FLOAT}


@ge_op
class ForeachExpm1(_Each):
    """e to the power of x, minus 1."""

    name = "ge.ForeachExpm1"
    TYPES: ClassVar = {"T": _FLOAT}


@ge_op
class ForeachLog(_Each):
    """Natural logarithm of x."""

    name = "ge.ForeachLog"
    TYPES: ClassVar = {"T": _FLOAT}


@ge_op
class ForeachLog10(_Each):
    """Logarithm of x to base 10."""

    name = "ge.ForeachLog10"
    TYPES: ClassVar = {"T": _FLOAT}


@ge_op
class ForeachLog1p(_Each):
    """Natural logarithm of 1 + x."""

    name = "ge.ForeachLog1p"
    TYPES: ClassVar = {"T": _FLOAT}


@ge_op
class ForeachLog2(_Each):
    """Logarithm of x to base 2."""

    name = "ge.ForeachLog2"
    TYPES: ClassVar = {"T": _FLOAT}


@ge_op
class ForeachNeg(_Each):
    """-x; integers wrap."""

    name = "ge.ForeachNeg"
    TYPES: ClassVar = {"T": _NUMBER}


@ge_op
class ForeachReciprocal(_Each):
    """1 / x."""

    name = "ge.ForeachReciprocal"
    TYPES: ClassVar = {"T": _FLOAT}


@ge_op
class ForeachSigmoid(_Each):
    """1 / (1 + e to the power of -x)."""

    name = "ge.ForeachSigmoid"
    TYPES: ClassVar = {"T": _FLOAT}


@ge_op
class ForeachSign(_Each):
    """-1, 0 or 1, as x is; NaN stays."""

    name = "ge.ForeachSign"
    TYPES: ClassVar = {"T": _SIGNED}


@ge_op
class ForeachSin(_Each):
    """Sine of x."""

    name = "ge.ForeachSin"
    TYPES: ClassVar = {"T": _FLOAT}


@ge_op
class ForeachSinh(_Each):
    """Hyperbolic sine of x."""

    name = "ge.ForeachSinh"
    TYPES: ClassVar = {"T": _FLOAT}


@ge_op
class ForeachSqrt(_Each):
    """Square root of x; NaN below 0."""

    name = "ge.ForeachSqrt"
    TYPES: ClassVar = {"T": _FLOAT}


@ge_op
class ForeachTan(_Each):
    """Tangent of x."""

    name = "ge.ForeachTan"
    TYPES: ClassVar = {"T": _FLOAT}


@ge_op
class ForeachTanh(_Each):
    """Hyperbolic tangent of x."""

    name = "ge.ForeachTanh"
    TYPES: ClassVar = {"T": _FLOAT}


@ge_op
class ForeachNorm(GeOp):
    """The norm of each tensor as a scalar: (sum of |x| to the power of p) to the power of 1 / p.

    p is `scalar`; 0 counts what is not 0, infinity takes the largest |x|, minus infinity the
    smallest. Sums are float32. A tensor without elements gives 0 (assumed; a negative p: infinity).
    """

    name = "ge.ForeachNorm"
    TYPES: ClassVar = {"T": "FLOAT"}

    x = dyn_tin("T")
    scalar = tin("float32, int64")
    y = dyn_tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        n.one_value("scalar", any_rank=True)
        return [tensor_type((), elem_of(t)) for t in n.types("x")]


@ge_op
class ForeachRoundOffNumber(GeOp):
    """x rounded: roundMode 1 to nearest even, 2 down, 3 up, 4 halves away from 0, 5 toward 0."""

    name = "ge.ForeachRoundOffNumber"
    TYPES: ClassVar = {"T": "FLOAT"}

    x = dyn_tin("T")
    roundMode = tin("int8")
    y = dyn_tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        n.one_value("roundMode", any_rank=True)
        mode = n.scalar("roundMode")
        if mode is not None and not 1 <= mode <= 5:
            n.fail("roundMode is not supported", found=mode, expected="1 … 5")
        return [tensor_type(shape_of(t), elem_of(t)) for t in n.types("x")]
