"""Kernels on storage against definitions written as loops over elements.

Storage is filled and read here by the placement formulas of GE, element by element, so neither our
layout code nor the golden functions take part.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from ge_dialect.layouts import Layout
from runtime.kernels.registry import AI_CORE, Call, View, find_kernel

NC1 = Layout("NC1HWC0")
C0 = 16


def blocks(n):
    return -(-n // C0)


def to_nc1hwc0(x):
    n, c, h, w = x.shape
    out = np.zeros((n, blocks(c), h, w, C0), x.dtype)
    for i, j, k, m in product(range(n), range(c), range(h), range(w)):
        out[i, j // C0, k, m, j % C0] = x[i, j, k, m]
    return out


def from_nc1hwc0(stored, channels):
    n, _, h, w, _ = stored.shape
    out = np.zeros((n, channels, h, w), stored.dtype)
    for i, j, k, m in product(range(n), range(channels), range(h), range(w)):
        out[i, j, k, m] = stored[i, j // C0, k, m, j % C0]
    return out


def to_fractal_z(weight):
    """dst = (((c / C0 * H + h) * W + w) * N1 * 16 + n) * C0 + c % C0"""
    n, c, h, w = weight.shape
    rows = -(-n // 16) * 16
    flat = np.zeros(blocks(c) * h * w * rows * C0, weight.dtype)
    for i, j, k, m in product(range(n), range(c), range(h), range(w)):
        flat[(((j // C0 * h + k) * w + m) * rows + i) * C0 + j % C0] = weight[i, j, k, m]
    return flat.reshape(blocks(c) * h * w, rows // 16, 16, C0)


def run(op_type, args, out, attrs, formats):
    kernel = find_kernel(op_type, AI_CORE, formats)
    kernel.function(Call(args, [out], attrs))


def image(shape, dtype=np.float32):
    n, c, h, w = shape
    return View(np.full((n, blocks(c), h, w, C0), np.nan, dtype), shape, NC1)


def stored(x):
    return View(to_nc1hwc0(x), x.shape, NC1)


def convolve(x, weight, bias, stride, pads, dilation):
    n, _, h, w = x.shape
    cout, cin, kh, kw = weight.shape
    oh = (h + pads[0] + pads[1] - (kh - 1) * dilation - 1) // stride[0] + 1
    ow = (w + pads[2] + pads[3] - (kw - 1) * dilation - 1) // stride[1] + 1
    y = np.zeros((n, cout, oh, ow))
    for b, o, i, j in product(range(n), range(cout), range(oh), range(ow)):
        total = float(bias[o])
        for c, u, v in product(range(cin), range(kh), range(kw)):
            row = i * stride[0] + u * dilation - pads[0]
            col = j * stride[1] + v * dilation - pads[2]
            if 0 <= row < h and 0 <= col < w:
                total += float(x[b, c, row, col]) * float(weight[o, c, u, v])
        y[b, o, i, j] = total
    return y


@pytest.mark.parametrize("seed", range(12))
def test_convolution(seed):
    rng = np.random.default_rng(seed)
    n, c, cout = (int(rng.integers(1, high)) for high in (3, 20, 20))
    kh, kw = int(rng.integers(1, 4)), int(rng.integers(1, 4))
    h, w = kh + int(rng.integers(2, 5)), kw + int(rng.integers(2, 5))
    stride = (int(rng.integers(1, 3)), int(rng.integers(1, 3)))
    pads = tuple(int(v) for v in rng.integers(0, 2, 4))
    dilation = int(rng.integers(1, 3)) if min(h, w) > 2 * max(kh, kw) else 1
    x = rng.standard_normal((n, c, h, w)).astype(np.float32)
    weight = rng.standard_normal((cout, c, kh, kw)).astype(np.float32)
    bias = rng.standard_normal(cout).astype(np.float32)
    want = convolve(x, weight, bias, stride, pads, dilation)
    out = image(want.shape)
    attrs = {
        "strides": (1, 1, *stride),
        "pads": pads,
        "dilations": (1, 1, dilation, dilation),
        "data_format": "NCHW",
    }
    filters = View(to_fractal_z(weight), weight.shape, Layout("FRACTAL_Z"))
    args = [stored(x), filters, View(bias, bias.shape), None]
    run("Conv2D", args, out, attrs, ["NC1HWC0", "FRACTAL_Z", "ND", "NC1HWC0"])
    got = from_nc1hwc0(out.data, cout)
    assert np.abs(got - want).max() <= 1e-5 * max(np.abs(want).max(), 1)
    np.testing.assert_array_equal(out.data, to_nc1hwc0(got))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("op_type", ["MaxPoolV3", "AvgPoolV2"])
def test_pooling(op_type, seed):
    rng = np.random.default_rng(seed)
    n, c = int(rng.integers(1, 3)), int(rng.integers(1, 20))
    k = int(rng.integers(2, 4))
    h, w = k + int(rng.integers(1, 5)), k + int(rng.integers(1, 5))
    s = int(rng.integers(1, 3))
    top, bottom, left, right = (int(v) for v in rng.integers(0, k, 4))
    x = rng.standard_normal((n, c, h, w)).astype(np.float32)
    oh, ow = (h + top + bottom - k) // s + 1, (w + left + right - k) // s + 1
    want = np.zeros((n, c, oh, ow))
    for b, m, i, j in product(range(n), range(c), range(oh), range(ow)):
        seen = [
            float(x[b, m, row, col])
            for row in range(i * s - top, i * s - top + k)
            for col in range(j * s - left, j * s - left + k)
            if 0 <= row < h and 0 <= col < w
        ]
        want[b, m, i, j] = max(seen) if op_type == "MaxPoolV3" else sum(seen) / len(seen)
    out = image(want.shape)
    attrs = {
        "ksize": (1, 1, k, k),
        "strides": (1, 1, s, s),
        "pads": (top, bottom, left, right),
        "data_format": "NCHW",
    }
    run(op_type, [stored(x)], out, attrs, ["NC1HWC0", "NC1HWC0"])
    np.testing.assert_allclose(from_nc1hwc0(out.data, c), want, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("channels", [1, 5, 16, 33])
def test_local_response(channels):
    rng = np.random.default_rng(channels)
    x = rng.standard_normal((1, channels, 2, 3)).astype(np.float32)
    want = np.zeros_like(x)
    for c, i, j in product(range(channels), range(2), range(3)):
        near = range(max(c - 2, 0), min(c + 3, channels))
        total = sum(float(x[0, m, i, j]) ** 2 for m in near)
        want[0, c, i, j] = x[0, c, i, j] / (1.5 + 0.1 * total) ** 0.75
    out = View(np.empty_like(x), x.shape)
    attrs = {"depth_radius": 2, "bias": 1.5, "alpha": 0.1, "beta": 0.75}
    run("LRN", [View(x, x.shape)], out, attrs, ["ND", "ND"])
    np.testing.assert_allclose(out.data, want, rtol=1e-5)


def test_batch_normalisation():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((2, 19, 3, 2)).astype(np.float32)
    scale, offset, mean = (rng.standard_normal(19).astype(np.float32) for _ in range(3))
    variance = rng.uniform(0.5, 2, 19).astype(np.float32)
    want = np.zeros(x.shape)
    for n, c, h, w in product(*map(range, x.shape)):
        normal = (float(x[n, c, h, w]) - mean[c]) / (variance[c] + 1e-3) ** 0.5
        want[n, c, h, w] = normal * scale[c] + offset[c]
    out = image(x.shape)
    vectors = [View(v, v.shape) for v in (scale, offset, mean, variance)]
    formats = ["NC1HWC0", "ND", "ND", "ND", "ND", "NC1HWC0"]
    run("BNInfer", [stored(x), *vectors], out, {"epsilon": 1e-3}, formats)
    np.testing.assert_allclose(from_nc1hwc0(out.data, 19), want, rtol=1e-4, atol=1e-5)
    np.testing.assert_array_equal(out.data[:, -1, :, :, 3:], 0)


@pytest.mark.parametrize("channels", [3, 16, 20])
def test_trans_data(channels):
    x = np.arange(2 * channels * 12, dtype=np.float16).reshape(2, channels, 3, 4)
    out = image(x.shape, np.float16)
    run("TransData", [View(x, x.shape)], out, {}, ["ND", "NC1HWC0"])
    np.testing.assert_array_equal(out.data, to_nc1hwc0(x))
    back = View(np.empty_like(x), x.shape)
    run("TransData", [out], back, {}, ["NC1HWC0", "ND"])
    np.testing.assert_array_equal(back.data, x)
    filters = View(
        np.empty((blocks(channels) * 12, 1, 16, C0), np.float16), x.shape, Layout("FRACTAL_Z")
    )
    run("TransData", [View(x, x.shape)], filters, {}, ["ND", "FRACTAL_Z"])
    np.testing.assert_array_equal(filters.data, to_fractal_z(x))


def test_padding_lanes_do_not_leak_into_a_convolution():
    """exp of a padding zero is one; the next kernel must not see it."""
    rng = np.random.default_rng(1)
    x = rng.standard_normal((1, 5, 4, 4)).astype(np.float32)
    middle = image(x.shape)
    run("Exp", [stored(x)], middle, {}, ["NC1HWC0", "NC1HWC0"])
    np.testing.assert_array_equal(middle.data[..., 5:], 0)


def test_kernel_of_a_user_wins():
    from runtime.kernels import registry

    before = {name: list(found) for name, found in registry._kernels.items()}
    try:

        @registry.kernel("Abs", engine=AI_CORE, layouts="NC1HWC0")
        def mine(call):
            call.outs[0].data[...] = 7

        assert find_kernel("Abs", AI_CORE, ["NC1HWC0", "NC1HWC0"]).function is mine
        assert find_kernel("Abs", AI_CORE, ["ND", "ND"]).function is not mine
        assert find_kernel("Abs", registry.AICPU, ["NC1HWC0"]).function is not mine
    finally:
        registry._kernels.clear()
        registry._kernels.update(before)


def test_no_kernel():
    assert find_kernel("NoSuchOperator", AI_CORE, ["ND"]) is None
    assert find_kernel("MatMul", AI_CORE, ["NC1HWC0", "ND", "ND"]) is None
