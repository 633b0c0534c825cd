"""Golden meaning of the gradients of activations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, axis_list, widen_all
from ge_dialect.semantics.registry import semantics
from ge_dialect.semantics.special import sigmoid

Attrs = Mapping[str, Any]
# Gelu(x) ≈ x · sigmoid(_SLOPE · (x + _CUBIC · x³)); D. Hendrycks, K. Gimpel, 2016.
_SLOPE, _CUBIC = 2 * 0.7978845608028654, 0.044715


@semantics("GeluGrad")
def gelu_grad(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The derivative of x · s with s = sigmoid(u(x)) is s + x · s · (1 - s) · u'(x)."""
    dy, x, _ = widen_all(args)
    t = x.dtype.type
    square = x * x
    u = t(_SLOPE) * x * (1 + t(_CUBIC) * square)
    s = sigmoid(u)
    slope = t(_SLOPE) * (1 + t(3 * _CUBIC) * square)
    # far out s · (1 - s) is 0 while the polynomial overflows
    bend = s * sigmoid(-u)  # 1 - s would lose its digits
    rest = np.where(bend == 0, 0, x * slope * bend)
    z = dy * (s + rest)
    return np.broadcast_to(z, np.broadcast_shapes(z.shape, args[2].shape))


@semantics("SigmoidGrad")
def sigmoid_grad(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """dy · y · (1 - y)."""
    y, dy = widen_all(args)
    return dy * (y * (1 - y))


@semantics("TanhGrad")
def tanh_grad(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """dy · (1 - y²)."""
    y, dy = widen_all(args)
    if attrs["complex_conj"]:
        y = np.conj(y)
    return dy * (1 - y * y)


def _axes(x: Array, axes: Any, ctx: Context) -> tuple[int, ...]:
    found = axis_list(axes, max(x.ndim, 1), ctx)
    return found if x.ndim else ()


@semantics("SoftmaxGrad")
def softmax_grad(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """s · (g - sum(s · g))."""
    s, g = widen_all(args)
    total = np.sum(s * g, axis=_axes(s, attrs["axes"], ctx), keepdims=True)
    return s * (g - total)


@semantics("SoftmaxGradExt")
def softmax_grad_ext(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x2 · s · (g - sum(s · g))."""
    g, s, scale = widen_all(args)
    axis = _axes(s, (attrs["axes"],), ctx)
    return scale * s * (g - np.sum(s * g, axis=axis, keepdims=True))


@semantics("LogSoftmaxGrad")
def log_softmax_grad(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """g - exp(x) · sum(g)."""
    g, x = widen_all(args)
    return g - np.exp(x) * np.sum(g, axis=_axes(g, attrs["axis"], ctx), keepdims=True)


@semantics("SwiGluGrad")
def swi_glu_grad(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The gradients of a · sigmoid(a) · b with respect to a and b, side by side."""
    g, x = widen_all(args)
    a, b = np.split(x, 2, axis=attrs["dim"])
    s = sigmoid(a)
    return np.concatenate([g * b * s * (1 + a * (1 - s)), g * a * s], axis=attrs["dim"])
