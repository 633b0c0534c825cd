"""ONNX exports: sub-graphs. ONNX's bodies read outer values by name, so arguments become those."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, Region, SSAValue

from ge_dialect.dtypes import is_float, to_xdsl
from ge_dialect.exporters.onnx_graph import GraphWriter, Made
from ge_dialect.exporters.onnx_node import Out
from ge_dialect.exporters.onnx_rules import Results, export
from ge_dialect.exporters.onnx_values import NoCounterpart, Val
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.types import elem_of, shape_of, tensor_type


def _ends(region: Region) -> list[SSAValue]:
    """Operands of a body's NetOutput."""
    last = region.block.last_op
    return list(last.ge_data_operands) if isinstance(last, GeOp) else []


def _condition(graph: GraphWriter, value: Val, source: SSAValue) -> Val:
    """A condition as one boolean."""
    shape = shape_of(source.type)
    if shape not in ((), (1,)):
        raise NoCounterpart("the condition must hold one element")
    boolean = to_xdsl("bool")
    if value.elem != boolean:
        if is_float(value.elem):
            value = graph.cast(value, to_xdsl("float32"))
        value = graph.cast(value, boolean)
    if shape == (1,):
        (value,) = graph.emit("Squeeze", [value], role="Condition")
    return value


def _branch(n: Out, region: Region, arguments: Sequence[Val]) -> GraphWriter:
    """A body as the graph of a branch; it reads the arguments by name."""
    inner = n.graph.child()
    inner.body_outputs(n.body(region, arguments, inner), [v.type for v in _ends(region)])
    return inner


def _if(n: Out, graph: GraphWriter, cond: Val, bodies: dict[str, GraphWriter]) -> list[Val]:
    """An If in a graph."""
    results = [Val(elem_of(r.type)) for r in n.op.ge_data_results]
    graph.nodes.append(Made("If", [graph.use(cond)], list(results), dict(bodies), "If"))
    shapes = [shape_of(r.type) for r in n.op.ge_data_results]
    graph.declared += zip(results, shapes, strict=True)
    return results


@export("If", "StatelessIf")
def if_(n: Out) -> Results:
    """If; the inputs are read by name inside the branches."""
    arguments = n.xs(1)
    if not n.op.ge_data_results:
        return []  # nothing here has an effect
    for value in arguments:
        n.graph.use(value)
    keys = ("then_branch", "else_branch")
    bodies = {k: _branch(n, r, arguments) for k, r in zip(keys, n.op.regions, strict=True)}
    return _if(n, n.graph, _condition(n.graph, n.x(0), n.ssa(0)), bodies)


@export("Case", "StatelessCase")
def case(n: Out) -> Results:
    """An If for each branch but the last, one within the other."""
    arguments = n.xs(1)
    if not n.op.ge_data_results:
        return []
    if not n.op.regions:
        raise NoCounterpart("there is no branch")
    for value in arguments:
        n.graph.use(value)
    *firsts, last = n.op.regions
    if not firsts:
        return _inline(n, last, arguments)
    number = n.graph.use(n.scalar(0))
    is_number = [
        n.graph.use(n.emit("Equal", [number, n.like(i, number, f"number_{i}")], f"Number_{i}"))
        for i in range(len(firsts))
    ]
    _name(n.graph, n.name)
    rest = _branch(n, last, arguments)
    for i in reversed(range(1, len(firsts))):
        outer = n.graph.child()
        bodies = {"then_branch": _branch(n, firsts[i], arguments), "else_branch": rest}
        results = _if(n, outer, is_number[i], bodies)
        _name(outer, f"{n.name}_{i}")
        outer.body_outputs(results, [r.type for r in n.op.ge_data_results])
        rest = outer
    bodies = {"then_branch": _branch(n, firsts[0], arguments), "else_branch": rest}
    return _if(n, n.graph, is_number[0], bodies)


def _fixed(n: Out) -> list[bool]:
    """Which values the body of a While hands on as they are."""
    body = n.op.regions[1].block
    return [v is a for v, a in zip(_ends(n.op.regions[1]), body.args, strict=True)]


@export("For")
def for_(n: Out) -> Results:
    """Loop with as many turns as the bounds have steps."""
    given = n.xs(3)
    (body,) = n.op.regions
    if not given:
        return []
    results = [r.type for r in n.op.ge_data_results]
    for value in given:
        n.graph.use(value)
    start, limit, delta = (n.cast(n.scalar(i), "int64") for i in range(3))
    zero = n.constant(0, "zero")
    # the quotient is rounded up: towards the limit, whatever the sign of the step
    length = n.emit("Sub", [limit, start], "Length")
    sign = n.emit("Sign", [delta], "Sign")
    ahead = n.emit("Sub", [n.emit("Mul", [length, sign], "Ahead"), n.constant(1, "one")])
    step = n.emit("Abs", [delta], "Step")
    turns = n.emit("Add", [n.emit("Div", [ahead, step], "Whole"), n.constant(1, "last")])
    beyond = n.emit("Less", [ahead, zero], "Beyond")
    count = n.graph.use(n.emit("Where", [beyond, zero, turns], "Turns"))
    n.graph.use(start)
    n.graph.use(delta)
    _name(n.graph, n.name)
    inner = n.graph.child()
    shared = n.graph.shared
    turn = Val(to_xdsl("int64"), shared.value_name(f"{n.name}_turn"))
    going = Val(to_xdsl("bool"), shared.value_name(f"{n.name}_going"))
    inner.inputs += [(turn, (), ()), (going, (), ())]
    (passed,) = inner.emit("Mul", [turn, delta], role="Passed")
    (at,) = inner.emit("Add", [start, passed], role="At")
    counter = inner.cast(at, elem_of(body.block.args[0].type))
    arguments = [inner.use(counter)]
    for i, value in enumerate(given):
        state = Val(value.elem, shared.value_name(f"{n.name}_state_{i}"))
        inner.inputs.append((state, shape_of(results[i]), ()))
        arguments.append(state)
    _name(inner, f"{n.name}_counter")
    following = n.body(body, arguments, inner)
    (again,) = inner.emit("Identity", [going], role="Again")
    _name(inner, n.name)
    inner.body_outputs([again, *following], [_scalar_bool(), *results])
    states = [Val(elem_of(t)) for t in results]
    always = n.graph.use(n.constant(True, "always"))
    inputs: list[Val | None] = [count, always, *given]
    n.graph.nodes.append(Made("Loop", inputs, list(states), {"body": inner}, "Loop"))
    n.graph.declared += zip(states, map(shape_of, results), strict=True)
    return states


@export("While", "StatelessWhile")
def while_(n: Out) -> Results:
    """Loop without a trip count; its condition is computed before it and at each turn's end."""
    given, fixed = n.xs(0), _fixed(n)
    if all(fixed):
        return given
    test, body = n.op.regions
    for value in given:
        n.graph.use(value)
    start = n.body(test, given, n.graph)
    first = n.graph.use(_condition(n.graph, start[0], _ends(test)[0]))
    inner = n.graph.child()
    shared = n.graph.shared
    turn = Val(to_xdsl("int64"), shared.value_name(f"{n.name}_turn"))
    going = Val(to_xdsl("bool"), shared.value_name(f"{n.name}_going"))
    inner.inputs += [(turn, (), ()), (going, (), ())]
    arguments: list[Val] = []
    types = [a.type for a in body.block.args]
    results = [r.type for r in n.op.ge_data_results]
    for i, (value, type_) in enumerate(zip(given, types, strict=True)):
        if fixed[i]:
            arguments.append(value)
            continue
        state = Val(elem_of(type_), shared.value_name(f"{n.name}_state_{i}"))
        inner.inputs.append((state, shape_of(results[i]), ()))
        arguments.append(state)
    following = n.body(body, arguments, inner)
    again = n.body(test, following, inner)
    again[0] = _condition(inner, again[0], _ends(test)[0])
    _name(inner, n.name)
    changing = [i for i, stays in enumerate(fixed) if not stays]
    inner.body_outputs(
        [again[0], *(following[i] for i in changing)],
        [_scalar_bool(), *(results[i] for i in changing)],
    )
    states = [Val(elem_of(results[i])) for i in changing]
    inputs = [None, first, *(given[i] for i in changing)]
    n.graph.nodes.append(Made("Loop", inputs, list(states), {"body": inner}, "Loop"))
    n.graph.declared += ((v, shape_of(results[i])) for v, i in zip(states, changing, strict=True))
    made = iter(states)
    return [given[i] if stays else next(made) for i, stays in enumerate(fixed)]


def _scalar_bool() -> Attribute:
    return tensor_type((), to_xdsl("bool"))


def _name(graph: GraphWriter, base: str) -> None:
    """Names for nodes that no node of GE stands for."""
    for made in graph.nodes:
        if not made.name:
            made.name = graph.shared.node_name(f"{base}_{made.role}")
        for value in made.outputs:
            if value.name is None:
                value.name = graph.shared.value_name(made.name)


@export("PartitionedCall")
def partitioned_call(n: Out) -> Results:
    """The nodes of its body, in its place."""
    return _inline(n, n.op.regions[0], n.xs(0))


def _inline(n: Out, region: Region, arguments: Sequence[Val]) -> Results:
    return n.body(region, arguments, n.graph)
