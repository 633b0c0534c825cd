"""Convolutions against the definition, written as loops, and against exact integers."""

from __future__ import annotations

import itertools

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ge_dialect.diagnostics import GeError
from ge_dialect.semantics import apply_op, windows


def naive(x, weight, strides, pads, dilations, groups):
    """NCHW correlation by its sum, in Python numbers of the arrays' `tolist`."""
    n, _, h, w = x.shape
    o, cg, kh, kw = weight.shape
    top, bottom, left, right = pads
    oh = (h + top + bottom - (kh - 1) * dilations[0] - 1) // strides[0] + 1
    ow = (w + left + right - (kw - 1) * dilations[1] - 1) // strides[1] + 1
    data, taps = x.tolist(), weight.tolist()
    out = np.zeros((n, o, oh, ow), dtype=object)
    for b, k, i, j in itertools.product(range(n), range(o), range(oh), range(ow)):
        total = 0
        group = k // (o // groups)
        for q, u, v in itertools.product(range(cg), range(kh), range(kw)):
            y = i * strides[0] - top + u * dilations[0]
            z = j * strides[1] - left + v * dilations[1]
            if 0 <= y < h and 0 <= z < w:
                total += data[b][group * cg + q][y][z] * taps[k][q][u][v]
        out[b, k, i, j] = total
    return out


def conv(x, weight, bias=None, strides=(1, 1), pads=(0, 0, 0, 0), dilations=(1, 1), **attrs):
    attrs = {
        "strides": [1, 1, *strides],
        "pads": list(pads),
        "dilations": [1, 1, *dilations],
        "data_format": "NCHW",
        **attrs,
    }
    return apply_op("Conv2D", [x, weight, bias], attrs)[0]


@st.composite
def configurations(draw):
    groups = draw(st.sampled_from([1, 1, 2, 3]))
    cg, og = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    kernel = draw(st.tuples(st.integers(1, 3), st.integers(1, 3)))
    strides = draw(st.tuples(st.integers(1, 3), st.integers(1, 3)))
    dilations = draw(st.tuples(st.integers(1, 2), st.integers(1, 2)))
    pads = draw(st.tuples(*[st.integers(0, 2)] * 4))
    size = tuple(
        (k - 1) * d + 1 + draw(st.integers(0, 4)) for k, d in zip(kernel, dilations, strict=True)
    )
    batch = draw(st.integers(1, 2))
    seed = draw(st.integers(0, 99))
    return groups, cg, og, kernel, strides, dilations, pads, size, batch, seed


@given(configurations())
@settings(max_examples=120, deadline=None)
def test_against_the_definition(configuration):
    groups, cg, og, kernel, strides, dilations, pads, size, batch, seed = configuration
    rng = np.random.default_rng(seed)
    # small integers: every order of summation is exact in f32
    x = rng.integers(-8, 8, (batch, groups * cg, *size))
    weight = rng.integers(-8, 8, (groups * og, cg, *kernel))
    bias = rng.integers(-8, 8, groups * og)
    exact = naive(x, weight, strides, pads, dilations, groups) + bias.reshape(-1, 1, 1)
    attrs = {"strides": strides, "pads": pads, "dilations": dilations, "groups": groups}
    f32 = np.float32
    got = conv(x.astype(f32), weight.astype(f32), bias.astype(f32), **attrs)
    assert got.dtype == f32
    assert got.tolist() == exact.tolist()
    ints = conv(x.astype(np.int8), weight.astype(np.int8), bias.astype(np.int32), **attrs)
    assert ints.dtype == np.int32
    assert ints.tolist() == exact.tolist()
    nhwc = apply_op(
        "Conv2D",
        [
            x.transpose(0, 2, 3, 1).astype(f32),
            weight.transpose(2, 3, 1, 0).astype(f32),
            bias.astype(f32),
        ],
        {
            "strides": [1, *strides, 1],
            "pads": list(pads),
            "dilations": [1, *dilations, 1],
            "groups": groups,
        },
    )[0]
    assert nhwc.transpose(0, 3, 1, 2).tolist() == exact.tolist()


def test_slices_of_columns_join_up(monkeypatch):
    rng = np.random.default_rng(0)
    x = rng.integers(-8, 8, (2, 3, 9, 7)).astype(np.float32)
    weight = rng.integers(-8, 8, (4, 3, 3, 2)).astype(np.float32)
    whole = conv(x, weight, strides=(2, 1), pads=(1, 1, 1, 0))
    monkeypatch.setattr(windows, "_COLUMN_BYTES", 1)
    assert conv(x, weight, strides=(2, 1), pads=(1, 1, 1, 0)).tolist() == whole.tolist()
    expected = naive(x.astype(int), weight.astype(int), (2, 1), (1, 1, 1, 0), (1, 1), 1)
    assert whole.tolist() == expected.tolist()


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
def test_narrow_floats_accumulate_in_f32(dtype):
    # 2,304 products of 1: beyond bf16's 8 bits and, added to 2048, beyond f16's 11
    x, weight = np.ones((1, 256, 3, 3), dtype), np.ones((1, 256, 3, 3), dtype)
    got = conv(x, weight)
    assert got.dtype == np.dtype(dtype)
    assert float(got[0, 0, 0, 0]) == 2304.0
    half = conv(x, weight, np.array([0.25], np.float32))  # one rounding, after the bias
    assert float(half[0, 0, 0, 0]) == 2304.0


def test_int8_extremes_are_exact():
    x = np.full((1, 512, 3, 3), -128, np.int8)
    weight = np.full((2, 512, 3, 3), -128, np.int8)
    weight[1] = 127
    got = conv(x, weight)
    assert got.ravel().tolist() == [512 * 9 * 128 * 128, -512 * 9 * 128 * 127]


def test_offset_x_is_taken_from_data_but_not_from_padding():
    x = np.array([[[[5, 7]]]], np.int8)
    weight = np.ones((1, 1, 1, 2), np.int8)
    got = conv(x, weight, pads=(0, 0, 1, 1), offset_x=5)
    assert got.ravel().tolist() == [0, 2, 2]


@pytest.mark.parametrize("multiplier", [1, 2, 3])
@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int8])
def test_depthwise(multiplier, dtype):
    rng = np.random.default_rng(1)
    x = rng.integers(-8, 8, (2, 3, 5, 4))
    weight = rng.integers(-8, 8, (3 * multiplier, 1, 3, 2))
    exact = naive(x, weight, (2, 1), (1, 1, 0, 1), (1, 1), 3)
    attrs = {"strides": [1, 1, 2, 1], "pads": [1, 1, 0, 1], "data_format": "NCHW"}
    got = apply_op("DepthwiseConv2D", [x.astype(dtype), weight.astype(dtype)], attrs)[0]
    assert got.astype(int).tolist() == exact.tolist()
    hwcm = weight.reshape(3, multiplier, 3, 2).transpose(2, 3, 0, 1)
    nhwc = apply_op(
        "DepthwiseConv2D",
        [x.transpose(0, 2, 3, 1).astype(dtype), hwcm.astype(dtype)],
        {"strides": [1, 2, 1, 1], "pads": [1, 1, 0, 1], "data_format": "NHWC"},
    )[0]
    assert nhwc.transpose(0, 3, 1, 2).astype(int).tolist() == exact.tolist()


def test_a_single_channel_is_no_depthwise_convolution():
    x = np.arange(9, dtype=np.float32).reshape(1, 1, 3, 3)
    weight = np.stack([np.ones((1, 2, 2)), np.eye(2)[None]]).astype(np.float32)
    assert conv(x, weight).tolist() == naive(x, weight, (1, 1), (0,) * 4, (1, 1), 1).tolist()


def test_empty_batches():
    got = conv(np.zeros((0, 2, 4, 4), np.float32), np.zeros((3, 2, 3, 3), np.float32))
    assert got.shape == (0, 3, 2, 2)


def test_inputs_are_not_changed():
    x = np.ones((1, 1, 3, 3), np.float32)
    weight, bias = np.ones((1, 1, 1, 1), np.float32), np.ones(1, np.float32)
    conv(x, weight, bias)
    assert (x == 1).all()
    assert (bias == 1).all()


def test_refusals():
    x, weight = np.zeros((1, 2, 4, 4), np.int8), np.zeros((3, 2, 3, 3), np.int8)
    attrs = {"strides": [1] * 4, "pads": [0] * 4, "data_format": "NCHW"}
    with pytest.raises(GeError, match="offset_w"):
        apply_op("Conv2D", [x, weight, None, np.zeros(3, np.int8)], attrs)


def test_shadow_run_stays_in_f64():
    x = np.full((1, 1, 1, 1), 1 + 2.0**-30)
    (got,) = apply_op(
        "Conv2D",
        [x, np.ones((1, 1, 1, 1))],
        {"strides": [1] * 4, "pads": [0] * 4, "data_format": "NCHW"},
        out_types=[],
        compute_dtype=np.float64,
    )
    assert got.dtype == np.float64
    assert got.ravel().tolist() == [1 + 2.0**-30]
