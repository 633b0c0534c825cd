"""From `GraphSpec` to a module, by direct builders, and back."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, StringAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue, TypeAttribute

from ge_dialect.api import Model, pick_graph
from ge_dialect.containers import is_tuple
from ge_dialect.dtypes import ge_name, to_xdsl
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.build import build, module
from ge_dialect.ir.control import control_inputs
from ge_dialect.ir.graph import GraphOp, new_graph
from ge_dialect.ir.names import node_name
from ge_dialect.ir.narrow import is_dense
from ge_dialect.ir.weight_use import used_weight_names
from ge_dialect.ops.registry import op_class
from passes.testing.spec import GraphSpec, Input, Literal, Step, Text
from passes.testing.type_text import parse_attribute, text_of, type_of

if TYPE_CHECKING:
    from ge_dialect.weights.store import WeightStore


# ---------------------------------------------------------------------------------------- build


def build_model(spec: GraphSpec) -> Model:
    """See `GraphSpec.build`."""
    names = [i.name for i in spec.inputs]
    graph = new_graph(spec.name, [type_of(i.type) for i in spec.inputs], names)
    attributes = graph.all_arg_attributes()
    for given, held in zip(spec.inputs, attributes, strict=True):
        held |= {n: _attribute(t) for n, t in given.extra}
    graph.set_all_arg_attributes(attributes)
    _fill(spec, graph.body)
    graph.attributes.update((n, _attribute(t)) for n, t in spec.extra)
    model = Model(module([graph]))
    for name, literal in spec.weights:
        model.weights.put(name, literal.array())
    return model


def _fill(spec: GraphSpec, block: Block) -> None:
    """Append the nodes of a spec to the empty block of its graph."""
    values: list[SSAValue] = list(block.args)
    nodes: list[GeOp] = []
    given = {s.name for s in spec.steps if s.name is not None}
    for index, step in enumerate(spec.steps):
        args: list[Any] = [
            [values[v] for v in a] if isinstance(a, tuple) else None if a is None else values[a]
            for a in step.args
        ]
        types = None if step.types is None else [type_of(t) for t in step.types]
        regions = [_region(b, step, index, values) for b in step.bodies]
        if types is None and regions:
            types = _types_by_bodies(step, args, regions)
        node = build(
            step.op,
            args,
            {n: attr_value(v) for n, v in step.attrs},
            result_types=types,
            control=[nodes[a] for a in step.after] if step.after else (),
            name=_name(step, index, given),
            regions=regions,
            attributes={n: _attribute(t) for n, t in step.extra} if step.extra else None,
        )
        block.add_op(node)
        nodes.append(node)
        values.extend(node.ge_data_results)
    end = build(
        "NetOutput",
        [[values[o] for o in spec.outputs]],
        control=[nodes[a] for a in spec.after] if spec.after else (),
        attributes={n: _attribute(t) for n, t in spec.end_extra} if spec.end_extra else None,
    )
    block.add_op(end)


def _name(step: Step, index: int, given: set[str]) -> str:
    """The node's name; a default one makes way for those that were given."""
    name = step.label(index)
    while step.name is None and name in given:
        name += "_"
    return name


def _region(body: GraphSpec, step: Step, index: int, values: list[SSAValue]) -> Region:
    given = [values[v].type for v in step.operands()]
    types: list[Attribute] = list(op_class(step.op).ge_body_types(given, 0))
    block = Block(arg_types=types)
    _fill(body, block)
    return Region(block)


def _types_by_bodies(step: Step, args: list[Any], regions: list[Region]) -> list[Attribute]:
    """Inferred result types of a node with bodies: its rule needs the node, so one is made."""
    from ge_dialect.infer.node import infer_op

    last = regions[-1].block.last_op
    assert isinstance(last, GeOp)
    given = [v.type for v in last.operands]
    count = len(last.ge_data_operands)
    probe = build(
        step.op,
        args,
        {n: attr_value(v) for n, v in step.attrs},
        result_types=given[:count],
        regions=regions,
    )
    types = infer_op(probe)
    for _ in range(len(regions)):
        probe.detach_region(0)
    probe.drop_all_references()
    return types


@lru_cache(maxsize=4096)
def _dense(literal: Literal) -> DenseIntOrFPElementsAttr:
    from ge_dialect.ir.dense import dense_from_numpy

    return dense_from_numpy(literal.array(), to_xdsl(literal.dtype))


def attr_value(value: Any) -> Any:
    """What `build` takes for an attribute value of a spec."""
    if isinstance(value, Literal):
        return _dense(value)
    return _attribute(value.text) if isinstance(value, Text) else value


@lru_cache(maxsize=4096)
def _attribute(text: str) -> Attribute:
    return parse_attribute(text)


# ----------------------------------------------------------------------------------------- read


def spec_of_model(source: Any, name: str | None = None) -> GraphSpec:
    """See `GraphSpec.from_model`."""
    weights: WeightStore | None = None
    if isinstance(source, GraphOp):
        graph, root = source, source
    else:
        model = source if isinstance(source, Model) else Model(source)
        graph, root, weights = pick_graph(model, name), model.module, model.weights
    inputs: list[Input] = []
    for index, (arg, label) in enumerate(zip(graph.args, graph.arg_names(), strict=True)):
        extra = graph.arg_attributes(index)
        extra.pop("ge.name", None)
        given = None if label == f"arg{index}" else label
        inputs.append(Input(text_of(arg.type), given, extra=_texts(extra)))
    held: list[tuple[str, Literal]] = []
    if weights is not None:
        for weight in used_weight_names(root):
            if weight in weights and not weights.is_abstract(weight):
                held.append((weight, Literal.of(weights.get(weight))))
    spec = _read_block(graph.body, tuple(inputs))
    name, extra = graph.sym_name.data, _texts(graph.attributes)
    return replace(spec, name=name, weights=tuple(held), extra=extra)


def _read_block(block: Block, inputs: tuple[Input, ...]) -> GraphSpec:
    number: dict[SSAValue, int] = {a: i for i, a in enumerate(block.args)}
    place: dict[Operation | Block, int] = {}
    steps: list[Step] = []
    for op in block.ops:
        if not isinstance(op, GeOp):
            raise ValueError(f"a spec holds nodes of a ge.graph, not {op.name}")
        after = tuple(place[c.owner] for c in control_inputs(op))
        if op.name == "ge.NetOutput":
            outputs = tuple(number[v] for v in op.ge_data_operands)
            end = _texts(op.attributes)
            return GraphSpec(inputs, tuple(steps), outputs, after=after, end_extra=end)
        index = place[op] = len(steps)
        name = node_name(op)
        steps.append(
            Step(
                op.ge_type,
                tuple(
                    tuple(number[v] for v in a)
                    if isinstance(a, list)
                    else None
                    if a is None
                    else number[a]
                    for a in op.ge_args()
                ),
                _read_attrs(op),
                tuple(text_of(r.type) for r in op.ge_data_results),
                after,
                tuple(_read_body(r.block) for r in op.regions),
                None if name == f"{op.ge_type}_{index}" else name,
                _texts(op.attributes),
            )
        )
        for result in op.ge_data_results:
            number[result] = len(number)
    raise ValueError("the graph does not end in NetOutput")


def _read_body(block: Block) -> GraphSpec:
    return _read_block(block, tuple(Input(text_of(a.type)) for a in block.args))


def _read_attrs(op: GeOp) -> tuple[tuple[str, Any], ...]:
    """Attributes that differ from their defaults, in declared order."""
    out: list[tuple[str, Any]] = []
    for name, spec in type(op).ge_table().attrs.items():
        attr = op.properties.get(name)
        if attr is None or attr is spec.default or attr == spec.default:
            continue
        out.append((name, _spec_value(spec.kind.name, spec.kind.to_python(attr))))
    return tuple(out)


def _spec_value(kind: str, value: Any) -> Any:
    if is_tuple(value):
        item = kind.removeprefix("List")
        return tuple(_spec_value(item, v) for v in value)
    if is_dense(value):
        from ge_dialect.ir.dense import dense_to_numpy

        elem = ge_name(value.get_element_type())
        found = Literal.of(dense_to_numpy(value))
        return Literal(elem, found.shape, found.data)
    if isinstance(value, Attribute):
        is_type = kind == "Type" and isinstance(value, TypeAttribute)
        return ge_name(value) if is_type else Text(_attr_text(value))
    return value


def _texts(attributes: dict[str, Attribute]) -> tuple[tuple[str, str], ...]:
    return tuple((n, _attr_text(a)) for n, a in attributes.items())


def _attr_text(attr: Attribute) -> str:
    from ge_dialect.ir.kinds import write_attr

    return write_attr(attr)


def string_attr(text: str) -> str:
    """MLIR text of a string attribute, for `extra`."""
    return _attr_text(StringAttr(text))


__all__ = ["attr_value", "build_model", "spec_of_model", "string_attr"]
