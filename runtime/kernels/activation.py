"""Activation kernels on any layout, and the softmax family on ND."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from runtime.kernels.binary import channel_lanes
from runtime.kernels.registry import Call, kernel
from runtime.kernels.unary import apply, erf
from runtime.kernels.views import clear_padding, logical, store, wide

Function = Callable[[np.ndarray], np.ndarray]

_SELU_ALPHA = 1.6732632423543772
_SELU_SCALE = 1.0507009873554805


def _relu(x: np.ndarray) -> np.ndarray:
    return np.maximum(x, x.dtype.type(0))


def sigmoid(x: np.ndarray) -> np.ndarray:
    """1 / (1 + exp(-x)), without overflow; of complex numbers by the tangent of half of them."""
    if x.dtype.kind == "c":
        return (1 + np.tanh(x / 2)) / 2
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + small), small / (1 + small)).astype(x.dtype)


def softplus(x: np.ndarray) -> np.ndarray:
    """log(1 + exp(x)), without overflow."""
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


#: Below it, 1 + erf has lost so many digits that its complement is computed one by one; of doubles,
#: where each digit counts, everywhere.
_TAIL, _TAIL_OF_DOUBLES = -2.0, math.inf


def gelu(x: np.ndarray) -> np.ndarray:
    """x times the share of a normal distribution below x, in double precision until the end."""
    place = x.astype(np.float64) / math.sqrt(2)
    share = np.asarray(1 + erf(place))
    tail = place < (_TAIL_OF_DOUBLES if x.dtype == np.float64 else _TAIL)
    share[tail] = [math.erfc(-v) for v in place[tail].tolist()]
    return (x * share / 2).astype(x.dtype)


def gelu_tanh(x: np.ndarray) -> np.ndarray:
    """The tanh form of `gelu`; half of 1 + tanh is a sigmoid, in which nothing cancels."""
    wide = x.astype(np.float64)
    inner = math.sqrt(8 / math.pi) * (wide + 0.044715 * wide * wide * wide)
    return (wide * sigmoid(inner)).astype(x.dtype)


def _selu(x: np.ndarray) -> np.ndarray:
    negative = _SELU_ALPHA * np.expm1(np.minimum(x, 0))
    return (_SELU_SCALE * np.where(x > 0, x, negative)).astype(x.dtype)


_SIMPLE: dict[str, tuple[Function, bool]] = {
    "Relu6": (lambda x: np.minimum(np.maximum(x, x.dtype.type(0)), x.dtype.type(6)), True),
    "Sigmoid": (sigmoid, False),
    "Softplus": (softplus, False),
    "Softsign": (lambda x: x / (1 + np.abs(x)), True),
    "HardSwish": (lambda x: (x * np.clip(x + 3, 0, 6) / 6).astype(x.dtype), True),
    "Mish": (lambda x: x * np.tanh(softplus(x)), True),
    "Selu": (_selu, True),
}


def _register(name: str, function: Function, zero: bool) -> None:
    @kernel(name, layouts="*")
    def run(call: Call) -> None:
        apply(call, function, zero=zero)


for _name, (_function, _zero) in _SIMPLE.items():
    _register(_name, _function, _zero)


@kernel("Relu", layouts="*")
def relu(call: Call) -> None:
    """max(x, 0); NaN stays NaN."""
    x, y = call.arg(0), call.outs[0]
    if x.data.shape == y.data.shape and x.data.dtype == y.data.dtype:
        np.maximum(x.data, x.data.dtype.type(0), out=y.data)
    else:
        store(y, _relu(logical(x)))


@kernel("Gelu", layouts="*")
def run_gelu(call: Call) -> None:
    """x * Phi(x) in GE's tanh form."""
    apply(call, gelu_tanh, zero=True)


@kernel("GeluV2", layouts="*")
def gelu_v2(call: Call) -> None:
    """x * Phi(x), exact or (`approximate = "tanh"`) in the tanh form."""
    tanh = call.attrs.get("approximate", "none") == "tanh"
    apply(call, gelu_tanh if tanh else gelu, zero=True)


@kernel("LeakyRelu", layouts="*")
def leaky_relu(call: Call) -> None:
    """x where positive, else x * negative_slope."""
    slope = float(call.attrs.get("negative_slope", 0.0))
    apply(call, lambda x: np.where(x > 0, x, x * x.dtype.type(slope)), zero=True)


@kernel("Elu", layouts="*")
def elu(call: Call) -> None:
    """scale * x where positive, else scale * alpha * (exp(input_scale * x) - 1)."""
    alpha = float(call.attrs.get("alpha", 1.0))
    scale = float(call.attrs.get("scale", 1.0))
    inner = float(call.attrs.get("input_scale", 1.0))

    def run(x: np.ndarray) -> np.ndarray:
        negative = alpha * np.expm1(np.minimum(x, 0) * inner)
        return (scale * np.where(x > 0, x, negative)).astype(x.dtype)

    apply(call, run, zero=True)


@kernel("Swish", layouts="*")
def swish(call: Call) -> None:
    """x * sigmoid(scale * x)."""
    scale = float(call.attrs.get("scale", 1.0))
    apply(call, lambda x: x * sigmoid(x * x.dtype.type(scale)), zero=True)


@kernel("HardSigmoid", layouts="*")
def hard_sigmoid(call: Call) -> None:
    """clip(alpha * x + beta, 0, 1)."""
    alpha = float(call.attrs.get("alpha", 1 / 6))
    beta = float(call.attrs.get("beta", 0.5))
    apply(call, lambda x: np.clip(x * alpha + beta, 0, 1), zero=False)


@kernel("PRelu", layouts="*")
def prelu(call: Call) -> None:
    """x where positive, else x * weight; one weight, or one per channel (axis 1)."""
    x, weight, out = call.arg(0), call.arg(1), call.outs[0]
    slope = wide(logical(weight))
    if slope.size == 1:
        factor = slope.reshape(())
    elif x.format == "NC1HWC0" and len(x.shape) == 4:
        factor = channel_lanes(x, slope.reshape(-1))
    else:
        values = wide(logical(x))
        if slope.ndim <= 1:
            slope = slope.reshape(-1, *([1] * (values.ndim - 2))) if values.ndim > 1 else slope
        store(out, np.where(values > 0, values, values * slope))
        return
    values = wide(x.data)
    out.data[...] = np.where(values > 0, values, values * factor)
    clear_padding(out)


def _axes(call: Call) -> tuple[int, ...]:
    rank = len(call.arg(0).shape)
    axes = call.attrs.get("axes", (-1,))
    return tuple(a % rank for a in axes) if rank else ()


@kernel("SoftmaxV2", layouts="ND")
def softmax(call: Call) -> None:
    """exp(x - max) / sum over `axes`, in float32 for 16-bit inputs."""
    axes = _axes(call)
    x = wide(logical(call.arg(0)))
    if x.size:
        powers = np.exp(x - x.max(axis=axes, keepdims=True))
        store(call.outs[0], powers / powers.sum(axis=axes, keepdims=True))


@kernel("LogSoftmaxV2", layouts="ND")
def log_softmax(call: Call) -> None:
    """x - max - log(sum(exp(x - max))) over `axes`."""
    axes = _axes(call)
    x = wide(logical(call.arg(0)))
    if x.size:
        shifted = x - x.max(axis=axes, keepdims=True)
        total = np.log(np.exp(shifted).sum(axis=axes, keepdims=True))
        store(call.outs[0], shifted - total)


@kernel("SwiGlu")
def swi_glu(call: Call) -> None:
    """The halves of each slice along one axis, as a pair."""
    x = wide(logical(call.arg(0)))
    axis = int(call.attrs.get("dim", -1)) % x.ndim
    half = x.shape[axis] // 2
    pair = x.reshape(*x.shape[:axis], 2, half, *x.shape[axis + 1 :])
    a, b = pair.take(0, axis), pair.take(1, axis)
    store(call.outs[0], a * b * sigmoid(a))


@kernel("ReluGrad", layouts="*")
def relu_grad(call: Call) -> None:
    """Gradients masked by the sign of the features."""
    gradients, features = (wide(logical(call.arg(i))) for i in (0, 1))
    mask = np.broadcast_to(features > 0, call.outs[0].shape)
    y = np.zeros(call.outs[0].shape, gradients.dtype)
    np.copyto(y, np.broadcast_to(gradients, y.shape), where=mask)
    store(call.outs[0], y)
