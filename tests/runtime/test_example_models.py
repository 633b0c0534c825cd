"""Example models compiled and simulated, and run op by op, against golden semantics.

Golden semantics are compared with ONNX's evaluator elsewhere; here every value that survives to the
last stage is compared with golden, by node name. The compiler takes static shapes (GX-609): dynamic
variants are compiled for the shapes of their inputs.
"""

from __future__ import annotations

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="needs the extra ge-opt[onnx]")

from ge_dialect.api import evaluate  # noqa: E402
from ge_dialect.importers.onnx_models import MODELS, example_model  # noqa: E402

#: The one for every run; the others are in the full tier.
QUICK = "bert"
TOLERANCE = 1e-3
EVERY = [n if n == QUICK else pytest.param(n, marks=pytest.mark.full) for n in MODELS]
OTHER = {"batch": 3, "sequence": 7, "past": 3, "height": 16, "width": 24}
#: What the compiler brings itself.
OWN = ("TransData",)


def close(got, want, tolerance=TOLERANCE) -> bool:
    """max|got - want| <= tolerance * max|want|; integers and bools equal."""
    if got.shape != want.shape or got.dtype != want.dtype:
        return False
    if want.dtype.kind not in "fV":
        return bool(np.array_equal(got, want))
    a, b = got.astype(np.float64), want.astype(np.float64)
    if not np.array_equal(np.isfinite(a), np.isfinite(b)):
        return False
    held = np.isfinite(b)
    difference = np.abs(a - b, where=held, out=np.zeros(b.shape)).max(initial=0)
    return bool(difference <= tolerance * np.abs(b[held]).max(initial=0))


def compiled_agrees(model, fed) -> None:
    from runtime.api import compile_default
    from runtime.loaded import load_model
    from runtime.sanitizer import find_races

    golden = evaluate(model, fed, keep="all")
    compiled = compile_default(model)
    loaded = load_model(compiled.module, compiled.weights)
    run = loaded.run(fed, keep="all")
    for got, want in zip(run.outputs, golden.outputs, strict=True):
        assert close(got, want)
    kernels = [k for k in loaded.model.kernels() if k.op_type not in OWN]
    compared = 0
    for kernel in kernels:
        if kernel.node in golden.values:
            pair = run.values[kernel.node][0], golden.values[kernel.node][0]
            assert close(*pair), kernel.node
            compared += 1
    assert compared >= 0.9 * len(kernels)
    assert find_races(loaded.model) == []


@pytest.mark.parametrize("name", EVERY)
def test_simulated_values_agree_with_golden(name):
    from ge_dialect.importers.onnx import import_onnx

    example = example_model(name)
    compiled_agrees(import_onnx(example.proto), example.inputs())


@pytest.mark.parametrize("name", EVERY)
def test_eager_values_agree_with_golden(name):
    from ge_dialect.importers.onnx import import_onnx
    from runtime.api import simulate

    example = example_model(name)
    model, fed = import_onnx(example.proto), example.inputs()
    golden = evaluate(model, fed, keep="all")
    run = simulate(model, fed, mode="eager", keep="all")
    for got, want in zip(run.outputs, golden.outputs, strict=True):
        assert close(got, want)
    for node, values in run.values.items():
        for got, want in zip(values, golden.values.get(node, ()), strict=False):
            assert close(got, want), node
    (graph,) = model.graphs
    nodes = {op.ge_node_name for op in graph.body.ops if op.name != "ge.Const"}
    assert len(nodes & set(run.values)) >= 0.9 * len(nodes)


@pytest.mark.full
@pytest.mark.parametrize("name", MODELS)
def test_dynamic_variant_compiled_for_two_shapes(name):
    from ge_dialect.importers.onnx import import_onnx

    example = example_model(name, dynamic=True)
    for dims in ({}, {dim: OTHER[dim] for dim in example.dims}):
        fed = example.inputs(1, **dims)
        shapes = {n: a.shape for n, a in fed.items()}
        compiled_agrees(import_onnx(example.proto, input_shapes=shapes), fed)


@pytest.mark.full
@pytest.mark.parametrize("name", MODELS)
def test_latest_operators_run_on_the_device(name):
    """Whole layers as operators of opset 23, with dynamic dims, compiled and op by op."""
    from ge_dialect.importers.onnx import import_onnx
    from runtime.api import simulate

    example = example_model(name, opset=23, dynamic=True)
    fed = example.inputs(4)
    shapes = {n: a.shape for n, a in fed.items()}
    model = import_onnx(example.proto, input_shapes=shapes)
    golden = evaluate(model, fed)
    for mode in ("graph", "eager"):
        for got, want in zip(simulate(model, fed, mode=mode).outputs, golden.outputs, strict=True):
            assert close(got, want), mode


@pytest.mark.full
@pytest.mark.parametrize("name", MODELS)
def test_half_precision_on_the_device(name):
    """Golden semantics and kernels round to float16 after each node, not always alike."""
    from ge_dialect.importers.onnx import import_onnx
    from runtime.api import simulate

    example = example_model(name, half=True)
    model, fed = import_onnx(example.proto), example.inputs(5)
    golden = evaluate(model, fed)
    for mode in ("graph", "eager"):
        for got, want in zip(simulate(model, fed, mode=mode).outputs, golden.outputs, strict=True):
            assert close(got, want, 5e-3), mode
