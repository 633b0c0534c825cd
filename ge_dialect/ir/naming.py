"""Names for nodes that have none, as our reader gives them."""

from __future__ import annotations

from xdsl.dialects.builtin import FileLineColLoc
from xdsl.ir import Operation

from ge_dialect.ir.base import GeOp
from ge_dialect.ir.graph import walk_graphs
from ge_dialect.ir.names import location_leaves, make_location, names_in, node_name
from ge_dialect.ir.private import name_hint
from ge_dialect.ir.taken_names import TakenNames


def name_missing(root: Operation) -> int:
    """Name every node under `root` that has no name; returns how many there were.

    The name is the hint of the first result, else the operator type, made unique in its graph.
    Modules that stock xDSL has read need this: its parser does not name nodes.
    """
    count = 0
    for block in walk_graphs(root):
        taken: TakenNames | None = None
        for op in block.ops:
            if not isinstance(op, GeOp) or node_name(op) is not None:
                continue
            if taken is None:
                taken = names_in(block)
            base = (name_hint(op.results[0]) if op.results else None) or op.ge_type
            leaves = location_leaves(op.location)
            file = next((leaf for leaf in leaves if isinstance(leaf, FileLineColLoc)), None)
            op.location = make_location(taken.fresh(base), (), file)
            count += 1
    return count
