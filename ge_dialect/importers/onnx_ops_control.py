"""ONNX rules: control flow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Attribute, Block, Region, SSAValue

from ge_dialect.importers.onnx_graph import GraphImporter, Pending, Poisoned, Refused, captured
from ge_dialect.importers.onnx_node import Node
from ge_dialect.importers.onnx_rules import Outputs, rule
from ge_dialect.infer.errors import InferError
from ge_dialect.ir.build import build
from ge_dialect.ir.private import set_name_hint
from ge_dialect.ir.types import elem_of, shape_of, tensor_type

if TYPE_CHECKING:
    from onnx import GraphProto


@rule("If", "1 11 13 16 19 21 23 24 25")
def if_(n: Node) -> Outputs:
    """What the branches capture becomes inputs: the sorted union for both, as GE has it."""
    branches = [n.subgraph("then_branch"), n.subgraph("else_branch")]
    outer = n.graph
    names: list[str] = []
    pending: dict[str, Pending] = {}
    for name in sorted({name for g in branches for name in captured(g)}):
        value = outer.values.get(name)
        if value is None:
            raise Refused(f"a branch reads {name!r}, which nothing defines", "GX-333")
        if isinstance(value, Poisoned):
            raise Refused(f"a branch reads {name!r}, whose node is refused")
        if isinstance(value, Pending):
            pending[name] = value  # each branch makes its own constant
        else:
            names.append(name)
    operands = [outer.operand(name) for name in names]
    made = [_branch(n, g, names, [o.type for o in operands], pending) for g in branches]
    results = []
    for left, right in zip(made[0][1], made[1][1], strict=False):
        results.append(_join(left, right))
    if len(made[0][1]) != len(made[1][1]):
        raise Refused("the branches have different numbers of outputs", "GX-333")
    return n.emit_all(
        "If",
        [n.x(0), operands],
        result_types=results,
        regions=[region for region, _ in made],
    )


def _branch(
    n: Node,
    graph: GraphProto,
    names: list[str],
    types: list[Attribute],
    pending: dict[str, Pending],
) -> tuple[Region, list[Attribute]]:
    block = Block(arg_types=types)
    inner = GraphImporter(n.graph.shared, block)
    inner.values.update(pending)
    for name, arg in zip(names, block.args, strict=True):
        inner.values[name] = arg
        from ge_dialect.ir.names import hint_from_name

        set_name_hint(arg, hint_from_name(name))
    inner.add_initializers(graph)
    inner.run(graph)
    outputs: list[SSAValue] = []
    for info in graph.output:
        value = inner.values.get(info.name)
        if value is None:
            raise Refused(f"branch output {info.name!r} is not defined", "GX-333")
        if isinstance(value, Poisoned):
            raise Refused("a branch has refused nodes")
        outputs.append(inner.operand(info.name))
    try:
        end = build("NetOutput", [outputs], name="NetOutput")
    except (ValueError, InferError) as error:
        raise Refused(f"the branch cannot end: {error}", "GX-333") from None
    block.add_op(end)
    return Region(block), [v.type for v in outputs]


def _join(left: Attribute, right: Attribute) -> Attribute:
    """The type that covers the results of both branches."""
    if elem_of(left) != elem_of(right):
        raise Refused("the branches give different element types", "GX-333")
    a, b = shape_of(left), shape_of(right)
    if a is None or b is None or len(a) != len(b):
        return tensor_type(None, elem_of(left))
    return tensor_type([x if x == y else -1 for x, y in zip(a, b, strict=True)], elem_of(left))
