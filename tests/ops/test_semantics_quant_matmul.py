"""Matrix products of quantised numbers against sums of Python integers and fractions."""

from __future__ import annotations

from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.semantics import apply_op

A = np.array([[127, -128, 5], [1, 2, 3]], np.int8)
B = np.array([[1, -1], [-128, 127], [7, 0]], np.int8)
SUMS = [[sum(int(a) * int(b) for a, b in zip(r, c, strict=True)) for c in B.T] for r in A]


def one(op, args, attrs):
    return apply_op(op, args, attrs)[0]


def packed(*values):
    return np.array(values, np.float32).view(np.uint32).astype(np.uint64) | np.uint64(1 << 46)


def test_first_generation():
    bias = np.array([1000, -1000], np.int32)
    got = one("QuantBatchMatmul", [A, B, bias, packed(0.5, 0.0078125)], {})
    want = [[(s + int(b)) * f for s, b, f in zip(r, bias, (0.5, 1 / 128), strict=True)]
            for r in SUMS]  # fmt: skip
    assert got.dtype == np.float16
    assert np.array_equal(got, np.array(want).astype(np.float16))
    turned = one(
        "QuantBatchMatmul",
        [A.T[None], B.T[None], bias, packed(0.5, 0.0078125)],
        {"adj_x1": True, "adj_x2": True},
    )
    assert np.array_equal(turned[0], got)


def test_scales_and_biases():
    scale, rows = np.array([0.5, 0.25], np.float32), np.array([2.0, 0.125], np.float32)
    whole, real = np.array([8, -8], np.int32), np.array([0.5, 1.5], np.float32)
    op = "QuantBatchMatmulV3"
    got = one(op, [A, B, scale, None, whole, rows], {"dtype": 0})
    want = [[(s + int(b)) * float(f) * float(t) for s, b, f in zip(r, whole, scale, strict=True)]
            for r, t in zip(SUMS, rows, strict=True)]  # fmt: skip
    assert got.tolist() == want
    got = one(op, [A, B, scale, None, real, rows], {"dtype": 0})
    want = [[s * float(f) * float(t) + float(b) for s, b, f in zip(r, real, scale, strict=True)]
            for r, t in zip(SUMS, rows, strict=True)]  # fmt: skip
    assert got.tolist() == want
    assert one(op, [A, B, scale, None, whole, None], {"dtype": 3}).tolist() == [
        [s + int(b) for s, b in zip(r, whole, strict=True)] for r in SUMS
    ]


def test_int8_results_round_to_even_and_saturate():
    x = np.array([[1], [3], [5], [100], [-100]], np.int8)
    unit, half = np.array([[1]], np.int8), np.array([0.5], np.float32)
    got = one("QuantBatchMatmulV3", [x, unit, half, None, None, None], {"dtype": 2})
    assert got.ravel().tolist() == [0, 2, 2, 50, -50]
    four, offset = np.array([4.0], np.float32), np.array([1.0], np.float32)
    got = one("QuantBatchMatmulV3", [x, unit, four, offset, None, None], {"dtype": 2})
    assert got.ravel().tolist() == [5, 13, 21, 127, -128]


def test_small_integers_and_small_floats():
    x = A.clip(-8, 7).astype(ml_dtypes.int4)
    w = B.clip(-8, 7).astype(ml_dtypes.int4)
    one_scale = np.array([1.0], np.float32)
    got = one("QuantBatchMatmulV3", [x, w, one_scale, None, None, None], {"dtype": 3})
    assert np.array_equal(got, x.astype(int) @ w.astype(int))
    f8 = A.astype(np.float32).astype(ml_dtypes.float8_e4m3fn)
    got = one("QuantBatchMatmulV3", [f8, f8.T, one_scale, None, None, None], {"dtype": 0})
    wide = f8.astype(np.float64)
    assert np.array_equal(got, wide @ wide.T)


def test_scales_per_block_are_not_evaluated():
    scale = np.ones(1, np.float32)
    with pytest.raises(GeError, match="not evaluated"):
        one("QuantBatchMatmulV3", [A, B, scale, None, None, None], {"dtype": 1, "group_size": 32})


def exact_weights(weight, scale, offset):
    """(weight + offset) · scale as fractions, all of [inner, columns]."""
    return [[(Fraction(int(w)) + Fraction(float(o))) * Fraction(float(s))
             for w, s, o in zip(*rows, strict=True)]
            for rows in zip(weight, scale, offset, strict=True)]  # fmt: skip


def test_weights_by_group():
    x = np.array([[1.0, 2.0, -0.5, 4.0, 0.25]], np.float16)
    weight = np.array([[1, -2], [3, 4], [-5, 6], [7, -8], [2, 2]], np.int8)
    scale = np.array([[0.5, 0.25], [2.0, 1.0], [4.0, 8.0]], np.float16)
    offset = np.array([[1.0, -1.0], [0.0, 2.0], [3.0, 0.5]], np.float16)
    groups = [0, 0, 1, 1, 2]
    exact = exact_weights(weight, scale[groups], offset[groups])
    bias = np.array([0.5, -0.5], np.float16)
    want = [
        float(sum(Fraction(float(v)) * row[c] for v, row in zip(x[0], exact, strict=True)))
        + float(bias[c])
        for c in range(2)
    ]
    op, attrs = "WeightQuantBatchMatmulV2", {"antiquant_group_size": 2}
    got = one(op, [x, weight, scale, offset, None, None, bias], attrs)
    assert got.dtype == np.float16
    assert got[0].tolist() == [float(np.float16(v)) for v in want]
    attrs |= {"transpose_x": True, "transpose_weight": True}
    got = one(op, [x.T, weight.T, scale.T, offset.T, None, None, bias], attrs)
    assert got[0].tolist() == [float(np.float16(v)) for v in want]
    quant = [np.array([0.25, 4.0], np.float32), np.array([1.0, 0.0], np.float32)]
    got = one(op, [x, weight, scale, offset, *quant, bias], {"antiquant_group_size": 2})
    steps = [round(want[0] * 0.25 + 1), max(-128, min(127, round(want[1] * 4)))]
    assert got.dtype == np.int8
    assert got[0].tolist() == steps


def test_packed_weights_are_not_evaluated():
    x, weight = np.ones((1, 8), np.float16), np.ones((8, 1), np.int32)
    with pytest.raises(GeError, match="packed int4"):
        one("WeightQuantBatchMatmulV2", [x, weight, x[0, :1], None, None, None, None], {})
