"""Convolutions with padding by mode, and of quantised data, against loops over the definition."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.dtypes import to_xdsl
from ge_dialect.ir.types import tensor_type
from ge_dialect.semantics import apply_op
from ge_dialect.semantics.context import Context
from ge_dialect.semantics.registry import lookup


def looped(x, w, strides, pads, dilations, groups, zero=0):
    """Channels first; pads before each axis and output dims: pairs of `pads`."""
    rank = x.ndim - 2
    size = [
        (n + before + after - (k - 1) * d - 1) // s + 1
        for n, (before, after), k, d, s in zip(
            x.shape[2:], pads, w.shape[2:], dilations, strides, strict=True
        )
    ]
    y = np.zeros((x.shape[0], w.shape[0], *size))
    per_in, per_out = w.shape[1], w.shape[0] // groups
    for place in np.ndindex(y.shape):
        n, o, at = place[0], place[1], place[2:]
        for c, tap in product(range(per_in), np.ndindex(*w.shape[2:])):
            where = [a * s + t * d - p[0] for a, s, t, d, p in zip(
                at, strides, tap, dilations, pads, strict=True)]  # fmt: skip
            if all(0 <= v < m for v, m in zip(where, x.shape[2:], strict=True)):
                value = x[(n, o // per_out * per_in + c, *where)] - zero
                y[place] += value * w[(o, c, *tap)]
    assert rank == len(size)
    return y


MODES = {
    "VALID": [(0, 0), (0, 0)],
    "SAME": [(0, 1), (1, 1)],
    "SAME_UPPER": [(0, 1), (1, 1)],
    "SAME_LOWER": [(1, 0), (1, 1)],
    "SPECIFIC": [(2, 0), (0, 1)],
}


@pytest.mark.parametrize("mode", MODES)
def test_padding_by_mode(mode):
    rng = np.random.default_rng(1)
    x, w = rng.normal(size=(1, 2, 6, 5)), rng.normal(size=(4, 1, 3, 2))
    attrs = {
        "strides": (1, 1, 2, 1),
        "dilations": (1, 1, 1, 2),
        "groups": 2,
        "pads": (2, 0, 0, 1),
        "pad_mode": mode,
    }
    bias = np.arange(4.0)
    want = looped(x, w, (2, 1), MODES[mode], (1, 2), 2) + bias.reshape(4, 1, 1)
    (got,) = apply_op("Conv2DV2", [x, w, bias, None], attrs)
    assert np.allclose(got, want)
    last = {**attrs, "strides": (1, 2, 1, 1), "dilations": (1, 1, 2, 1), "data_format": "NHWC"}
    turned = [x.transpose(0, 2, 3, 1), w.transpose(2, 3, 1, 0), bias, None]
    (got,) = apply_op("Conv2DV2", turned, last)
    assert np.allclose(got.transpose(0, 3, 1, 2), want)


def test_volume():
    rng = np.random.default_rng(2)
    x, w = rng.normal(size=(1, 2, 3, 4, 3)), rng.normal(size=(2, 2, 2, 3, 1))
    attrs = {"strides": (1, 1, 1, 2, 1), "pad_mode": "SAME_LOWER"}
    (got,) = apply_op("Conv3DV2", [x, w, None, None, None, None], attrs)
    assert np.allclose(got, looped(x, w, (1, 2, 1), [(1, 0), (1, 0), (0, 0)], (1, 1, 1), 1))


def test_quantised():
    rng = np.random.default_rng(3)
    x = rng.integers(-128, 128, (2, 3, 4, 4)).astype(np.int8)
    w = rng.integers(-128, 128, (2, 3, 3, 3)).astype(np.int8)
    scales = np.array([0.5, 0.0078125], np.float32)
    packed = scales.view(np.uint32).astype(np.uint64) | np.uint64(1 << 46)
    bias = np.array([1000, -50], np.int32)
    attrs = {"strides": (1,) * 4, "pads": (1, 0, 1, 1), "dtype": 0, "offset_x": -5}
    sums = looped(x.astype(np.int64), w.astype(np.int64), (1, 1), [(1, 0), (1, 1)], (1, 1), 1, -5)
    want = (sums + bias.reshape(2, 1, 1)) * scales.reshape(2, 1, 1)
    (got,) = apply_op("QuantConv2D", [x, w, packed, bias, None], attrs)
    assert got.dtype == np.float32
    assert np.array_equal(got, want.astype(np.float32))
    half = {**attrs, "dtype": 1}
    (got,) = apply_op("QuantConv2D", [x, w, packed.view(np.int64)[:1], bias, None], half)
    assert got.dtype == np.float16
    assert np.array_equal(got, ((sums + bias.reshape(2, 1, 1)) * 0.5).astype(np.float16))


def test_reserved_inputs():
    x = np.zeros((1, 1, 1, 1), np.int8)
    context = Context(out_types=[tensor_type((1, 1, 1, 1), to_xdsl("float32"))])
    args = [x, x, np.zeros(1, np.uint64), None, np.zeros(1, np.float32)]
    with pytest.raises(GeError, match="not evaluated"):
        lookup("QuantConv2D")(args, {}, context)
    with pytest.raises(GeError, match="not evaluated"):
        lookup("Conv3DV2")([x, x, None, x, None, None], {}, context)
