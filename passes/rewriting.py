"""Patterns and the rewriter they see; `passes.sweep` is the driver that tries them.

Rewrites are counted against a budget; when it is spent, an error names the pass and the patterns
that kept changing, and the sweep stops with a valid module.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue

from ge_dialect.ir.private import operands_of
from ge_dialect.ir.rewriter import Rewriter

if TYPE_CHECKING:
    from passes.context import PassContext
    from passes.sweep import Sweep
    from passes.values import KnownValues

_item = tuple[SSAValue, ...].__getitem__

#: Rewrites allowed per op that some pattern is interested in, before the budget ends the sweep.
BUDGET_PER_OP = 8
BUDGET_FLOOR = 64


class Pattern:
    """A local rewrite.

    `root` lists the operator types (``"Conv2D"``) at which the pattern is tried; empty means every
    node. Patterns hold no state: options are fields set once, and everything found out about an op
    stays in local variables. Every precondition that makes a near-match fail goes through
    ``rw.when(condition, "reason")``, the shape a candidate must have through ``rw.candidate``, and
    ``rw.involves`` names the other nodes of a candidate; remarks and traces live on these.

    A node behind a Switch, or in a loop of TensorFlow 1, is passed over: what replaces it would
    have to run when it does. `of_gated` says that the pattern leaves that as it is.
    """

    root: ClassVar[tuple[str, ...]] = ()
    name: ClassVar[str] = ""
    of_gated: ClassVar[bool] = False

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
        #: visits planned when the sweep began, two of a node with graphs; 0 where no pattern has a
        #: root in the scope. Under ``driver=ge`` the number of graphs
        self.seeds = 0
        #: the nodes of these visits, in program order; None under ``driver=ge``
        self.roots: list[Operation] | None = None
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
    visited, tried: the node and the pattern that is tried at it, set by the driver.
    retyped: values whose type this sweep has changed. left_graphs: nodes visited that second time.
    """

    def __init__(self, driver: Sweep, values: KnownValues | None) -> None:
        super().__init__(driver)
        self._driver = driver
        self._attempts = driver.attempts
        self.ctx = driver.ctx
        self.values = values
        if values is not None:
            values.follow(lambda: self.changes)
        self.after_graphs = False
        self.retyped: set[SSAValue] = set()
        self.left_graphs: set[Operation] = set()
        self.visited: Operation | None = None
        self.tried: Pattern | None = None

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
        if probe is not None and self.tried is not None:
            condition = probe.judge(self.tried, reason, bool(condition))
        if condition:
            if attempts is not None:
                attempts.checked(reason, True)
            return True
        ignored = self._driver.ignored
        if ignored and self.tried is not None and (self.tried.label, reason) in ignored:
            return True
        if attempts is not None:
            attempts.checked(reason, False)
        return False

    def missed(self, reason: str, *involved: Any) -> None:
        """Record that this candidate is not rewritten because of `reason`."""
        assert self.visited is not None
        assert self.tried is not None
        self._driver.misses[(self.visited, self.tried)] = reason
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
        if probe is None or self.tried is None:
            return bool(condition)
        return probe.judge(self.tried, reason, bool(condition))

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
        assert self.visited is not None
        assert self.tried is not None
        problems = self._driver.problems.setdefault((self.visited, self.tried), [])
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
        self._driver.settled = self.visited

    def set_operand(self, op: Operation, index: int, value: SSAValue) -> None:
        """Change one data operand; see `Rewriter.set_operand`."""
        self._driver.losers.append(op.operands[index])
        super().set_operand(op, index, value)


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
    from passes.sweep import Sweep

    kind = Sweep
    if ctx.driver == "ge":
        from passes.ge_driver import GePatternSweep

        kind = GePatternSweep
    driver = kind(patterns, ctx, ignored, announce)
    seeds = driver.report.seeds = driver.seed(blocks_of(scope))
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
