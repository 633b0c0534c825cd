"""Functions of two inputs for every tensor of a list, the other a number or a second list.

Prototypes: the public headers of the foreach operators. The tensors of a list have one dtype. The
forms that write into their inputs are left out: a front end turns them into these and Assign.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.dims import refine
from ge_dialect.infer.errors import COUNT, SHAPE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import dyn_tin, dyn_tout, tin
from ge_dialect.ir.types import elem_of, shape_of, tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_FLOAT = "FLOAT"
_NUMBER = "FLOAT, int32"
_SCALAR = "float16, float32, int32"
_SCALARS = "float32, int64"


def one_each(n: InferNode, first: str, name: str) -> None:
    """An error unless a vector is known to have, or may have, one number per tensor of a list."""
    length, count = n.vector_length(name), len(n.types(first))
    if length not in (None, count):
        n.fail(f"{name} must hold one number for each tensor", found=length, expected=count,
               code=SHAPE)  # fmt: skip


def matched(n: InferNode, *names: str) -> list[Attribute]:
    """The types of lists whose tensors at the same place have one shape."""
    lists = [n.types(name) for name in names]
    for name, types in zip(names, lists, strict=True):
        if len(types) != len(lists[0]):
            what = f"{names[0]} and {name} differ in length"
            n.fail(what, found=len(types), expected=len(lists[0]), code=COUNT)
    found: list[Attribute] = []
    for types in zip(*lists, strict=True):
        shape = shape_of(types[0])
        for name, other in zip(names[1:], types[1:], strict=True):
            shape = refine(shape, shape_of(other), f"shapes of {names[0]} and {name}")
        found.append(tensor_type(shape, elem_of(types[0])))
    return found


class _Scalar(GeOp):
    """One number for all tensors, taken in the dtype in which x is computed with.

    A class whose number has other dtypes lists its inputs and outputs again.
    """

    x = dyn_tin("T")
    scalar = tin(_SCALAR)
    y = dyn_tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        n.one_value("scalar", any_rank=True)
        return matched(n, "x")


class _ScalarList(GeOp):
    """A number for each tensor, taken in the dtype in which x is computed with.

    A class whose numbers have other dtypes lists its inputs and outputs again.
    """

    x = dyn_tin("T")
    scalars = tin(_SCALARS)
    y = dyn_tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        one_each(n, "x", "scalars")
        return matched(n, "x")


class _List(GeOp):
    """Two tensors of one shape at each place."""

    x1 = dyn_tin("T")
    x2 = dyn_tin("T")
    y = dyn_tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return matched(n, "x1", "x2")


class _Weighed(GeOp):
    """Two tensors of one shape at each place, the second times one number for all."""

    x1 = dyn_tin("T")
    x2 = dyn_tin("T")
    alpha = tin(_SCALAR)
    y = dyn_tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        n.one_value("alpha", any_rank=True)
        return matched(n, "x1", "x2")


@ge_op
class ForeachAddScalar(_Scalar):
    """x + scalar."""

    name = "ge.ForeachAddScalar"
    TYPES: ClassVar = {"T": _NUMBER}


@ge_op
class ForeachAddScalarList(_ScalarList):
    """x + the number at its place in scalars."""

    name = "ge.ForeachAddScalarList"
    TYPES: ClassVar = {"T": _NUMBER}


@ge_op
class ForeachAddList(_Weighed):
    """x1 + alpha·x2, place by place."""

    name = "ge.ForeachAddList"
    TYPES: ClassVar = {"T": _NUMBER}


@ge_op
class ForeachSubScalar(_Scalar):
    """x - scalar."""

    name = "ge.ForeachSubScalar"
    TYPES: ClassVar = {"T": _NUMBER}


@ge_op
class ForeachSubScalarList(_ScalarList):
    """x - the number at its place in scalars."""

    name = "ge.ForeachSubScalarList"
    TYPES: ClassVar = {"T": _NUMBER}


@ge_op
class ForeachSubList(_Weighed):
    """x1 - alpha·x2, place by place."""

    name = "ge.ForeachSubList"
    TYPES: ClassVar = {"T": _NUMBER}


@ge_op
class ForeachMulScalar(_Scalar):
    """x·scalar."""

    name = "ge.ForeachMulScalar"
    TYPES: ClassVar = {"T": _NUMBER}


@ge_op
class ForeachMulScalarList(_ScalarList):
    """x·the number at its place in scalars."""

    name = "ge.ForeachMulScalarList"
    TYPES: ClassVar = {"T": _NUMBER}


@ge_op
class ForeachMulList(_List):
    """x1·x2, place by place."""

    name = "ge.ForeachMulList"
    TYPES: ClassVar = {"T": _NUMBER}


@ge_op
class ForeachDivScalar(_Scalar):
    """x / scalar."""

    name = "ge.ForeachDivScalar"
    TYPES: ClassVar = {"T": _FLOAT}

    x = dyn_tin("T")
    scalar = tin("float16, float32")
    y = dyn_tout("T")


@ge_op
class ForeachDivScalarList(_ScalarList):
    """x / the number at its place in scalars."""

    name = "ge.ForeachDivScalarList"
    TYPES: ClassVar = {"T": _FLOAT}

    x = dyn_tin("T")
    scalars = tin("float32")
    y = dyn_tout("T")


@ge_op
class ForeachDivList(_List):
    """x1 / x2, place by place."""

    name = "ge.ForeachDivList"
    TYPES: ClassVar = {"T": _FLOAT}


@ge_op
class ForeachMaximumScalar(_Scalar):
    """The larger of x and scalar; NaN wins."""

    name = "ge.ForeachMaximumScalar"
    TYPES: ClassVar = {"T": _NUMBER}


@ge_op
class ForeachMaximumScalarList(_ScalarList):
    """The larger of x and the number at its place in scalars; NaN wins."""

    name = "ge.ForeachMaximumScalarList"
    TYPES: ClassVar = {"T": _NUMBER}


@ge_op
class ForeachMaximumList(_List):
    """The larger of x1 and x2; NaN wins, place by place."""

    name = "ge.ForeachMaximumList"
    TYPES: ClassVar = {"T": _NUMBER}


@ge_op
class ForeachMinimumScalar(_Scalar):
    """The smaller of x and scalar; NaN wins."""

    name = "ge.ForeachMinimumScalar"
    TYPES: ClassVar = {"T": _NUMBER}


@ge_op
class ForeachMinimumScalarList(_ScalarList):
    """The smaller of x and the number at its place in scalars; NaN wins."""

    name = "ge.ForeachMinimumScalarList"
    TYPES: ClassVar = {"T": _NUMBER}


@ge_op
class ForeachMinimumList(_List):
    """The smaller of x1 and x2; NaN wins, place by place."""

    name = "ge.ForeachMinimumList"
    TYPES: ClassVar = {"T": _NUMBER}


@ge_op
class ForeachPowScalar(_Scalar):
    """x to the power of scalar, as Pow has it."""

    name = "ge.ForeachPowScalar"
    TYPES: ClassVar = {"T": _NUMBER}

    x = dyn_tin("T")
    scalar = tin(_SCALARS)
    y = dyn_tout("T")


@ge_op
class ForeachPowScalarList(_ScalarList):
    """x to the power of the number at its place in scalars, as Pow has it."""

    name = "ge.ForeachPowScalarList"
    TYPES: ClassVar = {"T": _NUMBER}


@ge_op
class ForeachPowList(_List):
    """x1 to the power of x2, as Pow has it, place by place."""

    name = "ge.ForeachPowList"
    TYPES: ClassVar = {"T": _NUMBER}


@ge_op
class ForeachPowScalarAndTensor(_Scalar):
    """scalar to the power of each element of x, as Pow has it."""

    name = "ge.ForeachPowScalarAndTensor"
    TYPES: ClassVar = {"T": _NUMBER}

    scalar = tin(_SCALARS)
    x = dyn_tin("T")
    y = dyn_tout("T")
