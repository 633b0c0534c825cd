"""One ONNX node as its rule sees it: inputs, attributes, and the emission of GE nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from xdsl.ir import Attribute, Region, SSAValue

from ge_dialect.diagnostics import GeError
from ge_dialect.dtypes import from_numpy, ge_name, is_float
from ge_dialect.importers.onnx_graph import POISON, GraphImporter, Pending, Poisoned, Refused
from ge_dialect.importers.onnx_reader import TensorSource
from ge_dialect.importers.onnx_rules import Rule, find_rule, known_revisions
from ge_dialect.infer.errors import InferError
from ge_dialect.ir.build import build
from ge_dialect.ir.types import elem_of, shape_of, tensor_type

if TYPE_CHECKING:
    import numpy as np
    from onnx import GraphProto, NodeProto

_DOMAINS = ("", "ai.onnx")
_FLOAT, _INT, _STRING, _TENSOR, _GRAPH, _FLOATS, _INTS, _STRINGS = 1, 2, 3, 4, 5, 6, 7, 8
_SPARSE = 11


class Node:
    """The view of one ONNX node and the way to emit GE nodes for it.

    The node emitted with no role carries the ONNX node's name; helpers are called
    `<node>_<role>`. All of them have the ONNX node as origin.
    """

    def __init__(
        self,
        graph: GraphImporter,
        proto: NodeProto,
        name: str,
        opset: int,
        since: int,
        scope: Scope | None = None,
    ) -> None:
        self.graph = graph
        self.proto = proto
        self.name = name
        self.scope = scope
        self.origin = name if scope is None else scope.origin
        self.op_type: str = proto.op_type
        self.opset = opset
        self.since = since
        self._attributes = {a.name: a for a in proto.attribute}
        self._main_used = False

    # --- inputs and outputs ---

    def __len__(self) -> int:
        """Number of inputs, absent ones inside included."""
        return len(self.proto.input)

    def has(self, index: int) -> bool:
        """Whether an input is connected; an empty name means absent."""
        return index < len(self.proto.input) and bool(self.proto.input[index])

    def _input(self, index: int) -> str:
        if not self.has(index):
            raise Refused(f"input {index} is missing", "GX-333")
        return self.proto.input[index]

    def x(self, index: int = 0) -> SSAValue:
        """The value of an input."""
        return self.graph.operand(self._input(index))

    def xs(self) -> list[SSAValue]:
        """All inputs."""
        return [self.x(i) for i in range(len(self))]

    def optional(self, index: int) -> SSAValue | None:
        """The value of an input, None where it is absent."""
        return self.x(index) if self.has(index) else None

    def type(self, index: int = 0) -> Attribute:
        """Tensor type of an input."""
        return self.graph.type_of(self._input(index))

    def shape(self, index: int = 0) -> tuple[int, ...] | None:
        """Shape of an input, -1 for unknown dims, None for unknown rank."""
        return shape_of(self.type(index))

    def elem(self, index: int = 0) -> Attribute:
        """Element type of an input."""
        return elem_of(self.type(index))

    def rank(self, index: int = 0) -> int:
        """Rank of an input; refused where unknown."""
        shape = self.shape(index)
        if shape is None:
            raise Refused(f"the rank of input {index} must be known")
        return len(shape)

    def is_float(self, index: int = 0) -> bool:
        """Whether an input is of a real floating type."""
        return is_float(self.elem(index))

    def const(self, index: int) -> np.ndarray | None:
        """Known contents of an input, None where unknown or absent."""
        return self.graph.constant(self.proto.input[index]) if self.has(index) else None

    def ints(self, index: int) -> list[int] | None:
        """Known integers of an input, flattened; None where unknown or absent."""
        value = self.const(index)
        return None if value is None else [int(v) for v in value.reshape(-1)]

    def need_ints(self, index: int, what: str) -> list[int]:
        """Known integers of an input; refused where they are computed."""
        found = self.ints(index)
        if found is None:
            raise Refused(f"{what} must be constant")
        return found

    def wants(self, index: int) -> bool:
        """Whether something reads an output; exporters name outputs that nothing reads."""
        return index < len(self.proto.output) and self.proto.output[index] in self.graph.read

    def axis(self, value: int, rank: int) -> int:
        """A possibly negative axis as one in [0, rank); refused outside."""
        if not -rank <= value < max(rank, 1):
            raise Refused(f"axis {value} is out of range for rank {rank}", "GX-333")
        return value + rank if value < 0 else value

    # --- attributes ---

    def _attr(self, name: str, kind: int) -> Any:
        found = self._attributes.get(name)
        if found is None:
            return None
        if found.ref_attr_name:
            raise Refused(f"attribute {name} refers to a function's attribute", "GX-333")
        if found.type != kind:
            raise Refused(f"attribute {name} has the wrong kind", "GX-333")
        return found

    def has_attr(self, name: str) -> bool:
        """Whether an attribute is given."""
        return name in self._attributes

    def int(self, name: str, default: int) -> int:
        """An integer attribute."""
        found = self._attr(name, _INT)
        return default if found is None else int(found.i)

    def float(self, name: str, default: float) -> float:
        """A float attribute (f32, as ONNX stores it)."""
        found = self._attr(name, _FLOAT)
        return default if found is None else float(found.f)

    def string(self, name: str, default: str) -> str:
        """A string attribute."""
        found = self._attr(name, _STRING)
        return default if found is None else found.s.decode("utf-8", "replace")

    def int_list(self, name: str) -> list[int] | None:
        """A list of integers, None where not given."""
        found = self._attr(name, _INTS)
        return None if found is None else [int(i) for i in found.ints]

    def float_list(self, name: str) -> list[float] | None:
        """A list of floats, None where not given."""
        found = self._attr(name, _FLOATS)
        return None if found is None else [float(f) for f in found.floats]

    def string_list(self, name: str) -> list[str] | None:
        """A list of strings, None where not given."""
        found = self._attr(name, _STRINGS)
        return None if found is None else [s.decode() for s in found.strings]

    def tensor(self, name: str) -> TensorSource | None:
        """A tensor attribute, None where not given."""
        found = self._attr(name, _TENSOR)
        if found is None:
            return None
        shared = self.graph.shared
        return TensorSource(found.t, shared.folders, shared.abstract)

    def sparse_tensor(self, name: str) -> Any:
        """The array of a sparse tensor attribute, zero where it says nothing; None if not given."""
        found = self._attr(name, _SPARSE)
        if found is None:
            return None
        import numpy as np

        shared, held = self.graph.shared, found.sparse_tensor
        values, places = (
            TensorSource(t, shared.folders, shared.abstract).array()
            for t in (held.values, held.indices)
        )
        dims = tuple(held.dims)
        out = np.zeros(dims, values.dtype)
        if places.ndim == 1:  # places in the flattened tensor
            out.reshape(-1)[places] = values
        else:
            out[tuple(places.T)] = values
        return out

    def subgraph(self, name: str) -> GraphProto:
        """A graph attribute; refused where missing."""
        found = self._attr(name, _GRAPH)
        if found is None:
            raise Refused(f"attribute {name} is missing", "GX-333")
        return found.g

    # --- emission ---

    def emit(
        self,
        op_type: str,
        inputs: Sequence[Any] | Mapping[str, Any],
        attrs: Mapping[str, Any] | None = None,
        *,
        role: str | None = None,
        result_types: Sequence[Attribute] | None = None,
        regions: Sequence[Region] = (),
    ) -> SSAValue:
        """Emit one GE node and return its first result; `role` None for the main node."""
        return self.emit_all(
            op_type, inputs, attrs, role=role, result_types=result_types, regions=regions
        )[0]

    def emit_all(
        self,
        op_type: str,
        inputs: Sequence[Any] | Mapping[str, Any],
        attrs: Mapping[str, Any] | None = None,
        *,
        role: str | None = None,
        result_types: Sequence[Attribute] | None = None,
        regions: Sequence[Region] = (),
    ) -> list[SSAValue]:
        """Emit one GE node and return all its data results."""
        from ge_dialect.semantics.registry import has_semantics

        if not has_semantics(op_type):
            raise Refused(f"GE operator {op_type}, which it needs, has no semantics yet", "GX-331")
        if role is None and not self._main_used:
            name, self._main_used = self.name, True
        else:
            name = self.graph.taken.fresh(f"{self.name}_{role or op_type}")
        op = build(
            op_type,
            inputs,
            attrs,
            result_types=result_types,
            name=name,
            origins=(self.origin,),
            regions=regions,
            known=self.graph.known_of,
        )
        problems = op.ge_dtype_problems()
        if problems:
            raise Refused(f"GE operator {op_type} does not take it: {problems[0]}", "GX-335")
        self.graph.block.add_op(op)
        return list(op.ge_data_results)

    def within(self, graph: GraphImporter) -> Node:
        """The same node as one that emits helpers into a body."""
        inner = Node(graph, self.proto, self.name, self.opset, self.since, self.scope)
        inner._main_used = True
        return inner

    def constant(self, value: Any, role: str, elem: Attribute | None = None) -> SSAValue:
        """A helper constant (int64 for lists of integers); `elem` converts it first."""
        import numpy as np

        from ge_dialect.dtypes import numpy_dtype

        array = np.asarray(value)
        if elem is not None:
            array = array.astype(numpy_dtype(elem))
        elif array.size == 0:
            array = array.astype(np.int64)
        dtype = ge_name(elem if elem is not None else from_numpy(array.dtype))
        name = f"{self.name}_{role}"
        pending = Pending(name, dtype, array.shape, lambda: array, self.origin)
        return self.graph.emit_constant(pending)

    def cast(self, value: SSAValue, elem: Attribute, role: str | None = "Cast") -> SSAValue:
        """The value as another element type; itself where it has that type."""
        from ge_dialect.dtypes import ge_enum

        if elem_of(value.type) == elem:
            return value
        return self.emit("Cast", [value], {"dst_type": ge_enum(elem)}, role=role)

    def x_as(self, index: int, elem: Attribute, role: str) -> SSAValue:
        """An input as another element type; a constant is converted here, without a Cast node."""
        from ge_dialect.dtypes import numpy_dtype

        name = self._input(index)
        held = self.graph.values[name]
        if not isinstance(held, Pending) or held.type == tensor_type(held.shape, elem):
            return self.cast(self.x(index), elem, role)
        fresh = f"{name}_{ge_name(elem)}"
        if fresh not in self.graph.values:
            make, kind = held.make, numpy_dtype(elem)
            self.graph.values[fresh] = replace(
                held,
                name=fresh,
                dtype=ge_name(elem),
                make=lambda: make().astype(kind),
                place=None,
            )
        return self.graph.operand(fresh)

    def reshape(
        self, value: SSAValue, shape: Sequence[int], role: str | None = "Reshape"
    ) -> SSAValue:
        """The value in another static shape (one -1 allowed)."""
        where = f"{role}_shape" if role else "shape"
        return self.emit("Reshape", [value, self.constant(list(shape), where)], role=role)


@dataclass(frozen=True)
class Scope:
    """Where a node comes from when it is no node of the file but part of an expanded one.

    opset: of the function body; origin and label: name of the expanded node, plain and for
    messages; depth: number of expansions around it.
    """

    opset: int
    origin: str
    label: str
    depth: int = 1


def import_node(graph: GraphImporter, proto: NodeProto, scope: Scope | None = None) -> None:
    """Import one node; a refusal is collected and poisons the node's outputs."""
    shared = graph.shared
    name = graph.node_name(proto)
    label = _label(proto, name) if scope is None else scope.label
    missing = [i for i in proto.input if i and i not in graph.values]
    for value in missing:
        shared.refuse("GX-333", proto.op_type, f"reads {value!r}, which nothing defines", label)
    poisoned = any(isinstance(graph.values.get(i), Poisoned) for i in proto.input if i)
    outputs: Sequence[Any] = ()
    found = _find(graph, proto, label, scope)
    if found is not None and not missing and not poisoned:
        rule, since, opset = found
        if rule is None:
            from ge_dialect.importers.onnx_function import expand

            if expand(graph, proto, name, opset, scope, label):
                return
            _refuse_operator(graph, proto, since, label)
        else:
            node = Node(graph, proto, name, opset, since, scope)
            outputs = _run_rule(rule, node, label)
    elif found is not None and found[0] is None:
        _refuse_operator(graph, proto, found[1], label)
    _bind(graph, proto, name, outputs, label, scope.origin if scope else None)


def _label(proto: NodeProto, name: str) -> str:
    return proto.name or (f"{name} (unnamed)" if proto.output else name)


def _run_rule(rule: Rule, node: Node, label: str) -> Sequence[Any]:
    """Outputs of the rule; nothing, with a refusal, where it declines."""
    shared, op_type = node.graph.shared, node.op_type
    try:
        made = rule.run(node)
        return [made] if isinstance(made, SSAValue | Pending) else list(made)
    except Refused as refusal:
        shared.refuse(refusal.code, op_type, refusal.reason, label)
    except InferError as error:
        code = getattr(error, "code", "GX-333")
        shared.refuse(code, op_type, f"does not fit its inputs: {_plain(error)}", label)
    except ValueError as error:
        shared.refuse("GX-333", op_type, f"cannot be built: {error}", label)
    except GeError as error:
        for d in error.diagnostics:
            shared.refuse(d.code, op_type, d.message, label)
    return ()


def _plain(error: InferError) -> str:
    """An inference error on one line, without its own code."""
    text = error.message
    if error.found is not None:
        text += f"; found {error.found}"
    return text if error.expected is None else f"{text}; expected {error.expected}"


def _bind(
    graph: GraphImporter,
    proto: NodeProto,
    name: str,
    outputs: Sequence[Any],
    label: str,
    origin: str | None,
) -> None:
    for i, out in enumerate(proto.output):
        if not out:
            continue
        value = outputs[i] if i < len(outputs) else None
        if isinstance(value, SSAValue):
            graph.bind(out, value)
        elif isinstance(value, Pending):
            graph.taken.discard(name)  # the constant takes the node's name when it is emitted
            graph.values[out] = replace(value, name=name, origin=origin)
        else:
            if outputs and out in graph.read:
                reason = f"output {i} is not supported"
                graph.shared.refuse("GX-332", proto.op_type, reason, label)
            graph.values[out] = POISON


def _find(
    graph: GraphImporter, proto: NodeProto, label: str, scope: Scope | None
) -> tuple[Rule | None, int, int] | None:
    """Rule (None: no rule for this revision), revision and opset; None where there is no schema."""
    from onnx import defs

    shared = graph.shared
    op_type, domain = proto.op_type, proto.domain
    if domain not in _DOMAINS:
        return _find_foreign(graph, f"{domain}.{op_type}", shared.opsets.get(domain, 0), label)
    opset = scope.opset if scope is not None else shared.opsets.get("", 0)
    try:
        since = defs.get_schema(op_type, opset, "").since_version
    except defs.SchemaError:
        shared.refuse("GX-331", op_type, f"does not exist in opset {opset}", label)
        return None
    return find_rule(op_type, since), since, opset


def _find_foreign(
    graph: GraphImporter, name: str, version: int, label: str
) -> tuple[Rule | None, int, int] | None:
    """The newest rule of a plug-in, or of the user, for an operator of another domain."""
    known = known_revisions(name)
    since = max((v for v in known if v <= version), default=None)
    if since is not None:
        return find_rule(name, since), since, version
    why = "its domain is not supported"
    if known:
        why = f"version {version} of its domain is older than what its rule knows: {known[0]}"
    graph.shared.refuse("GX-331", name, why, label)
    return None


def _refuse_operator(graph: GraphImporter, proto: NodeProto, since: int, label: str) -> None:
    known = known_revisions(proto.op_type)
    what = "is not supported"
    if known:
        listed = ", ".join(map(str, known))
        what = f"revision {since} is not supported (known: {listed})"
    graph.shared.refuse("GX-331", proto.op_type, what, label)
