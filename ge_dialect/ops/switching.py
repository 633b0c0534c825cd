"""Control flow of TensorFlow 1: values that are dead, and loops in frames.

Switch sends its data one way; what the other way would have computed is dead: a node with a dead
data or control input does not run, and its results are dead. Merge takes the value that is alive.
ControlTrigger runs all the same. Between Enter and Exit a loop has a frame of its own, in which
nodes run once a turn: NextIteration hands a value to the Merge of the next turn. That edge goes
back, so it is no operand but a name in the Merge's attribute `ge.back_edges`. Source: TensorFlow's
description of its control flow (Implementation of Control Flow in TensorFlow, 2017).

The forms named Ref… take handles to state as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import to_xdsl
from ge_dialect.infer.errors import COUNT
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.effects import Effects
from ge_dialect.ir.fields import (
    any_in,
    any_out,
    bool_,
    dyn_any_in,
    dyn_tin,
    dyn_tout,
    string,
    tin,
    tout,
)
from ge_dialect.ir.types import RefType, elem_of, ref_type, shape_of, tensor_type
from ge_dialect.ops.control_flow import merge_types

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

#: A node's entries that come from a later turn of a loop: "node:output" by number of the entry.
BACK_EDGES = "ge.back_edges"
_I32 = to_xdsl("int32")


def _plain(given: Attribute | None) -> Attribute:
    """The type without layout."""
    assert given is not None
    tensor = tensor_type(shape_of(given), elem_of(given))
    return ref_type(tensor) if isinstance(given, RefType) else tensor


def _switched(n: InferNode) -> Sequence[Attribute]:
    n.one_value("pred")
    return [_plain(n.type("data"))] * 2


def _merged(n: InferNode) -> Sequence[Attribute]:
    """What holds for whichever input comes; at a loop also for the turns that are declared."""
    given = n.types("x")
    back = n.op is not None and BACK_EDGES in n.op.attributes
    if not given:
        if back and n.declared:
            return n.declared
        n.fail("there is nothing to merge", found="no input", expected="one or more", code=COUNT)
    types = [_plain(given[0])]
    for other in given[1:]:
        types = merge_types(n, types, [_plain(other)], "the inputs")
    if back and n.declared:
        types = merge_types(n, types, [_plain(n.declared[0])], "the input and later turns")
    return [*types, tensor_type((), _I32)]


@ge_op
class Switch(GeOp):
    """data as output_true where pred holds, else as output_false; the other output is dead."""

    name = "ge.Switch"
    TYPES: ClassVar = {"T": "ANY"}
    EFFECTS: ClassVar = Effects.UNKNOWN

    data = tin("T")
    pred = tin("bool")
    output_false = tout("T")
    output_true = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _switched(n)


@ge_op
class RefSwitch(GeOp):
    """Switch, of a tensor or a handle."""

    name = "ge.RefSwitch"
    EFFECTS: ClassVar = Effects.UNKNOWN

    data = any_in("ANY")
    pred = tin("bool")
    output_false = any_out("ANY")
    output_true = any_out("ANY")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _switched(n)


@ge_op
class SwitchN(GeOp):
    """data as the output numbered pred_value; the others are dead.

    A number that no output has means the last one, as in TensorFlow's _SwitchN. There are as many
    outputs as a node is declared with, one where it is not.
    """

    name = "ge.SwitchN"
    TYPES: ClassVar = {
        "T": (
            "float16, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64, "
            "bool"
        )
    }
    EFFECTS: ClassVar = Effects.UNKNOWN

    data = tin("T")
    pred_value = tin("int64")
    output = dyn_tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        n.one_value("pred_value")
        return [_plain(n.type("data"))] * max(len(n.declared or ()), 1)


@ge_op
class Merge(GeOp):
    """The input that is alive, the first of several, and its number."""

    name = "ge.Merge"
    TYPES: ClassVar = {"T": "ANY"}
    EFFECTS: ClassVar = Effects.UNKNOWN

    x = dyn_tin("T")
    y = tout("T")
    value_index = tout("int32")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _merged(n)


@ge_op
class RefMerge(GeOp):
    """Merge, of tensors or handles."""

    name = "ge.RefMerge"
    EFFECTS: ClassVar = Effects.UNKNOWN

    x = dyn_any_in("ANY")
    y = any_out("ANY")
    value_index = tout("int32")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _merged(n)


class _Passing(GeOp):
    """x as it is, in another frame or turn."""

    EFFECTS: ClassVar = Effects.UNKNOWN

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return [_plain(n.type("x"))]


@ge_op
class Enter(_Passing):
    """x in the frame of a loop, for its first turn; with `is_constant` for each of its turns."""

    name = "ge.Enter"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    y = tout("T")
    frame_name = string()
    is_constant = bool_()


@ge_op
class RefEnter(_Passing):
    """Enter, of a tensor or a handle."""

    name = "ge.RefEnter"

    x = any_in("ANY")
    y = any_out("ANY")
    frame_name = string()
    is_constant = bool_()


@ge_op
class Exit(_Passing):
    """x outside of its loop, from the turn in which it is alive."""

    name = "ge.Exit"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    y = tout("T")


@ge_op
class RefExit(_Passing):
    """Exit, of a tensor or a handle."""

    name = "ge.RefExit"

    x = any_in("ANY")
    y = any_out("ANY")


@ge_op
class NextIteration(_Passing):
    """x in the next turn of its loop; a dead x ends the loop."""

    name = "ge.NextIteration"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    y = tout("T")


@ge_op
class RefNextIteration(_Passing):
    """NextIteration, of a tensor or a handle."""

    name = "ge.RefNextIteration"

    x = any_in("ANY")
    y = any_out("ANY")


@ge_op
class LoopCond(GeOp):
    """x, which says whether a loop turns once more."""

    name = "ge.LoopCond"
    EFFECTS: ClassVar = Effects.UNKNOWN

    x = tin("bool")
    y = tout("bool")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        n.one_value("x")
        return [_plain(n.type("x"))]
