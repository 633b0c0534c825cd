"""Single edits of a graph table: each gives a smaller or simpler graph, or None where it does not
apply. What comes out is well formed; whether it verifies is for the caller to ask."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from xdsl.ir import Attribute

from ge_dialect.ir.attributes import RefType
from ge_dialect.ir.taken_names import TakenNames
from ge_dialect.ir.types import elem_of, layout_of, num_elements
from passes.testing.reduce.table import Graph, Node, Port, fresh_number
from passes.testing.type_text import dims_of

#: A value of a body that is cut off becomes a constant of at most this many elements.
CONSTANT_LIMIT = 64


# --------------------------------------------------------------------------------- substitution


def substituted(node: Node, values: Mapping[int, int]) -> Node:
    """The node reading other values; itself where nothing changes."""
    if not any(v in values for v in node.operands()):
        return node
    args = tuple(
        tuple(values.get(v, v) for v in a)
        if isinstance(a, tuple)
        else a
        if a is None
        else values.get(a, a)
        for a in node.args
    )
    return replace(node, args=args)


def value_labels(graph: Graph) -> dict[int, str]:
    """A name for every value: the input's, or the node's with the result's number."""
    out = {p.value: p.name for p in graph.inputs}
    for n in graph.nodes:
        out.update((v, n.name if i == 0 else f"{n.name}_{i}") for i, v in enumerate(n.results))
    return out


def without_dead(graph: Graph) -> Graph:
    """The graph without pure nodes that nothing needs."""
    wanted = set(graph.outputs)
    waited = set(graph.after)
    kept: list[Node] = []
    for n in reversed(graph.nodes):
        if n.is_pure and n.key not in waited and wanted.isdisjoint(n.results):
            continue
        wanted.update(n.operands())
        waited.update(n.after)
        kept.append(n)
    if len(kept) == len(graph.nodes):
        return graph
    return replace(graph, nodes=tuple(reversed(kept)))


def without_unused_inputs(graph: Graph) -> Graph:
    """The graph without inputs that nothing reads (of the whole graph only)."""
    used = set(graph.outputs)
    for n in graph.nodes:
        used.update(n.operands())
    inputs = tuple(p for p in graph.inputs if p.value in used)
    return graph if len(inputs) == len(graph.inputs) else replace(graph, inputs=inputs)


# ------------------------------------------------------------------------------------- cutting


def cut(graph: Graph, keep: Collection[int], *, outputs: str, body: bool = False) -> Graph | None:
    """Only the nodes whose keys are in `keep`; values of the others become inputs.

    outputs: which values that lost a reader become outputs: "dead" (those nothing reads now),
    "all", or "none". In a body the values become zero constants instead, and its outputs stay.
    """
    labels = value_labels(graph)
    kept = [n for n in graph.nodes if n.key in keep]
    gone = [n for n in graph.nodes if n.key not in keep]
    made = {v for n in kept for v in n.results} | {p.value for p in graph.inputs}
    types = graph.types()
    read = dict.fromkeys(v for n in kept for v in n.operands())
    wanted = [v for v in read if v not in made]
    results = list(graph.outputs)
    if body:
        wanted += [v for v in dict.fromkeys(results) if v not in made]
        constants = [_zero(v, types[v], labels[v]) for v in dict.fromkeys(wanted)]
        if any(c is None for c in constants):
            return None
        nodes = [*constants, *kept]
        inputs = graph.inputs
    else:
        results = [v for v in results if v in made]
        if outputs != "none":
            lost = dict.fromkeys(v for n in gone for v in n.operands())
            there = {p.value for p in graph.inputs}.union(results)
            for v in lost:
                if v in made and v not in there:
                    if outputs == "all" or v not in read:
                        results.append(v)
        if not results:
            results = [v for n in kept[-1:] for v in n.results[:1]]
        results = [v for v in results if not isinstance(types[v], RefType)] or results
        taken = TakenNames(p.name for p in graph.inputs)
        fresh = [Port(v, types[v], taken.fresh(labels[v])) for v in wanted]
        # an input that only nodes which go have read goes with them
        lost_inputs = {v for n in gone for v in n.operands()} - set(read) - set(results)
        inputs = (*(p for p in graph.inputs if p.value not in lost_inputs), *fresh)
        nodes = kept
    after = _Carried(graph, keep)
    nodes = [
        n if not n.after or all(k in keep for k in n.after) else replace(n, after=after.of(n.after))
        for n in nodes
        if n is not None
    ]
    return replace(
        graph,
        inputs=inputs,
        nodes=tuple(nodes),
        outputs=tuple(results),
        after=after.of(graph.after),
    )


class _Carried:
    """Order through nodes that go: their users wait for the effects behind them."""

    def __init__(self, graph: Graph, keep: Collection[int]) -> None:
        self.keep = keep
        self.nodes = {n.key: n for n in graph.nodes}
        self.maker = {v: n.key for n in graph.nodes for v in n.results}
        self.memo: dict[int, tuple[int, ...]] = {}

    def of(self, after: Sequence[int]) -> tuple[int, ...]:
        """What a node waits for now."""
        found: dict[int, None] = {}
        for key in after:
            found.update(dict.fromkeys([key] if key in self.keep else self.behind(key)))
        return tuple(found)

    def behind(self, key: int) -> tuple[int, ...]:
        """Kept nodes with effects that come before a node which goes, without recursion."""
        if key in self.memo:
            return self.memo[key]
        found: dict[int, None] = {}
        seen, stack = {key}, [key]
        while stack:
            node = self.nodes[stack.pop()]
            makers = [self.maker[v] for v in node.operands() if v in self.maker]
            for k in (*node.after, *makers):
                if k in seen:
                    continue
                seen.add(k)
                if k in self.keep:
                    if not self.nodes[k].is_pure:
                        found[k] = None
                else:
                    stack.append(k)
        out = self.memo[key] = tuple(sorted(found))
        return out


def _zero(value: int, type_: Attribute, name: str) -> Node | None:
    """A constant in place of a value; None where none can stand for it."""
    return constant_node(value, type_, name, 0)


def constant_node(value: int, type_: Attribute, name: str, fill: int) -> Node | None:
    """A `ge.Const` that gives `value`; None for a type or size without inline constants."""
    import numpy as np

    from ge_dialect.dtypes import numpy_dtype
    from ge_dialect.ir.dense import dense_from_numpy
    from ge_dialect.ops.registry import op_class

    if isinstance(type_, RefType):
        return None
    size = num_elements(type_)
    if size is None or size > CONSTANT_LIMIT or layout_of(type_) is not None:
        return None
    elem = elem_of(type_)
    try:
        array = np.full(dims_of(type_), fill).astype(numpy_dtype(elem))
        dense = dense_from_numpy(array, elem)
    except (ValueError, TypeError):
        return None
    return Node(
        fresh_number(), op_class("Const"), name, (), (value,), (type_,), {"value": dense}, {}
    )


# ------------------------------------------------------------------------------------ bypassing


def bypasses(graph: Graph, node: Node) -> list[dict[int, int]]:
    """Ways to let the users of a node read its operands instead, simplest first."""
    if not node.results:
        return []
    types = graph.types()
    operands = list(dict.fromkeys(node.operands()))
    choices = [[v for v in operands if types[v] == t] for t in node.types]
    if any(not c for c in choices):
        return []
    if len(choices) == 1:
        return [{node.results[0]: v} for v in choices[0]]
    return [dict(zip(node.results, (c[0] for c in choices), strict=True))]


def bypass(graph: Graph, node: Node, values: Mapping[int, int]) -> Graph:
    """The graph without a node, its users reading other values; what is dead then goes too."""
    keep = {n.key for n in graph.nodes} - {node.key}
    after = _Carried(graph, keep)
    nodes = tuple(
        replace(m, after=after.of(m.after)) if node.key in m.after else m
        for m in (substituted(n, values) for n in graph.nodes if n is not node)
    )
    outputs = tuple(values.get(v, v) for v in graph.outputs)
    bare = replace(graph, nodes=nodes, outputs=outputs, after=after.of(graph.after))
    return without_dead(bare)


def to_constant(graph: Graph, node: Node, fill: int) -> Graph | None:
    """The graph with a constant in place of a node of one result."""
    if len(node.results) != 1 or node.after or not node.args:
        return None
    made = constant_node(node.results[0], node.types[0], node.name, fill)
    if made is None:
        return None
    made = replace(made, key=node.key)
    nodes = tuple(made if n is node else n for n in graph.nodes)
    return without_dead(replace(graph, nodes=nodes))


def inlined(graph: Graph, node: Node, index: int) -> Graph | None:
    """The graph with a body of a node in the node's place, on its last operands."""
    body = node.bodies[index]
    operands = list(node.operands())
    count = len(body.inputs)
    given = operands[len(operands) - count :] if count else []
    types = graph.types()
    if len(given) != count or len(body.outputs) != len(node.results):
        return None
    if any(types[v] != p.type for v, p in zip(given, body.inputs, strict=True)):
        return None
    inner_types = body.types()
    for out, type_ in zip(body.outputs, node.types, strict=True):
        if inner_types[out] != type_:
            return None
    values = {p.value: v for p, v in zip(body.inputs, given, strict=True)}
    taken = TakenNames(n.name for n in graph.nodes if n is not node)
    inner: list[Node] = []
    for n in body.nodes:
        moved = substituted(n, values)
        after = tuple(dict.fromkeys((*moved.after, *node.after)))
        inner.append(replace(moved, name=taken.fresh(moved.name), after=after))
    results = {r: values.get(v, v) for r, v in zip(node.results, body.outputs, strict=True)}
    effects = tuple(n.key for n in inner if not n.is_pure)
    nodes: list[Node] = []
    for n in graph.nodes:
        if n is node:
            nodes += inner
            continue
        n = substituted(n, results)
        if node.key in n.after:
            n = replace(n, after=_replaced(n.after, node.key, effects))
        nodes.append(n)
    outputs = tuple(results.get(v, v) for v in graph.outputs)
    waits = _replaced(graph.after, node.key, effects)
    return replace(graph, nodes=tuple(nodes), outputs=outputs, after=waits)


def without_result(graph: Graph, node: Node, index: int) -> Graph | None:
    """The graph with an unused result of a node with bodies, and what gave it, left out."""
    number = node.results[index]
    if number in graph.outputs or any(number in n.operands() for n in graph.nodes):
        return None
    if any(len(b.outputs) != len(node.results) for b in node.bodies):
        return None
    bodies = tuple(
        replace(b, outputs=(*b.outputs[:index], *b.outputs[index + 1 :])) for b in node.bodies
    )
    sizes = node.result_sizes
    if sizes is not None:
        at, left = 0, index
        while left >= sizes[at]:
            left -= sizes[at]
            at += 1
        sizes = (*sizes[:at], sizes[at] - 1, *sizes[at + 1 :])
    return with_node(
        graph,
        node.key,
        results=(*node.results[:index], *node.results[index + 1 :]),
        types=(*node.types[:index], *node.types[index + 1 :]),
        bodies=bodies,
        result_sizes=sizes,
    )


def without_body_input(graph: Graph, node: Node, index: int) -> Graph | None:
    """The graph with an input of a node's bodies left out that no body reads."""
    group = node.args[-1] if node.args else None
    count = len(node.bodies[0].inputs)
    if not isinstance(group, tuple) or len(group) < count:
        return None
    for body in node.bodies:
        if len(body.inputs) != count:
            return None
        value = body.inputs[index].value
        if value in body.outputs or any(value in n.operands() for n in body.nodes):
            return None
    at = len(group) - count + index
    bodies = tuple(
        replace(b, inputs=(*b.inputs[:index], *b.inputs[index + 1 :])) for b in node.bodies
    )
    args = (*node.args[:-1], (*group[:at], *group[at + 1 :]))
    return without_dead(with_node(graph, node.key, args=args, bodies=bodies))


def _replaced(after: Sequence[int], key: int, by: Sequence[int]) -> tuple[int, ...]:
    out: dict[int, None] = {}
    for k in after:
        out.update(dict.fromkeys(by if k == key else [k]))
    return tuple(out)


# -------------------------------------------------------------------------------- small changes


def with_node(graph: Graph, key: int, **changes: Any) -> Graph:
    """The graph with some fields of one node changed."""
    nodes = tuple(replace(n, **changes) if n.key == key else n for n in graph.nodes)
    return replace(graph, nodes=nodes)


def merged_inputs(graph: Graph, gone: Port, other: Port) -> Graph:
    """The graph reading one input where it read another of the same type."""
    values = {gone.value: other.value}
    nodes = tuple(substituted(n, values) for n in graph.nodes)
    outputs = tuple(values.get(v, v) for v in graph.outputs)
    inputs = tuple(p for p in graph.inputs if p is not gone)
    return replace(graph, inputs=inputs, nodes=nodes, outputs=outputs)


def control_edges(graph: Graph) -> list[tuple[int | None, int]]:
    """All control edges as (node that waits, or None for the end; node it waits for)."""
    edges: list[tuple[int | None, int]] = [(n.key, k) for n in graph.nodes for k in n.after]
    return edges + [(None, k) for k in graph.after]


def only_control(graph: Graph, edges: Collection[tuple[int | None, int]]) -> Graph:
    """The graph with no control edges but these."""
    kept = set(edges)
    nodes = tuple(
        replace(n, after=tuple(k for k in n.after if (n.key, k) in kept)) if n.after else n
        for n in graph.nodes
    )
    after = tuple(k for k in graph.after if (None, k) in kept)
    return replace(graph, nodes=nodes, after=after)
