"""Matrix products, reductions and normalisations against their definitions."""

from __future__ import annotations

import itertools
import math

import ml_dtypes
import numpy as np
import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.semantics import apply_op

f32 = np.float32


def run(op_type, *args, **attrs):
    (result,) = apply_op(op_type, list(args), attrs)
    return result


def product(a, b):
    """Matrix product of nested lists."""
    return [
        [sum(x * y for x, y in zip(r, c, strict=True)) for c in zip(*b, strict=True)] for r in a
    ]


@pytest.mark.parametrize("op_type", ["MatMul", "MatMulV2"])
@pytest.mark.parametrize(("first", "second"), list(itertools.product([False, True], repeat=2)))
def test_transposes_and_bias(op_type, first, second):
    rng = np.random.default_rng(0)
    a, b = rng.integers(-8, 8, (3, 5)), rng.integers(-8, 8, (5, 2))
    bias = np.array([10, 20])
    exact = [[v + w for v, w in zip(r, bias, strict=True)] for r in product(a.tolist(), b.tolist())]
    x1, x2 = (a.T if first else a), (b.T if second else b)
    for dtype in (f32, np.float16, ml_dtypes.bfloat16, np.float64, np.int32):
        got = run(
            op_type,
            x1.astype(dtype),
            x2.astype(dtype),
            bias.astype(dtype),
            transpose_x1=first,
            transpose_x2=second,
        )
        assert got.dtype == np.dtype(dtype)
        assert got.astype(int).tolist() == exact


def test_batches_broadcast():
    rng = np.random.default_rng(0)
    a, b = rng.integers(-8, 8, (2, 1, 3, 4)), rng.integers(-8, 8, (5, 4, 2))
    got = run("BatchMatMulV2", a.astype(f32), b.astype(f32))
    assert got.shape == (2, 5, 3, 2)
    for i, j in itertools.product(range(2), range(5)):
        assert got[i, j].tolist() == product(a[i, 0].tolist(), b[j].tolist())
    turned = run(
        "BatchMatMul",
        a.swapaxes(-1, -2).astype(f32),
        b.swapaxes(-1, -2).astype(f32),
        adj_x1=True,
        adj_x2=True,
    )
    assert turned.tolist() == got.tolist()


def test_int8_products():
    a, b = np.array([[-128, 127]], np.int8), np.array([[-128], [127]], np.int8)
    got = run("MatMulV2", a, b, np.array([1], np.int32))
    assert got.dtype == np.int32
    assert got.tolist() == [[128 * 128 + 127 * 127 + 1]]
    shifted = run("MatMulV2", a, b, offset_x=2)
    assert shifted.tolist() == [[130 * 128 + 125 * 127]]


@pytest.mark.parametrize("shape", [(0, 3), (2, 0)])
def test_empty_products(shape):
    a, b = np.ones(shape, f32), np.ones((shape[1], 4), f32)
    assert run("MatMulV2", a, b).tolist() == [[0.0 if shape[1] == 0 else 3.0] * 4] * shape[0]


FOLDS = {
    "ReduceSum": math.fsum,
    "ReduceProd": math.prod,
    "ReduceMax": max,
    "ReduceMin": min,
    "ReduceMean": lambda v: math.fsum(v) / len(v),
}


def naive_reduce(x, axes, fold):
    axes = {a % x.ndim for a in axes}
    kept = [range(1 if i in axes else n) for i, n in enumerate(x.shape)]
    out = np.zeros([len(r) for r in kept])
    for index in itertools.product(*kept):
        cells = itertools.product(
            *(range(n) if i in axes else [index[i]] for i, n in enumerate(x.shape))
        )
        out[index] = fold([float(x[c]) for c in cells])
    return out


@pytest.mark.parametrize("op_type", FOLDS)
@pytest.mark.parametrize("axes", [[0], [1], [-1], [0, 2], [2, 0], [-1, -2], [0, 1, 2]])
@pytest.mark.parametrize("keep", [False, True])
def test_reductions(op_type, axes, keep):
    x = np.random.default_rng(0).integers(-4, 5, (2, 3, 4)).astype(f32)
    expected = naive_reduce(x, axes, FOLDS[op_type])
    if not keep:
        expected = expected.reshape(
            [n for i, n in enumerate(x.shape) if i not in {a % 3 for a in axes}]
        )
    by_input = run(op_type, x, np.array(axes), keep_dims=keep)
    by_attribute = run(op_type + "D", x, axes=axes, keep_dims=keep)
    for got in (by_input, by_attribute):
        assert got.dtype == f32
        assert got.shape == expected.shape
        np.testing.assert_allclose(got, expected, rtol=1e-6)


def test_axes_as_scalar_and_empty():
    x = np.arange(6, dtype=f32).reshape(2, 3)
    assert run("ReduceSum", x, np.int32(1)).tolist() == [3.0, 12.0]
    none = np.zeros(0, np.int64)
    assert run("ReduceSum", x, none).tolist() == x.tolist()
    assert run("ReduceSum", x, none, noop_with_empty_axes=False).tolist() == 15.0
    assert run("ReduceSumD", x, axes=[]).tolist() == 15.0
    flags = np.array([[True, False]])
    assert run("ReduceAll", flags, none).tolist() == [[True, False]]
    assert run("ReduceAllD", flags, axes=[]).tolist() is False
    assert run("ReduceSum", f32(4), none, noop_with_empty_axes=False).tolist() == 4.0


def test_bool_reductions():
    x = np.array([[True, False], [True, True]])
    assert run("ReduceAll", x, np.array([1])).tolist() == [False, True]
    assert run("ReduceAny", x, np.array([0]), keep_dims=True).tolist() == [[True, True]]
    nan = np.array([np.nan, 0.0], np.float16)
    assert run("ReduceAny", nan, np.array([0])).tolist() is True
    assert run("ReduceAll", nan, np.array([0])).tolist() is False


def test_integer_reductions_wrap():
    x = np.array([100, 100, 100], np.int8)
    assert run("ReduceSum", x, np.array([0])).tolist() == 300 - 256
    assert run("ReduceProd", x, np.array([0])).tolist() == (10**6 + 128) % 256 - 128
    assert run("ReduceMean", x, np.array([0])).tolist() == 100  # exact before the division
    assert run("ReduceMean", np.array([-3, -4], np.int32), np.array([0])).tolist() == -3


def test_axis_errors():
    with pytest.raises(GeError, match="out of range"):
        run("ReduceSum", np.zeros((2, 3), f32), np.array([2]))


@pytest.mark.parametrize("dtype", [f32, np.float16, ml_dtypes.bfloat16])
@pytest.mark.parametrize("data_format", ["NCHW", "NHWC"])
def test_batch_norm_inference(dtype, data_format):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((2, 3, 2, 2)).astype(dtype)
    scale, offset, mean = rng.standard_normal((3, 3)).astype(f32)
    variance = rng.uniform(0.5, 2, 3).astype(f32)
    expected = np.empty(x.shape)
    for n, c, h, w in np.ndindex(x.shape):
        v = (float(x[n, c, h, w]) - float(mean[c])) / math.sqrt(float(variance[c]) + 1e-3)
        expected[n, c, h, w] = v * float(scale[c]) + float(offset[c])
    given = x if data_format == "NCHW" else x.transpose(0, 2, 3, 1)
    results = apply_op(
        "BatchNorm",
        [given, scale, offset, mean, variance],
        {"epsilon": 1e-3, "is_training": False, "data_format": data_format},
    )
    y = results[0] if data_format == "NCHW" else results[0].transpose(0, 3, 1, 2)
    tolerance = {4: 1e-6, 2: 2.0**-8 if dtype is not np.float16 else 2.0**-10}[x.dtype.itemsize]
    np.testing.assert_allclose(y.astype(float), expected, rtol=tolerance, atol=1e-6)
    assert results[0].dtype == x.dtype
    assert [r.dtype for r in results[1:]] == [np.dtype(f32)] * 5
    assert results[1].tolist() == mean.tolist()
    assert results[2].tolist() == variance.tolist()
    infer = run("BNInfer", x, scale, offset, mean, variance, epsilon=1e-3)
    np.testing.assert_allclose(infer.astype(float), expected, rtol=tolerance, atol=1e-6)


def test_batch_norm_far_from_zero():
    # x * s + (b - mean * s) would lose all digits here
    x = np.array([[[[4096.0, 4096.5]]]], f32)
    one = np.ones(1, f32)
    y = run("BNInfer", x, one, 0 * one, 4096 * one, 1e-4 * one, epsilon=0.0)
    np.testing.assert_allclose(y.ravel(), [0.0, 50.0], rtol=1e-6)


def test_batch_norm_training():
    x = np.array([[[1.0, 3.0]], [[5.0, 7.0]]], f32).reshape(2, 1, 1, 2)
    one = np.ones(1, f32)
    attrs = {"epsilon": 0.0, "data_format": "NCHW"}
    y, mean, variance, used_mean, used_variance, _ = apply_op("BatchNorm", [x, one, 0 * one], attrs)
    assert (mean.tolist(), used_mean.tolist(), used_variance.tolist()) == ([4.0], [4.0], [5.0])
    np.testing.assert_allclose(variance, [20 / 3], rtol=1e-6)  # counts n - 1
    np.testing.assert_allclose(y.ravel(), (x.ravel() - 4) / math.sqrt(5), rtol=1e-6)
    attrs["exponential_avg_factor"] = 0.25
    moved = apply_op("BatchNorm", [x, one, 0 * one, 8 * one, 2 * one], attrs)
    assert moved[1].tolist() == [0.75 * 8 + 0.25 * 4]
    np.testing.assert_allclose(moved[2], [0.75 * 2 + 0.25 * 20 / 3], rtol=1e-6)


@pytest.mark.parametrize("beta", [0.5, 0.75, 1.0])
@pytest.mark.parametrize("radius", [0, 1, 2, 9])
def test_lrn(beta, radius):
    x = np.random.default_rng(0).standard_normal((2, 5, 1, 2)).astype(f32)
    expected = np.empty(x.shape)
    for n, c, h, w in np.ndindex(x.shape):
        near = range(max(c - radius, 0), min(c + radius, 4) + 1)
        total = math.fsum(float(x[n, k, h, w]) ** 2 for k in near)
        expected[n, c, h, w] = float(x[n, c, h, w]) / (2.0 + 0.5 * total) ** beta
    got = run("LRN", x, depth_radius=radius, bias=2.0, alpha=0.5, beta=beta)
    np.testing.assert_allclose(got, expected, rtol=2e-6)


@pytest.mark.parametrize("shape", [(3, 2, 4), (2, 0, 4), (0, 3, 4), (2, 3, 1, 4), (2, 3, 0)])
def test_batch_times_one_matrix(shape):
    """Every matrix of the batch by the same one, also where there are none."""
    rng = np.random.default_rng(0)
    a = rng.standard_normal(shape).astype(f32)
    b = rng.standard_normal((shape[-1], 5)).astype(f32)
    expected = np.einsum("...ij,jk->...ik", a.astype(np.float64), b.astype(np.float64))
    for first in (a, np.swapaxes(np.ascontiguousarray(np.swapaxes(a, 0, -2)), 0, -2)):
        got = run("BatchMatMulV2", first, b)
        assert got.shape == expected.shape
        np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-6)
