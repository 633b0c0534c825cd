"""Sums with products, quotients and differences for every tensor of lists.

Prototypes: the public headers of the foreach operators. The tensors of a list have one dtype. The
forms that write into their inputs are left out: a front end turns them into these and Assign.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import dyn_tin, dyn_tout, tin
from ge_dialect.ops.foreach_pairs import matched, one_each

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_FLOAT = "FLOAT"
_NUMBER = "FLOAT, int32"
_SCALAR = "float16, float32, int32"


class _Scalar(GeOp):
    """One number for all tensors."""

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        n.one_value("scalar", any_rank=True)
        return matched(n, "x1", "x2", "x3")


class _Scalars(GeOp):
    """A number for each place of the lists."""

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        one_each(n, "x1", "scalars")
        return matched(n, "x1", "x2", "x3")


@ge_op
class ForeachAddcdivScalar(_Scalar):
    """x1 + scalar·x2 / x3, place by place."""

    name = "ge.ForeachAddcdivScalar"
    TYPES: ClassVar = {"T": _FLOAT}

    x1 = dyn_tin("T")
    x2 = dyn_tin("T")
    x3 = dyn_tin("T")
    scalar = tin("float16, float32")
    y = dyn_tout("T")


@ge_op
class ForeachAddcdivScalarList(_Scalars):
    """x1 + s·x2 / x3, place by place, each with its own s of scalars."""

    name = "ge.ForeachAddcdivScalarList"
    TYPES: ClassVar = {"T": _FLOAT}

    x1 = dyn_tin("T")
    x2 = dyn_tin("T")
    x3 = dyn_tin("T")
    scalars = tin("FLOAT")
    y = dyn_tout("T")


@ge_op
class ForeachAddcdivList(_Scalars):
    """ForeachAddcdivScalarList: scalars is a vector (assumed)."""

    name = "ge.ForeachAddcdivList"
    TYPES: ClassVar = {"T": _FLOAT}

    x1 = dyn_tin("T")
    x2 = dyn_tin("T")
    x3 = dyn_tin("T")
    scalars = tin("FLOAT")
    y = dyn_tout("T")


@ge_op
class ForeachAddcmulScalar(_Scalar):
    """x1 + scalar·x2·x3, place by place."""

    name = "ge.ForeachAddcmulScalar"
    TYPES: ClassVar = {"T": _NUMBER}

    x1 = dyn_tin("T")
    x2 = dyn_tin("T")
    x3 = dyn_tin("T")
    scalar = tin(_SCALAR)
    y = dyn_tout("T")


@ge_op
class ForeachAddcmulScalarList(_Scalars):
    """x1 + s·x2·x3, place by place, each with its own s of scalars."""

    name = "ge.ForeachAddcmulScalarList"
    TYPES: ClassVar = {"T": _NUMBER}

    x1 = dyn_tin("T")
    x2 = dyn_tin("T")
    x3 = dyn_tin("T")
    scalars = tin(_SCALAR + ", bfloat16")
    y = dyn_tout("T")


@ge_op
class ForeachAddcmulList(_Scalars):
    """ForeachAddcmulScalarList: scalars is a vector (assumed)."""

    name = "ge.ForeachAddcmulList"
    TYPES: ClassVar = {"T": _NUMBER}

    x1 = dyn_tin("T")
    x2 = dyn_tin("T")
    x3 = dyn_tin("T")
    scalars = tin(_SCALAR + ", bfloat16")
    y = dyn_tout("T")


@ge_op
class ForeachLerpScalar(GeOp):
    """x1 + weight·(x2 - x1), place by place."""

    name = "ge.ForeachLerpScalar"
    TYPES: ClassVar = {"T": _FLOAT}

    x1 = dyn_tin("T")
    x2 = dyn_tin("T")
    weight = tin("float32")
    y = dyn_tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        n.one_value("weight", any_rank=True)
        return matched(n, "x1", "x2")


@ge_op
class ForeachLerpList(GeOp):
    """ForeachLerpScalar with a weight for each element."""

    name = "ge.ForeachLerpList"
    TYPES: ClassVar = {"T": _FLOAT}

    x1 = dyn_tin("T")
    x2 = dyn_tin("T")
    weight = dyn_tin("T")
    y = dyn_tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return matched(n, "x1", "x2", "weight")
