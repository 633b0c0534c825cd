"""Operators on lists of tensors, number by number with Python's own arithmetic."""

from __future__ import annotations

import math
from itertools import product

import ml_dtypes
import numpy as np
import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.semantics.evaluator import apply_op

BF16 = ml_dtypes.bfloat16
SHAPES = ((2, 3), (), (0, 4), (5,))
FLOATS = (np.float16, np.float32, BF16)
EPS = {np.float16: 2.0**-10, np.float32: 2.0**-21, BF16: 2.0**-7}


def lists(count, dtype, low=-3, high=3, seed=0):
    rng = np.random.default_rng(seed)
    if dtype == np.int32:
        return [[rng.integers(low, high, s).astype(dtype) for s in SHAPES] for _ in range(count)]
    return [[rng.uniform(low, high, s).astype(dtype) for s in SHAPES] for _ in range(count)]


def check(found, dtype, fn, *given):
    """Each element of each result against fn of Python numbers of the same place."""
    assert len(found) == len(SHAPES)
    for y, group in zip(found, zip(*given, strict=True), strict=True):
        assert y.dtype == dtype
        assert y.shape == group[0].shape
        sides = [np.broadcast_to(np.asarray(g), y.shape) for g in group]
        for place in np.ndindex(*y.shape):
            want = fn(*(s[place].item() for s in sides))
            if dtype == np.int32:
                assert y[place] == np.array(want % 2**32, np.uint32).view(np.int32)
            elif math.isnan(want):
                assert np.isnan(float(y[place]))
            else:
                assert abs(float(y[place]) - want) <= EPS[dtype] * max(abs(want), 1)


def guarded(fn):
    def call(*values):
        try:
            return fn(*values)
        except ValueError:
            return math.nan

    return call


SINGLE = {
    "Abs": abs,
    "Acos": math.acos,
    "Asin": math.asin,
    "Atan": math.atan,
    "Copy": lambda v: v,
    "Cos": math.cos,
    "Cosh": math.cosh,
    "Erf": math.erf,
    "Erfc": math.erfc,
    "Exp": math.exp,
    "Expm1": math.expm1,
    "Log": math.log,
    "Log10": math.log10,
    "Log1p": math.log1p,
    "Log2": math.log2,
    "Neg": lambda v: -v,
    "Reciprocal": lambda v: 1 / v,
    "Sigmoid": lambda v: 1 / (1 + math.exp(-v)),
    "Sign": lambda v: math.copysign(1, v) if v else 0,
    "Sin": math.sin,
    "Sinh": math.sinh,
    "Sqrt": math.sqrt,
    "Tan": math.tan,
    "Tanh": math.tanh,
}


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", SINGLE)
def test_one_list(name, dtype):
    (x,) = lists(1, dtype, *((-1, 1) if name in ("Acos", "Asin", "Tan") else (0.2, 3)))
    if name in ("Log", "Sqrt", "Sign"):
        x[0] = -x[0]
    with np.errstate(invalid="ignore"):
        found = apply_op(f"Foreach{name}", [x])
    check(found, dtype, guarded(SINGLE[name]), x)


def test_the_tail_of_erfc_is_not_lost():
    (y,) = apply_op("ForeachErfc", [[np.array([5, 9], np.float32)]])
    np.testing.assert_allclose(y, [math.erfc(5), math.erfc(9)], rtol=1e-6)


def test_integers():
    (x,) = lists(1, np.int32)
    x[3][0] = -(2**31)
    check(apply_op("ForeachNeg", [x]), np.int32, lambda v: -v, x)
    (y,) = apply_op("ForeachSign", [[np.array([-4, 0, 9], np.int8)]])
    assert (y.dtype, y.tolist()) == (np.int8, [-1, 0, 1])


@pytest.mark.parametrize(
    ("mode", "fn"),
    [
        (1, round),
        (2, math.floor),
        (3, math.ceil),
        (4, lambda v: math.copysign(math.floor(abs(v) + 0.5), v)),
        (5, math.trunc),
    ],
)
@pytest.mark.parametrize("dtype", FLOATS)
def test_rounding(mode, fn, dtype):
    (x,) = lists(1, dtype)
    x[3][:] = [0.5, 1.5, -0.5, -2.5, 2.25]
    given = [x, np.array([mode], np.int8)]
    check(apply_op("ForeachRoundOffNumber", given), dtype, fn, x)
    with pytest.raises(GeError, match="not supported"):
        apply_op("ForeachRoundOffNumber", [x, np.array([7], np.int8)])


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("p", [0, 1, 2, 3, math.inf])
def test_norms(p, dtype):
    (x,) = lists(1, dtype)
    x[3][0] = 0
    order = np.array([p], np.int64 if p == 2 else np.float32)
    for y, values in zip(apply_op("ForeachNorm", [x, order]), x, strict=True):
        flat = [abs(float(v)) for v in values.reshape(-1)]
        if p == 0:
            want = sum(v != 0 for v in flat)
        elif p == math.inf:
            want = max(flat, default=0)
        else:
            want = math.fsum(v**p for v in flat) ** (1 / p)
        assert (y.dtype, y.shape) == (dtype, ())
        assert abs(float(y) - want) <= EPS[dtype] * max(want, 1)


PAIRS = {
    "Add": lambda a, b: a + b,
    "Sub": lambda a, b: a - b,
    "Mul": lambda a, b: a * b,
    "Div": lambda a, b: a / b,
    "Maximum": max,
    "Minimum": min,
    "Pow": lambda a, b: a**b,
}


@pytest.mark.parametrize(
    ("name", "dtype"), [*product(PAIRS, FLOATS), *((n, np.int32) for n in PAIRS if n != "Div")]
)
def test_two_inputs(name, dtype):
    span = (0, 4) if dtype == np.int32 else (0.5, 3)
    x, other = lists(2, dtype, *span)
    whole = dtype == np.int32
    one = np.array([2 if whole else 1.7], np.int32 if whole and name != "Pow" else np.float32)
    fn = PAIRS[name]
    same = [one[0]] * len(SHAPES)
    check(apply_op(f"Foreach{name}Scalar", [x, one]), dtype, fn, x, same)
    each = np.array([3, 0, 1, 2], np.int64 if whole else np.float32) + (not whole) * np.float32(0.3)
    check(apply_op(f"Foreach{name}ScalarList", [x, each]), dtype, fn, x, list(each))
    if name in ("Add", "Sub"):
        alpha = np.array(-2, np.int32 if whole else np.float32)
        found = apply_op(f"Foreach{name}List", [x, other, alpha])
        check(found, dtype, lambda a, b: fn(a, -2 * b), x, other)
    else:
        check(apply_op(f"Foreach{name}List", [x, other]), dtype, fn, x, other)
    if name == "Pow":
        base = np.array([3], np.int64)
        found = apply_op("ForeachPowScalarAndTensor", [base, x])
        check(found, dtype, lambda v: 3**v, x)


def test_a_number_is_taken_in_the_dtype_that_is_computed_in():
    x = [np.array([2048], np.float16)]
    (y,) = apply_op("ForeachAddScalar", [x, np.array(1.5, np.float32)])
    assert y.item() == 2050  # 2049.5, rounded once
    (y,) = apply_op("ForeachAddScalar", [[np.array([1], np.int32)], np.array(1.5, np.float32)])
    assert y.item() == 2


@pytest.mark.parametrize(
    ("name", "dtype"), [*product(("Addcdiv", "Addcmul"), FLOATS), ("Addcmul", np.int32)]
)
def test_three_lists(name, dtype):
    x1, x2, x3 = lists(3, dtype, *((1, 4) if dtype == np.int32 else (0.5, 2)))
    kind = np.int32 if dtype == np.int32 else np.float32

    def fn(base, a, b, s):
        return base + (s * a / b if name == "Addcdiv" else s * a * b)

    one = np.array([3], kind)
    found = apply_op(f"Foreach{name}Scalar", [x1, x2, x3, one])
    check(found, dtype, fn, x1, x2, x3, [one[0]] * len(SHAPES))
    each = np.array([1, -2, 3, 0], kind)
    for form in ("ScalarList", "List"):
        found = apply_op(f"Foreach{name}{form}", [x1, x2, x3, each])
        check(found, dtype, fn, x1, x2, x3, list(each))


@pytest.mark.parametrize("dtype", FLOATS)
def test_between_two_lists(dtype):
    x1, x2, weight = lists(3, dtype)
    half = np.array(0.25, np.float32)
    found = apply_op("ForeachLerpScalar", [x1, x2, half])
    check(found, dtype, lambda a, b: a + 0.25 * (b - a), x1, x2)
    found = apply_op("ForeachLerpList", [x1, x2, weight])
    check(found, dtype, lambda a, b, w: a + w * (b - a), x1, x2, weight)


def test_numbers_that_do_not_fit():
    x = [np.zeros(2, np.float32)] * 2
    with pytest.raises(GeError, match="one number for each"):
        apply_op("ForeachMulScalarList", [x, np.zeros(3, np.float32)])
