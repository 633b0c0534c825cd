"""Order of effects: which resources nodes touch, and whether conflicting touches are ordered.

Two nodes conflict when both touch one resource and at least one of them writes it. They are
ordered when a path of data and control edges leads from one to the other. It is enough to look at
neighbours: a read needs a path from the last write before it, a write needs one from every read
since the last write (or from that write), and the rest follows by transitivity.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from ge_dialect.ir.attributes import CtrlType, RefType
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.effects import EffectKind
from ge_dialect.ir.private import operands_of

Resource = tuple[str, object]
#: A ref that cannot be traced: it may be any.
ALL: Resource = ("all", None)
#: Nodes at the edge of a graph: nothing happens in them.
BOUNDARY = frozenset({"ge.NetOutput", "ge.Data", "ge.RefData", "ge.Variable"})
_DEPTH = 10_000


class Access(NamedTuple):
    """A node touches a resource; `label` names the resource for people."""

    resource: Resource
    writes: bool


class Conflict(NamedTuple):
    """Two nodes touch a resource and nothing orders them; `first` stands first in the block."""

    first: Operation
    second: Operation
    resource: Resource


class Resources:
    """Traces refs to the Variable or RefData argument they come from; memoised."""

    def __init__(self) -> None:
        self._memo: dict[int, Resource] = {}
        self._keep: list[SSAValue] = []
        self._effects: dict[int, tuple[Access, ...]] = {}

    def of(self, value: SSAValue) -> Resource:
        """Resource behind a value of type `!ge.ref`; `ALL` where it cannot be traced."""
        path: list[SSAValue] = []
        current: SSAValue | Resource = value
        while not isinstance(current, tuple):
            found = self._memo.get(id(current))
            if found is not None:
                current = found
                break
            path.append(current)
            if len(path) > _DEPTH:
                current = ALL
                break
            # a ref that comes back to itself is a loop's; it must not be taken for settled
            self._memo[id(current)] = ALL
            current = self._step(current)
        for step in path:
            self._memo[id(step)] = current
            self._keep.append(step)
        return current

    def _step(self, value: SSAValue) -> SSAValue | Resource:
        """One step towards the source of a ref."""
        if isinstance(value, BlockArgument):
            return self._argument(value)
        assert isinstance(value, OpResult)
        op = value.op
        if op.name == "ge.Variable":
            return ("variable", op)
        if op.regions:
            return self._through_bodies(op, value.index)
        operands = operands_of(op)
        if isinstance(op, GeOp):
            table = type(op).ge_table()
            if value.index < len(table.outputs) and not table.sized_results:
                name = table.outputs[value.index].name
                for slot, arg in zip(table.inputs, op.ge_args(), strict=False):
                    if slot.name == name and isinstance(arg, SSAValue):
                        return arg
        refs = [v for v in operands if isinstance(v.type, RefType)]
        return refs[0] if len(refs) == 1 else ALL

    def _argument(self, value: BlockArgument) -> SSAValue | Resource:
        block = value.block
        parent = block.parent_op()
        if not isinstance(parent, GeOp):
            return ("argument", value)
        # the last arguments of a body are the last data inputs of its node
        data = [v for v in operands_of(parent) if not isinstance(v.type, CtrlType)]
        index = len(data) - len(block.args) + value.index
        if not 0 <= index < len(data) or not isinstance(data[index].type, RefType):
            return ALL
        if parent.name in ("ge.While", "ge.For") and not self._carried(parent, value.index):
            return ALL
        return data[index]

    def _carried(self, loop: Operation, index: int) -> bool:
        """Whether each turn of a loop hands the argument on in its own place."""
        body = loop.regions[-1].first_block
        last = body.last_op if body is not None else None
        if body is None or last is None or last.name != "ge.NetOutput":
            return False
        outputs = [v for v in operands_of(last) if not isinstance(v.type, CtrlType)]
        shift = len(body.args) - len(outputs)
        if not 0 <= index - shift < len(outputs):
            return False
        return self._is_argument(outputs[index - shift], body, index)

    def _is_argument(self, value: SSAValue, body: Block, index: int) -> bool:
        for _ in range(_DEPTH):
            if isinstance(value, BlockArgument):
                return value.block is body and value.index == index
            step = self._step(value)
            if isinstance(step, tuple):
                return False
            value = step
        return False

    def _through_bodies(self, op: Operation, index: int) -> SSAValue | Resource:
        found: set[Resource] = set()
        for region in op.regions:
            block = region.first_block
            last = block.last_op if block is not None else None
            if last is None or last.name != "ge.NetOutput":
                return ALL
            outputs = [v for v in operands_of(last) if not isinstance(v.type, CtrlType)]
            if op.name == "ge.While" and region is op.regions[0]:
                continue
            if index >= len(outputs):
                return ALL
            found.add(self.of(outputs[index]))
        return found.pop() if len(found) == 1 else ALL

    # -------------------------------------------------------------------------- effects

    def accesses(self, op: Operation) -> tuple[Access, ...]:
        """What a node touches; for a node with bodies, what the nodes in them touch outside."""
        if op.name in BOUNDARY or not isinstance(op, GeOp):
            return ()
        if not op.regions:
            return tuple(dict.fromkeys(self._own(op)))
        found = self._effects.get(id(op))
        if found is None:
            inner: dict[Access, None] = {}
            for region in op.regions:
                for block in region.blocks:
                    for child in block.ops:
                        for access in self.accesses(child):
                            if _visible_outside(access, op):
                                inner[access] = None
            found = self._effects[id(op)] = tuple(inner)
        return found

    def _own(self, op: GeOp) -> Iterable[Access]:
        effects = type(op).EFFECTS
        kind = effects.kind
        if kind is EffectKind.STATE:
            for name in effects.reads:
                for value in op.ge_inputs(name):
                    yield Access(self.of(value), False)
            for name in effects.writes:
                for value in op.ge_inputs(name):
                    yield Access(self.of(value), True)
        elif kind is EffectKind.IO:
            yield Access(("channel", effects.channel), True)
        elif kind is EffectKind.UNKNOWN:
            for value in operands_of(op):
                if isinstance(value.type, RefType):
                    yield Access(self.of(value), True)


def _visible_outside(access: Access, op: Operation) -> bool:
    """False for the state of a Variable that stands inside the node's own bodies."""
    owner = access.resource[1]
    if access.resource[0] != "variable" or not isinstance(owner, Operation):
        return True
    parent: Operation | None = owner
    while parent is not None:
        if parent is op:
            return False
        parent = parent.parent_op()
    return True


def conflicts(block: Block, touching: list[Operation], resources: Resources) -> list[Conflict]:
    """Unordered conflicts among `touching`, nodes of `block` in block order."""
    by_resource: dict[Resource, list[tuple[Operation, bool]]] = {}
    everything: list[tuple[Operation, bool]] = []
    for op in touching:
        modes: dict[Resource, bool] = {}
        for access in resources.accesses(op):
            modes[access.resource] = modes.get(access.resource, False) or access.writes
        for resource, writes in modes.items():
            if resource == ALL:
                everything.append((op, writes))
            by_resource.setdefault(resource, []).append((op, writes))
    if everything:
        order = {op: i for i, op in enumerate(touching)}
        for resource, entries in by_resource.items():
            if resource != ALL and resource[0] != "channel":
                have = {op for op, _ in entries}
                entries += [e for e in everything if e[0] not in have]
                entries.sort(key=lambda e: order[e[0]])
    pairs: list[Conflict] = []
    for resource, entries in by_resource.items():
        pairs += _neighbours(resource, entries)
    if not pairs:
        return []
    reach = _Reach(block, [op for pair in pairs for op in pair[:2]])
    seen: set[tuple[Operation, Operation]] = set()
    out: list[Conflict] = []
    for pair in pairs:
        if (pair.first, pair.second) in seen or reach(pair.first, pair.second):
            continue
        seen.add((pair.first, pair.second))
        out.append(pair)
    return out


def _neighbours(resource: Resource, entries: list[tuple[Operation, bool]]) -> list[Conflict]:
    """Pairs whose order implies the order of all conflicting pairs of one resource."""
    pairs: list[Conflict] = []
    write: Operation | None = None
    reads: list[Operation] = []
    for op, writes in entries:
        if writes:
            if reads:
                pairs += [Conflict(r, op, resource) for r in reads]
            elif write is not None:
                pairs.append(Conflict(write, op, resource))
            write = op
            reads = []
        else:
            if write is not None:
                pairs.append(Conflict(write, op, resource))
            reads.append(op)
    return pairs


class _Reach:
    """Whether a path leads from one node of a block to another, for a few nodes of interest.

    One forward sweep carries, per node, the set of interesting nodes that lead to it as bits of an
    integer; nodes that none leads to cost nothing.
    """

    def __init__(self, block: Block, interesting: Iterable[Operation]) -> None:
        self._bit: dict[int, int] = {}
        for op in interesting:
            self._bit.setdefault(id(op), 1 << len(self._bit))
        bits: dict[int, int] = {}
        self._before = bits
        own = self._bit
        for op in block.ops:
            got = 0
            for value in operands_of(op):
                if isinstance(value, OpResult):
                    source = id(value.op)
                    got |= bits.get(source, 0) | own.get(source, 0)
            if got:
                bits[id(op)] = got

    def __call__(self, first: Operation, second: Operation) -> bool:
        return bool(self._before.get(id(second), 0) & self._bit[id(first)])
