"""Gradients against central differences of the operators they belong to, in float64."""

from __future__ import annotations

import numpy as np
import pytest

from ge_dialect.semantics import apply_op
from ge_dialect.semantics.context import Context, Ref
from ge_dialect.semantics.registry import lookup

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


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("scale", ["one", "each"])
def test_softmax_and_a_scale(axis, scale, rng):
    """Against the small operators that GE's fusion replaces, in sums of Python's own."""
    shape = (2, 3, 4)
    x, dy = rng.normal(size=shape), rng.normal(size=shape)
    by = rng.normal(size=shape if scale == "each" else ())
    s = one("SoftmaxV2", [x], {"axes": [axis]})
    got = one("SoftmaxGradExt", [dy, s, by], {"axes": axis})
    slopes = slope(lambda v: one("SoftmaxV2", [v], {"axes": [axis]}), x, dy)
    near(got, slopes * by)
    for at in np.ndindex(*shape):
        line = [tuple(i if a == axis % 3 else v for a, v in enumerate(at))
                for i in range(shape[axis])]  # fmt: skip
        total = sum(float(s[p]) * float(dy[p]) for p in line)
        want = float(by[at] if by.ndim else by) * float(s[at]) * (float(dy[at]) - total)
        assert abs(got[at] - want) < 1e-12


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


def f32(*arrays):
    return [np.asarray(a, np.float32) for a in arrays]


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("data_format", ["NCHW", "NHWC"])
def test_batch_normalisation(training, data_format, rng):
    axis = 1 if data_format == "NCHW" else 3
    x = rng.normal(size=(2, 3, 4, 3)) * 2 + 1
    scale, offset, dy = rng.normal(size=3), rng.normal(size=3), rng.normal(size=x.shape)
    over = tuple(a for a in range(4) if a != axis)
    mean, variance = x.mean(axis=over), x.var(axis=over)
    if not training:
        mean, variance = mean + 0.5, variance * 2
    attrs = {"epsilon": 0.01, "data_format": data_format, "is_training": training}

    def run(x=x, scale=scale, offset=offset):
        return one("BatchNorm", [x, scale, offset, mean, variance], attrs)

    want = [
        slope(lambda v: run(x=v), x, dy),
        slope(lambda v: run(scale=v), scale, dy),
        slope(lambda v: run(offset=v), offset, dy),
    ]
    args = f32(dy, x, scale, mean, variance)
    got = apply_op("BatchNormGrad", [*args, None], attrs)
    for g, w in zip(got, want, strict=False):
        near(g, w, 1e-5)
    assert [g.shape for g in got[3:]] == [(0,), (0,)]
    if data_format == "NHWC":
        return
    rstd = (1 / np.sqrt(variance + 0.01)).astype(np.float32)
    v3 = [*args[:3], *args[3:], np.zeros(3, np.float32), rstd * 0]
    if training:
        v3[3:] = [np.zeros(3, np.float32), np.ones(3, np.float32), args[3], rstd]
    got = apply_op("BatchNormGradV3", v3, {"epsilon": 0.01, "is_training": training})
    for g, w in zip(got, want, strict=True):
        near(g, w, 1e-5)
    by = {"epsilon": 0.01}
    if not training:
        near(one("BNInferGrad", [args[0], args[2], args[4]], by), want[0], 1e-5)
        return
    sums = apply_op("BNTrainingUpdateGrad", [args[0], args[1], args[3], args[4]], by)
    for g, w in zip(sums, want[1:], strict=True):
        near(g, w, 1e-5)
    near(one("BNTrainingReduceGrad", [args[0], args[1], *sums, *args[2:]], by), want[0], 1e-5)


def test_batch_normalisation_in_halves(rng):
    """The two halves of the forward operator, and what becomes of the running statistics."""
    (x, scale, offset) = f32(rng.normal(size=(2, 3, 4)), rng.normal(size=3), rng.normal(size=3))
    total, squares = apply_op("BNTrainingReduce", [x], {})
    near(total, x.sum((0, 2)), 1e-6)
    near(squares, np.square(x).sum((0, 2)), 1e-6)
    mean, variance = (Ref(n, np.full(3, 2, np.float32)) for n in "mv")
    attrs = {"factor": 0.25, "epsilon": 0.01}
    args = [x, total, squares, scale, offset, mean, variance]
    y, *_, batch_mean, batch_variance = lookup("BNTrainingUpdate")(args, attrs, Context())
    near(batch_mean, x.mean((0, 2)), 1e-6)
    near(batch_variance, x.var((0, 2)), 1e-5)
    want = (x - x.mean((0, 2))[:, None]) / np.sqrt(x.var((0, 2)) + 0.01)[:, None]
    near(y, want * scale[:, None] + offset[:, None], 1e-5)
    near(mean.value, 0.75 * 2 + 0.25 * x.mean((0, 2)), 1e-6)
    near(variance.value, 0.75 * 2 + 0.25 * x.var((0, 2), ddof=1), 1e-6)
    still = apply_op("BNTrainingUpdateV2", args[:5], {"epsilon": 0.01})
    for g, w in zip(still, (want * scale[:, None] + offset[:, None], x.mean((0, 2)), x.var((0, 2))),
                    strict=True):  # fmt: skip
        near(g, w, 1e-5)

    running = [Ref(n, np.full(3, 2, np.float32)) for n in "mv"]
    attrs = {"momentum": 0.25, "epsilon": 0.01, "is_training": True}
    found = lookup("BatchNormV3")([x, scale, offset, *running], attrs, Context())
    near(found[0], y, 1e-5)
    near(found[4], 1 / np.sqrt(x.var((0, 2)) + 0.01), 1e-5)
    near(running[1].value, variance.value, 1e-6)
    kept = running[1].value
    attrs["is_training"] = False
    found = lookup("BatchNormV3")([x, scale, offset, *running], attrs, Context())
    assert running[1].value is kept
    near(found[3], running[0].value, 1e-6)


@pytest.mark.parametrize("momentum", [0.0, 4.0])
def test_batch_normalisation_of_caffe(momentum, rng):
    x, mean, scale, offset = f32(*(rng.normal(size=s) for s in ((2, 3, 4), 3, 3, 3)))
    (variance,) = f32(rng.uniform(1, 2, 3))
    share = np.full(3, momentum, np.float32)
    attrs = {"epsilon": 0.5}
    bare = one("BNInference", [x, mean, variance, share, None, None], attrs)
    whole = one("BNInference", [x, mean, variance, share, scale, offset], attrs)
    f = 1 / momentum if momentum else 0
    for n, c, i in np.ndindex(2, 3, 4):
        v, m, s2 = float(x[n, c, i]), float(mean[c]), float(variance[c])
        assert abs(bare[n, c, i] - (v - f * m) / (f * s2 + 0.5) ** 0.5) < 1e-5
        want = float(scale[c]) * (v - m) / (s2 + 0.5) ** 0.5 + float(offset[c])
        assert abs(whole[n, c, i] - want) < 1e-5


@pytest.mark.parametrize("tail", [1, 2])
def test_layer_normalisation(tail, rng):
    x, dy = rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 3, 4))
    gamma, beta = rng.normal(size=x.shape[-tail:]), rng.normal(size=x.shape[-tail:])
    attrs = {"begin_norm_axis": 3 - tail, "begin_params_axis": 3 - tail, "epsilon": 1e-9}

    def run(x=x, gamma=gamma, beta=beta):
        return one("LayerNorm", [x, gamma, beta], attrs)

    _, mean, variance = apply_op("LayerNorm", [x, gamma, beta], attrs)
    want = [
        slope(lambda v: run(x=v), x, dy),
        slope(lambda v: run(gamma=v), gamma, dy),
        slope(lambda v: run(beta=v), beta, dy),
    ]
    for g, w in zip(
        apply_op("LayerNormGrad", [dy, x, variance, mean, gamma], {}), want, strict=True
    ):
        near(g, w, 1e-6)
    rstd = 1 / np.sqrt(variance)
    for g, w in zip(apply_op("LayerNormGradV3", [dy, x, rstd, mean, gamma], {}), want, strict=True):
        near(g, w, 1e-6)
