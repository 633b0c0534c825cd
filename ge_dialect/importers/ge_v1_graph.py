"""A dump's graph while control flow of TensorFlow 1 is taken out of it, part by part.

A step costs what it changes and a glance at each Merge that is left, not a walk over the graph:
readers are noted per operator, and what was found about a part holds until something that it came
from has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from ge_dialect.importers.ge_links import split_edge
from ge_dialect.importers.ge_message import Msg
from ge_dialect.ir.taken_names import TakenNames

ENTER = frozenset({"Enter", "RefEnter"})
MERGE = frozenset({"Merge", "RefMerge"})
SWITCH = frozenset({"Switch", "RefSwitch"})
NEXT = frozenset({"NextIteration", "RefNextIteration"})
EXIT = frozenset({"Exit", "RefExit"})
V1 = ENTER | MERGE | SWITCH | NEXT | EXIT | {"LoopCond"}
FREE = frozenset({"Const", "Constant"})

Edge = tuple[str, int]


class Unstructured(Exception):
    """A part of a graph that is not built as a loop or a branch is."""


@dataclass
class V1Graph:
    """A graph in parts that can be changed: operators and their edges by name."""

    msg: Msg
    ops: dict[str, Msg] = field(default_factory=dict)
    edges: dict[str, list[Edge | None]] = field(default_factory=dict)
    pos: dict[str, int] = field(default_factory=dict)
    #: A number that says how operators stand; new ones stand at the end.
    rank: dict[str, int] = field(default_factory=dict)
    numbers: Iterator[int] = field(default_factory=count)
    #: name -> output -> who reads it, in order
    users: dict[str, dict[int, dict[str, None]]] = field(default_factory=dict)
    made: dict[str, Msg] = field(default_factory=dict)
    names: TakenNames = field(default_factory=TakenNames)
    op_names: TakenNames = field(default_factory=TakenNames)
    #: Enters by frame, and Merges, in order.
    frames: dict[str, dict[str, None]] = field(default_factory=dict)
    merges: dict[str, None] = field(default_factory=dict)
    #: Operators that read others than their message says.
    moved: set[str] = field(default_factory=set)
    #: Operators that were looked at since this was emptied.
    seen: set[str] = field(default_factory=set)
    #: What was found before, and who depends on an operator.
    known: dict[Any, Any] = field(default_factory=dict)
    lookers: dict[str, set[Any]] = field(default_factory=dict)

    def add(self, name: str, op: Msg, edges: list[Edge | None], pos: int) -> None:
        """Put an operator at the end."""
        self.ops[name], self.edges[name], self.pos[name] = op, edges, pos
        self.rank[name] = next(self.numbers)
        self.op_names.add(name)
        if op.get("type") in ENTER:
            self.frames.setdefault(_frame_name(op), {})[name] = None
        elif op.get("type") in MERGE:
            self.merges[name] = None

    def drop(self, name: str) -> None:
        """Take an operator out, and what is known of its readers."""
        for edge in self.edges.pop(name):
            if edge is not None and edge[0] in self.users:
                self.users[edge[0]][edge[1]].pop(name, None)
        self.users.pop(name, None)
        op = self.ops.pop(name)
        self.op_names.discard(name)
        self.moved.discard(name)
        self.merges.pop(name, None)
        enters = self.frames.get(_frame_name(op), {})
        enters.pop(name, None)
        if not enters:
            self.frames.pop(_frame_name(op), None)

    def link(self, name: str, edges: list[Edge | None]) -> None:
        """Note that an operator reads these."""
        for edge in edges:
            if edge is not None:
                self.users.setdefault(edge[0], {}).setdefault(edge[1], {})[name] = None

    def type(self, name: str) -> str:
        """The type of an operator."""
        self.seen.add(name)
        return self.ops[name].get("type", "")

    def edges_of(self, name: str) -> list[Edge | None]:
        """What an operator reads and waits for; None for an input that is not connected."""
        self.seen.add(name)
        return self.edges[name]

    def data(self, name: str) -> list[Edge]:
        """Data inputs of an operator; Unstructured where one is not connected."""
        out = [e for e in self.edges_of(name) if e is not None and e[1] >= 0]
        if any(e is None for e in self.edges_of(name)):
            raise Unstructured
        return out

    def waits(self, name: str) -> list[str]:
        """The operators that an operator waits for."""
        return [e[0] for e in self.edges_of(name) if e is not None and e[1] < 0]

    def users_of(self, name: str, output: int) -> Iterable[str]:
        """Who reads an output, in order."""
        self.seen.add(name)
        return self.users.get(name, {}).get(output, ())

    def all_users(self, name: str) -> set[str]:
        """Who reads an operator or waits for it."""
        self.seen.add(name)
        return {u for users in self.users.get(name, {}).values() for u in users}

    def sort(self, names: Iterable[str]) -> list[str]:
        """Operators as they stand in the graph."""
        return sorted(names, key=self.rank.__getitem__)

    def ask(self, key: Any, question: Callable[..., Any], *about: Any) -> Any:
        """The answer to `question(graph, *about)`, None where something is not structured.

        It is asked again only when an operator that was looked at has changed. True says that
        the graph was changed to find the answer, and is not remembered.
        """
        if key in self.known:
            return self.known[key]
        self.seen = set()
        try:
            found = question(self, *about)
        except (Unstructured, ValueError, IndexError):
            found = None
        if found is not True:
            self.known[key] = found
            for name in self.seen:
                self.lookers.setdefault(name, set()).add(key)
        return found

    def changed(self, names: Iterable[str]) -> None:
        """Forget the answers that came from these operators."""
        for name in names:
            for key in self.lookers.pop(name, ()):
                self.known.pop(key, None)


def _frame_name(op: Msg) -> str:
    value = op.attrs.get("frame_name")
    found = None if value is None else value.f.get("s")
    return found if isinstance(found, str) else ""


def open_graph(graph: Msg) -> V1Graph | None:
    """The graph with its edges; None where a name or an edge is broken."""
    out = V1Graph(graph)
    for i, op in enumerate(graph.many("op")):
        name = op.get("name", "")
        if not name or name in out.ops:
            return None
        edges: list[Edge | None] = []
        for text in op.many("input"):
            edge = split_edge(text) if text else None
            if text and edge is None:
                return None
            edges.append(edge)
        out.add(name, op, edges, graph.place("op", i))
    if any(e is not None and e[0] not in out.ops for edges in out.edges.values() for e in edges):
        return None
    for name, edges in out.edges.items():
        out.link(name, edges)
    return out
