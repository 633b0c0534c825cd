"""Order of effects: what happened before something else still does.

Happens-before is the closure of data and control edges. It is taken between nodes with effects
that are in the graph before and after, bodies included: a node in a body comes after what its
owner comes after. A node is known by its operator and its origins.
"""

from __future__ import annotations

from typing import Any

from xdsl.ir import Block, Operation

from ge_dialect.ir.base import GeOp
from ge_dialect.ir.order import is_effectful
from passes.testing.properties.base import Property, Trial

Key = tuple[Any, ...]


def happens_before(model: Any) -> dict[Key, frozenset[Key]]:
    """For each effectful node, those that happen before it; nodes that share a key are left out."""
    numbered: dict[Operation, Key] = {}
    seen: dict[Key, int] = {}
    before: dict[Operation, frozenset[Operation]] = {}

    def enter(block: Block, outer: frozenset[Operation]) -> None:
        behind: dict[Operation, frozenset[Operation]] = {}
        for op in block.ops:
            found = outer
            for operand in op.operands:
                owner = operand.owner
                if isinstance(owner, Operation) and owner in behind:
                    found = found | behind[owner] | _events(owner, numbered)
            behind[op] = found
            if op.regions:
                for region in op.regions:
                    for inner in region.blocks:
                        enter(inner, found)
            elif is_effectful(op) and isinstance(op, GeOp):
                key = (op.ge_type, tuple(sorted(op.ge_origins)))
                seen[key] = seen.get(key, 0) + 1
                numbered[op] = key
                before[op] = found

    for graph in model.graphs:
        enter(graph.body, frozenset())
    unique = {op: key for op, key in numbered.items() if seen[key] == 1}
    return {
        key: frozenset(unique[o] for o in before[op] if o in unique) for op, key in unique.items()
    }


def _events(op: Operation, numbered: dict[Operation, Key]) -> frozenset[Operation]:
    """The node itself, or the effectful nodes inside it."""
    if op.regions:
        return frozenset(o for o in op.walk() if o in numbered)
    return frozenset((op,)) if op in numbered else frozenset()


def _order(t: Trial) -> str | None:
    if not t.is_graph:
        return None
    old = happens_before(t.before)
    if not old:
        return None
    new = happens_before(t.after.model)
    for key, earlier in old.items():
        if key not in new:
            continue
        for first in earlier:
            if first in new and first not in new[key]:
                return (
                    f"{first[0]} '{_name(first)}' came before {key[0]} '{_name(key)}', "
                    "and no longer does"
                )
    return None


def _name(key: Key) -> str:
    return "+".join(key[1])


def _effects_kept(t: Trial) -> str | None:
    """Nodes that write or print stay, unless what they stand in went."""
    if not t.is_graph:
        return None
    top_before = _writers(t.before)
    if not top_before:
        return None
    after = {o for g in t.after.model.graphs for op in g.walk() if isinstance(op, GeOp)
             for o in op.ge_origins}  # fmt: skip
    for key in top_before:
        if not any(o in after for o in key[1]):
            return f"{key[0]} '{_name(key)}' has an effect and is gone"
    return None


def _writers(model: Any) -> list[Key]:
    """Nodes of the top graphs that print, write or have unknown effects."""
    from ge_dialect.ir.effects import EffectKind

    out: list[Key] = []
    for graph in model.graphs:
        for op in graph.body.ops:
            if op.regions or not isinstance(op, GeOp) or not is_effectful(op):
                continue
            effects = type(op).EFFECTS
            if effects.kind is EffectKind.STATE and not effects.writes:
                continue
            out.append((op.ge_type, op.ge_origins))
    return out


ORDER = Property("order", "happens-before between effects only grows", _order, of_change=True)
EFFECTS = Property(
    "effects", "nodes that print, write or do unknown things stay", _effects_kept, of_change=True
)
