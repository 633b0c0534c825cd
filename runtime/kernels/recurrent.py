"""Kernels of recurrent layers on ND: input products of all steps first, then sample by sample."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from runtime.kernels.refusal import refuse_where
from runtime.kernels.registry import Call, View, kernel
from runtime.kernels.views import logical, store, wide


def _logistic(x: np.ndarray) -> np.ndarray:
    """The sigmoid by the logarithm of 1 + exp(-x), which keeps its digits far below zero."""
    return np.exp(-np.logaddexp(0, -x)).astype(x.dtype)


def _start(view: View | None, batch: int, hidden: int, dtype: Any) -> np.ndarray:
    if view is None:
        return np.zeros((batch, hidden), dtype)
    return wide(logical(view)).astype(dtype).reshape(batch, hidden).copy()


def _mixed(old: np.ndarray, new: np.ndarray, runs: Any) -> np.ndarray:
    """The state after a step: the new one, the old one, or by elements part of the way."""
    if isinstance(runs, int):
        return new if runs else old
    return old + (new - old) * runs


def _runs(view: View | None, t: int, b: int) -> Any:
    """How much of a step of a sample counts: 1, 0, or one number per element."""
    if view is None:
        return 1
    value = logical(view)
    return int(t < value[b]) if value.ndim == 1 else wide(value)[t, b]


def _steps(count: int, attrs: Mapping[str, Any]) -> list[int]:
    order = list(range(count))
    return order if attrs["direction"] == "UNIDIRECTIONAL" else order[::-1]


def _save(call: Call, values: list[np.ndarray]) -> None:
    for view, value in zip(call.outs, values, strict=True):
        store(view, value)


@kernel("DynamicRNN")
def dynamic_rnn(call: Call) -> None:
    """LSTM: the weights of inputs and states apart."""
    attrs = call.attrs
    other = any(call.opt(i) is not None for i in range(6, 10))
    other = other or attrs["use_peephole"] or attrs["cell_type"] != "LSTM"
    message = "peepholes, masks and other cells are not evaluated"
    refuse_where(other, message, expected="a plain LSTM")
    x, w, b = (wide(logical(call.arg(i))) for i in range(3))
    steps, batch, inner = x.shape
    hidden = w.shape[1] // 4
    state_h, state_c = (_start(call.opt(i), batch, hidden, x.dtype) for i in (4, 5))
    given = np.einsum("tbi,ig->tbg", x, w[:inner]) + b
    places = {g: attrs["gate_order"].index(g) * hidden for g in "ijfo"}
    out = [np.zeros((steps, batch, hidden), x.dtype) for _ in range(8)]
    for s in range(batch):
        h, c = state_h[s], state_c[s]
        for t in _steps(steps, attrs):
            total = given[t, s] + h @ w[inner:]
            i, j, f, o = (total[places[g] : places[g] + hidden] for g in "ijfo")
            i, o = _logistic(i), _logistic(o)
            j, f = np.tanh(j), _logistic(f + x.dtype.type(attrs["forget_bias"]))
            runs = _runs(call.opt(3), t, s)
            c = _mixed(c, f * c + i * j, runs)
            if attrs["cell_clip"] > 0:
                c = np.where(c > attrs["cell_clip"], x.dtype.type(attrs["cell_clip"]), c)
            shown = np.tanh(c)
            h = _mixed(h, o * shown, runs)
            y = _mixed(np.zeros_like(h), o * shown, runs)
            for array, value in zip(out, (y, h, c, i, j, f, o, shown), strict=True):
                array[t, s] = value
    _save(call, out)


@kernel("DynamicGRUV2")
def dynamic_gru_v2(call: Call) -> None:
    """GRU: what the state brings is added gate by gate."""
    attrs = call.attrs
    message = "a reset before the product is not evaluated"
    refuse_where(not attrs["reset_after"], message, expected="reset_after")
    x, w, r = (wide(logical(call.arg(i))) for i in range(3))
    steps, batch, _ = x.shape
    hidden = w.shape[1] // 3
    given = np.einsum("tbi,ig->tbg", x, w)
    if call.opt(3) is not None:
        given = given + wide(logical(call.arg(3)))
    behind = 0 if call.opt(4) is None else wide(logical(call.arg(4)))
    state = _start(call.opt(6), batch, hidden, x.dtype)
    cut = {g: slice(i * hidden, (i + 1) * hidden) for i, g in enumerate(attrs["gate_order"])}
    out = [np.zeros((steps, batch, hidden), x.dtype) for _ in range(6)]
    for s in range(batch):
        h = state[s]
        for t in _steps(steps, attrs):
            brought = h @ r + behind
            z = _logistic(given[t, s, cut["z"]] + brought[cut["z"]])
            reset = _logistic(given[t, s, cut["r"]] + brought[cut["r"]])
            n = np.tanh(given[t, s, cut["h"]] + reset * brought[cut["h"]])
            turned = n + z * (h - n)
            runs = _runs(call.opt(5), t, s)
            h = _mixed(h, turned, runs)
            values = (_mixed(np.zeros_like(h), turned, runs), h, z, reset, n, brought[cut["h"]])
            for array, value in zip(out, values, strict=True):
                array[t, s] = value
    _save(call, out)


@kernel("BasicLSTMCell")
def basic_lstm_cell(call: Call) -> None:
    """One step: the products of input and state apart."""
    dropped = call.opt(5) is not None
    refuse_where(dropped, "dropout is not evaluated", found="mask", expected="not connected")
    x, h, c, w, b = (wide(logical(call.arg(i))) for i in range(5))
    inner, hidden = x.shape[1], h.shape[1]
    total = x @ w[:inner] + h @ w[inner:] + b
    i, j, f, o = (total[:, g * hidden : (g + 1) * hidden] for g in range(4))
    i, j, o = _logistic(i), np.tanh(j), _logistic(o)
    f = _logistic(f + x.dtype.type(call.attrs["forget_bias"]))
    new = c * f + j * i
    _save(call, [new, np.tanh(new) * o, i, j, f, o, np.tanh(new)])
