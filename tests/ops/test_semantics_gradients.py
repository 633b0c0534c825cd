"""Gradients against central differences of the operators they belong to, in float64."""

from __future__ import annotations

import numpy as np
import pytest

from ge_dialect.semantics import apply_op

STEP = 1e-6


def one(op, args, attrs=None):
    return apply_op(op, args, attrs or {})[0]


def slope(fn, x, upstream):
    """d(sum of fn(x) · upstream) / dx by central differences, element by element."""
    out = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        moved = x.copy()
        moved[place] += STEP
        above = np.sum(fn(moved) * upstream)
        moved[place] -= 2 * STEP
        out[place] = (above - np.sum(fn(moved) * upstream)) / (2 * STEP)
    return out


def near(got, want, tol=1e-7):
    assert got.shape == want.shape
    assert np.abs(got - want).max() <= tol * max(np.abs(want).max(), 1)


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def test_gelu(rng):
    x, dy = rng.normal(size=(3, 5)) * 2, rng.normal(size=(3, 5))
    got = one("GeluGrad", [dy, x, np.zeros_like(x)])
    near(got, slope(lambda v: one("Gelu", [v]), x, dy))
    far = np.array([-300.0, 300.0, 1e30, -1e30], np.float32)
    ones = np.ones_like(far)
    assert one("GeluGrad", [ones, far, ones]).tolist() == [0, 1, 1, 0]


@pytest.mark.parametrize(("op", "grad"), [("Sigmoid", "SigmoidGrad"), ("Tanh", "TanhGrad")])
def test_of_the_result(op, grad, rng):
    x, dy = rng.normal(size=(2, 3)), rng.normal(size=(2, 3))
    y = one(op, [x])
    near(one(grad, [y, dy]), slope(lambda v: one(op, [v]), x, dy))


def test_tanh_of_a_conjugate():
    y, dy = np.array([1 + 2j], np.complex64), np.array([1 - 1j], np.complex64)
    assert one("TanhGrad", [y, dy])[0] == (1 - 1j) * (1 - (1 + 2j) ** 2)
    assert one("TanhGrad", [y, dy], {"complex_conj": True})[0] == (1 - 1j) * (1 - (1 - 2j) ** 2)


@pytest.mark.parametrize("axes", [[-1], [0], [0, 2]])
def test_softmax(axes, rng):
    x, dy = rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 3, 4))
    plain = one("SoftmaxV2", [x], {"axes": axes})
    got = one("SoftmaxGrad", [plain, dy], {"axes": axes})
    near(got, slope(lambda v: one("SoftmaxV2", [v], {"axes": axes}), x, dy))
    logs = one("LogSoftmaxV2", [x], {"axes": axes})
    got = one("LogSoftmaxGrad", [dy, logs], {"axis": axes})
    near(got, slope(lambda v: one("LogSoftmaxV2", [v], {"axes": axes}), x, dy))


@pytest.mark.parametrize("dim", [-1, 0])
def test_swi_glu(dim, rng):
    x = rng.normal(size=(2, 6))
    dy = rng.normal(size=(2, 3) if dim else (1, 6))
    got = one("SwiGluGrad", [dy, x], {"dim": dim})
    near(got, slope(lambda v: one("SwiGlu", [v], {"dim": dim}), x, dy))


CONVOLUTIONS = [
    ("Conv2D", (2, 4, 5, 6), (6, 2, 3, 2), [1, 1, 2, 1], [1, 0, 0, 1], [1, 1, 1, 2], 2, "NCHW"),
    ("Conv2D", (1, 4, 5, 2), (2, 3, 2, 3), [1, 1, 2, 1], [1, 1, 0, 0], [1, 2, 1, 1], 1, "NHWC"),
    ("Conv3D", (1, 2, 3, 4, 3), (2, 1, 2, 2, 3), [1, 1, 1, 2, 1], [0, 1, 0, 0, 1, 1],
     [1, 1, 1, 1, 1], 2, "NCDHW"),
    ("Conv3D", (1, 3, 4, 3, 2), (2, 2, 1, 2, 3), [1, 1, 2, 1, 1], [0, 0, 1, 0, 0, 1],
     [1, 2, 1, 1, 1], 1, "NDHWC"),
]  # fmt: skip


@pytest.mark.parametrize("case", CONVOLUTIONS, ids=lambda c: f"{c[0]} {c[7]}")
def test_convolution(case, rng):
    op, x_shape, w_shape, strides, pads, dilations, groups, data_format = case
    attrs = {
        "strides": strides,
        "pads": pads,
        "dilations": dilations,
        "groups": groups,
        "data_format": data_format,
    }
    x, w = rng.normal(size=x_shape), rng.normal(size=w_shape)

    def run(x, w):
        return one(op, [x, w, None, None], attrs)

    dy = rng.normal(size=run(x, w).shape)
    for_filter, for_data = slope(lambda v: run(x, v), w, dy), slope(lambda v: run(v, w), x, dy)
    near(one(op + "BackpropFilter", [x, np.array(w_shape), dy], attrs), for_filter)
    near(one(op + "BackpropInput", [np.array(x_shape), w, dy], attrs), for_data)
    if op == "Conv2D":
        got = one("Conv2DBackpropFilterD", [x, dy], {**attrs, "filter_size": w_shape})
        near(got, for_filter)
        got = one("Conv2DBackpropInputD", [w, dy], {**attrs, "input_size": x_shape})
        near(got, for_data)


def test_integer_gradient_is_exact():
    w = np.full((1, 1, 1, 1), -128, np.int8)
    dy = np.full((1, 1, 2, 2), -128, np.int8)
    attrs = {"strides": [1] * 4, "pads": [0] * 4, "data_format": "NCHW"}
    got = one("Conv2DBackpropInputD", [w, dy], {**attrs, "input_size": (1, 1, 2, 2)})
    assert got.dtype == np.int32
    assert got.tolist() == [[[[16384, 16384], [16384, 16384]]]]


POOLS = [
    ((2, 5, 4, 3), [1, 3, 2, 1], [1, 2, 1, 1], "SAME", "NHWC"),
    ((1, 3, 5, 4), [1, 1, 3, 2], [1, 1, 2, 1], "VALID", "NCHW"),
    ((1, 2, 4, 4), [1, 1, 1, 2], [1, 1, 2, 2], "SAME", "NCHW"),
]


@pytest.mark.parametrize("case", POOLS, ids=lambda c: f"{c[3]} {c[4]}")
def test_pooling(case, rng):
    shape, ksize, strides, padding, data_format = case
    attrs = {"ksize": ksize, "strides": strides, "padding": padding, "data_format": data_format}
    x = rng.permutation(np.prod(shape)).reshape(shape).astype(np.float64)  # no two are equal
    y = one("MaxPool", [x], attrs)
    dy = rng.normal(size=y.shape)
    near(one("MaxPoolGrad", [x, y, dy], attrs), slope(lambda v: one("MaxPool", [v], attrs), x, dy))
    got = one("AvgPoolGrad", [np.array(shape, np.int32), dy], attrs)
    near(got, slope(lambda v: one("AvgPool", [v], attrs), x, dy))
    for with_batch in (False, True):
        places = apply_op(
            "MaxPoolWithArgmax", [x], {**attrs, "include_batch_in_index": with_batch}
        )[1]
        again = {**attrs, "include_batch_in_index": with_batch}
        got = one("MaxPoolGradWithArgmax", [x, dy, places], again)
        near(got, one("MaxPoolGrad", [x, y, dy], attrs))


def test_the_first_of_equals_takes_the_gradient():
    attrs = {"ksize": [1, 1, 2, 2], "strides": [1, 1, 1, 1], "padding": "VALID"}
    attrs["data_format"] = "NCHW"
    x = np.ones((1, 1, 2, 3), np.int8)
    dy = np.array([[[[100, 100]]]], np.int8)
    y = one("MaxPool", [x], attrs)
    assert one("MaxPoolGrad", [x, y, dy], attrs).tolist() == [[[[100, 100, 0], [0, 0, 0]]]]
    x[0, 0, 0] = (0, 1, 0)  # both windows choose the middle one: the sum wraps
    assert one("MaxPoolGrad", [x, y, dy], attrs).tolist() == [[[[0, 200 - 256, 0], [0, 0, 0]]]]
