"""Kernels of the optimisers: variables are changed in their own memory.

A step runs in double precision (integers in their own dtype), tile by tile: a tile of every
variable is read, computed and written before the next one, as a vector core does it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from runtime.kernels.registry import Call, View, kernel
from runtime.kernels.unary import convert
from runtime.kernels.views import exact

_TILE = 4096
Step = Callable[..., Sequence[np.ndarray | None]]


def _number(call: Call, index: int) -> np.ndarray:
    return exact(call.arg(index).data.reshape(())) if call.arg(index).data.size else np.zeros(())


def _run(call: Call, variables: Sequence[int], gradient: int, step: Step) -> None:
    """New values of the variables tile by tile; None leaves one as it is."""
    views = [call.arg(i) for i in variables]
    flat = [v.data.reshape(-1) for v in views]
    grad = call.arg(gradient).data.reshape(-1)
    for start in range(0, grad.size, _TILE):
        part = slice(start, start + _TILE)
        new = step(*(exact(f[part]) for f in flat), exact(grad[part]))
        for target, value in zip(flat, new, strict=True):
            if value is not None:
                target[part] = convert(value, target.dtype)
    for view, array in zip(views, flat, strict=True):
        if not np.shares_memory(array, view.data):
            view.data[...] = array.reshape(view.data.shape)
    for out, view in zip(call.outs, views, strict=False):
        _hand_on(view, out)


def _hand_on(view: View, out: View) -> None:
    """A ref result is the variable itself unless the plan gave it memory of its own."""
    if not (view.data.size and np.shares_memory(view.data, out.data)):
        out.data[...] = view.data.reshape(out.data.shape)


@kernel("ApplyGradientDescent")
def apply_gradient_descent(call: Call) -> None:
    """One multiplication and one subtraction."""
    alpha = _number(call, 1)
    _run(call, (0,), 2, lambda var, delta: (var - delta * alpha,))


@kernel("ApplyMomentum")
def apply_momentum(call: Call) -> None:
    """A leaky sum of gradients moves the variable."""
    lr, momentum = _number(call, 2), _number(call, 4)
    nesterov = bool(call.attrs.get("use_nesterov"))

    def step(var: np.ndarray, accum: np.ndarray, grad: np.ndarray) -> Sequence[np.ndarray]:
        after = grad + momentum * accum
        if nesterov:
            return var - (grad * lr + after * (momentum * lr)), after
        return var - after * lr, after

    _run(call, (0, 1), 3, step)


@kernel("ApplyAdam", "ApplyAdamD")
def apply_adam(call: Call) -> None:
    """Moments as weighted means of old and new."""
    power1, power2, lr, beta1, beta2, epsilon = (_number(call, i) for i in range(3, 9))
    nesterov = bool(call.attrs.get("use_nesterov"))
    rate = lr * np.sqrt(1 - power2) / (1 - power1)

    def step(
        var: np.ndarray, m: np.ndarray, v: np.ndarray, grad: np.ndarray
    ) -> Sequence[np.ndarray]:
        first = beta1 * m + (1 - beta1) * grad
        second = beta2 * v + (1 - beta2) * np.square(grad)
        ahead = beta1 * first + (1 - beta1) * grad if nesterov else first
        with np.errstate(all="ignore"):
            return var - rate * (ahead / (epsilon + np.sqrt(second))), first, second

    _run(call, (0, 1, 2), 9, step)


@kernel("ApplyAdamW")
def apply_adam_w(call: Call) -> None:
    """Signs as in the device's description: powers minus one below the moments."""
    numbers = (_number(call, i) for i in range(3, 10))
    power1, power2, lr, decay, beta1, beta2, epsilon = numbers
    sign = -1.0 if call.attrs.get("maximize") else 1.0

    def step(
        var: np.ndarray, m: np.ndarray, v: np.ndarray, grad: np.ndarray
    ) -> Sequence[np.ndarray]:
        first = m * beta1 - (beta1 - 1) * (sign * grad)
        second = v * beta2 - (beta2 - 1) * np.square(grad)
        with np.errstate(all="ignore"):
            below = np.sqrt(-second / (power2 * beta2 - 1)) + epsilon
            moved = var - var * lr * decay + lr / (power1 * beta1 - 1) * (first / below)
        return moved, first, second

    _run(call, (0, 1, 2), 10, step)


@kernel("SGD")
def sgd(call: Call) -> None:
    """Parameters, accumulator and the flags of the first step."""
    rate, momentum = _number(call, 2), _number(call, 4)
    decay = float(call.attrs.get("weight_decay", 0.0))
    dampening = float(call.attrs.get("dampening", 0.0))
    nesterov = bool(call.attrs.get("nesterov"))

    def step(
        parameters: np.ndarray, accum: np.ndarray, stat: np.ndarray, gradient: np.ndarray
    ) -> Sequence[np.ndarray | None]:
        grad = gradient + decay * parameters if decay else gradient
        kept = 1 - dampening + dampening * stat if dampening else 1
        after = momentum * accum + grad * kept
        moved = parameters - rate * (grad + after * momentum if nesterov else after)
        if momentum == 0:
            return moved, None, None
        return moved, after, np.zeros_like(stat)

    _run(call, (0, 3, 5), 1, step)
