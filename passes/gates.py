"""Nodes that may not run, or run many times: those behind TensorFlow 1's Switch and Enter."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Block, OpResult

from ge_dialect.ir.private import nodes_of, operands_of
from ge_dialect.semantics.registry import ROUTING

#: Operations that decide which nodes run.
ROUTING_NAMES = frozenset(f"ge.{name}" for name in ROUTING)


def gated_nodes(blocks: Iterable[Block]) -> set[int]:
    """Ids of the nodes of `blocks` that depend, by data or control edges, on a routing node.

    What such a node computes may be known without it; whether it runs is not. Routing nodes
    themselves are among them.
    """
    found: set[int] = set()
    for block in blocks:
        for op in nodes_of(block):
            if op.name in ROUTING_NAMES or any(
                type(v) is OpResult and id(v.op) in found for v in operands_of(op)
            ):
                found.add(id(op))
    return found
