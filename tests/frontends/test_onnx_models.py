"""Example models in the manner of PyTorch's exporter, against ONNX's evaluator."""

from __future__ import annotations

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="needs the extra ge-opt[onnx]")

from ge_dialect.diagnostics import GeError  # noqa: E402
from ge_dialect.importers.onnx_models import MODELS, example_model, example_of  # noqa: E402

#: The one for every run; the others are in the full tier.
QUICK = "bert"
TOLERANCE = 1e-4
EVERY = [n if n == QUICK else pytest.param(n, marks=pytest.mark.full) for n in MODELS]
#: Other sizes than a model's own, for its dynamic variant.
OTHER = {
    "batch": 3,
    "sequence": 7,
    "past": 3,
    "height": 16,
    "width": 24,
}


def every_value(proto, fed) -> dict[str, np.ndarray]:
    """All values of a model by ONNX's reference evaluator, by name."""
    from ge_dialect.importers.onnx_reference import reference_evaluator

    whole = onnx.ModelProto()
    whole.CopyFrom(proto)
    have = {o.name for o in whole.graph.output}
    for node in whole.graph.node:
        for value in node.output:
            if value and value not in have:
                whole.graph.output.append(onnx.helper.make_empty_tensor_value_info(value))
    names = [o.name for o in whole.graph.output]
    return dict(zip(names, reference_evaluator(whole).run(None, fed), strict=True))


def agree(ox, example, fed, shapes=None) -> None:
    """Golden values equal ONNX's, of the outputs and of every node that computes."""
    from ge_dialect import api
    from ge_dialect.importers.onnx import import_onnx, value_names
    from ge_dialect.ir.verifier import verify

    expected = every_value(example.proto, fed)
    model = import_onnx(example.proto, input_shapes=shapes)
    assert [d.render() for d in verify(model.module)] == []
    text = model.text()
    assert api.parse(text).text() == text
    result = api.evaluate(model, fed, keep="all")
    outputs = [o.name for o in example.proto.graph.output]
    assert result.output_names == outputs
    ox.same(result.outputs, [expected[n] for n in outputs], TOLERANCE)
    for name in outputs:
        assert np.std(expected[name]) > 0.05  # constant outputs would hide any fault
    left_out = []
    for node, value in value_names(example.proto).items():
        if node in result.values:
            ox.same(result.values[node][:1], [expected[value]], TOLERANCE)
        else:
            left_out.append(node.rpartition("/")[2].partition("_")[0])
    # what computes shapes that are known is no node any more
    known = {"Shape", "Gather", "Unsqueeze", "Concat", "Slice", "ConstantOfShape", "Equal"}
    known |= {"Mul", "Where", "Range", "Add", "Sub", "Div", "Cast", "Reshape"}
    assert set(left_out) <= known


@pytest.mark.parametrize("name", EVERY)
def test_every_value_agrees_with_onnx(ox, name):
    example = example_model(name)
    onnx.checker.check_model(example.proto, full_check=True)
    agree(ox, example, example.inputs())


@pytest.mark.parametrize("name", EVERY)
def test_dynamic_variant_agrees_at_two_shapes(ox, name):
    example = example_model(name, dynamic=True)
    onnx.checker.check_model(example.proto, full_check=True)
    other = {dim: OTHER[dim] for dim in example.dims}
    assert other != example.dims
    for dims in ({}, other):
        fed = example.inputs(1, **dims)
        agree(ox, example, fed)


@pytest.mark.full
@pytest.mark.parametrize("name", MODELS)
def test_dynamic_variant_with_given_shapes_is_static(ox, name):
    """With the shapes of its inputs a dynamic model has no open dim left."""
    from ge_dialect.importers.onnx import import_onnx
    from ge_dialect.ir.types import is_static

    example = example_model(name, dynamic=True)
    fed = example.inputs(2)
    shapes = {n: a.shape for n, a in fed.items()}
    agree(ox, example, fed, shapes)
    (graph,) = import_onnx(example.proto, input_shapes=shapes).graphs
    assert all(is_static(a.type) for a in graph.args)
    assert all(is_static(r.type) for op in graph.body.ops for r in op.results)


@pytest.mark.full
@pytest.mark.parametrize("opset", [18, 20, 21, 23])
@pytest.mark.parametrize("name", MODELS)
def test_later_opsets_agree(ox, name, opset):
    """Axes as inputs, Gelu, GroupNormalization, Attention and RMSNormalization as operators."""
    from ge_dialect.importers.onnx_reference import reference_evaluator

    for dynamic in (False, True):
        example = example_model(name, opset=opset, dynamic=dynamic)
        onnx.checker.check_model(example.proto, full_check=True)
        fed = example.inputs(3)
        expected = reference_evaluator(example.proto).run(None, fed)
        ox.same(ox.run(example.proto, fed), expected, TOLERANCE)


@pytest.mark.full
@pytest.mark.parametrize("name", MODELS)
def test_half_precision_agrees(ox, name):
    """In float16 both round differently on the way: numpy sums products in float16."""
    from ge_dialect.importers.onnx_reference import reference_evaluator

    example = example_model(name, half=True)
    onnx.checker.check_model(example.proto, full_check=True)
    fed = example.inputs(5)
    assert {a.dtype.name for a in fed.values()} <= {"float16", "int64"}
    expected = reference_evaluator(example.proto).run(None, fed)
    assert expected[0].dtype == np.float16
    ox.same(ox.run(example.proto, fed), expected, 1e-2)


@pytest.mark.parametrize("name", MODELS)
def test_weights_depend_on_seed_and_name_only(name):
    same = [example_model(name, seed=3).proto.SerializeToString() for _ in range(2)]
    other = example_model(name, seed=4).proto.SerializeToString()
    assert same[0] == same[1]
    assert same[0] != other
    static, dynamic = (example_model(name, dynamic=d).proto.graph for d in (False, True))
    held = {i.name: i.raw_data for i in static.initializer}
    assert {i.name: i.raw_data for i in dynamic.initializer} == held


def test_models_by_text():
    example = example_of("llama:layers=3,dynamic", seed=2)
    assert (example.name, example.dynamic, example.config.layers) == ("llama", True, 3)
    assert example_of("bert-base").config.width == 768
    half = example_of("vit-base:half,batch=2", weights=False)
    assert (half.half, half.weights, half.config.batch) == (True, False, 2)
    for text in (
        "lama",
        "bert-huge",
        "bert:layer=1",
        "bert:layers",
        "bert:layers=x",
        "bert:seed=1",
    ):
        with pytest.raises(GeError, match="GX-012"):
            example_of(text)


def test_a_model_without_weights_has_types_only(tool, tmp_path):
    """So that a large one is compiled and timed in little memory."""
    from ge_dialect.importers.onnx import import_onnx

    example = example_of("llama-8b:half,layers=2", weights=False)
    assert example.proto.ByteSize() < 1_000_000
    model = import_onnx(example.proto, abstract_weights=True)
    assert model.text().count(", abstract>") >= 15
    with pytest.raises(GeError, match="GX-334"):
        import_onnx(example.proto)
    net = tmp_path / "net.mlir"
    source = "model:llama-8b:half,layers=2"
    assert tool("ge-translate", source, "--abstract-weights", "-o", str(net)).status == 0
    assert tool("ge-run", str(net), "--time-only").status == 0


def test_inputs_have_the_dims_asked_for():
    example = example_model("gpt2", dynamic=True)
    fed = example.inputs(batch=1, past=0)
    assert fed["input_ids"].shape == (1, 5)
    assert fed["past_key_values.1.value"].shape == (1, 4, 0, 12)
    with pytest.raises(ValueError, match="no such dims: heads"):
        example.inputs(heads=2)
    with pytest.raises(ValueError, match="static"):
        example_model("gpt2").inputs(batch=2)


def test_past_may_be_empty(ox):
    """The first step of decoding: keys and values of no token."""
    example = example_model("llama", dynamic=True)
    agree_outputs = example.inputs(past=0)
    from ge_dialect.importers.onnx_reference import reference_evaluator

    expected = reference_evaluator(example.proto).run(None, agree_outputs)
    ox.same(ox.run(example.proto, agree_outputs), expected, TOLERANCE)


@pytest.mark.parametrize("name", ["gpt2", "llama"])
def test_decoding_in_two_steps_gives_the_same(ox, name):
    """Tokens at once, or some of them after the others' keys and values: the same last logits."""
    from ge_dialect import api
    from ge_dialect.importers.onnx import import_onnx

    example = example_model(name, dynamic=True)
    model = import_onnx(example.proto)
    whole = example.inputs(6, batch=2, sequence=8, past=0)
    whole["attention_mask"] = np.ones((2, 8), np.int64)
    if "position_ids" in whole:
        whole["position_ids"] = np.tile(np.arange(8), (2, 1))
    at_once = api.evaluate(model, whole).by_name()
    first = {n: a[:, :5] if a.ndim == 2 else a for n, a in whole.items()}
    held = api.evaluate(model, first).by_name()
    then = {n: a[:, 5:] if a.ndim == 2 else a for n, a in whole.items()}
    then["attention_mask"] = whole["attention_mask"]
    for past in [n for n in then if n.startswith("past_key_values")]:
        then[past] = held[past.replace("past_key_values", "present")]
    result = api.evaluate(model, then).by_name()
    ox.same([result["logits"]], [at_once["logits"][:, 5:]], TOLERANCE)
    for key in [n for n in result if n.startswith("present")]:
        ox.same([result[key]], [at_once[key]], TOLERANCE)


def test_written_as_a_file(tmp_path, capsys, monkeypatch):
    from ge_dialect import api
    from ge_dialect.importers.onnx_models.__main__ import main

    monkeypatch.chdir(tmp_path)
    assert main(["vit:layers=1", "--inputs", "vit.npz"]) == 0
    fed = dict(np.load("vit.npz"))
    result = api.evaluate(api.load("vit.onnx"), fed)
    assert result.outputs[0].shape == (2, 10)
    assert main(["vat"]) == 1
    assert "bert" in capsys.readouterr().err


def test_translated_by_name(tool, tmp_path):
    out = tmp_path / "net.mlir"
    shapes = "input_ids:2,-1"
    done = tool("ge-translate", "model:bert:dynamic", "--input-shape", shapes, "-o", str(out))
    assert done.status == 0, done.err
    assert '%input_ids: tensor<2x?xi64> {ge.symbols = ["", "sequence"]}' in out.read_text()
    done = tool("ge-translate", "model:nothing")
    assert done.status == 1
    assert b"GX-012" in done.err


def test_sizes_computed_at_import_shape_what_is_filled(ox):
    """A size that is a sum, as of past and present tokens, makes the shape of a mask known."""
    from ge_dialect.importers.onnx import import_onnx
    from ge_dialect.ir.types import shape_of

    held = {"i": np.array(1, np.int64), "two": np.array([2], np.int64)}
    nodes = [
        ox.node("Shape", ["x"], ["s"]),
        ox.node("Gather", ["s", "i"], ["n"]),
        ox.node("Add", ["n", "n"], ["both"]),
        ox.node("Unsqueeze", ["both"], ["row"], axes=[0]),
        ox.node("Concat", ["two", "row"], ["dims"], axis=0),
        ox.node("ConstantOfShape", ["dims"], ["y"]),
    ]
    proto = ox.model(nodes, {"x": np.ones((5, 3), "f4")}, ["y"], opset=11, constants=held)
    (graph,) = import_onnx(proto).graphs
    assert shape_of(graph.net_output.ge_data_operands[0].type) == (2, 6)


# ------------------------------------------------------------------------ shapes given by the user


def shaped(ox, shapes, dims):
    """Types of the arguments of a model with inputs of these dims."""
    from ge_dialect.importers.onnx import import_onnx
    from ge_dialect.ir.types import shape_of

    fed = {n: np.ones([d if isinstance(d, int) else 1 for d in s], "f4") for n, s in dims.items()}
    nodes = [ox.node("Relu", [n], [f"y_{n}"]) for n in dims]
    types = {n: (1, list(s)) for n, s in dims.items()}
    proto = ox.model(nodes, fed, [f"y_{n}" for n in dims], opset=13, types=types)
    (graph,) = import_onnx(proto, input_shapes=shapes).graphs
    return [shape_of(a.type) for a in graph.args]


def test_a_named_dim_has_one_size_everywhere(ox):
    dims = {"a": ("n", 3), "b": ("m", "n")}
    assert shaped(ox, {"a": (4, 3)}, dims) == [(4, 3), (-1, 4)]
    assert shaped(ox, {"a": (4, -1), "b": (5, 4)}, dims) == [(4, 3), (5, 4)]
    assert shaped(ox, {}, dims) == [(-1, 3), (-1, -1)]


@pytest.mark.parametrize(
    ("shapes", "said"),
    [
        ({"c": (1, 2)}, "no input 'c'"),
        ({"a": (1,)}, "contradicts"),
        ({"a": (1, 4)}, "contradicts"),
        ({"a": (1, 3), "b": (1, 2)}, "two sizes"),
    ],
)
def test_shapes_that_do_not_fit(ox, shapes, said):
    with pytest.raises(GeError, match=said) as caught:
        shaped(ox, shapes, {"a": ("n", 3), "b": ("m", "n")})
    assert [d.code for d in caught.value.diagnostics] == ["GX-339"]


def test_notation_of_shapes():
    from ge_dialect.input_shapes import parse_input_shapes

    assert parse_input_shapes("a:1,-1; b::3 ;c:") == {"a": (1, -1), "b:": (3,), "c": ()}
    for text in ("", "a", "a:x", "a:1,,2", ":1", "a:1;a:2", "a:-2"):
        with pytest.raises(GeError, match="GX-339"):
            parse_input_shapes(text)
