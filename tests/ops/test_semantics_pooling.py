"""Pooling against its definition, window by window."""

from __future__ import annotations

import itertools
import math

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ge_dialect.semantics import apply_op


def places(size, kernel, stride, before, after, ceil_mode):
    """Start of every window along an axis, by trying them one after the other."""
    starts = []
    start = -before
    while True:
        fits = start + kernel <= size + after
        reaches = ceil_mode and start < size and start + kernel - stride < size + after
        if not fits and not reaches:
            return starts
        starts.append(start)
        start += stride


def naive(x, kernel, strides, pads, ceil_mode, fold):
    """fold(elements, clipped_count) for every window, elements without padding."""
    n, c, h, w = x.shape
    rows = places(h, kernel[0], strides[0], pads[0], pads[1], ceil_mode)
    columns = places(w, kernel[1], strides[1], pads[2], pads[3], ceil_mode)
    out = np.zeros((n, c, len(rows), len(columns)))
    for b, k, (i, top), (j, left) in itertools.product(
        range(n), range(c), enumerate(rows), enumerate(columns)
    ):
        cells = [
            (y, z)
            for y in range(top, top + kernel[0])
            for z in range(left, left + kernel[1])
            if -pads[0] <= y < h + pads[1] and -pads[2] <= z < w + pads[3]
        ]
        inside = [float(x[b, k, y, z]) for y, z in cells if 0 <= y < h and 0 <= z < w]
        out[b, k, i, j] = fold(inside, len(cells))
    return out


@st.composite
def configurations(draw):
    kernel = draw(st.tuples(st.integers(1, 4), st.integers(1, 4)))
    strides = draw(st.tuples(st.integers(1, 3), st.integers(1, 3)))
    pads = tuple(draw(st.integers(0, min(2, kernel[i // 2] - 1))) for i in range(4))
    size = tuple(k + draw(st.integers(0, 6)) for k in kernel)
    return kernel, strides, pads, size, draw(st.booleans()), draw(st.integers(0, 99))


@given(configurations(), st.sampled_from(["NCHW", "NHWC"]))
@settings(max_examples=150, deadline=None)
def test_against_the_definition(configuration, data_format):
    kernel, strides, pads, size, ceil_mode, seed = configuration
    x = np.random.default_rng(seed).integers(-64, 64, (2, 3, *size)).astype(np.float32)
    last = data_format == "NHWC"

    def pool(op_type, **attrs):
        lists = {"ksize": kernel, "strides": strides}
        attrs |= {k: [1, *v, 1] if last else [1, 1, *v] for k, v in lists.items()}
        attrs |= {"pads": list(pads), "data_format": data_format, "ceil_mode": ceil_mode}
        given_ = x.transpose(0, 2, 3, 1) if last else x
        (got,) = apply_op(op_type, [given_], attrs)
        return got.transpose(0, 3, 1, 2) if last else got

    def check(got, fold):
        expected = naive(x, kernel, strides, pads, ceil_mode, fold)
        assert got.shape == expected.shape
        np.testing.assert_allclose(got, expected, rtol=1e-6, atol=1e-6)

    check(pool("MaxPoolV3"), lambda v, _: max(v))
    check(pool("AvgPoolV2"), lambda v, _: math.fsum(v) / len(v))
    check(pool("AvgPoolV2", exclusive=False), lambda v, count: math.fsum(v) / count)
    check(pool("AvgPoolV2", divisor_override=3), lambda v, _: math.fsum(v) / 3)


@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize("stride", [1, 2, 3])
def test_same_and_valid(size, stride):
    x = np.random.default_rng(0).standard_normal((1, 2, size, size)).astype(np.float32)
    out = -(-size // stride)
    total = max((out - 1) * stride + 3 - size, 0)
    pads = (total // 2, total - total // 2) * 2
    attrs = {"ksize": [1, 1, 3, 3], "strides": [1, 1, stride, stride], "data_format": "NCHW"}
    for op_type, fold in (
        ("MaxPool", lambda v, _: max(v)),
        ("AvgPool", lambda v, _: math.fsum(v) / len(v)),
    ):
        same = apply_op(op_type, [x], {**attrs, "padding": "SAME"})[0]
        assert same.shape[2:] == (out, out)
        np.testing.assert_allclose(
            same, naive(x, (3, 3), (stride,) * 2, pads, False, fold), rtol=1e-5, atol=1e-6
        )
        valid = apply_op(op_type, [x], {**attrs, "padding": "VALID"})[0]
        plain = naive(x, (3, 3), (stride,) * 2, (0,) * 4, False, fold)
        np.testing.assert_allclose(valid, plain, rtol=1e-5, atol=1e-6)


def test_global_pooling():
    x = np.random.default_rng(0).standard_normal((2, 3, 4, 5)).astype(np.float32)
    attrs = {"ksize": [1, 1, 1, 1], "strides": [1, 1, 1, 1], "global_pooling": True}
    top = [[max(c.ravel().tolist()) for c in image] for image in x]
    assert apply_op("MaxPoolV3", [x], attrs)[0][:, :, 0, 0].tolist() == top
    mean = [[math.fsum(c.ravel().tolist()) / 20 for c in image] for image in x]
    np.testing.assert_allclose(apply_op("AvgPoolV2", [x], attrs)[0][:, :, 0, 0], mean, rtol=1e-5)
    np.testing.assert_allclose(apply_op("GlobalAveragePool", [x])[0][:, :, 0, 0], mean, rtol=1e-5)
    assert apply_op("GlobalAveragePool", [x[:, :, 0]])[0].shape == (2, 3, 1)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.float16, ml_dtypes.bfloat16])
def test_padding_never_wins_a_maximum(dtype):
    least = -100 if np.dtype(dtype).kind != "u" else 0
    x = np.full((1, 1, 2, 2), least, dtype)
    attrs = {"ksize": [1, 1, 2, 2], "strides": [1, 1, 1, 1], "pads": [1, 1, 1, 1]}
    got = apply_op("MaxPoolV3", [x], attrs)[0]
    assert got.dtype == np.dtype(dtype)
    assert set(got.astype(float).ravel().tolist()) == {float(least)}


def test_minus_infinity_survives():
    x = np.full((1, 1, 2, 2), -np.inf, np.float32)
    attrs = {"ksize": [1, 1, 2, 2], "strides": [1, 1, 2, 2]}
    assert apply_op("MaxPoolV3", [x], attrs)[0].ravel().tolist() == [-np.inf]


def test_narrow_averages_round_once():
    x = np.full((1, 1, 64, 64), 1.0, np.float16)
    x[0, 0, 0, 0] = 4096.0
    (got,) = apply_op("GlobalAveragePool", [x])
    assert float(got[0, 0, 0, 0]) == float(np.float16((4095 + 4096) / 4096))


@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize("floor", [0, 1])
def test_caffe_pooling(mode, floor):
    """By Caffe's loops: windows clipped to the data for a maximum, to the padding for a mean."""
    rng = np.random.default_rng(8)
    x = rng.normal(size=(1, 2, 5, 6))
    window, stride, pad = (3, 2), (2, 3), (1, 1, 0, 1)
    out = []
    for n, k, s, before, after in ((5, 3, 2, 1, 1), (6, 2, 3, 0, 1)):
        room = n + before + after - k
        count = (room // s if floor else -(-room // s)) + 1
        if (count - 1) * s >= n + before:
            count -= 1
        out.append(count)
    want = np.zeros((1, 2, *out))
    for c, i, j in np.ndindex(2, *out):
        top, left = i * 2 - 1, j * 3
        bottom, right = min(top + 3, 5 + 1), min(left + 2, 6 + 1)
        size = (bottom - top) * (right - left)
        seen = x[0, c, max(top, 0) : min(bottom, 5), max(left, 0) : min(right, 6)]
        want[0, c, i, j] = seen.sum() / size if mode else seen.max()
    attrs = {"mode": mode, "window": window, "stride": stride, "pad": pad, "ceil_mode": floor}
    (got,) = apply_op("Pooling", [x], attrs)
    assert got.shape == want.shape
    assert np.allclose(got, want)
    (got,) = apply_op("Pooling", [x], {"mode": mode, "global_pooling": True})
    assert np.allclose(got[..., 0, 0], x.mean((2, 3)) if mode else x.max((2, 3)))
