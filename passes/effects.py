"""What passes may do with a node, judged from its declared effects."""

from __future__ import annotations

from xdsl.ir import Operation

from ge_dialect.ir.base import GeOp
from ge_dialect.ir.effects import EffectKind

#: Presence pins a node against merging and folding, whatever the value (GE tests presence only).
PIN_ATTRIBUTES = (
    "ge.attr.no_need_constant_folding",
    "ge.attr._do_not_constant_folding",
    "ge.no_need_constant_folding",
)


def is_pinned(op: Operation) -> bool:
    """Whether the node is marked as not to be merged or folded."""
    attributes = op.attributes
    return bool(attributes) and any(name in attributes for name in PIN_ATTRIBUTES)


def droppable_class(cls: type[Operation]) -> bool:
    """Whether an unused node of this class may vanish, leaving graphs inside it aside.

    True for pure and random nodes (random ones are counter-based, so dropping one changes no
    other), for nodes that only read state, and for those that are what the graphs inside them are.
    Nodes of undeclared effects stay.
    """
    if not issubclass(cls, GeOp):
        return False
    effects = cls.EFFECTS
    if effects.kind is EffectKind.STATE:
        return not effects.writes
    if effects.kind is EffectKind.UNKNOWN:
        return bool(cls.ge_table().graphs)
    return effects.kind in (EffectKind.PURE, EffectKind.RANDOM)


def droppable(op: Operation, memo: dict[type[Operation], bool] | None = None) -> bool:
    """Whether `op`, if unused, may vanish; a node with graphs only if all inside them may."""
    cls = type(op)
    verdict = memo.get(cls) if memo is not None else None
    if verdict is None:
        verdict = droppable_class(cls)
        if memo is not None:
            memo[cls] = verdict
    if not verdict or not op.regions:
        return verdict
    return all(
        inner.name in _BOUNDARY or droppable(inner, memo)
        for region in op.regions
        for block in region.blocks
        for inner in block.ops
    )


#: Nodes a graph may always have: they make and do nothing.
_BOUNDARY = frozenset({"ge.Data", "ge.NetOutput", "ge.RefData"})
