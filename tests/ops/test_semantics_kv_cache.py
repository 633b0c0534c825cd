"""Latent keys and values on their way into a cache: by loops, evaluated and on the device."""

from __future__ import annotations

import numpy as np
import pytest

from ge_dialect.api import parse
from ge_dialect.diagnostics import GeError
from ge_dialect.ir.verifier import verify
from ge_dialect.semantics import evaluate_graph
from runtime import simulate

RNG = np.random.default_rng(6)
#: batches, tokens, numbers normed and turned
B, S, NORMED, TURNED = 2, 3, 4, 6


def numbers(*shape):
    return RNG.normal(size=shape).astype(np.float32)


KV, GAMMA = numbers(B, 1, S, NORMED + TURNED), numbers(NORMED)


def text(mode, caches, index, cos="2x1x3x6xf32"):
    attrs = f'{{cache_mode = "{mode}", epsilon = 0.25}}'
    k, c = (f"tensor<{s}xf32>" for s in caches)
    results = f"!ge.ref<{k}>, !ge.ref<{c}>, tensor<2x1x3x6xf32>, tensor<2x1x3x4xf32>"
    return f"""
    ge.graph @g(%kv: tensor<2x1x3x10xf32>, %gamma: tensor<4xf32>, %cos: tensor<{cos}>,
        %sin: tensor<{cos}>, %index: tensor<{index}xi64>) {{
      %k = ge.Variable() {{value = dense<7.0> : {k}}} : !ge.ref<{k}>
      %c = ge.Variable() {{value = dense<8.0> : {c}}} : !ge.ref<{c}>
      %k2, %c2, %rope, %latent = ge.KvRmsNormRopeCache(%kv, %gamma, %cos, %sin, %index, %k, %c)
        {attrs} : {results}
      %a = ge.Read(%k2) : {k}
      %b = ge.Read(%c2) : {c}
      ge.NetOutput(%a, %b, %rope, %latent)
    }}"""


def parts(cos, sin):
    """k_rope and c_kv, number by number."""
    rope, latent = np.zeros((B, 1, S, TURNED)), np.zeros((B, 1, S, NORMED))
    for b, t in np.ndindex(B, S):
        x = KV[b, 0, t].astype(np.float64)
        size = sum(v * v for v in x[:NORMED]) / NORMED
        latent[b, 0, t] = [v / (size + 0.25) ** 0.5 * g for v, g in zip(x, GAMMA, strict=False)]
        u = t if cos.shape[2] > 1 else 0
        for i in range(TURNED):
            half, pair = divmod(i, TURNED // 2)
            first, second = x[NORMED + 2 * pair], x[NORMED + 2 * pair + 1]
            turned = first * sin[b, 0, u, i] if half else -second * sin[b, 0, u, i]
            rope[b, 0, t, i] = (second if half else first) * cos[b, 0, u, i] + turned
    return rope, latent


def everywhere(source, inputs):
    """Results of the evaluator, which those of the device must equal."""
    model = parse(source)
    assert not verify(model.module)
    got = evaluate_graph(model.graphs[0], inputs).outputs
    for mode in ("eager", "graph"):
        for a, b in zip(got, simulate(model, inputs, mode=mode).outputs, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
    return got


@pytest.mark.parametrize("each", [True, False])
def test_rows(each):
    cos, sin = numbers(B, 1, S if each else 1, TURNED), numbers(B, 1, S if each else 1, TURNED)
    index = np.array([[4, 0, -1], [2, 2, 3]])
    source = text("Norm", ("3x1x5x6", "3x1x5x4"), "2x3", "2x1x3x6xf32" if each else "2x1x1x6xf32")
    keys, latents, rope, latent = everywhere(source, [KV, GAMMA, cos, sin, index])
    want = parts(cos, sin)
    np.testing.assert_allclose(rope, want[0], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(latent, want[1], rtol=1e-5, atol=1e-6)
    for cache, values, fill in ((keys, rope, 7), (latents, latent, 8)):
        expected = np.full(cache.shape, fill, np.float32)
        for b, t in np.ndindex(B, S):
            if index[b, t] >= 0:
                expected[b, 0, index[b, t]] = values[b, 0, t]
        assert cache.tolist() == expected.tolist()


@pytest.mark.parametrize("mode", ["PA", "PA_BNSD"])
def test_blocks(mode):
    cos, sin = numbers(B, 1, S, TURNED), numbers(B, 1, S, TURNED)
    index = np.array([7, 0, -1, 3, 4, 1])
    source = text(mode, ("4x2x1x6", "4x2x1x4"), "6")
    keys, latents, rope, latent = everywhere(source, [KV, GAMMA, cos, sin, index])
    for cache, values, fill in ((keys, rope, 7), (latents, latent, 8)):
        expected = np.full(cache.shape, fill, np.float32)
        for token, place in enumerate(index):
            if place >= 0:
                expected[place // 2, place % 2, 0] = values.reshape(6, -1)[token]
        assert cache.tolist() == expected.tolist()
    with pytest.raises(GeError, match="a place is out of range"):
        everywhere(source, [KV, GAMMA, cos, sin, index + 1])


def test_other_layouts_are_refused():
    cos = numbers(B, 1, S, TURNED)
    for mode in ("PA_NZ", "PA_BLK_BNSD"):
        source = text(mode, ("4x2x1x6", "4x2x1x4"), "6")
        with pytest.raises(GeError, match="not evaluated"):
            evaluate_graph(parse(source).graphs[0], [KV, GAMMA, cos, cos, np.arange(6)])
