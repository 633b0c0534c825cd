"""The edge of a graph: inputs, outputs, constants, and nodes of unknown type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Attribute

from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.effects import Effects
from ge_dialect.ir.fields import (
    dyn_any_in,
    dyn_any_out,
    int_,
    string,
    tensor,
    tin,
    tout,
)
from ge_dialect.ir.types import elem_of, shape_of, tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


class _Constant(GeOp):
    """A tensor held by the graph."""

    y = tout("ANY")
    value = tensor()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        value = n.attr("value")
        if isinstance(value, DenseIntOrFPElementsAttr):
            return (tensor_type(shape_of(value.type), elem_of(value.type)),)
        # the type of a weight stands on the result only
        if not n.declared:
            n.fail("the type of a weight is not known", expected="a result type", code="GX-228")
        (declared,) = n.declared
        return (tensor_type(shape_of(declared), elem_of(declared)),)


@ge_op
class Const(_Constant):
    """A tensor held by the graph: `value` inline (`dense<…>`), or a weight of the store."""

    name = "ge.Const"


@ge_op
class Constant(_Constant):
    """Another name of Const, met in graphs of some front ends."""

    name = "ge.Constant"


@ge_op
class Data(GeOp):
    """Graph input `index`, made visible as a node; passes the graph's argument on.

    Nobody merges or erases it, since an unused input is still an input.
    """

    name = "ge.Data"
    EFFECTS: ClassVar = Effects.UNKNOWN

    x = tin("ANY")
    y = tout("ANY")
    index = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if n.attr("index") < 0:
            n.fail("index must not be negative", found=n.attr("index"), expected="≥ 0")
        return (n.logical("x"),)


@ge_op
class NetOutput(GeOp):
    """The end of every graph and body: its inputs are the outputs, in order."""

    name = "ge.NetOutput"
    EFFECTS: ClassVar = Effects.UNKNOWN
    GE_TERMINATOR: ClassVar = True

    input = dyn_any_in("ANY")


@ge_op
class Opaque(GeOp):
    """A node of a type the library does not know; keeps its declared result types.

    `type` is GE's operator type. Undeclared attributes stand as `ge.attr.<name>`.
    """

    name = "ge.Opaque"
    EFFECTS: ClassVar = Effects.UNKNOWN

    input = dyn_any_in("ANY")
    output = dyn_any_out("ANY")
    type = string()
