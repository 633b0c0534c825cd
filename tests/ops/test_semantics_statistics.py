"""Norms and deviations against `math` and the `statistics` module, row by row."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.dtypes import to_xdsl
from ge_dialect.semantics import apply_op

X = np.array([[3.0, -4.0, 0.0, 1.5], [0.5, 2.0, -2.0, 8.0]])


def one(op, args, attrs=None):
    return apply_op(op, args, attrs or {})[0]


@pytest.mark.parametrize("p", [0.0, 0.5, 1.0, 2.0, 3.0, -1.0, math.inf, -math.inf])
def test_norms(p):
    x = np.abs(X) + 0.25 if p < 0 else X
    want = []
    for row in x.tolist():
        size = [abs(v) for v in row]
        if math.isinf(p):
            want.append(max(size) if p > 0 else min(size))
        elif p == 0:
            want.append(sum(v != 0 for v in size))
        else:
            want.append(math.fsum(v**p for v in size) ** (1 / p))
    got = one("LpNormV2", [x], {"p": p, "axes": (1,)})
    np.testing.assert_allclose(got, want, rtol=1e-12)
    if p in (0, 1, 2, 3):
        got = one("LpNorm", [x], {"p": int(p), "axes": (1,), "keepdim": True})
        np.testing.assert_allclose(got[:, 0], want, rtol=1e-12)


def test_norm_of_everything_and_its_least_value():
    assert one("LpNorm", [X[:1, :2]]) == 5
    assert one("LpNorm", [X], {"p": 2**31 - 1}) == 8
    assert one("LpNorm", [np.zeros(3)], {"epsilon": 0.5}) == 0.5


def test_logarithm_and_squares():
    got = one("ReduceLogSum", [np.abs(X), np.array([1])])
    np.testing.assert_allclose(got, [math.log(8.5), math.log(12.5)])
    assert one("ReduceLogSum", [np.abs(X[1]), np.array([], int)]).tolist() == [
        math.log(abs(v)) for v in X[1]
    ]
    assert one("SquareSumV1", [X], {"axis": (0,)}).tolist() == [9.25, 20, 4, 66.25]
    assert one("SquareSumV1", [X], {"axis": ()}) == 99.5


def test_mean_of_cast_values():
    whole = np.array([[7, -8], [1, 2]], np.int32)
    axes = np.array([1], np.int64)
    assert one("ReduceMeanWithCast", [whole, axes]).tolist() == [0, 1]
    got = one("ReduceMeanWithCast", [whole, axes], {"dtype": to_xdsl("float32")})
    assert got.dtype == np.float32
    assert got.tolist() == [-0.5, 1.5]
    got = one("ReduceMeanWithCast", [X, axes], {"dtype": to_xdsl("int8")})
    assert got.dtype == np.int8
    assert got.tolist() == [0, 2]  # of 3, -4, 0, 1 and of 0, 2, -2, 8
    none = np.array([], np.int64)
    assert one("ReduceMeanWithCast", [whole, none]).tolist() == whole.tolist()
    attrs = {"noop_with_empty_axes": False}
    assert one("ReduceMeanWithCast", [whole, none], attrs) == 0


@pytest.mark.parametrize("correction", [0, 1])
def test_deviations(correction):
    deviation = statistics.stdev if correction else statistics.pstdev
    std, mean = apply_op("ReduceStdV2", [X], {"dim": (1,), "correction": correction})
    np.testing.assert_allclose(std, [deviation(row) for row in X.tolist()])
    np.testing.assert_allclose(mean, [statistics.fmean(row) for row in X.tolist()])
    attrs = {"dim": (-1,), "unbiased": bool(correction), "keepdim": True}
    got = one("ReduceStdWithMean", [X, mean[:, None]], attrs)
    np.testing.assert_allclose(got[:, 0], std)


def test_deviation_about_another_mean():
    got = one("ReduceStdWithMean", [X, np.ones(1)], {"unbiased": False})
    want = math.sqrt(math.fsum((v - 1) ** 2 for v in X.ravel().tolist()) / 8)
    assert got == pytest.approx(want)
    with pytest.raises(GeError, match="not evaluated"):
        one("ReduceStdWithMean", [X, np.ones(1)], {"invert": True})


def test_deviation_of_one_value():
    std, mean = apply_op("ReduceStdV2", [np.array([3.0], np.float32)], {})
    assert math.isnan(std)
    assert mean == 3
