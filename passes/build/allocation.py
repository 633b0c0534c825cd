"""Offsets for buffers whose lives are known, over several streams.

A buffer is born when its task starts and dead once the tasks in `ends` are done. Two buffers may
share bytes only if one is *known* to be dead, at the start of the other's task, on the other's
stream: by stream order and events, not by luck. Nothing here knows about the IR.

Three steps, all linear in the number of buffers plus the number of conflicts: a walk that places
buffers where others were released and finds a lower bound; where that is not reached, a sweep that
finds which buffers conflict; and placements by conflicts, of which the smallest wins.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import NamedTuple

Clock = Mapping[int, int]

PAIR_LIMIT = 48
PAIR_FLOOR = 200_000
"""Conflicts, per buffer and in any case, up to which placements look at all of them."""

REPAIRS = 24
REPAIR_WORK = 20_000
"""Placements tried per strategy, and the work (buffers plus conflicts) at which they are halved."""


class Life(NamedTuple):
    """A buffer: bytes (aligned), index of the task that makes it, tasks done when it is dead."""

    size: int
    birth: int
    ends: Clock


class Task(NamedTuple):
    """A task in a legal order: its stream, position there, and what it knows of other streams."""

    stream: int
    position: int
    clock: Clock


@dataclass(frozen=True, slots=True)
class Placement:
    """Offsets in bytes per buffer, the bytes needed, a lower bound, and the strategy that won."""

    offsets: tuple[int, ...]
    peak: int
    lower_bound: int
    strategy: str


def allocate(tasks: Sequence[Task], lives: Sequence[Life]) -> Placement:
    """Places all buffers; `lives` must be sorted by birth."""
    if not lives:
        return Placement((), 0, 0, "none")
    best, total, bound = _first_released(tasks, lives)
    found = Placement(tuple(best), _peak(best, lives), bound, "first-released")
    if found.peak == bound or total > PAIR_LIMIT * len(lives) + PAIR_FLOOR:
        return found
    conflicts: list[list[int]] = [[] for _ in lives]
    sweep = Sweep(tasks, lives)
    for new, pending in sweep:
        mine = conflicts[new]
        for other in pending:
            mine.append(other)
            conflicts[other].append(new)
    bound = max(bound, *(_clique(c, conflicts, lives) for c in sweep.crowds()))
    found = Placement(found.offsets, found.peak, bound, found.strategy)
    ages = _ages(tasks, lives)
    orders = {
        "size": sorted(range(len(lives)), key=lambda i: (-lives[i].size, lives[i].birth, i)),
        "area": sorted(range(len(lives)), key=lambda i: (-lives[i].size * ages[i], i)),
        "birth": range(len(lives)),
    }
    for strategy, order in orders.items():
        if found.peak == bound:
            break
        tries = 1 + REPAIRS * REPAIR_WORK // (REPAIR_WORK + total + len(lives))
        offsets = _repaired(list(order), lives, conflicts, bound, tries)
        peak = _peak(offsets, lives)
        if peak < found.peak:
            found = Placement(tuple(offsets), peak, bound, strategy)
    return found


def _repaired(
    order: list[int],
    lives: Sequence[Life],
    conflicts: Sequence[Sequence[int]],
    bound: int,
    tries: int,
) -> list[int]:
    """First fit in that order, then again with the buffer on top of the heap placed first."""
    best: list[int] = []
    lowest = -1
    for _ in range(tries):
        offsets = _place(order, lives, conflicts)
        peak = _peak(offsets, lives)
        if lowest < 0 or peak < lowest:
            best, lowest = offsets, peak
        if peak == bound:
            break
        top = next(i for i in order if offsets[i] + lives[i].size == peak)
        if order[0] == top:
            break
        order.remove(top)
        order.insert(0, top)
    return best


class Sweep:
    """Walks the buffers in order of birth and says with which earlier ones each conflicts.

    Every stream keeps the buffers it does not know to be dead. What a stream learns only grows, so
    each (buffer, stream) enters and leaves once.
    """

    def __init__(self, tasks: Sequence[Task], lives: Sequence[Life]) -> None:
        self.tasks = tasks
        self.lives = lives
        self._peaks: dict[int, tuple[int, int]] = {}

    def crowds(self) -> list[list[int]]:
        """After the walk: per stream, the largest set of its buffers alive together."""
        wanted = {index: stream for stream, (_, index) in self._peaks.items()}
        out: list[list[int]] = []
        for i, pending in Sweep(self.tasks, self.lives):
            if i in wanted:
                stream = wanted[i]
                mine = [j for j in pending if self.tasks[self.lives[j].birth].stream == stream]
                out.append([*mine, i])
        return out

    def __iter__(self) -> Iterator[tuple[int, Collection[int]]]:
        streams = sorted({t.stream for t in self.tasks})
        views = {s: _View(s) for s in streams}
        born: dict[int, list[int]] = {}
        for i, life in enumerate(self.lives):
            born.setdefault(life.birth, []).append(i)
        for index, task in enumerate(self.tasks):
            view = views[task.stream]
            view.advance(task, self.lives)
            for i in born.get(index, ()):
                yield i, view.pending
                for other in views.values():
                    other.add(i, self.lives[i], other is view)
                if view.own_bytes > self._peaks.get(task.stream, (0, 0))[0]:
                    self._peaks[task.stream] = (view.own_bytes, i)


class _View:
    """What one stream knows: finished tasks per stream, and the buffers that may still live."""

    def __init__(self, stream: int) -> None:
        self.stream = stream
        self.known: dict[int, int] = {}
        self.pending: dict[int, None] = {}
        self.missing: dict[int, int] = {}
        self.queues: dict[int, list[tuple[int, int]]] = {}
        self.own: set[int] = set()
        self.own_bytes = 0

    def advance(self, task: Task, lives: Sequence[Life]) -> list[int]:
        """Take in what is known when `task` starts; returns the buffers now known to be dead."""
        dead: list[int] = []
        self._learn(self.stream, task.position, dead)
        for stream, count in task.clock.items():
            self._learn(stream, count, dead)
        for i in dead:
            del self.pending[i]
            if i in self.own:
                self.own.discard(i)
                self.own_bytes -= lives[i].size
        return dead

    def _learn(self, stream: int, count: int, dead: list[int]) -> None:
        if self.known.get(stream, 0) >= count:
            return
        self.known[stream] = count
        queue = self.queues.get(stream)
        while queue and queue[0][0] <= count:
            _, i = heappop(queue)
            self.missing[i] -= 1
            if not self.missing[i]:
                del self.missing[i]
                dead.append(i)

    def add(self, i: int, life: Life, own: bool) -> bool:
        """Take in a new buffer; False if it is already known to be dead."""
        missing = 0
        for stream, count in life.ends.items():
            if self.known.get(stream, 0) < count:
                heappush(self.queues.setdefault(stream, []), (count, i))
                missing += 1
        if not missing:
            return False
        self.missing[i] = missing
        self.pending[i] = None
        if own:
            self.own.add(i)
            self.own_bytes += life.size
        return True


def _peak(offsets: Sequence[int], lives: Sequence[Life]) -> int:
    return max(o + life.size for o, life in zip(offsets, lives, strict=True))


def _ages(tasks: Sequence[Task], lives: Sequence[Life]) -> list[int]:
    """Length of each life in tasks of the given order."""
    index = {(t.stream, t.position): i for i, t in enumerate(tasks)}
    return [max(index[(s, n - 1)] for s, n in a.ends.items()) - a.birth + 1 for a in lives]


def _clique(crowd: list[int], conflicts: Sequence[Sequence[int]], lives: Sequence[Life]) -> int:
    """Bytes of a set of pairwise conflicting buffers: the crowd, extended by the largest others."""
    candidates = set(conflicts[crowd[0]])
    for i in crowd[1:]:
        candidates &= set(conflicts[i])
    total = sum(lives[i].size for i in crowd)
    for i in sorted(candidates, key=lambda i: (-lives[i].size, i)):
        if i in candidates:
            total += lives[i].size
            candidates.intersection_update(conflicts[i])
    return total


def _place(
    order: Iterable[int], lives: Sequence[Life], conflicts: Sequence[Sequence[int]]
) -> list[int]:
    """First fit: every buffer at the lowest offset free of the placed ones it conflicts with."""
    offsets = [-1] * len(lives)
    for i in order:
        size = lives[i].size
        taken = sorted(
            (offsets[j], offsets[j] + lives[j].size) for j in conflicts[i] if offsets[j] >= 0
        )
        at = 0
        for start, end in taken:
            if start - at >= size:
                break
            if end > at:
                at = end
        offsets[i] = at
    return offsets


def _first_released(tasks: Sequence[Task], lives: Sequence[Life]) -> tuple[list[int], int, int]:
    """One walk in task order with a list of free ranges, best fit.

    A range is free once every stream that has tasks left knows its buffer to be dead, so that it
    may go to any of them. Returns the offsets, how many pairs of buffers conflict, and a lower
    bound of bytes: buffers made on one stream that this stream does not know to be dead conflict
    pairwise, so the largest sum of them bounds every placement.
    """
    pairs = bound = 0
    last = {t.stream: i for i, t in enumerate(tasks)}
    views = {s: _View(s) for s in sorted(last)}
    holders = [0] * len(lives)
    offsets = [0] * len(lives)
    free = _FreeList()
    born: dict[int, list[int]] = {}
    for i, life in enumerate(lives):
        born.setdefault(life.birth, []).append(i)

    def release(dead: Iterable[int]) -> None:
        for i in dead:
            holders[i] -= 1
            if not holders[i]:
                free.give(offsets[i], lives[i].size)

    for index, task in enumerate(tasks):
        view = views[task.stream]
        release(view.advance(task, lives))
        for i in born.get(index, ()):
            pairs += len(view.pending)
            offsets[i] = free.take(lives[i].size)
            holders[i] = sum(v.add(i, lives[i], v is view) for v in views.values())
            bound = max(bound, view.own_bytes)
        if last[task.stream] == index:  # nothing of this stream will ask again
            del views[task.stream]
            release(list(view.pending))
    return offsets, pairs, bound


class _FreeList:
    """Free ranges below the top, neighbours merged; found by address and by size."""

    def __init__(self) -> None:
        self.end_of: dict[int, int] = {}
        self.start_of: dict[int, int] = {}
        self.sizes: list[tuple[int, int]] = []  # (size, start), sorted
        self.top = 0

    def take(self, size: int) -> int:
        """The tightest range that fits (the lowest of equal ones), else the top."""
        k = bisect_left(self.sizes, (size, 0))
        if k < len(self.sizes):
            length, start = self.sizes.pop(k)
            end = start + length
            del self.end_of[start], self.start_of[end]
            if length > size:
                self._add(start + size, end)
            return start
        start = self.start_of.get(self.top)
        if start is None:
            start = self.top
        else:
            self._remove(start, self.top)
        self.top = start + size
        return start

    def give(self, start: int, size: int) -> None:
        """Return a range."""
        end = start + size
        if (after := self.end_of.get(end)) is not None:
            self._remove(end, after)
            end = after
        if (before := self.start_of.get(start)) is not None:
            self._remove(before, start)
            start = before
        self._add(start, end)

    def _add(self, start: int, end: int) -> None:
        self.end_of[start] = end
        self.start_of[end] = start
        insort(self.sizes, (end - start, start))

    def _remove(self, start: int, end: int) -> None:
        del self.end_of[start], self.start_of[end]
        del self.sizes[bisect_left(self.sizes, (end - start, start))]
