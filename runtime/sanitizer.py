"""Race detection: accesses to the same bytes that no stream order or event puts in order.

Works on the model alone, with happens-before clocks, so a race is named even where the values
happen to survive. Tasks of one stream are ordered; what comes before a record is ordered before
what comes after its wait. Two accesses conflict when their bytes overlap and one is a write.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ge_dialect.diagnostics import Diagnostic
from ge_dialect.layouts import storage_bytes
from ge_dialect.rt.view import (
    Buffer,
    KernelView,
    MemcpyView,
    ModelView,
    RecordView,
    Task,
    WaitView,
)

READ, WRITE = "reads", "writes"


@dataclass(frozen=True, slots=True)
class Access:
    """One task's use of bytes `start` to `end` of a memory class."""

    stream: int
    position: int
    node: str
    kind: str
    space: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Race:
    """Two conflicting accesses without order; `start` and `end` are the bytes they share."""

    first: Access
    second: Access
    start: int
    end: int

    def diagnostic(self) -> Diagnostic:
        """The race as an error, GX-616."""
        a, b = self.first, self.second
        return Diagnostic(
            "GX-616",
            f"race: '{a.node}' {a.kind} and '{b.node}' {b.kind} the same memory in no fixed order",
            node=b.node,
            found=(
                f"{a.space}[{self.start}] to [{self.end}]; "
                f"task {a.position} of stream {a.stream}, task {b.position} of stream {b.stream}"
            ),
            hint="an event between the two tasks is missing, or their memory must not overlap",
        )


def clocks(model: ModelView) -> dict[tuple[int, int], tuple[int, ...]]:
    """For each task, how many tasks of every stream are surely done when it begins.

    Keys are (index of the stream in the model, position). A wait whose record cannot be reached
    adds no order; the scheduler reports that as a deadlock.
    """
    streams = [s.tasks for s in model.streams]
    count = len(streams)
    now = [[0] * count for _ in streams]
    heads = [0] * count
    signals: dict[int, list[int]] = {}
    recorded = {t.event for tasks in streams for t in tasks if isinstance(t, RecordView)}
    done: dict[tuple[int, int], tuple[int, ...]] = {}
    progress = True
    while progress:
        progress = False
        for s, tasks in enumerate(streams):
            while heads[s] < len(tasks):
                task = tasks[heads[s]]
                if isinstance(task, WaitView) and task.event in recorded:
                    signal = signals.get(task.event)
                    if signal is None:
                        break
                    now[s] = [max(a, b) for a, b in zip(now[s], signal, strict=True)]
                done[s, heads[s]] = tuple(now[s])
                heads[s] += 1
                now[s][s] = heads[s]
                if isinstance(task, RecordView):
                    signals[task.event] = list(now[s])
                progress = True
    for s, tasks in enumerate(streams):  # behind a wait that never passes
        for position in range(heads[s], len(tasks)):
            done[s, position] = tuple(now[s])
    return done


def find_races(model: ModelView, limit: int = 20) -> list[Race]:
    """The first races of a model, in order of memory class and address."""
    if len(model.streams) < 2:
        return []
    before = clocks(model)
    by_space: dict[str, list[Access]] = {}
    for access in _accesses(model):
        by_space.setdefault(access.space, []).append(access)
    races: list[Race] = []
    for space in sorted(by_space):
        for race in _races_of(by_space[space], before):
            races.append(race)
            if len(races) == limit:
                return races
    return races


def _accesses(model: ModelView) -> Iterator[Access]:
    sizes: dict[Any, int] = {}

    def ranged(s: int, i: int, node: str, kind: str, buffer: Buffer) -> Access:
        size = sizes.get(buffer.type)
        if size is None:
            size = sizes[buffer.type] = storage_bytes(buffer.type)
        return Access(s, i, node, kind, buffer.space, buffer.offset, buffer.offset + size)

    for s, stream in enumerate(model.streams):
        for i, task in enumerate(stream.tasks):
            for kind, buffer in _uses(task):
                yield ranged(s, i, task.node, kind, buffer)  # type: ignore[union-attr]


def _uses(task: Task) -> Iterator[tuple[str, Buffer]]:
    if isinstance(task, KernelView):
        for buffer in task.reads():
            yield READ, buffer
        for buffer in task.outputs:
            yield WRITE, buffer
        if task.workspace is not None:
            yield WRITE, task.workspace
    elif isinstance(task, MemcpyView):
        yield READ, task.source
        yield WRITE, task.target


def _races_of(
    accesses: Sequence[Access], before: dict[tuple[int, int], tuple[int, ...]]
) -> Iterator[Race]:
    """Races within one memory class, by a sweep over addresses."""
    active: list[Access] = []
    seen: set[tuple[int, int, int, int]] = set()
    ranked = sorted(accesses, key=lambda a: (a.start, a.stream, a.position, a.kind))
    for access in ranked:
        active = [a for a in active if a.end > access.start]
        for other in active:
            if other.stream == access.stream or WRITE not in (other.kind, access.kind):
                continue
            if _ordered(other, access, before) or _ordered(access, other, before):
                continue
            first, second = sorted((other, access), key=lambda a: (a.stream, a.position))
            key = (first.stream, first.position, second.stream, second.position)
            if key not in seen:
                seen.add(key)
                yield Race(first, second, access.start, min(other.end, access.end))
        if access.end > access.start:
            active.append(access)


def _ordered(a: Access, b: Access, before: dict[tuple[int, int], tuple[int, ...]]) -> bool:
    """Whether task `a` is surely done when task `b` begins."""
    return before[b.stream, b.position][a.stream] > a.position
