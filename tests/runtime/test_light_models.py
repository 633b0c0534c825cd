"""The nine models of the onnx package, compiled and simulated, against golden semantics.

Golden semantics are compared with ONNX's evaluator elsewhere; here every value that survives to the
last stage is compared with golden, by node name.
"""

from __future__ import annotations

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="needs the extra ge-opt[onnx]")

from ge_dialect.api import evaluate  # noqa: E402
from ge_dialect.importers.onnx_random import (  # noqa: E402
    LIGHT_MODELS,
    light_model_path,
    randomize_weights,
)

#: Those small enough for every run; the others are in the full tier.
QUICK = ("squeezenet", "shufflenet")
TOLERANCE = 1e-3


def imported(name):
    from ge_dialect.importers.onnx import import_onnx

    return import_onnx(randomize_weights(onnx.load(light_model_path(name)), 0))


def inputs_of(model):
    from ge_dialect.ir.types import shape_of

    rng = np.random.default_rng(1)
    (graph,) = model.graphs
    return [rng.standard_normal(shape_of(a.type), np.float32) for a in graph.args]


def difference(got, want):
    """max|got - want| / max|want|"""
    assert got.shape == want.shape
    scale = np.abs(want.astype(np.float64)).max()
    return np.abs(got.astype(np.float64) - want).max() / max(scale, 1e-30)


@pytest.mark.parametrize(
    "name",
    [n if n in QUICK else pytest.param(n, marks=pytest.mark.full) for n in LIGHT_MODELS],
)
def test_simulated_values_agree_with_golden(name):
    from runtime.api import compile_default
    from runtime.loaded import load_model
    from runtime.sanitizer import find_races

    model = imported(name)
    inputs = inputs_of(model)
    golden = evaluate(model, inputs, keep="all")
    compiled = compile_default(model)
    loaded = load_model(compiled.module, compiled.weights)
    run = loaded.run(inputs, keep="all")
    for got, want in zip(run.outputs, golden.outputs, strict=True):
        assert difference(got, want) <= TOLERANCE
    compared = 0
    for kernel in loaded.model.kernels():
        if kernel.node in golden.values:
            got, want = run.values[kernel.node], golden.values[kernel.node]
            assert difference(got[0], want[0]) <= TOLERANCE, kernel.node
            compared += 1
    # All but what the compiler brings itself: conversions of layout, and parts of a fusion.
    own = [k for k in loaded.model.kernels() if k.op_type != "TransData"]
    assert compared >= 0.9 * len(own)
    assert find_races(loaded.model) == []


@pytest.mark.full
@pytest.mark.parametrize("name", LIGHT_MODELS)
def test_eager_values_agree_with_golden(name):
    from runtime.api import simulate

    model = imported(name)
    inputs = inputs_of(model)
    golden = evaluate(model, inputs, keep="all")
    run = simulate(model, inputs, mode="eager", keep="all")
    for node, values in golden.values.items():
        for got, want in zip(run.values.get(node, ()), values, strict=False):
            assert difference(got, want) <= TOLERANCE, node
    for got, want in zip(run.outputs, golden.outputs, strict=True):
        assert difference(got, want) <= TOLERANCE
