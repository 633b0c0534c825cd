"""Order of effects of a source whose lines are executed one after another."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Block, Operation

from ge_dialect.ir.attributes import RefType
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.control import add_control, control_of
from ge_dialect.ir.effects import EffectKind
from ge_dialect.ir.private import operands_of
from ge_dialect.ir.verify_order import BOUNDARY, Resources, conflicts


def order_by_place(
    block: Block, on_edge: Callable[[Operation, Operation], None] | None = None
) -> int:
    """Add the control edges that conflicting effects of a block lack, from the earlier node.

    on_edge: told of every edge, with the earlier and the later node. Returns their number.
    """
    touching = [op for op in block.ops if _touches(op)]
    count = 0
    while len(touching) > 1:
        done = False
        for first, second, _ in conflicts(block, touching, Resources()):
            if add_control(second, [control_of(first)]):
                done = True
                count += 1
                if on_edge is not None:
                    on_edge(first, second)
        if not done:
            break
    return count


def _touches(op: Operation) -> bool:
    if not isinstance(op, GeOp) or op.name in BOUNDARY:
        return False
    kind = type(op).EFFECTS.kind
    if kind in (EffectKind.STATE, EffectKind.IO) or op.regions:
        return True
    return kind is EffectKind.UNKNOWN and any(isinstance(v.type, RefType) for v in operands_of(op))
