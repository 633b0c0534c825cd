"""Terms compiled to closures.

A closure takes the thing to look at, the state of the match and what comes next; it calls that, and
undoes what it noted when that fails. So alternatives and swapped inputs are searched completely,
without building lists of candidates. Clauses are collected on the way and judged once the whole
shape fits: until then an op is no candidate, afterwards a failure is a missed rewrite.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.ir import Operation, OpResult, SSAValue

from ge_dialect.containers import is_list
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.names import node_name
from passes.pattern_dsl.terms import (
    Absent,
    AnyOf,
    Clause,
    Condition,
    Const,
    Node,
    Optional,
    Term,
    Values,
)
from passes.values import CONST_OPS

if TYPE_CHECKING:
    from passes.rewriting import PatternRewriter

Next = Callable[["State"], bool]
Matcher = Callable[[Any, "State", Next], bool]


class State:
    """What one try has found so far."""

    __slots__ = ("best", "bound", "conditions", "match", "nodes", "pending", "rw", "shape")

    def __init__(self, rw: PatternRewriter, conditions: Sequence[Condition]) -> None:
        self.rw = rw
        self.conditions = conditions
        self.bound: dict[str, Any] = {}
        #: (clauses, op or None, value) in the order met
        self.pending: list[tuple[tuple[Clause, ...], Any, Any]] = []
        #: (term, op) of the ops behind the root
        self.nodes: list[tuple[Node, GeOp]] = []
        #: the failure that came furthest: conditions that held before it, reason, nodes
        self.best: tuple[int, str, list[GeOp]] | None = None
        #: the first difference of shape
        self.shape: tuple[str, Any] | None = None
        self.match: Any = None

    def differs(self, reason: Callable[[], str], op: Any = None) -> bool:
        """Note a difference of shape; always False."""
        if self.rw.watched and self.shape is None:
            self.shape = (reason(), op)
        return False

    def miss(self, count: int, reason: str) -> bool:
        """Note a failed condition, after `count` that held; always False."""
        if self.best is None or count > self.best[0]:
            self.best = (count, reason, [op for _, op in self.nodes])
        return False


def compile_root(term: Node, make_match: Callable[[State, GeOp], Any]) -> Callable[..., Any]:
    """A function (op, rewriter, conditions) -> match or None; it reports failures by itself."""
    inner = _compile_op(term)

    def judge(state: State) -> bool:
        rw = state.rw
        rw.involves(*(op for _, op in state.nodes))
        held = 0
        for clauses, op, value in state.pending:
            for clause in clauses:
                if not rw.holds(clause.check(op, value), clause.reason):
                    return state.miss(held, clause.reason)
                held += 1
        match = state.match = make_match(state, state.bound["root"])
        for condition in state.conditions:
            if not rw.holds(condition.check(match), condition.reason):
                return state.miss(held, condition.reason)
            held += 1
        return True

    def match_at(op: GeOp, rw: PatternRewriter, conditions: Sequence[Condition]) -> Any:
        state = State(rw, conditions)
        state.bound["root"] = op
        if term.name is not None:
            state.bound[term.name] = op
        results = op.results
        first = results[term.result] if len(results) > term.result else None
        if inner(op, first, state, judge):
            return state.match
        if state.best is not None:
            rw.missed(state.best[1], *state.best[2])
        elif state.shape is not None:
            rw.unmatched(state.shape[0], state.shape[1])
        return None

    return match_at


def compile_term(term: Term) -> Matcher:
    """The closure of a term: called with a value (None where an optional input is absent)."""
    if isinstance(term, Node):
        return _compile_node(term)
    if isinstance(term, Const):
        return _compile_const(term)
    if isinstance(term, Optional):
        return _compile_optional(term)
    if isinstance(term, Absent):
        return _compile_absent(term)
    if isinstance(term, AnyOf):
        return _compile_any(term)
    if isinstance(term, Values):
        return _compile_values(term)
    return _compile_value(term)


def _captured(name: str | None, clauses: tuple[Clause, ...]) -> Callable[..., bool]:
    """What every term ends with: bind the name, collect the clauses, go on."""

    def go_on(held: Any, op: Any, value: Any, state: State, after: Next) -> bool:
        bound = state.bound
        fresh = None if name is None or name in bound else name
        if fresh is not None:
            bound[fresh] = held
        elif name is not None and bound[name] is not held:
            return state.differs(lambda: f"{name} is not the same value everywhere", _maker(value))
        if clauses:
            state.pending.append((clauses, op, value))
        if after(state):
            return True
        if clauses:
            state.pending.pop()
        if fresh is not None:
            del bound[fresh]
        return False

    return go_on


def _compile_value(term: Term) -> Matcher:
    go_on = _captured(term.name, term.clauses)

    def match(value: Any, state: State, after: Next) -> bool:
        if not isinstance(value, SSAValue):
            return state.differs(lambda: f"{term.label} is not connected")
        return go_on(value, None, value, state, after)

    return match


def _compile_values(term: Values) -> Matcher:
    go_on = _captured(term.name, term.clauses)

    def match(value: Any, state: State, after: Next) -> bool:
        held = tuple(value) if is_list(value) else () if value is None else (value,)
        return go_on(held, None, held, state, after)

    return match


def _compile_const(term: Const) -> Matcher:
    go_on = _captured(term.name, term.clauses)

    def match(value: Any, state: State, after: Next) -> bool:
        if type(value) is not OpResult or value.op.name not in CONST_OPS:
            return state.differs(lambda: f"{term.label} is no constant", _maker(value))
        return go_on(value, None, value, state, after)

    return match


def _compile_optional(term: Optional) -> Matcher:
    inner = compile_term(term.term)
    absent = _captured(term.term.name, ())

    def match(value: Any, state: State, after: Next) -> bool:
        if value is None:
            return absent(None, None, None, state, after)
        return inner(value, state, after)

    return match


def _compile_absent(term: Absent) -> Matcher:
    reason = term.reason
    clauses = () if reason is None else (Clause(lambda op, v: v is None, reason, "absent"),)

    def match(value: Any, state: State, after: Next) -> bool:
        if value is not None and value != []:
            if reason is None:
                return state.differs(lambda: "an input is connected", _maker(value))
            state.pending.append((clauses, None, value))
            if after(state):
                return True
            state.pending.pop()
            return False
        return after(state)

    return match


def _compile_any(term: AnyOf) -> Matcher:
    options = [compile_term(t) for t in term.terms]

    def match(value: Any, state: State, after: Next) -> bool:
        return any(option(value, state, after) for option in options)

    return match


def _compile_node(term: Node) -> Matcher:
    names = frozenset(f"ge.{t}" for t in term.types)
    index, wanted = term.result, " or ".join(term.types)
    inner = _compile_op(term)

    def match(value: Any, state: State, after: Next) -> bool:
        if type(value) is not OpResult or value.op.name not in names or value.index != index:
            return state.differs(
                lambda: f"{_described(value)} is not made by {wanted}", _maker(value)
            )
        op = cast("GeOp", value.op)
        name = term.name
        bound = state.bound
        fresh = None if name is None or name in bound else name
        if fresh is not None:
            bound[fresh] = op
        elif name is not None and bound[name] is not op:
            return state.differs(lambda: f"{name} is not the same node everywhere", op)
        state.nodes.append((term, op))
        if inner(op, value, state, after):
            return True
        state.nodes.pop()
        if fresh is not None:
            del bound[fresh]
        return False

    return match


def _compile_op(term: Node) -> Callable[[Any, Any, State, Next], bool]:
    """Inputs and clauses of an op whose type is right."""
    slots = [slot for slot, _ in term.inputs]
    matchers = [compile_term(t) for _, t in term.inputs]
    orders = [matchers]
    if term.swaps:
        if slots[:2] != [0, 1]:
            raise ValueError(f"{term.types[0]}: a commutative op needs its first two inputs")
        orders.append([matchers[1], matchers[0], *matchers[2:]])
    positions: dict[type, list[int]] = {}
    clauses, guards = term.clauses, term.guards

    def inputs_of(op: GeOp) -> list[Any] | None:
        args = op.ge_args()
        found = positions.get(type(op))
        if found is None:
            table = type(op).ge_table()
            found = positions[type(op)] = [
                s if isinstance(s, int) else table.input_index(s) for s in slots
            ]
        if any(i >= len(args) for i in found):
            return None
        return [args[i] for i in found]

    def match(op: Any, value: Any, state: State, after: Next) -> bool:
        for guard in guards:
            if not state.rw.fits(guard.check(op, value), guard.reason):
                return state.differs(lambda: guard.reason, op)  # noqa: B023
        args = inputs_of(op) if slots else []
        if args is None:
            return state.differs(lambda: f"{_kind(op)} has fewer inputs", op)
        if clauses:
            state.pending.append((clauses, op, value))
        for order in orders:
            if _all(order, args, 0, state, after):
                return True
        if clauses:
            state.pending.pop()
        return False

    return match


def _all(matchers: list[Matcher], args: list[Any], i: int, state: State, after: Next) -> bool:
    """Match the inputs from the i-th on, then go on."""
    if i == len(matchers):
        return after(state)
    return matchers[i](args[i], state, lambda s: _all(matchers, args, i + 1, s, after))


def _maker(value: Any) -> Operation | None:
    return value.op if isinstance(value, OpResult) else None


def _kind(op: Operation) -> str:
    return op.name.removeprefix("ge.")


def _described(value: Any) -> str:
    """A value in words, for reasons."""
    if value is None:
        return "an absent input"
    if isinstance(value, list):
        return "a dynamic input"
    maker = _maker(value)
    if maker is None:
        return "a graph input"
    name = node_name(maker)
    return f"{_kind(maker)} '{name}'" if name else _kind(maker)
