"""Order of effects in an imported graph: where a dump does not say it, that of its nodes."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.ir import Block, Operation

from ge_dialect.ir.names import node_name
from ge_dialect.ir.sequence import order_by_place

RECORD = "ge.dump"


def order_effects(block: Block) -> list[str]:
    """Add the control edges that conflicting effects lack; the names of the nodes that got one.

    The record of such a node lists the edges, so that an export can leave them out.
    """
    changed: dict[str, None] = {}
    order_by_place(block, lambda first, second: changed.setdefault(_note(second, first)))
    return list(changed)


def _note(op: Operation, first: Operation) -> str:
    held = op.attributes.get(RECORD)
    record = dict(held.data) if isinstance(held, DictionaryAttr) else {}
    listed = record.get("ordered")
    names = list(listed.data) if isinstance(listed, ArrayAttr) else []
    record["ordered"] = ArrayAttr([*names, StringAttr(node_name(first) or "")])
    op.attributes[RECORD] = DictionaryAttr(record)
    return node_name(op) or "?"
