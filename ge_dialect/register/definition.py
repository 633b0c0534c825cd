"""What an operator's prototype declares, and what a node carries of it.

GE calls this the IR definition: names and kinds of inputs, outputs, attributes and sub-graphs, in
the order of the prototype. A node written by another version carries the one it was made with.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ge_dialect.ir.base import GeOp, SlotSpec


class SlotKind(StrEnum):
    """How many tensors a slot takes: one, at most one, any number."""

    REQUIRED = "required"
    OPTIONAL = "optional"
    DYNAMIC = "dynamic"


@dataclass(frozen=True, slots=True)
class Slot:
    """An input, output or sub-graph."""

    name: str
    kind: SlotKind = SlotKind.REQUIRED


@dataclass(frozen=True, slots=True)
class Attr:
    """An attribute; `required`: it has no default. `kind` is GE's name of it ("ListInt"), or ""."""

    name: str
    required: bool = False
    kind: str = ""


@dataclass(frozen=True, slots=True)
class IrDefinition:
    """A prototype, or what a node carries of the one it was made with.

    None where nothing is known of a list: a node without it takes the prototype's.
    """

    op_type: str
    inputs: tuple[Slot, ...] | None = None
    outputs: tuple[Slot, ...] | None = None
    attrs: tuple[Attr, ...] | None = None
    graphs: tuple[Slot, ...] | None = None


@dataclass(frozen=True, slots=True)
class NodeRecord:
    """A node as it is checked against a prototype.

    definition: what it carries. connected: tensors per input name; an input that is not in it, or
    with 0, is not connected. outputs: number of its results. attrs: the attributes it sets, by
    GE's name. extra_inputs: tensors that belong to no input its definition or prototype names.
    """

    name: str
    definition: IrDefinition
    connected: Mapping[str, int] = field(default_factory=dict)
    outputs: int = 0
    attrs: Mapping[str, Any] = field(default_factory=dict)
    extra_inputs: int = 0

    @property
    def op_type(self) -> str:
        """GE's operator type."""
        return self.definition.op_type


def slot_kind(slot: SlotSpec) -> SlotKind:
    """Kind of a slot of an operator's class."""
    from ge_dialect.ir.base import DYNAMIC, OPTIONAL

    if slot.kind == DYNAMIC:
        return SlotKind.DYNAMIC
    return SlotKind.OPTIONAL if slot.kind == OPTIONAL else SlotKind.REQUIRED


def definition_of(op_type: str) -> IrDefinition | None:
    """The prototype of a registered operator (ours, declared data, a plug-in's), else None."""
    from ge_dialect.ops.registry import has_op, op_class

    if op_type == "Opaque" or not has_op(op_type):
        return None
    return definition_of_class(op_class(op_type))


def definition_of_class(cls: type[GeOp]) -> IrDefinition:
    """The prototype that an operator's class states."""
    table = cls.ge_table()
    return IrDefinition(
        cls.name[3:],
        tuple(Slot(s.name, slot_kind(s)) for s in table.inputs),
        tuple(Slot(s.name, slot_kind(s)) for s in table.outputs),
        tuple(Attr(a.name, a.required, a.kind.name) for a in table.attrs.values()),
        tuple(
            Slot(g.name, SlotKind.DYNAMIC if g.dynamic else SlotKind.REQUIRED) for g in table.graphs
        ),
    )
