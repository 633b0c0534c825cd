"""Optimisers compiled and on the simulated device: what the variables hold afterwards."""

from __future__ import annotations

import numpy as np
import pytest

from ge_dialect.api import evaluate, parse
from runtime.api import simulate

T = "tensor<2x3xf32>"
STEPS = {
    "ApplyGradientDescent": "%v, %lr, %g",
    "ApplyMomentum": "%v, %m, %lr, %g, %b",
    "ApplyAdam": "%v, %m, %s, %b, %b, %lr, %b, %b, %e, %g",
    "SGD": "%v, %g, %lr, %m, %b, %s",
}


def model_of(op):
    variables = [w for w in ("m", "s") if f"%{w}" in STEPS[op]]
    state = "\n".join(
        f"  %{w} = ge.Variable() {{value = dense<0.5> : {T}}} : !ge.ref<{T}>"
        for w in ("v", *variables)
    )
    numbers = "\n".join(
        f"  %{w} = ge.Const() {{value = dense<{value}> : tensor<f32>}} : tensor<f32>"
        for w, value in (("lr", 0.25), ("b", 0.5), ("e", 0.125))
        if f"%{w}" in STEPS[op]
    )
    reads = "\n".join(
        f"  %r{w} = ge.Read(%{w}) after(%done2) : tensor<2x3xf32>" for w in ("v", *variables)
    )
    outs = ", ".join(f"%r{w}" for w in ("v", *variables))
    return parse(f"""
ge.graph @g(%g: tensor<2x3xf32>) {{
{state}
{numbers}
  %n1, %done1 = ge.{op}({STEPS[op]}) : !ge.ref<tensor<2x3xf32>>, !ge.ctrl
  %n2, %done2 = ge.{op}({STEPS[op]}) after(%done1) : !ge.ref<tensor<2x3xf32>>, !ge.ctrl
{reads}
  ge.NetOutput({outs})
}}
""")


@pytest.mark.parametrize("mode", ["graph", "eager"])
@pytest.mark.parametrize("op", STEPS)
def test_two_steps(op, mode):
    g = np.arange(6, dtype=np.float32).reshape(2, 3) - 2
    want = evaluate(model_of(op), [g]).outputs
    got = simulate(model_of(op), [g], mode=mode).outputs
    got = list(got.values()) if isinstance(got, dict) else list(got)
    assert len(got) == len(want) >= 1
    for a, b in zip(got, want, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-6)
    assert not np.allclose(want[0], 0.5)


def test_a_loaded_model_shows_what_its_variables_hold():
    from runtime.api import compile_default
    from runtime.loaded import load_model

    model = compile_default(model_of("ApplyMomentum"))
    loaded = load_model(model.module, model.weights)
    np.testing.assert_array_equal(loaded.variables()["v"], np.full((2, 3), 0.5, np.float32))
    outputs = loaded.run([np.ones((2, 3), np.float32)]).outputs
    held = loaded.variables()
    assert set(held) == {"v", "m"}
    np.testing.assert_array_equal(held["v"], outputs[0])
    np.testing.assert_array_equal(held["m"], outputs[1])
    assert load_model(model.module, model.weights, values=False).variables() == {}
