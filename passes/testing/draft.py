"""A spec that can be edited: values and nodes are objects, numbered again at the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from passes.testing.spec import GraphSpec, Input, Literal, Step, result_count


class Tok:
    """A value of a draft; `node` makes it (None: an input)."""

    __slots__ = ("node", "type")

    def __init__(self, type_: str, node: Node | None = None) -> None:
        self.type = type_
        self.node = node


DraftArg = Tok | list[Tok] | None


@dataclass(eq=False)
class Node:
    """A step of a draft; `step` holds what is not edges."""

    step: Step
    args: list[DraftArg]
    results: list[Tok] = field(default_factory=list)
    after: list[Node] = field(default_factory=list)

    def slots(self) -> Iterator[tuple[int, int | None, Tok]]:
        """Every value it reads: index of the input, place in a dynamic one, value."""
        for i, arg in enumerate(self.args):
            if isinstance(arg, list):
                for k, tok in enumerate(arg):
                    yield i, k, tok
            elif arg is not None:
                yield i, None, arg

    def put(self, index: int, place: int | None, tok: Tok) -> None:
        """Read another value at one place."""
        arg = self.args[index]
        if isinstance(arg, list):
            assert place is not None
            arg[place] = tok
        else:
            self.args[index] = tok

    def edit(self, **changes: Any) -> None:
        """Change what is not edges."""
        self.step = replace(self.step, **changes)


class Draft:
    """An editable graph; bodies stay specs."""

    def __init__(self, spec: GraphSpec) -> None:
        self.become(spec)

    def become(self, spec: GraphSpec) -> None:
        """Take another graph in place of this one."""
        self._spec = spec
        self.inputs: list[tuple[Input, Tok]] = [(i, Tok(i.type)) for i in spec.inputs]
        values = [tok for _, tok in self.inputs]
        self.nodes: list[Node] = []
        for step in spec.steps:
            args: list[DraftArg] = [
                [values[v] for v in a] if isinstance(a, tuple) else None if a is None else values[a]
                for a in step.args
            ]
            node = Node(step, args, after=[self.nodes[a] for a in step.after])
            types = step.types or ("",) * result_count(step)
            node.results = [Tok(t, node) for t in types]
            values += node.results
            self.nodes.append(node)
        self.outputs = [values[o] for o in spec.outputs]
        self.after = [self.nodes[a] for a in spec.after]

    def spec(self) -> GraphSpec:
        """The graph as a spec; KeyError where something reads what is gone or comes later."""
        number: dict[Tok, int] = {tok: i for i, (_, tok) in enumerate(self.inputs)}
        place: dict[Node, int] = {}
        steps: list[Step] = []
        for node in self.nodes:
            args = tuple(
                tuple(number[t] for t in a)
                if isinstance(a, list)
                else None
                if a is None
                else number[a]
                for a in node.args
            )
            after = tuple(dict.fromkeys(place[n] for n in node.after))
            steps.append(replace(node.step, args=args, after=after))
            place[node] = len(place)
            for tok in node.results:
                number[tok] = len(number)
        return replace(
            self._spec,
            inputs=tuple(i for i, _ in self.inputs),
            steps=tuple(steps),
            outputs=tuple(number[t] for t in self.outputs),
            after=tuple(dict.fromkeys(place[n] for n in self.after)),
        )

    # ------------------------------------------------------------------------------ questions

    def uses(self, tok: Tok) -> list[tuple[Node, int, int | None]]:
        """Where a value is read (outputs of the graph aside)."""
        return [(n, i, k) for n in self.nodes for i, k, t in n.slots() if t is tok]

    def inner(self) -> list[Tok]:
        """Results that some node reads."""
        read = {t for n in self.nodes for _, _, t in n.slots()}
        return [t for n in self.nodes for t in n.results if t in read]

    def before(self, node: Node) -> list[Tok]:
        """All values that stand before a node, the oldest first."""
        out = [tok for _, tok in self.inputs]
        for other in self.nodes:
            if other is node:
                break
            out += other.results
        return out

    # ---------------------------------------------------------------------------------- edits

    def insert(
        self, place: int, op: str, args: list[DraftArg], types: tuple[str, ...], **more: Any
    ) -> Node:
        """A new node at a place in the order."""
        node = Node(Step(op, types=types, **more), args)
        node.results = [Tok(t, node) for t in types]
        self.nodes.insert(place, node)
        return node

    def constant(self, held: Literal, type_: str) -> Tok:
        """A new Const at the front."""
        return self.insert(0, "Const", [], (type_,), attrs=(("value", held),)).results[0]

    def input(self, type_: str) -> Tok:
        """A new input of the graph."""
        tok = Tok(type_)
        self.inputs.append((Input(type_), tok))
        return tok

    def replace_value(self, old: Tok, new: Tok, *, but: Node | None = None) -> None:
        """Let everything that reads `old` read `new`, except one node."""
        for node in self.nodes:
            if node is not but:
                for i, k, tok in list(node.slots()):
                    if tok is old:
                        node.put(i, k, new)
        self.outputs = [new if t is old else t for t in self.outputs]

    def remove(self, node: Node) -> None:
        """Drop a node whose results nobody reads; those that waited for it no longer do."""
        self.nodes.remove(node)
        for other in self.nodes:
            other.after = [n for n in other.after if n is not node]
        self.after = [n for n in self.after if n is not node]

    def place_after(self, tok: Tok) -> int:
        """The first place in the order where a value can be read."""
        return 0 if tok.node is None else self.nodes.index(tok.node) + 1
