"""``driver=ge``: node passes in GE's own order of visits, for comparisons with GE.

What differs from the default driver: a node is visited when all nodes it reads or waits for were
seen; all passes run at a node before the next one is taken; re-visits come after the sweep unless a
pass asks for an immediate one; and a sweep that does not settle stops silently (here: with a
warning) after ten visits per node, where the default driver reports an error that names the pass
and the patterns. `GeSweep` is the engine; patterns run on it through `apply_patterns` in a context
whose driver is "ge".
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from xdsl.ir import Block, Operation

from ge_dialect.diagnostics import ExitCode, user_error
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.graph import walk_graphs
from ge_dialect.ir.names import node_name
from ge_dialect.ir.private import nodes_of, operands_of, reads
from passes.rewriting import Pattern, PatternRewriter, RewriteReport
from passes.sweep import Sweep

if TYPE_CHECKING:
    from passes.values import KnownValues

#: Visits allowed per node that the graph has at the start.
VISITS_PER_NODE = 10
#: Graphs nested deeper than this are an error.
MAX_DEPTH = 25
#: Nodes with more inputs wait until the queue is empty.
MANY_INPUTS = 1000


class NodePass:
    """A pass that is run at every node; subclasses override what they need."""

    def run(self, node: Operation, sweep: GeSweep) -> None:
        """Look at one node; `sweep` takes requests for further visits."""

    def on_suspended_left(self, sweep: GeSweep) -> None:
        """Nothing is queued and suspended nodes are left; one may be resumed here."""

    def on_finish_graph(self, block: Block, sweep: GeSweep) -> Iterable[Operation]:
        """The sweep over the root graph is over; the nodes returned are visited once more."""
        return ()


class _Queue:
    """Nodes to be visited, first in, first out; says at once whether a node is among them."""

    def __init__(self) -> None:
        self._nodes: deque[Operation] = deque()
        self._times: Counter[Operation] = Counter()

    def __len__(self) -> int:
        return len(self._nodes)

    def __contains__(self, node: Operation) -> bool:
        return self._times[node] > 0

    def append(self, node: Operation) -> None:
        """Queue a node."""
        self._nodes.append(node)
        self._times[node] += 1

    def appendleft(self, node: Operation) -> None:
        """Queue a node before all others."""
        self._nodes.appendleft(node)
        self._times[node] += 1

    def extend(self, nodes: Iterable[Operation]) -> None:
        """Queue nodes in this order."""
        for node in nodes:
            self.append(node)

    def popleft(self) -> Operation:
        """Take the first one."""
        node = self._nodes.popleft()
        self._times[node] -= 1
        return node


@dataclass(eq=False)
class _Graph:
    """State of the sweep over one graph.

    waits: of nodes that were offered too early, the nodes they read that were not seen then.
    """

    block: Block
    limit: int
    queue: _Queue = field(default_factory=_Queue)
    late: dict[Operation, None] = field(default_factory=dict)
    seen: set[Operation] = field(default_factory=set)
    passed: set[Operation] = field(default_factory=set)
    again: dict[Operation, None] = field(default_factory=dict)
    suspended: dict[Operation, None] = field(default_factory=dict)
    skipped: dict[Operation, None] = field(default_factory=dict)
    waits: dict[Operation, list[Operation]] = field(default_factory=dict)
    visits: int = 0

    def offer(self, node: Operation) -> None:
        """Queue a node that was not seen yet, if all it depends on was."""
        if node.parent is not self.block or node in self.seen or self._waits(node):
            return
        sources = in_nodes(node)
        missing = [s for s in sources if s not in self.seen]
        if missing:
            self.waits[node] = missing
            return
        self.waits.pop(node, None)
        self.seen.add(node)
        if len(sources) > MANY_INPUTS:
            self.late[node] = None
        else:
            self.queue.append(node)

    def _waits(self, node: Operation) -> bool:
        """Whether a node still reads one of those that were not seen when it was offered before.

        A node is offered behind each of its sources: looking at all of them each time would cost
        the square of their number.
        """
        missing = self.waits.get(node)
        while missing and missing[-1] in self.seen:
            missing.pop()
        return bool(missing) and reads(node, missing[-1])


class GeSweep:
    """One run of node passes over a graph and the graphs inside its nodes.

    visited: every visit, in order. exhausted: whether the limit of visits ended the sweep.
    after_graphs: True while passes run at a node for the second time, behind its graphs.
    """

    def __init__(self, passes: Sequence[NodePass]) -> None:
        self.passes = tuple(passes)
        self.visited: list[Operation] = []
        self.exhausted = False
        self.after_graphs = False
        self.stopped = False
        self._stack: list[_Graph] = []

    # ---- what a pass may ask for ---------------------------------------------------------

    def revisit(self, node: Operation) -> None:
        """Visit `node` again when the queue is empty; ignored if it is to be visited anyway."""
        graph = self._graph_of(node)
        if graph is not None and node in graph.seen:
            graph.again[node] = None

    def revisit_now(self, node: Operation) -> None:
        """Visit `node` next; ignored if it was not visited yet. It may be in an outer graph."""
        graph = self._graph_of(node)
        if graph is not None and node in graph.passed and node not in graph.queue:
            graph.queue.appendleft(node)

    def suspend(self, node: Operation) -> None:
        """Leave `node` out until it is resumed."""
        graph = self._graph_of(node)
        if graph is not None:
            graph.suspended[node] = None

    def resume(self, node: Operation) -> None:
        """Take a suspended node into the queue again."""
        graph = self._graph_of(node)
        if graph is not None and node in graph.suspended:
            del graph.suspended[node]
            if node in graph.skipped:
                del graph.skipped[node]
                graph.queue.append(node)

    def offer(self, node: Operation) -> None:
        """Tell of a new node: it is visited once everything it depends on was seen."""
        graph = self._graph_of(node)
        if graph is not None:
            graph.offer(node)

    def suspended(self) -> list[Operation]:
        """The nodes of the running graph that are suspended."""
        return list(self._stack[-1].suspended) if self._stack else []

    def stop(self) -> None:
        """End the sweep after the running pass."""
        self.stopped = True

    def _graph_of(self, node: Operation) -> _Graph | None:
        return next((g for g in reversed(self._stack) if g.block is node.parent), None)

    # ---- the sweep -----------------------------------------------------------------------

    def run(self, block: Block) -> None:
        """Sweep over a graph.

        Raises `GeError`: GX-426 for suspended nodes that are left, GX-110 for too deep nesting.
        """
        self._sweep(block)

    def _sweep(self, block: Block) -> None:
        if len(self._stack) > MAX_DEPTH:
            raise user_error(
                "GX-110",
                f"graphs are nested more than {MAX_DEPTH} deep for GE's sweep",
                exit_code=ExitCode.INTERNAL,
            )
        count = sum(1 for _ in nodes_of(block))
        graph = _Graph(block, VISITS_PER_NODE * count)
        self._stack.append(graph)
        try:
            for node in list(nodes_of(block)):
                if not in_nodes(node):
                    graph.offer(node)
            while not self.stopped:
                self._drain(graph)
                if self.exhausted or not self._refill(graph):
                    break
        finally:
            self._stack.pop()

    def _refill(self, graph: _Graph) -> bool:
        """Fill the empty queue from what waits; False when the sweep is over."""
        if graph.late:
            graph.queue.extend(graph.late)
            graph.late.clear()
            return True
        if graph.again:
            graph.queue.extend(graph.again)
            graph.again.clear()
            return True
        if graph.suspended:
            for node_pass in self.passes:
                node_pass.on_suspended_left(self)
                if graph.queue:
                    return True
            names = ", ".join(node_name(n) or n.name for n in graph.suspended)
            raise user_error(
                "GX-426",
                "suspended nodes were never resumed",
                found=names,
                exit_code=ExitCode.INTERNAL,
            )
        if len(self._stack) == 1:
            for node_pass in self.passes:
                for node in node_pass.on_finish_graph(graph.block, self):
                    top = _top_level(node, graph.block)
                    if top is not None and top not in graph.queue:
                        graph.queue.append(top)
        return bool(graph.queue)

    def _drain(self, graph: _Graph) -> None:
        while graph.queue and not self.stopped:
            node = graph.queue.popleft()
            graph.again.pop(node, None)
            if node.parent is not graph.block:
                continue
            if node in graph.suspended:
                graph.skipped[node] = None
                continue
            if graph.visits >= graph.limit:
                self.exhausted = True
                return
            graph.visits += 1
            graph.passed.add(node)
            self.visited.append(node)
            before = out_nodes(node)
            self._visit(node)
            after = out_nodes(node) if node.parent is graph.block else []
            for following in dict.fromkeys([*before, *after]):
                graph.offer(following)

    def _visit(self, node: Operation) -> None:
        self._passes(node)
        if not node.regions or node.parent is None:
            return
        for region in node.regions:
            for block in region.blocks:
                if not self.stopped:
                    self._sweep(block)
        if not self._is_gone(node):
            self.after_graphs = True
            self._passes(node)
            self.after_graphs = False

    @staticmethod
    def _is_gone(node: Operation) -> bool:
        return node.parent is None

    def _passes(self, node: Operation) -> None:
        for node_pass in self.passes:
            node_pass.run(node, self)
            if node.parent is None or self.stopped:
                return


def in_nodes(node: Operation) -> list[Operation]:
    """The nodes of its graph that a node reads or waits for, each once."""
    found = dict.fromkeys(v.owner for v in operands_of(node))
    return [o for o in found if isinstance(o, Operation)]


def out_nodes(node: Operation) -> list[Operation]:
    """The nodes that read or wait for a node, each once, in the order the uses were made."""
    found: dict[Operation, None] = {}
    for result in node.results:
        for use in reversed(list(result.uses)):  # xDSL lists the newest use first
            found[use.operation] = None
    return list(found)


def _top_level(node: Operation, block: Block) -> Operation | None:
    """The node of `block` that is, or holds, a node."""
    at: Operation | None = node
    while at is not None and at.parent is not block:
        at = at.parent_op()
    return at


# ------------------------------------------------------------------------------ patterns


class _PatternPass(NodePass):
    """A pattern as a node pass."""

    def __init__(self, pattern: Pattern, driver: GePatternSweep, rw: PatternRewriter) -> None:
        self.pattern = pattern
        self.driver = driver
        self.rw = rw

    def run(self, node: Operation, sweep: GeSweep) -> None:
        driver, ctx = self.driver, self.driver.ctx
        if self.pattern not in driver.patterns_of(node):
            return
        if ctx.rewrite_limit is not None and ctx.rewrite_limit <= 0:
            sweep.stop()
            return
        self.rw.after_graphs = sweep.after_graphs
        if sweep.after_graphs:
            self.rw.left_graphs.add(node)
        if driver.try_at(node, self.pattern, self.rw):
            driver.flush()


class GePatternSweep(Sweep):
    """The state of a sweep of patterns in GE's order; replaces the default driver's."""

    def seed(self, blocks: Iterable[Block]) -> int:
        """Keep the graphs; returns their number."""
        self._blocks: list[Block] = []
        for block in blocks:
            tops = [op for op in block.ops if op.regions and not isinstance(op, GeOp)]
            inner = [b for op in tops for r in op.regions for b in r.blocks]
            self._blocks += inner if tops else [block]
        self._find_gated(self._blocks)
        self._neighbours: list[Operation] = []
        return len(self._blocks)

    def removed(self, op: Operation) -> None:
        """GE asks for another visit of all neighbours of a node that goes."""
        self._neighbours += [*in_nodes(op), *out_nodes(op)]
        super().removed(op)

    def flush(self) -> None:
        """Turn what the last rewrite touched into requests."""
        sweep = self._sweep
        for op in self.fresh:
            sweep.offer(op)
        for op in dict.fromkeys([*self._neighbours, *self.fresh]):
            if op.parent is not None:
                sweep.revisit(op)
        self.fresh.clear()
        self.losers.clear()
        self._neighbours.clear()

    def run(self, budget: int, values: KnownValues | None) -> RewriteReport:
        """Sweep over every graph; the limit is GE's own, `budget` is not used."""
        report = self.report
        rw = PatternRewriter(self, values)
        visited: list[Operation] = []
        for block in self._blocks:
            patterns = [_PatternPass(p, self, rw) for p in self.patterns]
            sweep = self._sweep = GeSweep(patterns)
            sweep.run(block)
            visited += sweep.visited
            if sweep.exhausted:
                report.exhausted = True
                self._warn(sweep)
        report.visits = Counter(node_name(op) or op.name for op in visited)
        if self.ctx.remarks_enabled:
            twice = len(visited) - len(report.visits)
            self.ctx.remark(
                f"GE's sweep: {len(visited)} visits, {twice} of them repeated",
                category="analysis",
            )
        return report

    def _warn(self, sweep: GeSweep) -> None:
        busy = Counter(node_name(op) or op.name for op in sweep.visited).most_common(3)
        self.ctx.sink.warning(
            "GX-414",
            f"GE's sweep in pass '{self.ctx.pass_name or 'unnamed'}' stopped after "
            f"{VISITS_PER_NODE} visits per node",
            found="most visits at " + ", ".join(f"{name} ({n}x)" for name, n in busy),
        )


# --------------------------------------------------------------------------- graph passes


class GraphPass(Protocol):
    """A pass on one graph, without those inside its nodes."""

    def __call__(self, block: Block) -> Any: ...


def run_graph_passes(passes: Sequence[GraphPass | Callable[[Block], Any]], root: Operation) -> None:
    """Run graph passes as GE's pass manager: each pass on the root graph, then on every graph
    inside it, before the next pass starts. ValueError for a pass that is None."""
    if any(p is None for p in passes):
        raise ValueError("a graph pass is None")
    for graph_pass in passes:
        for block in list(walk_graphs(root)):
            graph_pass(block)
