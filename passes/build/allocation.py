"""Offsets for buffers whose lives are known, over several streams.

A buffer is born when its task starts and dead once all that its ends count is done. Two buffers may
share bytes only if one is *known* to be dead, at the start of the other's task, on the other's
stream: by stream order and events, not by luck. Nothing here knows about the IR.

Three steps, all linear in the number of buffers plus the number of conflicts: a walk that places
buffers where others were released and finds a lower bound; where that is not reached, a sweep that
finds which buffers conflict; and placements by conflicts, of which the smallest wins.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import add
from typing import NamedTuple

Clock = Mapping[int, int]

PAIR_LIMIT = 48
PAIR_FLOOR = 200_000
"""Conflicts, per buffer and in any case, up to which placements look at all of them."""

REPAIRS = 24
REPAIR_WORK = 20_000
"""Placements tried per strategy, and the work (buffers plus conflicts) at which they are halved."""


class Tasks(NamedTuple):
    """Tasks in a legal order, by column.

    streams: of each task. positions: of each in its stream, from 0. clocks: what each knows of
    other streams, as tasks done there.
    """

    streams: Sequence[int]
    positions: Sequence[int]
    clocks: Sequence[Clock]


@dataclass(slots=True)
class Lives:
    """Buffers in order of birth, by column: an object for each costs more than to place it.

    sizes: bytes (aligned). births: index of the task that makes each. ends: how many tasks of that
    task's stream are done when it is dead. elsewhere: the same on other streams, for the buffers
    that those read.
    """

    sizes: list[int] = field(default_factory=list)
    births: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    elsewhere: dict[int, dict[int, int]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.sizes)

    def add(self, size: int, birth: int, end: int) -> int:
        """Append a buffer; returns its number."""
        self.sizes.append(size)
        self.births.append(birth)
        self.ends.append(end)
        return len(self.ends) - 1

    def without(self, unwanted: Collection[int]) -> Lives:
        """The other buffers; they move up."""
        kept = [i for i in range(len(self)) if i not in unwanted]
        elsewhere = self.elsewhere
        return Lives(
            [self.sizes[i] for i in kept],
            [self.births[i] for i in kept],
            [self.ends[i] for i in kept],
            {new: elsewhere[old] for new, old in enumerate(kept) if old in elsewhere},
        )


@dataclass(frozen=True, slots=True)
class Placement:
    """Offsets in bytes per buffer, the bytes needed, a lower bound, and the strategy that won."""

    offsets: tuple[int, ...]
    peak: int
    lower_bound: int
    strategy: str


def allocate(tasks: Tasks, lives: Lives) -> Placement:
    """Places all buffers."""
    if not len(lives):
        return Placement((), 0, 0, "none")
    best, total, bound = _first_released(tasks, lives)
    sizes = lives.sizes
    found = Placement(tuple(best), _peak(best, sizes), bound, "first-released")
    if found.peak == bound or total > PAIR_LIMIT * len(lives) + PAIR_FLOOR:
        return found
    conflicts: list[list[int]] = []
    sweep = Sweep(tasks, lives)
    for new, pending in sweep:
        conflicts.append(list(pending))
        for other in pending:
            conflicts[other].append(new)
    bound = max(bound, *(_clique(c, conflicts, sizes) for c in sweep.crowds(conflicts)))
    found = Placement(found.offsets, found.peak, bound, found.strategy)
    ages = _ages(tasks, lives)
    orders = {
        "size": sorted(range(len(lives)), key=lambda i: (-sizes[i], i)),
        "area": sorted(range(len(lives)), key=lambda i: (-sizes[i] * ages[i], i)),
        "birth": range(len(lives)),
    }
    for strategy, order in orders.items():
        if found.peak == bound:
            break
        tries = 1 + REPAIRS * REPAIR_WORK // (REPAIR_WORK + total + len(lives))
        offsets = _repaired(list(order), sizes, conflicts, bound, tries)
        peak = _peak(offsets, sizes)
        if peak < found.peak:
            found = Placement(tuple(offsets), peak, bound, strategy)
    return found


def _repaired(
    order: list[int],
    sizes: Sequence[int],
    conflicts: Sequence[Sequence[int]],
    bound: int,
    tries: int,
) -> list[int]:
    """First fit in that order, then again with the buffer on top of the heap placed first."""
    best: list[int] = []
    lowest = -1
    for _ in range(tries):
        offsets = _place(order, sizes, conflicts)
        peak = _peak(offsets, sizes)
        if lowest < 0 or peak < lowest:
            best, lowest = offsets, peak
        if peak == bound:
            break
        top = next(i for i in order if offsets[i] + sizes[i] == peak)
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

    def __init__(self, tasks: Tasks, lives: Lives) -> None:
        self.tasks = tasks
        self.lives = lives
        self._peaks: dict[int, tuple[int, int]] = {}

    def crowds(self, conflicts: Sequence[Sequence[int]]) -> list[list[int]]:
        """After the walk: per stream, the largest set of its buffers alive together."""
        streams, births = self.tasks.streams, self.lives.births
        return [
            [*(j for j in conflicts[i] if j < i and streams[births[j]] == stream), i]
            for stream, (_, i) in sorted(self._peaks.items(), key=lambda peak: peak[1][1])
        ]

    def __iter__(self) -> Iterator[tuple[int, Collection[int]]]:
        births, count, i = self.lives.births, len(self.lives), 0
        views = _views(self.tasks, self.lives)
        for task, stream in enumerate(self.tasks.streams):
            view = views[stream]
            view.advance(task)
            while i < count and births[i] == task:
                yield i, view.pending
                for other in views.values():
                    other.add(i, own=other is view)
                if view.own_bytes > self._peaks.get(stream, (0, 0))[0]:
                    self._peaks[stream] = (view.own_bytes, i)
                i += 1


class _Ends(NamedTuple):
    """Which buffers end with a task, as chains of numbers.

    first: per stream and position, the newest end there, or -1. following: the next older one at
    the same task. Ends are numbered like the buffers; those on other streams than the buffer's own
    come behind, with their buffers in `strangers`.
    """

    first: dict[int, list[int]]
    following: list[int]
    strangers: list[int]


def _ends(tasks: Tasks, lives: Lives) -> _Ends:
    streams = tasks.streams
    first = {s: [-1] * n for s, n in sorted(Counter(streams).items())}
    found = _Ends(first, [], [])
    following = found.following
    for birth, end in zip(lives.births, lives.ends, strict=True):
        newest = first[streams[birth]]
        following.append(newest[end - 1])
        newest[end - 1] = len(following) - 1
    for i, clock in lives.elsewhere.items():
        for stream, end in clock.items():
            following.append(first[stream][end - 1])
            first[stream][end - 1] = len(following) - 1
            found.strangers.append(i)
    return found


def _views(tasks: Tasks, lives: Lives) -> dict[int, _View]:
    """A view for each stream that has tasks."""
    ends = _ends(tasks, lives)
    return {stream: _View(stream, tasks, lives, ends) for stream in ends.first}


class _View:
    """What one stream knows: finished tasks per stream, and the buffers that may still live.

    pending: these buffers, with whether a task of this stream made them.
    """

    def __init__(self, stream: int, tasks: Tasks, lives: Lives, ends: _Ends) -> None:
        self.stream = stream
        self.tasks = tasks
        self.lives = lives
        self.ends = ends
        self.known: dict[int, int] = dict.fromkeys(ends.first, 0)
        self.pending: dict[int, bool] = {}
        self.missing: dict[int, int] = {}  # ends not known yet, of buffers that have several
        self.own_bytes = 0

    def advance(self, task: int) -> list[int]:
        """Take in what is known when `task` starts; returns the buffers now known to be dead."""
        dead = self._learn(self.stream, self.tasks.positions[task])
        for stream, count in self.tasks.clocks[task].items():
            dead += self._learn(stream, count)
        for i in dead:
            if self.pending.pop(i):
                self.own_bytes -= self.lives.sizes[i]
        return dead

    def _learn(self, stream: int, count: int) -> list[int]:
        dead: list[int] = []
        known = self.known[stream]
        if known >= count:
            return dead
        self.known[stream] = count
        _, following, strangers = self.ends
        own, missing = len(self.lives), self.missing
        for end in self.ends.first[stream][known:count]:
            while end >= 0:
                i = end if end < own else strangers[end - own]
                end = following[end]
                left = missing.get(i, 1) - 1
                if left:
                    missing[i] = left
                else:
                    missing.pop(i, None)
                    dead.append(i)
        return dead

    def add(self, i: int, *, own: bool) -> None:
        """Take in a new buffer."""
        others = self.lives.elsewhere.get(i)
        if others:
            self.missing[i] = 1 + len(others)
        self.pending[i] = own
        if own:
            self.own_bytes += self.lives.sizes[i]


def _peak(offsets: Sequence[int], sizes: Sequence[int]) -> int:
    return max(map(add, offsets, sizes))


def _ages(tasks: Tasks, lives: Lives) -> list[int]:
    """Length of each life in tasks of the given order."""
    order: dict[int, list[int]] = {}
    for index, stream in enumerate(tasks.streams):
        order.setdefault(stream, []).append(index)
    ages: list[int] = []
    for i, (birth, end) in enumerate(zip(lives.births, lives.ends, strict=True)):
        last = order[tasks.streams[birth]][end - 1]
        for stream, count in lives.elsewhere.get(i, {}).items():
            last = max(last, order[stream][count - 1])
        ages.append(last - birth + 1)
    return ages


def _clique(crowd: list[int], conflicts: Sequence[Sequence[int]], sizes: Sequence[int]) -> int:
    """Bytes of a set of pairwise conflicting buffers: the crowd, extended by the largest others."""
    candidates = set(conflicts[crowd[0]])
    for i in crowd[1:]:
        candidates &= set(conflicts[i])
    total = sum(sizes[i] for i in crowd)
    for i in sorted(candidates, key=lambda i: (-sizes[i], i)):
        if i in candidates:
            total += sizes[i]
            candidates.intersection_update(conflicts[i])
    return total


def _place(
    order: Iterable[int], sizes: Sequence[int], conflicts: Sequence[Sequence[int]]
) -> list[int]:
    """First fit: every buffer at the lowest offset free of the placed ones it conflicts with."""
    offsets = [-1] * len(sizes)
    for i in order:
        size = sizes[i]
        taken = sorted((offsets[j], offsets[j] + sizes[j]) for j in conflicts[i] if offsets[j] >= 0)
        at = 0
        for start, end in taken:
            if start - at >= size:
                break
            if end > at:
                at = end
        offsets[i] = at
    return offsets


def _first_released(tasks: Tasks, lives: Lives) -> tuple[list[int], int, int]:
    """One walk in task order with a list of free ranges, best fit.

    A range is free once every stream that has tasks left knows its buffer to be dead, so that it
    may go to any of them. Returns the offsets, how many pairs of buffers conflict, and a lower
    bound of bytes: buffers made on one stream that this stream does not know to be dead conflict
    pairwise, so the largest sum of them bounds every placement.
    """
    sizes, births, count = lives.sizes, lives.births, len(lives)
    pairs = bound = i = 0
    views = _views(tasks, lives)
    last = {stream: index for index, stream in enumerate(tasks.streams)}
    holders = [0] * count
    offsets: list[int] = []
    free = _FreeList()

    def release(dead: Iterable[int]) -> None:
        for i in dead:
            holders[i] -= 1
            if not holders[i]:
                free.give(offsets[i], sizes[i])

    for task, stream in enumerate(tasks.streams):
        view = views[stream]
        release(view.advance(task))
        while i < count and births[i] == task:
            pairs += len(view.pending)
            offsets.append(free.take(sizes[i]))
            holders[i] = len(views)
            for other in views.values():
                other.add(i, own=other is view)
            bound = max(bound, view.own_bytes)
            i += 1
        if last[stream] == task:  # nothing of this stream will ask again
            del views[stream]
            release(view.pending)
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
