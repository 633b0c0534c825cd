"""All changes of a graph go through here: order, names, origins and attributes are carried over.

The five order rules when node `op` is replaced by new nodes and values:

1. data uses go to the replacement values;
2. control uses go to every new node that no other new node reads (the tail);
3. control inputs go to the new nodes that read no other new node (the roots), and to the users of
   each result in whose place no new node runs;
4. a data producer that the replacement no longer reads and that carries order counts as one more
   control input;
5. a control user of a node that vanished also waits for the producers that carry order; more than
   64 new edges are joined through one NoOp.

With these, happens-before between the remaining effectful nodes only grows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from xdsl.ir import Attribute, Block, Operation, SSAValue, Use
from xdsl.rewriter import InsertPoint
from xdsl.rewriter import Rewriter as XdslRewriter

from ge_dialect.ir.base import GeOp
from ge_dialect.ir.control import (
    add_control,
    control_inputs,
    control_of,
    control_result,
    data_inputs,
    drop_control_result,
    first_uses,
    not_read,
    replace_control,
)
from ge_dialect.ir.habits import BUILD, unknown_method
from ge_dialect.ir.merge import hand_on, merged_attributes
from ge_dialect.ir.names import (
    hint_from_name,
    names_in,
    node_name,
    origins,
    set_node_name,
)
from ge_dialect.ir.order import OrderIndex, direct_waits, does_work, may_carry
from ge_dialect.ir.private import (
    drop_node,
    move_uses,
    name_hint,
    operands_of,
    reads,
    set_name_hint,
    set_operand,
    set_type,
)
from ge_dialect.ir.taken_names import TakenNames

#: Above this many new control edges, users are joined to sources through one NoOp.
JOIN_LIMIT = 64


class Listener(Protocol):
    """Told of every change; a driver uses it to revisit."""

    def inserted(self, op: Operation) -> None: ...
    def modified(self, op: Operation) -> None: ...
    def removed(self, op: Operation) -> None: ...
    def replaced(self, op: Operation, values: Sequence[SSAValue | None]) -> None: ...


def _nodes(given: Sequence[object]) -> list[Operation]:
    if not isinstance(given, str | SSAValue):
        nodes = [n for n in given if isinstance(n, Operation)]
        if len(nodes) == len(given):
            return nodes
    raise TypeError(
        f"replace() takes new nodes, made by {BUILD}, not {given!r:.60}; "
        "for values there is replace_by_value()"
    )


class Rewriter:
    """Changes graphs under the order, name and attribute policy. One per pass run."""

    def __init__(self, listener: Listener | None = None) -> None:
        self._listener = listener
        self._order: dict[Block, OrderIndex] = {}
        self._names: dict[Block, TakenNames] = {}
        self.changes = 0
        """Number of changes made so far."""

    if not TYPE_CHECKING:  # a type checker is to see unknown names

        def __getattr__(self, name: str) -> object:
            raise unknown_method(type(self), name)

    # ------------------------------------------------------------------------------- caches

    def order(self, block: Block) -> OrderIndex:
        """Which nodes of the block carry order."""
        found = self._order.get(block)
        if found is None:
            found = self._order[block] = OrderIndex(block)
        return found

    def taken_names(self, block: Block) -> TakenNames:
        """Node names in use in the block."""
        found = self._names.get(block)
        if found is None:
            found = self._names[block] = names_in(block)
        return found

    def share_names(self, block: Block, taken: TakenNames) -> None:
        """Use a table of the node names of the block that the caller has, who adds to it too."""
        self._names[block] = taken

    # ------------------------------------------------------------------------------ replace

    def replace(
        self,
        op: Operation,
        new_ops: Operation | Sequence[Operation],
        new_values: Sequence[SSAValue | None] | None = None,
        *,
        merged: Sequence[Operation] = (),
        inherit_name: bool = True,
    ) -> None:
        """Replace `op` by `new_ops` (inserted before it) and its data results by `new_values`.

        new_values: one per data result, None only for an unused one; by default the data results
        of the last new node. merged: further nodes that the new ones stand for (their origins and
        attributes are merged in; they are erased by the caller once unused). inherit_name: the
        last new node takes over the name of `op`.
        """
        ops = [new_ops] if isinstance(new_ops, Operation) else _nodes(new_ops)
        out = control_result(op)
        results = [r for r in op.results if r is not out]
        if new_values is None:
            last = ops[-1]
            new_values = [r for r in last.results if r is not control_result(last)]
        if len(new_values) != len(results):
            raise ValueError(f"{op.name} has {len(results)} results, got {len(new_values)} values")
        block = op.parent
        if block is None:
            raise ValueError("the replaced node is in no graph")
        order = self.order(block)
        if len(ops) > 1 or not inherit_name or any(node_name(n) is not None for n in ops):
            self.taken_names(block)  # before the new nodes are in the block
        if ops:
            block.insert_ops_before(ops, op)
        name_lives_on = self._adopt(op, ops, merged, inherit_name)
        self._move_hints(results, new_values, ops)
        self._carry_order(op, ops, list(new_values), order)
        order.replaced(op, ops, zip(results, new_values, strict=True))
        for r, v in zip(results, new_values, strict=True):
            if v is not None:
                move_uses(r, v)
            elif r.first_use is not None:
                raise ValueError(f"{op.name} has users and no value replaces result {r.index}")
        listener = self._listener
        if listener is not None:
            for new in ops:
                listener.inserted(new)
            listener.replaced(op, new_values)
        self._remove(op, name_lives_on=name_lives_on)

    def replace_by_value(
        self,
        op: Operation,
        values: Sequence[SSAValue | None],
        *,
        merge_into: Operation | None = None,
    ) -> None:
        """Replace the data results of `op` by values that exist already; nothing runs instead.

        merge_into: the node that now stands for `op` too (CSE); it takes over origins, and
        attributes as their policy says.
        """
        if merge_into is not None:
            self._merge_identity(merge_into, op)
        self.replace(op, [], values, inherit_name=False)

    def erase(self, op: Operation) -> None:
        """Erase a node whose data results have no uses; order through it is kept."""
        out = control_result(op)
        data = [r for r in op.results if r is not out]
        if any(r.first_use is not None for r in data):
            raise ValueError(f"{op.name} still has users")
        if out is None and not control_inputs(op):
            self._remove(op)
            return
        self.replace(op, [], [None] * len(data), inherit_name=False)

    def erase_all(self, ops: Iterable[Operation]) -> None:
        """Erase unused nodes in the given order (users before producers)."""
        for op in ops:
            self.erase(op)

    # ------------------------------------------------------------------------ small changes

    def insert_before(self, anchor: Operation, new: Operation) -> None:
        """Insert a node before another; a missing name is made from its type."""
        self._insert(new, InsertPoint.before(anchor), anchor.parent)

    def insert_after(self, anchor: Operation, new: Operation) -> None:
        """Insert a node after another."""
        self._insert(new, InsertPoint.after(anchor), anchor.parent)

    def insert_at_start(self, block: Block, new: Operation) -> None:
        """Insert a node at the start of a block."""
        self._insert(new, InsertPoint.at_start(block), block)

    def set_operand(self, op: Operation, index: int, value: SSAValue) -> None:
        """Change one data operand; order that came through the old one is kept."""
        old = operands_of(op)[index]
        if old is value:
            return
        set_operand(op, index, value)
        block, before, after = op.parent, old.owner, value.owner
        if block is not None and (may_carry(before) or may_carry(after)):
            order = self.order(block)
            if order.carries(before) and not reads(op, before):
                add_control(op, [control_of(before)])
                order.mark(op)  # an index made just now has not seen the old value
            if order.carries(after):
                order.mark(op)
        self.notify_modified(op)

    def set_attr(self, op: GeOp, name: str, value: object) -> None:
        """Set a declared attribute from a Python value."""
        op.ge_set_attr(name, value)
        self.notify_modified(op)

    def set_attribute(self, op: Operation, name: str, value: Attribute | None) -> None:
        """Set or (None) remove a discardable attribute."""
        if value is None:
            op.attributes.pop(name, None)
        else:
            op.attributes[name] = value
        self.notify_modified(op)

    def set_result_type(self, value: SSAValue, type_: Attribute) -> None:
        """Change the type of a result or of a body argument in place; users are told."""
        if value.type == type_:
            return
        set_type(value, type_)
        if isinstance(value.owner, Operation):
            self.notify_modified(value.owner)
        for use in value.uses:
            self.notify_modified(use.operation)

    def add_control(self, op: Operation, sources: Iterable[Operation]) -> None:
        """Make `op` wait for other nodes of its block."""
        missing = not_read(op, sources)
        if missing:
            add_control(op, [control_of(s) for s in missing])
            self._mark(op, missing)
            self.notify_modified(op)

    def replace_control(self, use: Use, instead: Sequence[SSAValue]) -> None:
        """Let a node wait for other control values than that of this use."""
        op = use.operation
        replace_control(use, instead)
        self._mark(op, [v.owner for v in instead])
        self.notify_modified(op)

    def notify_modified(self, op: Operation) -> None:
        """Say that a node was changed in place."""
        self.changes += 1
        if self._listener is not None:
            self._listener.modified(op)

    def replace_uses(self, old: SSAValue, new: SSAValue, *, keep: Iterable[Operation] = ()) -> None:
        """Point the data users of a value, except `keep`, to another value."""
        skip = set(keep)
        for use in list(old.uses):
            if use.operation not in skip:
                self.set_operand(use.operation, use.index, new)

    # -------------------------------------------------------------------------------- parts

    def _mark(self, op: Operation, sources: Sequence[Operation | Block]) -> None:
        """Note that a node waits for others now."""
        if sources and op.parent is not None:
            order = self.order(op.parent)
            if any(order.carries(s) for s in sources):
                order.mark(op)

    def _insert(self, new: Operation, point: InsertPoint, block: Block | None) -> None:
        if block is not None:
            self.taken_names(block)  # before the new name is among them
        XdslRewriter.insert_op(new, point)
        if block is not None:
            self._ensure_name(new, block, new.name.split(".", 1)[-1])
            if block in self._order:
                self._order[block].add(new)
        self.changes += 1
        if self._listener is not None:
            self._listener.inserted(new)

    def _ensure_name(self, op: Operation, block: Block, base: str) -> None:
        taken = self.taken_names(block)
        name = node_name(op)
        if name is None:
            set_node_name(op, taken.fresh(base))
        elif name in taken:
            listed = origins(op)
            set_node_name(op, taken.fresh(name), () if listed == (name,) else listed)
        else:
            taken.add(name)
        self._hint(op)

    @staticmethod
    def _hint(op: Operation) -> None:
        name = node_name(op)
        if name is None or not op.results or name_hint(op.results[0]) is not None:
            return
        hint = hint_from_name(name)
        if hint is not None:
            for i, r in enumerate(op.results):
                if r is not control_result(op):
                    set_name_hint(r, hint if i == 0 else f"{hint}_{i}")

    def _adopt(
        self, op: Operation, ops: list[Operation], merged: Sequence[Operation], inherit: bool
    ) -> bool:
        """Names, origins and attributes of the new nodes; True where one has the name of `op`."""
        self.changes += 1
        block = op.parent
        assert block is not None
        old = node_name(op)
        if not ops:
            return False
        sources = [*origins(op), *(n for m in merged for n in origins(m))]
        attributes = merged_attributes([op, *merged]) if op.attributes or merged else {}
        if inherit and old is not None and len(ops) == 1 and node_name(ops[0]) is None:
            # the usual case needs no table of names
            set_node_name(ops[0], old, sources)
            hand_on(attributes, ops[0], takes_over=True)
            return True
        taken = self.taken_names(block)
        heirs = 0
        last = next((o for o in reversed(ops) if does_work(o)), ops[-1])
        heir = last if inherit else None
        if heir is not None and old is not None:
            taken.discard(old)
        for new in ops:
            given = node_name(new)
            if new is heir and old is not None:
                name = taken.fresh(given if given is not None else old)
            else:
                base = new.name.split(".", 1)[-1]
                name = taken.fresh(given or (f"{old}_{base}" if old is not None else base))
            listed = origins(new) if given is not None else ()
            heirs += name == old
            explicit = () if listed == (given,) else listed
            set_node_name(new, name, explicit or sources)
            hand_on(attributes, new, takes_over=new is last)
        return heirs > 0

    def _move_hints(
        self,
        results: Sequence[SSAValue],
        values: Sequence[SSAValue | None],
        ops: list[Operation],
    ) -> None:
        mine = set(ops)
        for r, v in zip(results, values, strict=True):
            if v is not None and v.owner in mine and name_hint(v) is None:
                set_name_hint(v, name_hint(r))
        for new in ops:
            self._hint(new)

    def _merge_identity(self, keep: Operation, gone: Operation) -> None:
        name = node_name(keep)
        if name is None:
            return
        extra = origins(gone)
        set_node_name(keep, name, (*origins(keep), *extra))
        if gone.attributes:  # what is dropped is the other node's; this one does not change
            keep.attributes.update(merged_attributes([keep, gone]))

    def _carry_order(
        self, op: Operation, ops: list[Operation], values: list[SSAValue | None], order: OrderIndex
    ) -> None:
        """Rules 2 to 5; data uses still point to `op`."""
        out = control_result(op)
        controls = list(control_inputs(op))
        if out is None and not controls and order.empty:
            return
        kept = {v.owner for n in ops for v in operands_of(n)}
        kept.update(v.owner for v in values if v is not None)
        lost: list[SSAValue] = []
        still: list[SSAValue] = []
        for owner in dict.fromkeys(v.owner for v in data_inputs(op)):
            if order.carries(owner):
                (still if owner in kept else lost).append(control_of(owner))
        sources = [*controls, *lost]
        control_users = first_uses(out) if out is not None else []
        work = [n for n in ops if does_work(n)]
        mine = set(work)
        for n in work if sources else ():
            if not any(v.owner in mine for v in operands_of(n)):
                add_control(n, sources)
        direct = direct_waits(op, mine, values, [*sources, *still], JOIN_LIMIT)
        for waits, users in direct:
            self._add_edges(op, users, waits, order)
        if work:
            tail = [
                control_of(n)
                for n in (work if control_users else ())
                if not any(u.operation in mine for r in n.results for u in r.uses)
            ]
        else:
            tail = [*sources, *still] if control_users else []
        if out is not None:
            self._redirect(op, control_users, tail, order)
        self._drop_unused([*still, *lost])

    def _redirect(
        self, op: Operation, uses: list[Use], tail: Sequence[SSAValue], order: OrderIndex
    ) -> None:
        users = [use.operation for use in uses]
        for use in uses:
            replace_control(use, ())
        self._add_edges(op, users, tail, order)
        if self._listener is not None:
            for u in users:
                self._listener.modified(u)

    def _add_edges(
        self, op: Operation, users: list[Operation], sources: Sequence[SSAValue], order: OrderIndex
    ) -> None:
        """Make each user wait for each source, through one NoOp where that is many edges."""
        if not users or not sources:
            return
        if len(users) * len(sources) > JOIN_LIMIT and len(sources) > 1:
            sources = [control_of(self._join(op, sources, order))]
        carried = not order.carries(op) and any(order.carries(s.owner) for s in sources)
        for u in users:
            add_control(u, sources)
            if carried:  # the node has no task: what waited for it did not carry order so far
                order.mark(u)

    def _join(self, op: Operation, sources: Sequence[SSAValue], order: OrderIndex) -> Operation:
        from ge_dialect.ir.build import build

        join = build("NoOp", [], control=sources)
        XdslRewriter.insert_op(join, InsertPoint.before(op))
        assert op.parent is not None
        self._ensure_name(join, op.parent, "NoOp")
        order.add(join)
        if self._listener is not None:
            self._listener.inserted(join)
        return join

    @staticmethod
    def _drop_unused(candidates: Sequence[SSAValue]) -> None:
        for c in candidates:
            if c.first_use is None and isinstance(c.owner, Operation):
                drop_control_result(c.owner)

    def _remove(self, op: Operation, *, name_lives_on: bool = False) -> None:
        block = op.parent
        self.changes += 1
        if self._listener is not None:
            self._listener.removed(op)
        sources = control_inputs(op)
        if block is not None:
            if block in self._order:
                self._order[block].discard(op)
            if block in self._names and not name_lives_on:
                name = node_name(op)
                if name is not None:
                    self._names[block].discard(name)
        drop_node(op)
        if sources:
            self._drop_unused(sources)
