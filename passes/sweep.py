"""The pattern driver: one forward topological sweep with revisits of what changed.

Patterns are indexed by the operator types they start from, so an op no pattern is interested in
costs one dictionary lookup. Ops are visited producers first; an op that owns graphs is visited,
then their ops, then the op again. After a rewrite the driver revisits

- the ops that were inserted or modified,
- the users of replaced values,
- producers that lost a use, and the remaining user of a value that is now used once.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, cast, final

from xdsl.ir import Block, Operation, OpResult, SSAValue

from ge_dialect.ir.base import GeOp
from ge_dialect.ir.names import node_name
from ge_dialect.ir.private import nodes_of, operands_of
from passes.attempts import Attempts
from passes.gates import ROUTING_NAMES, gated_nodes
from passes.rewriting import Pattern, PatternRewriter, RewriteReport

if TYPE_CHECKING:
    from xdsl.ir import Use

    from passes.context import PassContext
    from passes.values import KnownValues

#: How many of the last rewrites are looked at to name what did not settle.
_TAIL = 128


@final
class _After:
    """Queue entry: visit `op` again, now that its graphs were visited."""

    __slots__ = ("op",)

    def __init__(self, op: Operation) -> None:
        self.op = op


class Sweep:
    """State of one sweep."""

    def __init__(
        self,
        patterns: Sequence[Pattern],
        ctx: PassContext,
        ignored: frozenset[tuple[str, str]],
        announce: bool,
    ) -> None:
        self.ctx = ctx
        self.ignored = ignored
        self.announce = announce
        watched = ctx.remarks_enabled or ctx.tracer is not None
        self.attempts: Attempts | None = Attempts(ctx) if watched else None
        if ctx.tracer is not None:
            ctx.tracer.meet(patterns, ctx.pass_name or "")
        self.probe = ctx.probe
        if self.probe is not None:
            self.probe.started(patterns)
        self.misses: dict[tuple[Operation, Pattern], str] = {}
        self.report = RewriteReport()
        self.patterns = tuple(patterns)
        self._table: dict[type, tuple[Pattern, ...]] = {}
        # ids of nodes that may not run; the blocks keep them alive, or they are forgotten
        self._gated: set[int] = set()
        self._routed = False
        self._queue: deque[Operation | _After] = deque()
        # ids of queued ops, from the first change on: before, each is queued once and stays.
        # Ids, for hashing an op is a Python call; the queue keeps them alive.
        self._pending: set[int] | None = None
        # inserted nodes that own graphs: these are visited as in the first sweep
        self._entered: set[int] = set()
        self.fresh: list[Operation] = []
        self.settled: Operation | None = None
        self.losers: list[SSAValue] = []
        self.problems: dict[
            tuple[Operation, Pattern], list[tuple[str, str, str, dict[str, str | None]]]
        ] = {}

    # ---- the index ----------------------------------------------------------------------

    def patterns_of(self, op: Operation) -> tuple[Pattern, ...]:
        """Patterns whose root admits `op`, in the order they were given."""
        found = self._table.get(type(op))
        if found is None:
            name = op.name.removeprefix("ge.")
            self._routed = self._routed or op.name in ROUTING_NAMES
            node = isinstance(op, GeOp)
            found = tuple(p for p in self.patterns if (name in p.root if p.root else node))
            self._table[type(op)] = found
        return found

    # ---- the queue ----------------------------------------------------------------------

    def seed(self, blocks: Iterable[Block]) -> int:
        """Queue the ops of `blocks` that have patterns, in program order."""
        roots = self.report.roots = []
        graphs = list(blocks)
        for block in graphs:
            self._seed_block(block, roots)
        if self._routed:
            self._find_gated(graphs)
        return len(self._queue)

    def _seed_block(self, block: Block, roots: list[Operation]) -> None:
        """In the order of `_walk`, without its generator: many sweeps do little else."""
        queue, table = self._queue, self._table
        for op in nodes_of(block):
            found = table.get(type(op))
            if found is None:
                found = self.patterns_of(op)
            if found:
                queue.append(op)
                roots.append(op)
            if op.regions:
                for region in op.regions:
                    for inner in region.blocks:
                        self._seed_block(inner, roots)
                if found:
                    queue.append(_After(op))

    def _queued(self) -> set[int]:
        """The ids of the queued ops; asked for by all that may queue an op again or drop one."""
        if self._pending is None:
            self._pending = {id(op) for op in self._queue if type(op) is not _After}
        return self._pending

    def _find_gated(self, blocks: Iterable[Block]) -> None:
        """Note the nodes of `blocks`, and of graphs in them, that a Switch or a loop decides on."""
        inside = (op.parent for op in _walk(blocks) if type(op) is not _After)
        self._gated = gated_nodes(dict.fromkeys(block for block in inside if block is not None))

    # ---- listener of the rewriter ---------------------------------------------------------

    def inserted(self, op: Operation) -> None:
        """A node was inserted."""
        self.fresh.append(op)
        if self.attempts is not None:
            self.attempts.inserted(op)
        if op.regions:
            self._entered.add(id(op))

    def modified(self, op: Operation) -> None:
        """A node was changed in place."""
        self.fresh.append(op)

    def removed(self, op: Operation) -> None:
        """A node is about to go; what it read loses a use."""
        self.losers.extend(operands_of(op))
        if self.attempts is not None:
            self.attempts.removed(op)
        self._queued().discard(id(op))
        self._gated.discard(id(op))

    def replaced(self, op: Operation, values: Sequence[SSAValue | None]) -> None:
        """A node was replaced; `PatternRewriter.replace` has noted its users."""

    def flush(self) -> None:
        """Queue in front what the last rewrite touched, in the order it was touched."""
        fresh = self.fresh
        for value in self.losers:
            if type(value) is OpResult:
                fresh.append(value.op)
            if value.has_one_use():
                fresh.append(cast("Use", value.first_use).operation)
        self.losers.clear()
        front: list[Operation | _After] = []
        pending, settled = self._queued(), self.settled
        self.settled = None
        for op in fresh:
            if id(op) in pending or op.parent is None or op is settled:
                continue
            if id(op) in self._entered:
                self._entered.discard(id(op))
                self._enter(op, front)
            elif self.patterns_of(op):
                pending.add(id(op))
                front.append(op)
        self._queue.extendleft(reversed(front))
        fresh.clear()

    def _enter(self, op: Operation, front: list[Operation | _After]) -> None:
        """Queue an inserted node, the ops of its graphs and the node again."""
        inner = (block for region in op.regions for block in region.blocks)
        for entry in (op, *_walk(inner), _After(op)):
            node = entry.op if type(entry) is _After else entry
            if self.patterns_of(node):
                if entry is node:
                    self._queued().add(id(node))
                front.append(entry)

    # ---- the sweep ----------------------------------------------------------------------

    def run(self, budget: int, values: KnownValues | None) -> RewriteReport:
        """Visit until nothing is queued or the budget is spent."""
        queue, ctx, report = self._queue, self.ctx, self.report
        table, limited = self._table, ctx.rewrite_limit is not None
        rw = PatternRewriter(self, values)
        recent: deque[tuple[str, Operation]] = deque(maxlen=_TAIL)
        applied = 0
        while queue:
            op = queue.popleft()
            if type(op) is _After:
                op = op.op
                rw.after_graphs = True
                rw.left_graphs.add(op)
            else:
                rw.after_graphs = False
                pending = self._pending
                if pending is not None:
                    if id(op) not in pending:
                        continue
                    pending.discard(id(op))
            if op.parent is None:
                continue
            for pattern in table[type(op)]:
                if limited and (ctx.rewrite_limit or 0) <= 0:
                    return report
                if not self.try_at(op, pattern, rw):
                    continue
                self.flush()
                applied += 1
                recent.append((pattern.label, op))
                if applied >= budget:
                    self._exhausted(recent, budget)
                    return report
                if _is_gone(op):
                    break
        return report

    def try_at(self, op: Operation, pattern: Pattern, rw: PatternRewriter) -> bool:
        """Try one pattern at one node; whether it rewrote something."""
        rw.visited, rw.tried, self.settled = op, pattern, None
        before, key = rw.changes, (op, pattern)
        gated = self._gated and id(op) in self._gated and not pattern.of_gated
        if self.problems:
            self.problems.pop(key, None)
        attempts = self.attempts
        if attempts is not None:
            attempts.begin(op, pattern)
            if not rw.after_graphs:  # the second visit adds to what the first one found
                self.misses.pop(key, None)
                attempts.forget(key)
        if not gated:
            pattern.match_and_rewrite(op, rw)
        elif attempts is not None:
            rw.missed("a Switch or a loop decides whether the node runs")
        if rw.changes == before:
            if attempts is not None:
                attempts.end()
            return False
        self.ctx.take_rewrite()
        self.misses.pop(key, None)
        self.report[pattern.label] += 1
        if self.probe is not None:
            self.probe.applied(pattern)
        if attempts is not None:
            attempts.applied(op, pattern, self.announce)
        return True

    def _exhausted(self, recent: Iterable[tuple[str, Operation]], budget: int) -> None:
        """Report which patterns and nodes filled the end of the budget."""
        self.report.exhausted = True
        labels = Counter(label for label, _ in recent)
        nodes = Counter(node_name(op) or op.name for _, op in recent)
        kept = ", ".join(f"{label} ({n}x)" for label, n in labels.most_common(3))
        where = ", ".join(node for node, _ in nodes.most_common(3))
        self.ctx.sink.error(
            "GX-414",
            f"pass '{self.ctx.pass_name or 'unnamed'}' did not settle within {budget} rewrites",
            found=f"the last rewrites came from {kept} at {where}",
            hint="a pattern undoes another one or matches its own result",
        )

    def finish(self) -> RewriteReport:
        """Emit the problems that still stand, and missed rewrites as remarks."""
        report = self.report
        for (op, _), problems in self.problems.items():
            if op.parent is None:
                continue
            for severity, code, message, fields in problems:
                emit = self.ctx.sink.error if severity == "error" else self.ctx.sink.warning
                emit(code, message, op=op, **fields)
        for (op, pattern), reason in self.misses.items():
            if op.parent is None:
                continue
            report.missed[(pattern.label, reason)] += 1
        if self.attempts is not None:
            self.attempts.report(self.misses)
        return report


def _is_gone(op: Operation) -> bool:
    return op.parent is None


def _walk(blocks: Iterable[Block]) -> Iterator[Operation | _After]:
    """Ops in program order; one with graphs also appears, as `_After`, behind their ops."""
    levels: list[tuple[Iterator[Operation], Operation | None]] = [(_nodes_in(blocks), None)]
    while levels:
        nodes, owner = levels[-1]
        for op in nodes:
            yield op
            if op.regions:
                inner = (block for region in op.regions for block in region.blocks)
                levels.append((_nodes_in(inner), op))
                break
        else:
            levels.pop()
            if owner is not None:
                yield _After(owner)


def _nodes_in(blocks: Iterable[Block]) -> Iterator[Operation]:
    return (op for block in blocks for op in nodes_of(block))
