"""Deterministic discrete-event execution of streams on engine pools.

Time is integer nanoseconds. A stream is an in-order queue: its next task may begin when the
previous one is done. A kernel needs units (cores) of its engine's pool and waits for them first
come first served; kernels of different streams overlap as far as pools allow. Equal times are
resolved by (ends, then event signals, then arrivals) and stream number, never by hash order.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from ge_dialect.diagnostics import Diagnostic, GeError

KERNEL, COPY, RECORD, WAIT = "kernel", "copy", "record", "wait"

_END, _SIGNAL, _ARRIVE = 0, 1, 2


class Job(NamedTuple):
    """One task as the scheduler sees it.

    `pool` and `units` say what it occupies for `duration` ns (kernels and copies); `event` is the
    event it signals or waits for.
    """

    kind: str
    name: str
    duration: int = 0
    pool: str = ""
    units: int = 1
    event: int = -1


class Span(NamedTuple):
    """When a task ran: it reached the head of its queue at `queued`, began at `start`.

    A wait begins at once and ends when its event is seen.
    """

    stream: int
    position: int
    queued: int
    start: int
    end: int


class Observer(Protocol):
    """Told of every kernel and copy as simulated time passes; carries out their values."""

    def started(self, stream: int, position: int, time: int) -> None:
        """The task begins: it reads its inputs now."""

    def ended(self, stream: int, position: int, time: int) -> None:
        """The task is done: its outputs are visible from now on."""


class Schedule:
    """Nominal order: durations as estimated, engines first come first served."""

    def duration(self, stream: int, position: int, duration: int) -> int:
        """How long a task takes, in ns."""
        return duration

    def offset(self, stream: int) -> int:
        """When a stream starts, in ns."""
        return 0

    def priority(self, stream: int, position: int) -> int:
        """Of tasks that wait for one engine, smaller goes first."""
        return 0


class AdversarialSchedule(Schedule):
    """Another legal order: durations, stream starts and priorities drawn from a seed.

    Whatever the machine may do between the synchronisations of the model is legal, so tasks take
    from 1/32 to 32 times their estimate.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def duration(self, stream: int, position: int, duration: int) -> int:
        draw = _mix(self.seed, 1, stream, position)
        return max(1, duration << draw % 6 if draw & 64 else duration >> draw % 6)

    def offset(self, stream: int) -> int:
        return _mix(self.seed, 2, stream, 0) % 500_000

    def priority(self, stream: int, position: int) -> int:
        return _mix(self.seed, 3, stream, position) % 4


def parse_schedule(text: str | None) -> Schedule:
    """The schedule named by a tool's option: "nominal" or "adversarial:SEED"."""
    if text is None or text == "nominal":
        return Schedule()
    kind, _, seed = text.partition(":")
    if kind == "adversarial" and seed.isascii() and seed.isdigit():
        return AdversarialSchedule(int(seed))
    raise GeError(
        Diagnostic(
            "GX-610",
            "unknown schedule",
            found=repr(text),
            expected="'nominal' or 'adversarial:SEED'",
            hint="SEED is a whole number: adversarial:0" if kind == "adversarial" else None,
        ),
        exit_code=2,
    )


def _mix(*parts: int) -> int:
    """A 64-bit hash of small integers, the same on every machine (splitmix64 steps)."""
    state = 0
    for part in parts:
        state = (state + part + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        state = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        state = ((state ^ state >> 27) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
        state ^= state >> 31
    return state


def _by_time(span: Span) -> tuple[int, int, int, int]:
    return span.start, span.end, span.stream, span.position


@dataclass(frozen=True, slots=True)
class Overheads:
    """Fixed times in ns: between tasks of a stream, to record an event, until it is seen."""

    gap: int = 0
    record: int = 0
    signal: int = 0


@dataclass(slots=True)
class _Pool:
    free: int
    capacity: int
    queue: list[tuple[int, int, int]] = field(default_factory=list)


class Scheduler:
    """One run of a set of streams. Raises `GeError` GX-606 when streams wait for each other."""

    def __init__(
        self,
        streams: Sequence[Sequence[Job]],
        pools: Mapping[str, int],
        overheads: Overheads | None = None,
        schedule: Schedule | None = None,
        observer: Observer | None = None,
    ) -> None:
        self.streams = streams
        self.overheads = overheads or Overheads()
        self.schedule = schedule or Schedule()
        self.observer = observer
        self.spans: list[Span] = []
        self._pools = {name: _Pool(n, n) for name, n in sorted(pools.items())}
        self._heads = [0] * len(streams)
        self._queued = [0] * len(streams)
        self._signalled: set[int] = set()
        self._blocked: dict[int, int] = {}
        self._events: list[tuple[int, int, int, int]] = []

    def run(self, start: int = 0) -> list[Span]:
        """Run all streams from time `start`; the spans in order of their start."""
        for s, jobs in enumerate(self.streams):
            if jobs:
                self._push(start + self.schedule.offset(s), _ARRIVE, s, 0)
        events = self._events
        while events:
            time = events[0][0]
            while events and events[0][0] == time:
                _, phase, which, detail = heapq.heappop(events)
                if phase == _END:
                    self._end(which, detail, time)
                elif phase == _SIGNAL:
                    self._signal(which, time)
                else:
                    self._arrive(which, time)
            self._dispatch(time)
        self._check_finished()
        self.spans.sort(key=_by_time)
        return self.spans

    def _push(self, time: int, phase: int, which: int, detail: int) -> None:
        heapq.heappush(self._events, (time, phase, which, detail))

    def _arrive(self, stream: int, time: int) -> None:
        position = self._heads[stream]
        job = self.streams[stream][position]
        self._queued[stream] = time
        if job.kind == RECORD:
            done = time + self.overheads.record
            self._push(done + self.overheads.signal, _SIGNAL, job.event, 0)
            self._finish(stream, time, done)
        elif job.kind == WAIT:
            if job.event in self._signalled:
                self._signalled.discard(job.event)
                self._finish(stream, time, time)
            else:
                self._blocked[job.event] = stream
        else:
            pool = self._pools.setdefault(job.pool, _Pool(1, 1))
            rank = self.schedule.priority(stream, position)
            heapq.heappush(pool.queue, (rank, time, stream))

    def _signal(self, event: int, time: int) -> None:
        stream = self._blocked.pop(event, None)
        if stream is None:
            self._signalled.add(event)
        else:
            self._finish(stream, self._queued[stream], time)

    def _finish(self, stream: int, start: int, end: int) -> None:
        """Close the task at the head of a stream and let the next one come."""
        position = self._heads[stream]
        self.spans.append(Span(stream, position, self._queued[stream], start, end))
        self._heads[stream] = position + 1
        if position + 1 < len(self.streams[stream]):
            self._push(end + self.overheads.gap, _ARRIVE, stream, 0)

    def _dispatch(self, time: int) -> None:
        for pool in self._pools.values():
            while pool.queue:
                stream = pool.queue[0][2]
                position = self._heads[stream]
                job = self.streams[stream][position]
                units = min(max(job.units, 1), pool.capacity)
                if units > pool.free:
                    break
                heapq.heappop(pool.queue)
                pool.free -= units
                if self.observer is not None:
                    self.observer.started(stream, position, time)
                end = time + max(self.schedule.duration(stream, position, job.duration), 1)
                self.spans.append(Span(stream, position, self._queued[stream], time, end))
                self._push(end, _END, stream, units)

    def _end(self, stream: int, units: int, time: int) -> None:
        position = self._heads[stream]
        job = self.streams[stream][position]
        self._pools[job.pool].free += units
        if self.observer is not None:
            self.observer.ended(stream, position, time)
        self._heads[stream] = position + 1
        if position + 1 < len(self.streams[stream]):
            self._push(time + self.overheads.gap, _ARRIVE, stream, 0)

    def _check_finished(self) -> None:
        stuck = [s for s, jobs in enumerate(self.streams) if self._heads[s] < len(jobs)]
        if not stuck:
            return
        recorders = {
            job.event: (s, i)
            for s, jobs in enumerate(self.streams)
            for i, job in enumerate(jobs)
            if job.kind == RECORD
        }
        problems = []
        for s in stuck:
            job = self.streams[s][self._heads[s]]
            where = recorders.get(job.event)
            if where is None:
                cause = "no task records it"
            else:
                cause = f"it is recorded by task {where[1]} of stream {where[0]}"
                cause += ", which was not reached" if where[0] in stuck else ", and used up already"
            problems.append(
                Diagnostic(
                    "GX-606",
                    f"deadlock: stream {s} waits for event {job.event} for ever",
                    node=self._next_kernel(s),
                    found=f"task {self._heads[s]} of {len(self.streams[s])} is the wait; {cause}",
                    hint="each rt.event_wait needs one rt.event_record that can run before it",
                )
            )
        raise GeError(problems)

    def _next_kernel(self, stream: int) -> str | None:
        for job in self.streams[stream][self._heads[stream] :]:
            if job.kind in (KERNEL, COPY):
                return job.name
        return None
