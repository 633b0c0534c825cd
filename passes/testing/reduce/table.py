"""A model as immutable plain tables, which edits share and change quickly.

Values and nodes have numbers that stay the same through edits, so an edit is a new tuple of nodes
in which most nodes are the old objects. Nothing here looks into types or attributes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from xdsl.dialects.builtin import UNKNOWN_LOC, ModuleOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ge_dialect.api import Model
from ge_dialect.ir.base import SEGMENT_PROPERTIES, GeOp
from ge_dialect.ir.control import control_inputs, control_of, segments_attr
from ge_dialect.ir.graph import GraphOp, new_graph
from ge_dialect.ir.names import hint_from_name, node_name
from ge_dialect.ir.private import create_node, set_name_hint

#: One declared input of a node: a value, None for an absent one, a tuple for a dynamic one.
Arg = int | tuple[int, ...] | None

#: The same of a node that is there.
_Given = SSAValue | list[SSAValue] | None

_numbers = count()


def fresh_number() -> int:
    """A number no value and no node has."""
    return next(_numbers)


@dataclass(frozen=True, slots=True, eq=False)
class Port:
    """An input of a graph: its value, type, name and attributes."""

    value: int
    type: Attribute
    name: str
    attrs: Mapping[str, Attribute] = field(default_factory=dict[str, Attribute])


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A node. props: declared attributes; extra: those with a dot; after: nodes it waits for."""

    key: int
    cls: type[GeOp]
    name: str
    args: tuple[Arg, ...]
    results: tuple[int, ...]
    types: tuple[Attribute, ...]
    props: Mapping[str, Attribute]
    extra: Mapping[str, Attribute]
    after: tuple[int, ...] = ()
    bodies: tuple[Graph, ...] = ()
    location: Any = UNKNOWN_LOC
    result_sizes: tuple[int, ...] | None = None

    def operands(self) -> Iterator[int]:
        """The values it reads, in order."""
        for a in self.args:
            if isinstance(a, tuple):
                yield from a
            elif a is not None:
                yield a

    @property
    def is_pure(self) -> bool:
        """Whether the node may go when nobody reads it."""
        return self.cls.EFFECTS.is_pure and all(n.is_pure for b in self.bodies for n in b.nodes)


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """A graph or a body: ports, nodes in order, outputs and what its end waits for."""

    inputs: tuple[Port, ...]
    nodes: tuple[Node, ...]
    outputs: tuple[int, ...]
    after: tuple[int, ...] = ()
    name: str = ""
    attrs: Mapping[str, Attribute] = field(default_factory=dict[str, Attribute])
    end_attrs: Mapping[str, Attribute] = field(default_factory=dict[str, Attribute])
    end_location: Any = UNKNOWN_LOC

    def types(self) -> dict[int, Attribute]:
        """Type of every value of this graph (not of its bodies)."""
        out = {p.value: p.type for p in self.inputs}
        for n in self.nodes:
            out.update(zip(n.results, n.types, strict=True))
        return out

    def users(self) -> dict[int, list[Node]]:
        """The nodes that read each value."""
        out: dict[int, list[Node]] = {}
        for n in self.nodes:
            for v in dict.fromkeys(n.operands()):
                out.setdefault(v, []).append(n)
        return out

    def size(self) -> int:
        """Number of nodes, those of bodies included."""
        return sum(1 + sum(b.size() for b in n.bodies) for n in self.nodes)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A module: its graphs, its attributes, and the weights they name (shared, never changed)."""

    graphs: tuple[Graph, ...]
    attrs: Mapping[str, Attribute]
    weights: Any

    def size(self) -> int:
        """Number of nodes of all graphs."""
        return sum(g.size() for g in self.graphs)

    def with_graph(self, index: int, graph: Graph) -> Table:
        """The same with another graph at `index`."""
        graphs = (*self.graphs[:index], graph, *self.graphs[index + 1 :])
        return replace(self, graphs=graphs)

    def build(self) -> Model:
        """A new model."""
        module = ModuleOp([build_graph(g) for g in self.graphs], dict(self.attrs))
        return Model(module, self.weights)

    def key(self) -> Any:
        """Equal for tables that differ in numbers only. Attributes count by identity, so a key
        means something as long as the table it was made of is alive."""
        return (*(_graph_key(g) for g in self.graphs), *_ids(self.attrs))


# ----------------------------------------------------------------------------------------- read


def read_model(model: Model) -> Table:
    """The table of a model. ValueError where it holds more than graphs of `ge` nodes."""
    graphs: list[Graph] = []
    for op in model.module.body.block.ops:
        if not isinstance(op, GraphOp):
            raise ValueError(f"only graphs can be reduced, not {op.name}")
        inputs: list[Port] = []
        for i, (arg, name) in enumerate(zip(op.args, op.arg_names(), strict=True)):
            extra = op.arg_attributes(i)
            extra.pop("ge.name", None)
            inputs.append(Port(fresh_number(), arg.type, name, extra))
        graph = _read_block(op.body, tuple(inputs))
        graphs.append(replace(graph, name=op.sym_name.data, attrs=dict(op.attributes)))
    return Table(tuple(graphs), dict(model.module.attributes), model.weights)


def _read_block(block: Block, inputs: tuple[Port, ...]) -> Graph:
    number: dict[SSAValue, int] = {a: p.value for a, p in zip(block.args, inputs, strict=True)}
    keys: dict[Operation | Block, int] = {}
    nodes: list[Node] = []
    for op in block.ops:
        if not isinstance(op, GeOp):
            raise ValueError(f"only graphs of ge nodes can be reduced, not {op.name}")
        after = tuple(keys[c.owner] for c in control_inputs(op))
        if op.name == "ge.NetOutput":
            outputs = tuple(number[v] for v in op.ge_data_operands)
            attrs = dict(op.attributes)
            return Graph(
                inputs, tuple(nodes), outputs, after, end_attrs=attrs, end_location=op.location
            )
        node = _read_node(op, number, after, len(nodes))
        keys[op] = node.key
        number.update(zip(op.ge_data_results, node.results, strict=True))
        nodes.append(node)
    raise ValueError("a graph does not end in NetOutput")


def _read_node(op: GeOp, number: dict[SSAValue, int], after: tuple[int, ...], index: int) -> Node:
    args = tuple(
        tuple(number[v] for v in a) if isinstance(a, list) else None if a is None else number[a]
        for a in op.ge_args()
    )
    table = type(op).ge_table()
    sizes = None
    if table.sized_results:
        sizes = tuple(len(group) for group in op.ge_result_groups())
    bodies: list[Graph] = []
    for region in op.regions:
        ports = tuple(
            Port(fresh_number(), a.type, a.name_hint or f"arg{i}")
            for i, a in enumerate(region.block.args)
        )
        bodies.append(_read_block(region.block, ports))
    return Node(
        fresh_number(),
        type(op),
        node_name(op) or f"{op.ge_type}_{index}",
        args,
        tuple(fresh_number() for _ in op.ge_data_results),
        tuple(r.type for r in op.ge_data_results),
        {k: v for k, v in op.properties.items() if k not in SEGMENT_PROPERTIES},
        dict(op.attributes),
        after,
        tuple(bodies),
        op.location,
        sizes,
    )


# ---------------------------------------------------------------------------------------- build


def build_graph(graph: Graph) -> GraphOp:
    """A new `ge.graph`."""
    names = [p.name for p in graph.inputs]
    op = new_graph(graph.name, [p.type for p in graph.inputs], names)
    attributes = op.all_arg_attributes()
    for held, port in zip(attributes, graph.inputs, strict=True):
        held.update(port.attrs)
    op.set_all_arg_attributes(attributes)
    fill_block(graph, op.body)
    op.attributes.update(graph.attrs)
    return op


def fill_block(graph: Graph, block: Block) -> None:
    """Append the nodes of a graph to the empty block that is to hold them."""
    values: dict[int, SSAValue] = {
        p.value: a for p, a in zip(graph.inputs, block.args, strict=True)
    }
    made: dict[int, Operation] = {}
    for node in graph.nodes:
        op = make_node(node, values, made)
        block.add_op(op)
        made[node.key] = op
        hint = hint_from_name(node.name)
        for i, number in enumerate(node.results):
            value = values[number] = op.results[i]
            if hint is not None:
                set_name_hint(value, hint if i == 0 else f"{hint}_{i}")
    from ge_dialect.ops.registry import op_class

    end = _make(
        op_class("NetOutput"),
        [[values[v] for v in graph.outputs]],
        [made[k] for k in graph.after],
        (),
        {},
        dict(graph.end_attrs),
        graph.end_location,
    )
    block.add_op(end)


def make_node(
    node: Node, values: Mapping[int, SSAValue], made: Mapping[int, Operation]
) -> Operation:
    """A node on values and nodes that were made before."""
    args: list[_Given] = []
    for a in node.args:
        if isinstance(a, tuple):
            args.append([values[v] for v in a])
        else:
            args.append(None if a is None else values[a])
    regions: list[Region] = []
    for body in node.bodies:
        block = Block(arg_types=[p.type for p in body.inputs])
        for arg, port in zip(block.args, body.inputs, strict=True):
            set_name_hint(arg, hint_from_name(port.name))
        fill_block(body, block)
        regions.append(Region(block))
    controls = [made[k] for k in node.after]
    return _make(
        node.cls,
        args,
        controls,
        node.types,
        dict(node.props),
        dict(node.extra),
        node.location,
        regions,
        node.result_sizes,
    )


def _make(
    cls: type[GeOp],
    args: Sequence[_Given],
    after: Sequence[Operation],
    types: Sequence[Attribute],
    props: dict[str, Attribute],
    extra: dict[str, Attribute],
    location: Any,
    regions: Sequence[Region] = (),
    result_sizes: tuple[int, ...] | None = None,
) -> Operation:
    operands: list[SSAValue] = []
    sizes: list[int] = []
    for a in args:
        group = a if isinstance(a, list) else [] if a is None else [a]
        operands += group
        sizes.append(len(group))
    operands += [control_of(op) for op in after]
    table = cls.ge_table()
    if not table.fixed:
        props["operandSegmentSizes"] = segments_attr([*sizes, len(after)])
    if table.sized_results and result_sizes is not None:
        props["resultSegmentSizes"] = segments_attr([*result_sizes, 0])
    if not regions:
        return create_node(cls, operands, types, props, extra, location)
    return cls.create(
        operands=operands,
        result_types=types,
        properties=props,
        attributes=extra,
        regions=regions,
        location=location,
    )


# ------------------------------------------------------------------------------------------ key


def _graph_key(graph: Graph) -> Any:
    place: dict[int, int] = {p.value: i for i, p in enumerate(graph.inputs)}
    nodes: dict[int, int] = {}
    parts: list[Any] = [graph.name, *((id(p.type), p.name, *_ids(p.attrs)) for p in graph.inputs)]
    for n in graph.nodes:
        args = tuple(
            tuple(place[v] for v in a) if isinstance(a, tuple) else a if a is None else place[a]
            for a in n.args
        )
        parts.append(
            (
                id(n.cls),
                n.name,
                args,
                tuple(map(id, n.types)),
                _ids(n.props),
                _ids(n.extra),
                tuple(nodes[k] for k in n.after),
                tuple(_graph_key(b) for b in n.bodies),
            )
        )
        nodes[n.key] = len(nodes)
        for v in n.results:
            place[v] = len(place)
    parts.append((tuple(place[v] for v in graph.outputs), tuple(nodes[k] for k in graph.after)))
    parts.append((*_ids(graph.attrs), *_ids(graph.end_attrs)))
    return tuple(parts)


def _ids(attrs: Mapping[str, Attribute]) -> tuple[Any, ...]:
    return tuple((k, id(v)) for k, v in attrs.items())
