"""Kernels of ONNX's LSTM and GRU on ND: sample by sample, in double precision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from runtime.kernels.refusal import refuse_where
from runtime.kernels.registry import Call, View, kernel
from runtime.kernels.views import logical, store


def _double(view: View | None) -> np.ndarray | None:
    return None if view is None else logical(view).astype(np.float64)


def _logistic(x: np.ndarray) -> np.ndarray:
    return 0.5 * (1 + np.tanh(0.5 * x))


def _cut(x: np.ndarray, attrs: Mapping[str, Any]) -> np.ndarray:
    limit = attrs["clip"]
    return x if limit <= 0 else np.minimum(np.maximum(x, -limit), limit)


def _check(attrs: Mapping[str, Any], usual: str) -> None:
    given = " ".join(attrs["activations"]).lower()
    other = given.replace(usual, "").strip() or attrs.get("input_forget")
    message = "this form of the cell is not evaluated"
    refuse_where(other, message, found=given.split(), expected=usual.split())


def _order(call: Call, number: int, sample: int, steps: int) -> list[int]:
    """The steps of a sample, in the order of a direction."""
    lengths = call.opt(4)
    end = steps if lengths is None else min(int(lengths.data.reshape(-1)[sample]), steps)
    order = list(range(end))
    return order[::-1] if call.attrs["direction"] == "reverse" or number else order


def _save(view: View, value: np.ndarray) -> None:
    narrow = view.data.dtype.itemsize < 8
    store(view, (value.astype(np.float32) if narrow else value).astype(view.data.dtype))


@kernel("CommonLSTM")
def common_lstm(call: Call) -> None:
    """Gate by gate."""
    attrs = call.attrs
    _check(attrs, "sigmoid tanh tanh")
    x, w, r = (logical(call.arg(i)).astype(np.float64) for i in range(3))
    b, h0, c0, p = (_double(call.opt(i)) for i in (3, 5, 6, 7))
    size, (steps, batch, _) = attrs["hidden_size"], x.shape
    y = np.zeros(call.outs[0].shape)
    ends = [np.zeros(call.outs[1].shape) for _ in range(2)]
    for d in range(len(w)):
        bias = np.zeros(4 * size) if b is None else b[d, : 4 * size] + b[d, 4 * size :]
        peep = np.zeros(3 * size) if p is None else p[d]
        gate = {g: slice(i * size, (i + 1) * size) for i, g in enumerate("iofc")}
        for s in range(batch):
            h = np.zeros(size) if h0 is None else h0[d, s]
            c = np.zeros(size) if c0 is None else c0[d, s]
            for t in _order(call, d, s, steps):
                total = w[d] @ x[t, s] + r[d] @ h + bias
                i = _logistic(_cut(total[gate["i"]] + peep[gate["i"]] * c, attrs))
                f = _logistic(_cut(total[gate["f"]] + peep[gate["f"]] * c, attrs))
                c = f * c + i * np.tanh(_cut(total[gate["c"]], attrs))
                o = _logistic(_cut(total[gate["o"]] + peep[gate["o"]] * c, attrs))
                h = o * np.tanh(_cut(c, attrs))
                y[t, d, s] = h
            ends[0][d, s], ends[1][d, s] = h, c
    for view, value in zip(call.outs, (y, *ends), strict=True):
        _save(view, value)


@kernel("CommonGRU")
def common_gru(call: Call) -> None:
    """Gate by gate."""
    attrs = call.attrs
    _check(attrs, "sigmoid tanh")
    x, w, r = (logical(call.arg(i)).astype(np.float64) for i in range(3))
    b, h0 = (_double(call.opt(i)) for i in (3, 5))
    size, (steps, batch, _) = attrs["hidden_size"], x.shape
    y, end = np.zeros(call.outs[0].shape), np.zeros(call.outs[1].shape)
    for d in range(len(w)):
        bias = np.zeros((2, 3, size)) if b is None else b[d].reshape(2, 3, size)
        for s in range(batch):
            h = np.zeros(size) if h0 is None else h0[d, s]
            for t in _order(call, d, s, steps):
                given = (w[d] @ x[t, s]).reshape(3, size) + bias[0]
                z, q = (
                    _logistic(
                        _cut(given[g] + r[d, g * size : (g + 1) * size] @ h + bias[1, g], attrs)
                    )
                    for g in (0, 1)
                )
                last = r[d, 2 * size :]
                if attrs["linear_before_reset"]:
                    inner = q * (last @ h + bias[1, 2])
                else:
                    inner = last @ (q * h) + bias[1, 2]
                new = np.tanh(_cut(given[2] + inner, attrs))
                h = new + z * (h - new)
                y[t, d, s] = h
            end[d, s] = h
    _save(call.outs[0], y)
    _save(call.outs[1], end)
