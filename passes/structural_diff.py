"""What changed between two states of a module, node by node; names of SSA values play no part.

A module is changed in place, so `snapshot` takes down what a comparison needs. Nodes are matched by
name; those left over by what they are and what they read or are read by, so that renaming alone is
seen as such. Time is linear in the nodes, apart from the leftovers.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import ChainMap, Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import DenseArrayBase, FloatAttr, IntegerAttr, StringAttr
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from ge_dialect.ir.attributes import CtrlType
from ge_dialect.ir.base import SEGMENT_PROPERTIES, GeOp
from ge_dialect.ir.graph import GraphOp
from ge_dialect.ir.names import node_name

#: Longer texts of attributes are cut in the middle.
MAX_TEXT = 72
#: More lines than this are counted, not shown.
MAX_LINES = 400
#: Rounds of matching leftovers by their neighbours.
_ROUNDS = 8


@dataclass(slots=True)
class NodeShot:
    """A node at one moment: op, inputs as (slot, value), nodes waited for, attributes, types."""

    name: str
    op: str
    inputs: tuple[tuple[str, str], ...]
    waits: tuple[str, ...]
    attrs: dict[str, str]
    types: tuple[str, ...]

    def text(self) -> str:
        """The node on one line, much as in the IR, with names of nodes for values."""
        args = [v if s.isdigit() else f"{s} = {v}" for s, v in self.inputs]
        out = f"%{self.name} = {self.op}({', '.join(args)})"
        if self.waits:
            out += f" after({', '.join(self.waits)})"
        if self.attrs:
            out += f" {{{', '.join(f'{k} = {_cut(v)}' for k, v in self.attrs.items())}}}"
        return f"{out} : {', '.join(self.types)}" if self.types else out


@dataclass(slots=True)
class GraphShot:
    """A graph at one moment: kind of its op, types of arguments and attributes as text, names of
    the arguments, nodes in order. Nodes refer to arguments by position, ``%<0>``."""

    kind: str
    head: dict[str, str]
    args: list[str] = field(default_factory=list)
    nodes: dict[str, NodeShot] = field(default_factory=dict)


@dataclass(slots=True)
class Snapshot:
    """A module at one moment: graphs by path (``@g``, ``@g/call:0`` inside a node)."""

    graphs: dict[str, GraphShot] = field(default_factory=dict)


@dataclass(slots=True)
class Change:
    """A node that is still there, and what changed about it."""

    name: str
    lines: list[str]
    was: str | None = None


@dataclass(slots=True)
class GraphDiff:
    """What changed in one graph."""

    path: str
    head: list[str] = field(default_factory=list)
    removed: list[NodeShot] = field(default_factory=list)
    added: list[NodeShot] = field(default_factory=list)
    changed: list[Change] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)
    old_args: list[str] = field(default_factory=list)
    new_args: list[str] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """Whether nothing changed."""
        return not (self.head or self.removed or self.added or self.changed or self.moved)

    def lines(self) -> Iterator[str]:
        """The changes as lines: ``-`` gone, ``+`` new, ``~`` changed, ``>`` moved."""
        yield self.path
        yield from (f"~  {line}" for line in self.head)
        yield from (f"-  {_named(n.text(), self.old_args)}" for n in self.removed)
        yield from (f"+  {_named(n.text(), self.new_args)}" for n in self.added)
        for change in self.changed:
            renamed = f" (was {change.was})" if change.was is not None else ""
            what = [_named(line, self.new_args) for line in change.lines]
            yield f"~  {change.name}{renamed}" + (f": {what[0]}" if len(what) == 1 else "")
            if len(what) > 1:
                yield from (f"     {line}" for line in what)
        if self.moved:
            shown = ", ".join(self.moved[:8]) + (", ..." if len(self.moved) > 8 else "")
            yield f">  {len(self.moved)} moved: {shown}"


@dataclass(slots=True)
class ModuleDiff:
    """What changed in a module; `graphs` holds only those with changes."""

    graphs: list[GraphDiff] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """Whether nothing changed."""
        return not self.graphs

    def render(self) -> str:
        """The changes as text, cut to a readable length."""
        lines = [line for g in self.graphs for line in g.lines()]
        left = len(lines) - MAX_LINES
        if left > 0:
            lines = [*lines[:MAX_LINES], f"... {left} more lines"]
        return "".join(line + "\n" for line in lines)

    def to_json(self) -> list[dict[str, Any]]:
        """Plain data, a graph an entry."""
        return [
            {
                "graph": g.path,
                "head": g.head,
                "removed": [_named(n.text(), g.old_args) for n in g.removed],
                "added": [_named(n.text(), g.new_args) for n in g.added],
                "changed": [
                    {
                        "name": c.name,
                        "was": c.was,
                        "what": [_named(line, g.new_args) for line in c.lines],
                    }
                    for c in g.changed
                ],
                "moved": g.moved,
            }
            for g in self.graphs
        ]

    def counts(self) -> dict[str, int]:
        """Numbers of nodes removed, added, changed and moved."""
        out: Counter[str] = Counter()
        for g in self.graphs:
            for kind in ("removed", "added", "changed", "moved"):
                out[kind] += len(getattr(g, kind))
        return dict(out)


# ----------------------------------------------------------------------------------- snapshots


def snapshot(module: Operation) -> Snapshot:
    """What there is to compare about a module (or a single graph)."""
    out = Snapshot()
    texts: dict[int, tuple[Any, str]] = {}

    def text(attr: Any) -> str:
        found = texts.get(id(attr))
        if found is None:
            found = texts[id(attr)] = (attr, _short(attr))
        return found[1]

    tops = [module] if module.name != "builtin.module" else [o for r in module.regions for o in
            r.block.ops]  # fmt: skip
    for number, top in enumerate(tops):
        label = top.properties.get("sym_name")
        path = f"@{label.data}" if isinstance(label, StringAttr) else f"#{number}"
        _take(top, path, out, text)
    return out


def _short(attr: Any) -> str:
    """An attribute as our text writes it: plain lists, numbers without their type."""
    if isinstance(attr, DenseArrayBase):
        return str(list(attr.get_values()))
    text = str(attr)
    return text.rpartition(" : ")[0] if isinstance(attr, IntegerAttr | FloatAttr) else text


def _take(owner: Operation, path: str, out: Snapshot, text: Any, region: int | None = None) -> None:
    regions = owner.regions if region is None else [owner.regions[region]]
    for index, held in enumerate(regions):
        block = held.blocks.first
        if block is None:
            continue
        own = path if region is not None or len(regions) == 1 else f"{path}:{index}"
        head = {f"input {i}": text(a.type) for i, a in enumerate(block.args)}
        if region is None:
            skipped = ("sym_name", "arg_attrs")
            head |= {k: text(v) for k, v in owner.properties.items() if k not in skipped}
            head |= {k: text(v) for k, v in owner.attributes.items()}
        given = [a.name_hint or f"input{i}" for i, a in enumerate(block.args)]
        if isinstance(owner, GraphOp):
            given = list(owner.arg_names())
        shot = out.graphs[own] = GraphShot(owner.name, head, given)
        names = _names(block)
        for op in block.ops:
            shot.nodes[names[op]] = _node(op, names, text)
            for inner in range(len(op.regions)):
                _take(op, f"{own}/{names[op]}:{inner}", out, text, inner)


def _names(block: Block) -> dict[Operation | Block, str]:
    """A name for every op: its own, that of its task, or its type with a number."""
    out: dict[Operation | Block, str] = {}
    taken: Counter[str] = Counter()
    for op in block.ops:
        name = node_name(op)
        if name is None:
            held = op.properties.get("node")
            name = held.data if isinstance(held, StringAttr) else op.name.removeprefix("ge.")
        taken[name] += 1
        out[op] = name if taken[name] == 1 else f"{name}.{taken[name]}"
    return out


def _node(op: Operation, names: dict[Operation | Block, str], text: Any) -> NodeShot:
    def show(value: SSAValue) -> str:
        if isinstance(value, OpResult) and value.op in names:
            index = f"#{value.index}" if value.index else ""
            return f"%{names[value.op]}{index}"
        return f"%<{value.index}>" if isinstance(value, BlockArgument) else "%?"

    inputs: list[tuple[str, str]] = []
    if isinstance(op, GeOp):
        table = type(op).ge_table()
        for i, (slot, arg) in enumerate(zip(table.inputs, op.ge_args(), strict=True)):
            label = str(i) if i < table.first_named else slot.name
            if isinstance(arg, list):
                many = [show(v) for v in arg]
                inputs += [(label if len(many) == 1 else str(i), v) for v in many]
            elif arg is not None:
                inputs.append((label, show(arg)))
        waits = tuple(f"%{names[v.owner]}" for v in op.ge_control_operands if v.owner in names)
        defaults = table.defaults
    else:
        inputs = [(str(i), show(v)) for i, v in enumerate(op.operands)]
        waits, defaults = (), {}
    attrs = {
        k: text(v)
        for k, v in op.properties.items()
        if k not in SEGMENT_PROPERTIES and defaults.get(k) != v
    }
    attrs |= {k: text(v) for k, v in op.attributes.items()}
    types = tuple(text(r.type) for r in op.results if not isinstance(r.type, CtrlType))
    return NodeShot(names[op], op.name, tuple(inputs), waits, attrs, types)


# --------------------------------------------------------------------------------- comparing


def diff(before: Snapshot | Operation, after: Snapshot | Operation) -> ModuleDiff:
    """What changed from `before` to `after`; modules are taken down first."""
    old = before if isinstance(before, Snapshot) else snapshot(before)
    new = after if isinstance(after, Snapshot) else snapshot(after)
    out = ModuleDiff()
    for path in dict.fromkeys([*old.graphs, *new.graphs]):
        one, two = old.graphs.get(path), new.graphs.get(path)
        if one is not None and two is not None and one.kind == two.kind:
            found = _graph(path, one, two)
        else:
            found = GraphDiff(path)
            for shot, verb in ((one, "gone"), (two, "new")):
                if shot is not None:
                    found.head.append(f"{shot.kind} with {len(shot.nodes)} nodes is {verb}")
        if not found.empty:
            out.graphs.append(found)
    return out


def _graph(path: str, old: GraphShot, new: GraphShot) -> GraphDiff:
    pairs = match_nodes(old, new)
    taken = set(pairs.values())
    out = GraphDiff(path, old_args=_shown(old, new), new_args=_shown(new, old))
    out.head = list(_entries(old.head, new.head))
    out.removed = [n for name, n in old.nodes.items() if name not in pairs]
    out.added = [n for name, n in new.nodes.items() if name not in taken]
    for name, other in pairs.items():
        one, two = old.nodes[name], new.nodes[other]
        lines = list(_compare(one, two, pairs))
        if lines or name != other:
            out.changed.append(Change(other, lines, name if name != other else None))
    out.moved = _moved(old, new, pairs)
    return out


def _shown(graph: GraphShot, other: GraphShot) -> list[str]:
    """Names of the inputs; marked where a node has the same one."""
    taken = (graph.nodes, other.nodes)
    return [f"{a} (input)" if any(a in nodes for nodes in taken) else a for a in graph.args]


def _compare(one: NodeShot, two: NodeShot, pairs: dict[str, str]) -> Iterator[str]:
    if one.op != two.op:
        yield f"{one.op} -> {two.op}"
    mine = [(s, _translated(v, pairs)) for s, v in one.inputs]
    if mine != list(two.inputs):
        if [s for s, _ in mine] == [s for s, _ in two.inputs]:
            for (slot, v), (_, w) in zip(mine, two.inputs, strict=True):
                if v != w:
                    yield f"input {slot}: {v} -> {w}"
        else:
            yield f"inputs: {_listed(v for _, v in mine)} -> {_listed(v for _, v in two.inputs)}"
    waits = {_translated(v, pairs) for v in one.waits}
    if waits != set(two.waits):
        yield f"waits for: {_listed(sorted(waits))} -> {_listed(sorted(two.waits))}"
    yield from _entries(one.attrs, two.attrs)
    if one.types != two.types:
        yield f"type: {_listed(one.types)} -> {_listed(two.types)}"


def _entries(one: dict[str, str], two: dict[str, str]) -> Iterator[str]:
    for key in dict.fromkeys([*one, *two]):
        a, b = one.get(key), two.get(key)
        if a != b:
            yield f"{key}: {_or_none(a)} -> {_or_none(b)}"


def _translated(ref: str, pairs: Mapping[str, str]) -> str:
    """A reference of the old graph in names of the new one."""
    name, mark, index = ref[1:].partition("#")
    if name in pairs:
        return f"%{pairs[name]}{mark}{index}"
    return ref


def _listed(items: Iterable[str]) -> str:
    return ", ".join(items) or "-"


def _moved(old: GraphShot, new: GraphShot, pairs: dict[str, str]) -> list[str]:
    """Nodes outside a longest common order of the matched nodes."""
    place = {name: i for i, name in enumerate(new.nodes)}
    order = [place[pairs[n]] for n in old.nodes if n in pairs]
    tails: list[int] = []
    ends: list[int] = []  # index in `order` of each tail
    back: list[int] = []
    for i, at in enumerate(order):
        k = bisect_left(tails, at)
        back.append(ends[k - 1] if k else -1)
        if k == len(tails):
            tails.append(at)
            ends.append(i)
        else:
            tails[k] = at
            ends[k] = i
    kept: set[int] = set()
    i = ends[-1] if ends else -1
    while i >= 0:
        kept.add(order[i])
        i = back[i]
    names = list(new.nodes)
    return [names[at] for at in sorted(set(order) - kept)]


def match_nodes(old: GraphShot, new: GraphShot) -> dict[str, str]:
    """Which node of `new` each node of `old` is: by name, then by neighbours."""
    pairs = {n: n for n, shot in old.nodes.items() if n in new.nodes and _alike(shot, new.nodes[n])}
    taken = set(pairs.values())
    left: list[str] = [n for n in old.nodes if n not in pairs]
    free: list[str] = [n for n in new.nodes if n not in taken]
    for _ in range(_ROUNDS):
        if not left or not free:
            break
        found: dict[str, str] = _by_inputs(old, new, left, free, pairs) or _by_users(
            old, new, left, free, pairs
        )
        if not found:
            break
        pairs.update(found)
        gone = set(found.values())
        left = [n for n in left if n not in found]
        free = [n for n in free if n not in gone]
    same = set(free)
    for name in left:  # a node that became another operator under its name
        if name in same:
            pairs[name] = name
    return pairs


def _alike(one: NodeShot, two: NodeShot) -> bool:
    return one.op == two.op


def _unique(keys: dict[str, Any]) -> dict[Any, str]:
    count = Counter(keys.values())
    return {key: name for name, key in keys.items() if count[key] == 1}


def _by_inputs(
    old: GraphShot, new: GraphShot, left: list[str], free: list[str], pairs: dict[str, str]
) -> dict[str, str]:
    """Pairs of leftovers with the same operator and attributes on matched inputs, in one sweep
    forward: nodes that cannot be told apart are paired in order."""

    def key(n: NodeShot, refs: list[str]) -> Any:
        return (n.op, tuple(refs), tuple(sorted(n.attrs.items())), n.types)

    theirs: dict[Any, deque[str]] = {}
    for name in free:
        node = new.nodes[name]
        theirs.setdefault(key(node, [v for _, v in node.inputs]), deque()).append(name)
    found: dict[str, str] = {}
    known = ChainMap(found, pairs)
    for name in left:
        node = old.nodes[name]
        refs = [v for _, v in node.inputs]
        if all(v.startswith("%<") or v[1:].partition("#")[0] in known for v in refs):
            same = theirs.get(key(node, [_translated(v, known) for v in refs]))
            if same:
                found[name] = same.popleft()
    return found


def _by_users(
    old: GraphShot, new: GraphShot, left: list[str], free: list[str], pairs: dict[str, str]
) -> dict[str, str]:
    """Pairs of leftovers with the same operator that the same matched nodes read."""

    def users(graph: GraphShot, wanted: list[str], names: dict[str, str]) -> dict[str, Any]:
        found: dict[str, list[tuple[str, str]]] = {n: [] for n in wanted}
        for node in graph.nodes.values():
            reader = names.get(node.name)
            if reader is None:
                continue
            for slot, v in node.inputs:
                name = v[1:].partition("#")[0]
                if name in found:
                    found[name].append((reader, slot))
        return {n: (graph.nodes[n].op, tuple(sorted(u))) for n, u in found.items() if u}

    mine = users(old, left, pairs)
    theirs = _unique(users(new, free, {v: v for v in pairs.values()}))
    return {name: theirs[k] for k, name in _unique(mine).items() if k in theirs}


def _named(text: str, args: list[str]) -> str:
    """A line with the names of graph inputs for their positions."""

    def name(found: re.Match[str]) -> str:
        index = int(found[1])
        return f"%{args[index]}" if index < len(args) else found[0]

    return re.sub(r"%<(\d+)>", name, text) if "%<" in text else text


def _or_none(text: str | None) -> str:
    return "-" if text is None else _cut(text)


def _cut(text: str) -> str:
    if len(text) <= MAX_TEXT:
        return text
    half = MAX_TEXT // 2 - 2
    return f"{text[:half]} .. {text[-half:]}"
