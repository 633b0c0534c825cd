"""Steps with effects or bodies: variables, printing, sub-graphs, and nodes that only order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ge_dialect.dtypes import to_xdsl
from ge_dialect.ir.attributes import RefType
from ge_dialect.ir.types import elem_of, ref_type, shape_of, tensor_type
from ge_dialect.ops.registry import op_class
from passes.testing.judge import Called
from passes.testing.rules import Call, make
from passes.testing.rules_templates import TEMPLATES, fill
from passes.testing.scope import INLINE, Dims, Pending, Scope, State, Value
from passes.testing.spec import ANY, GraphSpec, Literal
from passes.testing.tables import literal

if TYPE_CHECKING:
    from xdsl.ir import Attribute

#: Makes one more step in a scope; given by the engine, since bodies hold steps of all kinds.
Another = Callable[[Scope], Pending | None]

_VARIABLE_DTYPES = ("float32", "float16", "int32")


# ---------------------------------------------------------------------------------------- state


def _some_state(scope: Scope) -> State:
    """A variable of the graph, or a new one."""
    if scope.states and scope.choose(4) < 3:
        return scope.states[scope.source.index(len(scope.states))]
    dims = scope.palette.dims(scope)
    size = 1
    for d in dims:
        size *= d
    dims = dims if size <= INLINE else dims[-1:]
    return _new_state(scope, dims, scope.dtype(_VARIABLE_DTYPES))


def _new_state(scope: Scope, dims: Dims, dtype: str) -> State:
    type_ = ref_type(tensor_type(dims, to_xdsl(dtype)))
    value = Value(type_, type_, None)
    if scope.palette.ref_inputs and scope.outer is None and scope.choose(2) == 0:
        scope.inputs.append((value, ANY))
        if scope.palette.data_nodes or scope.choose(2) == 0:
            index = len(scope.inputs) - 1
            called = Called("RefData", [value], {"index": index} if index else {})
            step = scope.append(called, [type_])
            step.has_task = False
            value = step.results[0]
    else:
        called = Called("Variable", [], {"value": literal(dims, dtype, scope.choose(4))})
        step = scope.append(called, [type_])
        step.has_task = False
        value = step.results[0]
    state = State(value, value)
    scope.states.append(state)
    return state


def _handle(scope: Scope, state: State, *, writes: bool) -> tuple[Value, list[Pending]]:
    """A handle of the variable, and the nodes to wait for besides the one that made the handle."""
    handle = state.latest if scope.choose(3) < 2 else state.source
    waits = list(state.read) if writes else []
    if state.written is not None and handle.maker is not state.written:
        waits.append(state.written)
    return handle, waits


def _wrote(state: State, step: Pending) -> None:
    state.written = step
    state.read = []


def read(scope: Scope) -> Pending | None:
    """A Read of some variable."""
    state = _some_state(scope)
    handle, waits = _handle(scope, state, writes=False)
    step = scope.try_call(Called("Read", [handle], {}), waits)
    if step is not None:
        state.read.append(step)
    return step


def write(scope: Scope, op: str) -> Pending | None:
    """An Assign, AssignAdd, AssignSub or ScatterUpdate of some variable."""
    state = _some_state(scope)
    handle, waits = _handle(scope, state, writes=True)
    if op == "ScatterUpdate":
        return _scatter(scope, state, handle, waits)
    dims = handle.dims
    if op != "Assign" and scope.choose(4) == 3:
        dims = ()
    value = scope.tensor((handle.dtype,), dims=dims)
    if scope.choose(4) == 3:
        # what was read comes back changed: x := f(x)
        made = [v for s in state.read for v in s.results if not isinstance(v.type, RefType)]
        fresh = [v for v in made if v.dims == dims and v.dtype == handle.dtype]
        value = fresh[-1] if fresh else value
    step = scope.try_call(Called(op, [handle, value], {}), waits)
    if step is not None:
        _wrote(state, step)
        state.latest = step.results[0]
    return step


def _scatter(scope: Scope, state: State, handle: Value, waits: list[Pending]) -> Pending | None:
    """Rows of a variable replaced."""
    if not handle.dims or not handle.dims[0]:
        return None
    count = 1 + scope.choose(2)
    indices = scope.fresh((count,), scope.pick(("int32", "int64")), ("index", handle.dims[0]))
    rows = scope.tensor((handle.dtype,), dims=(count, *handle.dims[1:]))
    step = scope.try_call(Called("ScatterUpdate", [handle, indices, rows], {}), waits)
    if step is not None:
        _wrote(state, step)
        state.latest = step.results[0]
    return step


def touch(scope: Scope, op: str) -> Pending | None:
    """A node that writes variables, by one of its templates."""
    call, waits = Call(op), list[Pending]()
    states: dict[str, State] = {}

    def handle(name: str, dims: Dims, dtype: str) -> Value:
        known = [s for s in scope.states if s.source.dims == dims and s.source.dtype == dtype]
        known = [s for s in known if s not in states.values()]
        if known and scope.choose(3):
            state = known[scope.source.index(len(known))]
        else:
            state = _new_state(scope, dims, dtype)
        states[name] = state
        value, before = _handle(scope, state, writes=True)
        waits.extend(before)
        return value

    fill(scope, call, scope.pick(TEMPLATES[op]), handle)
    step = scope.try_call(call.called(), list(dict.fromkeys(waits)))
    if step is not None:
        outputs = [s.name for s in call.table.outputs]
        for name in op_class(op).EFFECTS.writes:
            _wrote(states[name], step)
            if name in outputs:
                states[name].latest = step.results[outputs.index(name)]
    return step


def rename(scope: Scope) -> Pending | None:
    """A RefIdentity of some variable: one more handle, which later nodes use."""
    state = _some_state(scope)
    handle, waits = _handle(scope, state, writes=False)
    step = scope.try_call(Called("RefIdentity", [handle], {}), waits)
    if step is not None:
        state.read.append(step)
        state.latest = step.results[0]
    return step


def print_(scope: Scope) -> Pending | None:
    """A Print of one or two values, after the one before."""
    values = [scope.tensor(scope.knobs.dtypes)]
    if scope.choose(3) == 2:
        values.append(scope.choose_value(scope.values or values))
    waits = [] if scope.printed is None else [scope.printed]
    step = scope.try_call(Called("Print", [values], {}), waits)
    if step is not None:
        scope.printed, scope.prints = step, True
    return step


def communicate(scope: Scope, op: str) -> Pending | None:
    """A collective of one rank, after the effect before; they share the order of Print."""
    step = make(scope, op)
    if step is not None:
        if scope.printed is not None and scope.printed not in step.after:
            step.after.append(scope.printed)
        scope.printed, scope.prints = step, True
    return step


def no_op(scope: Scope) -> Pending | None:
    """A NoOp after one or two nodes."""
    tasks = [s for s in scope.steps if s.has_task]
    if not tasks:
        return None
    waits = [tasks[scope.source.index(len(tasks))]]
    other = tasks[scope.source.index(len(tasks))]
    if other is not waits[0]:
        waits.append(other)
    return scope.append(Called("NoOp", [], {}), [], after=waits)


# --------------------------------------------------------------------------------------- bodies


class _Body:
    """The graph of a body under construction; `given` are the values passed to it."""

    def __init__(self, scope: Scope, given: Sequence[Value]) -> None:
        self.scope = Scope(scope.source, scope.knobs, scope.palette, scope)
        self.args: list[Value] = []
        for outer in given:
            value = Value(outer.type, outer.ctype, None)
            self.args.append(value)
            self.scope.inputs.append((value, ANY))
            if isinstance(outer.type, RefType):
                self.scope.states.append(State(value, value))
            else:
                self.scope.values.append(value)

    def grow(self, another: Another, most: int = 3) -> None:
        """Add steps."""
        count = 0
        while self.scope.source.inside(count, most):
            another(self.scope)
            count += 1

    def outputs(self, count: int) -> list[Value]:
        """The newest values, made where there are none."""
        found = self.scope.values[-count:]
        while len(found) < count:
            found.append(self.scope.constant(literal((), "float32", 0)))
        return found

    def like(self, want: Value) -> Value:
        """A value of the type of `want`: the newest, else a constant."""
        for value in reversed(self.scope.values):
            if value.ctype is want.ctype:
                return value
        return self.scope.constant(literal(want.dims, want.dtype, 1))

    def next_turn(self, argument: Value) -> Value:
        """What a loop hands to an argument of its own: the newest value of its type and dims (dims
        that are open in the type may not change either, as what reads the result counts on them).
        """
        same = [
            v for v in self.scope.values if v.type is argument.type and v.ctype is argument.ctype
        ]
        return same[-1]


def _passed(scope: Scope) -> tuple[list[Value], list[State], list[Pending]]:
    """Tensors and handles to pass to bodies, the variables behind them, and what to wait for."""
    given: list[Value] = [
        scope.choose_value(scope.values) for _ in range(scope.choose(3) if scope.values else 0)
    ]
    states: list[State] = []
    waits: list[Pending] = []
    if scope.states and scope.choose(3) == 2:
        state = scope.states[scope.source.index(len(scope.states))]
        handle, waits = _handle(scope, state, writes=True)
        given.append(handle)
        states.append(state)
    return given, states, waits


def _close(
    scope: Scope,
    called: Called,
    types: Sequence[Value],
    bodies: Sequence[tuple[_Body, Sequence[Value]]],
    states: Sequence[State] = (),
    waits: Sequence[Pending] = (),
    results: Sequence[tuple[Attribute, Attribute]] | None = None,
) -> Pending:
    """Append a node with bodies; what happens in them orders it among the effects around it."""
    after = list(waits)
    prints = any(b.scope.prints for b, _ in bodies)
    if prints and scope.printed is not None:
        after.append(scope.printed)
    specs: tuple[GraphSpec, ...] = tuple(b.scope.finish(outs) for b, outs in bodies)
    pairs = results if results is not None else [(v.type, v.ctype) for v in types]
    step = scope.append(
        called,
        [p[0] for p in pairs],
        [p[1] for p in pairs],
        after=list(dict.fromkeys(after)),
        bodies=specs,
    )
    if prints:
        scope.printed, scope.prints = step, True
    for state in states:
        _wrote(state, step)
    return step


def if_(scope: Scope, another: Another) -> Pending | None:
    """An If whose branches give values of the same types."""
    conditions = [v for v in scope.values if v.dims in ((), (1,)) and v.dtype != "complex64"]
    if conditions and scope.choose(3) < 2:
        condition = scope.choose_value(conditions)
    else:
        condition = scope.fresh((), "bool")
        scope.register(condition)
    given, states, waits = _passed(scope)
    then, other = _Body(scope, given), _Body(scope, given)
    then.grow(another)
    outs = then.outputs(1 + scope.choose(2))
    other.grow(another)
    others = [other.like(v) for v in outs]
    results = [(_wider(a, b), a.ctype) for a, b in zip(outs, others, strict=True)]
    bodies = [(then, outs), (other, others)]
    called = Called("If", [condition, given], {})
    return _close(scope, called, outs, bodies, states, waits, results)


def _wider(a: Value, b: Value) -> Attribute:
    """The type that holds for both values, whose concrete types are equal."""
    if a.type is b.type:
        return a.type
    x, y = shape_of(a.type), shape_of(b.type)
    if x is None or y is None:
        return tensor_type(None, elem_of(a.type))
    dims = [m if m == n else -1 for m, n in zip(x, y, strict=True)]
    return tensor_type(dims, elem_of(a.type))


def while_(scope: Scope, another: Another) -> Pending | None:
    """A While of a fixed, small number of turns over a counter and some values."""
    counter_dtype = scope.pick(("int32", "int64"))
    zero = scope.constant(_integer(0, counter_dtype))
    carried = [
        scope.choose_value(scope.values[:-1])
        for _ in range(scope.choose(3) if len(scope.values) > 1 else 0)
    ]
    given = [zero, *carried]
    condition, body = _Body(scope, given), _Body(scope, given)
    limit = condition.scope.constant(_integer(scope.choose(4), counter_dtype))
    less = condition.scope.try_call(Called("Less", [condition.args[0], limit], {}))
    one = body.scope.constant(_integer(1, counter_dtype))
    counted = body.scope.try_call(Called("Add", [body.args[0], one], {}))
    if less is None or counted is None:
        return None
    body.grow(another)
    outs = [counted.results[0], *(body.next_turn(a) for a in body.args[1:])]
    bodies = [(condition, less.results), (body, outs)]
    return _close(scope, Called("While", [given], {}), given, bodies)


def partitioned_call(scope: Scope, another: Another) -> Pending | None:
    """A PartitionedCall of a body with one or two results."""
    given, states, waits = _passed(scope)
    body = _Body(scope, given)
    body.grow(another)
    outs = body.outputs(1 + scope.choose(2))
    called = Called("PartitionedCall", [given], {})
    return _close(scope, called, outs, [(body, outs)], states, waits)


def choice(scope: Scope, another: Another, op: str) -> Pending | None:
    """A Case, or one of the choices whose bodies touch no state."""
    calm = op != "Case"
    if op == "StatelessIf":
        chooser, count = scope.fresh((), "bool"), 2
    else:
        chooser, count = scope.fresh((), "int32", ("index", 3)), 1 + scope.choose(3)
    scope.register(chooser)
    given, states, waits = ([*scope.values[-1:]], [], []) if calm else _passed(scope)
    made = [_Body(scope, given) for _ in range(count)]
    outs: list[Value] = []
    results: list[list[Value]] = []
    for body in made:
        _fill(body, another, calm)
        results.append([body.like(v) for v in outs] if results else body.outputs(1))
        outs = results[0]
    types: list[tuple[Attribute, Attribute]] = []
    for group in zip(*results, strict=True):
        wide = group[0].type
        for value in group[1:]:
            wide = _wider(Value(wide, value.ctype, None), value)
        types.append((wide, group[0].ctype))
    bodies = list(zip(made, results, strict=True))
    return _close(scope, Called(op, [chooser, given], {}), outs, bodies, states, waits, types)


def _fill(body: _Body, another: Another, calm: bool) -> None:
    """Steps of a body; of one that is to touch no state, a single one."""
    if not calm:
        body.grow(another)
    elif body.scope.values:
        body.scope.try_call(Called("Identity", [body.scope.values[-1]], {}))


def call(scope: Scope, another: Another, op: str) -> Pending | None:
    """A node that is its only body."""
    given: list[Value] = list(scope.values[-1:])
    states: list[State] = []
    waits: list[Pending] = []
    if op == "StatefulPartitionedCall":
        given, states, waits = _passed(scope)
    body = _Body(scope, given)
    _fill(body, another, op != "StatefulPartitionedCall")
    outs = body.outputs(1)
    return _close(scope, Called(op, [given], {}), outs, [(body, outs)], states, waits)


def stateless_while(scope: Scope, another: Another) -> Pending | None:
    """A counter that runs up to a small number."""
    zero = scope.constant(_integer(0, "int32"))
    condition, body = _Body(scope, [zero]), _Body(scope, [zero])
    limit = condition.scope.constant(_integer(scope.choose(4), "int32"))
    less = condition.scope.try_call(Called("Less", [condition.args[0], limit], {}))
    one = body.scope.constant(_integer(1, "int32"))
    counted = body.scope.try_call(Called("Add", [body.args[0], one], {}))
    if less is None or counted is None:
        return None
    bodies = [(condition, less.results), (body, counted.results)]
    return _close(scope, Called("StatelessWhile", [[zero]], {}), [zero], bodies)


def for_(scope: Scope, another: Another) -> Pending | None:
    """A For of up to three turns over some values."""
    start, limit = scope.choose(2), scope.choose(4)
    numbers = [scope.constant(_integer(v, "int32")) for v in (start, limit, 1 + scope.choose(2))]
    given = scope.values[: scope.choose(3)]
    body = _Body(scope, [numbers[0], *given])
    body.grow(another)
    outs = [body.next_turn(a) for a in body.args[1:]]
    return _close(scope, Called("For", [*numbers, given], {}), given, [(body, outs)])


def _integer(value: int, dtype: str) -> Literal:
    size = 4 if dtype == "int32" else 8
    return Literal(dtype, (), value.to_bytes(size, "little"))
