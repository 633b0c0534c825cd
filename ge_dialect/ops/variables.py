"""State: variables, and the nodes that read and write them.

A variable is a value of type `!ge.ref<tensor>`. A node that writes returns the ref again, as GE's
operators do, so that data edges order later readers after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.broadcast import broadcast_to
from ge_dialect.infer.dims import refine
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.effects import Effects
from ge_dialect.ir.fields import bool_, int_, ref_in, ref_out, string, tensor, tin, tout
from ge_dialect.ir.types import elem_of, ref_type, shape_of, tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


def _same_ref(n: InferNode, name: str) -> Attribute:
    return ref_type(n.logical(name))


@ge_op
class Variable(GeOp):
    """State that outlives a run. Its type is declared; `value` is what it holds at first.

    Two variables are two resources even when all their attributes are equal.
    """

    name = "ge.Variable"
    EFFECTS: ClassVar = Effects.UNKNOWN

    y = ref_out("ANY")
    index = int_(0)
    value = tensor(opt=True)
    container = string("")
    shared_name = string("")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if not n.declared:
            n.fail("the type of a variable is not known", expected="a result type", code="GX-228")
        (declared,) = n.declared
        held = n.attr("value")
        shape, elem = shape_of(declared), elem_of(declared)
        value_type = getattr(held, "type", None)
        if value_type is not None:
            shape = refine(shape, shape_of(value_type), "shapes of the variable and its value")
            if elem_of(value_type) != elem:
                n.fail(
                    "the first value has another dtype than the variable",
                    found=elem_of(value_type),
                    expected=elem,
                    code="GX-225",
                )
        return (ref_type(tensor_type(shape, elem)),)


@ge_op
class RefData(GeOp):
    """Graph input `index` that the graph may update in place."""

    name = "ge.RefData"
    EFFECTS: ClassVar = Effects.UNKNOWN

    x = ref_in("ANY")
    y = ref_out("ANY")
    index = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if n.attr("index") < 0:
            n.fail("index must not be negative", found=n.attr("index"), expected="≥ 0")
        return (_same_ref(n, "x"),)


@ge_op
class Read(GeOp):
    """The tensor a ref holds at this point of the order."""

    name = "ge.Read"
    TYPES: ClassVar = {"T": "ANY"}
    EFFECTS: ClassVar = Effects.reads("ref")

    ref = ref_in("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (n.logical("ref"),)


@ge_op
class Assign(GeOp):
    """ref takes the value; with `validate_shape` both have one shape, else ref takes that too."""

    name = "ge.Assign"
    TYPES: ClassVar = {"T": "ANY"}
    EFFECTS: ClassVar = Effects.writes("ref")

    ref = ref_in("T")
    value = tin("T")
    ref_ = ref_out("T", name="ref")
    validate_shape = bool_(True)
    use_locking = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if n.attr("validate_shape"):
            refine(n.shape("ref"), n.shape("value"), "shapes of ref and value")
            return (_same_ref(n, "ref"),)
        return (ref_type(tensor_type(n.shape("value"), n.elem("ref"))),)


@ge_op
class AssignAdd(GeOp):
    """ref takes ref + value; the value stretches to the ref's shape."""

    name = "ge.AssignAdd"
    TYPES: ClassVar = {"T": "BasicType"}
    EFFECTS: ClassVar = Effects.writes("ref", reads=("ref",))

    ref = ref_in("T")
    value = tin("T")
    ref_ = ref_out("T", name="ref")
    use_locking = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        broadcast_to(n.shape("value"), n.shape("ref"))
        return (_same_ref(n, "ref"),)


@ge_op
class AssignSub(GeOp):
    """var takes var - value; the value stretches to the variable's shape."""

    name = "ge.AssignSub"
    TYPES: ClassVar = {"T": "NumberType"}
    EFFECTS: ClassVar = Effects.writes("var", reads=("var",))

    var = ref_in("T")
    value = tin("T")
    var_ = ref_out("T", name="var")
    use_locking = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        broadcast_to(n.shape("value"), n.shape("var"))
        return (_same_ref(n, "var"),)


__all__ = ["Assign", "AssignAdd", "AssignSub", "Read", "RefData", "Variable"]
