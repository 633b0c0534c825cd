"""Kernels of volumes, sampling, signals and normalisation against the golden functions."""

from __future__ import annotations

import warnings

import ml_dtypes
import numpy as np
import pytest

from ge_dialect.ops.registry import op_class
from ge_dialect.semantics.single import _all_attrs, apply_op
from runtime.kernels.registry import Call, View, find_kernel
from runtime.kernels.views import logical
from tests.ops import samples_layer_norm, samples_quant
from tests.ops import samples_vision as samples

DTYPES = {
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "ui8": np.uint8,
    "ui64": np.uint64,
    "bf16": ml_dtypes.bfloat16,
}
RNG = np.random.default_rng(8)


def _array(text):
    *dims, elem = text.split("x")
    shape = [3 if d == "?" else int(d) for d in dims]
    dtype = np.dtype(DTYPES[elem])
    if dtype.kind == "f" or dtype == ml_dtypes.bfloat16:
        return RNG.standard_normal(shape).astype(dtype)
    return RNG.integers(0 if dtype.kind == "u" else -100, 100, shape).astype(dtype)


def _known(row):
    return all("?" not in i and "*" not in i for i in row[1] if isinstance(i, str)) and all(
        "?" not in w for w in row[3]
    )


def run_kernel(op_type, args, attrs, expected):
    """Results of the kernel, in views full of rubbish beforehand."""
    views = [None if a is None else View(np.ascontiguousarray(a), a.shape) for a in args]
    views += [None] * (len(op_class(op_type).ge_table().inputs) - len(views))
    outs = []
    for e in expected:
        blank = np.empty(e.shape, e.dtype)
        blank.reshape(-1).view(np.uint8)[...] = 0xFF
        outs.append(View(blank, e.shape))
    found = find_kernel(op_type, "DNN_VM_AICPU", ["ND"] * len(views))
    assert found is not None, op_type
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found.function(Call(views, outs, _all_attrs(op_class(op_type), attrs)))
    return [logical(o) for o in outs]


def agree(op_type, args, attrs):
    """Golden function and kernel give the same, within the rounding of the dtype."""
    expected = apply_op(op_type, args, attrs)
    for mine, want in zip(run_kernel(op_type, args, attrs, expected), expected, strict=True):
        assert mine.dtype == want.dtype
        if want.dtype.kind in "iub":
            np.testing.assert_array_equal(mine, want)
            continue
        a, b = mine.astype(np.float64), want.astype(np.float64)
        tol = {1: 0.1, 2: 1e-2, 4: 5e-6, 8: 1e-12}[want.dtype.itemsize]
        assert np.array_equal(np.isnan(a), np.isnan(b))
        np.testing.assert_allclose(a, b, rtol=0, atol=tol * max(1, np.nanmax(np.abs(b), initial=0)))
    return expected


def _args(row):
    args = [_array(i) if isinstance(i, str) else i for i in row[1]]
    if row[0] == "ROIAlign":
        boxes = np.sort(RNG.uniform(-4, 22, (args[1].shape[0], 2, 2)), axis=1).reshape(-1, 4)
        numbers = RNG.integers(0, args[0].shape[0], (len(boxes), 1))
        args[1] = np.concatenate([numbers, boxes], axis=1).astype(args[1].dtype)
    return args


KNOWN = [row for s in (samples, samples_layer_norm, samples_quant) for row in s.ROWS if _known(row)]


@pytest.mark.parametrize("row", KNOWN, ids=[f"{i}-{row[0]}" for i, row in enumerate(KNOWN)])
def test_samples(row):
    agree(row[0], _args(row), row[2])


WAYS = (
    "half_pixel",
    "half_pixel_symmetric",
    "pytorch_half_pixel",
    "align_corners",
    "asymmetric",
    "tf_half_pixel_for_nn",
    "tf_crop_and_resize",
)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
def test_resize(way, mode):
    x = _array("2x5x6xf32")
    roi = np.array([0, 0.1, -0.2, 1, 0.9, 1.1], np.float32)
    attrs = {"coordinate_transformation_mode": way, "mode": mode, "extrapolation_value": 7.0}
    for scales in ([1, 2.5, 0.6], [1, 0.3, 1.7], [1, 0.2, 0.2]):
        factors = np.array(scales, np.float32)
        agree("Resize", [x, roi, factors], attrs)
        if mode != "nearest":
            agree("Resize", [x, roi, factors], {**attrs, "exclude_outside": 1})
            agree("Resize", [x, roi, factors], {**attrs, "antialias": True})
    agree("Resize", [x, roi, None, np.array([2, 7, 4])], attrs)
    for rule in ("round_prefer_ceil", "floor", "ceil"):
        agree("Resize", [x, roi, None, np.array([2, 3, 9])], {**attrs, "nearest_mode": rule})


@pytest.mark.parametrize("mode", ["bilinear", "nearest", "bicubic"])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("corners", [False, True])
def test_grid_sample(mode, padding, corners):
    attrs = {"interpolation_mode": mode, "padding_mode": padding, "align_corners": corners}
    x, grid = RNG.standard_normal((2, 3, 4, 5)), RNG.uniform(-3, 3, (2, 6, 7, 2))
    agree("GridSampler2D", [x, grid], attrs)
    x, grid = RNG.standard_normal((1, 2, 3, 4, 5)), RNG.uniform(-2, 2, (1, 2, 6, 7, 3))
    agree("GridSampler3D", [x, grid], attrs)


@pytest.mark.parametrize("mode", [0, 1, 2])
@pytest.mark.parametrize("pool", ["avg", "max"])
@pytest.mark.parametrize("count", [0, 2])
def test_roi_align(mode, pool, count):
    row = ("ROIAlign", ["3x2x8x9xf64", "9x5xf64"], {}, [])
    attrs = {**samples._ROI, "sample_num": count, "roi_end_mode": mode, "pool_mode": pool}
    agree("ROIAlign", _args(row), attrs)


@pytest.mark.parametrize("seed", range(12))
def test_transposed_convolution(seed):
    """Also against the definition: <conv(u), x> = <u, conv_transpose(x)> for all u, x."""
    rng = np.random.default_rng(seed)
    groups = int(rng.integers(1, 3))
    strides, dilations = rng.integers(1, 4, 2).tolist(), rng.integers(1, 3, 2).tolist()
    kernel, size = rng.integers(1, 4, 2).tolist(), rng.integers(2, 6, 2).tolist()
    reach = [(k - 1) * d for k, d in zip(kernel, dilations, strict=True)]
    pads = [int(rng.integers(0, r + 1)) for r in reach for _ in (0, 1)]
    pads = [min(p, 1) for p in pads]
    attrs = {
        "strides": [1, 1, *strides],
        "dilations": [1, 1, *dilations],
        "pads": pads,
        "groups": groups,
        "data_format": "NCHW",
    }
    x = rng.standard_normal((2, 2 * groups, *size))
    weight = rng.standard_normal((2 * groups, 3, *kernel))
    blank = np.zeros(4, np.int64)
    (y,) = agree("Conv2DTranspose", [blank, x, weight], attrs)
    u = rng.standard_normal(y.shape)
    (forward,) = apply_op("Conv2D", [u, weight], attrs)
    np.testing.assert_allclose((forward * x).sum(), (u * y).sum(), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("seed", range(8))
def test_columns_are_the_transpose_of_windows(seed):
    """<windows(u), x> = <u, col2im(x)>, with windows from a convolution with unit filters."""
    rng = np.random.default_rng(seed)
    block, size = rng.integers(1, 4, 2).tolist(), rng.integers(3, 7, 2).tolist()
    strides, pads = rng.integers(1, 3, 2).tolist(), rng.integers(0, 2, 4).tolist()
    pads = [min(p, block[i % 2] - 1) for i, p in enumerate(pads)]
    elements = block[0] * block[1]
    unit = np.eye(elements).reshape(elements, 1, *block)
    conv = {
        "strides": [1, 1, *strides],
        "pads": [pads[0], pads[2], pads[1], pads[3]],
        "data_format": "NCHW",
    }
    u = rng.standard_normal((2, 1, *size))
    (seen,) = apply_op("Conv2D", [u, unit], conv)
    x = rng.standard_normal((2, elements, int(np.prod(seen.shape[2:]))))
    attrs = {"strides": strides, "pads": pads}
    (y,) = agree("HostCol2Im", [x, np.array(size), np.array(block)], attrs)
    np.testing.assert_allclose((seen.reshape(x.shape) * x).sum(), (u * y).sum(), atol=1e-9)


def test_deformable_without_moves_is_a_convolution():
    x, weight = _array("2x4x6x7xf64"), _array("6x2x3x3xf64")
    attrs = {"strides": [1, 1, 2, 1], "pads": [1, 1, 0, 1], "groups": 2, "data_format": "NCHW"}
    (want,) = apply_op("Conv2D", [x, weight], attrs)
    moves = np.zeros((2, 3 * 9, *want.shape[2:]))
    moves[:, 18:] = 1
    (y,) = agree("DeformableConv2D", [x, weight, moves], attrs)
    np.testing.assert_allclose(y, want, atol=1e-12)


@pytest.mark.parametrize("length", [1, 2, 5, 8, 12])
@pytest.mark.parametrize("onesided", [False, True])
def test_transforms_come_back(length, onesided):
    x = RNG.standard_normal((2, 8, 1 if onesided else 2))[:, :length]
    n = x.shape[1]
    axis = np.array(1)
    (z,) = agree("HostDFT", [x, None, axis], {"onesided": onesided})
    more = {"inverse": True, "onesided": onesided}
    (back,) = agree("HostDFT", [z, np.array(n), axis], more)
    np.testing.assert_allclose(back, x, atol=1e-12)


def test_largest_place_prefers_nan_and_the_first():
    x = np.zeros((1, 1, 1, 2, 4), np.float32)
    x[..., 1, 2] = np.nan
    attrs = {"ksize": [1, 2, 2], "strides": [1, 2, 2], "dtype": 9}
    y, place = agree("MaxPool3DWithArgmaxV2", [x], attrs)
    assert place.reshape(-1).tolist() == [0, 6]
    assert np.isnan(y[..., 1])


def test_determinant():
    x = RNG.standard_normal((3, 2, 5, 5))
    x[0, 0, 1] = x[0, 0, 3]
    (y,) = agree("MatrixDeterminant", [x], {})
    assert abs(y[0, 0]) < 1e-12
    (turned,) = agree("MatrixDeterminant", [x.swapaxes(-1, -2).copy()], {})
    np.testing.assert_allclose(y, turned, atol=1e-12)


def _numeric_dtypes(op_type, slot):
    """Dtypes of one slot that numpy can hold."""
    from ge_dialect.dtypes import expand_spec, numpy_dtype

    table = op_class(op_type).ge_table()
    spec = table.inputs[slot].dtypes
    found = []
    for elem in sorted(expand_spec(table.types.get(spec, spec)), key=str):
        try:
            dtype = numpy_dtype(elem)
        except ValueError:
            continue
        if dtype.kind != "O":
            found.append((elem, dtype))
    return found


def test_casts_between_all_dtypes():
    """Golden function and kernel, for every pair that Cast takes."""
    from ge_dialect.dtypes import ge_enum
    from ge_dialect.semantics.numerics import cast

    large = RNG.standard_normal(50) * 10.0 ** RNG.integers(-3, 6, 50)
    odd = [0, -0.0, np.nan, np.inf, -np.inf, 7.5, -8.5, 15.5, 1.5, -1.5, 300]
    values = np.concatenate([large, odd])
    dtypes = _numeric_dtypes("Cast", 0)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _, source in dtypes:
            x = cast(values, source)
            for elem, _ in dtypes:
                attrs = {"dst_type": ge_enum(elem)}
                (want,) = apply_op("Cast", [x], attrs)
                out = View(np.zeros(want.shape, want.dtype), want.shape)
                found = find_kernel("Cast", "DNN_VM_AICPU", ["ND", "ND"])
                found.function(Call([View(x, x.shape)], [out], attrs))
                kind = np.complex128 if want.dtype.kind == "c" else np.float64
                same = np.array_equal(want.astype(kind), out.data.astype(kind), equal_nan=True)
                assert same, f"{source} to {want.dtype}"


TYPED = {
    row[0]: row
    for row in reversed(KNOWN)
    if isinstance(next(i for i in row[1] if i is not None), str)
    or row[0].startswith(("Conv2DT", "Conv3DT"))
}


@pytest.mark.parametrize("op_type", sorted(TYPED))
def test_all_dtypes(op_type):
    """Golden function and kernel, for every dtype the operator takes in its first data input."""
    row = TYPED[op_type]
    slot = 1 if "Transpose" in op_type else 0
    base = row[1][slot].rsplit("x", 1)
    symbol = op_class(op_type).ge_table().inputs[slot].dtypes
    table = op_class(op_type).ge_table()
    for _, dtype in _numeric_dtypes(op_type, slot):
        args = _args(row)
        shape = args[slot].shape
        for i, spec in enumerate(table.inputs[: len(args)]):
            if spec.dtypes == symbol and isinstance(args[i], np.ndarray):
                if op_type == "ROIAlign" and i == 1:
                    args[i] = args[i].astype(dtype)
                    continue
                args[i] = RNG.integers(0, 3, args[i].shape).astype(dtype)
            elif spec.name == "bias" and dtype.kind == "i" and args[i] is not None:
                args[i] = RNG.integers(-9, 9, args[i].shape).astype(np.int32)
        assert args[slot].shape == shape, base
        attrs = {k: v for k, v in row[2].items() if k != "dtype" or "Argmax" in op_type}
        agree_loosely(op_type, args, attrs)


def agree_loosely(op_type, args, attrs):
    """`agree` for any dtype; the narrowest floats keep only their leading bits."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = apply_op(op_type, args, attrs)
        found = run_kernel(op_type, args, attrs, expected)
    for mine, want in zip(found, expected, strict=True):
        assert mine.dtype == want.dtype, op_type
        kind = np.complex128 if want.dtype.kind == "c" else np.float64
        a, b = mine.astype(kind), want.astype(kind)
        floats = want.dtype.kind in "fc" or "float" in want.dtype.name
        tol = {1: 0.25, 2: 2e-2}.get(want.dtype.itemsize, 1e-4) if floats else 0
        top = np.nanmax(np.abs(b), initial=1)
        np.testing.assert_allclose(a, b, rtol=0, atol=tol * top, err_msg=f"{op_type} {want.dtype}")
