"""Golden meaning of ONNX's LSTM and GRU: direction by direction, all samples at once."""

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


def _plain(attrs: Attrs, defaults: list[str], ctx: Context) -> None:
    given = [a.lower() for a in attrs["activations"]]
    usual = [given[i : i + len(defaults)] == defaults for i in range(0, len(given), len(defaults))]
    if not all(usual) or attrs.get("input_forget"):
        ctx.fail("this form of the cell is not evaluated", found=given, expected=defaults)


def _clipped(x: Array, attrs: Attrs) -> Array:
    limit = attrs["clip"]
    return x if limit <= 0 else np.clip(x, -limit, limit).astype(x.dtype)


def _runs(lengths: Any, direction: str, number: int, steps: int) -> list[tuple[int, Any]]:
    """Steps in their order, and which samples run at each (all: None)."""
    backward = direction == "reverse" or number == 1
    order = range(steps - 1, -1, -1) if backward else range(steps)
    return [(t, None if lengths is None else (t < lengths)[:, None]) for t in order]


def _state(value: Any, number: int, batch: int, hidden: int, dtype: Any) -> Array:
    return np.zeros((batch, hidden), dtype) if value is None else widen(value[number])


@semantics("CommonLSTM")
def common_lstm(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array, Array]:
    """One direction after the other."""
    _plain(attrs, ["sigmoid", "tanh", "tanh"], ctx)
    x, w, r, b, lengths, first_h, first_c, p = args
    x, hidden = widen(x), attrs["hidden_size"]
    steps, batch, _ = x.shape
    y = np.zeros((steps, len(w), batch, hidden), x.dtype)
    last = np.zeros((2, len(w), batch, hidden), x.dtype)
    for d in range(len(w)):
        wd, rd = widen(w[d]), widen(r[d])
        bias = 0 if b is None else widen(b[d]).reshape(2, -1).sum(axis=0, dtype=x.dtype)
        pi, po, pf = np.zeros((3, hidden), x.dtype) if p is None else widen(p[d]).reshape(3, -1)
        h, c = (_state(s, d, batch, hidden, x.dtype) for s in (first_h, first_c))
        for t, runs in _runs(lengths, attrs["direction"], d, steps):
            i, o, f, g = np.split(x[t] @ wd.T + h @ rd.T + bias, 4, axis=1)
            i = _sigmoid(_clipped(i + pi * c, attrs))
            f = _sigmoid(_clipped(f + pf * c, attrs))
            new = f * c + i * np.tanh(_clipped(g, attrs))
            o = _sigmoid(_clipped(o + po * new, attrs))
            turned = o * np.tanh(_clipped(new, attrs))
            h = turned if runs is None else np.where(runs, turned, h)
            c = new if runs is None else np.where(runs, new, c)
            y[t, d] = turned if runs is None else np.where(runs, turned, 0)
        last[:, d] = h, c
    return y, last[0], last[1]


@semantics("CommonGRU")
def common_gru(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array]:
    """One direction after the other."""
    _plain(attrs, ["sigmoid", "tanh"], ctx)
    x, w, r, b, lengths, first = args
    x, hidden = widen(x), attrs["hidden_size"]
    steps, batch, _ = x.shape
    y = np.zeros((steps, len(w), batch, hidden), x.dtype)
    last = np.zeros((len(w), batch, hidden), x.dtype)
    for d in range(len(w)):
        wz, wr, wh = np.split(widen(w[d]), 3)
        rz, rr, rh = np.split(widen(r[d]), 3)
        both = np.zeros(6 * hidden, x.dtype) if b is None else widen(b[d])
        bz, br, bh, cz, cr, ch = np.split(both, 6)
        h = _state(first, d, batch, hidden, x.dtype)
        for t, runs in _runs(lengths, attrs["direction"], d, steps):
            z = _sigmoid(_clipped(x[t] @ wz.T + h @ rz.T + bz + cz, attrs))
            reset = _sigmoid(_clipped(x[t] @ wr.T + h @ rr.T + br + cr, attrs))
            if attrs["linear_before_reset"]:
                inner = reset * (h @ rh.T + ch)
            else:
                inner = (reset * h) @ rh.T + ch
            new = np.tanh(_clipped(x[t] @ wh.T + bh + inner, attrs))
            turned = (1 - z) * new + z * h
            h = turned if runs is None else np.where(runs, turned, h)
            y[t, d] = turned if runs is None else np.where(runs, turned, 0)
        last[d] = h
    return y, last
