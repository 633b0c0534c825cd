"""Effects happen in the order in which Python made them."""

from __future__ import annotations

from xdsl.ir import Block, Operation

from ge_dialect.ir.control import add_control, control_of
from ge_dialect.ir.graph import walk_graphs
from ge_dialect.ir.order import is_effectful
from ge_dialect.ir.verify_order import Resources, conflicts


def order_effects(graph: Operation) -> None:
    """Add the control edges that conflicting effects lack, in all blocks of a graph."""
    for block in list(walk_graphs(graph)):
        _order(block)


def _order(block: Block) -> None:
    touching = [op for op in block.ops if is_effectful(op)]
    while len(touching) > 1:
        added = [
            add_control(second, [control_of(first)])
            for first, second, _ in conflicts(block, touching, Resources())
        ]
        if not any(added):
            return
