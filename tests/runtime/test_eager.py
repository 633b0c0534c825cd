"""Eager mode: values, host pipeline, allocator, control flow and state."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from ge_dialect.api import evaluate, parse
from ge_dialect.diagnostics import GeError
from ge_dialect.target.soc_file import load_soc
from ge_dialect.weights.store import WeightStore
from runtime.allocator import SMALL_SEGMENT, CachingAllocator
from runtime.api import simulate
from runtime.eager import EagerExecutor

NET = """
ge.graph @net(%x: tensor<1x20x9x8xf32>) {
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<33x20x3x3xf32>
  %c = ge.Conv2D(%x, %w) {strides = [1, 1, 1, 1], pads = [1, 1, 1, 1], data_format = "NCHW"} : tensor<1x33x9x8xf32>
  %r = ge.Relu(%c) : tensor<1x33x9x8xf32>
  %k = ge.Const() {value = dense<[1, -1]> : tensor<2xi64>} : tensor<2xi64>
  %f = ge.Reshape(%r, %k) : tensor<1x2376xf32>
  %s = ge.SoftmaxV2(%f) : tensor<1x2376xf32>
  ge.NetOutput(%s, %r)
}
"""  # noqa: E501

TWO = """
ge.graph @two(%x: tensor<8xf32>) {
  %a = ge.Exp(%x) : tensor<8xf32>
  %b = ge.Relu(%a) : tensor<8xf32>
  ge.NetOutput(%b)
}
"""


@pytest.fixture(scope="module")
def net():
    weight = np.random.default_rng(5).standard_normal((33, 20, 3, 3), np.float32)
    return parse(NET, weights=WeightStore({"w": weight}))


def _x():
    return [np.random.default_rng(1).standard_normal((1, 20, 9, 8), np.float32)]


def test_values_agree_with_golden_and_with_the_loaded_graph(net):
    eager = simulate(net, _x(), mode="eager", keep="all")
    graph = simulate(net, _x())
    golden = evaluate(net, _x(), keep="all")
    assert eager.output_names == golden.output_names
    for a, b, c in zip(eager.outputs, graph.outputs, golden.outputs, strict=True):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_allclose(a, c, rtol=1e-4, atol=1e-5)
    for name in ("c", "r", "f", "s"):
        np.testing.assert_allclose(
            eager.values[name][0], golden.values[name][0], rtol=1e-4, atol=1e-5
        )


def test_layout_conversions_stand_around_a_convolution(net):
    names = [t.name for t in simulate(net, _x(), mode="eager").timeline.tasks]
    assert names == ["c_input0", "c_input1", "c", "c_output0", "r", "s"]


def test_eager_is_slower_than_the_loaded_graph():
    wide = "ge.graph @g(%v0: tensor<64xf32>) {\n"
    wide += "".join(f"  %v{i + 1} = ge.Abs(%v{i}) : tensor<64xf32>\n" for i in range(40))
    model = parse(wide + "  ge.NetOutput(%v40)\n}\n")
    graph = simulate(model, values=False)
    eager = simulate(model, values=False, mode="eager")
    assert eager.latency_ns > 3 * graph.latency_ns


def test_host_pipeline_by_hand():
    host = load_soc().host
    first, second = host.op_eager_ns * 60 // 100, host.op_eager_ns * 40 // 100
    line = simulate(parse(TWO), values=False, mode="eager").timeline
    a, b = line.tasks
    # Thread A prepares both; thread B takes over the first when A is done with it.
    assert a.start == first + second + host.launch_ns
    b_free = a.start
    launched = max(b_free, 2 * first) + second + host.launch_ns
    assert b.start == max(launched, a.end + load_soc().device.task_gap_ns)
    assert line.latency == b.end + host.stream_sync_ns


def test_one_thread_is_slower_than_two():
    serial = simulate(parse(TWO), values=False, mode="eager", host_queue=0).latency_ns
    piped = simulate(parse(TWO), values=False, mode="eager", host_queue=1).latency_ns
    assert serial > piped


def test_host_queue_by_hand_in_one_thread():
    host = load_soc().host
    line = simulate(parse(TWO), values=False, mode="eager", host_queue=0).timeline
    each = host.op_eager_ns + host.launch_ns
    assert [t.start for t in line.tasks] == [each, 2 * each]


IF = """
ge.graph @choose(%c: tensor<i1>, %x: tensor<4xf32>) {
  %y = ge.If(%c, [%x]) : tensor<4xf32>
    then_branch(%a) {
      %e = ge.Exp(%a) : tensor<4xf32>
      ge.NetOutput(%e)
    }
    else_branch(%a) {
      %n = ge.Neg(%a) : tensor<4xf32>
      ge.NetOutput(%n)
    }
  %z = ge.Square(%y) : tensor<4xf32>
  ge.NetOutput(%z)
}
"""

WHILE = """
ge.graph @count(%n: tensor<i32>, %x: tensor<4xf32>) {
  %zero = ge.Const() {value = dense<0> : tensor<i32>} : tensor<i32>
  %i, %y = ge.While(%n, %x) : tensor<i32>, tensor<4xf32>
    cond(%k, %v) {
      %z = ge.Const() {value = dense<0> : tensor<i32>} : tensor<i32>
      %more = ge.Greater(%k, %z) : tensor<i1>
      ge.NetOutput(%more)
    }
    body(%k, %v) {
      %one = ge.Const() {value = dense<1> : tensor<i32>} : tensor<i32>
      %left = ge.Sub(%k, %one) : tensor<i32>
      %w = ge.Add(%v, %v) : tensor<4xf32>
      ge.NetOutput(%left, %w)
    }
  ge.NetOutput(%y)
}
"""


@pytest.mark.parametrize("condition", [True, False])
def test_if_reads_the_condition_back(condition):
    model = parse(IF)
    x = np.linspace(-1, 1, 4, dtype=np.float32)
    run = simulate(model, [np.array(condition), x], mode="eager")
    np.testing.assert_allclose(
        run.outputs[0], evaluate(model, [np.array(condition), x]).outputs[0], rtol=1e-6
    )
    assert any(h.name == "AscendCL@aclrtMemcpy" for h in run.timeline.host)


@pytest.mark.parametrize("count", [0, 1, 5])
def test_while(count):
    model = parse(WHILE)
    run = simulate(model, [np.array(count, np.int32), np.ones(4, np.float32)], mode="eager")
    np.testing.assert_array_equal(run.outputs[0], np.full(4, 2.0**count, np.float32))
    adds = [t for t in run.timeline.tasks if t.op_type == "Add"]
    assert len(adds) == count


def test_control_flow_needs_values():
    with pytest.raises(GeError) as error:
        simulate(parse(IF), mode="eager", values=False)
    assert error.value.diagnostics[0].code == "GX-613"


STATE = """
ge.graph @state(%x: tensor<4xf32>) {
  %v = ge.Variable() {value = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>} : !ge.ref<tensor<4xf32>>
  %u = ge.AssignAdd(%v, %x) : !ge.ref<tensor<4xf32>>
  %y = ge.Read(%u) : tensor<4xf32>
  ge.NetOutput(%y)
}
"""


def test_variables_belong_to_the_executor():
    model = parse(STATE)
    executor = EagerExecutor(model.weights)
    (graph,) = model.graphs
    ones = [np.ones(4, np.float32)]
    np.testing.assert_array_equal(executor.run(graph, ones).outputs[0], [2, 3, 4, 5])
    np.testing.assert_array_equal(executor.run(graph, ones).outputs[0], [3, 4, 5, 6])


def test_memory_is_reused():
    chain = "ge.graph @g(%v0: tensor<1024xf32>) {\n"
    chain += "".join(f"  %v{i + 1} = ge.Abs(%v{i}) : tensor<1024xf32>\n" for i in range(20))
    run = simulate(parse(chain + "  ge.NetOutput(%v20)\n}\n"), values=False, mode="eager")
    assert run.memory.peak == 2 * 4096
    assert run.memory.reserved == SMALL_SEGMENT


def test_allocator_splits_merges_and_prefers_the_best_fit():
    allocator = CachingAllocator()
    a, b, c = allocator.alloc(1000), allocator.alloc(5000), allocator.alloc(512)
    assert (a.offset, b.offset, c.offset) == (0, 1024, 6144)
    allocator.free(b)
    assert allocator.alloc(4096).offset == 1024
    assert allocator.alloc(1024).offset == 5120
    allocator.free(a)
    assert allocator.alloc(600).offset == 0
    assert allocator.allocated == 1024 + 4096 + 1024 + 512


def test_allocator_never_overlaps():
    rng = np.random.default_rng(0)
    allocator, live = CachingAllocator(), []
    for _ in range(400):
        if live and rng.random() < 0.45:
            allocator.free(live.pop(int(rng.integers(len(live)))))
        else:
            live.append(allocator.alloc(int(rng.integers(1, 3 << 20))))
    spans = sorted((b.segment, b.offset, b.offset + b.size) for b in live)
    for (s, _, end), (t, start, _) in pairwise(spans):
        assert s != t or end <= start
    assert all(end <= allocator.segments[s] for s, _, end in spans)
    for block in live:
        allocator.free(block)
    assert allocator.allocated == 0


def test_nodes_without_an_engine_are_listed():
    model = parse(
        "ge.graph @g(%x: tensor<4xf32>) {\n"
        '  %y = ge.Opaque(%x) {type = "Mystery"} : tensor<4xf32>\n'
        "  ge.NetOutput(%y)\n}\n"
    )
    with pytest.raises(GeError) as error:
        simulate(model, [np.zeros(4, np.float32)], mode="eager")
    assert error.value.diagnostics[0].code == "GX-601"


PRINT = """
ge.graph @p(%x: tensor<4xf32>) {
  %a = ge.Exp(%x) : tensor<4xf32>
  %c = ge.Print(%a, %x) : !ge.ctrl
  %b = ge.Relu(%a) after(%c) : tensor<4xf32>
  ge.NetOutput(%b)
}
"""


@pytest.mark.parametrize("mode", ["graph", "eager"])
def test_prints_are_handed_to_the_host(mode):
    model = parse(PRINT)
    x = [np.array([0, 1, 2, 3], np.float32)]
    run = simulate(model, x, mode=mode)
    assert run.printed == evaluate(model, x).state.printed
    assert run.printed[0][1].startswith("[ 1.")


ASSERTED = """
ge.graph @asserted(%c: tensor<i1>, %x: tensor<5xi32>) {
  %sure = ge.Assert(%c, [%x]) : !ge.ctrl
  %y = ge.Add(%x, %x) after(%sure) : tensor<5xi32>
  ge.NetOutput(%y)
}
"""


@pytest.mark.parametrize("mode", ["eager", "graph"])
def test_an_assertion_ends_the_run(mode):
    model, x = parse(ASSERTED), np.arange(5, dtype=np.int32)
    result = simulate(model, [np.array(True), x], mode=mode)
    assert result.outputs[0].tolist() == [0, 2, 4, 6, 8]
    with pytest.raises(GeError, match="an assertion does not hold") as error:
        simulate(model, [np.array(False), x], mode=mode)
    (said,) = error.value.diagnostics
    assert (said.code, said.node) == ("GX-252", "sure")
    assert said.found == "a false condition, and [0, 1, 2]"
    assert "look at what computes the condition" in (said.hint or "")
