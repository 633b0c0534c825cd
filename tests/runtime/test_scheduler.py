"""The event loop against timelines computed by hand."""

from __future__ import annotations

import pytest

from ge_dialect.diagnostics import GeError
from runtime.scheduler import (
    COPY,
    KERNEL,
    RECORD,
    WAIT,
    AdversarialSchedule,
    Job,
    Overheads,
    Schedule,
    Scheduler,
    parse_schedule,
)


def kernel(name, duration, pool="core", units=1):
    return Job(KERNEL, name, duration, pool, units)


def record(event):
    return Job(RECORD, f"record{event}", event=event)


def wait(event):
    return Job(WAIT, f"wait{event}", event=event)


def times(streams, pools, overheads=None, **kw):
    """{(stream, position): (start, end)}"""
    spans = Scheduler(streams, pools, overheads or Overheads(), **kw).run(kw.pop("start", 0))
    return {(s.stream, s.position): (s.start, s.end) for s in spans}


def test_one_stream_is_serial_with_gaps():
    got = times([[kernel("a", 10), kernel("b", 5)]], {"core": 4}, Overheads(gap=3))
    assert got == {(0, 0): (0, 10), (0, 1): (13, 18)}


def test_two_streams_overlap_on_different_engines():
    streams = [[kernel("a", 10)], [kernel("b", 20, "cpu")]]
    assert times(streams, {"core": 1, "cpu": 1}) == {(0, 0): (0, 10), (1, 0): (0, 20)}


def test_one_engine_serves_first_come_first_served():
    streams = [[kernel("a", 10), kernel("c", 10)], [kernel("b", 7)]]
    got = times(streams, {"core": 1}, Overheads(gap=1))
    # b waits from time 0, so it goes before c, which arrives at 11.
    assert got == {(0, 0): (0, 10), (1, 0): (10, 17), (0, 1): (17, 27)}


def test_units_are_shared():
    streams = [[kernel("a", 10, units=3)], [kernel("b", 10, units=2)], [kernel("c", 4, units=1)]]
    got = times(streams, {"core": 4})
    # b does not fit beside a, and c does not overtake b.
    assert got == {(0, 0): (0, 10), (1, 0): (10, 20), (2, 0): (10, 14)}


def test_a_kernel_larger_than_the_pool_takes_all_of_it():
    assert times([[kernel("a", 10, units=99)]], {"core": 4}) == {(0, 0): (0, 10)}


def test_event_orders_two_streams():
    streams = [
        [kernel("a", 10), record(0), kernel("c", 5)],
        [wait(0), kernel("b", 4, "cpu")],
    ]
    got = times(streams, {"core": 1, "cpu": 1}, Overheads(gap=1, record=2, signal=7))
    # record runs 11 to 13, is seen at 20; b starts one gap later.
    assert got[0, 1] == (11, 13)
    assert got[1, 0] == (0, 20)
    assert got[1, 1] == (21, 25)
    assert got[0, 2] == (14, 19)


def test_wait_after_the_signal_does_not_block():
    streams = [[record(0)], [kernel("b", 30), wait(0), kernel("c", 1)]]
    got = times(streams, {"core": 1}, Overheads(signal=5))
    assert got[1, 1] == (30, 30)
    assert got[1, 2] == (30, 31)


def test_copy_uses_its_own_engine():
    streams = [[kernel("a", 10)], [Job(COPY, "m", 6, "copy")]]
    assert times(streams, {"core": 1, "copy": 1})[1, 0] == (0, 6)


def test_equal_times_end_before_start():
    seen = []

    class Log:
        def started(self, stream, position, time):
            seen.append((time, "start", stream))

        def ended(self, stream, position, time):
            seen.append((time, "end", stream))

    streams = [[kernel("a", 10), kernel("c", 1)], [kernel("b", 10, "cpu"), kernel("d", 1, "cpu")]]
    Scheduler(streams, {"core": 1, "cpu": 1}, observer=Log()).run()
    assert seen[:6] == [
        (0, "start", 0),
        (0, "start", 1),
        (10, "end", 0),
        (10, "end", 1),
        (10, "start", 0),
        (10, "start", 1),
    ]


def test_deadlock_names_the_tasks():
    streams = [[wait(1), kernel("a", 1), record(0)], [wait(0), kernel("b", 1), record(1)]]
    with pytest.raises(GeError) as error:
        Scheduler(streams, {"core": 1}).run()
    first, second = error.value.diagnostics
    assert first.code == second.code == "GX-606"
    assert (first.node, second.node) == ("a", "b")
    assert "task 2 of stream 1, which was not reached" in first.found


def test_unmatched_wait_is_a_deadlock():
    with pytest.raises(GeError) as error:
        Scheduler([[wait(5), kernel("late", 1)]], {"core": 1}).run()
    assert "no task records it" in error.value.diagnostics[0].found
    assert error.value.diagnostics[0].node == "late"


def test_adversarial_schedules_differ_by_seed_and_repeat():
    streams = [[kernel(f"a{i}", 1000) for i in range(4)], [kernel(f"b{i}", 900) for i in range(4)]]
    runs = [times(streams, {"core": 1}, schedule=AdversarialSchedule(s)) for s in (1, 1, 2, 3)]
    assert runs[0] == runs[1]
    assert len({tuple(sorted(r.items())) for r in runs}) == 3


def test_schedule_option():
    assert type(parse_schedule(None)) is Schedule
    assert parse_schedule("adversarial:7").seed == 7
    with pytest.raises(GeError) as error:
        parse_schedule("random")
    assert error.value.diagnostics[0].code == "GX-610"
