"""The numeric policy of docs/numerics.md, rule by rule, against Python's exact arithmetic."""

from __future__ import annotations

import math
import struct
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ge_dialect.dtypes import ge_enum, to_xdsl
from ge_dialect.semantics import apply_op
from ge_dialect.semantics.numerics import cast, finish, matmul
from ge_dialect.semantics.special import erf, erfc

BF16 = np.dtype(ml_dtypes.bfloat16)
FLOATS = [np.dtype(np.float16), BF16, np.dtype(np.float32), np.dtype(np.float64)]
INTS = [np.dtype(t) for t in ("int8", "uint8", "int16", "uint16", "int32", "int64")]
SIGNIFICAND = {"float16": 11, "bfloat16": 8, "float32": 24, "float64": 53}


def bits_of(dtype):
    return 8 * dtype.itemsize


def wrapped(value, dtype):
    """A Python integer reduced to an integer dtype."""
    bits = bits_of(dtype)
    value &= (1 << bits) - 1
    return value - (1 << bits) if dtype.kind == "i" and value >> (bits - 1) else value


def nearest_even(value, significand, least_exponent):
    """An exact fraction rounded to a float format, as a fraction (no overflow)."""
    if value == 0:
        return Fraction(0)
    exponent = math.floor(math.log2(abs(value)))
    while Fraction(2) ** exponent > abs(value):
        exponent -= 1
    while Fraction(2) ** (exponent + 1) <= abs(value):
        exponent += 1
    unit = Fraction(2) ** max(exponent - significand + 1, least_exponent)
    return round(value / unit) * unit  # Python rounds halves to even


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("to", INTS, ids=str)
def test_float_to_int_truncates_saturates_and_nan_is_zero(dtype, to):
    low, high = np.iinfo(to).min, np.iinfo(to).max
    given_ = np.array([2.75, -2.75, 0.5, -0.5, -0.0, np.nan, np.inf, -np.inf, 1e4, -1e4], dtype)
    expected = []
    for v in given_.astype(np.float64).tolist():
        if math.isnan(v):
            expected.append(0)
        elif math.isinf(v):
            expected.append(high if v > 0 else low)
        else:
            expected.append(min(max(int(v), low), high))
    assert cast(given_, to).tolist() == expected
    number = ge_enum(to_xdsl(to.name))
    (result,) = apply_op("Cast", [given_], {"dst_type": number})
    assert result.dtype == to
    assert result.tolist() == expected


def test_float_to_int64_at_the_edges():
    edge = np.array([2.0**63, 2.0**63 - 1024, -(2.0**63), -(2.0**63) - 2048, 2.0**64])
    assert cast(edge, np.dtype(np.int64)).tolist() == [
        2**63 - 1, 2**63 - 1024, -(2**63), -(2**63), 2**63 - 1,
    ]  # fmt: skip
    assert cast(edge, np.dtype(np.uint64)).tolist() == [2**63, 2**63 - 1024, 0, 0, 2**64 - 1]


@pytest.mark.parametrize("dtype", INTS, ids=str)
@pytest.mark.parametrize("to", INTS, ids=str)
def test_int_to_int_wraps(dtype, to):
    info = np.iinfo(dtype)
    values = [info.min, info.max, 0, 1, info.max // 3, info.min // 5]
    assert cast(np.array(values, dtype), to).tolist() == [wrapped(v, to) for v in values]


def test_int4_wraps():
    int4 = np.dtype(ml_dtypes.int4)
    assert cast(np.array([7, 8, 15, 16, -9, 100]), int4).astype(int).tolist() == [
        7,
        -8,
        -1,
        0,
        7,
        4,
    ]
    assert cast(np.array([99.0, -99.0, np.nan, 3.9]), int4).astype(int).tolist() == [7, -8, 0, 3]


def test_to_bool_is_not_zero():
    given_ = np.array([0.0, -0.0, 1e-30, np.nan, np.inf], np.float32)
    assert cast(given_, np.dtype(bool)).tolist() == [False, False, True, True, True]
    assert cast(np.array([0, 256, -1]), np.dtype(bool)).tolist() == [False, True, True]


def test_complex_casts():
    z = np.array([1.9 - 2j, 3j, 0j], np.complex64)
    assert cast(z, np.dtype(np.float32)).tolist() == [np.float32(1.9), 0.0, 0.0]
    assert cast(z, np.dtype(np.float16)).tolist() == [np.float16(1.9), 0.0, 0.0]
    assert cast(z, np.dtype(np.int8)).tolist() == [1, 0, 0]
    assert cast(z, np.dtype(bool)).tolist() == [True, True, False]
    assert cast(np.array([1.5]), np.dtype(np.complex64)).tolist() == [1.5 + 0j]


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_bool_to_float(dtype):
    out = cast(np.array([True, False]), dtype)
    assert out.dtype == dtype
    assert out.astype(float).tolist() == [1.0, 0.0]


@given(st.integers(-(2**62), 2**62), st.sampled_from([BF16, np.dtype(np.float16)]))
@settings(max_examples=300, deadline=None)
def test_int_to_narrow_float_rounds_once(value, dtype):
    name = dtype.name
    if name == "float16" and abs(value) >= 65520:
        assert math.isinf(float(cast(np.array([value]), dtype)[0]))
        return
    got = Fraction(float(cast(np.array([value]), dtype)[0]))
    assert got == nearest_even(Fraction(value), SIGNIFICAND[name], -200)


@given(st.floats(allow_nan=False, allow_infinity=False, width=64))
@settings(max_examples=300, deadline=None)
def test_f64_to_bf16_rounds_once(value):
    got = float(cast(np.array([value]), BF16)[0])
    exact = nearest_even(Fraction(value), 8, -133)
    if abs(exact) >= Fraction(2) ** 128:
        assert math.isinf(got)
    else:
        assert Fraction(got) == exact


def test_double_rounding_would_show():
    # just above a tie of bf16; by way of f32 it lands on the tie and rounds down
    value = 1 + 2.0**-8 + 2.0**-40
    assert float(cast(np.array([value]), BF16)[0]) == 1 + 2.0**-7
    assert float(finish(np.array([value]), BF16)[0]) == 1 + 2.0**-7


def test_narrow_floats_round_once_per_operator():
    # the sum is formed in f32; in f16 each step alone would lose the small terms
    x = np.full(4096, 0.5, np.float16)
    (total,) = apply_op("ReduceSum", [x, np.array([0])])
    assert total.dtype == np.float16
    assert float(total) == 2048.0
    tiny = np.concatenate([np.array([2048.0]), np.full(2048, 1.0)]).astype(np.float16)
    assert float(apply_op("ReduceSum", [tiny, np.array([0])])[0]) == 4096.0
    a, b = np.ones((1, 4096), BF16), np.ones((4096, 1), BF16)
    assert float(apply_op("MatMulV2", [a, b])[0][0, 0]) == 4096.0


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int32, np.int64])
@pytest.mark.parametrize(
    ("op_type", "exact"),
    [
        ("Add", lambda a, b: a + b),
        ("Sub", lambda a, b: a - b),
        ("Mul", lambda a, b: a * b),
        ("Div", lambda a, b: int(Fraction(a, b)) if b else 0),
        ("RealDiv", lambda a, b: int(Fraction(a, b)) if b else 0),
        ("TruncateDiv", lambda a, b: int(Fraction(a, b)) if b else 0),
        ("DivNoNan", lambda a, b: int(Fraction(a, b)) if b else 0),
        ("FloorDiv", lambda a, b: a // b if b else 0),
        ("FloorMod", lambda a, b: a % b if b else 0),
        ("Mod", lambda a, b: a - b * int(Fraction(a, b)) if b else 0),
        ("Maximum", max),
        ("Minimum", min),
        ("SquaredDifference", lambda a, b: (a - b) ** 2),
    ],
)
def test_integer_arithmetic_wraps(op_type, exact, dtype):
    dtype = np.dtype(dtype)
    info = np.iinfo(dtype)
    values = sorted({info.min, info.min + 1, -7, -2, -1, 0, 1, 2, 3, 7, info.max - 1, info.max})
    values = [v for v in values if info.min <= v <= info.max]
    a = np.array(values, dtype)[:, None]
    b = np.array(values, dtype)[None, :]
    (got,) = apply_op(op_type, [a, b])
    assert got.dtype == dtype
    expected = [[wrapped(exact(x, y), dtype) for y in values] for x in values]
    assert got.tolist() == expected


def test_integer_power():
    base = np.array([-2, -1, 0, 1, 2, 3], np.int32)
    for exponent in (-3, -2, -1, 0, 1, 5, 31):
        (got,) = apply_op("Pow", [base, np.int32(exponent)])
        expected = []
        for b in base.tolist():
            if exponent >= 0:
                expected.append(wrapped(b**exponent, np.dtype(np.int32)))
            else:
                expected.append(0 if b == 0 else int(Fraction(b) ** exponent))
        assert got.tolist() == expected


def test_nan_wins_min_and_max():
    x = np.array([1.0, np.nan, -np.inf], np.float32)
    y = np.array([np.nan, 2.0, 0.0], np.float32)
    for op_type in ("Maximum", "Minimum"):
        got = apply_op(op_type, [x, y])[0]
        assert np.isnan(got).tolist() == [True, True, False]
    for op_type in ("ReduceMax", "ReduceMin"):
        assert np.isnan(apply_op(op_type, [x, np.array([0])])[0])
    assert np.isnan(apply_op("Relu", [x])[0]).tolist() == [False, True, False]
    image = np.zeros((1, 1, 2, 2), np.float32)
    image[0, 0, 1, 1] = np.nan
    attrs = {"ksize": [1, 1, 1, 2], "strides": [1, 1, 1, 2]}
    pooled = apply_op("MaxPoolV3", [image], attrs)[0]
    assert np.isnan(pooled).ravel().tolist() == [False, True]


@pytest.mark.parametrize(
    ("op_type", "dtype", "expected"),
    [
        ("ReduceSum", np.float32, 0.0),
        ("ReduceProd", np.float32, 1.0),
        ("ReduceMax", np.float32, -math.inf),
        ("ReduceMin", np.float32, math.inf),
        ("ReduceSum", np.int32, 0),
        ("ReduceProd", np.int32, 1),
        ("ReduceMax", np.int32, -(2**31)),
        ("ReduceMin", np.int8, 127),
        ("ReduceMax", np.uint8, 0),
        ("ReduceMean", np.int32, 0),
        ("ReduceAll", bool, True),
        ("ReduceAny", bool, False),
    ],
)
def test_empty_reductions(op_type, dtype, expected):
    (got,) = apply_op(op_type, [np.zeros((2, 0), dtype), np.array([1])])
    assert got.dtype == np.dtype(dtype)
    assert got.tolist() == [expected, expected]


def test_mean_of_nothing_is_nan():
    (got,) = apply_op("ReduceMean", [np.zeros((2, 0), np.float16), np.array([1])])
    assert np.isnan(got.astype(float)).all()


@pytest.mark.parametrize("bits", [8, 16])
def test_integer_products_are_exact(bits):
    rng = np.random.default_rng(0)
    high = 1 << (bits - 1)
    dtype = np.dtype(f"int{bits}")
    a = rng.integers(-high, high, (3, 1500)).astype(dtype)
    b = rng.integers(-high, high, (1500, 4)).astype(dtype)
    a[0], b[:, 0] = -high, -high  # the largest possible sum
    got = matmul(a, b)
    rows, cols = a.tolist(), list(zip(*b.tolist(), strict=True))
    assert got.tolist() == [
        [sum(x * y for x, y in zip(r, c, strict=True)) for c in cols] for r in rows
    ]


def test_int8_product_wraps_to_int32():
    # 140,000 products of 2**14 exceed 2**31
    a = np.full((1, 140_000), -128, np.int8)
    (got,) = apply_op("MatMulV2", [a, a.T.copy()])
    assert got.dtype == np.int32
    assert got[0, 0] == wrapped(140_000 * 2**14, np.dtype(np.int32))


def test_int32_product_wraps():
    a = np.array([[2**31 - 1, 2**30, 5]], np.int32)
    (got,) = apply_op("MatMul", [a, a.T.copy()])
    exact = sum(v * v for v in a[0].tolist())
    assert got[0, 0] == wrapped(exact, np.dtype(np.int32))


def test_erf_against_the_library():
    x = np.concatenate([np.linspace(-6.5, 6.5, 4001), [1e-300, 30.0, -30.0]])
    expected = [math.erf(v) for v in x.tolist()]
    assert np.abs(erf(x) - expected).max() < 4e-16
    np.testing.assert_allclose(erfc(x), [math.erfc(v) for v in x.tolist()], rtol=2e-13)
    special = erf(np.array([np.inf, -np.inf, np.nan, -0.0]))
    assert special[:2].tolist() == [1.0, -1.0]
    assert np.isnan(special[2])
    assert math.copysign(1, special[3]) == -1


def test_comparison_to_the_bit_of_one_sum():
    a, b = 0.1, 0.7
    (got,) = apply_op("Add", [np.float32([a]), np.float32([b])])
    f = lambda v: struct.unpack("<f", struct.pack("<f", v))[0]  # noqa: E731
    assert got[0] == f(f(a) + f(b))  # f64 holds the sum of two f32 with bits to spare
