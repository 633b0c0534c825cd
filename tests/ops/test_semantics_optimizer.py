"""Optimisers against the textbook's formulas, number by number in Python."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ge_dialect.api import evaluate, parse
from ge_dialect.diagnostics import GeError
from ge_dialect.ops.registry import op_class
from ge_dialect.semantics.context import Context, Ref
from ge_dialect.semantics.registry import lookup


def step(op, args, attrs=None):
    """Runs one step; lists are variables. Gives what the variables hold afterwards."""
    table = op_class(op).ge_table()
    defaults = {n: s.kind.to_python(s.default) for n, s in table.attrs.items()}
    cells = [Ref("v", np.array(a, np.float64)) if isinstance(a, list) else a for a in args]
    rest = [c if isinstance(c, Ref) or c is None else np.asarray(c, np.float64) for c in cells]
    lookup(op)(rest, {**defaults, **(attrs or {})}, Context())
    return [c.value.tolist() for c in rest if isinstance(c, Ref)]


def test_gradient_descent():
    assert step("ApplyGradientDescent", [[1.0, 2.0], 0.5, np.array([2.0, -4.0])]) == [[0.0, 4.0]]


def test_integers_wrap():
    cell = Ref("v", np.array([100, -100], np.int8))
    args = [cell, np.array([2], np.int8), np.array([-50, 50], np.int8)]
    lookup("ApplyGradientDescent")(args, {"use_locking": False}, Context())
    assert cell.value.tolist() == [-56, 56]


@pytest.mark.parametrize("nesterov", [False, True])
def test_momentum(nesterov):
    args = [[1.0], [0.5], 0.1, np.array([2.0]), 0.9]
    var, accum = step("ApplyMomentum", args, {"use_nesterov": nesterov})
    after = 0.5 * 0.9 + 2.0
    assert accum == [after]
    move = 2.0 + 0.9 * after if nesterov else after
    assert var == pytest.approx([1.0 - 0.1 * move])


@pytest.mark.parametrize("nesterov", [False, True])
@pytest.mark.parametrize("op", ["ApplyAdam", "ApplyAdamD"])
def test_adam(op, nesterov):
    beta1, beta2, lr, epsilon = 0.9, 0.99, 0.01, 1e-3
    for t in (1, 2, 7):
        var, m, v, grad = 1.5, 0.25, 0.5, -2.0
        args = [[var], [m], [v], beta1**t, beta2**t, lr, beta1, beta2, epsilon, np.array([grad])]
        got = step(op, args, {"use_nesterov": nesterov})
        m = beta1 * m + (1 - beta1) * grad
        v = beta2 * v + (1 - beta2) * grad**2
        ahead = beta1 * m + (1 - beta1) * grad if nesterov else m
        rate = lr * math.sqrt(1 - beta2**t) / (1 - beta1**t)
        want = [var - rate * ahead / (math.sqrt(v) + epsilon), m, v]
        assert [g[0] for g in got] == pytest.approx(want)


@pytest.mark.parametrize("maximize", [False, True])
def test_adam_w(maximize):
    beta1, beta2, lr, decay, epsilon = 0.9, 0.99, 0.01, 0.1, 1e-3
    for t in (1, 3):  # the powers that come in are those of the step before
        var, m, v, grad = 1.5, 0.25, 0.5, -2.0
        numbers = [beta1 ** (t - 1), beta2 ** (t - 1), lr, decay, beta1, beta2, epsilon]
        args = [[var], [m], [v], *numbers, np.array([grad]), None]
        got = step("ApplyAdamW", args, {"maximize": maximize})
        g = -grad if maximize else grad
        m = beta1 * m + (1 - beta1) * g
        v = beta2 * v + (1 - beta2) * g * g
        corrected = (m / (1 - beta1**t)) / (math.sqrt(v / (1 - beta2**t)) + epsilon)
        want = [var - lr * decay * var - lr * corrected, m, v]
        assert [x[0] for x in got] == pytest.approx(want)


def test_sgd_over_two_steps():
    """The first step takes the gradient whole, as its flags say; the second is dampened."""
    attrs = {"dampening": 0.25, "weight_decay": 0.5}
    first = step("SGD", [[2.0], np.array([1.0]), 0.1, [0.0], 0.9, [1.0]], attrs)
    g = 1.0 + 0.5 * 2.0
    assert np.allclose(first, [[2.0 - 0.1 * g], [g], [0.0]])
    again = step("SGD", [first[0], np.array([1.0]), 0.1, first[1], 0.9, first[2]], attrs)
    g2 = 1.0 + 0.5 * first[0][0]
    accum = 0.9 * g + 0.75 * g2
    assert np.allclose(again, [[first[0][0] - 0.1 * accum], [accum], [0.0]])


def test_sgd_without_momentum_leaves_its_state():
    got = step("SGD", [[2.0], np.array([1.0]), 0.1, [7.0], 0.0, [1.0]])
    assert np.allclose(got, [[1.9], [7.0], [1.0]])
    got = step("SGD", [[2.0], np.array([1.0]), 0.1, [7.0], 0.5, [1.0]], {"nesterov": True})
    assert np.allclose(got, [[2.0 - 0.1 * (1 + 0.5 * 4.5)], [4.5], [0.0]])


def test_a_step_in_a_graph():
    model = parse("""
ge.graph @g(%g: tensor<2xf32>) {
  %v = ge.Variable() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : !ge.ref<tensor<2xf32>>
  %a = ge.Variable() {value = dense<0.0> : tensor<2xf32>} : !ge.ref<tensor<2xf32>>
  %lr = ge.Const() {value = dense<0.5> : tensor<f32>} : tensor<f32>
  %next = ge.ApplyMomentum(%v, %a, %lr, %g, %lr) : !ge.ref<tensor<2xf32>>
  %y = ge.Read(%next) : tensor<2xf32>
  ge.NetOutput(%y)
}
""")
    (y,) = evaluate(model, [np.array([2.0, -2.0], np.float32)]).outputs
    assert y.tolist() == [0, 3]


def test_a_variable_without_a_value():
    with pytest.raises(GeError, match="before it has a value"):
        lookup("ApplyGradientDescent")(
            [Ref("v"), np.float32(1), np.ones(2, np.float32)], {}, Context()
        )
