"""Walking one ONNX graph: values by name, constants on demand, nodes through their rules."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xdsl.ir import Attribute, Block, SSAValue

from ge_dialect.diagnostics import Diagnostic, DiagnosticSink, GeError
from ge_dialect.dtypes import to_xdsl
from ge_dialect.importers.onnx_known import known_value
from ge_dialect.importers.onnx_reader import TensorSource, dtype_name
from ge_dialect.ir.attributes import WeightAttr
from ge_dialect.ir.build import build, const
from ge_dialect.ir.dense import INLINE_LIMIT
from ge_dialect.ir.names import set_node_name
from ge_dialect.ir.taken_names import TakenNames
from ge_dialect.ir.types import elem_of, shape_of, tensor_type
from ge_dialect.weights.resolve import weight
from ge_dialect.weights.store import WeightStore

if TYPE_CHECKING:
    import numpy as np
    from onnx import GraphProto, NodeProto, ValueInfoProto

    from ge_dialect.importers.onnx_node import Scope


class Refused(Exception):
    """A rule's refusal of one node."""

    def __init__(self, reason: str, code: str = "GX-332", **fields: str | None) -> None:
        super().__init__(reason)
        self.reason, self.code, self.fields = reason, code, fields


@dataclass
class Pending:
    """A constant that has no node yet; `make` decodes it. origin: the node it is a part of."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    make: Any
    origin: str | None = None
    #: File and offset of its bytes where they are external.
    place: tuple[str, int] | None = None

    @classmethod
    def of_source(cls, name: str, source: TensorSource) -> Pending:
        return cls(name, source.dtype, source.shape, source.array, place=source.place)

    @property
    def type(self) -> Attribute:
        """Tensor type of the constant."""
        return tensor_type(self.shape, to_xdsl(self.dtype))


@dataclass
class Shared:
    """What all graphs of one model have in common."""

    opsets: dict[str, int]
    folders: Sequence[Path]
    store: WeightStore
    sink: DiagnosticSink
    #: Constants that are not inline become abstract weights: types without bytes.
    abstract: bool = False
    #: (code, operator, reason) -> names of the nodes refused for it
    refused: dict[tuple[str, str, str], list[str]] = field(default_factory=dict)

    def refuse(self, code: str, op_type: str, reason: str, node: str) -> None:
        """Record a refusal; equal ones become one diagnostic."""
        self.refused.setdefault((code, op_type, reason), []).append(node)

    def diagnostics(self) -> list[Diagnostic]:
        """All refusals, in order of the first node concerned."""
        out = []
        for (code, op_type, reason), nodes in self.refused.items():
            shown = ", ".join(nodes[:6])
            if len(nodes) > 6:
                shown += f" and {len(nodes) - 6} more"
            head = f"ONNX operator {op_type}" if op_type else "ONNX graph"
            out.append(Diagnostic(code, f"{head}: {reason}", node=shown))
        return out


class Poisoned:
    """Value of a refused node; what reads it is skipped without another message."""


POISON = Poisoned()
Value = SSAValue | Pending | Poisoned


class GraphImporter:
    """Imports one ONNX graph into a block."""

    def __init__(
        self, shared: Shared, block: Block, outer: Mapping[str, Value] | None = None
    ) -> None:
        self.shared = shared
        self.block = block
        self.values: dict[str, Value] = dict(outer or {})
        self.taken = TakenNames()
        self.declared: dict[str, ValueInfoProto] = {}
        self.known: dict[SSAValue, np.ndarray | None] = {}
        #: Names that a node or an output of the graph reads.
        self.read: set[str] = set()

    # --- names and values ---

    def node_name(self, proto: NodeProto) -> str:
        """The node's own name, else that of its first output; unique in the graph."""
        base = proto.name or next((o for o in proto.output if o), proto.op_type)
        return self.taken.fresh(base)

    def operand(self, name: str) -> SSAValue:
        """The SSA value of a name; a pending constant gets its node now."""
        value = self.values[name]
        if isinstance(value, Pending):
            value = self.emit_constant(value)
            self.values[name] = value
        assert isinstance(value, SSAValue)
        return value

    def emit_constant(self, pending: Pending) -> SSAValue:
        """A Const node: inline up to 64 elements, by name in the weight store above."""
        if pending.dtype == "string":
            raise Refused("string constants are not supported", "GX-335")
        name = self.taken.fresh(pending.name or "Const")
        elem = to_xdsl(pending.dtype)
        count = 1
        for d in pending.shape:
            count *= d
        if count <= INLINE_LIMIT:
            op = const(pending.make(), name=name, elem=elem)
        else:
            value = self._store(pending.name or name, pending)
            op = build("Const", [], {"value": value}, result_types=[pending.type], name=name)
        if pending.origin is not None:
            set_node_name(op, name, (pending.origin,))
        self.block.add_op(op)
        return op.results[0]

    def _store(self, name: str, pending: Pending) -> WeightAttr:
        store, abstract = self.shared.store, self.shared.abstract
        key = store.unique_name(name)
        if abstract:
            store.declare(key, pending.dtype, pending.shape)
        else:
            store.put_lazy(key, pending.dtype, pending.shape, pending.make, pending.place)
        return weight(key, abstract=abstract)

    def constant(self, name: str) -> np.ndarray | None:
        """Known contents of a name, None where it is computed from an input."""
        value = self.values[name]
        if isinstance(value, Pending):
            return value.make()
        assert isinstance(value, SSAValue)
        return self.known_of(value)

    def known_of(self, value: SSAValue) -> np.ndarray | None:
        """Known contents of a value, None where it is computed from an input."""
        return known_value(value, self.known)

    def type_of(self, name: str) -> Attribute:
        """Tensor type of a name; pending constants stay pending."""
        value = self.values[name]
        assert not isinstance(value, Poisoned)
        return value.type

    # --- the graph ---

    def add_initializers(self, graph: GraphProto) -> None:
        """Initialisers become pending constants; what is wrong with one is collected."""
        for proto in graph.initializer:
            try:
                source = TensorSource(proto, self.shared.folders, self.shared.abstract)
                self.values[proto.name] = Pending.of_source(proto.name, source)
            except GeError as error:
                self.shared.sink.diagnostics.extend(error.diagnostics)
                self.values[proto.name] = POISON
        for sparse in graph.sparse_initializer:
            name = sparse.values.name
            self.shared.refuse("GX-332", "", "sparse initialisers are not supported", name)
            self.values[name] = POISON

    def run(self, graph: GraphProto, scope: Scope | None = None) -> None:
        """Import all nodes; refusals are collected in `shared`, never raised.

        scope: of the function body that the graph stands in.
        """
        from ge_dialect.importers.onnx_node import import_node

        for info in (*graph.value_info, *graph.output):
            self.declared[info.name] = info
        self.read.update(o.name for o in graph.output)
        self.read.update(name for node in graph.node for name in node_reads(node))
        for proto in self.sorted_nodes(graph):
            import_node(self, proto, scope)

    def sorted_nodes(self, graph: GraphProto) -> list[NodeProto]:
        """The nodes in an order in which every value is defined before its uses.

        The given order where it is one already. Undefined values, values defined twice and cycles
        are refused (GX-333), each with its name.
        """
        nodes = list(graph.node)
        made = set(self.values)
        twice: set[str] = set()
        for node in nodes:
            for out in node.output:
                if out and out in made:
                    twice.add(out)
                made.add(out)
        for out in sorted(twice):
            self.shared.refuse("GX-333", "", "a value is defined twice", out)
        ordered, left = in_order(nodes, made - set(self.values) - {""})
        if left:
            names = [n.name or n.op_type for n in left[:6]]
            self.shared.refuse("GX-333", "", "nodes depend on each other", ", ".join(names))
        return ordered

    def bind(self, name: str, value: SSAValue) -> None:
        """Give a node's output its name, checked against what the model declares of it."""
        info = self.declared.get(name)
        if info is not None:
            value = self._reconcile(name, value, info)
        self.values[name] = value

    def _reconcile(self, name: str, value: SSAValue, info: ValueInfoProto) -> SSAValue:
        declared = declared_type(info)
        if declared is None:
            return value
        ours, theirs = shape_of(value.type), shape_of(declared)
        if ours is None and theirs is not None and elem_of(declared) == elem_of(value.type):
            from ge_dialect.ir.private import set_type

            set_type(value, declared)
            return value
        clash = elem_of(declared) != elem_of(value.type) or (
            ours is not None
            and theirs is not None
            and (
                len(ours) != len(theirs)
                or any(a >= 0 and b >= 0 and a != b for a, b in zip(ours, theirs, strict=False))
            )
        )
        if clash:
            self.shared.sink.warning(
                "GX-336",
                f"value {name!r} is declared with a type that its node does not give",
                found=str(declared),
                expected=str(value.type),
            )
        return value


def in_order(
    nodes: Sequence[NodeProto], made: Collection[str]
) -> tuple[list[NodeProto], list[NodeProto]]:
    """Nodes after those whose values they read, and those that wait for each other.

    made: names that nodes give. The order is that of sweeps over `nodes`, each of which takes the
    nodes that have all they read when it comes to them.
    """
    waits: list[set[str]] = []
    readers: dict[str, list[int]] = {}
    for i, node in enumerate(nodes):
        waits.append({n for n in node_reads(node) if n in made})
        for name in waits[i]:
            readers.setdefault(name, []).append(i)
    ready = [(0, i) for i, names in enumerate(waits) if not names]  # sweep, number: a heap
    taken: list[int] = []
    while ready:
        sweep, i = heappop(ready)
        taken.append(i)
        for name in nodes[i].output:
            for reader in readers.pop(name, ()):
                waits[reader].remove(name)
                if not waits[reader]:
                    heappush(ready, (sweep if reader > i else sweep + 1, reader))
    return [nodes[i] for i in taken], [n for n, names in zip(nodes, waits, strict=True) if names]


def node_reads(node: NodeProto) -> list[str]:
    """Names a node reads, those captured by its sub-graphs included."""
    names = [n for n in node.input if n]
    for attribute in node.attribute:
        graphs = [attribute.g] if attribute.type == 5 else list(attribute.graphs)
        for graph in graphs:
            names += captured(graph)
    return names


def captured(graph: GraphProto) -> list[str]:
    """Names a sub-graph takes from outside, in order of first use."""
    own = {i.name for i in graph.input} | {i.name for i in graph.initializer}
    made = {o for n in graph.node for o in n.output} | own
    found: dict[str, None] = {}
    for node in graph.node:
        for name in node_reads(node):
            if name not in made:
                found.setdefault(name)
    for out in graph.output:
        if out.name not in made:
            found.setdefault(out.name)
    return list(found)


def declared_type(info: ValueInfoProto) -> Attribute | None:
    """Tensor type of a value_info, None where it says nothing or is no tensor."""
    if info.type.WhichOneof("value") != "tensor_type":
        return None
    tensor = info.type.tensor_type
    if not tensor.elem_type:
        return None
    try:
        elem = to_xdsl(dtype_name(tensor.elem_type))
    except GeError:
        return None
    if not tensor.HasField("shape"):
        return tensor_type(None, elem)
    dims = [d.dim_value if d.HasField("dim_value") else -1 for d in tensor.shape.dim]
    return tensor_type(dims, elem)
