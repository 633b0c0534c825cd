"""Removal of dead nodes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ge_dialect.ir.private import drop_node
from passes.base import Contract, Pass, PassResult
from passes.effects import droppable

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Block, Operation

    from passes.context import PassContext

#: Set on a node by a user or a parser: keep it although nothing reads it.
KEEP_ATTRIBUTES = ("ge.attr._force_skip_prune", "ge._force_skip_prune")

#: Nodes that belong to a graph whether something reads them or not.
_ENDS = frozenset({"ge.Data", "ge.NetOutput", "ge.RefData"})


@dataclass(frozen=True)
class Prune(Pass):
    """Remove nodes nothing depends on.

    A node stays if it may have an effect, if a kept node reads or waits for it, if it is a graph
    input (GE never drops a Data) or the graph's NetOutput, or if ``_force_skip_prune`` is set.
    Graphs inside a kept node are pruned too. One reverse sweep per graph, linear in its ops.

    Before::

        ge.graph @g(%x: tensor<4xf32>) {
          %a = ge.Relu(%x) : tensor<4xf32>
          %b = ge.Abs(%a) : tensor<4xf32>
          ge.NetOutput(%a)
        }

    After::

        ge.graph @g(%x: tensor<4xf32>) {
          %a = ge.Relu(%x) : tensor<4xf32>
          ge.NetOutput(%a)
        }
    """

    name: ClassVar[str] = "prune"
    stage: ClassVar[str] = "prepare"
    contract: ClassVar[Contract] = Contract(values="exact")

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        removed: Counter[str] = Counter()
        sweep = _Sweep(ctx, removed)
        for op in module.ops:
            for region in op.regions:
                for block in region.blocks:
                    sweep.block(block)
        return PassResult(bool(removed), dict(sorted(removed.items())))


class _Sweep:
    """One run; `removed` counts the removed nodes by operator type."""

    def __init__(self, ctx: PassContext, removed: Counter[str]) -> None:
        self.ctx = ctx
        self.removed = removed
        self._droppable: dict[type[Operation], bool] = {}

    def block(self, block: Block) -> None:
        """Prune `block`, last op first, so that a chain of dead ops goes in one sweep."""
        memo = self._droppable
        op = block.last_op
        while op is not None:
            previous = op.prev_op
            if memo.get(type(op), True) or self.ctx.remarks_enabled:
                for result in op.results:
                    if result.first_use is not None:
                        break
                else:
                    if droppable(op, memo) and not _kept(op) and self._allowed():
                        self._remove(op)
                        op = previous
                        continue
                    if self.ctx.remarks_enabled:
                        self._explain(op)
            if op.regions:
                for region in op.regions:
                    for inner in region.blocks:
                        self.block(inner)
            op = previous

    def _allowed(self) -> bool:
        ctx = self.ctx
        return ctx.rewrite_limit is None or ctx.take_rewrite()

    def _explain(self, op: Operation) -> None:
        """Remark: why a node that nothing reads stays."""
        if op.name in _ENDS:
            return
        kept = "_force_skip_prune is set" if _kept(op) else "it may have an effect"
        reason = kept if _kept(op) or not droppable(op) else "the rewrite limit is reached"
        self.ctx.remark(f"not removed: {reason}", op=op, category="missed", reason=reason)

    def _remove(self, op: Operation) -> None:
        self.removed[op.name.removeprefix("ge.")] += 1
        if self.ctx.remarks_enabled:
            self.ctx.remark("removed: nothing depends on it", op=op)
        drop_node(op)


def _kept(op: Operation) -> bool:
    attributes = op.attributes
    return bool(attributes) and any(name in attributes for name in KEEP_ATTRIBUTES)
