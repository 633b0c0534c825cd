"""Golden meaning of recurrent layers: one step after the other, for all samples at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, widen
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


def _sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def _alive(lengths: Any, steps: int, batch: int, dtype: Any) -> Array | None:
    """Whether a sample runs, [T, B, 1], or how much of a step counts by elements, [T, B, H]."""
    if lengths is None:
        return None
    if lengths.ndim == 1:
        return np.arange(steps)[:, None, None] < lengths[None, :, None]
    return widen(lengths).astype(dtype)


def _mixed(old: Array | int, new: Array, alive: Array | None, t: int) -> Array:
    """The state after step t; that of a sample that has ended is not touched."""
    if alive is None:
        return new
    if alive.dtype == bool:
        return np.where(alive[t], new, np.asarray(old, new.dtype))
    return (new - old) * alive[t] + old


def _initial(state: Any, batch: int, hidden: int, dtype: Any) -> Array:
    if state is None:
        return np.zeros((batch, hidden), dtype)
    return widen(state).astype(dtype).reshape(batch, hidden)


def _order(steps: int, attrs: Attrs) -> range:
    return range(steps) if attrs["direction"] == "UNIDIRECTIONAL" else range(steps - 1, -1, -1)


@semantics("DynamicRNN")
def dynamic_rnn(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """LSTM; results at the places of their steps."""
    x, w, b, lengths, h, c, *rest = args
    if any(r is not None for r in rest) or attrs["use_peephole"] or attrs["cell_type"] != "LSTM":
        ctx.fail("peepholes, masks and other cells are not evaluated", expected="a plain LSTM")
    x, w, b = widen(x), widen(w), widen(b)
    steps, batch, _ = x.shape
    hidden, dtype = w.shape[1] // 4, x.dtype
    h, c = (_initial(s, batch, hidden, dtype) for s in (h, c))
    alive = _alive(lengths, steps, batch, dtype)
    out = {name: np.zeros((steps, batch, hidden), dtype) for name in "yhcijfot"}
    for t in _order(steps, attrs):
        parts = np.split(np.concatenate([x[t], h], axis=1) @ w + b, 4, axis=1)
        gate = dict(zip(attrs["gate_order"], parts, strict=True))
        i, o = _sigmoid(gate["i"]), _sigmoid(gate["o"])
        j, f = np.tanh(gate["j"]), _sigmoid(gate["f"] + dtype.type(attrs["forget_bias"]))
        new = _mixed(c, f * c + i * j, alive, t)
        if attrs["cell_clip"] > 0:
            new = np.minimum(new, dtype.type(attrs["cell_clip"]))
        c, tanhc = new, np.tanh(new)
        turned = o * tanhc
        y, h = _mixed(0, turned, alive, t), _mixed(h, turned, alive, t)
        for name, value in zip("yhcijfot", (y, h, c, i, j, f, o, tanhc), strict=True):
            out[name][t] = value
    return tuple(out.values())


@semantics("DynamicGRUV2")
def dynamic_gru_v2(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """GRU; results at the places of their steps."""
    x, w, r, b, br, lengths, h = args
    if not attrs["reset_after"]:
        ctx.fail("a reset before the product is not evaluated", expected="reset_after")
    x, w, r = widen(x), widen(w), widen(r)
    steps, batch, _ = x.shape
    hidden, dtype = w.shape[1] // 3, x.dtype
    b, br = (np.zeros(3 * hidden, dtype) if v is None else widen(v).astype(dtype) for v in (b, br))
    h = _initial(h, batch, hidden, dtype)
    alive = _alive(lengths, steps, batch, dtype)
    names = ("y", "h", "z", "r", "n", "hidden")
    out = {name: np.zeros((steps, batch, hidden), dtype) for name in names}
    for t in _order(steps, attrs):
        given = dict(zip(attrs["gate_order"], np.split(x[t] @ w + b, 3, axis=1), strict=True))
        state = dict(zip(attrs["gate_order"], np.split(h @ r + br, 3, axis=1), strict=True))
        z, reset = _sigmoid(given["z"] + state["z"]), _sigmoid(given["r"] + state["r"])
        n = np.tanh(given["h"] + reset * state["h"])
        turned = (1 - z) * n + z * h
        y, h = _mixed(0, turned, alive, t), _mixed(h, turned, alive, t)
        for name, value in zip(names, (y, h, z, reset, n, state["h"]), strict=True):
            out[name][t] = value
    return tuple(out.values())


@semantics("BasicLSTMCell")
def basic_lstm_cell(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """One step."""
    x, h, c, w, b, mask = args
    if mask is not None:
        ctx.fail("dropout is not evaluated", found="mask", expected="not connected")
    x, h, c, w, b = (widen(v) for v in (x, h, c, w, b))
    i, j, f, o = np.split(np.concatenate([x, h], axis=1) @ w + b, 4, axis=1)
    i, j, o = _sigmoid(i), np.tanh(j), _sigmoid(o)
    f = _sigmoid(f + x.dtype.type(attrs["forget_bias"]))
    c = f * c + i * j
    return c, o * np.tanh(c), i, j, f, o, np.tanh(c)
