"""Golden meaning of the activations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.broadcast import stretched
from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, axis_list, cast, kind, widen, widen_all
from ge_dialect.semantics.registry import semantics
from ge_dialect.semantics.special import erfc, sigmoid, softplus

Attrs = Mapping[str, Any]

# G. Klambauer et al., "Self-Normalizing Neural Networks", 2017.
_SELU_SCALE, _SELU_ALPHA = 1.0507009873554805, 1.6732632423543772
# D. Hendrycks, K. Gimpel, "Gaussian Error Linear Units", 2016.
_GELU_CUBIC = 0.044715
_SQRT_2_OVER_PI = 0.7978845608028654


def _unary(op_type: str, fn: Callable[[Array, Attrs], Array]) -> None:
    @semantics(op_type)
    def run(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
        return fn(widen(args[0]), attrs)


def _elu(x: Array, alpha: float, scale: float, input_scale: float) -> Array:
    below = np.minimum(x, 0)
    if input_scale != 1.0:
        below = below * x.dtype.type(input_scale)
    y = np.where(x > 0, x, x.dtype.type(alpha) * np.expm1(below))
    return y if scale == 1.0 else y * x.dtype.type(scale)


def gelu_tanh(x: Array) -> Array:
    """Gelu in its tanh form."""
    # 0.5 * (1 + tanh(u)) is sigmoid(2 * u), which does not cancel for negative x
    t = x.dtype.type
    return x * sigmoid(t(2 * _SQRT_2_OVER_PI) * (x + t(_GELU_CUBIC) * x * x * x))


def gelu_erf(x: Array) -> Array:
    """Gelu by the error function."""
    wide = x.astype(np.float64)
    return (0.5 * wide * erfc(wide * -0.7071067811865476)).astype(x.dtype)


_unary("Relu", lambda x, a: np.maximum(x, 0))
_unary("Relu6", lambda x, a: np.minimum(np.maximum(x, 0), 6))
_unary("LeakyRelu", lambda x, a: np.where(x > 0, x, x * x.dtype.type(a["negative_slope"])))
_unary("Elu", lambda x, a: _elu(x, a["alpha"], a["scale"], a["input_scale"]))
_unary("Selu", lambda x, a: _elu(x, _SELU_ALPHA, _SELU_SCALE, 1.0))
_unary("Gelu", lambda x, a: gelu_tanh(x))
_unary("GeluV2", lambda x, a: gelu_tanh(x) if a["approximate"] == "tanh" else gelu_erf(x))
_unary("Sigmoid", lambda x, a: 1 / (1 + np.exp(-x)) if x.dtype.kind == "c" else sigmoid(x))
_unary("Tanh", lambda x, a: np.tanh(x))
_unary("Softplus", lambda x, a: softplus(x))
_unary("Softsign", lambda x, a: x / (1 + np.abs(x)))
_unary("Swish", lambda x, a: x * sigmoid(x * x.dtype.type(a["scale"])))
_unary("Mish", lambda x, a: x * np.tanh(softplus(x)))
_unary("HardSwish", lambda x, a: x * np.minimum(np.maximum(x + 3, 0), 6) / 6)


@semantics("HardSigmoid")
def hard_sigmoid(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """min(max(alpha * x + beta, 0), 1); an integer result is truncated."""
    x = args[0]
    integer = kind(x.dtype) in "iu"
    wide = x.astype(np.float64) if integer else widen(x)
    t = wide.dtype.type
    y = np.minimum(np.maximum(t(attrs["alpha"]) * wide + t(attrs["beta"]), 0), 1)
    return cast(y, x.dtype) if integer else y


@semantics("PRelu")
def prelu(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x where x > 0, else weight * x; a vector of slopes lies along axis 1 of x."""
    x, weight = widen_all(args)
    if weight.size == 1:
        weight = weight.reshape(())
    elif weight.ndim == 1:
        weight = stretched(weight, x.ndim, min(1, x.ndim - 1))
    return np.where(x > 0, x, weight * x)


def _shifted(x: Array, axes: Any, ctx: Context) -> tuple[Array, tuple[int, ...]]:
    """x minus its maximum over the axes (a scalar counts as a vector of one element)."""
    over = axis_list(axes, max(x.ndim, 1), ctx)
    if x.ndim == 0:
        over = ()
    top = np.max(x, axis=over, keepdims=True, initial=-np.inf) if x.ndim else x
    return x - top, over


@semantics("SoftmaxV2")
def softmax(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """exp(x - max) / sum; a slice of only -inf, or with +inf or NaN, gives NaN."""
    shifted, over = _shifted(widen(args[0]), attrs["axes"], ctx)
    e = np.exp(shifted)
    return e / e.sum(axis=over, keepdims=True) if e.ndim else e / e


@semantics("LogSoftmaxV2")
def log_softmax(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x - max - log(sum(exp(x - max)))."""
    shifted, over = _shifted(widen(args[0]), attrs["axes"], ctx)
    e = np.exp(shifted)
    return shifted - np.log(e.sum(axis=over, keepdims=True) if e.ndim else e)


@semantics("SwiGlu")
def swi_glu(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Swish of the first half along `dim` times the second."""
    a, b = np.split(widen(args[0]), 2, axis=attrs["dim"])
    return a * sigmoid(a) * b


@semantics("ReluGrad")
def relu_grad(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Gradients of positive features; NaN features have none."""
    gradients, features = (widen(a) for a in args)
    return np.where(features > 0, gradients, gradients.dtype.type(0))
