"""Golden meaning of gates, thresholds and one-hot maxima."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.activation import gelu_erf, gelu_tanh
from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, axis_list, scalar, widen
from ge_dialect.semantics.registry import semantics
from ge_dialect.semantics.special import sigmoid, softplus

Attrs = Mapping[str, Any]


def _unary(op_type: str, fn: Callable[[Array, Attrs], Array]) -> None:
    @semantics(op_type)
    def run(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
        return fn(widen(args[0]), attrs)


def _celu(x: Array, alpha: Any) -> Array:
    t = x.dtype.type
    below = np.minimum(x, 0) if alpha > 0 else x
    return np.maximum(x, 0) + np.minimum(t(alpha) * np.expm1(below / t(alpha)), 0)


def _celu_of_three(x: Array, below: Any, inner: Any, above: Any) -> Array:
    t = x.dtype.type
    left = np.where(x < 0, x, t(0))  # not beyond: it may overflow there
    return np.where(x < 0, t(below) * np.expm1(left / t(inner)), t(above) * x)


def _shrink(x: Array, lambd: Any, bias: Any) -> Array:
    t = x.dtype.type
    outer = np.where(x > t(lambd), x - t(bias), x + t(bias))
    # a NaN lies on neither side, so it becomes 0
    return np.where((x > t(lambd)) | (x < -t(lambd)), outer, t(0))


_unary("Celu", lambda x, a: _celu_of_three(x, a["alpha1"], a["alpha2"], a["alpha3"]))
_unary("CeluV2", lambda x, a: _celu(x, a["alpha"]))
_unary("FastGelu", lambda x, a: x * sigmoid(x * x.dtype.type(1.702)))
_unary("LogSigmoid", lambda x, a: -softplus(-x))
_unary("Shrink", lambda x, a: _shrink(x, a["lambd"], a["bias"]))
_unary("ThresholdedRelu", lambda x, a: np.where(x > x.dtype.type(a["alpha"]), x, x.dtype.type(0)))


@semantics("Threshold")
def threshold(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Whether x is greater, as 1 or 0 of its dtype; the bound is compared as a float32."""
    x = widen(args[0])
    return (x > np.float32(attrs["threshold"])).astype(x.dtype)


@semantics("ThresholdV2")
def threshold_v2(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x above the threshold, else the value."""
    x = args[0]
    bound = widen(args[1]).reshape(()) if args[1].size == 1 else scalar(args[1], "threshold", ctx)
    other = np.zeros((), x.dtype) if args[2] is None else args[2]
    if other.size != 1:
        scalar(other, "value", ctx)
    return np.where(widen(x) > bound, x, other.reshape(()))


@semantics("HardMax")
def hard_max(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """One 1 per slice."""
    x = widen(args[0])
    (axis,) = axis_list(attrs["axis"], max(x.ndim, 1), ctx)
    if not x.size or not x.ndim:
        return np.ones_like(x)
    first = np.expand_dims(np.argmax(x, axis=axis), axis)
    y = np.zeros_like(x)
    np.put_along_axis(y, first, 1, axis)
    return y


@semantics("GLU")
def glu(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The first half times the sigmoid of the second."""
    a, b = np.split(widen(args[0]), 2, axis=attrs["dim"])
    return a * sigmoid(b)


@semantics("GeGluV2")
def ge_glu_v2(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array]:
    """One half times Gelu of the other, and that Gelu."""
    a, b = np.split(widen(args[0]), 2, axis=attrs["dim"])
    if attrs["activate_left"]:
        a, b = b, a
    gelu = gelu_tanh(b) if attrs["approximate"] else gelu_erf(b)
    return a * gelu, gelu
