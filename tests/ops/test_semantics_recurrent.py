"""Recurrent layers element by element, with Python's own floats."""

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


def lstm(x, w, b, h, c, *, order="ijfo", forget=0.0, clip=-1.0, lengths=None, reverse=False):
    """All results of one sample, step by step; lists of T lists."""
    hidden, steps = len(h), len(x)
    out = {name: [[0.0] * hidden for _ in range(steps)] for name in "yhcijfot"}
    for t in range(steps)[::-1] if reverse else range(steps):
        row = [*map(float, x[t]), *h]
        total = [sum(v * float(w[k, g]) for k, v in enumerate(row)) + float(b[g])
                 for g in range(4 * hidden)]  # fmt: skip
        part = {g: total[i * hidden : (i + 1) * hidden] for i, g in enumerate(order)}
        runs = lengths is None or t < lengths
        for u in range(hidden):
            i, o = sigmoid(part["i"][u]), sigmoid(part["o"][u])
            j, f = tanh(part["j"][u]), sigmoid(part["f"][u] + forget)
            new = f * c[u] + i * j if runs else c[u]
            new = min(new, clip) if clip > 0 else new
            values = {"c": new, "i": i, "j": j, "f": f, "o": o, "t": tanh(new)}
            values["y"] = o * tanh(new) if runs else 0.0
            values["h"] = o * tanh(new) if runs else h[u]
            for name, value in values.items():
                out[name][t][u] = value
        h, c = list(out["h"][t]), list(out["c"][t])
    return out


@pytest.mark.parametrize("order", ["ijfo", "ifjo"])
@pytest.mark.parametrize("reverse", [False, True])
def test_lstm(order, reverse):
    rng = np.random.default_rng(0)
    x, w, b = draw(rng, 4, 2, 3), draw(rng, 5, 8), draw(rng, 8)
    h, c = draw(rng, 1, 2, 2), draw(rng, 1, 2, 2)
    lengths = np.array([4, 2], np.int32)
    attrs = {"gate_order": order, "forget_bias": 0.5, "cell_clip": 0.25}
    attrs["direction"] = "REDIRECTIONAL" if reverse else "UNIDIRECTIONAL"
    got = apply_op("DynamicRNN", [x, w, b, lengths, h, c], attrs)
    mask = np.repeat(np.array([[1, 1], [1, 1], [1, 0], [1, 0]], np.float32)[..., None], 2, -1)
    masked = apply_op("DynamicRNN", [x, w, b, mask, h, c], attrs)
    for s in range(2):
        want = lstm(
            x[:, s], w, b, [float(v) for v in h[0, s]], [float(v) for v in c[0, s]],
            order=order, forget=0.5, clip=0.25, lengths=lengths[s], reverse=reverse,
        )  # fmt: skip
        for name, value, again in zip("yhcijfot", got, masked, strict=True):
            assert value[:, s] == pytest.approx(np.array(want[name]), abs=2e-6), name
            assert again[:, s] == pytest.approx(value[:, s])


def test_lstm_from_nothing_and_one_step():
    rng = np.random.default_rng(1)
    x, w, b = draw(rng, 1, 2, 3), draw(rng, 5, 8), draw(rng, 8)
    y, h, c, i, j, f, o, t = apply_op("DynamicRNN", [x, w, b], {"forget_bias": 1.0})
    assert y.tolist() == h.tolist()
    zero = np.zeros((2, 2), np.float32)
    step = apply_op("BasicLSTMCell", [x[0], zero, zero, w, b])
    for one, many in zip(step, (c, h, i, j, f, o, t), strict=True):
        assert one == pytest.approx(many[0], abs=1e-6)
    with pytest.raises(GeError):
        apply_op("DynamicRNN", [x, w, b], {"use_peephole": True})


@pytest.mark.parametrize("order", ["zrh", "rzh"])
def test_gru(order):
    rng = np.random.default_rng(2)
    x, w, r = draw(rng, 3, 2, 4), draw(rng, 4, 6), draw(rng, 2, 6)
    b, br, h0 = draw(rng, 6), draw(rng, 6), draw(rng, 2, 2)
    args = [x, w, r, b, br, np.array([3, 1], np.int32), h0]
    got = apply_op("DynamicGRUV2", args, {"gate_order": order})
    for s in range(2):
        h = [float(v) for v in h0[s]]
        for t in range(3):
            a = [sum(float(x[t, s, k]) * float(w[k, g]) for k in range(4)) + float(b[g])
                 for g in range(6)]  # fmt: skip
            e = [sum(h[k] * float(r[k, g]) for k in range(2)) + float(br[g]) for g in range(6)]
            at = {g: 2 * i for i, g in enumerate(order)}
            turned = []
            for u in range(2):
                z = sigmoid(a[at["z"] + u] + e[at["z"] + u])
                q = sigmoid(a[at["r"] + u] + e[at["r"] + u])
                n = tanh(a[at["h"] + u] + q * e[at["h"] + u])
                turned.append((1 - z) * n + z * h[u])
                for name, value in ((2, z), (3, q), (4, n), (5, e[at["h"] + u])):
                    assert got[name][t, s, u] == pytest.approx(value, abs=2e-6)
            runs = t < (3, 1)[s]
            h = turned if runs else h
            assert got[0][t, s] == pytest.approx(np.array(turned if runs else [0, 0]), abs=2e-6)
            assert got[1][t, s] == pytest.approx(np.array(h), abs=2e-6)
