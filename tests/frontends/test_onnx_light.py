"""The nine models in the onnx package, with random weights, against ONNX's evaluator."""

from __future__ import annotations

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="needs the extra ge-opt[onnx]")

from ge_dialect.importers.onnx_random import (  # noqa: E402
    LIGHT_MODELS,
    light_model_path,
    randomize_weights,
)

#: Those small enough for every run; the others are in the full tier.
QUICK = ("squeezenet", "resnet50")
TOLERANCE = 1e-4


def prepared(name: str):
    """The model with random weights, its last values before Softmax and after as outputs."""
    model = randomize_weights(onnx.load(light_model_path(name)), 0)
    last = model.graph.node[-1]
    if last.op_type == "Softmax":
        model.graph.output.append(onnx.helper.make_empty_tensor_value_info(last.input[0]))
    return model


def inputs_of(model) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(1)
    return {
        i.name: rng.normal(size=[d.dim_value for d in i.type.tensor_type.shape.dim]).astype("f4")
        for i in model.graph.input
    }


@pytest.mark.parametrize(
    "name",
    [n if n in QUICK else pytest.param(n, marks=pytest.mark.full) for n in LIGHT_MODELS],
)
def test_golden_agrees_with_onnx(ox, name):
    from ge_dialect.importers.onnx_reference import reference_evaluator

    model = prepared(name)
    fed = inputs_of(model)
    found = ox.run(model, fed)
    expected = reference_evaluator(model).run(None, fed)
    ox.same(found, expected, TOLERANCE)
    assert np.std(expected[-1]) > 0.05  # constant logits would hide any fault


@pytest.mark.full
@pytest.mark.parametrize("name", LIGHT_MODELS)
def test_every_value_agrees_with_onnx(ox, name):
    """Not only the logits: each node's value, by its name."""
    from ge_dialect import api
    from ge_dialect.importers.onnx import import_onnx, value_names
    from ge_dialect.importers.onnx_reference import reference_evaluator

    model = prepared(name)
    names = value_names(model)
    have = {o.name for o in model.graph.output}
    for value in names.values():
        if value not in have:
            model.graph.output.append(onnx.helper.make_empty_tensor_value_info(value))
    fed = inputs_of(model)
    expected = dict(
        zip(
            [o.name for o in model.graph.output],
            reference_evaluator(model).run(None, fed),
            strict=True,
        )
    )
    found = api.evaluate(import_onnx(model), fed, keep="all").values
    compared = 0
    for node, value in names.items():
        if node in found:
            ox.same(found[node][:1], [expected[value]], TOLERANCE)
            compared += 1
    assert compared == len(names)


@pytest.mark.parametrize("name", LIGHT_MODELS)
def test_topology_arrives_whole(name):
    """With the package's own weights: every node of the file is a node of the graph."""
    from ge_dialect.importers.onnx import import_onnx, value_names

    model = onnx.load(light_model_path(name))
    imported = import_onnx(model)
    made = {op.ge_node_name for op in imported.graphs[0].body.ops}
    assert set(value_names(model)) <= made
    assert len(imported.weights) == 0


def test_random_weights_depend_on_seed_and_name_only():
    model = onnx.load(light_model_path("squeezenet"))
    before = model.SerializeToString()
    one, two, other = (randomize_weights(model, s) for s in (3, 3, 4))
    assert one.SerializeToString() == two.SerializeToString()
    assert one.SerializeToString() != other.SerializeToString()
    assert model.SerializeToString() == before
    assert not [n for n in one.graph.node if n.op_type == "ConstantOfShape"]
    assert [i.name for i in one.graph.input] == ["data_0"]


def test_random_weights_are_scaled():
    model = randomize_weights(onnx.load(light_model_path("resnet50")), 0)
    held = {i.name: onnx.numpy_helper.to_array(i) for i in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "BatchNormalization":
            assert (held[node.input[4]] > 0).all()
        if node.op_type == "Conv":
            w = held[node.input[1]]
            assert 0.5 < w.std() / np.sqrt(2 / w[0].size) < 1.5


def test_random_weights_leave_behaviour_alone(ox):
    """Bounds and exponents are initialisers too, but no weights."""
    held = {"low": np.float32(-1), "w": np.ones((4, 4), np.float32)}
    nodes = [ox.node("MatMul", ["x", "w"], ["t"]), ox.node("Clip", ["t", "low"], ["y"])]
    model = ox.model(nodes, {"x": np.ones((2, 4), np.float32)}, ["y"], opset=13, constants=held)
    fresh = {i.name: i for i in randomize_weights(model, 0).graph.initializer}
    assert onnx.numpy_helper.to_array(fresh["low"]) == -1
    assert np.std(onnx.numpy_helper.to_array(fresh["w"])) > 0


def test_unknown_light_model():
    from ge_dialect.diagnostics import GeError

    with pytest.raises(GeError, match="resnet50"):
        light_model_path("resnet51")
