"""The pattern driver: one forward topological sweep with revisits of what changed.

Patterns are indexed by the operator types they start from, so an op no pattern is interested in
costs one dictionary lookup. Ops are visited producers first; an op that owns graphs is visited,
then their ops, then the op again. After a rewrite the driver revisits

- the ops that were inserted or modified,
- the users of replaced values,
- producers that lost a use, and the remaining user of a value that is now used once.

Rewrites are counted against a budget; when it is spent, an error names the pass and the patterns
that kept changing, and the sweep stops with a valid module.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, final

from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue

from ge_dialect.ir.base import GeOp
from ge_dialect.ir.names import node_name
from ge_dialect.ir.private import nodes_of, operands_of
from ge_dialect.ir.rewriter import Rewriter
from passes.attempts import Attempts

if TYPE_CHECKING:
    from passes.context import PassContext
    from passes.values import KnownValues

_item = tuple.__getitem__

#: Rewrites allowed per op that some pattern is interested in, before the budget ends the sweep.
BUDGET_PER_OP = 8
BUDGET_FLOOR = 64
#: How many of the last rewrites are looked at to name what did not settle.
_TAIL = 128


class Pattern:
    """A local rewrite.

    `root` lists the operator types (``"Conv2D"``) at which the pattern is tried; empty means every
    node. Patterns hold no state: options are fields set once, and everything found out about an op
    stays in local variables. Every precondition that makes a near-match fail goes through
    ``rw.when(condition, "reason")``, the shape a candidate must have through ``rw.candidate``, and
    ``rw.involves`` names the other nodes of a candidate; remarks and traces live on these.
    """

    root: ClassVar[tuple[str, ...]] = ()
    name: ClassVar[str] = ""

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        """Rewrite at `op` through `rw`, or return without touching anything."""
        raise NotImplementedError

    @property
    def label(self) -> str:
        """Name in remarks, counters and diagnostics."""
        return self.name or type(self).__name__


class RewriteReport(Counter[str]):
    """Rewrites applied per pattern; `missed` counts failed preconditions per (pattern, reason)."""

    def __init__(self) -> None:
        super().__init__()
        self.missed: Counter[tuple[str, str]] = Counter()
        self.exhausted = False
        #: visits by node name; counted under ``driver=ge`` only
        self.visits: Counter[str] = Counter()

    @property
    def changed(self) -> bool:
        """Whether anything was rewritten."""
        return bool(self)


class PatternRewriter(Rewriter):
    """The rewriter a pattern mutates through; it tells the driver what to look at again.

    ctx: the run's context. values: compile-time values (`passes.values.KnownValues`) where the pass
    gave them. after_graphs: True on the second visit of a node whose graphs were visited.
    retyped: values whose type this sweep has changed. left_graphs: nodes visited that second time.
    """

    def __init__(self, driver: Sweep, values: KnownValues | None) -> None:
        super().__init__(driver)
        self._driver = driver
        self._attempts = driver.attempts
        self.ctx = driver.ctx
        self.values = values
        self.after_graphs = False
        self.retyped: set[SSAValue] = set()
        self.left_graphs: set[Operation] = set()
        self._op: Operation | None = None
        self._pattern: Pattern | None = None

    def when(self, condition: Any, reason: str, *involved: Any) -> bool:
        """Whether a precondition holds; a failure is recorded as the reason of a missed rewrite.

        involved: nodes the condition is about, besides the visited one.
        """
        if self.holds(condition, reason):
            return True
        self.missed(reason, *involved)
        return False

    def holds(self, condition: Any, reason: str) -> bool:
        """Whether a precondition holds, without recording a failure; see `missed`.

        Every precondition of every pattern is judged here, so that traces see it and tests can
        take it as true.
        """
        attempts = self._attempts
        probe = self._driver.probe
        if probe is not None and self._pattern is not None:
            condition = probe.judge(self._pattern, reason, bool(condition))
        if condition:
            if attempts is not None:
                attempts.checked(reason, True)
            return True
        ignored = self._driver.ignored
        if ignored and self._pattern is not None and (self._pattern.label, reason) in ignored:
            return True
        if attempts is not None:
            attempts.checked(reason, False)
        return False

    def missed(self, reason: str, *involved: Any) -> None:
        """Record that this candidate is not rewritten because of `reason`."""
        assert self._op is not None
        assert self._pattern is not None
        self._driver.misses[(self._op, self._pattern)] = reason
        if self._attempts is not None:
            self._attempts.involve(involved)
            self._attempts.failed(reason, matched=True)

    def candidate(self, condition: Any, reason: str, *involved: Any) -> bool:
        """Whether the graph around the op has the pattern's shape at all.

        A failure is no missed rewrite; it is only kept for those who ask about the node.
        """
        if condition if self._driver.probe is None else self.fits(condition, reason):
            return True
        self.unmatched(reason, *involved)
        return False

    def fits(self, condition: Any, reason: str) -> bool:
        """Whether a condition of the shape holds, without recording a failure; see `unmatched`.

        Like preconditions, these are judged where tests can take them as true.
        """
        probe = self._driver.probe
        if probe is None or self._pattern is None:
            return bool(condition)
        return probe.judge(self._pattern, reason, bool(condition))

    def unmatched(self, reason: str, *involved: Any) -> None:
        """Record that the graph around the op has not the pattern's shape."""
        if self._attempts is not None:
            self._attempts.involve(involved)
            self._attempts.failed(reason, matched=False)

    @property
    def watched(self) -> bool:
        """Whether reasons of shapes that do not fit are wanted, which cost time to word."""
        return self._attempts is not None

    def involves(self, *ops: Operation | None) -> None:
        """Say which nodes the candidate consists of besides the visited one."""
        if self._attempts is not None:
            self._attempts.involve(ops)

    def report(self, code: str, message: str, *, severity: str = "error", **fields: Any) -> None:
        """Note a problem at the current node; reported when the sweep ends unless a later visit of
        the node by the same pattern finds none."""
        assert self._op is not None
        assert self._pattern is not None
        problems = self._driver.problems.setdefault((self._op, self._pattern), [])
        shown = {k: None if v is None else str(v) for k, v in fields.items()}
        problems.append((severity, code, message, shown))

    def replace(
        self,
        op: Operation,
        new_ops: Operation | Sequence[Operation],
        new_values: Sequence[SSAValue | None] | None = None,
        *,
        merged: Sequence[Operation] = (),
        inherit_name: bool = True,
    ) -> None:
        """Replace a node; see `Rewriter.replace`. Its users are visited again."""
        self._driver.fresh.extend(_users(op))
        super().replace(op, new_ops, new_values, merged=merged, inherit_name=inherit_name)

    def set_result_type(self, value: SSAValue, type_: Attribute) -> None:
        """Change a type in place; see `Rewriter.set_result_type`."""
        self.retyped.add(value)
        super().set_result_type(value, type_)

    def settled(self) -> None:
        """Say that the visited op needs no second visit for what was just changed about itself."""
        self._driver.settled = self._op

    def set_operand(self, op: Operation, index: int, value: SSAValue) -> None:
        """Change one data operand; see `Rewriter.set_operand`."""
        self._driver.losers.append(op.operands[index])
        super().set_operand(op, index, value)


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
        self.probe = ctx.probe
        if self.probe is not None:
            self.probe.started(patterns)
        self.misses: dict[tuple[Operation, Pattern], str] = {}
        self.report = RewriteReport()
        self.patterns = tuple(patterns)
        self._table: dict[type, tuple[Pattern, ...]] = {}
        self._queue: deque[Operation | _After] = deque()
        # ids of queued ops: hashing an op is a Python call; the queue keeps them alive
        self._pending: set[int] = set()
        # inserted nodes that own graphs: these are visited as in the first sweep
        self._entered: set[int] = set()
        self.fresh: list[Operation] = []
        self.settled: Operation | None = None
        self.losers: list[SSAValue] = []
        self.problems: dict[tuple[Operation, Pattern], list[tuple[str, str, str, dict]]] = {}

    # ---- the index ----------------------------------------------------------------------

    def patterns_of(self, op: Operation) -> tuple[Pattern, ...]:
        """Patterns whose root admits `op`, in the order they were given."""
        found = self._table.get(type(op))
        if found is None:
            name = op.name.removeprefix("ge.")
            node = isinstance(op, GeOp)
            found = tuple(p for p in self.patterns if (name in p.root if p.root else node))
            self._table[type(op)] = found
        return found

    # ---- the queue ----------------------------------------------------------------------

    def seed(self, blocks: Iterable[Block]) -> int:
        """Queue the ops of `blocks` that have patterns, in program order."""
        queue, pending, table = self._queue, self._pending, self._table
        for op in _walk(blocks):
            if type(op) is _After:
                if self.patterns_of(op.op):
                    queue.append(op)
                continue
            found = table.get(type(op))
            if found is None:
                found = self.patterns_of(op)
            if found:
                queue.append(op)
                pending.add(id(op))
        return len(queue)

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
        self._pending.discard(id(op))

    def replaced(self, op: Operation, values: Sequence[SSAValue | None]) -> None:
        """A node was replaced; `PatternRewriter.replace` has noted its users."""

    def flush(self) -> None:
        """Queue in front what the last rewrite touched, in the order it was touched."""
        fresh = self.fresh
        for value in self.losers:
            if type(value) is OpResult:
                fresh.append(value.op)
            if value.has_one_use():
                fresh.append(value.first_use.operation)  # type: ignore[union-attr]
        self.losers.clear()
        front: list[Operation | _After] = []
        pending, settled = self._pending, self.settled
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
                    self._pending.add(id(node))
                front.append(entry)

    # ---- the sweep ----------------------------------------------------------------------

    def run(self, budget: int, values: KnownValues | None) -> RewriteReport:
        """Visit until nothing is queued or the budget is spent."""
        queue, pending, ctx, report = self._queue, self._pending, self.ctx, self.report
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
                if op.parent is None:
                    break
        return report

    def try_at(self, op: Operation, pattern: Pattern, rw: PatternRewriter) -> bool:
        """Try one pattern at one node; whether it rewrote something."""
        rw._op, rw._pattern, self.settled = op, pattern, None
        before, key = rw.changes, (op, pattern)
        if self.problems:
            self.problems.pop(key, None)
        attempts = self.attempts
        if attempts is not None:
            attempts.begin(op, pattern)
            if not rw.after_graphs:  # the second visit adds to what the first one found
                self.misses.pop(key, None)
                attempts.forget(key)
        pattern.match_and_rewrite(op, rw)
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


def apply_patterns(
    scope: Operation | Block | Region,
    patterns: Sequence[Pattern],
    ctx: PassContext,
    *,
    max_rewrites: int | None = None,
    ignored: frozenset[tuple[str, str]] = frozenset(),
    values: KnownValues | None = None,
    announce: bool = True,
) -> RewriteReport:
    """Apply `patterns` to everything inside `scope` (a module, graph op, region or block).

    max_rewrites: the budget; by default proportional to the number of ops patterns look at.
    ignored: preconditions, as (pattern label, reason), taken as true; tests use it to show that
    each precondition is needed.
    values: compile-time values for the patterns, as ``rw.values``. announce: whether each rewrite
    gives a remark.
    Returns the rewrites per pattern. An exhausted budget is an error in ``ctx.sink`` (GX-414).
    """
    kind = Sweep
    if ctx.driver == "ge":
        from passes.ge_driver import GePatternSweep

        kind = GePatternSweep
    driver = kind(patterns, ctx, ignored, announce)
    seeds = driver.seed(blocks_of(scope))
    if not seeds:
        return driver.report
    budget = max_rewrites
    if budget is None:
        budget = BUDGET_PER_OP * max(seeds, BUDGET_FLOOR)
    driver.run(budget, values)
    return driver.finish()


def blocks_of(scope: Operation | Block | Region) -> list[Block]:
    """The blocks directly inside `scope`."""
    if isinstance(scope, Block):
        return [scope]
    regions = [scope] if isinstance(scope, Region) else scope.regions
    return [block for region in regions for block in region.blocks]


def _walk(blocks: Iterable[Block]) -> Iterator[Any]:
    """Ops in program order; one with graphs also appears, as `_After`, behind their ops."""
    for block in blocks:
        for op in nodes_of(block):
            yield op
            if op.regions:
                for region in op.regions:
                    yield from _walk(region.blocks)
                yield _After(op)


def _users(op: Operation) -> list[Operation]:
    """Users of all results, each once, in use order."""
    found: dict[int, Operation] = {}
    for result in op.results:
        use = result.first_use
        if use is not None:
            for use in result.uses:
                user = use.operation
                found[id(user)] = user
    return list(found.values())


def defining_op(value: SSAValue | None) -> Operation | None:
    """The op that makes `value`, or None for a graph argument or an absent input."""
    return value.op if type(value) is OpResult else None


def producer(op: Operation, index: int = 0) -> Operation | None:
    """The op that makes operand `index`, or None for a graph argument; quicker than operands[i]."""
    value = _item(operands_of(op), index)
    return value.op if type(value) is OpResult else None
