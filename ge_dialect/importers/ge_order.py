"""Order of effects in an imported graph: where a dump does not say it, that of its nodes."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.ir import Block, Operation

from ge_dialect.ir.attributes import RefType
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.control import add_control, control_of
from ge_dialect.ir.effects import EffectKind
from ge_dialect.ir.names import node_name
from ge_dialect.ir.private import operands_of
from ge_dialect.ir.verify_order import BOUNDARY, Resources, conflicts

RECORD = "ge.dump"


def order_effects(block: Block) -> list[str]:
    """Add the control edges that conflicting effects lack; the names of the nodes that got one.

    The record of such a node lists the edges, so that an export can leave them out.
    """
    touching = [op for op in block.ops if _touches(op)]
    if len(touching) < 2:
        return []
    changed: dict[str, None] = {}
    while True:
        pairs = conflicts(block, touching, Resources())
        done = False
        for first, second, _ in pairs:
            if add_control(second, [control_of(first)]):
                done = True
                changed.setdefault(_note(second, first))
        if not done:
            return list(changed)


def _touches(op: Operation) -> bool:
    if not isinstance(op, GeOp) or op.name in BOUNDARY:
        return False
    kind = type(op).EFFECTS.kind
    if kind in (EffectKind.STATE, EffectKind.IO) or op.regions:
        return True
    return kind is EffectKind.UNKNOWN and any(isinstance(v.type, RefType) for v in operands_of(op))


def _note(op: Operation, first: Operation) -> str:
    held = op.attributes.get(RECORD)
    record = dict(held.data) if isinstance(held, DictionaryAttr) else {}
    listed = record.get("ordered")
    names = list(listed.data) if isinstance(listed, ArrayAttr) else []
    record["ordered"] = ArrayAttr([*names, StringAttr(node_name(first) or "")])
    op.attributes[RECORD] = DictionaryAttr(record)
    return node_name(op) or "?"
