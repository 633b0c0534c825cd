"""Gates, thresholds and one-hot maxima against numbers worked out by hand or by `math`."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ge_dialect.semantics import apply_op

X = [-3.0, -0.5, 0.0, 0.25, 1.0, 2.5]


def run(op, x, attrs=None, *more):
    x = np.array(x, np.float64)
    return apply_op(op, [x, *more], attrs or {})[0].tolist()


def test_thresholds():
    assert run("Shrink", X, {"lambd": 0.5, "bias": 0.25}) == [-2.75, 0, 0, 0, 0.75, 2.25]
    assert run("ThresholdedRelu", X) == [0, 0, 0, 0, 0, 2.5]
    assert run("Threshold", X, {"threshold": 0.25}) == [0, 0, 0, 0, 1, 1]
    bound, value = np.array(0.0), np.array([9.0])
    assert run("ThresholdV2", X, {}, bound, value) == [9, 9, 9, 0.25, 1, 2.5]
    assert run("ThresholdV2", X, {}, bound, None) == [0, 0, 0, 0.25, 1, 2.5]
    whole = np.array([1, 2, 3], np.int32)
    assert apply_op("Threshold", [whole], {"threshold": 1.5})[0].tolist() == [0, 1, 1]


def test_hard_max_takes_the_first():
    assert run("HardMax", [[1, 3, 3], [0, 0, 0]]) == [[0, 1, 0], [1, 0, 0]]
    assert run("HardMax", [[1, 3], [2, 3]], {"axis": 0}) == [[0, 1], [1, 0]]
    assert run("HardMax", [1, math.nan, 9]) == [0, 1, 0]
    assert run("HardMax", 3.0) == 1


@pytest.mark.parametrize("alpha", [1.0, 0.5, -2.0])
def test_celu(alpha):
    want = [max(x, 0) + min(alpha * (math.exp(x / alpha) - 1), 0) for x in X]
    assert run("CeluV2", X, {"alpha": alpha}) == pytest.approx(want, abs=1e-12)


@pytest.mark.parametrize("alphas", [(1.0, 1.0, 1.0), (0.5, 2.0, 3.0), (2.0, -1.5, 0.25)])
def test_celu_of_three(alphas):
    below, inner, above = alphas
    want = [above * x if x >= 0 else below * (math.exp(x / inner) - 1) for x in X]
    attrs = {f"alpha{i}": v for i, v in enumerate(alphas, 1)}
    assert run("Celu", X, attrs) == pytest.approx(want, abs=1e-12)
    assert run("Celu", [-math.inf, math.inf]) == [-1, math.inf]
    assert math.isnan(run("Celu", [math.nan])[0])


def test_sigmoids():
    def sigmoid(x):
        return 1 / (1 + math.exp(-x))

    assert run("FastGelu", X) == pytest.approx([x * sigmoid(1.702 * x) for x in X])
    assert run("LogSigmoid", X) == pytest.approx([math.log(sigmoid(x)) for x in X])
    assert run("LogSigmoid", [-1000.0, 1000.0]) == [-1000, 0]
    pairs = [[1.0, 2.0, -1.0, 0.5], [0.0, 3.0, 4.0, -2.0]]
    want = [[a * sigmoid(c), b * sigmoid(d)] for a, b, c, d in pairs]
    assert np.allclose(run("GLU", pairs), want)


@pytest.mark.parametrize("left", [False, True])
def test_ge_glu(left):
    pairs = np.array([[1.0, 2.0, -1.0, 0.5]])
    y, gelu = apply_op("GeGluV2", [pairs], {"approximate": 0, "activate_left": left})

    def exact(x):
        return x / 2 * (1 + math.erf(x / math.sqrt(2)))

    a, b = ([-1.0, 0.5], [1.0, 2.0]) if left else ([1.0, 2.0], [-1.0, 0.5])
    assert gelu[0].tolist() == pytest.approx([exact(v) for v in b])
    assert y[0].tolist() == pytest.approx([u * exact(v) for u, v in zip(a, b, strict=True)])
    near, _ = apply_op("GeGluV2", [pairs], {"approximate": 1, "activate_left": left})
    assert np.abs(near - y).max() < 1e-2
    assert np.abs(near - y).max() > 0
