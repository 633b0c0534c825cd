"""ONNX's LSTM and GRU against its definition, and against its own expected values."""

from __future__ import annotations

from math import exp, tanh

import numpy as np
import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.semantics.evaluator import apply_op


def sigmoid(x):
    return 1 / (1 + exp(-x))


def draw(rng, *shape):
    return rng.uniform(-1, 1, shape).astype(np.float32)


def total(x, w, h, r):
    return [
        sum(float(a) * float(b) for a, b in zip(x, w[g], strict=True))
        + sum(float(a) * float(b) for a, b in zip(h, r[g], strict=True))
        for g in range(len(w))
    ]


@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
def test_lstm(direction):
    rng = np.random.default_rng(0)
    count = 2 if direction == "bidirectional" else 1
    x, w, r = draw(rng, 3, 2, 4), draw(rng, count, 8, 4), draw(rng, count, 8, 2)
    b, p = draw(rng, count, 16), draw(rng, count, 6)
    h0, c0, lengths = draw(rng, count, 2, 2), draw(rng, count, 2, 2), np.array([3, 2], np.int32)
    attrs = {"hidden_size": 2, "direction": direction, "clip": 0.9}
    y, yh, yc = apply_op("CommonLSTM", [x, w, r, b, lengths, h0, c0, p], attrs)
    cut = lambda v: min(max(v, -0.9), 0.9)  # noqa: E731
    for d, s in np.ndindex(count, 2):
        steps = list(range(lengths[s]))
        steps = steps[::-1] if direction == "reverse" or d else steps
        h, c = [float(v) for v in h0[d, s]], [float(v) for v in c0[d, s]]
        for t in steps:
            a = total(x[t, s], w[d], h, r[d])
            a = [v + float(b[d, g]) + float(b[d, 8 + g]) for g, v in enumerate(a)]
            for u in range(2):
                i = sigmoid(cut(a[u] + float(p[d, u]) * c[u]))
                f = sigmoid(cut(a[4 + u] + float(p[d, 4 + u]) * c[u]))
                c[u] = f * c[u] + i * tanh(cut(a[6 + u]))
                o = sigmoid(cut(a[2 + u] + float(p[d, 2 + u]) * c[u]))
                h[u] = o * tanh(cut(c[u]))
            assert y[t, d, s] == pytest.approx(np.array(h), abs=2e-6)
        assert yh[d, s] == pytest.approx(np.array(h), abs=2e-6)
        assert yc[d, s] == pytest.approx(np.array(c), abs=2e-6)
    assert not y[2, :, 1].any()


@pytest.mark.parametrize("before", [0, 1])
def test_gru(before):
    rng = np.random.default_rng(1)
    x, w, r, b = draw(rng, 3, 2, 4), draw(rng, 1, 6, 4), draw(rng, 1, 6, 2), draw(rng, 1, 12)
    h0 = draw(rng, 1, 2, 2)
    attrs = {"hidden_size": 2, "linear_before_reset": before}
    y, yh = apply_op("CommonGRU", [x, w, r, b, None, h0], attrs)
    for s in range(2):
        h = [float(v) for v in h0[0, s]]
        for t in range(3):
            row = [float(v) for v in x[t, s]]
            part = [sum(a * float(v) for a, v in zip(row, w[0, g], strict=True)) + float(b[0, g])
                    for g in range(6)]  # fmt: skip
            rec = [sum(a * float(v) for a, v in zip(h, r[0, g], strict=True)) + float(b[0, 6 + g])
                   for g in range(6)]  # fmt: skip
            z = [sigmoid(part[u] + rec[u]) for u in range(2)]
            q = [sigmoid(part[2 + u] + rec[2 + u]) for u in range(2)]
            if before:
                inner = [q[u] * rec[4 + u] for u in range(2)]
            else:
                inner = [sum(q[k] * h[k] * float(r[0, 4 + u, k]) for k in range(2))
                         + float(b[0, 10 + u]) for u in range(2)]  # fmt: skip
            new = [tanh(part[4 + u] + inner[u]) for u in range(2)]
            h = [(1 - z[u]) * new[u] + z[u] * h[u] for u in range(2)]
            assert y[t, 0, s] == pytest.approx(np.array(h), abs=2e-6)
        assert yh[0, s] == pytest.approx(np.array(h), abs=2e-6)


def test_other_activations_are_refused():
    x, w, r = np.ones((1, 1, 1)), np.ones((1, 3, 1)), np.ones((1, 3, 1))
    usual = {"hidden_size": 1, "activations": ["Sigmoid", "Tanh"]}
    apply_op("CommonGRU", [x, w, r], usual)
    with pytest.raises(GeError):
        apply_op("CommonGRU", [x, w, r], {**usual, "activations": ["Relu", "Tanh"]})
