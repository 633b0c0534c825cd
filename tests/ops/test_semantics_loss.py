"""Losses against their definitions, example by example in Python, and gradients by differences."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.semantics import apply_op

SCORES = np.array([[1.0, 2.0, -1.0], [0.5, 0.5, 3.0], [-2.0, 0.0, 4.0], [0.0, 1.0, 0.0]])
LABELS = np.array([2, 0, 1, 2], np.int32)
WEIGHT = np.array([0.5, 2.0, 1.5])


def one(op, args, attrs=None):
    return apply_op(op, args, attrs or {})[0]


def logs_of(row):
    total = math.log(sum(math.exp(v) for v in row))
    return [v - total for v in row]


LOGS = np.array([logs_of(row) for row in SCORES.tolist()])


def slope(fn, x, step=1e-6):
    out = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        moved = x.copy()
        moved[place] += step
        above = fn(moved)
        moved[place] -= 2 * step
        out[place] = (above - fn(moved)) / (2 * step)
    return out


@pytest.mark.parametrize("reduction", ["none", "sum", "mean"])
@pytest.mark.parametrize("weight", [None, WEIGHT])
@pytest.mark.parametrize("ignored", [-100, 2])
def test_negative_log_likelihood(reduction, weight, ignored):
    attrs = {"reduction": reduction, "ignore_index": ignored}
    y, total = apply_op("NLLLoss", [LOGS, LABELS, weight], attrs)
    weights = [0 if c == ignored else 1 if weight is None else weight[c] for c in LABELS]
    losses = [-w * row[c] for w, row, c in zip(weights, LOGS, LABELS, strict=True)]
    want = {"none": losses, "sum": sum(losses), "mean": sum(losses) / sum(weights)}[reduction]
    assert np.allclose(y, want)
    assert total == sum(weights)
    both = apply_op("SoftmaxCrossEntropyLoss", [SCORES, LABELS, weight], attrs)
    assert np.allclose(both[0], want)
    assert np.allclose(both[1], LOGS)


@pytest.mark.parametrize("reduction", ["sum", "mean"])
def test_gradient_of_negative_log_likelihood(reduction):
    attrs = {"reduction": reduction, "ignore_index": 0}
    _, total = apply_op("NLLLoss", [LOGS, LABELS, WEIGHT], attrs)
    args = [LOGS, np.array(3.0), LABELS, WEIGHT, total]
    got = one("NLLLossGrad", args, attrs)
    want = slope(lambda x: 3 * float(one("NLLLoss", [x, LABELS, WEIGHT], attrs)), LOGS)
    assert np.allclose(got, want, atol=1e-8)
    each = {**attrs, "reduction": "none"}
    upstream = np.array([1.0, 2.0, 3.0, 4.0])
    got = one("NLLLossGrad", [LOGS, upstream, LABELS, WEIGHT, total], each)
    assert got.tolist() == [[0, 0, -1.5], [0, 0, 0], [0, -6, 0], [0, 0, -6]]


def test_positions_have_labels_of_their_own():
    x = np.stack([LOGS.T, LOGS.T + 1])  # [2, 3 classes, 4 positions]
    labels = np.stack([LABELS, LABELS[::-1]])
    y = one("NLLLoss", [x, labels, None], {"reduction": "none"})
    want = [[-x[n, labels[n, p], p] for p in range(4)] for n in range(2)]
    assert np.allclose(y, want)


def test_class_out_of_range():
    wrong = np.array([0, 3, 0, 0], np.int32)
    for op in ("NLLLoss", "SoftmaxCrossEntropyLoss"):
        with pytest.raises(GeError, match="out of range"):
            apply_op(op, [LOGS, wrong, None], {})
    with pytest.raises(GeError, match="out of range"):
        apply_op("SparseSoftmaxCrossEntropyWithLogits", [LOGS, wrong - 1], {})


def test_cross_entropy_and_its_gradient():
    labels = np.array([[0.2, 0.3, 0.5], [1, 0, 0], [0, 0.5, 0.5], [0, 0, 1]])
    loss, backprop = apply_op("SoftmaxCrossEntropyWithLogits", [SCORES, labels], {})
    assert np.allclose(loss, [-sum(p * q) for p, q in zip(labels, LOGS, strict=True)])
    op = "SoftmaxCrossEntropyWithLogits"
    assert np.allclose(backprop, slope(lambda x: one(op, [x, labels]).sum(), SCORES), atol=1e-8)
    sparse = apply_op("SparseSoftmaxCrossEntropyWithLogits", [SCORES, LABELS], {})
    assert np.allclose(sparse[0], [-row[c] for row, c in zip(LOGS, LABELS, strict=True)])
    hot = np.eye(3)[LABELS]
    assert np.allclose(sparse[1], apply_op(op, [SCORES, hot], {})[1])


def test_large_scores_do_not_overflow():
    far = np.array([[1e4, 0.0, -1e4]], np.float32)
    loss, backprop = apply_op("SparseSoftmaxCrossEntropyWithLogits", [far, np.array([2])], {})
    assert loss.tolist() == [2e4]
    assert backprop.tolist() == [[1, 0, -1]]
    x = np.array([-1000.0, 1000.0], np.float32)
    target = np.array([1.0, 0.0], np.float32)
    assert one("SigmoidCrossEntropyWithLogits", [x, target]).tolist() == [1000, 1000]


def test_sigmoid_cross_entropy():
    x, z = SCORES, np.linspace(0, 1, 12).reshape(4, 3)
    s = 1 / (1 + np.exp(-x))
    want = -z * np.log(s) - (1 - z) * np.log(1 - s)
    assert np.allclose(one("SigmoidCrossEntropyWithLogits", [x, z]), want)


def test_squared_and_smooth():
    a, b = np.array([1.0, 2.0, 5.0]), np.array([1.5, 2.0, 1.0])
    assert one("MseLoss", [a, b], {"reduction": "none"}).tolist() == [0.25, 0, 16]
    assert one("MseLoss", [a, b], {"reduction": "sum"}) == 16.25
    assert one("MseLoss", [a, b]) == 16.25 / 3
    for how in ("sum", "mean"):
        got = one("MseLossGrad", [a, b, np.array(2.0)], {"reduction": how})
        want = slope(lambda x, how=how: 2 * float(one("MseLoss", [x, b], {"reduction": how})), a)
        assert np.allclose(got, want, atol=1e-6)
    assert one("SmoothL1Loss", [a, b]).tolist() == [0.125, 0, 3.5]
    assert one("SmoothL1Loss", [a, b], {"sigma": 0.25}).tolist() == [0.375, 0, 3.875]
    assert one("L2Loss", [a]) == 15


def test_gradient_of_a_bias():
    x = np.arange(24).reshape(2, 3, 4).astype(np.int8)
    assert one("BiasAddGrad", [x]).tolist() == [int(x[..., c].sum()) for c in range(4)]
    got = one("BiasAddGrad", [x], {"data_format": "NCHW"})
    assert got.tolist() == [60, 92, 124]
    many = np.full((4, 100), 2, np.int8)
    assert one("BiasAddGrad", [many], {"data_format": "NCHW"}).tolist() == [8] * 100
    assert one("BiasAddGrad", [many.T]).tolist() == [200 - 256] * 4
