"""ONNX rules: control flow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Attribute, Block, Region

from ge_dialect.importers.onnx_bodies import (
    Captures,
    bind_argument,
    captures,
    end_body,
    import_body,
    inner_importer,
)
from ge_dialect.importers.onnx_graph import Refused
from ge_dialect.importers.onnx_node import Node
from ge_dialect.importers.onnx_rules import Outputs, rule
from ge_dialect.ir.types import elem_of, shape_of, tensor_type

if TYPE_CHECKING:
    from onnx import GraphProto


@rule("If", "1 11 13 16 19 21 23 24 25")
def if_(n: Node) -> Outputs:
    """What the branches capture becomes inputs: the sorted union for both, as GE has it."""
    branches = [n.subgraph("then_branch"), n.subgraph("else_branch")]
    taken = captures(n, branches)
    made = [_branch(n, g, taken) for g in branches]
    results = []
    for left, right in zip(made[0][1], made[1][1], strict=False):
        results.append(_join(left, right))
    if len(made[0][1]) != len(made[1][1]):
        raise Refused("the branches have different numbers of outputs", "GX-333")
    return n.emit_all(
        "If",
        [n.x(0), taken.operands],
        result_types=results,
        regions=[region for region, _ in made],
    )


def _branch(n: Node, graph: GraphProto, taken: Captures) -> tuple[Region, list[Attribute]]:
    block = Block(arg_types=taken.types)
    inner = inner_importer(n, block, taken.pending)
    for name, arg in zip(taken.names, block.args, strict=True):
        bind_argument(n, inner, name, arg)
    outputs = import_body(n, graph, inner)
    end_body(block, outputs)
    return Region(block), [v.type for v in outputs]


def _join(left: Attribute, right: Attribute) -> Attribute:
    """The type that covers the results of both branches."""
    if elem_of(left) != elem_of(right):
        raise Refused("the branches give different element types", "GX-333")
    a, b = shape_of(left), shape_of(right)
    if a is None or b is None or len(a) != len(b):
        return tensor_type(None, elem_of(left))
    return tensor_type([x if x == y else -1 for x, y in zip(a, b, strict=True)], elem_of(left))
