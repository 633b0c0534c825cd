"""A compiled model does what its planning passes say: everything ordered, nothing wasted.

Judged from the `rt.model` alone and from the nodes it was compiled from, by other means than the
passes use: clocks over the written streams and events, lives from who reads which bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ge_dialect.ir.attributes import CtrlType, RefType
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.names import STABLE_ID, node_name
from ge_dialect.layouts import storage_bytes
from ge_dialect.rt.view import (
    Buffer,
    KernelView,
    MemcpyView,
    ModelView,
    RecordView,
    WaitView,
    read_model,
)
from ge_dialect.target.engines import RTS
from passes.testing.properties.base import Property, Trial

if TYPE_CHECKING:
    from xdsl.ir import Operation

#: Places are multiples of this many bytes.
_BLOCK = 512
#: Placements of more buffers than this are not compared.
_MOST = 400
At = tuple[int, int]


@dataclass(frozen=True)
class _Use:
    """A task's use of memory, in bytes of one class."""

    at: At
    buffer: Buffer
    writes: bool

    @property
    def end(self) -> int:
        """Behind the last byte, rounded up to a block."""
        return self.buffer.offset + _aligned(self.buffer.type)


def _aligned(type_: Any) -> int:
    return max(1, -(-storage_bytes(type_) // _BLOCK)) * _BLOCK


class _Plan:
    """A compiled model with its order: when a task begins, so many of each stream are done."""

    def __init__(self, model: ModelView) -> None:
        self.model = model
        self.known = _clocks(model, None)
        self.tasks: dict[At, KernelView | MemcpyView] = {
            (s, i): task
            for s, stream in enumerate(model.streams)
            for i, task in enumerate(stream.tasks)
            if isinstance(task, KernelView | MemcpyView)
        }
        self.place = {task.node: at for at, task in self.tasks.items()}

    def before(self, a: At, b: At) -> bool:
        """Whether a is surely done when b begins."""
        return self.known[b][a[0]] > a[1]

    def uses(self) -> Iterator[_Use]:
        """All uses of memory by tasks."""
        for at, task in self.tasks.items():
            if isinstance(task, MemcpyView):
                yield _Use(at, task.source, False)
                yield _Use(at, task.target, True)
                continue
            read = list(task.reads())
            for buffer in read:
                yield _Use(at, buffer, False)
            for buffer in (*task.outputs, *([task.workspace] if task.workspace else [])):
                yield _Use(at, buffer, True)


def _clocks(model: ModelView, left_out: int | None) -> dict[At, list[int]]:
    """What every task knows to be done, with one event left out."""
    streams = [s.tasks for s in model.streams]
    known = [[0] * len(streams) for _ in streams]
    heads, signals = [0] * len(streams), dict[int, list[int]]()
    out: dict[At, list[int]] = {}
    moved = True
    while moved:
        moved = False
        for s, tasks in enumerate(streams):
            while heads[s] < len(tasks):
                task = tasks[heads[s]]
                if isinstance(task, WaitView) and task.event != left_out:
                    if task.event not in signals:
                        break
                    known[s] = list(map(max, known[s], signals[task.event]))
                out[s, heads[s]] = list(known[s])
                heads[s] += 1
                known[s][s] = heads[s]
                if isinstance(task, RecordView):
                    signals[task.event] = list(known[s])
                moved = True
    for s, tasks in enumerate(streams):  # behind a wait that never passes
        for i in range(heads[s], len(tasks)):
            out[s, i] = list(known[s])
    return out


# --- what each part must be --------------------------------------------------------------------


def _engines(p: _Plan) -> str | None:
    for (s, _), task in p.tasks.items():
        if not isinstance(task, KernelView):
            continue
        if task.engine == RTS:
            return f"'{task.node}' of engine {RTS} is a kernel, and copies have tasks of their own"
        if p.model.streams[s].engine != task.engine:
            engine = p.model.streams[s].engine
            return f"'{task.node}' of {task.engine} runs on a stream of {engine}"
    return None


def _named(p: _Plan) -> Iterator[tuple[str, str, Buffer]]:
    """(kind, label, buffer) of everything that has a place but intermediate values."""
    for binding in p.model.inputs:
        yield "input", binding.node, binding.buffer
    for binding in p.model.outputs:
        yield "output", binding.node, binding.buffer
    for entry in p.model.weights:
        yield "weight", "a weight", entry.buffer
    for entry in p.model.variables:
        yield "variable", entry.node or "a variable", entry.buffer


#: Where each kind may lie.
_SPACES = {
    "input": ("input", "variable"),
    "output": ("input", "output", "weight", "variable"),
    "weight": ("weight",),
    "variable": ("variable",),
}


def _places(p: _Plan) -> str | None:
    """Memory classes, whole and without holes; what is handed over is handed over once."""
    for kind, label, buffer in _named(p):
        if buffer.space not in _SPACES[kind]:
            return f"{kind} '{label}' lies in {buffer.space}[{buffer.offset}]"
    for use in p.uses():
        if isinstance(use.buffer.type, RefType):
            return f"'{p.tasks[use.at].node}' sees a reference, not the tensor behind it"
    held: set[tuple[Any, Any]] = set()
    for entry in p.model.weights:
        if (entry.value, entry.buffer.type) in held:
            return "two weights have the same value and type"
        held.add((entry.value, entry.buffer.type))
    direct: set[tuple[str, int]] = set()
    for binding in p.model.outputs:
        place = (binding.buffer.space, binding.buffer.offset)
        own = binding.buffer.space == "output" and place not in direct
        if binding.zero_copy != own:
            said = "not written" if own else "written"
            return f"output '{binding.node}' is {said} straight away"
        direct.add(place)
    for binding in p.model.inputs:
        if binding.zero_copy != (binding.buffer.space == "input"):
            return f"input '{binding.node}': zero_copy is wrong"
    return _holes(p)


def _holes(p: _Plan) -> str | None:
    for space in ("input", "output", "weight", "variable"):
        found = {b.offset: _aligned(b.type) for _, _, b in _named(p) if b.space == space}
        for use in p.uses():
            if use.buffer.space == space:
                size = use.end - use.buffer.offset
                found[use.buffer.offset] = max(found.get(use.buffer.offset, 0), size)
        at = 0
        for offset, size in sorted(found.items()):
            if offset != at:
                return f"{space}[{at}] to {space}[{offset}] belongs to nothing, or to two things"
            at = offset + size
        if at != p.model.sizes.get(space, 0):
            return f"{p.model.sizes.get(space, 0)} bytes of {space}, of which {at} are used"
    starts = [e.buffer.offset for e in p.model.weights]
    if len(starts) != len(set(starts)):
        return "a weight stands twice"
    return None


def _events(p: _Plan) -> str | None:
    """Every event orders what nothing else does."""
    waits = {
        task.event: (s, i)
        for s, stream in enumerate(p.model.streams)
        for i, task in enumerate(stream.tasks)
        if isinstance(task, WaitView)
    }
    for s, stream in enumerate(p.model.streams):
        for i, task in enumerate(stream.tasks):
            if not isinstance(task, RecordView) or task.event not in waits:
                continue
            t, j = waits[task.event]
            following = (t, j + 1)
            known = _clocks(p.model, task.event)
            if following in known and known[following][s] >= i:
                return f"event {task.event} orders what is in order without it"
    return None


# --- memory of intermediate values -------------------------------------------------------------


@dataclass
class _Life:
    """A value in the arena: who makes it, who reads it."""

    born: At
    offset: int
    size: int
    ends: list[At]


def _lives(p: _Plan) -> list[_Life]:
    """Lives from the uses: a read belongs to the latest writer of these bytes before it."""
    uses = [u for u in p.uses() if u.buffer.space == "arena"]
    made: list[_Life] = []
    for use in uses:
        if use.writes and not _in_place(p, use):
            made.append(_Life(use.at, use.buffer.offset, use.end - use.buffer.offset, [use.at]))
    for use in uses:
        if use.writes and not _in_place(p, use):
            continue
        owners = [a for a in made if a.offset == use.buffer.offset and p.before(a.born, use.at)]
        for owner in owners:
            if not any(p.before(owner.born, o.born) for o in owners if o is not owner):
                owner.ends.append(use.at)
    return made


def _in_place(p: _Plan, use: _Use) -> bool:
    """Whether a task writes what it also reads: no new value, a change of an old one."""
    task = p.tasks[use.at]
    if isinstance(task, MemcpyView):
        return False
    return any(b.space == use.buffer.space and b.offset == use.buffer.offset for b in task.reads())


def _arena(p: _Plan) -> str | None:
    """The arena is at most what first fit by size needs, and its bound is one."""
    total, bound = p.model.sizes.get("arena", 0), p.model.arena_lower_bound
    if bound > total:
        return f"the arena has {total} bytes, and {bound} is said to be the least"
    lives = _lives(p)
    if not lives or len(lives) > _MOST:
        return None
    top = max(a.offset + a.size for a in lives)
    if top != total:
        return f"the arena has {total} bytes, of which {top} are used"
    simple = _first_fit(p, lives)
    if total > simple:
        return f"the arena has {total} bytes, and first fit by size needs {simple}"
    return None


def _first_fit(p: _Plan, lives: Sequence[_Life]) -> int:
    placed: list[tuple[int, _Life]] = []
    order = sorted(range(len(lives)), key=lambda i: (-lives[i].size, i))
    for i in order:
        life, at = lives[i], 0
        rivals = sorted((a, other.size) for a, other in placed if not _apart(p, life, other))
        for start, size in rivals:
            if start - at >= life.size:
                break
            at = max(at, start + size)
        placed.append((at, life))
    return max(at + life.size for at, life in placed)


def _apart(p: _Plan, a: _Life, b: _Life) -> bool:
    """Whether one value is surely dead when the other is made."""
    if a.born == b.born:
        return False
    return any(all(p.before(e, y.born) for e in x.ends) for x, y in ((a, b), (b, a)))


# --- against the nodes -------------------------------------------------------------------------


def _nodes(t: Trial, p: _Plan) -> dict[str, GeOp] | None:
    """The nodes by name, where the tasks are theirs: the graph was planned, not rewritten."""
    if len(t.before.graphs) != 1:
        return None
    if any(item.cls.stage != "build" for item in t.subject.pipeline.passes()):
        return None
    found = {
        name: op
        for op in t.before.graphs[0].body.ops
        if isinstance(op, GeOp) and (name := node_name(op)) is not None
    }
    for task in p.tasks.values():
        op = found.get(task.node)
        if op is None or (isinstance(task, KernelView) and op.ge_type != task.op_type):
            return None
    return found


def _state(t: Trial, p: _Plan) -> str | None:
    """Inputs that the graph may change lie with its state."""
    given = t.before.graphs[0].args if len(t.before.graphs) == 1 else ()
    for arg, binding in zip(given, p.model.inputs, strict=False):
        wanted = "variable" if isinstance(arg.type, RefType) else "input"
        if binding.buffer.space != wanted:
            return f"input '{binding.node}' lies in {binding.buffer.space}, not in {wanted}"
    return None


def _attributes(p: _Plan, nodes: dict[str, GeOp]) -> str | None:
    for task in p.tasks.values():
        if isinstance(task, KernelView):
            wanted = {k for k, v in nodes[task.node].ge_attrs().items() if v is not None}
            found = set(task.attrs) - {STABLE_ID}
            if wanted != found:
                odd = ", ".join(sorted(wanted ^ found))
                return f"'{task.node}' and its kernel do not have the same attributes: {odd}"
    return None


def _sources(op: Operation, p: _Plan, nodes: dict[str, GeOp], seen: set[int]) -> Iterator[At]:
    """Tasks that a node waits for, through nodes without one."""
    for operand in op.operands:
        owner = operand.owner
        if not isinstance(owner, GeOp) or id(owner) in seen:
            continue
        seen.add(id(owner))
        at = p.place.get(node_name(owner) or "")
        if at is not None:
            yield at
        else:
            yield from _sources(owner, p, nodes, seen)


def _edges(p: _Plan, nodes: dict[str, GeOp]) -> str | None:
    for name, at in p.place.items():
        for source in _sources(nodes[name], p, nodes, set()):
            if not p.before(source, at):
                return f"'{name}' may run before '{p.tasks[source].node}', which it waits for"
    return None


def _copies(p: _Plan, nodes: dict[str, GeOp]) -> str | None:
    """A copy runs with a node that reads it, else with one that it reads."""
    for name, at in p.place.items():
        if not isinstance(p.tasks[at], MemcpyView):
            continue
        op = nodes[name]
        near = [
            [use.operation for r in op.results for use in r.uses],
            [v.owner for v in op.operands if not isinstance(v.type, CtrlType)],
        ]
        for others in near:
            streams = [
                p.place[n][0]
                for o in others
                if isinstance(o, GeOp)
                and (n := node_name(o)) in p.place
                and isinstance(p.tasks[p.place[n]], KernelView)
            ]
            if streams:
                if at[0] not in streams:
                    return f"copy '{name}' runs on the stream of neither side"
                break
    return None


def _plan(t: Trial) -> str | None:
    module = t.after.model.module
    if t.is_graph or sum(op.name == "rt.model" for op in module.body.block.ops) != 1:
        return None
    p = _Plan(read_model(module, check=False))
    full = all(
        item.options.get("reduction", "full") == "full" for item in t.subject.pipeline.passes()
    )
    reuse = all(item.options.get("reuse", True) for item in t.subject.pipeline.passes())
    checks = [_engines, _places, *([_events] if full else []), *([_arena] if reuse else [])]
    for check in checks:
        found = check(p)
        if found is not None:
            return found
    found = _state(t, p)
    nodes = _nodes(t, p)
    if found is not None or nodes is None:
        return found
    for look in (_attributes, _edges, _copies):
        found = look(p, nodes)
        if found is not None:
            return found
    return None


PLAN = Property(
    "plan",
    "of a compiled model: every edge is ordered, no event and no byte is for nothing",
    _plan,
)
