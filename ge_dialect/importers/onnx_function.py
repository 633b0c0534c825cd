"""Operators that ONNX defines by others: their function bodies, inlined node by node.

Tried only where the importer has no rule of its own. The nodes of the body are imported like those
of the file, in the opset the body is written for; all have the expanded node as origin, and the one
that computes the first output has its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ge_dialect.importers.onnx_graph import GraphImporter, node_reads
from ge_dialect.importers.onnx_reader import ELEMENT_TYPES

if TYPE_CHECKING:
    from onnx import AttributeProto, FunctionProto, GraphProto, NodeProto

    from ge_dialect.importers.onnx_node import Scope

_MAX_DEPTH = 8
_GRAPH = 5


def expand(
    graph: GraphImporter,
    proto: NodeProto,
    name: str,
    opset: int,
    scope: Scope | None,
    label: str,
) -> bool:
    """Import the body of `proto`'s operator in its place; False where it has none that fits."""
    from ge_dialect.importers.onnx_node import Scope, import_node

    depth = 1 if scope is None else scope.depth + 1
    body = _body(graph, proto, opset) if depth <= _MAX_DEPTH else None
    if body is None:
        return False
    version = max((o.version for o in body.opset_import if not o.domain), default=opset)
    origin = name if scope is None else scope.origin
    inner = Scope(version, origin, label, depth)
    graph.taken.discard(name)
    names = _names(body, proto, name)
    given = _attributes(proto, opset)
    refused = len(graph.shared.refused)
    nodes = [_renamed(node, names, given, proto, name) for node in body.node]
    graph.read.update(i for node in nodes for i in node_reads(node))
    for node in nodes:
        import_node(graph, node, inner)
    if len(graph.shared.refused) == refused:
        for out in proto.output:
            if out and out not in graph.values:
                return False
    return True


def _body(graph: GraphImporter, proto: NodeProto, opset: int) -> FunctionProto | None:
    """The function body for an opset, from the schema or made for the node's input types."""
    from onnx import FunctionProto, defs

    schema: Any = defs.get_schema(proto.op_type, opset, "")  # its stubs lack the functions
    try:
        fixed = [v for v in schema.function_opset_versions if v <= opset]
        if fixed:
            raw = schema.get_function_with_opset_version(max(fixed))
        elif schema.has_context_dependent_function:
            types = [_type_proto(graph, i) for i in proto.input]
            raw = schema.get_context_dependent_function(proto.SerializeToString(), types)
        else:
            return None
    except Exception:  # a body that cannot be made for this node
        return None
    body = FunctionProto()
    body.ParseFromString(raw)
    return body if body.node else None


def _type_proto(graph: GraphImporter, name: str) -> bytes:
    from onnx import TypeProto, helper

    from ge_dialect.dtypes import ge_name
    from ge_dialect.ir.types import elem_of, shape_of

    if not name:
        return TypeProto().SerializeToString()
    type_ = graph.type_of(name)
    numbers = {v: k for k, v in ELEMENT_TYPES.items()}
    shape = shape_of(type_)
    dims = None if shape is None else [d if d >= 0 else None for d in shape]
    return helper.make_tensor_type_proto(numbers[ge_name(elem_of(type_))], dims).SerializeToString()


def _names(body: FunctionProto, proto: NodeProto, name: str) -> dict[str, str]:
    """Value names of the body -> names in the graph; what is inside gets the node as prefix."""
    names = {"": ""}
    for formals, actuals in ((body.input, proto.input), (body.output, proto.output)):
        for i, formal in enumerate(formals):
            names[formal] = actuals[i] if i < len(actuals) else ""
    for node in body.node:
        for out in node.output:
            if not names.get(out):
                names[out] = f"{name}/{out}" if out else ""
    return names


def _attributes(proto: NodeProto, opset: int) -> dict[str, Any]:
    """Attributes of the expanded node by name, defaults of its schema included."""
    from onnx import defs

    schema = defs.get_schema(proto.op_type, opset, "")
    found = {k: a.default_value for k, a in schema.attributes.items() if a.default_value.name}
    found.update({a.name: a for a in proto.attribute})
    return found


def _renamed(
    node: NodeProto, names: dict[str, str], given: dict[str, Any], proto: NodeProto, name: str
) -> NodeProto:
    """A node of the body with the graph's value names and the expanded node's attributes."""
    from onnx import NodeProto as Node

    out = Node()
    out.op_type, out.domain = node.op_type, node.domain
    out.input.extend(names.get(i, i) for i in node.input)
    out.output.extend(names[o] for o in node.output)
    first = proto.output[0] if proto.output else ""
    out.name = name if first and first in out.output else f"{name}_{node.op_type}"
    out.attribute.extend(_attributes_in(node, names, given))
    return out


def _attributes_in(
    node: NodeProto, names: dict[str, str], given: dict[str, Any]
) -> Iterator[AttributeProto]:
    """A node's attributes with references resolved and captures of sub-graphs renamed."""
    from onnx import AttributeProto as Attribute

    for attribute in node.attribute:
        copied = Attribute()
        if not attribute.ref_attr_name:
            copied.CopyFrom(attribute)
        elif attribute.ref_attr_name in given:
            copied.CopyFrom(given[attribute.ref_attr_name])
            copied.name = attribute.name
        else:
            continue
        for graph in [copied.g] if copied.type == _GRAPH else copied.graphs:
            _rename_captures(graph, names, given)
        yield copied


def _rename_captures(graph: GraphProto, names: dict[str, str], given: dict[str, Any]) -> None:
    """In place; what the sub-graph defines itself keeps its name."""
    own = {i.name for i in graph.input} | {i.name for i in graph.initializer}
    own |= {o for node in graph.node for o in node.output}
    outer = {old: new for old, new in names.items() if old not in own}
    for node in graph.node:
        for i, name in enumerate(node.input):
            node.input[i] = outer.get(name, name)
        attributes = list(_attributes_in(node, outer, given))
        del node.attribute[:]
        node.attribute.extend(attributes)
    for info in graph.output:
        info.name = outer.get(info.name, info.name)
