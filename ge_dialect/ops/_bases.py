"""Shared shapes of operator classes: one in one out, two in one out with broadcast."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import to_xdsl
from ge_dialect.infer.broadcast import broadcast_shapes
from ge_dialect.infer.promote import promote
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.fields import tin, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

#: Real and complex floats: the dtypes of transcendental functions.
UNARY = "UnaryDataType"
#: Real floats of 16 to 64 bits.
REAL = "FLOAT, float64"
BOOL = to_xdsl("bool")


class Unary(GeOp):
    """y has the shape and dtype of x."""

    x = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (n.logical("x"),)


class Predicate(GeOp):
    """y says something about each element of x."""

    x = tin("T")
    y = tout("bool")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (tensor_type(n.shape("x"), BOOL),)


class Binary(GeOp):
    """y has the broadcast shape of x1 and x2, and their dtype."""

    x1 = tin("T")
    x2 = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (tensor_type(broadcast_shapes(n.shape("x1"), n.shape("x2")), n.elem("x1")),)


class Promoting(GeOp):
    """y has the broadcast shape of x1 and x2, and the dtype both meet in."""

    x1 = tin("T1")
    x2 = tin("T2")
    y = tout("T3")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        elem = promote(n.elem("x1"), n.elem("x2"))
        return (tensor_type(broadcast_shapes(n.shape("x1"), n.shape("x2")), elem),)


class Comparison(GeOp):
    """y compares x1 and x2 element by element, with broadcast."""

    x1 = tin("T")
    x2 = tin("T")
    y = tout("bool")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (tensor_type(broadcast_shapes(n.shape("x1"), n.shape("x2")), BOOL),)


class Logical(Comparison):
    """Comparison of booleans."""

    TYPES: ClassVar = {"T": "bool"}
