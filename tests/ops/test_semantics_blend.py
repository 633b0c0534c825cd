"""Elementwise operators of several steps against exact fractions and numbers worked out by hand."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from ge_dialect.semantics import apply_op

A = np.array([[1.0, -2.0, 3.5], [0.25, 4.0, -1.0]])
B = np.array([2.0, 0.5, -4.0])


def one(op, args, attrs=None):
    return apply_op(op, args, attrs or {})[0]


def exact(fn, *arrays):
    """`fn` of fractions, element by element, as floats."""
    parts = np.broadcast_arrays(*arrays)
    out = [
        fn(*(Fraction(float(v)) for v in row))
        for row in zip(*(p.ravel() for p in parts), strict=True)
    ]
    return np.array([float(v) for v in out]).reshape(parts[0].shape)


def test_products_and_quotients():
    value = np.array(0.5)
    got = one("Addcmul", [A, A, B, value])
    assert np.array_equal(got, exact(lambda a, x, y, v: a + v * x * y, A, A, B, value))
    got = one("Addcdiv", [A, A, B, value])
    assert np.allclose(got, exact(lambda a, x, y, v: a + v * x / y, A, A, B, value), rtol=1e-15)
    got = one("Lerp", [A, B, value])
    assert np.array_equal(got, exact(lambda s, e, w: s + w * (e - s), A, B, value))
    got = one("FusedMulAddN", [A, A + 1, np.array([[3.0]])])
    assert np.array_equal(got, A * 3 + A + 1)


def test_integers():
    base = np.array([1, 1, 1, 1, 1], np.int64)
    above, below = np.array([7, -7, 7, -7, 7]), np.array([2, 2, -2, -2, 0])
    got = one("Addcdiv", [base, above, below, np.array(1, np.int32)])
    assert got.tolist() == [4, -2, -2, 4, 1]
    small = np.array([100], np.int8)
    assert one("Addcmul", [small, small, small, small]).tolist() == [
        (100 + 100**3 + 128) % 256 - 128
    ]
    most = np.array([2**31 - 1], np.int32)  # (2^31 - 1) * 2^31 wraps
    assert one("FusedMulAddN", [most, most, most]).tolist() == [-(2**31)]


def test_scaled_sums_promote():
    x, y = np.array([1, 2], np.int32), np.array([0.5, 0.25], np.float16)
    got = one("AxpyV2", [x, y, np.array([2], np.int64)])
    assert got.dtype == np.float16
    assert got.tolist() == [2, 2.5]
    got = one("Sxpy", [x, y, np.array(2.0, np.float32)])
    assert got.dtype == np.float32
    assert got.tolist() == [0, 1.5]
    assert one("Sxpy", [x, x, None]).tolist() == [0, 0]


def test_caffe_parameters_start_at_their_axis():
    x = np.arange(24.0).reshape(2, 3, 4)
    b = np.array([10.0, 20.0, 30.0])
    got = one("Bias", [x, b])
    want = [[[v + b[c] for v in row] for c, row in enumerate(image)] for image in x.tolist()]
    assert got.tolist() == want
    got = one("Scale", [x, b, b], {"axis": -2})
    assert np.array_equal(got, x * b[None, :, None] + b[None, :, None])
    two = np.arange(6.0).reshape(2, 3)
    got = one("Bias", [x, two], {"axis": 0, "num_axes": 2})
    assert np.array_equal(got, x + two[:, :, None])
    tail = np.arange(12.0).reshape(3, 4)
    assert np.array_equal(one("Bias", [x, tail], {"num_axes": -1}), x + tail)
    assert np.array_equal(one("Scale", [x, np.array([2.0]), None], {"num_axes": 0}), x * 2)


def test_clipping_by_tensors():
    low, high = np.array([0.0, -1.0, 2.0]), np.array([3.0])
    assert one("ClipByValueV2", [A, low, high]).tolist() == [[1, -1, 3], [0.25, 3, 2]]
    assert one("ClipByValueV2", [A, high, low])[0].tolist() == [0, -1, 2]
    assert math.isnan(one("ClipByValueV2", [np.array(np.nan), low[0], high[0]]))


def test_complex_parts():
    z = one("Complex", [A, B], {"Tout": "complex128"})
    assert z.tolist() == [[complex(a, b) for a, b in zip(row, B, strict=True)] for row in A]
    assert np.array_equal(one("Real", [z], {"Tout": "float64"}), A)
    assert np.array_equal(one("Imag", [z], {"Tout": "float64"})[1], B)


@pytest.mark.parametrize(
    ("attrs", "want"),
    [
        ({"mode": 0}, [6, -2]),
        ({"mode": 1}, [6, 3]),
        ({"mode": 2}, [3, 5]),
        ({"mode": 1, "coeff": [1.0, -1.0, 0.5]}, [0.5, -7.0]),
    ],
)
def test_eltwise(attrs, want):
    parts = [np.array([1.0, -2.0]), np.array([2.0, 5.0]), np.array([3.0, 0.0])]
    if attrs["mode"] == 0:
        parts[2], parts[1] = np.array([3.0, 0.2]), np.array([2.0, 5.0])
    got = one("Eltwise", [parts], {"N": 3, **attrs})
    assert got.tolist() == want


def test_powers_and_logarithms():
    got = one("Power", [A], {"power": 3.0, "scale": 2.0, "shift": 1.0})
    assert np.array_equal(got, exact(lambda a: (1 + 2 * a) ** 3, A))
    assert one("Trunc", [np.array([-1.7, -0.2, 0.9, 2.5])]).tolist() == [-1, 0, 0, 2]
    assert one("Trunc", [np.array([-3, 4], np.int8)]).tolist() == [-3, 4]
    x, y = np.array([0.0, 2.0, 0.0, 1.0]), np.array([0.0, math.e, np.nan, -1.0])
    got = one("Xlogy", [x, y])
    assert got[:3].tolist() == [0, 2, 0]
    assert math.isnan(got[3])
