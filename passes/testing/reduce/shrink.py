"""Strategies that make the graph of a failing case smaller, from coarse to fine.

Each works on the session's best case and leaves it at something that fails the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from passes.testing.reduce import edits
from passes.testing.reduce.session import Session
from passes.testing.reduce.table import Graph, Node, Table

#: Up to this many nodes every way of cutting is tried, beyond it the likeliest one first.
SMALL = 400


@dataclass(frozen=True)
class Scope:
    """Where a graph is: the graph's number, then (key of the node, number of its body) inwards."""

    index: int
    inner: tuple[tuple[int, int], ...] = ()

    @property
    def is_body(self) -> bool:
        """Whether it is a body, whose inputs and outputs are fixed by its node."""
        return bool(self.inner)

    def get(self, table: Table) -> Graph | None:
        """The graph, None where it is gone."""
        graph = table.graphs[self.index] if self.index < len(table.graphs) else None
        for key, number in self.inner:
            if graph is None:
                return None
            node = next((n for n in graph.nodes if n.key == key), None)
            graph = node.bodies[number] if node is not None and number < len(node.bodies) else None
        return graph

    def put(self, table: Table, graph: Graph) -> Table:
        """The table with another graph here."""
        outer = table.graphs[self.index]
        return table.with_graph(self.index, _put(outer, self.inner, graph))


def _put(outer: Graph, inner: Sequence[tuple[int, int]], graph: Graph) -> Graph:
    if not inner:
        return graph
    (key, number), *rest = inner
    node = next(n for n in outer.nodes if n.key == key)
    bodies = list(node.bodies)
    bodies[number] = _put(bodies[number], rest, graph)
    return edits.with_node(outer, key, bodies=tuple(bodies))


def scopes(table: Table) -> list[Scope]:
    """All graphs and bodies, outer before inner."""
    out: list[Scope] = []

    def enter(scope: Scope, graph: Graph) -> None:
        out.append(scope)
        for n in graph.nodes:
            for i, body in enumerate(n.bodies):
                enter(Scope(scope.index, (*scope.inner, (n.key, i))), body)

    for i, graph in enumerate(table.graphs):
        enter(Scope(i), graph)
    return out


class Shrinker:
    """Applies the strategies to a session."""

    def __init__(self, session: Session) -> None:
        self.session = session

    # --------------------------------------------------------------------------------- helpers

    @property
    def table(self) -> Table:
        """The best table so far."""
        return self.session.best.table

    def graph(self, scope: Scope) -> Graph:
        """The graph at a place that is known to exist."""
        found = scope.get(self.table)
        assert found is not None
        return found

    def attempt(self, scope: Scope, graph: Graph | None) -> bool:
        """Try the best case with another graph at a place."""
        if graph is None or graph is scope.get(self.table):
            return False
        return self.session.attempt_table(scope.put(self.table, graph))

    def live_scopes(self) -> Iterator[Scope]:
        """Places of graphs, as long as they exist."""
        for scope in scopes(self.table):
            if scope.get(self.table) is not None:
                yield scope

    # ------------------------------------------------------------------------------ strategies

    def run(self, strategies: Sequence[tuple[str, Callable[[], None]]]) -> bool:
        """Apply strategies in order and record what each did; whether any did something."""
        changed = False
        for name, strategy in strategies:
            self.session.phase = name
            before, trials = self.table, self.session.trials
            size = before.size()
            strategy()
            if self.table is not before:
                changed = True
                tried = self.session.trials - trials
                self.session.note(f"{name}: {size} -> {self.table.size()} ops, {tried} trials")
        return changed

    def coarse(self) -> bool:
        """Fewer graphs, outputs and nodes."""
        return self.run(
            [
                ("drop graphs", self.graphs),
                ("drop dead nodes", self.dead),
                ("cut the graph", self.nodes),
                ("drop outputs", self.outputs),
            ]
        )

    def fine(self) -> bool:
        """Simpler structure, one thing after the other."""
        return self.run(
            [
                ("inline bodies", self.bodies),
                ("trim bodies", self.trim),
                ("drop dead nodes", self.dead),
                ("cut the graph", self.nodes),
                ("drop outputs", self.outputs),
                ("bypass nodes", self.bypasses),
                ("drop control edges", self.control),
                ("drop inputs", self.inputs),
            ]
        )

    def graphs(self) -> None:
        """Leave out graphs of the module."""
        count = len(self.table.graphs)
        if count < 2:
            return
        whole = self.table.graphs

        def attempt(kept: Sequence[int]) -> bool:
            table = replace(self.table, graphs=tuple(whole[i] for i in kept))
            return self.session.attempt_table(table)

        for i in range(count):
            if attempt([i]):
                return
        self.session.minimise(range(count), attempt)

    def dead(self) -> None:
        """Leave out dead nodes and unused inputs."""
        for scope in self.live_scopes():
            self.attempt(scope, edits.without_dead(self.graph(scope)))

    def nodes(self) -> None:
        """Leave out nodes in chunks; what they gave becomes an input, or a constant in bodies."""
        for scope in self.live_scopes():
            start = self.graph(scope)
            if not start.nodes:
                continue

            def attempt(kept: Sequence[Node], scope: Scope = scope) -> bool:
                graph = self.graph(scope)
                keep = {n.key for n in kept}
                for outputs in ("dead", "all", "none"):
                    made = edits.cut(graph, keep, outputs=outputs, body=scope.is_body)
                    if made is not None and self.attempt(scope, made):
                        return True
                    if scope.is_body or (outputs == "all" and len(keep) > SMALL):
                        break
                return False

            self.session.minimise(start.nodes, attempt)

    def outputs(self) -> None:
        """Leave out outputs of the graph."""
        for scope in self.live_scopes():
            if scope.is_body:
                continue
            outputs = list(enumerate(self.graph(scope).outputs))
            if len(outputs) < 2:
                continue

            def attempt(kept: Sequence[tuple[int, int]], scope: Scope = scope) -> bool:
                less = replace(self.graph(scope), outputs=tuple(v for _, v in kept))
                less = edits.without_unused_inputs(edits.without_dead(less))
                return bool(kept) and self.attempt(scope, less)

            if not any(attempt([one]) for one in reversed(outputs[-8:])):
                self.session.minimise(outputs, attempt)

    def bypasses(self) -> None:
        """Let users of a node read its operand, or a constant, instead."""
        for scope in self.live_scopes():
            for node in reversed(self.graph(scope).nodes):
                graph = scope.get(self.table)
                if graph is None or all(n.key != node.key for n in graph.nodes):
                    continue
                self._bypass(scope, node.key)

    def _bypass(self, scope: Scope, key: int) -> None:
        graph = self.graph(scope)
        node = next(n for n in graph.nodes if n.key == key)
        for values in edits.bypasses(graph, node):
            made = edits.bypass(graph, node, values)
            if not scope.is_body:
                made = edits.without_unused_inputs(made)
            if self.attempt(scope, made):
                return
        for fill in (0, 1):
            made = edits.to_constant(graph, node, fill)
            if made is not None and (scope.is_body or len(made.nodes) < len(graph.nodes)):
                if not scope.is_body:
                    made = edits.without_unused_inputs(made)
                if made.size() < graph.size() and self.attempt(scope, made):
                    return

    def bodies(self) -> None:
        """Put a body in the place of the node that owns it."""
        for scope in self.live_scopes():
            for node in self.graph(scope).nodes:
                for i in range(len(node.bodies)):
                    graph = scope.get(self.table)
                    if graph is None:
                        break
                    current = next((n for n in graph.nodes if n.key == node.key), None)
                    if current is None:
                        break
                    if self.attempt(scope, edits.inlined(graph, current, i)):
                        break

    def trim(self) -> None:
        """Leave out results and inputs of nodes with bodies that nothing reads."""
        for scope in self.live_scopes():
            for node in self.graph(scope).nodes:
                if not node.bodies:
                    continue
                for edit in (edits.without_result, edits.without_body_input):
                    self._trim(scope, node.key, edit)

    def _trim(self, scope: Scope, key: int, edit: Callable[[Graph, Node, int], Any]) -> None:
        graph = scope.get(self.table)
        node = next((n for n in graph.nodes if n.key == key), None) if graph is not None else None
        if node is None:
            return
        count = len(node.results) if edit is edits.without_result else len(node.bodies[0].inputs)
        for index in range(count - 1, -1, -1):
            graph = self.graph(scope)
            node = next((n for n in graph.nodes if n.key == key), None)
            if node is None:
                return
            made = edit(graph, node, index)
            if made is not None and not scope.is_body:
                made = edits.without_unused_inputs(made)
            self.attempt(scope, made)

    def control(self) -> None:
        """Leave out control edges."""
        for scope in self.live_scopes():
            edges = edits.control_edges(self.graph(scope))
            if edges:

                def attempt(kept: Sequence[tuple[int | None, int]], scope: Scope = scope) -> bool:
                    return self.attempt(scope, edits.only_control(self.graph(scope), kept))

                self.session.minimise(edges, attempt)

    def inputs(self) -> None:
        """Leave out unused inputs, and let one input stand for another of its type."""
        for scope in self.live_scopes():
            if scope.is_body:
                continue
            self.attempt(scope, edits.without_unused_inputs(self.graph(scope)))
            ports = self.graph(scope).inputs
            if len(ports) > 64:
                continue
            for gone in reversed(ports):
                graph = self.graph(scope)
                if gone not in graph.inputs:
                    continue
                for other in graph.inputs:
                    if other is gone or other.type != gone.type:
                        continue
                    if self.attempt(scope, edits.merged_inputs(graph, gone, other)):
                        break
