"""Final engine of every node, checked against the layouts it got."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ge_dialect.ir.base import GeOp
from ge_dialect.ir.graph import walk_graphs
from passes.base import Contract, Pass, PassResult
from passes.format.engine_claim import place

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from passes.context import PassContext


@dataclass(frozen=True)
class EnginePlacement(Pass):
    """Settle ``ge.engine``: claims are checked against layouts, new nodes get an engine.

    A claim can only narrow here: a node whose engine cannot take its layouts moves to the next
    engine that can, nodes that passes made since then are placed, and what no engine takes is
    reported, all at once.

    Before::

        ge.graph @g(%x: tensor<8xf64>) {
          %d = ge.Data(%x) {index = 0, ge.engine = "DNN_VM_GE_LOCAL"} : tensor<8xf64>
          %a = ge.Exp(%d) : tensor<8xf64>
          ge.NetOutput(%a) {ge.engine = "DNN_VM_GE_LOCAL"}
        }

    After::

        ge.graph @g(%x: tensor<8xf64>) {
          %d = ge.Data(%x) {index = 0, ge.engine = "DNN_VM_GE_LOCAL"} : tensor<8xf64>
          %a = ge.Exp(%d) {ge.engine = "DNN_VM_AICPU"} : tensor<8xf64>
          ge.NetOutput(%a) {ge.engine = "DNN_VM_GE_LOCAL"}
        }
    """

    name: ClassVar[str] = "engine-placement"
    stage: ClassVar[str] = "partition"
    contract: ClassVar[Contract] = Contract(
        establishes=("engines-claimed",), preserves=("op-census", "origin-map")
    )

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        counters: Counter[str] = Counter()
        for block in walk_graphs(module):
            for op in block.ops:
                if isinstance(op, GeOp):
                    place(op, ctx, counters, layouts=True)
        return PassResult.from_counters(counters)
