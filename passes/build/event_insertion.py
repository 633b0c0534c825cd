"""Events where an edge of the graph crosses streams."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

from xdsl.dialects.builtin import ArrayAttr, UnitAttr

from ge_dialect.ir.graph import module_graphs
from ge_dialect.ir.kinds import int_to_attr
from ge_dialect.ir.names import node_name
from passes.base import Contract, Pass, PassResult
from passes.build.schedule import RECORD, WAIT, Clock, Event, Schedule, learn, schedule

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerAttr, ModuleOp
    from xdsl.ir import Operation

    from passes.context import PassContext

MARK = "ge.events_inserted"


@dataclass(frozen=True)
class EventInsertion(Pass):
    """Order tasks of different streams by events, as few as needed.

    Every data or control edge between tasks of two streams, also through nodes without a task, is
    ordered: ``ge.record`` lists the events a node records behind itself, ``ge.wait`` those it
    waits for. An ordering that follows from stream order and from other events gets no event of
    its own, whatever streams it leads through: the result is the transitive reduction. With
    ``reduction = "ge"`` GE's two rules are used instead (the latest recorder per stream, the first
    waiter per stream), for comparison.

    Before::

        ge.graph @g(%x: tensor<8xf16>) {
          %a = ge.Relu(%x) {ge.engine = "AIcoreEngine", ge.stream = 0} : tensor<8xf16>
          %b = ge.Exp(%a) {ge.engine = "DNN_VM_AICPU", ge.stream = 1} : tensor<8xf16>
          ge.NetOutput(%b) {ge.engine = "DNN_VM_GE_LOCAL"}
        }

    After::

        ge.graph @g(%x: tensor<8xf16>) attributes {ge.events_inserted} {
          %a = ge.Relu(%x) {ge.engine = "AIcoreEngine", ge.stream = 0, ge.record = [0]} : tensor<8xf16>
          %b = ge.Exp(%a) {ge.engine = "DNN_VM_AICPU", ge.stream = 1, ge.wait = [0]} : tensor<8xf16>
          ge.NetOutput(%b) {ge.engine = "DNN_VM_GE_LOCAL"}
        }
    """  # noqa: E501

    name: ClassVar[str] = "event-insertion"
    stage: ClassVar[str] = "build"
    waives: ClassVar[Mapping[str, str]] = {
        "locality": "events are numbered over the whole graph",
        "textual-order": "tasks run in the order in the text",
    }
    contract: ClassVar[Contract] = Contract(requires=("streams-assigned",))

    reduction: str = "full"

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        if self.reduction not in ("full", "ge"):
            ctx.sink.error(
                "GX-404", "unknown reduction", found=self.reduction, expected="full or ge"
            )
            return PassResult(False)
        total = crossings = 0
        changed = False
        for graph in module_graphs(module):
            plan = schedule(graph.body)
            crossings += sum(len(needs) for needs in plan.needs.values())
            events = plan_events(plan) if self.reduction == "full" else plan_events_ge(plan)
            total += len(events)
            if ctx.remarks_enabled:
                _explain(plan, events, ctx)
            changed |= write_events(plan, events)
            if MARK not in graph.attributes:
                graph.attributes[MARK] = UnitAttr()
                changed = True
            if len(events) > ctx.soc.queue.events:
                ctx.sink.error(
                    "GX-512",
                    "too many events",
                    found=str(len(events)),
                    expected=f"at most {ctx.soc.queue.events}",
                )
        return PassResult(changed, {"events": total, "crossings": crossings})


def _explain(plan: Schedule, events: list[Event], ctx: PassContext) -> None:
    """Remark: which node of another stream a node waits for."""
    for number, event in enumerate(events):
        recorder = node_name(plan.tasks[event.recorder])
        ctx.remark(
            f"waits for event {number}, recorded behind '{recorder}'",
            op=plan.tasks[event.waiter],
            category="analysis",
            involved=(recorder,),
        )


def plan_events(plan: Schedule) -> list[Event]:
    """The transitive reduction of all orderings across streams; one sweep in graph order.

    A task needs an event from stream t only if its stream does not know yet that the needed task
    of t is done, and none of the task's other events tells it.
    """
    if not plan.needs:
        return []
    current: dict[int, Clock] = {stream: {} for stream in plan.streams}
    at_start: list[Clock] = []
    events: list[Event] = []
    for task, stream in enumerate(plan.stream):
        clock = current[stream]
        needs = plan.needs.get(task)
        if needs:
            missing = [s for s, count in needs.items() if clock.get(s, 0) < count]
            if missing:
                wanted = {s: plan.streams[s][needs[s] - 1] for s in sorted(missing)}
                kept = [
                    recorder
                    for s, recorder in wanted.items()
                    if not any(
                        at_start[other].get(s, 0) >= needs[s]
                        for other in wanted.values()
                        if other != recorder
                    )
                ]
                clock = dict(clock)
                for recorder in kept:
                    events.append(Event(recorder, task))
                    learn(clock, plan, recorder, at_start[recorder])
                clock.pop(stream, None)
                current[stream] = clock
        at_start.append(clock)
    return events


def plan_events_ge(plan: Schedule) -> list[Event]:
    """GE's rules: latest recorder per stream and waiter, first waiter per recorder and stream."""
    first: set[tuple[int, int]] = set()
    events: list[Event] = []
    for task, needs in plan.needs.items():
        stream = plan.stream[task]
        for source, count in sorted(needs.items()):
            recorder = plan.streams[source][count - 1]
            if (recorder, stream) not in first:
                first.add((recorder, stream))
                events.append(Event(recorder, task))
    return events


def write_events(plan: Schedule, events: list[Event]) -> bool:
    """Number the events in graph order of their waiters and write them on the nodes."""
    records: dict[int, list[int]] = {}
    waits: dict[int, list[int]] = {}
    for number, event in enumerate(events):
        records.setdefault(event.recorder, []).append(number)
        waits.setdefault(event.waiter, []).append(number)
    changed = False
    for task in sorted({*plan.marked, *records, *waits}):
        attributes = plan.tasks[task].attributes
        for key, table in ((RECORD, records), (WAIT, waits)):
            numbers = table.get(task)
            old = attributes.get(key)
            if numbers:
                new = ArrayAttr([int_to_attr(n) for n in numbers])
                if old != new:
                    attributes[key] = new
                    changed = True
            elif old is not None:
                del attributes[key]
                changed = True
    return changed


def read_events(plan: Schedule) -> tuple[list[Event], list[int]]:
    """The events written on the nodes, by number, and the numbers that make none.

    One task records an event, and one task that comes later waits for it.
    """
    recorders: dict[int, list[int]] = {}
    waiters: dict[int, list[int]] = {}
    for task in plan.marked:
        for key, table in ((RECORD, recorders), (WAIT, waiters)):
            for number in event_numbers(plan.tasks[task], key):
                table.setdefault(number, []).append(task)
    events: list[Event] = []
    odd: list[int] = []
    for number in sorted({*recorders, *waiters}):
        ends = (*recorders.get(number, ()), *waiters.get(number, ()))
        if number in recorders and number in waiters and len(ends) == 2 and ends[0] < ends[1]:
            events.append(Event(*ends))
        else:
            odd.append(number)
    return events, odd


def event_numbers(op: Operation, key: str) -> tuple[int, ...]:
    """The event numbers of `ge.record` or `ge.wait`."""
    value = op.attributes.get(key)
    if not isinstance(value, ArrayAttr):
        return ()
    numbers = cast("ArrayAttr[IntegerAttr]", value)  # the pass above wrote them
    return tuple([n.value.data for n in numbers.data])
