"""Which nodes carry order: effectful ones, and those that wait for one.

Waiting for a node that carries order means waiting for an effect, so the rewriter must not lose
such a wait, also where it came through a data edge.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TypeGuard

from xdsl.ir import Block, Operation, SSAValue

from ge_dialect.ir.base import GeOp
from ge_dialect.ir.effects import EffectKind
from ge_dialect.ir.private import nodes_of, operands_of, reads

#: Nodes without a task: nothing runs, so nothing can wait for them or after them.
NO_TASK = frozenset({"ge.Const", "ge.Constant", "ge.Data", "ge.RefData", "ge.Variable"})
#: Boundary nodes: effects are not declared, and none happen.
_BOUNDARY = frozenset({"ge.NetOutput", *NO_TASK})


def does_work(op: Operation) -> bool:
    """True where the node has a task that something can wait for."""
    return op.name not in NO_TASK


def is_effectful(op: Operation) -> bool:
    """True where running the node is an event whose order counts: state, I/O, unknown effects.

    A node with bodies is effectful where something in a body is.
    """
    if not op.regions:
        found = _without_bodies.get(type(op))
        if found is None:
            found = _without_bodies[type(op)] = _class_is_effectful(op)
        return found
    return op.name not in _BOUNDARY and any(
        is_effectful(inner) for r in op.regions for b in r.blocks for inner in b.ops
    )


def _class_is_effectful(op: Operation) -> bool:
    if op.name in _BOUNDARY:
        return False
    if isinstance(op, GeOp):
        return type(op).EFFECTS.kind in (EffectKind.STATE, EffectKind.IO, EffectKind.UNKNOWN)
    return True


#: is_effectful of nodes without bodies, by class
_without_bodies: dict[type[Operation], bool] = {}


def may_carry(owner: Operation | Block) -> TypeGuard[Operation]:
    """False where waiting for the maker of a value can never mean waiting for an effect."""
    return isinstance(owner, Operation) and does_work(owner)


def direct_waits(
    op: Operation,
    work: Collection[Operation],
    values: Sequence[SSAValue | None],
    sources: Sequence[SSAValue],
    limit: int,
) -> list[tuple[Sequence[SSAValue], list[Operation]]]:
    """What users of a node must wait for themselves when values take the place of its results.

    work: the new nodes that run instead. sources: what the node came after. Users of a value that
    no such node makes come after no more than its maker, and what that one reads and runs behind.
    Where that would be more than `limit` edges, all users wait for all sources.
    """
    moves = [
        (value.owner, [use.operation for use in result.uses])
        for result, value in zip(op.results if sources else (), values, strict=False)
        if value is not None and value.owner not in work and result.first_use is not None
    ]
    if len(moves) > 1 and len(sources) * sum(len(found) for _, found in moves) > limit:
        return [(sources, list(dict.fromkeys(user for _, found in moves for user in found)))]
    users: dict[tuple[SSAValue, ...], dict[Operation, None]] = {}
    for maker, found in moves:
        waits = [s for s in sources if s.owner is not maker]
        if may_carry(maker):
            waits = [s for s in waits if not reads(maker, s.owner)]
        users.setdefault(tuple(waits), {}).update(dict.fromkeys(found))
    return [(waits, list(found)) for waits, found in users.items() if waits]


class OrderIndex:
    """The nodes of one block that carry order, from one forward sweep.

    `carries` may later say yes for too many nodes, never for too few: adding edges only adds.
    """

    def __init__(self, block: Block) -> None:
        self._carriers: set[Operation] = set()
        for op in nodes_of(block):
            self.add(op)

    @property
    def empty(self) -> bool:
        """True where nothing in the block carries order."""
        return not self._carriers

    def add(self, op: Operation) -> None:
        """Take in a node whose operands are known already."""
        if not does_work(op):
            return
        carriers = self._carriers
        if is_effectful(op) or (carriers and any(v.owner in carriers for v in operands_of(op))):
            carriers.add(op)

    def replaced(
        self,
        op: Operation,
        ops: Sequence[Operation],
        moves: Iterable[tuple[SSAValue, SSAValue | None]],
    ) -> None:
        """Take in the nodes that stand for `op`; what comes after carriers only now, is marked.

        moves: results of `op` whose uses are still to move, and where to.
        """
        for new in ops:
            self.add(new)
        if op in self._carriers or not self._carriers:
            return
        moved = [
            result for result, value in moves if value is not None and self.carries(value.owner)
        ]
        moved += [result for new in ops if self.carries(new) for result in new.results]
        for result in moved:
            for use in result.uses:
                self.mark(use.operation)

    def mark(self, op: Operation) -> None:
        """Say that the node and all that depends on it carry order."""
        stack = [op]
        while stack:
            o = stack.pop()
            if o in self._carriers or not does_work(o):
                continue
            self._carriers.add(o)
            stack += [u.operation for r in o.results for u in r.uses]

    def discard(self, op: Operation) -> None:
        """Forget an erased node."""
        self._carriers.discard(op)

    def carries(self, op: object) -> TypeGuard[Operation]:
        """True where waiting for `op` means waiting for an effect."""
        return op in self._carriers
