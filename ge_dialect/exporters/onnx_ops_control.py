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


@export("If")
def if_(n: Out) -> Results:
    """If; the inputs are read by name inside the branches."""
    arguments = n.xs(1)
    if not n.op.ge_data_results:
        return []  # nothing here has an effect
    for value in arguments:
        n.graph.use(value)
    bodies = {}
    for key, region in zip(("then_branch", "else_branch"), n.op.regions, strict=True):
        inner = n.graph.child()
        inner.body_outputs(n.body(region, arguments, inner), [v.type for v in _ends(region)])
        bodies[key] = inner
    cond = n.graph.use(_condition(n.graph, n.x(0), n.ssa(0)))
    results = [Val(elem_of(r.type)) for r in n.op.ge_data_results]
    n.graph.nodes.append(Made("If", [cond], list(results), bodies, "If"))
    shapes = [shape_of(r.type) for r in n.op.ge_data_results]
    n.graph.declared += zip(results, shapes, strict=True)
    return results


def _fixed(n: Out) -> list[bool]:
    """Which values the body of a While hands on as they are."""
    body = n.op.regions[1].block
    return [v is a for v, a in zip(_ends(n.op.regions[1]), body.args, strict=True)]


@export("While")
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
