"""Fused normalisations against loops over the definition in Python's own floats."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ge_dialect.semantics import apply_op


def layer(values, epsilon):
    """Mean, inverse deviation, and the normalised values of a list."""
    mean = math.fsum(values) / len(values)
    variance = math.fsum((v - mean) ** 2 for v in values) / len(values)
    rstd = 1 / math.sqrt(variance + epsilon)
    return mean, rstd, [(v - mean) * rstd for v in values]


@pytest.fixture
def rng():
    return np.random.default_rng(11)


def test_add_layer_norm(rng):
    a, b = rng.normal(size=(2, 3, 4)).astype(np.float32), rng.normal(size=(2, 3, 4))
    b = b.astype(np.float16)
    gamma, beta, bias = (rng.normal(size=4).astype(np.float32) for _ in range(3))
    y, mean, rstd, x = apply_op("AddLayerNorm", [a, b, gamma, beta, bias], {"epsilon": 0.01})
    assert x.dtype == y.dtype == np.float32
    assert mean.shape == rstd.shape == (2, 3, 1)
    total = a.astype(np.float64) + b.astype(np.float64) + bias
    np.testing.assert_allclose(x, total, rtol=1e-6)
    for place in np.ndindex(2, 3):
        m, r, row = layer(total[place].tolist(), 0.01)
        np.testing.assert_allclose([mean[place][0], rstd[place][0]], [m, r], rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(y[place], np.array(row) * gamma + beta, rtol=1e-4, atol=1e-5)


def test_deep_norm(rng):
    x, gx, beta, gamma = (rng.normal(size=s).astype(np.float32) for s in ((2, 6), (2, 6), 6, 6))
    mean, rstd, y = apply_op("DeepNorm", [x, gx, beta, gamma], {"alpha": 0.5, "epsilon": 0.1})
    for i in range(2):
        m, r, row = layer((0.5 * x[i].astype(np.float64) + gx[i]).tolist(), 0.1)
        np.testing.assert_allclose([mean[i, 0], rstd[i, 0]], [m, r], rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(y[i], np.array(row) * gamma + beta, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("op", "with_parameters"),
    [("GroupNormV2", True), ("GroupNormSilu", True), ("GroupNormSilu", False)],
)
def test_groups(op, with_parameters, rng):
    x = rng.normal(size=(2, 4, 3)).astype(np.float32)
    gamma, beta = (rng.normal(size=4).astype(np.float32) if with_parameters else None for _ in "ab")
    y, mean, rstd = apply_op(op, [x, gamma, beta], {"num_groups": 2, "eps": 0.01})
    for n in range(2):
        for g in range(2):
            part = x[n, 2 * g : 2 * g + 2].astype(np.float64)
            m, r, rows = layer(part.ravel().tolist(), 0.01)
            np.testing.assert_allclose([mean[n, g], rstd[n, g]], [m, r], rtol=1e-5, atol=1e-6)
            want = np.array(rows).reshape(2, 3)
            if with_parameters:
                want = want * gamma[2 * g : 2 * g + 2, None] + beta[2 * g : 2 * g + 2, None]
            if op == "GroupNormSilu":
                want = want / (1 + np.exp(-want))
            np.testing.assert_allclose(y[n, 2 * g : 2 * g + 2], want, rtol=1e-4, atol=1e-5)


def test_without_silu(rng):
    x = rng.normal(size=(1, 2, 3)).astype(np.float32)
    plain = apply_op("GroupNormSilu", [x, None, None], {"num_groups": 1, "activate_silu": False})
    ones, zeros = np.ones(2, np.float32), np.zeros(2, np.float32)
    same = apply_op("GroupNormV2", [x, ones, zeros], {"num_groups": 1})
    np.testing.assert_array_equal(plain[0], same[0])


def test_mean_variance_normalisation(rng):
    x = rng.normal(size=(2, 3, 2, 2))
    (y,) = apply_op("MVNV2", [x], {"eps": 0.5})
    for c in range(3):
        values = x[:, c].ravel().tolist()
        mean = math.fsum(values) / 8
        deviation = math.sqrt(math.fsum((v - mean) ** 2 for v in values) / 8)
        np.testing.assert_allclose(y[:, c], (x[:, c] - mean) / (deviation + 0.5), rtol=1e-6)


def test_sums_of_a_layer(rng):
    dy = rng.normal(size=(2, 3, 4)).astype(np.float32)
    standard = rng.normal(size=(2, 3, 4)).astype(np.float32)
    gamma, beta = apply_op("LayerNormBetaGammaBackpropV2", [dy, standard], {"shape_gamma": (3, 4)})
    np.testing.assert_allclose(gamma, dy[0] * standard[0] + dy[1] * standard[1], rtol=1e-6)
    np.testing.assert_allclose(beta, dy[0] + dy[1], rtol=1e-6)
