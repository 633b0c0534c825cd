"""IR definition recovery: a node of another version, brought to the prototype of this one.

Four rules, GE's: the common beginning of the lists must agree in names, kinds and order; what the
prototype has beyond it must be optional; what the node has beyond it must not be in use; and a node
has no more outputs than its prototype.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ge_dialect.register.definition import Attr, IrDefinition, NodeRecord, Slot, SlotKind
from ge_dialect.register.errors import Finding, finding

Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recovered:
    """A node with the prototype's definition, and what was added and dropped on the way."""

    record: NodeRecord
    added_inputs: Names = ()
    added_attrs: Names = ()
    dropped_inputs: Names = ()
    dropped_attrs: Names = ()

    @property
    def changed(self) -> bool:
        """Whether the node came from another version."""
        return bool(
            self.added_inputs or self.added_attrs or self.dropped_inputs or self.dropped_attrs
        )


class IncompatibleError(ValueError):
    """No recovery is possible; `findings` holds all reasons."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__("; ".join(f.text for f in findings))
        self.findings = list(findings)


def recover(record: NodeRecord, prototype: IrDefinition) -> Recovered:
    """The node under `prototype`; raises `IncompatibleError` with every rule it breaks.

    The result's definition is the prototype, so recovering it again changes nothing.
    """
    own = record.definition
    case = _Case(record)
    added, dropped = case.inputs(own.inputs, prototype.inputs or ())
    case.graphs(own.graphs, prototype.graphs or ())
    case.outputs(own.outputs or (), prototype.outputs or ())
    added_attrs, dropped_attrs = case.attrs(own.attrs, prototype.attrs or ())
    if case.problems:
        raise IncompatibleError(case.problems)
    kept = {k: v for k, v in record.attrs.items() if k not in dropped_attrs}
    whole = replace(record, definition=prototype, attrs=kept)
    return Recovered(whole, added, added_attrs, dropped, dropped_attrs)


def refused(record: NodeRecord, value: str, reason: str) -> Finding:
    """E14001: something of a node that its prototype does not take."""
    name, op_type = record.name, record.op_type
    return finding("E14001", name, value=value, opname=name, optype=op_type, reason=reason)


class _Case:
    """The rules for one node, and what it breaks."""

    def __init__(self, record: NodeRecord) -> None:
        self.record = record
        self.problems: list[Finding] = []

    def refuse(self, value: str, reason: str) -> None:
        self.problems.append(refused(self.record, value, reason))

    def agree(self, what: str, own: Sequence[Slot | Attr], wanted: Sequence[Slot | Attr]) -> bool:
        """Whether the common beginning does; names the first place where it does not."""
        for i, (a, b) in enumerate(zip(own, wanted, strict=False)):
            if a.name != b.name:
                self.refuse(f"{what} {i} '{a.name}'", f"the prototype's is '{b.name}'")
                return False
            if isinstance(a, Slot) and isinstance(b, Slot) and a.kind != b.kind:
                self.refuse(f"{what} '{a.name}'", f"it is {a.kind}, the prototype's {b.kind}")
                return False
        return True

    def inputs(self, own: Sequence[Slot] | None, wanted: Sequence[Slot]) -> tuple[Names, Names]:
        if own is None or not self.agree("input", own, wanted):
            return (), ()
        newer, older = wanted[len(own) :], own[len(wanted) :]
        for slot in newer:
            if slot.kind == SlotKind.REQUIRED:
                self.refuse(f"input '{slot.name}'", "the prototype requires it, the node is older")
        for slot in older:
            if slot.kind == SlotKind.REQUIRED or self.record.connected.get(slot.name):
                self.refuse(f"input '{slot.name}'", "the prototype has none, and the node uses it")
        return tuple(s.name for s in newer), tuple(s.name for s in older)

    def graphs(self, own: Sequence[Slot] | None, wanted: Sequence[Slot]) -> None:
        if own is None or not self.agree("sub-graph", own, wanted):
            return
        for slot in wanted[len(own) :]:
            if slot.kind == SlotKind.REQUIRED:
                self.refuse(
                    f"sub-graph '{slot.name}'", "the prototype requires it, the node is older"
                )
        for slot in own[len(wanted) :]:
            self.refuse(f"sub-graph '{slot.name}'", "the prototype has none")

    def outputs(self, own: Sequence[Slot], wanted: Sequence[Slot]) -> None:
        if len(own) > len(wanted):
            self.refuse(f"{len(own)} outputs", f"the prototype has {len(wanted)}")
        else:
            self.agree("output", own, wanted)

    def attrs(self, own: Sequence[Attr] | None, wanted: Sequence[Attr]) -> tuple[Names, Names]:
        if own is None or not self.agree("attribute", own, wanted):
            return (), ()
        newer, older = wanted[len(own) :], own[len(wanted) :]
        for attr in newer:
            if attr.required and attr.name not in self.record.attrs:
                self.refuse(
                    f"attribute '{attr.name}'", "the prototype has no default, the node is older"
                )
        for attr in older:
            if attr.name in self.record.attrs:
                self.refuse(
                    f"attribute '{attr.name}'", "the prototype has none, and the node sets it"
                )
        return tuple(a.name for a in newer), tuple(a.name for a in older)
