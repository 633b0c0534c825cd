"""Golden meaning of the optimisers: cells take new values, arrays are never changed.

Within a step everything is in the working dtype; what a cell takes is rounded once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context, Ref
from ge_dialect.semantics.numerics import Array, finish, widen, widen_all
from ge_dialect.semantics.registry import semantics
from ge_dialect.semantics.variables import held

Attrs = Mapping[str, Any]


def _values(cells: list[Ref], others: list[Any], ctx: Context) -> list[Array]:
    """The values of the cells and of the other inputs, wide; one element counts as a scalar."""
    arrays = widen_all([*(held(c, ctx) for c in cells), *others])
    first = arrays[0]
    for i, a in enumerate(arrays):
        if a.size == 1 and a.shape != first.shape:
            arrays[i] = a.reshape(())
        elif a.shape != first.shape:
            ctx.fail("shapes do not fit the variable", found=a.shape, expected=first.shape)
    return arrays


def _take(cell: Ref, value: Array) -> None:
    """The cell takes a value, rounded to its dtype."""
    assert cell.value is not None
    cell.value = finish(np.broadcast_to(value, cell.value.shape), cell.value.dtype)


@semantics("ApplyGradientDescent")
def apply_gradient_descent(args: list[Any], attrs: Attrs, ctx: Context) -> Ref:
    """var - alpha · delta."""
    cell = args[0]
    var, alpha, delta = _values([cell], args[1:], ctx)
    _take(cell, var - alpha * delta)
    return cell


@semantics("ApplyMomentum")
def apply_momentum(args: list[Any], attrs: Attrs, ctx: Context) -> Ref:
    """The accumulator first, then the variable."""
    cells = args[:2]
    var, accum, lr, grad, momentum = _values(cells, args[2:], ctx)
    accum = accum * momentum + grad
    ahead = lr * grad + lr * momentum * accum if attrs["use_nesterov"] else lr * accum
    _take(cells[0], var - ahead)
    _take(cells[1], accum)
    return cells[0]


def _adam(args: list[Any], attrs: Attrs, ctx: Context) -> list[Ref]:
    cells = args[:3]
    var, m, v, power1, power2, lr, beta1, beta2, epsilon, grad = _values(cells, args[3:], ctx)
    rate = lr * np.sqrt(1 - power2) / (1 - power1)
    m = beta1 * m + (1 - beta1) * grad
    v = beta2 * v + (1 - beta2) * (grad * grad)
    along = m * beta1 + grad * (1 - beta1) if attrs["use_nesterov"] else m
    new = (var - along * rate / (np.sqrt(v) + epsilon), m, v)
    for cell, value in zip(cells, new, strict=True):
        _take(cell, value)
    return cells


@semantics("ApplyAdam")
def apply_adam(args: list[Any], attrs: Attrs, ctx: Context) -> Ref:
    """Adam; only the variable is a result."""
    return _adam(args, attrs, ctx)[0]


@semantics("ApplyAdamD")
def apply_adam_d(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Ref, ...]:
    """Adam with all three as results."""
    return tuple(_adam(args, attrs, ctx))


@semantics("ApplyAdamW")
def apply_adam_w(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Ref, ...]:
    """Decay, moments, and the step with corrected moments."""
    if attrs["amsgrad"]:
        ctx.fail("amsgrad is not supported", found=True, expected=False)
    cells = args[:3]
    values = _values(cells, args[3:11], ctx)
    var, m, v, power1, power2, lr, decay, beta1, beta2, epsilon, grad = values
    grad = -grad if attrs["maximize"] else grad
    m = beta1 * m + (1 - beta1) * grad
    v = beta2 * v + (1 - beta2) * grad * grad
    root = np.sqrt(v / (1 - power2 * beta2)) + epsilon
    var = var * (1 - lr * decay) - lr / (1 - power1 * beta1) * (m / root)
    for cell, value in zip(cells, (var, m, v), strict=True):
        _take(cell, value)
    return tuple(cells)


@semantics("SGD")
def sgd(args: list[Any], attrs: Attrs, ctx: Context) -> Ref:
    """The accumulator, the step, and the state for the next one."""
    cells = [args[0], args[3], args[5]]
    values = _values(cells, [args[1], args[2], args[4]], ctx)
    parameters, accum, stat, gradient, rate, momentum = values
    t = parameters.dtype.type
    grad = gradient + t(attrs["weight_decay"]) * parameters if attrs["weight_decay"] else gradient
    # the first step, at stat 1, takes the gradient whole
    share = 1 - t(attrs["dampening"]) * (1 - stat) if attrs["dampening"] else 1
    accum = accum * momentum + share * grad
    move = grad + momentum * accum if attrs["nesterov"] else accum
    _take(cells[0], parameters - rate * move)
    if widen(args[4]).reshape(()) != 0:
        _take(cells[1], accum)
        _take(cells[2], np.zeros_like(stat))
    return cells[0]
