"""Tables of the one-line reader: facts of operator classes, and node names of one graph."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import FileLineColLoc, FusedLoc, NameLoc, NoneAttr
from xdsl.ir import Attribute, Operation

from ge_dialect.ir.base import GeOp, OpTable
from ge_dialect.ir.private import raw_name_loc, raw_string

_NONE = NoneAttr()


class ClassFacts:
    """What the one-line path needs of an operator class."""

    __slots__ = (
        "cls",
        "count",
        "fixed",
        "generic",
        "inputs",
        "memo",
        "plain",
        "required",
        "solo",
        "table",
        "type_name",
    )

    def __init__(self, cls: type[GeOp]) -> None:
        table = cls.ge_table()
        self.cls = cls
        self.table: OpTable = table
        self.type_name = cls.name[3:]
        self.fixed = table.fixed
        self.count = len(table.inputs)
        self.inputs = table.inputs
        self.solo = table.solo
        #: exact number of outputs, or -1 where result segment sizes are needed
        self.required = -1 if table.sized_results else len(table.outputs)
        #: whether the one-line path can build it at all
        self.plain = not table.graphs and sum(s.kind != 0 for s in table.outputs) < 2
        #: attribute text -> (properties, attributes)
        self.memo: dict[str | None, tuple[dict[str, Attribute], dict[str, Attribute]]] = {}
        #: the same for the two dictionaries of the generic form
        self.generic: dict[
            tuple[str | None, str | None], tuple[dict[str, Attribute], dict[str, Attribute]]
        ] = {}


class Names:
    """Node names of one graph: given ones win, the rest is made unique."""

    __slots__ = ("ordinals", "taken")

    def __init__(self) -> None:
        self.taken: dict[str, tuple[Operation, bool]] = {}
        self.ordinals: dict[str, int] = {}

    def default_of(self, type_: str) -> str:
        """Name of a node without results and name: its type, numbered per type."""
        n = self.ordinals.get(type_, 0)
        return f"{type_}_{n}" if n else type_

    def count(self, type_: str) -> None:
        """Note a node without results."""
        self.ordinals[type_] = self.ordinals.get(type_, 0) + 1

    def free(self, base: str) -> str:
        name = base  # SSA names differ, so that no base is asked for more than a few times
        i = 0
        while name in self.taken:
            i += 1
            name = f"{base}_{i}"
        return name

    def settle(self, name: str, explicit: bool) -> str:
        """A name for a node whose own is taken; a given name moves a made-up one aside."""
        holder, held_explicitly = self.taken[name]
        if not explicit:
            return self.free(name)
        if not held_explicitly:
            moved = self.free(name)
            self.taken[moved] = (holder, False)
            old = holder.location
            assert isinstance(old, NameLoc)
            holder.location = raw_name_loc(raw_string(moved), old.location)
        return name  # two given names clash: the verifier says so


def with_file(leaves: Sequence[Attribute], where: FileLineColLoc) -> Attribute:
    """Inner location of a node: its origins and one file position, the given one if it has one."""
    if any(isinstance(leaf, FileLineColLoc) for leaf in leaves):
        return leaves[0] if len(leaves) == 1 else FusedLoc(tuple(leaves), _NONE)
    return FusedLoc((*leaves, where), _NONE) if leaves else where
