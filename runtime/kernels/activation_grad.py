"""Kernels of the gradients of activations."""

from __future__ import annotations

import math

import numpy as np

from runtime.kernels.activation import sigmoid
from runtime.kernels.binary import combine
from runtime.kernels.registry import Call, kernel
from runtime.kernels.unary import convert
from runtime.kernels.views import logical, store


def _wide64(call: Call, index: int) -> np.ndarray:
    return logical(call.arg(index)).astype(np.float64)


def _gelu_slope(dy: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """By the hyperbolic tangent: (1 + t) / 2 + x · (1 - t²) · u' / 2, in double precision."""
    wide = x.astype(np.float64)
    root = math.sqrt(2 / math.pi)
    t = np.tanh(root * (wide + 0.044715 * wide**3))
    cosh2 = (1 - t) * (1 + t)
    bent = np.where(cosh2 == 0, 0, wide * cosh2 * root * (1 + 3 * 0.044715 * wide**2))
    slope = ((1 + t + bent) / 2).astype(x.dtype)
    return np.broadcast_arrays(dy * slope, y)[0]


@kernel("GeluGrad", layouts="*")
def gelu_grad(call: Call) -> None:
    """dy · Gelu'(x)."""
    views = [call.arg(0), call.arg(1), call.arg(2)]
    combine(views, call.outs[0], _gelu_slope, zero=True)


@kernel("SigmoidGrad", layouts="*")
def sigmoid_grad(call: Call) -> None:
    """dy · y · (1 - y), from left to right."""
    views = [call.arg(0), call.arg(1)]
    combine(views, call.outs[0], lambda y, dy: dy * y * (1 - y), zero=True)


@kernel("TanhGrad", layouts="*")
def tanh_grad(call: Call) -> None:
    """dy · (1 - y) · (1 + y)."""
    turn = bool(call.attrs.get("complex_conj"))

    def slope(y: np.ndarray, dy: np.ndarray) -> np.ndarray:
        y = np.conjugate(y) if turn else y
        return (1 - y) * (1 + y) * dy

    combine([call.arg(0), call.arg(1)], call.outs[0], slope, zero=True)


def _rows(call: Call, index: int, name: str) -> tuple[np.ndarray, tuple[int, ...]]:
    """The input as [rows, what is normalised together], and the axes brought to the end."""
    x = _wide64(call, index)
    axes = tuple(a % max(x.ndim, 1) for a in call.attrs[name]) if x.ndim else ()
    order = tuple(a for a in range(x.ndim) if a not in axes) + axes
    moved = x.transpose(order)
    size = math.prod(x.shape[a] for a in axes)
    rows = math.prod(x.shape[a] for a in order[: x.ndim - len(axes)])
    return moved.reshape(rows, size), order


def _write(call: Call, rows: np.ndarray, order: tuple[int, ...]) -> None:
    out = call.outs[0]
    back = rows.reshape([out.shape[a] for a in order]).transpose(np.argsort(order))
    store(out, convert(back, out.data.dtype))


@kernel("SoftmaxGrad")
def softmax_grad(call: Call) -> None:
    """Row by row in double precision: the dot product of both, then one update."""
    s, order = _rows(call, 0, "axes")
    g, _ = _rows(call, 1, "axes")
    dots = np.einsum("ij,ij->i", s, g)
    _write(call, (g - dots[:, None]) * s, order)


@kernel("SoftmaxGradExt")
def softmax_grad_ext(call: Call) -> None:
    """Along one axis at a time in double precision; the scale comes last."""
    g, s, scale = (_wide64(call, i) for i in range(3))
    axis = int(call.attrs.get("axes", 1)) % s.ndim
    g, s = np.moveaxis(g, axis, -1), np.moveaxis(s, axis, -1)
    back = (g - np.einsum("...j,...j->...", s, g)[..., None]) * s
    out = call.outs[0]
    y = np.broadcast_to(np.moveaxis(back, -1, axis) * scale, out.shape)
    store(out, convert(y, out.data.dtype))


@kernel("LogSoftmaxGrad")
def log_softmax_grad(call: Call) -> None:
    """Row by row in double precision."""
    g, order = _rows(call, 0, "axis")
    x, _ = _rows(call, 1, "axis")
    _write(call, g - np.exp(x) * g.sum(axis=1)[:, None], order)


@kernel("SwiGluGrad")
def swi_glu_grad(call: Call) -> None:
    """Both halves by one formula: x as pairs along a new axis."""
    g, x = _wide64(call, 0), _wide64(call, 1)
    axis = int(call.attrs.get("dim", -1)) % x.ndim
    half = x.shape[axis] // 2
    pair = np.moveaxis(x.reshape(*x.shape[:axis], 2, half, *x.shape[axis + 1 :]), axis, 0)
    a, b = pair
    swish = a * sigmoid(a)
    slope = sigmoid(a) + swish * sigmoid(-a)
    both = np.stack([b * slope * g, swish * g], axis=axis)
    out = call.outs[0]
    store(out, convert(both.reshape(x.shape), out.data.dtype))
