"""Tasks of a graph: which nodes run, on which stream, and what each must wait for.

A position is the place of a task in its stream, counted from 0. A clock maps streams to the number
of tasks known to be finished there. Nodes without a task (constants, reshapes, NoOps …) hand on the
waits of what they read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from ge_dialect.ir.base import get_int, get_str
from ge_dialect.ir.private import nodes_of, operands_of
from ge_dialect.target.engines import GE_LOCAL, LOCAL_OPS

if TYPE_CHECKING:
    from xdsl.ir import Block, Operation

Clock = dict[int, int]
RECORD = "ge.record"
WAIT = "ge.wait"


def engine_of_task(op: Operation) -> str | None:
    """The engine of a node that runs on the device ("" where it has none yet), None for others."""
    engine = get_str(op, "ge.engine")
    if engine is None:
        return None if op.name[3:] in LOCAL_OPS else ""
    return None if engine == GE_LOCAL else engine


def has_task(op: Operation) -> bool:
    """Whether a node runs on the device (by its engine; without one, by its kind)."""
    return engine_of_task(op) is not None


@dataclass
class Schedule:
    """Tasks per stream, and for every task what its node waits for directly.

    Tasks are numbered in graph order. tasks: their nodes. streams: task numbers per stream, in
    order. stream, position: of each task. needs: clock a task must have seen, own stream left out;
    tasks that wait for no other stream are not in it. maker: task number by id of a result (asking
    a value for its node costs more than the sum of what is done with it). handed: waits that nodes
    without a task hand on, by id of a result. marked: tasks whose nodes carry events.

    On one stream nothing waits for another: makers and waits are noted from the second one on.
    """

    tasks: list[Operation] = field(default_factory=list)
    streams: dict[int, list[int]] = field(default_factory=dict)
    stream: list[int] = field(default_factory=list)
    position: list[int] = field(default_factory=list)
    needs: dict[int, Clock] = field(default_factory=dict)
    maker: dict[int, int] = field(default_factory=dict)
    handed: dict[int, Clock] = field(default_factory=dict)
    marked: list[int] = field(default_factory=list)

    def add(self, op: Operation) -> int | None:
        """Take in the next node of a block in its order; the number of its task, if it has one."""
        if not has_task(op):
            if len(self.streams) > 1:
                self._hand_on(op)
            return None
        stream = get_int(op, "ge.stream")
        assert stream is not None
        task = len(self.tasks)
        queue = self.streams.get(stream)
        if queue is None:
            queue = self.streams[stream] = []
            if len(self.streams) == 2:
                self._note_before(op)
        self.tasks.append(op)
        self.stream.append(stream)
        self.position.append(len(queue))
        queue.append(task)
        if len(self.streams) > 1:
            if clock := _arriving(op, stream, self):
                self.needs[task] = clock
            self._note_maker(op, task)
        if RECORD in op.attributes or WAIT in op.attributes:
            self.marked.append(task)
        return task

    def _note_before(self, end: Operation) -> None:
        """Note the makers, and what is handed on, of the nodes before `end`, all of one stream."""
        block = end.parent
        assert block is not None
        task = 0
        for op in nodes_of(block):
            if op is end:
                return
            if has_task(op):
                self._note_maker(op, task)
                task += 1
            else:
                self._hand_on(op)

    def _note_maker(self, op: Operation, task: int) -> None:
        maker = self.maker
        for result in op.results:
            maker[id(result)] = task

    def _hand_on(self, op: Operation) -> None:
        if clock := _arriving(op, None, self):
            for result in op.results:
                self.handed[id(result)] = clock


def schedule(block: Block) -> Schedule:
    """The tasks of a graph whose nodes have streams.

    Who has more to do with every node calls `Schedule.add` in a loop of its own: behind a sort the
    neighbours of a node lie anywhere in memory, and coming back to it costs more than what is done
    with it.
    """
    plan = Schedule()
    for op in nodes_of(block):
        plan.add(op)
    return plan


def _arriving(op: Operation, stream: int | None, plan: Schedule) -> Clock | None:
    """What a node waits for through its operands, but for tasks of its own stream."""
    clock: Clock | None = None
    maker, streams, handed = plan.maker, plan.stream, plan.handed
    for value in operands_of(op):
        task = maker.get(id(value))
        if task is not None:
            other = streams[task]
            if other != stream:
                clock = {} if clock is None else clock
                _raise(clock, other, plan.position[task] + 1)
        elif handed and (known := handed.get(id(value))):
            clock = {} if clock is None else clock
            for other, count in known.items():
                if other != stream:
                    _raise(clock, other, count)
    return clock


def _raise(clock: Clock, stream: int, count: int) -> None:
    """At least `count` tasks of a stream are done."""
    if clock.get(stream, 0) < count:
        clock[stream] = count


class Event(NamedTuple):
    """An ordering between two streams: task `waiter` starts after task `recorder` is done."""

    recorder: int
    waiter: int


def clocks(plan: Schedule, events: Iterable[Event]) -> list[Clock]:
    """For every task, what it knows to be finished on other streams when it starts.

    Of its own stream it knows all tasks before it. One sweep in graph order.
    """
    arriving: dict[int, list[int]] = {}
    for event in events:
        arriving.setdefault(event.waiter, []).append(event.recorder)
    current: dict[int, Clock] = {stream: {} for stream in plan.streams}
    at_start: list[Clock] = []
    for task, stream in enumerate(plan.stream):
        clock = current[stream]
        recorders = arriving.get(task)
        if recorders:
            clock = dict(clock)  # earlier tasks keep what they knew
            for recorder in recorders:
                learn(clock, plan, recorder, at_start[recorder])
            clock.pop(stream, None)
            current[stream] = clock
        at_start.append(clock)
    return at_start


def learn(clock: Clock, plan: Schedule, recorder: int, known: Clock) -> None:
    """Add to `clock` what follows from `recorder` (which knew `known` at its start) being done."""
    for stream, count in known.items():
        _raise(clock, stream, count)
    _raise(clock, plan.stream[recorder], plan.position[recorder] + 1)
