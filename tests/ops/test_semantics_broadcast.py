"""Operators of several inputs against Python's arithmetic, element by element."""

from __future__ import annotations

import itertools
import math
import operator

import ml_dtypes
import numpy as np
import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.semantics import apply_op

f32 = np.float32
FLOATS = [np.dtype(t) for t in (np.float16, ml_dtypes.bfloat16, np.float32, np.float64)]
VALUES = [-7.5, -2.0, -0.5, -0.0, 0.0, 0.25, 1.0, 3.0, math.inf, -math.inf, math.nan]


def run(op_type, *args, **attrs):
    (result,) = apply_op(op_type, list(args), attrs)
    return result


def divide(a, b):
    if b == 0:
        return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a) * sign(b)
    return a / b


def sign(v):
    return math.copysign(1.0, v)


def floor_of(v):
    return v if math.isinf(v) or math.isnan(v) else float(math.floor(v))


def trunc_of(v):
    return v if math.isinf(v) or math.isnan(v) else float(math.trunc(v))


def remainder(a, b):
    if math.isnan(a) or math.isnan(b) or math.isinf(a) or b == 0:
        return math.nan
    return math.fmod(a, b)


def larger(a, b):
    return math.nan if math.isnan(a) or math.isnan(b) else max(a, b)


def smaller(a, b):
    return math.nan if math.isnan(a) or math.isnan(b) else min(a, b)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize(
    ("op_type", "fn"),
    [
        ("Add", operator.add),
        ("Sub", operator.sub),
        ("Mul", operator.mul),
        ("RealDiv", divide),
        ("Div", divide),
        ("TruncateDiv", lambda a, b: trunc_of(divide(a, b))),
        ("FloorDiv", lambda a, b: floor_of(divide(a, b))),
        ("DivNoNan", lambda a, b: 0.0 if b == 0 else divide(a, b)),
        ("Mod", remainder),
        ("Maximum", larger),
        ("Minimum", smaller),
        ("SquaredDifference", lambda a, b: (a - b) * (a - b)),
    ],
)
def test_floats_round_once(op_type, fn, dtype):
    x = np.array(VALUES, dtype)
    got = run(op_type, x[:, None], x[None, :])
    assert got.dtype == dtype
    # an f64 sum, product or quotient of narrower floats rounds correctly a second time
    expected = np.array([[fn(a, b) for b in VALUES] for a in VALUES]).astype(dtype)
    np.testing.assert_array_equal(got.astype(float), expected.astype(float))


@pytest.mark.parametrize(
    ("a", "b", "floor_mod", "mod"),
    [
        (7.5, 2.0, 1.5, 1.5),
        (-7.5, 2.0, 0.5, -1.5),
        (7.5, -2.0, -0.5, 1.5),
        (-7.5, -2.0, -1.5, -1.5),
    ],
)
def test_signs_of_remainders(a, b, floor_mod, mod):
    assert run("FloorMod", f32([a]), f32([b])).tolist() == [floor_mod]
    assert run("Mod", f32([a]), f32([b])).tolist() == [mod]


def test_pow():
    base, exponent = f32([2.0, -2.0, 0.0, 4.0]), f32([3.0, 3.0, 0.0, 0.5])
    assert run("Pow", base, exponent).tolist() == [8.0, -8.0, 1.0, 2.0]
    assert run("Pow", np.float16([3.0]), np.int64([2])).tolist() == [9.0]
    mixed = run("Mul", np.int64([3, -2]), np.float16([0.5, 0.25]))
    assert mixed.dtype == np.float16
    assert mixed.tolist() == [1.5, -0.5]
    wide = run("Mul", np.float16([2.0]), np.array([3.0], ml_dtypes.bfloat16))
    assert wide.dtype == f32


@pytest.mark.parametrize("exponent", [2.0, 3.0])
def test_squares_and_cubes_are_rounded_once(exponent):
    """One exponent for all: multiplied out, exact but for the last rounding."""
    base = f32([1.1, -1.7, 3e12, -3e12, 1e-15, -0.0, 0.0, -np.inf, np.inf, np.nan])
    wide = np.power(base.astype(np.float64), exponent)
    for shape in ((), (1,), (1, 1)):
        got = run("Pow", base.reshape(2, 5), np.full(shape, exponent, np.float32))
        with np.errstate(over="ignore"):
            np.testing.assert_array_equal(got, wide.astype(np.float32).reshape(2, 5))
        assert np.array_equal(np.signbit(got.ravel()[:8]), np.signbit(wide[:8]))
    assert run("Pow", f32(2.0).reshape(()), np.full((1, 1), exponent, np.float32)).shape == (1, 1)


@pytest.mark.parametrize("dtype", [*FLOATS, np.dtype(np.int8), np.dtype(np.int64)], ids=str)
def test_comparisons(dtype):
    values = VALUES if dtype.kind not in "iu" else [-3, 0, 2]
    x = np.array(values, dtype)
    for op_type, fn in {
        "Equal": operator.eq,
        "NotEqual": operator.ne,
        "Less": operator.lt,
        "LessEqual": operator.le,
        "Greater": operator.gt,
        "GreaterEqual": operator.ge,
    }.items():
        got = run(op_type, x[:, None], x)
        assert got.dtype == bool
        assert got.tolist() == [[fn(a, b) for b in values] for a in values]


def test_logic_and_bits():
    t = np.array([[True], [False]])
    u = np.array([True, False])
    assert run("LogicalAnd", t, u).tolist() == [[True, False], [False, False]]
    assert run("LogicalOr", t, u).tolist() == [[True, True], [True, False]]
    a, b = np.array([-1, 12], np.int8), np.array([10, 10], np.int8)
    assert run("BitwiseAnd", a, b).tolist() == [10, 8]
    assert run("BitwiseOr", a, b).tolist() == [-1, 14]
    assert run("BitwiseXor", a, b).tolist() == [-11, 6]


@pytest.mark.parametrize(
    ("op_type", "expected"),
    [
        ("Add", [[True, True], [True, False]]),
        ("Mul", [[True, False], [False, False]]),
        ("Sub", [[False, True], [True, False]]),
        ("Maximum", [[True, True], [True, False]]),
    ],
)
def test_bool_arithmetic_is_that_of_0_and_1(op_type, expected):
    got = run(op_type, np.array([[True], [False]]), np.array([True, False]))
    assert got.dtype == bool
    assert got.tolist() == expected


def test_strings_are_joined():
    a, b = np.array([b"x", b"y"], object), np.array([b"1", b"2"], object)
    assert run("Add", a, b).tolist() == [b"x1", b"y2"]
    assert run("Equal", a, np.array([b"x", b"z"], object)).tolist() == [True, False]


def test_different_widths_meet_in_the_wider_one():
    assert run("Mul", np.int8([100]), np.int32([100])).tolist() == [10_000]
    unsigned = run("Mul", np.uint8([255]), np.int8([-1]))
    assert (unsigned.dtype, unsigned.tolist()) == (np.dtype(np.int16), [-255])
    flags = run("Mul", np.array([True, False]), np.int32([7, 7]))
    assert (flags.dtype, flags.tolist()) == (np.dtype(np.int32), [7, 0])
    mixed = run("Mul", f32([2]), np.array([1 + 1j], np.complex64))
    assert (mixed.dtype, mixed.tolist()) == (np.dtype(np.complex64), [2 + 2j])
    assert run("Mul", np.float16([1.5]), np.float64([1 + 2.0**-40])).tolist() == [
        1.5 + 1.5 * 2.0**-40
    ]
    huge = run("Mul", np.uint64([2**63]), np.int64([1]))
    assert (huge.dtype, huge.tolist()) == (np.dtype(np.int64), [-(2**63)])


def test_sums_of_many():
    parts = [np.full((2,), v, np.float16) for v in (2048.0, 1.0, 1.0)]
    (got,) = apply_op("AddN", [parts], {"N": 3})
    assert got.tolist() == [2050.0, 2050.0]  # in f16 both small terms would be lost
    assert apply_op("AccumulateNV2", [parts[:1]], {"N": 1})[0].tolist() == [2048.0, 2048.0]
    assert parts[0].tolist() == [2048.0, 2048.0]
    ints = [np.array([100], np.int8)] * 3
    assert apply_op("AddN", [ints], {"N": 3})[0].tolist() == [44]


def test_fused_mul_add():
    a, b, c = f32([[2.0], [3.0]]), f32([1.0, 10.0]), f32(0.5)
    assert run("FusedMulAdd", a, b, c).tolist() == [[2.5, 20.5], [3.5, 30.5]]


def test_bias_add():
    x = np.zeros((1, 2, 3), f32)
    assert run("BiasAdd", x, f32([1, 2]), data_format="NCHW").tolist() == [[[1] * 3, [2] * 3]]
    assert run("BiasAdd", x, f32([1, 2, 3])).tolist() == [[[1, 2, 3]] * 2]


def test_broadcast_to():
    x = f32([[1.0], [2.0]])
    assert run("BroadcastTo", x, np.array([2, 2, 3])).tolist() == [[[1] * 3, [2] * 3]] * 2
    assert run("BroadcastTo", x, np.array([-1, 3])).shape == (2, 3)
    with pytest.raises(GeError):
        run("BroadcastTo", x, np.array([3, 3]))


def test_select():
    x, y = f32([[1, 2], [3, 4]]), f32([[5, 6], [7, 8]])
    rows = np.array([True, False])
    assert run("Select", rows, x, y).tolist() == [[1, 2], [7, 8]]
    assert run("Select", np.array([[True, False], [False, True]]), x, y).tolist() == [
        [1, 6],
        [7, 4],
    ]
    assert run("SelectV2", rows, x, y).tolist() == [[1, 6], [3, 8]]  # broadcast: columns
    assert run("SelectV2", np.array([[True], [False]]), f32(0), f32([1, 2])).tolist() == [
        [0, 0], [1, 2],
    ]  # fmt: skip
    kept = run(
        "SelectV2", rows, np.array([np.nan, 1], ml_dtypes.bfloat16), np.zeros(2, ml_dtypes.bfloat16)
    )
    assert kept.dtype == np.dtype(ml_dtypes.bfloat16)
    assert np.isnan(float(kept[0]))


@pytest.mark.parametrize("op_type", ["Add", "Mul", "Maximum", "Equal", "FloorDiv"])
def test_broadcast_shapes(op_type):
    shapes = [(), (1,), (3,), (2, 1), (2, 3), (0, 3), (4, 1, 1)]
    for a, b in itertools.product(shapes, shapes):
        x, y = np.ones(a, np.int32), np.full(b, 2, np.int32)
        try:
            expected = np.broadcast_shapes(a, b)
        except ValueError:
            with pytest.raises(GeError):
                run(op_type, x, y)
            continue
        got = run(op_type, x, y)
        assert got.shape == expected
        assert isinstance(got, np.ndarray)
