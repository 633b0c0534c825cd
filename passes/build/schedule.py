"""Tasks of a graph: which nodes run, on which stream, and what each must wait for.

A position is the place of a task in its stream, counted from 0. A clock maps streams to the number
of tasks known to be finished there. Nodes without a task (constants, reshapes, NoOps …) hand on the
waits of what they read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ge_dialect.ir.base import get_int, get_str
from ge_dialect.ir.private import operands_of
from ge_dialect.target.engines import GE_LOCAL

if TYPE_CHECKING:
    from xdsl.ir import Block, Operation

Clock = dict[int, int]


def has_task(op: Operation) -> bool:
    """Whether a node runs on the device (by its engine)."""
    return get_str(op, "ge.engine") != GE_LOCAL


@dataclass
class Schedule:
    """Tasks per stream, and for every task what its node waits for directly.

    tasks: nodes in graph order. streams: nodes per stream, in order. place: (stream, position) of
    a task. needs: clock each task must have seen, own stream left out.
    """

    tasks: list[Operation] = field(default_factory=list)
    streams: dict[int, list[Operation]] = field(default_factory=dict)
    place: dict[Operation, tuple[int, int]] = field(default_factory=dict)
    needs: dict[Operation, Clock] = field(default_factory=dict)


def schedule(block: Block) -> Schedule:
    """The tasks of a graph whose nodes have streams; one forward sweep."""
    out = Schedule()
    waits: dict[int, Clock] = {}  # by id of the node, which is cheap to hash
    for op in block.ops:
        clock: Clock = {}
        for value in operands_of(op):
            known = waits.get(id(value.owner))
            if known:
                for stream, count in known.items():
                    if clock.get(stream, 0) < count:
                        clock[stream] = count
        if not has_task(op):
            if clock:
                waits[id(op)] = clock
            continue
        stream = get_int(op, "ge.stream")
        assert stream is not None
        queue = out.streams.setdefault(stream, [])
        out.place[op] = (stream, len(queue))
        queue.append(op)
        clock.pop(stream, None)
        out.tasks.append(op)
        out.needs[op] = clock
        waits[id(op)] = {stream: len(queue)}
    return out


@dataclass(frozen=True, slots=True)
class Event:
    """An ordering between two streams: `waiter` starts after `recorder` is done."""

    recorder: Operation
    waiter: Operation


def clocks(plan: Schedule, events: list[Event]) -> dict[Operation, Clock]:
    """For every task, what it knows to be finished on other streams when it starts.

    Of its own stream it knows all tasks before it. One sweep in graph order.
    """
    arriving: dict[Operation, list[Operation]] = {}
    for event in events:
        arriving.setdefault(event.waiter, []).append(event.recorder)
    current: dict[int, Clock] = {stream: {} for stream in plan.streams}
    at_start: dict[Operation, Clock] = {}
    for op in plan.tasks:
        stream, _ = plan.place[op]
        clock = current[stream]
        recorders = arriving.get(op)
        if recorders:
            clock = dict(clock)  # earlier tasks keep what they knew
            for recorder in recorders:
                learn(clock, plan, recorder, at_start[recorder])
            clock.pop(stream, None)
            current[stream] = clock
        at_start[op] = clock
    return at_start


def learn(clock: Clock, plan: Schedule, recorder: Operation, known: Clock) -> None:
    """Add to `clock` what follows from `recorder` (which knew `known` at its start) being done."""
    for stream, count in known.items():
        if clock.get(stream, 0) < count:
            clock[stream] = count
    stream, index = plan.place[recorder]
    if clock.get(stream, 0) <= index:
        clock[stream] = index + 1
