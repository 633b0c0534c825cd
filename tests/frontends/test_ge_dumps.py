"""GE's dumps in and out: every committed dump gives its IR, and its own text again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ge_dialect.api import load
from ge_dialect.diagnostics import DiagnosticSink, GeError
from ge_dialect.exporters.ge_dump import export_dump
from ge_dialect.importers.ge_dump import dump_kind, import_dump
from ge_dialect.ir.printer import print_module
from ge_dialect.ir.reader import parse_module
from ge_dialect.ir.verifier import verify
from tests.frontends import dump_build as build
from tests.frontends import dump_diff

HERE = Path(__file__).parent
DUMPS = HERE / "data" / "dumps"
FILES = sorted(p for p in DUMPS.iterdir() if p.suffix in (".txt", ".pbtxt", ".json"))
REGENERATE = "GE_REGENERATE"


#: Files whose own form is not written again, and why (docs/ge_dumps.md, "What is not written").
REFORMED = {
    "v1_loop.txt": "a loop of TensorFlow 1 is a While",
    "v1_nested.txt": "loops of TensorFlow 1 are While",
    "v1_branch.txt": "a branch of TensorFlow 1 is an If",
    "single_op.json": "written as ge-proto",
}
#: (end of the path, before, after) of single differences that the same page lists.
ALLOWED = {("/op/caret/input[1]", "^old", "old:-1")}


def imported(path: Path):
    """Model, text and warnings of a dump."""
    text = path.read_text(encoding="utf-8")
    sink = DiagnosticSink()
    return import_dump(text, label=path.name, sink=sink), text, sink


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_expected_ir(path: Path) -> None:
    model, _, sink = imported(path)
    assert verify(model.module) == []
    warned = "".join(f"// {line}\n" for d in sink.diagnostics for line in d.render().splitlines())
    text = warned + model.text()
    expected = path.with_suffix(path.suffix + ".mlir")
    if os.environ.get(REGENERATE):
        expected.write_text(text, encoding="utf-8")
    assert text == expected.read_text(encoding="utf-8")
    assert print_module(parse_module(text)) == model.text()


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_round_trip(path: Path) -> None:
    model, text, _ = imported(path)
    kind = dump_kind(text)
    assert kind is not None
    to = "ge-proto" if kind == "single-op" else kind
    written = export_dump(model, to)
    again = import_dump(written, label="again")
    if kind != "single-op":
        assert again.text() == model.text()
    assert export_dump(again, to) == written
    if path.name not in REFORMED:
        found = dump_diff.diff_texts(text, written)
        left = [
            d for d in found if not any(d[0].endswith(e) and d[1:] == (a, b) for e, a, b in ALLOWED)
        ]
        assert left == []


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_passes_run(path: Path) -> None:
    from passes.manager import run_pipeline

    model, _, _ = imported(path)
    run_pipeline(model, "prune,cse")
    assert verify(model.module) == []
    export_dump(model, "ge-proto")


@pytest.mark.parametrize("to", ["ge-proto", "ge-onnx", "om-json"])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_every_kind_of_every_dump(to: str, level: int) -> None:
    for path in FILES:
        model, _, _ = imported(path)
        written = export_dump(model, to, level=level)
        assert dump_kind(written) == to, path.name
        if level == 1:
            import_dump(written, label=path.name)


def test_load_tells_the_kind_by_content(tmp_path: Path) -> None:
    for path in FILES:
        other = tmp_path / "model.bin"
        other.write_bytes(path.read_bytes())
        assert load(other).text() == load(path).text()


def test_viewers_format_is_onnx(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    from google.protobuf import text_format

    for path in FILES:
        model, _, _ = imported(path)
        text = export_dump(model, "ge-onnx")
        text = text.replace("  later: 3\n", "")  # the field of one file that nobody declares
        found = text_format.Parse(text, onnx.ModelProto())
        assert found.graph.node or not model.graphs[0].body.ops


def test_values_of_a_loop_and_a_branch() -> None:
    import numpy as np

    from ge_dialect.api import evaluate

    x = np.arange(4, dtype=np.float32)
    loop, _, _ = imported(DUMPS / "v1_loop.txt")
    (result,) = evaluate(loop, {"n": np.int32(3), "x": x, "k": x}).outputs
    np.testing.assert_array_equal(result, x * 4)
    branch, _, _ = imported(DUMPS / "v1_branch.txt")
    for p, wanted in ((True, [-x + 2, -x]), (False, [x, np.ones(4)])):
        got = evaluate(branch, {"p": np.bool_(p), "x": x, "y": np.full(4, 2, np.float32)}).outputs
        for a, b in zip(got, wanted, strict=True):
            np.testing.assert_array_equal(a, b)
    nested, _, _ = imported(DUMPS / "while_loop.txt")
    (result,) = evaluate(nested, {"n": np.int32(2), "x": x}).outputs
    np.testing.assert_array_equal(result, x * 4)


LOOP = """
ge.graph @g(%n: tensor<i32>, %x: tensor<2xf32>) {
  %n_e = ge.Enter(%n) {frame_name = "l", is_constant = false} : tensor<i32>
  %x_e = ge.Enter(%x) {frame_name = "l", is_constant = false} : tensor<2xf32>
  %n_m, %n_k = ge.Merge(%n_e) {ge.back_edges = {"1" = "7:0"}} : tensor<i32>, tensor<i32>
  %x_m, %x_k = ge.Merge(%x_e) {ge.back_edges = {"0" = "x_next:0"}} : tensor<2xf32>, tensor<i32>
  %zero = ge.Const() {value = dense<0> : tensor<i32>} : tensor<i32>
  %one = ge.Const() {value = dense<1> : tensor<i32>} : tensor<i32>
  %test = ge.Greater(%n_m, %zero) : tensor<i1>
  %again = ge.LoopCond(%test) : tensor<i1>
  %n_s0, %n_s1 = ge.Switch(%n_m, %again) : tensor<i32>, tensor<i32>
  %x_s0, %x_s1 = ge.Switch(%x_m, %again) : tensor<2xf32>, tensor<2xf32>
  %less = ge.Sub(%n_s1, %one) : tensor<i32>
  %y = ge.Add(%x_s1, %x_s1) : tensor<2xf32>
  PRINT
  %7 = ge.NextIteration(%less) : tensor<i32>
  %x_next = ge.NextIteration(%y) : tensor<2xf32>
  %out = ge.Exit(%x_s0) : tensor<2xf32>
  ge.NetOutput(%out)
}
"""


@pytest.mark.parametrize("to", ["ge-proto", "ge-onnx", "om-json"])
@pytest.mark.parametrize("printing", ["ge.Print(%y)", ""])
def test_a_loop_of_our_own_keeps_its_edges_back(to: str, printing: str) -> None:
    import numpy as np

    from ge_dialect.api import evaluate, parse

    text = export_dump(parse(LOOP.replace("PRINT", printing)), to=to)
    again = import_dump(text, sink=DiagnosticSink())
    names = {op.name for op in again.module.walk()}
    assert ("ge.Merge" in names) == bool(printing)  # what prints is not built as a While is
    (result,) = evaluate(again, [np.int32(3), np.array([1, 2], np.float32)]).outputs
    assert result.tolist() == [8, 16]


@pytest.mark.parametrize("wrong", ['{"9" = "x_next:0"}', '{"x" = "x_next:0"}', '"x_next:0"'])
def test_edges_back_that_are_none_are_not_written(wrong: str) -> None:
    from ge_dialect.api import parse

    text = LOOP.replace("PRINT", "").replace('{"0" = "x_next:0"}', wrong)
    with pytest.raises(GeError, match=r"ge\.back_edges") as error:
        export_dump(parse(text))
    assert {d.code for d in error.value.diagnostics} == {"GX-353"}


def test_values_of_constants() -> None:
    import numpy as np

    model, _, _ = imported(DUMPS / "constants.txt")
    consts = {op.ge_node_name: op for op in model.graphs[0].body.ops if op.name == "ge.Const"}
    from ge_dialect.ir.dense import dense_to_numpy
    from ge_dialect.weights.resolve import resolve

    whole = dense_to_numpy(consts["whole"].properties["value"])
    np.testing.assert_array_equal(whole, [1, 2, 3, 4])
    blocked = dense_to_numpy(consts["blocked"].properties["value"])
    np.testing.assert_array_equal(blocked.reshape(3, 2), [[1, 2], [3, 4], [5, 6]])
    large = resolve(consts["large"].properties["value"], model.weights)
    np.testing.assert_array_equal(large.ravel(), np.arange(100))
    for name in ("empty_value", "part", "words"):
        assert consts[name].properties["value"].abstract


def test_both_numberings_of_dtypes() -> None:
    model, _text, _ = imported(DUMPS / "dtypes.txt")
    types = {
        op.ge_node_name: str(op.results[0].type)
        for op in model.graphs[0].body.ops
        if op.name == "ge.Cast"
    }
    assert types["to_u8"] == "tensor<4xui8>"  # dst_type 4 is uint8, DT 4 would be int16
    assert types["to_long"] == "tensor<4xi64>"
    from ge_dialect.importers.ge_schema import PROTO_DTYPES

    assert PROTO_DTYPES.index("DT_BF16") == PROTO_DTYPES.index("DT_VARIANT") + 1 == 27
    assert PROTO_DTYPES.index("DT_FLOAT") == 1
    assert PROTO_DTYPES.index("DT_UINT8") == 4


def test_a_graph_of_our_own() -> None:
    from ge_dialect.api import parse

    text = """ge.graph @net(%x: tensor<1x3x8x8xf16>, %v: !ge.ref<tensor<4xf32>>) {
      %t = ge.TransData(%x) {src_format = "NCHW", dst_format = "NC1HWC0"}
        : tensor<1x3x8x8xf16, #ge.layout<NC1HWC0>>
      %w = ge.Const() {value = dense<1.0> : tensor<4x3x1x1xf16>} : tensor<4x3x1x1xf16>
      %f = ge.TransData(%w) {src_format = "NCHW", dst_format = "FRACTAL_Z"}
        : tensor<4x3x1x1xf16, #ge.layout<FRACTAL_Z>>
      %y, %y_done = ge.Conv2D(%t, %f) {strides = [1, 1, 1, 1], pads = [0, 0, 0, 0],
        data_format = "NCHW", ge.engine = "AIcoreEngine", ge.stream = 2 : i64}
        : tensor<1x4x8x8xf16, #ge.layout<NC1HWC0>>, !ge.ctrl loc("conv"("a", "b"))
      %r = ge.Read(%v) after(%y_done) : tensor<4xf32>
      %s = ge.Relu(%r) : tensor<4xf32>
      ge.NetOutput(%y, %s)
    }
    """
    model = parse(text.replace('loc("conv"("a", "b"))', 'loc("conv"(fused["a", "b"]))'))
    written = export_dump(model)
    for part in (
        '"conv"',
        "DT_FLOAT16",
        "format_for_int",
        '"_datadump_original_op_names"',
        "stream_id: 2",
        '"_ge_opt.engine"',
        '"conv:-1"',
        'layout: "FRACTAL_Z"',
    ):
        assert part in written
    again = import_dump(written)
    assert verify(again.module) == []
    assert 'ge.engine = "AIcoreEngine"' in again.text()
    assert "#ge.layout<FRACTAL_Z>" in again.text()
    for to in ("ge-onnx", "om-json"):
        import_dump(export_dump(model, to))


def test_a_compiled_model_is_no_graph() -> None:
    from ge_dialect.api import parse

    with pytest.raises(GeError) as caught:
        export_dump(parse("builtin.module {\n}\n"))
    assert caught.value.diagnostics[0].code == "GX-353"


def test_changed_graph_forgets_what_is_no_longer_true() -> None:
    model, _, _ = imported(DUMPS / "formats.txt")
    from ge_dialect.ir.private import set_type
    from ge_dialect.ir.types import tensor_type

    block = model.graphs[0].body
    relu = next(op for op in block.ops if op.name == "ge.Relu")
    shape = (1, 8, 8, 3)
    for value in (*relu.results, relu.operands[0]):
        set_type(value, tensor_type(shape, value.type.element_type))
    written = export_dump(model)
    msg = dump_diff.read_dump(written)
    (op,) = [o for o in msg.many("graph")[0].many("op") if o.get("name") == "rh"]
    assert op.many("output_desc")[0].get("layout") == "NHWC"
    assert op.many("output_desc")[0].get("shape").many("dim") == list(shape)


def test_the_legend_names_every_field() -> None:
    from ge_dialect.importers.ge_schema import SCHEMA

    page = (HERE.parents[1] / "docs" / "ge_dumps.md").read_text(encoding="utf-8")
    for message in ("ModelDef", "GraphDef", "OpDef", "TensorDescriptor", "AttrDef"):
        missing = [f for f in SCHEMA[message] if f"`{f}`" not in page and f != "op"]
        assert missing == [], message


def test_types_of_descriptors() -> None:
    from ge_dialect.importers.ge_types import desc_type

    d, i = build.desc, build.i
    cases = {
        "tensor<1x1x8x8x16xf32>": d([1, 1, 8, 8, 16], layout="NC1HWC0"),
        "tensor<3x7x16x16xf32>": d([3, 7, 16, 16], layout="FRACTAL_NZ", origin="ND"),
        "tensor<f32>": d([]),
        "tensor<?x4xf32>": d([-1, 4]),
        "tensor<*xf32>": d([-2]),
        "tensor<0x4xf32>": d([0, 4]),
        "tensor<1x3x8x8xf32>": d([1, 3, 8, 8], layout="ND", origin="NCHW"),
        "tensor<4xi32>": d([4], "DT_INT32"),
        "tensor<4x!ge.variant>": d([4], ""),
        "tensor<1x8x8x3xf32, #ge.layout<NCHW, origin = NHWC>>": d(
            [1, 3, 8, 8], layout="NCHW", origin="NHWC", origin_shape=[1, 8, 8, 3]
        ),
        # the number of a format goes before its text
        "tensor<1x3x8x8xf32, #ge.layout<NC1HWC0, c0 = 8>>": d(
            [1, 1, 8, 8, 8],
            layout="ND",
            origin="NCHW",
            origin_shape=[1, 3, 8, 8],
            format_for_int=i(3 | 4 << 24),
        ),
        "tensor<32x1x3x3xf32, #ge.layout<FRACTAL_Z, groups = 32>>": d(
            [18, 1, 16, 16], layout="FRACTAL_Z:32", origin="NCHW", origin_shape=[32, 1, 3, 3]
        ),
    }
    for text, desc in cases.items():
        assert str(desc_type(desc)) == text


def test_variables_of_one_name_are_warned_of() -> None:
    b = build
    v = b.desc([4])
    text = b.model(
        b.graph(
            "root",
            b.op("v", "Variable", [], [v]),
            b.op("c", "PartitionedCall", ["v:0"], [v], [v], subgraph_name=["f"]),
            b.out(["c:0"], [v]),
        ),
        b.graph("f", b.op("v", "Variable", [], [v]), b.out(["v:0"], [v], [0])),
    )
    sink = DiagnosticSink()
    import_dump(text, sink=sink)
    assert [d.code for d in sink.diagnostics] == ["GX-354"]
