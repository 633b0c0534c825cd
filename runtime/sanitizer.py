"""Race detection: accesses to the same bytes that no stream order or event puts in order.

Works on the model alone, with happens-before clocks, so a race is named even where the values
happen to survive. Tasks of one stream are ordered; what comes before a record is ordered before
what comes after its wait. Two accesses conflict when their bytes overlap and one is a write.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
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

#: For each task, as (stream, position), how many tasks of every stream are done when it begins.
Clocks = dict[tuple[int, int], tuple[int, ...]]


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


def clocks(model: ModelView) -> Clocks:
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
    done: Clocks = {}
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


def _races_of(accesses: Sequence[Access], before: Clocks) -> Iterator[Race]:
    """Races within one memory class, by a sweep over addresses."""
    ranked = sorted(accesses, key=lambda a: (a.start, a.stream, a.position, a.kind))
    active = _Active(before)
    seen: set[tuple[int, int, int, int]] = set()
    for rank, access in enumerate(ranked):
        active.drop_before(access.start)
        for at in active.unordered(access):
            other = ranked[at]
            first, second = sorted((other, access), key=lambda a: (a.stream, a.position))
            key = (first.stream, first.position, second.stream, second.position)
            if key not in seen:
                seen.add(key)
                yield Race(first, second, access.start, min(other.end, access.end))
        if access.end > access.start:
            active.add(rank, access)


class _Active:
    """The accesses that reach over the address that the sweep is at, each with its rank.

    They stand by stream and kind, in order of the stream. Of a stream, those that are surely done
    when some task begins are the first ones, and those that begin when it is surely done the last:
    what is between is looked up and not searched for.
    """

    def __init__(self, before: Clocks) -> None:
        self._before = before
        self._held: dict[tuple[int, str], list[tuple[int, int]]] = {}  # (position, rank)
        self._ends: list[tuple[int, int, Access]] = []  # a heap

    def add(self, rank: int, access: Access) -> None:
        """Add an access, which begins at the address that the sweep is at."""
        insort(self._held.setdefault((access.stream, access.kind), []), (access.position, rank))
        heappush(self._ends, (access.end, rank, access))

    def drop_before(self, address: int) -> None:
        """Drop those that end at an address or before it."""
        while self._ends and self._ends[0][0] <= address:
            _, rank, access = heappop(self._ends)
            held = self._held[access.stream, access.kind]
            del held[bisect_left(held, (access.position, rank))]

    def unordered(self, access: Access) -> list[int]:
        """Ranks of those that conflict with an access and have no order with it."""
        before = self._before
        found: list[tuple[int, int]] = []
        own, position = access.stream, access.position
        for (stream, kind), held in self._held.items():
            if stream == own or WRITE not in (kind, access.kind):
                continue
            first = bisect_left(held, (before[own, position][stream], -1))

            def done(item: tuple[int, int], stream: int = stream) -> int:
                return before[stream, item[0]][own]

            found += held[first : bisect_right(held, position, first, key=done)]
        return sorted(rank for _, rank in found)
