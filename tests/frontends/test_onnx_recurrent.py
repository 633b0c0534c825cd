"""RNN, GRU and LSTM of ONNX against loops over samples and steps."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="needs the extra ge-opt[onnx]")

RNG = np.random.default_rng(11)
STEPS, BATCH, SIZE, HIDDEN = 4, 3, 2, 5
GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
DIRECTIONS = {"forward": [False], "reverse": [True], "bidirectional": [False, True]}


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _cell(kind, x, h, c, w, r, b, p, flags):
    """One step of one sample, gate by gate in float64."""
    n, cut = HIDDEN, flags.get("clip", np.inf)
    f, g = flags.get("functions", (np.tanh if kind == "RNN" else _sigmoid, np.tanh))

    def gate(i, state, peep=0.0):
        rows = slice(i * n, (i + 1) * n)
        total = w[rows] @ x + r[rows] @ state + b[: len(w)][rows] + b[len(w) :][rows] + peep
        return np.clip(total, -cut, cut)

    if kind == "RNN":
        return f(gate(0, h)), c
    if kind == "GRU":
        z, reset, rows = f(gate(0, h)), f(gate(1, h)), slice(2 * n, 3 * n)
        if flags.get("linear_before_reset"):
            inner = w[rows] @ x + b[: len(w)][rows] + reset * (r[rows] @ h + b[len(w) :][rows])
            new = g(np.clip(inner, -cut, cut))
        else:
            new = g(gate(2, reset * h))
        return (1 - z) * new + z * h, c
    i = f(gate(0, h, p[:n] * c))
    forget = 1 - i if flags.get("input_forget") else f(gate(2, h, p[2 * n :] * c))
    c = forget * c + i * g(gate(3, h))
    return f(gate(1, h, p[n : 2 * n] * c)) * np.tanh(np.clip(c, -cut, cut)), c


def _expected(kind, a, direction, lens, flags):
    directions = DIRECTIONS[direction]
    y = np.zeros((STEPS, len(directions), BATCH, HIDDEN))
    last = np.zeros((2, len(directions), BATCH, HIDDEN))
    for d, s in itertools.product(range(len(directions)), range(BATCH)):
        h, c = a["h"][d, s].astype(float), a["c"][d, s].astype(float)
        order = range(lens[s])
        for t in reversed(order) if directions[d] else order:
            args = (a["x"][t, s], h, c, a["w"][d], a["r"][d], a["b"][d], a["p"][d])
            h, c = _cell(kind, *args, flags)
            y[t, d, s] = h
        last[:, d, s] = h, c
    return [y, last[0], last[1]] if kind == "LSTM" else [y, last[0]]


def _check(ox, kind, direction="forward", lens=None, batch_first=False, types=None, **flags):
    n, d = GATES[kind] * HIDDEN, len(DIRECTIONS[direction])
    shapes = {"x": (STEPS, BATCH, SIZE), "w": (d, n, SIZE), "r": (d, n, HIDDEN), "b": (d, 2 * n)}
    shapes |= {"h": (d, BATCH, HIDDEN), "c": (d, BATCH, HIDDEN), "p": (d, 3 * HIDDEN)}
    a = {k: RNG.normal(size=s).astype(np.float32) for k, s in shapes.items()}
    out = _expected(kind, a, direction, [STEPS] * BATCH if lens is None else lens, flags)
    fed = {k: a[k] for k in ("x", "h", "c")[: 3 if kind == "LSTM" else 2]}
    constants = {k: a[k] for k in ("w", "r", "b", "p")[: 4 if kind == "LSTM" else 3]}
    if lens is not None:
        fed["lens"] = np.array(lens, np.int32)
    if batch_first:
        fed = {k: np.swapaxes(v, 0, 1).copy() if v.ndim == 3 else v for k, v in fed.items()}
        out = [out[0].transpose(2, 0, 1, 3), *(v.swapaxes(0, 1) for v in out[1:])]
    inputs = ["x", "w", "r", "b", "" if lens is None else "lens", "h"]
    inputs += ["c", "p"] if kind == "LSTM" else []
    attrs = {k: v for k, v in flags.items() if k != "functions"}
    attrs |= {"hidden_size": HIDDEN, "direction": direction, "layout": int(batch_first)}
    outputs = ["y", "y_h", "y_c"][: len(out)]
    node = ox.node(kind, inputs, outputs, name="cell", **attrs)
    proto = ox.model([node], fed, outputs, opset=14, constants=constants, types=types)
    ox.same(ox.run(proto, fed), [v.astype(np.float32) for v in out])
    return proto


@pytest.mark.parametrize("lens", [None, [4, 1, 3]])
@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("kind", GATES)
def test_cells(ox, kind, direction, lens):
    _check(ox, kind, direction, lens)


@pytest.mark.parametrize("kind", GATES)
def test_batch_first(ox, kind):
    _check(ox, kind, "bidirectional", batch_first=True)


@pytest.mark.parametrize("kind", GATES)
def test_long_sequences_become_while(ox, kind, monkeypatch):
    from ge_dialect.importers import onnx_loops
    from ge_dialect.importers.onnx import import_onnx

    monkeypatch.setattr(onnx_loops, "UNROLLED_NODES", 0)
    proto = _check(ox, kind, "bidirectional", [2, 4, 3])
    kinds = [op.name for op in import_onnx(proto).graphs[0].body.ops]
    assert kinds.count("ge.While") == 2


@pytest.mark.parametrize("kind", GATES)
def test_unknown_steps_and_batch(ox, kind):
    _check(ox, kind, types={"x": (1, ["t", "b", SIZE])})


def test_variants(ox):
    _check(ox, "GRU", linear_before_reset=1)
    _check(ox, "LSTM", input_forget=1)
    for kind in GATES:
        _check(ox, kind, clip=0.25)


def test_activations(ox):
    def hard(x):
        return np.clip(0.3 * x + 0.4, 0, 1)

    def leaky(x):
        return np.where(x < 0, 0.2 * x, x)

    names, alpha, beta = ["HardSigmoid", "LeakyRelu"], [0.3, 0.2], [0.4]
    given = {"activations": names, "activation_alpha": alpha, "activation_beta": beta}
    _check(ox, "GRU", functions=(hard, leaky), **given)


def test_an_unknown_activation_is_refused(ox):
    from ge_dialect.diagnostics import GeError

    with pytest.raises(GeError, match="activation foo is not supported"):
        _check(ox, "RNN", activations=["Foo"])


@pytest.mark.parametrize("kind", GATES)
def test_on_the_device(ox, kind):
    from ge_dialect import api
    from ge_dialect.importers.onnx import import_onnx
    from runtime import simulate

    proto = _check(ox, kind, "bidirectional")
    fed = [
        RNG.normal(size=[d.dim_value for d in i.type.tensor_type.shape.dim])
        for i in proto.graph.input
    ]
    fed = [v.astype(np.float32) for v in fed]
    golden = api.evaluate(import_onnx(proto), fed).outputs
    ox.same(list(simulate(import_onnx(proto), fed).outputs), list(golden), 1e-4)
