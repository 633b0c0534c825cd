"""What GE says in one node and ONNX in several: boxes, distinct values, attention, experts, loops,
gradients. Values are those of ONNX's evaluator and of the model imported again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="needs the extra ge-opt[onnx]")

from ge_dialect import api  # noqa: E402
from ge_dialect.exporters.onnx import export_onnx  # noqa: E402
from ge_dialect.importers.onnx import import_onnx  # noqa: E402
from ge_dialect.importers.onnx_reference import reference_evaluator  # noqa: E402
from ge_dialect.semantics.compare import relative_error  # noqa: E402

DATA = Path(__file__).parent / "data" / "onnx_export"


def check(model: api.Model, inputs: dict, opset: int | None = None, *, reference: bool = True):
    """The exported model, whose values are the golden ones."""
    made = export_onnx(model, opset=opset)
    onnx.checker.check_model(made, full_check=True)
    golden = api.evaluate(model, inputs).outputs
    found = [api.evaluate(import_onnx(made), inputs).outputs]
    if reference:
        found.append([np.asarray(v) for v in reference_evaluator(made).run(None, inputs)])
    for values in found:
        for want, got in zip(golden, values, strict=True):
            assert (got.dtype, got.shape) == (want.dtype, want.shape)
            limit = 0 if want.dtype.kind in "biu" else 1e-5 if want.dtype.itemsize > 2 else 1e-2
            assert relative_error(got, want) <= limit, (got, want)
    return made


def node(text: str, inputs: dict, **more):
    """The exported model of one node with its inputs: `ge.Op(%x, …) {…} : results`."""
    arguments = ", ".join(f"%{n}: {_type(v)}" for n, v in inputs.items())
    names = ", ".join(f"%y{i}" for i in range(text.rpartition(" : ")[2].count("tensor<")))
    source = f"ge.graph @net({arguments}) {{\n  {names} = {text}\n  ge.NetOutput({names})\n}}\n"
    return check(api.parse(source), inputs, **more)


def _type(value: np.ndarray) -> str:
    kinds = {"float32": "f32", "float16": "f16", "int32": "i32", "int64": "i64", "bool": "i1"}
    return f"tensor<{''.join(f'{d}x' for d in value.shape)}{kinds[value.dtype.name]}>"


def kinds_of(made) -> list[str]:
    return [n.op_type for n in made.graph.node]


# --- boxes and distinct values ---------------------------------------------------------------


@pytest.mark.parametrize("limit", [-1, 0, 1, 2, 9])
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_non_max_suppression(limit, dtype):
    boxes = np.array([[0, 0, 1, 1], [1, 1.125, 0, 0.125], [0, 4, 1, 5], [0, 0, 0, 0]], dtype)
    inputs = {
        "b": boxes,
        "s": np.array([0.5, 0.75, 0.25, 0.125], dtype),
        "k": np.array(limit, np.int32),
        "o": np.array(0.5, dtype),
        "t": np.array(0.2, dtype),
    }
    made = node("ge.NonMaxSuppressionV3(%b, %s, %k, %o, %t) : tensor<?xi32>", inputs)
    assert "NonMaxSuppression" in kinds_of(made)


@pytest.mark.parametrize("sorted_", ["true", "false"])
@pytest.mark.parametrize("asked", ["true", "false"])
@pytest.mark.parametrize("shape", [(6,), (2, 3), (0,), ()])
def test_distinct_values(sorted_, asked, shape):
    x = np.array([3, -1, 3, 2, -1, 5], np.int64)[: int(np.prod(shape))].reshape(shape)
    dims = "".join(f"{d}x" for d in shape) if asked == "true" else "0x"
    counts = "?x" if asked == "true" else "0x"
    node(
        "ge.UniqueWithCountsAndSorting(%x) {sorted = "
        f"{sorted_}, return_inverse = {asked}, return_counts = {asked}}} : "
        f"tensor<?xi64>, tensor<{dims}i64>, tensor<{counts}i64>",
        {"x": x},
        reference=bool(x.size),
    )


@pytest.mark.parametrize("axis", [0, 1, 1000])
def test_runs_of_equal_values(axis):
    x = np.array([[1, 1, 2, 2, 2], [1, 1, 2, 2, 3]], np.int32)
    dims = {0: "2x", 1: "5x", 1000: "2x5x"}[axis]
    y = {0: "?x5x", 1: "2x?x", 1000: "?x"}[axis]
    node(
        f"ge.UniqueConsecutive(%x) {{axis = {axis}, return_idx = true, return_counts = true}} : "
        f"tensor<{y}i32>, tensor<{dims}i64>, tensor<?xi64>",
        {"x": x},
    )


@pytest.mark.parametrize("method", ["bilinear", "nearest"])
@pytest.mark.parametrize("size", [(1, 1), (2, 3)])
def test_crops_of_images(method, size):
    rng = np.random.default_rng(0)
    inputs = {
        "x": rng.normal(size=(2, 4, 5, 3)).astype("f4"),
        "b": np.array([[0, 0, 1, 1], [0.25, 0.5, 1.25, 0], [-0.5, 0.1, 0.3, 0.7]], np.float32),
        "i": np.array([0, 1, 1], np.int32),
    }
    rows, columns = size
    source = f"""ge.graph @net(%x: tensor<2x4x5x3xf32>, %b: tensor<3x4xf32>, %i: tensor<3xi32>) {{
  %s = ge.Const() {{value = dense<[{rows}, {columns}]> : tensor<2xi32>}} : tensor<2xi32>
  %y = ge.CropAndResize(%x, %b, %i, %s) {{method = "{method}", extrapolation_value = -2.0 : f32}}
    : tensor<3x{rows}x{columns}x3xf32>
  ge.NetOutput(%y)
}}
"""
    check(api.parse(source), inputs)


# --- attention -------------------------------------------------------------------------------


def _heads(*shape: int, seed: int = 0, dtype: str = "float32") -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


def _three(dtype: str = "float32") -> dict:
    return {
        "q": _heads(2, 4, 3, 8, seed=0, dtype=dtype),
        "k": _heads(2, 2, 5, 8, seed=1, dtype=dtype),
        "v": _heads(2, 2, 5, 6, seed=2, dtype=dtype),
    }


_PLAIN = '{num_heads = 4, num_key_value_heads = 2, input_layout = "BNSD", scale_value = 0.25 : f32'


@pytest.mark.parametrize(("opset", "found"), [(21, False), (28, True)])
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_attention_to_everything_is_attention(opset, found, dtype):
    t = "f32" if dtype == "float32" else "f16"
    text = f"ge.PromptFlashAttention(%q, %k, %v) {_PLAIN}}} : tensor<2x4x3x6x{t}>"
    made = node(text, _three(dtype), opset=opset)
    assert ("Attention" in kinds_of(made)) == found


@pytest.mark.parametrize("mode", [0, 1, 2, 3, 4])
def test_attention_that_leaves_scores_out(mode):
    """Also whole rows, which are 0 then."""
    mask = np.zeros((3, 5), bool)
    mask[1] = True
    mask[0, 3:] = True
    text = (
        f"ge.PromptFlashAttention(%q, %k, %v, atten_mask = %m) {_PLAIN}, sparse_mode = {mode}, "
        "pre_tokens = 1, next_tokens = 1} : tensor<2x4x3x6xf32>"
    )
    made = node(text, {**_three(), "m": mask})
    assert "Attention" not in kinds_of(made)


def test_attention_of_samples_of_their_own_lengths():
    text = (
        "ge.FusedInferAttentionScore(%q, [%k], [%v], actual_seq_lengths = %a, "
        "actual_seq_lengths_kv = %b) {num_heads = 4, num_key_value_heads = 2, "
        'input_layout = "BNSD_BSND", softmax_lse_flag = true, sparse_mode = 3} : '
        "tensor<2x3x4x6xf32>, tensor<2x4x3x1xf32>"
    )
    node(text, {**_three(), "a": np.array([2, 3]), "b": np.array([0, 4])})


@pytest.mark.parametrize("layout", ["BSH", "SBH", "BSND", "BNSD"])
@pytest.mark.parametrize("kind", [0, 1])
def test_attention_with_what_the_gradient_needs(layout, kind):
    shapes = {
        "BSH": ((2, 3, 8), (2, 5, 4)),
        "SBH": ((3, 2, 8), (5, 2, 4)),
        "BSND": ((2, 3, 2, 4), (2, 5, 1, 4)),
        "BNSD": ((2, 2, 3, 4), (2, 1, 5, 4)),
    }
    a, b = shapes[layout]
    inputs = {
        "q": _heads(*a, seed=0),
        "k": _heads(*b, seed=1),
        "v": _heads(*b, seed=2),
        "s": _heads(2, 2, 3, 5, seed=3),
    }
    text = (
        f"ge.FlashAttentionScore(%q, %k, %v, real_shift = %s) {{head_num = 2, pse_type = {kind}, "
        f'input_layout = "{layout}", scale_value = 0.5 : f32}} : tensor<2x2x3x8xf32>, '
        f"tensor<2x2x3x8xf32>, tensor<0x0x0x0xf32>, tensor<{'x'.join(map(str, a))}xf32>"
    )
    node(text, inputs)


# --- sub-graphs ------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [-1, 0, 1, 2, 7])
def test_case_is_ifs_within_one_another(number):
    model = api.parse((DATA / "case.mlir").read_text())
    x = np.array([1, -2, 3], np.float32)
    made = check(model, {"i": np.array(number, np.int32), "x": x})
    assert kinds_of(made).count("If") == 1


@pytest.mark.parametrize(
    ("start", "limit", "delta"),
    [(0, 3, 1), (1, 8, 3), (5, -2, -2), (2, 2, 1), (3, 0, 2), (0, 4, -1)],
)
def test_for_is_a_loop_of_counted_turns(start, limit, delta):
    model = api.parse((DATA / "for.mlir").read_text())
    x = np.array([1, -2, 3], np.float32)
    bounds = {n: np.array(v, np.int32) for n, v in zip("ind", (start, limit, delta), strict=True)}
    check(model, {**bounds, "x": x, "w": x})


# --- names -----------------------------------------------------------------------------------


def test_names_of_inputs_and_outputs_survive_whatever_they_are():
    """Names that are no identifiers, that repeat, or that other nodes would take."""
    helper = onnx.helper
    value = helper.make_tensor_value_info
    names = ["x", "a/b:0", "a/b:1", "a_b_0", "x_1", "é.w", "z 1"]
    nodes = [
        helper.make_node("Split", ["x"], ["a/b:0", "a/b:1"], name="x_1", num_outputs=2),
        helper.make_node("Relu", ["a/b:0"], ["a_b_0"], name="a/b:1"),
        helper.make_node("Neg", ["a/b:0"], ["x_1"], name="x"),
        helper.make_node("Exp", ["x_1"], ["é.w"]),
        helper.make_node("Add", ["é.w", "a_b_0"], ["z 1"], name="é.w"),
    ]
    ends = [value(n, 1, [2, 3]) for n in names[1:]]
    proto = helper.make_model(helper.make_graph(nodes, "g", [value("x", 1, [4, 3])], ends))
    model = import_onnx(proto)
    again = export_onnx(model)
    twice = export_onnx(import_onnx(again))
    for made in (again, twice):
        assert [i.name for i in made.graph.input] == ["x"]
        assert [o.name for o in made.graph.output] == names[1:]
        onnx.checker.check_model(made, full_check=True)


def test_outputs_that_are_inputs_or_constants_keep_their_names():
    helper, value = onnx.helper, onnx.helper.make_tensor_value_info
    held = onnx.numpy_helper.from_array(np.ones(2, np.float32), "w")
    nodes = [
        helper.make_node("Identity", ["x"], ["again"]),
        helper.make_node("Relu", ["x"], ["y"]),
        helper.make_node("Identity", ["y"], ["z"]),
    ]
    names = ["z", "x", "w", "again", "y"]
    ends = [value(n, 1, [2]) for n in names]
    graph = helper.make_graph(nodes, "g", [value("x", 1, [2])], ends, [held])
    model = import_onnx(helper.make_model(graph))
    for _ in range(2):
        made = check(model, {"x": np.array([-1, 2], np.float32)})
        assert [i.name for i in made.graph.input] == ["x"]
        assert [o.name for o in made.graph.output] == names
        model = import_onnx(made)


# --- gradients of filters, recurrent layers ----------------------------------------------------


@pytest.mark.parametrize("data_format", ["NCHW", "NHWC"])
@pytest.mark.parametrize(
    ("stride", "dilation", "pad"), [(1, 1, 0), (2, 1, 1), (1, 2, 1), (3, 2, 2)]
)
def test_gradients_of_filters(data_format, stride, dilation, pad):
    rng = np.random.default_rng(0)
    out = [(d + 2 * pad - 2 * dilation - 1) // stride + 1 for d in (8, 7)]
    x = rng.normal(size=(2, 3, 8, 7)).astype("f4")
    g = rng.normal(size=(2, 4, *out)).astype("f4")
    sizes = [4, 3, 3, 3]
    if data_format == "NHWC":
        x, g, sizes = x.transpose(0, 2, 3, 1), g.transpose(0, 2, 3, 1), [3, 3, 3, 4]
    steps = [[1, 1, v, v] if data_format == "NCHW" else [1, v, v, 1] for v in (stride, dilation)]
    text = (
        f"ge.Conv2DBackpropFilterD(%x, %g) {{filter_size = {sizes}, strides = {steps[0]}, "
        f'dilations = {steps[1]}, pads = {[pad] * 4}, data_format = "{data_format}"}} : '
        f"tensor<{'x'.join(map(str, sizes))}xf32>"
    )
    made = node(text, {"x": np.ascontiguousarray(x), "g": np.ascontiguousarray(g)})
    assert "Conv" in kinds_of(made)


@pytest.mark.parametrize("layer", ["LSTM", "GRU"])
@pytest.mark.parametrize("bias", [False, True])
def test_recurrent_layers(layer, bias):
    gates = {"LSTM": 4, "GRU": 3}[layer]
    inputs = {
        "x": _heads(5, 2, 3, seed=0),
        "w": _heads(1, gates * 4, 3, seed=1),
        "r": _heads(1, gates * 4, 4, seed=2),
    }
    if bias:
        inputs["b"] = _heads(1, gates * 8, seed=3)
    last = "tensor<1x2x4xf32>"
    types = ", ".join(["tensor<5x1x2x4xf32>", last, last][: 3 if layer == "LSTM" else 2])
    arguments = ", ".join(["%x, %w, %r", *(["b = %b"] if bias else [])])
    made = node(f"ge.Common{layer}({arguments}) {{hidden_size = 4}} : {types}", inputs)
    assert kinds_of(made) == [layer]
