"""Elementwise operators and activations against Python's `math`, element by element."""

from __future__ import annotations

import cmath
import math

import ml_dtypes
import numpy as np
import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.dtypes import ge_enum, to_xdsl
from ge_dialect.semantics import apply_op

DTYPES = [np.dtype(t) for t in (np.float16, ml_dtypes.bfloat16, np.float32, np.float64)]
#: half a unit in the last place of each dtype, plus room for a few units of the f32 functions
TOLERANCE = {"float16": 2.0**-11, "bfloat16": 2.0**-8, "float32": 6e-7, "float64": 3e-15}


def run(op_type, *args, **attrs):
    (result,) = apply_op(op_type, list(args), attrs)
    return result


def guarded(fn):
    """`fn` on floats with the IEEE answers where Python raises."""

    def call(x):
        try:
            return float(fn(x))
        except ZeroDivisionError:
            return math.copysign(math.inf, x)
        except OverflowError:
            return math.inf if x > 0 else -math.inf
        except ValueError:
            return math.nan

    return call


def sigmoid(x):
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def softplus(x):
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


def gelu_tanh(x):
    # the textbook form 0.5 (1 + tanh u) cancels for negative x; 0.5 (1 + tanh u) = e / (e + 1)
    e = math.exp(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))
    return x * e / (e + 1)


def gelu_erf(x):
    return 0.5 * x * math.erfc(-x / math.sqrt(2))


ALL = [-30.0, -3.25, -1.0, -0.75, -0.5, -0.0, 0.0, 0.125, 0.5, 1.0, 1.5, 2.5, 3.0, 7.75, 20.0]
UNIT = [-1.0, -0.5, -0.125, 0.0, 0.25, 0.75, 1.0]
POSITIVE = [0.0, 0.125, 0.5, 1.0, 2.0, 3.0, 10.0, 1000.0]
SMALL = [-4.0, -2.5, -1.0, -0.125, 0.0, 0.5, 1.0, 3.0]
f32 = np.float32

CASES = [
    ("Abs", abs, ALL, {}),
    ("Acos", math.acos, UNIT, {}),
    ("Asin", math.asin, UNIT, {}),
    ("Atan", math.atan, ALL, {}),
    ("Ceil", math.ceil, ALL, {}),
    ("Cos", math.cos, ALL, {}),
    ("Cosh", math.cosh, SMALL, {}),
    ("Erf", math.erf, ALL, {}),
    ("Exp", math.exp, SMALL, {}),
    ("Exp", lambda x: 2.0 ** (0.5 * x + 1), SMALL, {"base": 2.0, "scale": 0.5, "shift": 1.0}),
    ("Expm1", math.expm1, SMALL, {}),
    ("Floor", math.floor, ALL, {}),
    ("Log", lambda x: math.log(x) if x else -math.inf, POSITIVE, {}),
    ("Log", lambda x: math.log2(x + 1), POSITIVE, {"base": 2.0, "shift": 1.0}),
    ("Log1p", math.log1p, POSITIVE, {}),
    ("Neg", lambda x: -x, ALL, {}),
    ("Reciprocal", lambda x: 1 / x, ALL, {}),
    ("Rint", round, ALL, {}),
    ("Round", round, ALL, {}),
    ("Rsqrt", lambda x: 1 / math.sqrt(x), POSITIVE, {}),
    ("Sign", lambda x: (x > 0) - (x < 0), ALL, {}),
    ("Sin", math.sin, ALL, {}),
    ("Sinh", math.sinh, SMALL, {}),
    ("Sqrt", math.sqrt, POSITIVE, {}),
    ("Square", lambda x: x * x, ALL, {}),
    ("Tan", math.tan, UNIT, {}),
    ("Muls", lambda x: x * 1.5, ALL, {"value": 1.5}),
    ("Adds", lambda x: x + 0.25, ALL, {"value": 0.25}),
    ("Relu", lambda x: max(x, 0.0), ALL, {}),
    ("Relu6", lambda x: min(max(x, 0.0), 6.0), ALL, {}),
    ("LeakyRelu", lambda x: x if x > 0 else 0.125 * x, ALL, {"negative_slope": 0.125}),
    ("Elu", lambda x: x if x > 0 else 1.5 * math.expm1(x), ALL, {"alpha": 1.5}),
    (
        "Elu",
        lambda x: 2.0 * (x if x > 0 else math.expm1(0.5 * x)),
        ALL,
        {"scale": 2.0, "input_scale": 0.5},
    ),
    (
        "Selu",
        lambda x: 1.0507009873554805 * (x if x > 0 else 1.6732632423543772 * math.expm1(x)),
        ALL,
        {},
    ),
    ("Gelu", gelu_tanh, SMALL, {}),
    ("GeluV2", gelu_erf, SMALL, {}),
    ("GeluV2", gelu_tanh, SMALL, {"approximate": "tanh"}),
    ("Sigmoid", sigmoid, ALL, {}),
    ("Tanh", math.tanh, ALL, {}),
    ("Softplus", softplus, ALL, {}),
    ("Softsign", lambda x: x / (1 + abs(x)), ALL, {}),
    ("Swish", lambda x: x * sigmoid(2.0 * x), ALL, {"scale": 2.0}),
    ("Mish", lambda x: x * math.tanh(softplus(x)), ALL, {}),
    ("HardSwish", lambda x: x * min(max(x + 3, 0), 6) / 6, ALL, {}),
    ("HardSigmoid", lambda x: min(max(0.25 * x + 0.5, 0), 1), ALL, {"alpha": 0.25, "beta": 0.5}),
]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c[0]}-{len(c[3])}")
def test_against_math(case, dtype):
    op_type, fn, values, attrs = case
    x = np.array(values, dtype).reshape(-1, 1)
    got = run(op_type, x, **attrs)
    assert got.dtype == dtype
    assert got.shape == x.shape
    expected = [guarded(fn)(v) for v in x.astype(float).ravel().tolist()]
    scale = TOLERANCE[dtype.name]
    if dtype == np.float64 and op_type in ("Gelu", "GeluV2", "Mish", "Selu"):
        scale *= 4
    for g, e in zip(got.astype(float).ravel().tolist(), expected, strict=True):
        if math.isnan(e) or math.isinf(e):
            assert g == e or (math.isnan(g) and math.isnan(e))
        else:
            assert abs(g - e) <= scale * max(abs(e), 2.0**-10), (op_type, g, e)


@pytest.mark.parametrize("op_type", ["Neg", "Abs", "Floor", "Ceil", "Rint", "Sqrt", "Square"])
def test_special_values(op_type):
    got = run(op_type, np.array([np.nan, np.inf, -np.inf, -0.0], f32))
    assert np.isnan(got[0])
    table = {
        "Neg": (-math.inf, math.inf, 0.0),
        "Abs": (math.inf, math.inf, 0.0),
        "Floor": (math.inf, -math.inf, -0.0),
        "Ceil": (math.inf, -math.inf, -0.0),
        "Rint": (math.inf, -math.inf, -0.0),
        "Sqrt": (math.inf, math.nan, -0.0),
        "Square": (math.inf, math.inf, 0.0),
    }
    for g, e in zip(got[1:].tolist(), table[op_type], strict=True):
        assert (math.isnan(g) and math.isnan(e)) or g == e
        assert math.isnan(e) or math.copysign(1, g) == math.copysign(1, e)


def test_rounding_ties_to_even():
    x = np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5], f32)
    assert run("Round", x).tolist() == [-2.0, -2.0, 0.0, 0.0, 2.0, 2.0, 4.0]
    assert run("Rint", x).tolist() == [-2.0, -2.0, 0.0, 0.0, 2.0, 2.0, 4.0]
    assert run("Round", np.array([0.125, 2.675], np.float64), decimals=2).tolist() == [0.12, 2.68]
    assert run("Round", np.array([15, 25, -15], np.int32), decimals=-1).tolist() == [20, 20, -20]
    assert run("Round", np.array([15, -3], np.int32)).tolist() == [15, -3]


def test_predicates():
    x = np.array([1.0, np.nan, np.inf, -np.inf], np.float16)
    assert run("IsNan", x).tolist() == [False, True, False, False]
    assert run("IsInf", x).tolist() == [False, False, True, True]
    assert run("IsFinite", x).tolist() == [True, False, False, False]
    assert run("IsNan", x.astype(ml_dtypes.bfloat16)).tolist() == [False, True, False, False]
    assert run("IsFinite", np.array([1, -1], np.int32)).tolist() == [True, True]
    assert run("LogicalNot", np.array([True, False])).tolist() == [False, True]


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64, np.uint8])
def test_integers(dtype):
    info = np.iinfo(dtype)
    x = np.array([info.min, 0, 1, info.max], dtype)
    least = info.min
    assert run("Invert", x).tolist() == [~v if least else info.max - v for v in x.tolist()]
    assert run("Relu", x).tolist() == [max(v, 0) for v in x.tolist()]
    if least:
        assert run("Abs", x).tolist() == [least, 0, 1, info.max]  # the smallest one wraps
        assert run("Neg", x).tolist() == [least, 0, -1, -info.max]
    assert run("Sign", x).tolist() == [(v > 0) - (v < 0) for v in x.tolist()]
    assert run("Muls", np.array([5, 7], dtype), value=2.9).tolist() == [10, 14]  # scalar truncates
    assert run("Adds", np.array([5, 7], dtype), value=2.9).tolist() == [7, 9]


def test_axpy_and_clip():
    a, b = np.array([1.0, 2.0], f32), np.array([[10.0], [20.0]], f32)
    assert run("Axpy", a, b, alpha=0.5).tolist() == [[6.0, 7.0], [11.0, 12.0]]
    x = np.array([-5.0, 0.5, np.nan, 9.0], f32)
    got = run("ClipByValue", x, f32(0.0), np.array([1.0], f32))
    assert got[[0, 1, 3]].tolist() == [0.0, 0.5, 1.0]
    assert np.isnan(got[2])
    assert run("ClipByValue", x[:2], f32(3.0), f32(1.0)).tolist() == [1.0, 1.0]  # max wins
    assert run("ClipByValue", np.array([-9, 9]), np.int64(-1), np.int64(1)).tolist() == [-1, 1]


def test_likes():
    for dtype in (np.float16, ml_dtypes.bfloat16, np.int8, bool):
        x = np.zeros((2, 3), dtype)
        ones = run("OnesLike", x)
        assert ones.dtype == x.dtype
        assert (ones.astype(int) == 1).all()
        assert (run("ZerosLike", ones).astype(int) == 0).all()


def test_cast_between_floats_rounds_to_even():
    number = ge_enum(to_xdsl("float16"))
    x = np.array([1 + 2.0**-11, 1 + 3 * 2.0**-11, 65519.0, 65520.0, 2.0**-25], f32)
    assert run("Cast", x, dst_type=number).tolist() == [1.0, 1 + 2.0**-9, 65504.0, math.inf, 0.0]


def test_prelu_slopes():
    x = np.full((1, 2, 2), -1.0, f32)
    assert run("PRelu", x, np.array([0.5], f32)).ravel().tolist() == [-0.5] * 4
    per_channel = run("PRelu", x, np.array([0.5, 2.0], f32))
    assert per_channel.tolist() == [[[-0.5, -0.5], [-2.0, -2.0]]]
    stretched = run("PRelu", x, np.array([[1.0, 4.0]], f32))
    assert stretched.tolist() == [[[-1.0, -4.0], [-1.0, -4.0]]]
    assert run("PRelu", x[0, 0], np.array([1.0, 4.0], f32)).tolist() == [-1.0, -4.0]


def test_hard_sigmoid_of_integers_truncates():
    assert run("HardSigmoid", np.array([-9, 0, 1, 9], np.int32)).tolist() == [0, 0, 0, 1]


def softmax(row):
    top = max(row)
    e = [math.exp(v - top) for v in row]
    return [v / sum(e) for v in e]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_softmax(dtype):
    x = np.array([[[1.0, -2.0, 0.5], [3.0, 3.0, -7.5]]], dtype)
    rows = [softmax(r) for r in x[0].astype(float).tolist()]
    columns = list(zip(*(softmax(c) for c in x[0].astype(float).T.tolist()), strict=True))
    both = softmax(x.astype(float).ravel().tolist())
    close = {"rtol": TOLERANCE[dtype.name] * 2, "atol": 1e-6 if dtype != np.float64 else 1e-15}
    np.testing.assert_allclose(run("SoftmaxV2", x).astype(float)[0], rows, **close)
    np.testing.assert_allclose(run("SoftmaxV2", x, axes=[1]).astype(float)[0], columns, **close)
    joint = run("SoftmaxV2", x, axes=[1, -1])
    assert joint.dtype == dtype
    np.testing.assert_allclose(joint.astype(float).ravel(), both, **close)
    logs = run("LogSoftmaxV2", x).astype(float)[0]
    np.testing.assert_allclose(logs, np.vectorize(math.log)(rows), **close)


def test_softmax_edges():
    big = np.array([1e30, -1e30, 1e30], f32)
    assert run("SoftmaxV2", big).tolist() == [0.5, 0.0, 0.5]
    masked = np.array([[-np.inf, 0.0], [-np.inf, -np.inf]], f32)
    got = run("SoftmaxV2", masked)
    assert got[0].tolist() == [0.0, 1.0]
    assert np.isnan(got[1]).all()
    assert run("SoftmaxV2", np.float32(3.0)).tolist() == 1.0
    assert run("LogSoftmaxV2", np.float32(3.0)).tolist() == 0.0
    assert run("SoftmaxV2", np.zeros((2, 0), f32)).shape == (2, 0)
    half = run("SoftmaxV2", np.zeros(3, np.float16), half_to_float=True)
    assert half.dtype == f32
    assert half.tolist() == [f32(1) / f32(3)] * 3


def test_complex():
    z = np.array([1 + 2j, -0.5j], np.complex64)
    for op_type, fn in {"Exp": cmath.exp, "Sqrt": cmath.sqrt, "Tanh": cmath.tanh}.items():
        np.testing.assert_allclose(run(op_type, z), [fn(complex(v)) for v in z], rtol=1e-6)
    with pytest.raises(GeError, match="no order"):
        run("ClipByValue", z, z, z)


@pytest.mark.parametrize("shape", [(), (1,), (0,), (2, 0, 3)])
@pytest.mark.parametrize("op_type", ["Relu", "Exp", "Sigmoid", "Neg", "GeluV2", "Erf"])
def test_shapes_stay(op_type, shape):
    assert run(op_type, np.ones(shape, np.float16)).shape == shape


def test_erf_of_float32_is_the_nearest_value_but_for_few():
    """Against the library's, over the range where it changes; NaN, infinities and signs."""
    x = np.linspace(-4.2, 4.2, 40_001).astype(np.float32)
    exact = np.array([math.erf(v) for v in x])
    (y,) = apply_op("Erf", [x])
    assert np.abs(y - exact).max() <= 0.51 * np.spacing(np.float32(1)) / 2
    assert (y != exact.astype(np.float32)).mean() < 2e-4
    odd = np.array([1e-38, -0.0, 30, -np.inf, np.inf, np.nan], np.float32)
    (y,) = apply_op("Erf", [odd])
    np.testing.assert_array_equal(y[2:], [1, -1, 1, np.nan])
    assert np.signbit(y[1])
    assert abs(y[0] / odd[0] - 2 / math.sqrt(math.pi)) < 1e-6
    many = np.full(40_000, 0.5, np.float32)  # more than one chunk
    (y,) = apply_op("Erf", [many])
    assert (y == np.float32(math.erf(0.5))).all()
