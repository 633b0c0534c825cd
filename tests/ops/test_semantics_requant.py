"""Quantisation by packed scales, ranges and a framework's scales, against exact arithmetic."""

from __future__ import annotations

import struct
from fractions import Fraction

import numpy as np
import pytest

from ge_dialect.semantics import apply_op


def one(op, args, attrs=None):
    return apply_op(op, args, attrs or {})[0]


def word(scale, offset=0):
    """A packed parameter, bit by bit."""
    (bits,) = struct.unpack("<I", struct.pack("<f", scale))
    return bits | 1 << 46 | (offset & 0x1FF) << 37


def half_even(value):
    return round(value)  # Python rounds fractions to the even neighbour


def test_requantisation():
    x = np.array([[[5], [3]], [[-1000], [70]], [[2**31 - 1], [-7]]], np.int32)
    packed = np.array([word(0.5), word(0.5, -3)], np.uint64)
    want = []
    for row in x[..., 0].tolist():
        for v, offset in zip(row, (0, -3), strict=True):
            want.append(max(-128, min(127, half_even(Fraction(v, 2) + offset))))
    assert one("AscendRequant", [x, packed]).ravel().tolist() == want
    got = one("AscendRequant", [x, packed], {"relu_flag": True})
    assert got.ravel().tolist() == [max(v, 0) for v in want]
    assert one("AscendRequant", [x, packed[:1]]).ravel()[:2].tolist() == [2, 2]


def test_packing():
    scale = np.array([0.1, 1.5, 3.0], np.float32)
    got = one("TransQuantParamV2", [scale, None])
    assert got.dtype == np.uint64
    want = [word(float(s)) & ~0x1FFF for s in scale]
    assert got.tolist() == want
    offset = np.array([2.5, -300.0, 7.0], np.float32)
    got = one("TransQuantParamV2", [scale, offset])
    assert got.tolist() == [w | (o & 0x1FF) << 37 for w, o in zip(want, (2, -256, 7), strict=True)]
    # what was packed is what requantisation reads
    sums = np.array([[4, 4, 4]], np.int32)
    packed = one("TransQuantParamV2", [np.float32([1.5]), np.float32([-2.0])])
    assert one("AscendRequant", [sums, packed]).tolist() == [[4, 4, 4]]


def test_packing_rounds_to_the_even_neighbour():
    low = 0x3F800000
    bits = np.array([low + 0x1000, low + 0x3000, low + 0x1001, low + 0x0FFF], np.uint32)
    got = one("TransQuantParamV2", [bits.view(np.float32), None], {"round_mode": 1})
    kept = [int(v) & 0xFFFFFFFF for v in got]
    assert kept == [low, low + 0x4000, low + 0x2000, low]


def test_torch():
    x = np.array([[0.25, 0.75, -1.25], [100.0, -100.0, np.nan]], np.float32)
    scales, zeros = np.array([0.5, 0.25, 0.5], np.float32), np.array([1, -2, 3], np.int32)
    got = one("Quantize", [x, scales, zeros], {"dtype": "torch.qint8"})
    assert got.tolist() == [[0 + 1, 3 - 2, -2 + 3], [127, -128, 0]]
    got = one("Quantize", [x, scales[:1], None], {"dtype": "torch.quint8"})
    assert got.tolist() == [[0, 2, 0], [200, 0, 0]]
    assert got.dtype == np.uint8
    got = one("Quantize", [x, scales[:2], zeros[:2]], {"dtype": "torch.qint32", "axis": 0})
    assert got[1].tolist() == [398, -402, 0]


@pytest.mark.parametrize("mode", ["MIN_COMBINED", "MIN_FIRST", "SCALED"])
def test_ranges(mode):
    """TensorFlow's formulas, with its own intermediate steps, as fractions."""
    low, high = Fraction(-1, 2), Fraction(3)
    for dtype, lowest, highest in ((np.int8, -128, 127), (np.uint8, 0, 255)):
        x = np.array([lowest, 0, 1, 100, highest]).astype(dtype)
        codes = highest - lowest
        if mode == "MIN_COMBINED":
            want = [low + (int(v) - lowest) * (high - low) / codes for v in x]
        elif mode == "MIN_FIRST":
            steps = codes + 1
            stretched = (high - low) * Fraction(steps, steps - 1)
            want = [low + (int(v) - lowest) * stretched / steps for v in x]
        else:
            factor = max(low / lowest, high / highest) if lowest else high / highest
            want = [int(v) * factor for v in x]
        args = [x, np.float32(low), np.array([high], np.float32)]
        got = one("Dequantize", args, {"mode": mode})
        np.testing.assert_allclose(got, [float(w) for w in want], rtol=1e-6)


def test_fake_quantisation():
    x = np.array([-7.0, -6.0, -0.02, 0.0, 0.03, 5.99, 9.0], np.float32)
    got = one("FakeQuantWithMinMaxArgs", [x])
    step = 12 / 255  # 0 lies at 127.5, so the range moves by half a step
    assert got[3] == 0
    want = [-128 * step, -128 * step, 0, 0, step, 127 * step, 127 * step]
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-7)
    many = one("FakeQuantWithMinMaxArgs", [np.linspace(-9, 9, 4000, dtype=np.float32)])
    assert len(np.unique(many)) == 256
    two = {"min": 0.0, "max": 3.0, "num_bits": 2}
    x = np.array([-1.0, 0.4, 0.5, 1.4, 2.6, 9.0], np.float32)
    assert one("FakeQuantWithMinMaxArgs", [x], two).tolist() == [0, 0, 1, 1, 3, 3]
    narrow = {"min": -1.0, "max": 1.0, "num_bits": 2, "narrow_range": True}
    x = np.array([-5.0, -0.6, -0.4, 0.2, 0.5, 2.0], np.float32)
    assert one("FakeQuantWithMinMaxArgs", [x], narrow).tolist() == [-1, -1, 0, 0, 1, 1]
