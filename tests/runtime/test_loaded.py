"""Loaded models: values come from byte memory at planned offsets, and times from the streams."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from ge_dialect.api import Model, evaluate, load, parse
from ge_dialect.diagnostics import GeError
from ge_dialect.weights.store import WeightStore
from runtime.api import compile_default, simulate
from runtime.inputs import random_inputs
from runtime.loaded import load_model
from runtime.scheduler import AdversarialSchedule

EXAMPLES = Path(__file__).parents[2] / "examples"

NET = """
ge.graph @net(%x: tensor<1x20x9x8xf32>) {
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<33x20x3x3xf32>
  %b = ge.Const() {value = #ge.weight<"b">} : tensor<33xf32>
  %c = ge.Conv2D(%x, %w, bias = %b) {strides = [1, 1, 2, 1], pads = [1, 1, 1, 1], data_format = "NCHW"} : tensor<1x33x5x8xf32>
  %r = ge.Sigmoid(%c) : tensor<1x33x5x8xf32>
  %p = ge.MaxPoolV3(%r) {ksize = [1, 1, 3, 3], strides = [1, 1, 1, 1], pads = [1, 1, 1, 1]} : tensor<1x33x5x8xf32>
  %s = ge.Add(%r, %p) : tensor<1x33x5x8xf32>
  %l = ge.LRN(%s) : tensor<1x33x5x8xf32>
  ge.NetOutput(%l, %p)
}
"""  # noqa: E501

STREAMS = """
rt.model @two {soc = "Ascend910B2", format = 1, arena_bytes = 1024, weight_bytes = 0, input_bytes = 64, output_bytes = 64, variable_bytes = 0, arena_lower_bound = 1024, events = 1} {
  rt.input 0 "x" = input[0] : tensor<16xf32> zero_copy
  rt.output 0 "y" = output[0] : tensor<16xf32> zero_copy
  rt.stream 0 AIcoreEngine {
    rt.kernel "a" Exp(input[0] : tensor<16xf32>) -> (arena[0] : tensor<16xf32>) {base = -1.0, scale = 1.0, shift = 0.0} on AIcoreEngine block_dim 1
    rt.event_wait 0
    rt.kernel "y" Add(arena[0] : tensor<16xf32>, arena[512] : tensor<16xf32>) -> (output[0] : tensor<16xf32>) on AIcoreEngine block_dim 1
  }
  rt.stream 1 DNN_VM_AICPU {
    rt.kernel "b" Square(input[0] : tensor<16xf32>) -> (arena[512] : tensor<16xf32>) on DNN_VM_AICPU block_dim 1
    rt.event_record 0
  }
}
"""  # noqa: E501


def _weights():
    rng = np.random.default_rng(5)
    return WeightStore(
        {
            "w": rng.standard_normal((33, 20, 3, 3), np.float32),
            "b": rng.standard_normal(33, np.float32),
        }
    )


@pytest.fixture(scope="module")
def net():
    return parse(NET, weights=_weights())


@pytest.fixture(scope="module")
def compiled(net):
    return compile_default(net)


def _inputs(seed=0):
    return [np.random.default_rng(seed).standard_normal((1, 20, 9, 8), np.float32)]


def _close(got, want, tol=1e-5):
    return all(
        a.shape == b.shape and np.abs(a - b).max() <= tol * np.abs(b).max()
        for a, b in zip(got, want, strict=True)
    )


def test_values_agree_with_golden(net, compiled):
    loaded = load_model(compiled.module, compiled.weights)
    for seed in range(3):
        want = evaluate(net, _inputs(seed)).outputs
        assert _close(loaded.run(_inputs(seed)).outputs, want)


def test_runs_repeat_exactly(compiled):
    loaded = load_model(compiled.module, compiled.weights)
    first, second = loaded.run(_inputs()), loaded.run(_inputs())
    assert first.timeline == second.timeline
    for a, b in zip(first.outputs, second.outputs, strict=True):
        np.testing.assert_array_equal(a, b)


def test_values_of_every_node(net, compiled):
    golden = evaluate(net, _inputs(), keep="all").values
    run = load_model(compiled.module, compiled.weights).run(_inputs(), keep="all")
    for name in ("c", "r", "p", "s", "l"):
        assert _close(run.values[name], golden[name])


def test_times_need_no_values(compiled):
    timed = load_model(compiled.module, values=False).run()
    full = load_model(compiled.module, compiled.weights).run(_inputs())
    assert timed.timeline == full.timeline
    assert not timed.outputs
    assert timed.memory == full.memory


def test_memory_is_reported(compiled):
    use = load_model(compiled.module, values=False).run().memory
    assert use.peak >= use.lower_bound > 0
    assert use.weights >= 33 * 20 * 9 * 4
    assert use.total >= use.peak + use.weights


# --- a wrong plan gives a wrong value ---


def _places(text):
    """(start, end) of each arena offset in the tasks."""
    tasks = text.index("rt.stream")
    return [m.span(1) for m in re.finditer(r"arena\[(\d+)\]", text) if m.start() > tasks]


def test_every_moved_operand_is_noticed(net, compiled):
    text = compiled.text()
    want = evaluate(net, _inputs()).outputs
    offsets = sorted({int(text[a:b]) for a, b in _places(text)})
    assert len(offsets) > 1
    moved = noticed = 0
    for start, end in _places(text):
        other = next(o for o in offsets if o != int(text[start:end]))
        changed = text[:start] + str(other) + text[end:]
        moved += 1
        try:
            got = load_model(parse(changed).module, compiled.weights).run(_inputs()).outputs
        except GeError:
            noticed += 1
            continue
        noticed += not _close(got, want)
    assert moved == noticed
    assert moved >= 10


def test_wrong_layout_is_noticed(net, compiled):
    text = compiled.text()
    want = evaluate(net, _inputs()).outputs
    line = next(s for s in text.splitlines() if "TransData(input" in s)
    arrow = line.index("->")
    broken = line[:arrow] + line[arrow:].replace("NC1HWC0", "NHWC")
    changed = text.replace(line, broken)
    got = load_model(parse(changed).module, compiled.weights).run(_inputs()).outputs
    assert not _close(got, want)


def test_two_streams_values_and_overlap():
    x = np.linspace(-1, 1, 16, dtype=np.float32)
    run = simulate(parse(STREAMS), [x])
    np.testing.assert_allclose(run.outputs[0], np.exp(x) + x * x, rtol=1e-6)
    assert run.timeline.overlap("AI_CORE", "AI_CPU") > 0


def test_a_missing_wait_gives_a_wrong_value():
    x = np.linspace(-1, 1, 16, dtype=np.float32)
    text = STREAMS.replace("    rt.event_wait 0\n", "")
    run = simulate(parse(text), [x])
    # b is not done when y starts, so y reads memory that nothing has written.
    assert np.isnan(run.outputs[0]).all()


def test_results_appear_when_the_kernel_ends():
    """Without the wait a slow reader still sees old bytes, whatever the order of starts."""
    x = np.linspace(-1, 1, 16, dtype=np.float32)
    loaded = load_model(parse(STREAMS.replace("    rt.event_wait 0\n", "")).module)
    outcomes = set()
    for seed in range(12):
        run = loaded.run([x], schedule=AdversarialSchedule(seed))
        spans = {t.name: (t.start, t.end) for t in run.timeline.tasks}
        outcomes.add(spans["y"][0] >= spans["b"][1])
        if seed == 0:
            continue  # later runs find the bytes of earlier ones
    assert outcomes == {True, False}


def test_deadlock_of_a_model():
    text = STREAMS.replace("    rt.event_record 0\n", "")
    with pytest.raises(GeError) as error:
        simulate(parse(text), [np.zeros(16, np.float32)])
    found = error.value.diagnostics[0]
    assert found.code == "GX-606"
    assert found.node == "y"


@pytest.fixture(scope="module")
def example():
    model = load(EXAMPLES / "two_engines.mlir")
    loaded = load_model(compile_default(model).module, model.weights)
    inputs = random_inputs(loaded.input_specs, 0)
    return model, loaded, inputs, loaded.run(inputs)


def test_the_example_uses_both_engines_at_once(example):
    model, _, inputs, run = example
    line = run.timeline
    assert line.overlap("AI_CORE", "AI_CPU") > 10_000
    assert run.latency_ns < sum(t.duration for t in line.kernels())
    assert _close(run.outputs, evaluate(model, inputs).outputs, 1e-3)


@pytest.mark.parametrize("seed", range(8))
def test_adversarial_orders_keep_values(example, seed):
    _, loaded, inputs, nominal = example
    other = loaded.run(inputs, schedule=AdversarialSchedule(seed))
    assert other.timeline != nominal.timeline
    for a, b in zip(nominal.outputs, other.outputs, strict=True):
        np.testing.assert_array_equal(a, b)


# --- variables ---

COUNTER = """
rt.model @counter {soc = "Ascend910B2", format = 1, arena_bytes = 0, weight_bytes = 0, input_bytes = 32, output_bytes = 32, variable_bytes = 512, arena_lower_bound = 0, events = 0} {
  rt.input 0 "x" = input[0] : tensor<4xf32> zero_copy
  rt.output 0 "y" = output[0] : tensor<4xf32> zero_copy
  rt.variable "v" = variable[0] : tensor<4xf32> init dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  rt.stream 0 AIcoreEngine {
    rt.kernel "add" AssignAdd(variable[0] : tensor<4xf32>, input[0] : tensor<4xf32>) -> (variable[0] : tensor<4xf32>) {use_locking = false} on AIcoreEngine block_dim 1
    rt.memcpy "y" variable[0] : tensor<4xf32> -> output[0] : tensor<4xf32>
  }
}
"""  # noqa: E501


def test_variables_outlive_a_run():
    loaded = load_model(parse(COUNTER).module)
    x = np.ones(4, np.float32)
    np.testing.assert_array_equal(loaded.run([x]).outputs[0], [2, 3, 4, 5])
    np.testing.assert_array_equal(loaded.run([x]).outputs[0], [3, 4, 5, 6])


# --- refusals ---


def _codes(error):
    return [d.code for d in error.value.diagnostics]


def test_missing_kernels_come_all_at_once():
    text = STREAMS.replace("Exp(", "NoSuch(").replace("Square(", "Neither(")
    with pytest.raises(GeError) as error:
        load_model(parse(text).module)
    assert _codes(error) == ["GX-601", "GX-601"]
    assert {d.node for d in error.value.diagnostics} == {"a", "b"}


@pytest.mark.parametrize(
    ("inputs", "code"),
    [
        ({}, "GX-602"),
        ([], "GX-602"),
        ({"x": np.zeros(16, np.float32), "z": np.zeros(1)}, "GX-602"),
        ({"x": np.zeros(15, np.float32)}, "GX-603"),
        ({"x": np.zeros(16, np.float64)}, "GX-603"),
    ],
)
def test_wrong_inputs(inputs, code):
    with pytest.raises(GeError) as error:
        simulate(parse(STREAMS), inputs)
    assert _codes(error) == [code]


def test_missing_weights_are_one_message(compiled):
    with pytest.raises(GeError) as error:
        load_model(compiled.module, WeightStore())
    assert _codes(error) == ["GX-604"]
    assert "2 weights" in error.value.diagnostics[0].message


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ("arena_bytes = 1024", "arena_bytes = 544", "outside"),
        ("arena[512] : tensor<16xf32>) on DNN", "arena[520] : tensor<16xf32>) on DNN", "aligned"),
    ],
)
def test_wrong_places(old, new, word):
    text = STREAMS.replace(old, new)
    with pytest.raises(GeError) as error:
        load_model(parse(text).module)
    assert set(_codes(error)) == {"GX-605"}
    assert word in error.value.diagnostics[0].message


def test_a_model_larger_than_the_device():
    text = STREAMS.replace("arena_bytes = 1024", "arena_bytes = 99999999999999")
    with pytest.raises(GeError) as error:
        load_model(parse(text).module, values=False)
    assert _codes(error) == ["GX-608"]


def test_operands_that_do_not_fit_are_refused_when_loaded():
    text = STREAMS.replace("Add(arena[0] : tensor<16xf32>", "Add(arena[0] : tensor<7xf32>")
    with pytest.raises(GeError) as error:
        simulate(parse(text), [np.zeros(16, np.float32)])
    assert _codes(error) == ["GX-221"]
    assert error.value.diagnostics[0].node == "y"


def test_compiling_leaves_the_model_alone(net):
    before = net.text()
    compile_default(net)
    assert net.text() == before
    assert isinstance(net, Model)


@pytest.mark.parametrize("mode", ["graph", "eager"])
def test_values_of_chosen_nodes(net, mode):
    run = simulate(net, _inputs(), mode=mode, keep=["r", "l"])
    assert set(run.values) == {"r", "l"}


@pytest.mark.parametrize("schedule", [None, "adversarial:3"])
@pytest.mark.parametrize("mode", ["graph", "eager"])
def test_types_under_a_byte_are_packed(mode, schedule):
    """Values survive packing; what is packed takes the bytes of the plan."""
    import ml_dtypes

    model = parse("""
    ge.graph @g(%x: tensor<3x5xf32>, %z: tensor<7xi4>) {
      %a = ge.Cast(%x) {dst_type = 29} : tensor<3x5xi4>
      %t = ge.TransposeD(%a) {perm = [1, 0]} : tensor<5x3xi4>
      %y = ge.Cast(%t) {dst_type = 0} : tensor<5x3xf32>
      %w = ge.Cast(%z) {dst_type = 3} : tensor<7xi32>
      ge.NetOutput(%y, %w, %t)
    }
    """)
    x = np.arange(15, dtype=np.float32).reshape(3, 5) - 8
    x[0, 0] = 7
    z = np.arange(-8, -1).astype(ml_dtypes.int4)
    kw = {} if mode == "eager" else {"schedule": schedule}
    y, w, t = simulate(model, [x, z], mode=mode, **kw).outputs
    np.testing.assert_array_equal(y, x.T)
    np.testing.assert_array_equal(w, np.arange(-8, -1))
    assert t.dtype == ml_dtypes.int4
    np.testing.assert_array_equal(t.astype(np.int32), x.T)


@pytest.mark.parametrize("name", ["int4", "uint4", "int2", "uint2", "float4_e2m1fn"])
def test_packing_is_exact(name):
    import ml_dtypes

    from runtime.kernels.registry import View
    from runtime.packed import PackedView

    dtype = np.dtype(getattr(ml_dtypes, name))
    width = 2 if name.endswith("2") else 4
    codes = np.arange(1 << width, dtype=np.uint8)
    if name.startswith("int"):
        codes = np.where(codes >> (width - 1), codes.astype(np.int8) - (1 << width), codes)
    values = codes.view(dtype) if name.startswith("float") else codes.astype(np.int8).astype(dtype)
    values = values[: values.size - 1]  # the last byte is not full
    raw = np.full(-(-values.size * width // 8), 255, np.uint8)
    view = PackedView(raw, width, values.copy(), View(values, values.shape))
    view.save()
    view.data[...] = values[0]
    view.load()
    np.testing.assert_array_equal(view.data.astype(np.float32), values.astype(np.float32))
    assert raw[0] & ((1 << width) - 1) == 0


def test_drawn_indices_fit_their_table():
    """Indices are drawn below 10, or below what their smallest table has; others are 0 and 1."""
    from ge_dialect.rt.view import read_model
    from runtime.inputs import graph_specs, model_specs
    from runtime.memory import LayoutCache

    model = parse("""
    ge.graph @net(%t: tensor<30x64xf32>, %k: tensor<3x64xf32>, %i: tensor<40xi64>,
                  %j: tensor<40xi32>, %n: tensor<40xi64>) {
      %axis = ge.Const() {value = dense<0> : tensor<i64>} : tensor<i64>
      %a = ge.GatherV2(%t, %i, %axis) : tensor<40x64xf32>
      %wide = ge.Cast(%j) {dst_type = 9} : tensor<40xi64>
      %b = ge.GatherV2(%k, %wide, %axis) : tensor<40x64xf32>
      %c = ge.Neg(%n) : tensor<40xi64>
      ge.NetOutput(%a, %b, %c)
    }
    """)
    (graph,) = model.graphs
    specs = graph_specs(graph, LayoutCache())
    assert [s.high for s in specs] == [2, 2, 10, 3, 2]
    drawn = random_inputs(specs, 0)
    assert (drawn["j"].max(), drawn["i"].max(), drawn["n"].max()) == (2, 9, 1)
    for mode in ("graph", "eager"):
        assert len(simulate(model, mode=mode, random_inputs=0).outputs) == 3
    direct = parse("""
    ge.graph @net(%k: tensor<3x64xf32>, %i: tensor<40xi64>) {
      %axis = ge.Const() {value = dense<0> : tensor<i64>} : tensor<i64>
      %a = ge.GatherV2(%k, %i, %axis) : tensor<40x64xf32>
      ge.NetOutput(%a)
    }
    """)
    compiled = compile_default(direct)
    loaded = model_specs(read_model(compiled.module), LayoutCache())
    assert [s.high for s in loaded] == [2, 3]


def test_a_name_to_keep_that_went_into_another_node() -> None:
    text = """
    ge.graph @g(%x: tensor<4xf32>) {
      %a = ge.Exp(%x) : tensor<4xf32>
      %b = ge.Exp(%x) : tensor<4xf32>
      %y = ge.Mul(%a, %b) : tensor<4xf32>
      ge.NetOutput(%y)
    }
    """
    x = [np.ones(4, np.float32)]
    assert set(simulate(parse(text), x, keep=["a", "y"]).values) == {"a", "y"}
    with pytest.raises(GeError) as refused:
        simulate(parse(text), x, keep="b")
    (found,) = refused.value.diagnostics
    assert (found.code, found.hint) == ("GX-255", "it has become part of 'a'")
    for run in (
        evaluate(parse(text), x, keep="b"),
        simulate(parse(text), x, keep="b", mode="eager"),
    ):
        assert set(run.values) == {"b"}
