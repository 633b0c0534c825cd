"""Quantisation by ranges found at run time, and around SwiGlu, element by element."""

from __future__ import annotations

import math
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.semantics import apply_op

RNG = np.random.default_rng(11)
TOP = {"int8": 127, "int4": 7, "float8_e4m3fn": 448, "float8_e5m2": 57344}
ENUM = {"int8": 2, "int4": 29, "float8_e4m3fn": 36, "float8_e5m2": 35}


def floats(*shape):
    return RNG.normal(size=shape).astype(np.float16)


def code(value, dtype):
    """One number as a code of the dtype."""
    if dtype.startswith("int"):
        top = TOP[dtype]
        return max(-top - 1, min(top, round(value)))
    top = TOP[dtype]
    return float(np.float32(max(-top, min(top, float(value)))).astype(getattr(ml_dtypes, dtype)))


def near(got, want, dtype):
    """Equal codes; a neighbour where a tie may fall either way."""
    got, want = np.asarray(got, np.float64), np.asarray(want, np.float64)
    off = np.abs(got - want)
    step = 1 if dtype.startswith("int") else np.maximum(np.abs(want) / 4, 2.0**-8)
    assert (off <= step).all()
    assert (off > 0).mean() < 0.03


@pytest.mark.parametrize("dtype", list(TOP))
@pytest.mark.parametrize("symmetrical", [False, True])
def test_ranges(dtype, symmetrical):
    x = floats(2, 3, 16)
    attrs = {"dst_type": ENUM[dtype], "is_symmetrical": symmetrical}
    y, scale, offset = apply_op("DynamicQuantV2", [x], attrs)
    assert y.dtype.name == dtype
    top = TOP[dtype]
    for place in np.ndindex(2, 3):
        row = [Fraction(float(v)) for v in x[place]]
        if symmetrical:
            by, shift = max(map(abs, row)) / top, Fraction(0)
        else:
            width = 2 * top + (1 if dtype.startswith("int") else 0)
            by = (max(row) - min(row)) / width
            shift = top - max(row) / by
        assert scale[place] == pytest.approx(float(by), rel=1e-6)
        assert offset[place] == pytest.approx(float(shift), rel=1e-5, abs=1e-5)
        near(y[place].astype(np.float64), [code(v / by + shift, dtype) for v in row], dtype)
    if symmetrical:
        plain = apply_op("DynamicQuant", [x], {"dst_type": ENUM[dtype]})
        assert plain[0].tolist() == y.tolist()
        assert plain[1].tolist() == scale.tolist()


def test_ends_of_the_range_are_reached():
    y, scale, offset = apply_op("DynamicQuantV2", [np.array([[1.0, 2.0, 3.55]], np.float16)])
    assert y[0, 0] == -128
    assert y[0, 2] == 127
    np.testing.assert_allclose((y[0] - offset) * scale, [1.0, 2.0, 3.55], atol=scale[0])


def test_rows_of_one_number():
    x = np.array([[0, 0], [3, 3]], np.float16)
    y, scale, offset = apply_op("DynamicQuantV2", [x])
    assert y.tolist() == [[0, 0], [0, 0]]
    assert scale.tolist() == [0, 0]
    assert offset.tolist() == [127, 127]


def test_one_range_for_all():
    x = floats(3, 8)
    y, scale, offset = apply_op("DynamicQuantV2", [x], {"quant_mode": "pertensor"})
    flat = apply_op("DynamicQuantV2", [x.reshape(1, -1)])
    assert scale.shape == offset.shape == (1,)
    assert y.reshape(1, -1).tolist() == flat[0].tolist()
    assert scale.tolist() == flat[1].tolist()


@pytest.mark.parametrize("op", ["DynamicQuant", "DynamicQuantV2"])
def test_groups_of_rows(op):
    x, smooth = floats(2, 3, 8), np.abs(floats(3, 8))
    got = apply_op(op, [x, smooth, np.array([2, 2, 6], np.int32)])
    rows = x.reshape(6, 8)
    for part, group in ((slice(0, 2), 0), (slice(2, 6), 2)):
        alone = apply_op(op, [rows[part], smooth[group]])
        for a, b in zip(got, alone, strict=True):
            assert a.reshape(6, -1)[part].tolist() == b.reshape(part.stop - part.start, -1).tolist()
    for ends in ([2, 1, 6], [2, 3, 5], [-1, 3, 6]):
        with pytest.raises(GeError, match="does not cut the axis"):
            apply_op(op, [x, smooth, np.array(ends, np.int32)])


def sigmoid(v):
    return 1 / (1 + math.exp(-v))


def product(a, b, mode, limit, alpha, bias):
    if mode == 0:
        return a * sigmoid(a) * b
    b = min(max(b, -limit), limit)
    if mode == 3:
        return min(a * sigmoid(a), limit) * b
    a = min(a, limit)
    return a * sigmoid(alpha * a) * (b + bias)


def expected(x, attrs, group_of, weight=None, scale=None, bias=None, quant=None, offset=None):
    """Codes and scales of a matrix; factors are functions of group and column."""
    rows, columns = x.shape
    half, mode = columns // 2, attrs.get("swiglu_mode", 0)
    top = TOP["int8"]
    codes, scales = np.zeros((rows, half)), np.zeros(rows)
    for r in range(rows):
        g = group_of[r]
        if g is None:
            continue
        line = []
        for c in range(columns):
            v = float(x[r, c])
            if weight is not None:
                if bias is not None and np.issubdtype(bias.dtype, np.integer):
                    v += int(bias[g, c])
                v *= float(weight[g, c]) * (1 if scale is None else float(scale[r]))
                if bias is not None and not np.issubdtype(bias.dtype, np.integer):
                    v += float(bias[g, c])
            line.append(v)
        if mode == 1:
            pairs = [(line[2 * c], line[2 * c + 1]) for c in range(half)]
        elif attrs.get("activate_left"):
            pairs = list(zip(line[:half], line[half:], strict=True))
        else:
            pairs = list(zip(line[half:], line[:half], strict=True))
        limit = attrs.get("clamp_limit", 7.0)
        out = [product(a, b, mode, limit, attrs.get("glu_alpha", 1.702),
                       attrs.get("glu_bias", 1.0)) for a, b in pairs]  # fmt: skip
        if attrs.get("quant_mode") == "dynamic":
            out = [v * (1 if quant is None else float(quant[g, c])) for c, v in enumerate(out)]
            scales[r] = max(map(abs, out)) / top or 1
            out = [v / scales[r] for v in out]
        else:
            assert quant is not None
            out = [v / float(quant[g, c]) + (0 if offset is None else float(offset[g, c]))
                   for c, v in enumerate(out)]  # fmt: skip
        codes[r] = [code(v, "int8") for v in out]
    return codes, scales


@pytest.mark.parametrize("mode", [0, 1, 2, 3])
@pytest.mark.parametrize("whole_bias", [False, True])
@pytest.mark.parametrize("dynamic", [False, True])
def test_sums_in_groups(mode, whole_bias, dynamic):
    x = RNG.integers(-40, 40, (6, 16), np.int32)
    weight = RNG.uniform(0.05, 0.2, (2, 16)).astype(np.float32)
    scale = RNG.uniform(0.5, 1.5, 6).astype(np.float32)
    bias = RNG.integers(-9, 9, (2, 16), np.int32) if whole_bias else floats(2, 16)
    quant = RNG.uniform(0.05, 0.2, (2, 8)).astype(np.float32)
    offset = None if dynamic else RNG.uniform(-3, 3, (2, 8)).astype(np.float32)
    attrs = {"quant_mode": "dynamic" if dynamic else "static", "swiglu_mode": mode}
    attrs |= {"clamp_limit": 1.5, "activate_left": True}
    counts = np.array([2, 3], np.int64)
    args = [x, weight, scale, bias, quant, offset, counts]
    y, scales = apply_op("DequantSwigluQuant", args, attrs)
    want = expected(x, attrs, [0, 0, 1, 1, 1, None], weight, scale, bias, quant, offset)
    near(y, want[0], "int8")
    np.testing.assert_allclose(scales, want[1], rtol=1e-5)


@pytest.mark.parametrize("left", [False, True])
def test_numbers(left):
    x = floats(5, 12)
    attrs = {"activate_left": left, "quant_mode": "dynamic"}
    y, scales = apply_op("DequantSwigluQuant", [x], attrs)
    codes, want = expected(x, attrs, [0] * 5)
    near(y, codes, "int8")
    np.testing.assert_allclose(scales, want, rtol=1e-5)
    attrs = {"activate_left": left}
    y, scales = apply_op(
        "DequantSwigluQuant", [x, None, None, None, np.array([0.02], np.float32)], attrs
    )
    codes, _ = expected(x, attrs, [0] * 5, quant=np.full((1, 6), 0.02))
    near(y, codes, "int8")
    assert not scales.any()


def test_another_axis():
    x = floats(4, 3, 5)
    args = [x, None, None, None, np.array([0.02], np.float32)]
    y, scale = apply_op("DequantSwigluQuant", args, {"activate_dim": 0})
    assert y.shape == (2, 3, 5)
    assert scale.shape == (2, 3)
    turned = apply_op("DequantSwigluQuant", [np.moveaxis(x, 0, -1), *args[1:]], {})
    assert np.moveaxis(y, 0, -1).tolist() == turned[0].tolist()


def test_a_number_per_group():
    x = floats(4, 8)
    counts, quant = np.array([3, 1], np.int64), np.array([0.01, 0.5], np.float32)
    args = [x, None, None, None, quant, quant, counts]
    y, _ = apply_op("DequantSwigluQuant", args, {})
    wide = np.repeat(quant[:, None], 4, 1)
    codes, _ = expected(x, {}, [0, 0, 0, 1], quant=wide, offset=wide)
    near(y, codes, "int8")


def test_rows_of_zeros_and_refusals():
    y, scale = apply_op("DequantSwigluQuant", [np.zeros((1, 4), np.float16)],
                        {"quant_mode": "dynamic"})  # fmt: skip
    assert not y.any()
    assert scale.tolist() == [1]
    for counts in ([3, 0], [-1, 2]):
        args = [
            floats(2, 4),
            None,
            None,
            None,
            np.array([1, 1], np.float32),
            None,
            np.array(counts),
        ]
        with pytest.raises(GeError, match="does not cut the axis"):
            apply_op("DequantSwigluQuant", args, {})
