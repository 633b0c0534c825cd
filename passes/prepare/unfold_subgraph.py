"""Inlining of called graphs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ge_dialect.ir.control import control_inputs
from ge_dialect.ir.names import node_name, recorded_origins, set_node_name
from ge_dialect.ir.order import is_effectful
from ge_dialect.ir.private import drop_node, move_uses
from passes.base import Contract, Pass, PassResult
from passes.gates import ROUTING_NAMES
from passes.rewriting import Pattern, PatternRewriter, apply_patterns

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Operation

    from passes.context import PassContext

#: Nodes by which a graph reads its arguments.
_INPUTS = frozenset({"ge.Data", "ge.RefData"})


class InlineCall(Pattern):
    """The nodes of a called graph take the place of the call."""

    name: ClassVar[str] = "inline-call"
    root: ClassVar[tuple[str, ...]] = ("PartitionedCall",)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        if rw.after_graphs:
            return
        body = op.regions[0].block
        routed = any(n.name in ROUTING_NAMES for n in body.ops)
        # its loops have names, and waiting for a node that did not run is not to run
        if not rw.when(not routed, "its graph decides which of its nodes run"):
            return
        end = body.last_op
        assert end is not None  # a graph ends in its NetOutput
        inputs = op.ge_data_operands
        for node in list(body.ops):
            if node.name in _INPUTS:
                rw.replace_by_value(node, [node.operands[0]])
        for arg, value in zip(body.args, inputs, strict=True):
            move_uses(arg, value)
        values = list(end.ge_data_operands)
        drop_node(end)
        nodes = _take_nodes(op, body)
        effects = [n for n in nodes if is_effectful(n)]
        before, after = self._order(op, rw) if effects else ([], [])
        rw.replace(op, nodes, values, inherit_name=False)
        # a call runs as a whole: behind all it reads, before all that reads it
        for effect in effects:
            rw.add_control(effect, before)
        for user in after:
            rw.add_control(user, effects)

    @staticmethod
    def _order(op: Any, rw: PatternRewriter) -> tuple[list[Operation], list[Operation]]:
        """Nodes that the effects inside must follow, and nodes that must follow them."""
        order = rw.order(op.parent)
        sources = dict.fromkeys(v.owner for v in (*op.ge_data_operands, *control_inputs(op)))
        before = [o for o in sources if order.carries(o)]
        after = list(dict.fromkeys(u.operation for r in op.results for u in r.uses))
        return before, after


def _take_nodes(call: Any, body: Any) -> list[Operation]:
    """Detach the nodes of a body, named `<call>/<node>`."""
    prefix = node_name(call) or "call"
    nodes: list[Operation] = []
    for node in list(body.ops):
        node.detach()
        name = node_name(node)
        if name is not None:
            set_node_name(node, f"{prefix}/{name}", recorded_origins(node))
        nodes.append(node)
    return nodes


@dataclass(frozen=True)
class UnfoldSubgraph(Pass):
    """Inline the graphs of PartitionedCall nodes.

    The nodes are named ``<call>/<node>``. GE unfolds calls when it builds a graph; here it is done
    before fusion, so that everything later sees one graph. Effects inside a call stay behind all
    that the call reads and waits for, and before all that reads it or waits for it. A node that is
    bound to an engine, a stream label or a scope of its own keeps it; the others take the call's.

    Before::

        ge.graph @g(%x: tensor<4xf32>) {
          %y = ge.PartitionedCall(%x) : tensor<4xf32> f(%a) {
            %r = ge.Relu(%a) : tensor<4xf32>
            ge.NetOutput(%r)
          }
          ge.NetOutput(%y)
        }

    After::

        ge.graph @g(%x: tensor<4xf32>) {
          %r = ge.Relu(%x) : tensor<4xf32> loc("y/r"("y"))
          ge.NetOutput(%r)
        }
    """

    name: ClassVar[str] = "unfold-subgraph"
    stage: ClassVar[str] = "prepare"
    contract: ClassVar[Contract] = Contract(values="exact")

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        return PassResult.from_counters(apply_patterns(module, [InlineCall()], ctx))
