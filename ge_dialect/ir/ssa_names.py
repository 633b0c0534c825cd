"""SSA names (with their `%`) of one printed module: hints where free, numbers otherwise."""

from __future__ import annotations

import re
from functools import lru_cache

from xdsl.dialects.builtin import NameLoc
from xdsl.ir import Operation, SSAValue

from ge_dialect.ir.private import name_hint
from ge_dialect.ir.taken_names import TakenNames

_LEGAL = re.compile(r"(?:[0-9]+|[A-Za-z_$.\-][A-Za-z0-9_$.\-]*)\Z")


class SsaNames:
    """Names given so far, per scope.

    isolated: bodies may use the names of their surroundings again, as they do in the custom form.
    In the generic form they may not, since other tools do not know that they are isolated.
    """

    def __init__(self, isolated: bool) -> None:
        self.isolated = isolated
        self.by_value: dict[int, str] = {}
        self._taken = TakenNames()
        #: The names themselves, since most are asked for once and are free.
        self.used = self._taken.held
        self.number = 0
        self._scopes: list[tuple[TakenNames, int, list[str] | None]] = []
        self._added: list[str] | None = None
        #: identities of values named at a use that stands before their definition (broken IR)
        self.early: set[int] = set()

    def enter(self, isolated: bool | None = None) -> None:
        """Begin a body; `isolated` overrides the printing's own rule."""
        self._scopes.append((self._taken, self.number, self._added))
        if self.isolated if isolated is None else isolated:
            self._taken = TakenNames()
            self.used = self._taken.held
            self.number = 0
            self._added = None
        else:
            self._added = []

    def leave(self) -> None:
        """End a body; its names are free again."""
        if self._added is not None:
            for name in self._added:
                self._taken.discard(name)
        self._taken, self.number, self._added = self._scopes.pop()
        self.used = self._taken.held

    def take(self, name: str, value: SSAValue) -> str:
        """Give a value exactly this name."""
        self.used.add(name)
        if self._added is not None:
            self._added.append(name)
        text = self.by_value[id(value)] = "%" + name
        return text

    def give(self, value: SSAValue, base: str | None) -> str:
        """Name a value `base`, a variation of it, or a number."""
        used = self.used
        if base is not None:
            return self.take(self._taken.free(base) if base in used else base, value)
        n = self.number
        while (name := str(n)) in used:
            n += 1
        self.number = n + 1
        return self.take(name, value)

    def of(self, value: SSAValue) -> str:
        """Name of a value at a use of it."""
        found = self.by_value.get(id(value))
        if found is None:
            found = self.give(value, _legal(name_hint(value)))
            self.early.add(id(value))
        return found

    def define(self, value: SSAValue) -> str:
        """Name of a value at its definition."""
        found = self.by_value.get(id(value))
        if found is None:
            return self.give(value, _legal(name_hint(value)))
        self.early.discard(id(value))
        return found

    def results(self, op: Operation) -> list[str]:
        """Names of the results of an operation, the first one like the node where that is legal."""
        out: list[str] = []
        known = self.by_value
        for i, result in enumerate(op.results):
            name = known.get(id(result))
            if name is None:
                base = name_hint(result)
                if i == 0:
                    loc = op.location
                    if isinstance(loc, NameLoc):
                        node = loc.desc.data
                        if base != node and _prefers(node, base):
                            base = node
                name = self.give(result, _legal(base))
            elif self.early:
                self.early.discard(id(result))
            out.append(name)
        return out


@lru_cache(maxsize=65536)
def is_legal(name: str) -> bool:
    """Whether a name can stand behind `%`."""
    return _LEGAL.match(name) is not None


def _legal(name: str | None) -> str | None:
    return name if name is not None and is_legal(name) else None


def _prefers(node: str, hint: str | None) -> bool:
    """Whether the node's name is the better SSA name: no hint, or a hint that lost its number."""
    if hint is None:
        return is_legal(node)
    head, _, tail = node.rpartition("_")
    return head == hint and tail.isdigit()
