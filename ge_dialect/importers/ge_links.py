"""Edges of one graph of a dump: names become indices, bad edges diagnostics, nodes an order."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

from ge_dialect.importers.ge_message import Msg, Source

#: An entry of `input` that nothing is connected to.
NOTHING = (-1, 0)
#: Types that hand a value to the next turn of a loop; the edge behind them goes back.
LOOP_ENDS = frozenset({"NextIteration", "RefNextIteration"})
LOOP_STARTS = frozenset({"Merge", "RefMerge", "StreamMerge"})


@dataclass
class Node:
    """One operator: `data` holds (node, output) per input entry, `waits` the nodes it waits for.

    legacy: data edges that only order, as old graphs have them, in their own text. back: entries
    that come from a later turn of a loop: (entry, text).
    """

    msg: Msg
    pos: int
    index: int
    name: str
    type: str
    data: list[tuple[int, int]] = field(default_factory=list)
    waits: list[int] = field(default_factory=list)
    legacy: list[str] = field(default_factory=list)
    back: list[tuple[int, str]] = field(default_factory=list)


@dataclass
class Linked:
    """A graph whose edges are known and whose nodes stand in an order that respects them."""

    msg: Msg
    name: str
    nodes: list[Node]
    order: list[Node]


def split_edge(text: str) -> tuple[str, int] | None:
    """("node", output) of an edge, output -1 for a control edge; None where it is no edge.

    Names may hold colons: the last one counts.
    """
    if text.startswith("^"):
        return text[1:], -1
    name, colon, index = text.rpartition(":")
    if not colon or not name or len(index) > 10:
        return None
    sign = index[1:] if index.startswith("-") else index
    if not sign.isascii() or not sign.isdigit():
        return None
    return name, int(index)


def link_graph(source: Source, graph: Msg, name: str) -> Linked | None:
    """The graph's nodes and edges; None where something is wrong, which `source` then has."""
    before = len(source.problems)
    nodes = _nodes(source, graph)
    by_name = {n.name: n.index for n in nodes}
    for node in nodes:
        _edges(source, node, nodes, by_name)
        if source.full:
            return None
    if len(source.problems) > before:
        return None
    order = _sorted(nodes)
    if len(order) < len(nodes):
        _report_cycle(source, nodes, order)
        return None
    return Linked(graph, name, nodes, order)


def _nodes(source: Source, graph: Msg) -> list[Node]:
    out: list[Node] = []
    seen: dict[str, int] = {}
    for i, op in enumerate(graph.many("op")):
        pos = graph.place("op", i)
        name, type_ = op.get("name", ""), op.get("type", "")
        if not name:
            source.error("GX-342", "an operator has no name", pos)
        if not type_:
            source.error("GX-342", f"operator {name!r} has no type", pos, node=name or None)
        if name in seen and name:
            source.error_in(
                "GX-343",
                f"two operators of the graph are called {name!r}",
                op,
                "name",
                node=name,
                hint=f"the first one is at {source.where(seen[name])}",
            )
        seen.setdefault(name, pos)
        out.append(Node(op, pos, i, name, type_))
    return out


def _edges(source: Source, node: Node, nodes: list[Node], by_name: dict[str, int]) -> None:
    msg = node.msg
    descs = len(msg.many("input_desc"))
    waiting: set[int] = set()
    for k, text in enumerate(msg.many("input")):
        if not text:
            node.data.append(NOTHING)
            continue
        edge = split_edge(text)
        if edge is None:
            _bad(source, node, k, f"input {text!r} is no edge", expected='"node:output"')
            continue
        origin = by_name.get(edge[0])
        if origin is None:
            _bad(source, node, k, f"input {text!r} comes from a node that is not there")
            continue
        other, output = nodes[origin], edge[1]
        if output == -1:
            if origin == node.index:
                _bad(source, node, k, f"{node.name!r} waits for itself")
            elif other.type == "NetOutput":
                node.legacy.append(text)  # a graph ends there, whatever else is said to follow
            elif origin not in waiting:
                waiting.add(origin)
                node.waits.append(origin)
            continue
        outputs = 0 if other.type == "NetOutput" else len(other.msg.many("output_desc"))
        if not 0 <= output < outputs:
            _bad(
                source,
                node,
                k,
                f"input {text!r} is an output that {edge[0]!r} does not have",
                found=str(output),
                expected=f"0 to {outputs - 1}" if outputs else "no output",
            )
            continue
        if descs and len(node.data) >= descs and origin != node.index:
            # more data edges than inputs: those of old graphs, which only order
            node.legacy.append(text)
            if origin not in waiting:
                waiting.add(origin)
                node.waits.append(origin)
            continue
        if other.type in LOOP_ENDS and node.type in LOOP_STARTS:
            node.back.append((len(node.data), text))
            node.data.append(NOTHING)
            continue
        node.data.append((origin, output))


def _bad(source: Source, node: Node, k: int, message: str, **fields: str | None) -> None:
    source.error_in("GX-344", message, node.msg, "input", k, node=node.name, **fields)


def _targets(nodes: list[Node]) -> tuple[list[list[int]], list[int]]:
    users: list[list[int]] = [[] for _ in nodes]
    left = [0] * len(nodes)
    for node in nodes:
        for origin in {o for o, _ in node.data if o >= 0} | set(node.waits):
            users[origin].append(node.index)
            left[node.index] += 1
    return users, left


def _sorted(nodes: list[Node]) -> list[Node]:
    """An order that respects all edges, that of the file where there is a choice.

    NetOutput goes last, with what hangs on it.
    """
    users, left = _targets(nodes)
    ready = [(n.type == "NetOutput", n.index) for n in nodes if not left[n.index]]
    heapq.heapify(ready)
    out: list[Node] = []
    while ready:
        _, index = heapq.heappop(ready)
        out.append(nodes[index])
        for user in users[index]:
            left[user] -= 1
            if not left[user]:
                heapq.heappush(ready, (nodes[user].type == "NetOutput", user))
    return out


def _report_cycle(source: Source, nodes: list[Node], order: list[Node]) -> None:
    done = {n.index for n in order}
    rest = [n for n in nodes if n.index not in done]
    reported: set[int] = set()
    for start in rest:
        if start.index in reported:
            continue
        path: dict[int, None] = {}
        at = start.index
        while at not in path and at not in reported:
            path[at] = None
            node = nodes[at]
            origins = [o for o, _ in node.data if o >= 0] + node.waits
            at = next(o for o in origins if o not in done)
        keys = list(path)
        if at in path:
            cycle = keys[keys.index(at) :]
            first = nodes[min(cycle)]
            names = [nodes[i].name for i in reversed(cycle)]
            shown = " -> ".join(names[:6]) + (" -> ..." if len(names) > 6 else "")
            source.error(
                "GX-345",
                "nodes depend on each other",
                first.pos,
                node=first.name,
                found=shown,
                expected="a graph without cycles",
            )
        reported.update(keys)
        if source.full:
            return
