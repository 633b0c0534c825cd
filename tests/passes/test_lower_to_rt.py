"""From graphs to compiled models: state, aliases, outputs, refusals."""

from __future__ import annotations

import numpy as np
import pytest

from ge_dialect.api import evaluate, parse
from ge_dialect.diagnostics import GeError
from ge_dialect.ir.printer import print_module
from ge_dialect.ir.reader import parse_module
from ge_dialect.rt import KernelView, MemcpyView, ModelView, read_model
from passes.manager import run_pipeline
from runtime.loaded import load_model

BUILD = (
    "engine-claim, heavy-format-propagation, trans-node-merge, engine-placement, "
    "stream-assignment, event-insertion, memory-plan, lower-to-rt"
)


def lowered(text: str) -> tuple[object, ModelView]:
    model = parse(text)
    run_pipeline(model, BUILD)
    model.module.verify()
    return model, read_model(model.module)


STATE = """ge.graph @g(%x: tensor<4xf32>) {
  %v = ge.Variable() {value = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>} : !ge.ref<tensor<4xf32>>
  %old, %old_done = ge.Read(%v) : tensor<4xf32>, !ge.ctrl
  %s = ge.Add(%old, %x) : tensor<4xf32>
  %a = ge.AssignAdd(%v, %s) after(%old_done) : !ge.ref<tensor<4xf32>>
  %new = ge.Read(%a) : tensor<4xf32>
  ge.NetOutput(%old, %new)
}"""


def test_state_survives_from_run_to_run() -> None:
    model, view = lowered(STATE)
    (variable,) = view.variables
    assert (variable.node, variable.buffer.space) == ("v", "variable")
    add = next(k for k in view.kernels() if k.op_type == "AssignAdd")
    assert add.inputs[0] == add.outputs[0] == variable.buffer
    assert [type(t) for t in view.streams[0].tasks].count(MemcpyView) == 2
    loaded = load_model(model.module, model.weights)
    x = np.arange(4, dtype=np.float32)
    first, second = loaded.run([x]), loaded.run([x])
    value = np.array([1, 2, 3, 4], np.float32)
    for run in (first, second):
        np.testing.assert_array_equal(run.outputs[0], value)
        value = value + value + x
        np.testing.assert_array_equal(run.outputs[1], value)


def test_state_of_the_caller() -> None:
    model, view = lowered("""ge.graph @g(%x: tensor<4xf32>, %r: !ge.ref<tensor<4xf32>>) {
      %v = ge.RefData(%r) {index = 1} : !ge.ref<tensor<4xf32>>
      %a = ge.Assign(%v, %x) : !ge.ref<tensor<4xf32>>
      %new = ge.Read(%a) : tensor<4xf32>
      ge.NetOutput(%new)
    }""")
    assert [b.buffer.space for b in view.inputs] == ["input", "variable"]
    x = np.arange(4, dtype=np.float32)
    run = load_model(model.module, model.weights).run([x, x + 1])
    np.testing.assert_array_equal(run.outputs[0], x)


def test_reshapes_are_places() -> None:
    _, view = lowered("""ge.graph @g(%x: tensor<4x2xf32>) {
      %s = ge.Const() {value = dense<[8]> : tensor<1xi64>} : tensor<1xi64>
      %a = ge.Relu(%x) : tensor<4x2xf32>
      %r = ge.Reshape(%a, %s) : tensor<8xf32>
      %i = ge.Identity(%r) : tensor<8xf32>
      %b = ge.Abs(%i) : tensor<8xf32>
      ge.NetOutput(%b)
    }""")
    a, b = view.kernels()
    assert (a.outputs[0].space, a.outputs[0].offset) == (b.inputs[0].space, b.inputs[0].offset)
    assert a.outputs[0].type != b.inputs[0].type
    assert not view.weights, "nothing at run time reads the shape"


def test_outputs_of_every_kind() -> None:
    model, view = lowered("""ge.graph @g(%x: tensor<4xf32>) {
      %c = ge.Const() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : tensor<2xf32>
      %a = ge.Relu(%x) : tensor<4xf32>
      ge.NetOutput(%a, %x, %c, %a)
    }""")
    assert [b.buffer.space for b in view.outputs] == ["output", "input", "weight", "output"]
    assert [b.zero_copy for b in view.outputs] == [True, False, False, False]
    assert [b.node for b in view.outputs] == ["a", "x", "c", "a_1"]
    x = np.array([-1, 0, 1, 2], np.float32)
    outputs = load_model(model.module, model.weights).run([x]).outputs
    positive = np.maximum(x, 0)
    for found, expected in zip(outputs, (positive, x, [1, 2], positive), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_unused_inputs_keep_their_place() -> None:
    _, view = lowered("""ge.graph @g(%x: tensor<4xf32>, %y: tensor<3xf32>) {
      %b = ge.Abs(%y) : tensor<3xf32>
      ge.NetOutput(%b)
    }""")
    assert [b.node for b in view.inputs] == ["x", "y"]


def test_kernels_carry_everything() -> None:
    _, view = lowered("""ge.graph @g(%x: tensor<4xf32>, %y: tensor<4xf32>) {
      %join = ge.ConcatD(%x, %y, %x) {concat_dim = 0, N = 3} : tensor<12xf32> loc("join"("p"))
      ge.NetOutput(%join)
    }""")
    (kernel,) = view.kernels()
    assert isinstance(kernel, KernelView)
    assert (kernel.node, kernel.origins) == ("join", ("p",))
    assert len(kernel.inputs[0]) == 3
    assert kernel.attrs == {"concat_dim": 0, "N": 3}


def test_what_others_wrote_on_a_node_stays_with_its_task() -> None:
    model, _ = lowered("""ge.graph @g(%x: tensor<4xf32>, %v: !ge.ref<tensor<4xf32>>) {
      %r = ge.Read(%v) {my.copy} : tensor<4xf32>
      %y = ge.Relu(%x) {my.note = [1 : i8, "a"], ge.attr.old = 2 : i64} : tensor<4xf32>
      ge.NetOutput(%y, %r)
    }""")
    text = print_module(model.module)
    (kernel,) = [line for line in text.splitlines() if "Relu" in line]
    (copy,) = [line for line in text.splitlines() if "rt.memcpy" in line]
    assert kernel.endswith(' attributes {my.note = [1 : i8, "a"]}')
    assert copy.endswith(" attributes {my.copy}")
    assert print_module(parse_module(text)) == text


def test_abstract_weights_go_through() -> None:
    model, view = lowered("""ge.graph @g(%x: tensor<1x4096xf16>) {
      %w = ge.Const() {value = #ge.weight<"big", abstract>} : tensor<4096x1000000xf16>
      %m = ge.MatMulV2(%x, %w) : tensor<1x1000000xf16>
      ge.NetOutput(%m)
    }""")
    assert "abstract" in model.text()
    assert view.sizes["weight"] == 8_192_000_000


def test_everything_that_cannot_be_lowered_is_named_at_once() -> None:
    text = """ge.graph @g(%p: tensor<i1>, %x: tensor<8xf32>, %y: tensor<?xf32>) {
      %a = ge.If(%p, [%x]) : tensor<8xf32> then_branch(%b) {
        ge.NetOutput(%b)
      } else_branch(%b) {
        ge.NetOutput(%b)
      }
      %c = ge.PartitionedCall(%x) : tensor<8xf32> f(%b) {
        ge.NetOutput(%b)
      }
      %u = ge.Relu(%y) : tensor<?xf32>
      ge.NetOutput(%a, %c, %u)
    }"""
    with pytest.raises(GeError) as caught:
        run_pipeline(parse(text), BUILD)
    codes = [(d.code, d.node) for d in caught.value.diagnostics]
    assert codes == [("GX-510", "a"), ("GX-510", "c"), ("GX-511", "u")]


def test_constants_from_files_are_refused() -> None:
    """What is in the file is not known here; two of one type would share a place."""
    text = """ge.graph @g() {
      %a = ge.FileConstant() {shape = [4], dtype = f32, file_path = "a"} : tensor<4xf32>
      %b = ge.FileConstant() {shape = [4], dtype = f32, file_path = "b"} : tensor<4xf32>
      %c = ge.Add(%a, %b) : tensor<4xf32>
      ge.NetOutput(%c)
    }"""
    with pytest.raises(GeError) as caught:
        run_pipeline(parse(text), BUILD)
    assert [(d.code, d.node) for d in caught.value.diagnostics] == [
        ("GX-510", "a"),
        ("GX-510", "b"),
    ]


def test_open_shapes_are_said_once() -> None:
    lines = [f"%n{i} = ge.Relu(%n{i - 1}) : tensor<?xf32>" for i in range(1, 30)]
    text = "\n".join(
        [
            "ge.graph @g(%n0: tensor<?xf32>, %s: tensor<8xf32>) {",
            *lines,
            "%z = ge.NonZero(%s) : tensor<8x1xi64>",
            "ge.NetOutput(%n29, %z)\n}",
        ]
    )
    with pytest.raises(GeError) as caught:
        run_pipeline(parse(text), BUILD)
    (open_, told) = caught.value.diagnostics
    assert [d.code for d in (open_, told)] == ["GX-511"] * 2
    assert open_.message == "@g: the shapes of 29 nodes are not known at build time"
    assert open_.node == "n1"
    assert (open_.found or "").startswith("n1 (ge.Relu: tensor<?xf32>); n2 (ge.Relu: ")
    assert (open_.found or "").endswith("; n8 (ge.Relu: tensor<?xf32>); and 21 more")
    assert (open_.hint or "").endswith("(--input-shape of ge-run, ge-translate): n0")
    assert told.message.startswith("@g: the shapes of a node are declared, and follow from values")
    assert told.found == "z (ge.NonZero: tensor<8x1xi64>)"


def test_steps_out_of_order_are_refused() -> None:
    text = """ge.graph @g(%x: tensor<8xf32>) {
      %a = ge.Relu(%x) : tensor<8xf32>
      ge.NetOutput(%a)
    }"""
    for pipeline in ("lower-to-rt", "memory-plan", "event-insertion"):
        with pytest.raises(GeError, match="GX-405"):
            run_pipeline(parse(text), pipeline)
    with pytest.raises(GeError, match="GX-513"):
        run_pipeline(parse(text), "engine-claim,stream-assignment,memory-plan")


@pytest.mark.parametrize("outputs", ["%a, %a", "%x, %a, %x", "%i:1, %i:0, %i:1"])
def test_outputs_are_called_alike_before_and_after(outputs: str) -> None:
    text = f"""ge.graph @g(%x: tensor<4xf32>) {{
  %a = ge.Relu(%x) : tensor<4xf32>
  %i:2 = ge.IdentityN(%a, %x) : tensor<4xf32>, tensor<4xf32>
  ge.NetOutput({outputs.replace(":", "#")})
}}"""
    golden = evaluate(parse(text), [np.zeros(4, np.float32)]).output_names
    assert len(set(golden)) == len(golden)
    _, view = lowered(text)
    assert [b.node for b in view.outputs] == golden


@pytest.mark.parametrize("reader", ["", "%b = ge.Rank(%y) : tensor<i32>"])
def test_an_input_of_unknown_size_is_refused_even_where_no_node_shows_it(reader: str) -> None:
    text = f"""ge.graph @g(%x: tensor<8xf32>, %y: tensor<?xf32>, %z: tensor<?x2xf32>) {{
      %a = ge.Relu(%x) : tensor<8xf32>
      {reader}
      ge.NetOutput(%a)
    }}"""
    with pytest.raises(GeError) as caught:
        run_pipeline(parse(text), BUILD)
    (said,) = caught.value.diagnostics
    assert said.code == "GX-511"
    assert said.message == "@g: the shapes of 2 inputs are not known at build time"
    assert said.found == "y (tensor<?xf32>); z (tensor<?x2xf32>)"
    assert (said.hint or "").endswith(": y, z")


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        ("ge.wait = [0]", "ge.record = [0]", "numbers 0"),  # no order to wait in
        ("ge.record = [0]", "ge.wait = [1]", "numbers 0, 1"),
        ("ge.record = [0, 1]", "ge.wait = [0]", "numbers 1"),
        ("ge.record = [2, 2]", "ge.wait = [2]", "numbers 2"),
    ],
)
def test_events_that_order_no_tasks_are_refused(first: str, second: str, found: str) -> None:
    text = f"""ge.graph @g(%x: tensor<8xf32>) attributes {{ge.events_inserted}} {{
      %a = ge.Relu(%x) {{ge.engine = "AIcoreEngine", ge.stream = 0, {first}}} : tensor<8xf32>
      %b = ge.Relu(%a) {{ge.engine = "DNN_VM_AICPU", ge.stream = 1, {second}}} : tensor<8xf32>
      ge.NetOutput(%b)
    }}"""
    with pytest.raises(GeError) as caught:
        run_pipeline(parse(text), "memory-plan")
    (said,) = caught.value.diagnostics
    assert (said.code, said.found) == ("GX-513", found)
    run_pipeline(parse(text), "event-insertion,memory-plan")


def test_one_input_of_unknown_size_is_one() -> None:
    text = """ge.graph @g(%x: tensor<8xf32>, %y: tensor<?xf32>) {
      %a = ge.Relu(%x) : tensor<8xf32>
      ge.NetOutput(%a)
    }"""
    with pytest.raises(GeError) as caught:
        run_pipeline(parse(text), BUILD)
    (said,) = caught.value.diagnostics
    assert said.message == "@g: the shapes of an input are not known at build time"
    assert said.found == "y (tensor<?xf32>)"
