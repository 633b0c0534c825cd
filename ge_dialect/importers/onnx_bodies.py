"""Sub-graphs of ONNX nodes: what they capture, and their import into a block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.ir import Attribute, Block, SSAValue

from ge_dialect.importers.onnx_graph import (
    GraphImporter,
    Pending,
    Poisoned,
    Refused,
    Value,
    captured,
)
from ge_dialect.importers.onnx_node import Node
from ge_dialect.infer.errors import InferError
from ge_dialect.ir.build import build
from ge_dialect.ir.dense import INLINE_LIMIT
from ge_dialect.ir.names import hint_from_name
from ge_dialect.ir.private import set_name_hint

if TYPE_CHECKING:
    from onnx import GraphProto


@dataclass
class Captures:
    """Outer values that sub-graphs read: inputs of the bodies, and constants each body makes."""

    names: list[str]
    operands: list[SSAValue]
    pending: dict[str, Pending]

    @property
    def types(self) -> list[Attribute]:
        """Types of the operands."""
        return [o.type for o in self.operands]


def captures(n: Node, graphs: Sequence[GraphProto], *, share_large: bool = False) -> Captures:
    """The sorted union of what sub-graphs take from outside, as GE has it.

    share_large: constants that go to the weight store become inputs too.
    """
    outer = n.graph
    names: list[str] = []
    pending: dict[str, Pending] = {}
    for name in sorted({name for g in graphs for name in captured(g)}):
        value = outer.values.get(name)
        if value is None:
            raise Refused(f"a body reads {name!r}, which nothing defines", "GX-333")
        if isinstance(value, Poisoned):
            raise Refused(f"a body reads {name!r}, whose node is refused")
        if isinstance(value, Pending) and not (share_large and _is_large(value)):
            pending[name] = value
        else:
            names.append(name)
    return Captures(names, [outer.operand(name) for name in names], pending)


def _is_large(value: Pending) -> bool:
    count = 1
    for dim in value.shape:
        count *= dim
    return count > INLINE_LIMIT


def bind_argument(n: Node, inner: GraphImporter, name: str, arg: SSAValue) -> None:
    """Let a block argument stand for a captured value, with what is known of it outside."""
    inner.values[name] = arg
    known = n.graph.constant(name)
    if known is not None:
        inner.known[arg] = known
    set_name_hint(arg, hint_from_name(name))


def import_body(n: Node, graph: GraphProto, inner: GraphImporter) -> list[SSAValue]:
    """Import the nodes of a sub-graph whose inputs and captures `inner` has; its outputs."""
    inner.add_initializers(graph)
    inner.run(graph, n.scope)
    return body_outputs(graph, inner)


def body_outputs(graph: GraphProto, inner: GraphImporter) -> list[SSAValue]:
    """The values of a sub-graph's outputs."""
    outputs: list[SSAValue] = []
    for info in graph.output:
        value = inner.values.get(info.name)
        if value is None:
            raise Refused(f"body output {info.name!r} is not defined", "GX-333")
        if isinstance(value, Poisoned):
            raise Refused("a body has refused nodes")
        outputs.append(inner.operand(info.name))
    return outputs


def inner_importer(n: Node, block: Block, values: Mapping[str, Value]) -> GraphImporter:
    """An importer for a body that has some values by name already."""
    inner = GraphImporter(n.graph.shared, block)
    inner.values.update(values)
    return inner


def end_body(block: Block, outputs: Sequence[SSAValue]) -> None:
    """Finish a body."""
    try:
        block.add_op(build("NetOutput", [list(outputs)], name="NetOutput"))
    except (ValueError, InferError) as error:
        raise Refused(f"the body cannot end: {error}", "GX-333") from None
