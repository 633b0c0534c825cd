"""Kernels of gates, thresholds and one-hot maxima."""

from __future__ import annotations

import numpy as np

from runtime.kernels.activation import gelu, gelu_tanh
from runtime.kernels.registry import Call, kernel
from runtime.kernels.unary import apply, convert
from runtime.kernels.views import logical, store, wide


def _squashed(x: np.ndarray) -> np.ndarray:
    """The logistic function by the hyperbolic tangent, in double precision."""
    return (1 + np.tanh(x.astype(np.float64) / 2)) / 2


def _logistic(x: np.ndarray) -> np.ndarray:
    """The logistic function by exp, which keeps its digits where it is small."""
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-x.astype(np.float64)))


@kernel("Celu", layouts="*")
def celu(call: Call) -> None:
    """A line, bent where x is negative, in double precision."""
    below, inner, above = (float(call.attrs.get(f"alpha{i}", 1.0)) for i in (1, 2, 3))

    def bent(x: np.ndarray) -> np.ndarray:
        wide64 = x.astype(np.float64)
        ratio = np.minimum(wide64, 0) / inner
        with np.errstate(all="ignore"):
            curve = np.tanh(ratio / 2) * (np.exp(ratio) + 1)  # exp - 1 without cancellation
            return np.where(wide64 < 0, below * curve, above * wide64).astype(x.dtype)

    apply(call, bent, zero=True)


@kernel("CeluV2", layouts="*")
def celu_v2(call: Call) -> None:
    """x where positive, else alpha · (exp(x / alpha) - 1); the other way round for alpha < 0."""
    alpha = float(call.attrs.get("alpha", 1.0))

    def celu(x: np.ndarray) -> np.ndarray:
        wide64 = x.astype(np.float64)
        with np.errstate(all="ignore"):
            curve = alpha * (np.exp(wide64 / alpha) - 1)
        small = np.abs(wide64 / alpha) < 1e-3  # the series, where exp - 1 cancels
        ratio = wide64 / alpha
        series = wide64 * (1 + ratio / 2 * (1 + ratio / 3 * (1 + ratio / 4)))
        curve = np.where(small, series, curve)
        return (np.maximum(wide64, 0) + np.where(curve > 0, 0, curve)).astype(x.dtype)

    apply(call, celu, zero=True)


@kernel("FastGelu", layouts="*")
def fast_gelu(call: Call) -> None:
    """x over 1 + exp(-1.702 x)."""
    apply(call, lambda x: (x * _logistic(1.702 * x.astype(np.float64))).astype(x.dtype), zero=True)


@kernel("LogSigmoid", layouts="*")
def log_sigmoid(call: Call) -> None:
    """By the logarithm of a sum of exponentials."""
    apply(call, lambda x: -np.logaddexp(np.zeros((), x.dtype), -x), zero=False)


@kernel("Shrink", layouts="*")
def shrink(call: Call) -> None:
    """Two masked moves towards zero."""
    lambd, bias = float(call.attrs.get("lambd", 0.5)), float(call.attrs.get("bias", 0.0))

    def shrunk(x: np.ndarray) -> np.ndarray:
        t = x.dtype.type
        y = np.zeros_like(x)
        np.copyto(y, x + t(bias), where=x < -t(lambd))
        np.copyto(y, x - t(bias), where=x > t(lambd))
        return y

    apply(call, shrunk, zero=lambd >= 0)


@kernel("ThresholdedRelu", layouts="*")
def thresholded_relu(call: Call) -> None:
    """x kept by a mask."""
    alpha = float(call.attrs.get("alpha", 1.0))

    def kept(x: np.ndarray) -> np.ndarray:
        y = np.zeros_like(x)
        np.copyto(y, x, where=x > x.dtype.type(alpha))
        return y

    apply(call, kept, zero=True)


@kernel("Threshold", layouts="*")
def threshold(call: Call) -> None:
    """The mask itself."""
    bound = np.float32(call.attrs.get("threshold", 0.0))
    apply(call, lambda x: np.greater(x, bound).astype(x.dtype), zero=False)


@kernel("ThresholdV2")
def threshold_v2(call: Call) -> None:
    """Everything is the value, then x where it passes."""
    x, value = logical(call.arg(0)), call.opt(2)
    y = np.zeros(x.shape, x.dtype)
    if value is not None:
        y[...] = logical(value).reshape(())
    passes = wide(x) > wide(logical(call.arg(1))).reshape(())
    np.copyto(y, x, where=passes)
    store(call.outs[0], y)


@kernel("HardMax")
def hard_max(call: Call) -> None:
    """The largest value of a slice, of which only the first counts; NaN is the largest."""
    x = wide(logical(call.arg(0)))
    if x.ndim == 0:
        store(call.outs[0], np.ones((), call.outs[0].data.dtype))
        return
    lanes = np.moveaxis(x, int(call.attrs.get("axis", -1)), -1)
    y = np.zeros(lanes.shape, call.outs[0].data.dtype)
    if x.size:
        top = lanes.max(axis=-1, keepdims=True)
        hit = (lanes == top) | (np.isnan(lanes) & np.isnan(top))
        y[...] = hit & (np.cumsum(hit, axis=-1) == 1)
    store(call.outs[0], np.moveaxis(y, -1, int(call.attrs.get("axis", -1))))


def _pair(call: Call) -> tuple[np.ndarray, np.ndarray]:
    """The halves of x along `dim`."""
    x = wide(logical(call.arg(0)))
    axis = int(call.attrs.get("dim", -1)) % x.ndim
    half = x.shape[axis] // 2
    pair = x.reshape(*x.shape[:axis], 2, half, *x.shape[axis + 1 :])
    return pair.take(0, axis), pair.take(1, axis)


@kernel("GLU")
def glu(call: Call) -> None:
    """A half times the logistic function of the other."""
    a, b = _pair(call)
    store(call.outs[0], convert(a * _squashed(b), call.outs[0].data.dtype))


@kernel("GeGluV2")
def ge_glu_v2(call: Call) -> None:
    """A half times Gelu of the other, in double precision."""
    a, b = _pair(call)
    if call.attrs.get("activate_left"):
        a, b = b, a
    wide64 = b.astype(np.float64)
    curve = gelu_tanh(wide64) if call.attrs.get("approximate", 1) else gelu(wide64)
    for view, value in zip(call.outs, (a * curve, curve), strict=True):
        store(view, convert(value, view.data.dtype))
