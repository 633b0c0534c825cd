"""Every kernel against the golden function of its operator, through layouts and dtypes."""

from __future__ import annotations

import warnings
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

from ge_dialect.layouts import Layout, storage_shape, to_storage
from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import finish
from ge_dialect.semantics.registry import lookup
from runtime.kernels.registry import AI_CORE, Call, View, find_kernel
from runtime.kernels.views import logical

BF16 = ml_dtypes.bfloat16
NC1 = Layout("NC1HWC0")
FZ = Layout("FRACTAL_Z")


def _view(array, layout=None):
    array = np.asarray(array)
    stored = array.copy() if layout is None else np.ascontiguousarray(to_storage(array, layout))
    return View(stored, array.shape, layout)


def _blank(shape, dtype, layout=None):
    stored = np.empty(storage_shape(shape, np.dtype(dtype), layout), dtype)
    stored.reshape(-1).view(np.uint8)[...] = 0xFF
    return View(stored, tuple(shape), layout)


def _golden(op_type, args, attrs, out_dtypes):
    from ge_dialect.dtypes import from_numpy
    from ge_dialect.ir import tensor_type

    function = lookup(op_type)
    types = [tensor_type(None, from_numpy(d)) for d in out_dtypes]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        result = function(list(args), attrs, Context(out_types=types))
    results = list(result) if isinstance(result, (tuple, list)) else [result]
    return [finish(r, np.dtype(d)) for r, d in zip(results, out_dtypes, strict=False)]


def check(op_type, args, attrs=None, *, out=None, layouts=None, out_layout=None, tol=None):
    """Run the kernel on stored arguments and compare with the golden result.

    `args`: arrays, None or lists; `layouts`: one per slot; `out`: dtypes of the results.
    """
    attrs = {**_attr_defaults(op_type), **(attrs or {})}
    first = next(a for a in _flat(args) if a is not None)
    dtypes = [np.dtype(d) for d in (out or [first.dtype])]
    expected = _golden(op_type, args, attrs, dtypes)
    layouts = layouts or [None] * len(args)
    slots = [
        None if a is None else [_view(x, la) for x in a] if isinstance(a, list) else _view(a, la)
        for a, la in zip(args, layouts, strict=True)
    ]
    outs = [_blank(e.shape, e.dtype, out_layout if e.ndim == 4 else None) for e in expected]
    call = Call(slots, outs, attrs, constant=frozenset({1}))
    formats = [v.format for v in (*call.flat(), *outs)]
    found = find_kernel(op_type, AI_CORE, formats)
    assert found is not None, f"no kernel for {op_type} on {formats}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found.function(call)
    for view, want in zip(outs, expected, strict=True):
        _compare(logical(view), want, tol)
        if view.layout is not None:
            # Beyond the logical elements there are only zeros, of either sign.
            again = to_storage(np.ascontiguousarray(logical(view)), view.layout)
            np.testing.assert_array_equal(
                again.astype(np.float64), view.data.astype(np.float64), err_msg="padding"
            )


def _flat(args):
    for a in args:
        if isinstance(a, list):
            yield from a
        else:
            yield a


def _compare(got, want, tol):
    assert got.shape == want.shape
    assert got.dtype == want.dtype
    if want.dtype.kind in "iub" or not want.size:
        np.testing.assert_array_equal(got, want)
        return
    if tol is None:
        tol = {2: 2e-3 if want.dtype == np.float16 else 1e-2, 4: 5e-6, 8: 1e-11}[
            want.dtype.itemsize
        ]
    a, b = got.astype(np.float64), want.astype(np.float64)
    assert np.array_equal(np.isnan(a), np.isnan(b))
    infinite = np.isinf(a) | np.isinf(b)
    np.testing.assert_array_equal(a[infinite], b[infinite])
    good = np.isfinite(a)
    if good.any():
        scale = np.abs(b[good]).max()
        assert np.abs(a[good] - b[good]).max() <= tol * scale + 1e-30


_cache = {}


def _attr_defaults(op_type):
    if op_type not in _cache:
        from ge_dialect.ir import op_class

        table = op_class(op_type).ge_table()
        _cache[op_type] = {
            n: None if s.default is None else s.kind.to_python(s.default)
            for n, s in table.attrs.items()
            if not s.required
        }
    return _cache[op_type]


def _rng(seed=0):
    return np.random.default_rng(seed)


def _draw(rng, shape, dtype, low=-2.0, high=2.0):
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    if dtype.kind in "iu":
        return rng.integers(max(low, 0) if dtype.kind == "u" else low, high + 1, shape).astype(
            dtype
        )
    return rng.uniform(low, high, shape).astype(np.float32).astype(dtype)


FLOATS = [np.float32, np.float16, BF16]
SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e30, -1e30, 0.5, 1.5, 2.5, -0.5, -1.5]

UNARY_FLOAT = (
    "Abs Acos Asin Atan Ceil Cos Cosh Erf Exp Expm1 Floor Log Log1p Neg Reciprocal Rint Round "
    "Rsqrt Sign Sin Sinh Sqrt Square Tan Tanh ZerosLike OnesLike Relu Relu6 Sigmoid Softplus "
    "Softsign HardSwish Mish Selu Gelu GeluV2 Elu HardSigmoid LeakyRelu Swish"
).split()
TO_BOOL = "IsFinite IsInf IsNan".split()


@pytest.mark.parametrize("dtype", FLOATS, ids=["f32", "f16", "bf16"])
@pytest.mark.parametrize("op_type", UNARY_FLOAT)
def test_unary(op_type, dtype):
    low = 0.05 if op_type in ("Log", "Rsqrt", "Sqrt", "Reciprocal", "Log1p") else -0.99
    x = _draw(_rng(1), (2, 19, 3, 5), dtype, low, 0.99)
    check(op_type, [x])
    check(op_type, [x], layouts=[NC1], out_layout=NC1)


@pytest.mark.parametrize("op_type", [o for o in UNARY_FLOAT if o not in ("Tan", "Sin", "Cos")])
def test_unary_special_values(op_type):
    check(op_type, [np.array(SPECIAL, np.float32)], tol=1e-5)


@pytest.mark.parametrize("op_type", TO_BOOL)
def test_classification(op_type):
    check(op_type, [np.array(SPECIAL, np.float32)], out=[bool])
    with np.errstate(over="ignore"):
        narrow = np.array(SPECIAL, np.float16)
    check(op_type, [narrow], out=[bool])


@pytest.mark.parametrize("op_type", ["Abs", "Neg", "Sign", "Square", "Invert", "ZerosLike", "Relu"])
def test_unary_integers(op_type):
    x = np.array([-128, -3, 0, 1, 2, 127], np.int8)
    check(op_type, [x])
    check(op_type, [x.astype(np.int32)])


def test_scaled_exponentials_and_scalars():
    x = _draw(_rng(2), (3, 7), np.float32, 0.1, 2)
    check("Exp", [x], {"base": 2.0, "scale": 0.5, "shift": 0.25})
    check("Log", [x], {"base": 10.0, "scale": 2.0, "shift": 0.5})
    check("Adds", [x], {"value": 1.5})
    check("Muls", [x], {"value": -0.5})
    check("LogicalNot", [_draw(_rng(3), (9,), bool)], out=[bool])
    check("ClipByValue", [x, np.float32(0.5), np.float32(1.0)])
    check("Elu", [x - 1], {"alpha": 0.7, "scale": 1.1, "input_scale": 0.8})
    check("GeluV2", [x - 1], {"approximate": "tanh"})


CASTS = [np.float32, np.float16, BF16, np.int32, np.int8, np.uint8, np.int64, bool, np.float64]


@pytest.mark.parametrize("target", CASTS)
@pytest.mark.parametrize("source", CASTS)
def test_cast(source, target):
    from ge_dialect.dtypes import from_numpy, ge_enum

    x = np.array([0, 1, 2.5, 3.5, -1.5, -300, 300, 1e9, -1e9, 70000], np.float64)
    if np.dtype(source).kind in "iub":
        x = np.array([0, 1, 2, 3, 100, 127], np.int64)
    else:
        x = np.concatenate([x, [np.nan, np.inf, -np.inf]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        x = x.astype(source)
    attrs = {"dst_type": ge_enum(from_numpy(np.dtype(target)))}
    check("Cast", [x], attrs, out=[target])
    if np.dtype(target).itemsize > 1 or np.dtype(source).itemsize == 1:
        y = np.resize(x, (1, 20, 2, 3))
        check("Cast", [y], attrs, out=[target], layouts=[NC1], out_layout=NC1)


@pytest.mark.parametrize("target", [BF16, np.float16, np.float32])
@pytest.mark.parametrize("source", [np.float64, np.int64, np.uint64, np.int32])
def test_cast_rounds_once(source, target):
    """Values just beside the middle of two neighbours, where rounding twice goes wrong."""
    rng = _rng(32)
    exponents = rng.integers(9, 60 if np.dtype(source).itemsize == 8 else 30, 400)
    mantissas = rng.integers(128, 256, 400) * 2 + 1
    middles = [int(m) << int(e) >> 9 for m, e in zip(mantissas, exponents, strict=True)]
    values = [m + d for m in middles for d in (-1, 0, 1)]
    x = np.array([v for v in values if v < 2**62], np.uint64).astype(source)
    out = _blank(x.shape, target)
    find_kernel("Cast", AI_CORE, ["ND", "ND"]).function(Call([_view(x)], [out], {}))
    got = out.data.astype(np.float64)
    bits = {2: 11 if target is np.float16 else 8, 4: 24}[np.dtype(target).itemsize]
    for value, result in zip(x, got, strict=True):
        exact = Fraction(float(value)) if np.dtype(source).kind == "f" else Fraction(int(value))
        assert result == _rounded(exact, bits, float(ml_dtypes.finfo(target).max))


def _rounded(value, bits, largest):
    """The nearest float of that many significant bits, ties to even; inf beyond `largest`."""
    if value == 0:
        return 0.0
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    step = Fraction(2) ** (exponent - bits)
    while value / step >= 2**bits:
        step *= 2
    scaled = value / step
    whole = scaled.numerator // scaled.denominator
    rest = scaled - whole
    whole += rest * 2 > 1 or (rest * 2 == 1 and whole % 2 == 1)
    result = float(whole * step)
    return result if result <= largest else float("inf")


def test_bool_arithmetic():
    rng = _rng(33)
    a, b = _draw(rng, (3, 5), bool), _draw(rng, (3, 5), bool)
    for op_type in ("Add", "Sub", "Mul", "Maximum", "Minimum"):
        check(op_type, [a, b], out=[bool])


def test_negative_powers_of_integers():
    a = np.array([2, -2, 1, -1, -1, 3], np.int32)
    check("Pow", [a, np.array([-1, -1, -3, -3, -2, 0], np.int32)])


def test_no_axes():
    x = _draw(_rng(34), (2, 3), np.float32)
    none = np.array([], np.int32)
    for op_type in ("ReduceSum", "ReduceMean", "ReduceMax"):
        for noop in (False, True):
            check(op_type, [x, none], {"noop_with_empty_axes": noop, "keep_dims": True})
        check(op_type + "D", [x], {"axes": (), "keep_dims": True})
    check("ReduceAny", [x > 0, none], {"keep_dims": True}, out=[bool])
    check("ReduceAllD", [x > 0], {"axes": (), "keep_dims": True}, out=[bool])


@pytest.mark.filterwarnings("error")
def test_zero_elements():
    empty = np.zeros((0, 3), np.float32)
    check("Relu", [empty], tol=0)
    check("Add", [empty, empty])
    check("ReduceSumD", [empty], {"axes": (0,)})
    check("ReduceMeanD", [empty], {"axes": (0,)})
    check("ReduceMaxD", [empty], {"axes": (0,)})
    check("MatMul", [np.zeros((2, 0), np.float32), np.zeros((0, 3), np.float32), None])
    check("ConcatD", [[empty, np.ones((2, 3), np.float32)]], {"concat_dim": 0, "N": 2})
    check("SoftmaxV2", [empty])
    check("Transpose", [empty, np.array([1, 0], np.int32)])


def test_normalisation_keeps_digits_far_from_zero():
    x = (1e4 + _draw(_rng(35), (2, 16, 4, 4), np.float32, -1, 1)).astype(np.float32)
    ones, mean = np.ones(16, np.float32), np.full(16, 1e4, np.float32)
    layouts = [NC1, None, None, None, None]
    args = [x, ones, ones * 0, mean, ones]
    check("BNInfer", args, {"epsilon": 1e-3}, layouts=layouts, out_layout=NC1)


ARITHMETIC = (
    "Add Sub Mul Div RealDiv DivNoNan FloorDiv TruncateDiv FloorMod Mod Pow Maximum Minimum "
    "SquaredDifference"
).split()
COMPARE = "Equal NotEqual Greater GreaterEqual Less LessEqual".split()


@pytest.mark.parametrize("dtype", [*FLOATS, np.int32, np.uint8])
@pytest.mark.parametrize("op_type", ARITHMETIC)
def test_arithmetic(op_type, dtype):
    rng = _rng(4)
    low = 0.5 if op_type == "Pow" else -3
    a = _draw(rng, (2, 20, 3, 4), dtype, 1 if op_type == "Pow" else low, 3)
    b = _draw(rng, (2, 20, 3, 4), dtype, 1, 3)
    b1 = _draw(rng, (20, 1, 1), dtype, 1, 3)
    check(op_type, [a, b])
    check(op_type, [a, b1])
    check(op_type, [a, b[:1, :, :1, :1]], layouts=[NC1, NC1], out_layout=NC1)
    check(op_type, [a, b[:, :1]], layouts=[NC1, NC1], out_layout=NC1)
    check(op_type, [a, b.reshape(-1)[0]], layouts=[NC1, None], out_layout=NC1)
    check(op_type, [a, b], layouts=[NC1, NC1], out_layout=NC1)


@pytest.mark.parametrize("op_type", [o for o in ARITHMETIC if o != "RealDiv"])
def test_integer_division_by_zero_and_extremes(op_type):
    a = np.array([-7, 7, -6, 6, 0, 2**31 - 1, -(2**31), 5], np.int32)
    b = np.array([2, -2, -3, 3, 0, 1, -1, 0], np.int32)
    if op_type == "Pow":
        a, b = np.array([2, 3, -2, 1, -1, 0], np.int32), np.array([3, 2, 3, 5, 7, 0], np.int32)
    check(op_type, [a, b])


@pytest.mark.parametrize("op_type", ["Maximum", "Minimum", "FloorMod", "Mod", "FloorDiv", "Pow"])
def test_float_special_pairs(op_type):
    a = np.array([np.nan, 1, -5.5, 5.5, np.inf, 0, -0.0, 3], np.float32)
    b = np.array([1, np.nan, 3, -3, 2, 2, 3, np.inf], np.float32)
    check(op_type, [a, b])


@pytest.mark.parametrize("dtype", [*FLOATS, np.int32])
@pytest.mark.parametrize("op_type", COMPARE)
def test_compare(op_type, dtype):
    rng = _rng(5)
    a, b = (_draw(rng, (2, 20, 3, 4), dtype, -1, 1) for _ in range(2))
    a = np.where(rng.random(a.shape) < 0.3, b, a).astype(dtype)
    check(op_type, [a, b], out=[bool])


def test_logic_and_bits():
    rng = _rng(6)
    a, b = _draw(rng, (2, 5), bool), _draw(rng, (5,), bool)
    for op_type in ("LogicalAnd", "LogicalOr"):
        check(op_type, [a, b], out=[bool])
    i, j = _draw(rng, (2, 5), np.int32, -99, 99), _draw(rng, (5,), np.int32, -99, 99)
    for op_type in ("BitwiseAnd", "BitwiseOr", "BitwiseXor"):
        check(op_type, [i, j])


@pytest.mark.parametrize("dtype", FLOATS)
def test_sums_and_fused(dtype):
    rng = _rng(7)
    a, b, c = (_draw(rng, (1, 20, 3, 3), dtype) for _ in range(3))
    check("AddN", [[a, b, c]], {"N": 3})
    check("AddN", [[a, b, c]], {"N": 3}, layouts=[NC1], out_layout=NC1)
    check("FusedMulAdd", [a, b, c])
    check("Axpy", [a, b], {"alpha": 0.5})
    check("Axpy", [a, b], {"alpha": 0.5}, layouts=[NC1, NC1], out_layout=NC1)


def test_select():
    rng = _rng(8)
    condition, a, b = _draw(rng, (3, 4), bool), _draw(rng, (3, 4), np.float32), np.float32(9)
    check("SelectV2", [condition, a, b], out=[np.float32])
    check("Select", [condition, a, a + 1], out=[np.float32])
    check("Select", [condition[:, 0], a, a + 1], out=[np.float32])


@pytest.mark.parametrize("dtype", FLOATS)
def test_bias_add(dtype):
    rng = _rng(9)
    x, bias = _draw(rng, (2, 20, 3, 4), dtype), _draw(rng, (20,), dtype)
    check("BiasAdd", [x, bias], {"data_format": "NCHW"})
    check("BiasAdd", [x, bias], {"data_format": "NCHW"}, layouts=[NC1, None], out_layout=NC1)
    check("BiasAdd", [x.transpose(0, 2, 3, 1).copy(), bias], {"data_format": "NHWC"})
    check("BiasAdd", [x[:, :, 0, 0].copy(), bias])


CONVOLUTIONS = [
    # n, c, h, w, cout, kernel, stride, pads, dilation, groups
    (1, 3, 11, 9, 20, (3, 3), (2, 2), (1, 1, 1, 1), 1, 1),
    (2, 17, 7, 7, 33, (3, 3), (1, 1), (1, 1, 1, 1), 1, 1),
    (1, 32, 6, 6, 16, (1, 1), (2, 2), (0, 0, 0, 0), 1, 1),
    (1, 32, 6, 5, 48, (1, 1), (1, 1), (0, 0, 0, 0), 1, 1),
    (2, 8, 9, 9, 12, (3, 3), (1, 2), (1, 0, 2, 1), 2, 4),
    (1, 20, 7, 7, 20, (3, 3), (2, 2), (1, 1, 1, 1), 1, 20),
    (2, 6, 5, 5, 12, (3, 2), (1, 1), (1, 1, 0, 1), 1, 6),
    (1, 64, 4, 4, 64, (3, 3), (1, 1), (1, 1, 1, 1), 1, 4),
    (1, 4, 12, 12, 5, (5, 3), (3, 2), (2, 2, 1, 1), 1, 1),
]


@pytest.mark.parametrize("dtype", FLOATS, ids=["f32", "f16", "bf16"])
@pytest.mark.parametrize("case", CONVOLUTIONS, ids=[f"conv{i}" for i in range(len(CONVOLUTIONS))])
def test_convolution(case, dtype):
    n, c, h, w, cout, kernel, stride, pads, dilation, groups = case
    rng = _rng(10)
    x, bias = _draw(rng, (n, c, h, w), dtype), _draw(rng, (cout,), dtype)
    weight = _draw(rng, (cout, c // groups, *kernel), dtype)
    attrs = {
        "strides": (1, 1, *stride),
        "pads": pads,
        "dilations": (1, 1, dilation, dilation),
        "groups": groups,
        "data_format": "NCHW",
    }
    check("Conv2D", [x, weight, bias, None], attrs)
    filters = Layout("FRACTAL_Z", groups=groups)
    check(
        "Conv2D", [x, weight, None, None], attrs, layouts=[NC1, filters, None, None], out_layout=NC1
    )
    check(
        "Conv2D", [x, weight, bias, None], attrs, layouts=[NC1, filters, None, None], out_layout=NC1
    )
    check("Conv2D", [x, weight, bias, None], attrs, layouts=[NC1, None, None, None], out_layout=NC1)


def test_convolution_nhwc():
    rng = _rng(11)
    x, weight = _draw(rng, (2, 7, 6, 20), np.float32), _draw(rng, (3, 3, 20, 8), np.float32)
    attrs = {"strides": (1, 2, 1, 1), "pads": (1, 1, 1, 1), "data_format": "NHWC"}
    data, filters = Layout("NC1HWC0", "NHWC"), Layout("FRACTAL_Z", "HWCN")
    check("Conv2D", [x, weight, None, None], attrs)
    check(
        "Conv2D",
        [x, weight, None, None],
        attrs,
        layouts=[data, filters, None, None],
        out_layout=data,
    )


def test_convolution_of_integers_is_exact():
    rng = _rng(12)
    x, weight = (
        _draw(rng, (1, 40, 6, 6), np.int8, -128, 127),
        _draw(rng, (9, 40, 3, 3), np.int8, -128, 127),
    )
    bias = _draw(rng, (9,), np.int32, -1000, 1000)
    attrs = {"strides": (1, 1, 1, 1), "pads": (1, 1, 1, 1), "data_format": "NCHW"}
    check("Conv2D", [x, weight, bias, None], attrs, out=[np.int32])
    layouts = [NC1, FZ, None, None]
    check("Conv2D", [x, weight, bias, None], attrs, out=[np.int32], layouts=layouts, out_layout=NC1)
    offset = {**attrs, "offset_x": 3}
    check(
        "Conv2D", [x, weight, bias, None], offset, out=[np.int32], layouts=layouts, out_layout=NC1
    )


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("multiplier", [1, 2])
def test_depthwise(dtype, multiplier):
    rng = _rng(13)
    x = _draw(rng, (2, 20, 7, 8), dtype)
    weight = _draw(rng, (20 * multiplier, 1, 3, 3), dtype)
    bias = _draw(rng, (20 * multiplier,), dtype)
    attrs = {"strides": (1, 1, 2, 1), "pads": (1, 1, 1, 1), "data_format": "NCHW"}
    check("DepthwiseConv2D", [x, weight, bias, None], attrs)
    layouts = [NC1, Layout("FRACTAL_Z", groups=20), None, None]
    check("DepthwiseConv2D", [x, weight, bias, None], attrs, layouts=layouts, out_layout=NC1)
    nhwc = {"strides": (1, 2, 1, 1), "pads": (1, 1, 1, 1), "data_format": "NHWC"}
    last = x.transpose(0, 2, 3, 1).copy()
    hwcm = weight.reshape(20, multiplier, 3, 3).transpose(2, 3, 0, 1).copy()
    check("DepthwiseConv2D", [last, hwcm, bias, None], nhwc)


POOLS = [
    {"ksize": (1, 1, 3, 3), "strides": (1, 1, 2, 2), "pads": (1, 1, 1, 1)},
    {"ksize": (1, 1, 2, 3), "strides": (1, 1, 1, 2), "pads": (0, 1, 1, 0)},
    {"ksize": (1, 1, 3, 3), "strides": (1, 1, 2, 2), "pads": (0, 0, 0, 0), "ceil_mode": True},
    {"ksize": (1, 1, 3, 2), "strides": (1, 1, 2, 2), "padding_mode": "SAME"},
    {"ksize": (1, 1, 3, 2), "strides": (1, 1, 2, 2), "padding_mode": "VALID"},
    {"ksize": (1, 1, 1, 1), "strides": (1, 1, 1, 1), "global_pooling": True},
]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("attrs", POOLS, ids=[f"pool{i}" for i in range(len(POOLS))])
def test_pooling(attrs, dtype):
    x = _draw(_rng(14), (2, 20, 8, 9), dtype)
    for op_type in ("MaxPoolV3", "AvgPoolV2"):
        check(op_type, [x], attrs)
        check(op_type, [x], attrs, layouts=[NC1], out_layout=NC1)
    for more in ({"exclusive": False}, {"divisor_override": 4}):
        check("AvgPoolV2", [x], {**attrs, **more}, layouts=[NC1], out_layout=NC1)


@pytest.mark.parametrize("padding", ["SAME", "VALID"])
def test_pooling_by_padding(padding):
    x = _draw(_rng(15), (1, 7, 9, 20), np.float32)
    attrs = {"ksize": (1, 3, 2, 1), "strides": (1, 2, 2, 1), "padding": padding}
    for op_type in ("MaxPool", "AvgPool"):
        check(op_type, [x], attrs)
        layout = Layout("NC1HWC0", "NHWC")
        check(op_type, [x], attrs, layouts=[layout], out_layout=layout)


def test_max_pool_propagates_nan():
    x = _draw(_rng(16), (1, 16, 6, 6), np.float32)
    x[0, 3, 2, 2] = np.nan
    attrs = {"ksize": (1, 1, 3, 3), "strides": (1, 1, 1, 1), "pads": (1, 1, 1, 1)}
    check("MaxPoolV3", [x], attrs, layouts=[NC1], out_layout=NC1)


@pytest.mark.parametrize("dtype", FLOATS)
def test_global_average_pool(dtype):
    x = _draw(_rng(17), (2, 20, 5, 6), dtype)
    check("GlobalAveragePool", [x])
    check("GlobalAveragePool", [x], layouts=[NC1], out_layout=NC1)
    check("GlobalAveragePool", [x[:, :, :, 0].copy()])


@pytest.mark.parametrize("dtype", FLOATS)
def test_batch_normalisation(dtype):
    rng = _rng(18)
    x = _draw(rng, (2, 20, 4, 5), dtype)
    statistics = [_draw(rng, (20,), np.float32, 0.5, 2) for _ in range(4)]
    layouts = [NC1, None, None, None, None]
    check("BNInfer", [x, *statistics], {"epsilon": 1e-3})
    check("BNInfer", [x, *statistics], {"epsilon": 1e-3}, layouts=layouts, out_layout=NC1)
    attrs = {"is_training": False, "data_format": "NCHW"}
    out = [dtype, *[np.float32] * 5]
    check("BatchNorm", [x, *statistics], attrs, out=out)
    check("BatchNorm", [x, *statistics], attrs, out=out, layouts=layouts, out_layout=NC1)
    training = {"is_training": True, "data_format": "NCHW"}
    check("BatchNorm", [x, *statistics[:2], None, None], training, out=out)
    moving = {**training, "exponential_avg_factor": 0.3}
    check("BatchNorm", [x, *statistics], moving, out=out)
    last = x.transpose(0, 2, 3, 1).copy()
    check("BatchNorm", [last, *statistics], {"is_training": False, "data_format": "NHWC"}, out=out)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("beta", [0.75, 0.5])
def test_local_response(dtype, beta):
    x = _draw(_rng(19), (2, 20, 4, 5), dtype)
    attrs = {"depth_radius": 2, "bias": 1.0, "alpha": 0.02, "beta": beta}
    check("LRN", [x], attrs)
    check("LRN", [x], attrs, layouts=[NC1], out_layout=NC1)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("axes", [(-1,), (1,), (0, 2)])
def test_softmax(dtype, axes):
    x = _draw(_rng(20), (3, 5, 7), dtype, -5, 5)
    check("SoftmaxV2", [x], {"axes": axes})
    check("LogSoftmaxV2", [x], {"axes": axes})


@pytest.mark.parametrize("dtype", FLOATS)
def test_prelu(dtype):
    rng = _rng(21)
    x = _draw(rng, (2, 20, 3, 3), dtype)
    for weight in (_draw(rng, (20,), dtype), _draw(rng, (1,), dtype)):
        check("PRelu", [x, weight])
        check("PRelu", [x, weight], layouts=[NC1, None], out_layout=NC1)


@pytest.mark.parametrize("dtype", [*FLOATS, np.float64, np.int32])
def test_matrix_products(dtype):
    rng = _rng(22)
    a, b = _draw(rng, (5, 7), dtype), _draw(rng, (7, 4), dtype)
    bias = _draw(rng, (4,), dtype)
    check("MatMul", [a, b, None])
    if dtype != np.int32:
        check("MatMulV2", [a, b, bias, None])
        flags = {"transpose_x1": True, "transpose_x2": True}
        check("MatMulV2", [a.T.copy(), b.T.copy(), bias, None], flags)
    x, y = _draw(rng, (2, 3, 5, 7), dtype), _draw(rng, (3, 7, 4), dtype)
    check("BatchMatMul", [x, y])
    check("BatchMatMulV2", [x, y.swapaxes(1, 2).copy(), None, None], {"adj_x2": True})


REDUCTIONS = "ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd".split()


@pytest.mark.parametrize("dtype", [*FLOATS, np.int32])
@pytest.mark.parametrize("op_type", REDUCTIONS)
def test_reductions(op_type, dtype):
    x = _draw(_rng(23), (2, 20, 3, 4), dtype, -2, 2)
    for axes in ((1,), (-1, 2), (0, 1, 2, 3)):
        for keep in (False, True):
            check(op_type + "D", [x], {"axes": axes, "keep_dims": keep})
            check(op_type, [x, np.array(axes, np.int32)], {"keep_dims": keep})
    attrs = {"axes": (2, 3), "keep_dims": True}
    check(op_type + "D", [x], attrs, layouts=[NC1], out_layout=NC1)
    check(op_type + "D", [x], {"axes": (0, 3), "keep_dims": True}, layouts=[NC1], out_layout=NC1)


def test_logical_reductions():
    x = _draw(_rng(24), (3, 4, 5), bool)
    for op_type in ("ReduceAll", "ReduceAny"):
        check(op_type + "D", [x], {"axes": (1,)}, out=[bool])
        check(op_type, [x, np.array([0, 2], np.int64)], {"keep_dims": True}, out=[bool])


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_concat_and_split(axis):
    rng = _rng(25)
    parts = [_draw(rng, (2, 32, 3, 4), np.float16) for _ in range(3)]
    check("ConcatD", [parts], {"concat_dim": axis, "N": 3})
    check("ConcatD", [parts], {"concat_dim": axis, "N": 3}, layouts=[NC1], out_layout=NC1)
    check("Concat", [np.array(axis, np.int32), parts], {"N": 3}, out=[np.float16])
    check("ConcatV2", [parts, np.array(axis, np.int32)], {"N": 3})
    check("Pack", [parts], {"axis": axis, "N": 3})
    x = _draw(rng, (4, 4, 4, 4), np.float32)
    check("SplitD", [x], {"split_dim": axis, "num_split": 2}, out=[np.float32] * 2)
    split = np.array(axis, np.int32)
    check("Split", [split, x], {"num_split": 4}, out=[np.float32] * 4)
    sizes = np.array([1, 3], np.int64)
    check("SplitV", [x, sizes, split], {"num_split": 2}, out=[np.float32] * 2)
    check("Unpack", [x], {"axis": axis, "num": 4}, out=[np.float32] * 4)


def test_concat_of_partial_blocks():
    rng = _rng(26)
    parts = [_draw(rng, (1, c, 3, 4), np.float32) for c in (5, 20, 3)]
    check("ConcatD", [parts], {"concat_dim": 1, "N": 3}, layouts=[NC1], out_layout=NC1)


def test_padding_and_tiling():
    x = _draw(_rng(27), (2, 3, 4), np.float32)
    pairs = np.array([[1, 0], [0, 2], [1, 1]], np.int32)
    check("Pad", [x, pairs])
    check("PadD", [x], {"paddings": tuple(map(tuple, pairs.tolist()))})
    for mode in ("constant", "edge", "reflect"):
        value = np.float32(7) if mode == "constant" else None
        check("PadV3", [x, pairs.reshape(-1), value], {"mode": mode})
    check("Tile", [x, np.array([1, 2, 3], np.int32)])
    check("TileD", [x], {"multiples": (2, 1, 2)})
    check("Fill", [np.array([2, 3], np.int32), np.float32(1.5)], out=[np.float32])
    check("BroadcastTo", [x[:, :1], np.array([2, 3, 4], np.int32)])


def test_gathers():
    rng = _rng(28)
    x = _draw(rng, (4, 5, 6), np.float32)
    indices = rng.integers(0, 4, (2, 3)).astype(np.int32)
    check("Gather", [x, indices])
    for axis in (0, 1, -1):
        check("GatherV2", [x, indices, np.array(axis, np.int32)])
    batched = rng.integers(0, 5, (4, 2)).astype(np.int64)
    check("GatherV2", [x, batched, np.array(1, np.int32)], {"batch_dims": 1})


def test_slices():
    x = _draw(_rng(29), (4, 5, 6), np.float32)
    check("Slice", [x, np.array([1, 0, 2], np.int32), np.array([2, -1, 3], np.int32)])
    check("SliceD", [x], {"offsets": (0, 1, 2), "size": (4, 2, -1)})
    bounds = [np.array(v, np.int64) for v in ([-1, 0, 1], [0, 5, -1], [-1, 2, 1])]
    check("StridedSlice", [x, *bounds], {"begin_mask": 2})
    attrs = {"begin": (1, 0), "end": (2, 3), "strides": (1, 1), "shrink_axis_mask": 1}
    check("StridedSliceD", [x], attrs)
    masks = {"begin": (0, 0, 1), "end": (0, 0, 3), "strides": (1, 1, 1)}
    check("StridedSliceD", [x], {**masks, "ellipsis_mask": 1, "new_axis_mask": 2})


def test_shapes():
    x = _draw(_rng(30), (2, 3, 4), np.float32)
    check("Reshape", [x, np.array([6, -1], np.int64)])
    check("Flatten", [x], {"axis": 1})
    check("Transpose", [x, np.array([2, 0, 1], np.int32)])
    check("TransposeD", [x], {"perm": (1, 2, 0)})
    check("ExpandDims", [x, np.array(1, np.int32)])
    check("Unsqueeze", [x], {"axes": (0, 2)})
    check("Squeeze", [x[:, :1]], {"axis": (1,)})
    check("SqueezeV3", [x[:, :1], np.array([1], np.int64)])
    check("UnsqueezeV3", [x, np.array([0], np.int64)])
    check("Identity", [x])
    for op_type in ("Shape", "Size", "Rank"):
        check(op_type, [x], out=[np.int32])


FORMATS = [NC1, FZ, Layout("FRACTAL_NZ"), Layout("NHWC"), Layout("NC1HWC0", c0=32), None]


@pytest.mark.parametrize("target", FORMATS)
@pytest.mark.parametrize("source", FORMATS)
def test_trans_data(source, target):
    x = _draw(_rng(31), (20, 33, 3, 5), np.float16)
    formats = {
        "src_format": source.format if source else "ND",
        "dst_format": target.format if target else "ND",
    }
    check("TransData", [x], formats, layouts=[source], out_layout=target)


@pytest.mark.parametrize("dtype", [*FLOATS, np.float64])
def test_random_numbers(dtype):
    from ge_dialect.dtypes import from_numpy
    from ge_dialect.semantics.context import State

    attrs = {"dtype": from_numpy(np.dtype(dtype)), "seed": 3, "seed2": 4}
    for draw in (0, 2):
        context = Context(node_id="noise", seed=7, state=State(draws={"noise": draw}))
        want = lookup("RandomUniform")([np.array([5, 7], np.int32)], attrs, context)
        out = _blank((5, 7), dtype)
        call = Call([_view(np.array([5, 7], np.int32))], [out], attrs, node_id="noise", seed=7)
        call.draw = draw
        found = find_kernel("RandomUniform", AI_CORE, ["ND"])
        found.function(call)
        np.testing.assert_array_equal(out.data, want)


def test_kernels_do_not_import_golden_functions():
    import ast
    from pathlib import Path

    import runtime.kernels

    for path in Path(runtime.kernels.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            assert not any("semantics" in n for n in names), path.name


def _with_kernels():
    from ge_dialect.ops._index import MODULES
    from ge_dialect.semantics.registry import ROUTING, has_semantics
    from ge_dialect.target.engines import BODY_OPS, VALUE_SIZED_OPS

    without = {"Const", "Constant", "Data", "RefData", "Variable", "NetOutput"}
    without |= VALUE_SIZED_OPS | BODY_OPS | ROUTING  # `build` refuses them
    return sorted({op for op in MODULES if has_semantics(op)} - without)


@pytest.mark.parametrize("op_type", _with_kernels())
def test_kernels_cover_what_the_engines_claim(op_type):
    """AI CPU takes every operator on ND; AI Core those of its library, on its layouts."""
    from ge_dialect.target.engines import LOCAL_OPS, RTS_OPS
    from ge_dialect.target.oplib import aicore_entry
    from runtime.kernels.registry import AICPU

    assert find_kernel(op_type, AICPU, ["ND"] * 8) is not None
    entry = aicore_entry(op_type)
    if entry is None or op_type in LOCAL_OPS | RTS_OPS:
        return
    wanted = {
        "nd": [["ND"]],
        "shared": [["ND"], ["NC1HWC0"]],
        "channel": [["ND"], ["NC1HWC0", "ND"]],
        "concat": [["ND"], ["NC1HWC0"]],
        "reduce": [["ND"], ["NC1HWC0", "ND"]],
        "pool": [["NC1HWC0"]],
        "conv": [["NC1HWC0", "FRACTAL_Z", "ND"]],
        "transdata": [["ND", "NC1HWC0"], ["NC1HWC0", "ND"], ["ND", "FRACTAL_Z"]],
    }
    for formats in wanted[entry.rule]:
        assert find_kernel(op_type, AI_CORE, formats) is not None, formats
