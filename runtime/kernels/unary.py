"""Elementwise kernels of one tensor, on any layout."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.kernels.refusal import Refusal
from runtime.kernels.registry import Call, View, kernel
from runtime.kernels.views import align, clear_padding, is_float, is_narrow, logical, store, wide

Function = Callable[[np.ndarray], np.ndarray]


def apply(call: Call, function: Callable[..., np.ndarray], *, zero: bool) -> None:
    """Apply `function` to input 0 in storage; `zero` says that it maps 0 to 0."""
    x, y = call.arg(0), call.outs[0]
    if x.data.shape != y.data.shape:
        store(y, function(wide(logical(x))))
        return
    with np.errstate(all="ignore"):
        if isinstance(function, np.ufunc) and not is_narrow(x.data.dtype):
            function(x.data, out=y.data, casting="unsafe")
        else:
            y.data[...] = function(wide(x.data))
    if not zero:
        clear_padding(y)


def _register(name: str, function: Function, *, zero: bool) -> None:
    @kernel(name, layouts="*")
    def run(call: Call) -> None:
        apply(call, function, zero=zero)


def _float_only(function: Function, otherwise: bool) -> Function:
    def run(x: np.ndarray) -> np.ndarray:
        return function(x) if is_float(x.dtype) else np.full(x.shape, otherwise)

    return run


def _whole(function: Function) -> Function:
    """Rounding functions leave integers as they are."""

    def run(x: np.ndarray) -> np.ndarray:
        return function(x) if is_float(x.dtype) else x

    return run


def _reciprocal(x: np.ndarray) -> np.ndarray:
    if x.dtype.kind in "iu":
        return np.where(x == 0, 0, (1.0 / np.where(x == 0, 1, x))).astype(x.dtype)
    return 1 / x


# erf is interpolated: cubic Hermite on a uniform grid with exact values and slopes at the knots;
# its error, h^4/384 * max|erf''''|, is below 1e-13, and erf(6) is 1 in double precision.
_KNOTS = 4096
_STEP = 6.0 / _KNOTS
#: Elements interpolated at a time, so that the intermediate values stay in the cache.
_CHUNK = 8192


def _cubics() -> tuple[np.ndarray, ...]:
    """Coefficients of each interval's cubic in the place between its knots, constants first."""
    places = np.arange(_KNOTS + 2) * _STEP
    values = np.array([math.erf(v) for v in places])
    slopes = 2 / math.sqrt(math.pi) * np.exp(-(places**2)) * _STEP
    step, rise, fall = np.diff(values), slopes[:-1], slopes[1:]
    return values[:-1], rise, 3 * step - 2 * rise - fall, rise + fall - 2 * step


_ERF = _cubics()


def erf(x: np.ndarray) -> np.ndarray:
    """Error function of a float array, absolute error below 1e-13, in the dtype of `x`."""
    flat = np.ascontiguousarray(x).reshape(-1)
    out = np.empty_like(flat)
    for start in range(0, flat.size, _CHUNK):
        part = flat[start : start + _CHUNK]
        t = np.abs(part.astype(np.float64))
        np.fmin(t, 6.0, out=t)
        t /= _STEP
        i = t.astype(np.int64)
        t -= i
        value = _ERF[3][i]
        for coefficients in reversed(_ERF[:3]):
            value *= t
            value += coefficients[i]
        np.copysign(value, part, out=value)
        value[np.isnan(part)] = np.nan
        out[start : start + _CHUNK] = value
    return out.reshape(x.shape)


def _erf_to_the_last_digit(x: np.ndarray) -> np.ndarray:
    """Error function; of doubles, which the table is too coarse for, one by one."""
    if x.dtype != np.float64:
        return erf(x)
    return np.fromiter(map(math.erf, x.reshape(-1)), np.float64, x.size).reshape(x.shape)


def complex_of(real: np.ndarray, imag: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Complex numbers of two parts; unlike a product with i it keeps the signs of zeros."""
    parts = np.stack(np.broadcast_arrays(real, imag), axis=-1)
    return parts.astype(np.real(np.zeros((), dtype)).dtype).view(dtype)[..., 0]


def _asinh(x: np.ndarray) -> np.ndarray:
    """By the logarithm of x + sqrt(x^2 + 1), without cancellation near 0."""
    if x.dtype.kind == "c":
        left = np.signbit(np.real(x))  # the function is odd; on the right nothing cancels
        z = np.where(left, -x, x)
        square = z * z
        # not square + 1, which would lose the sign of a zero
        square = complex_of(np.real(square) + 1, np.imag(square), x.dtype)
        value = np.log(z + np.sqrt(square))
        return np.where(left, -value, value)
    a = np.abs(x.astype(np.float64))
    root = np.hypot(a, 1.0)
    small = np.log1p(np.where(a < 1e6, a + a * (a / (1 + root)), 0))
    large = np.log(np.where(a < 1e6, 1, a)) + math.log(2)
    return np.copysign(np.where(a < 1e6, small, large), x).astype(x.dtype)


def _acosh(x: np.ndarray) -> np.ndarray:
    """By the logarithm of x + sqrt(x - 1) sqrt(x + 1); NaN below 1."""
    if x.dtype.kind == "c":
        return np.log(x + np.sqrt(x - 1) * np.sqrt(x + 1))
    t = x.astype(np.float64) - 1
    small = np.log1p(t + np.sqrt(t) * np.sqrt(t + 2))
    return np.where(t > 1e12, np.log(t) + math.log(2), small).astype(x.dtype)


def _atanh(x: np.ndarray) -> np.ndarray:
    """Half the logarithm of (1 + x) / (1 - x)."""
    if x.dtype.kind == "c":
        a, b = np.real(x), np.imag(x)
        real = np.log1p(4 * a / ((1 - a) ** 2 + b * b)) / 4
        return complex_of(real, (np.arctan2(b, 1 + a) + np.arctan2(b, 1 - a)) / 2, x.dtype)
    t = x.astype(np.float64)
    return (0.5 * (np.log1p(t) - np.log1p(-t))).astype(x.dtype)


_ZERO_TO_ZERO: dict[str, Function] = {
    "Abs": np.abs,
    "Asin": np.arcsin,
    "Asinh": _asinh,
    "Atan": np.arctan,
    "Atanh": _atanh,
    "Ceil": _whole(np.ceil),
    "Erf": _erf_to_the_last_digit,
    "Expm1": np.expm1,
    "Floor": _whole(np.floor),
    "IsInf": _float_only(np.isinf, False),
    "IsNan": _float_only(np.isnan, False),
    "Log1p": np.log1p,
    "Neg": np.negative,
    "Rint": _whole(np.rint),
    "Sign": np.sign,
    "Sin": np.sin,
    "Sinh": np.sinh,
    "Sqrt": np.sqrt,
    "Square": np.square,
    "Tan": np.tan,
    "Tanh": np.tanh,
    "ZerosLike": np.zeros_like,
}
_OTHER: dict[str, Function] = {
    "Acos": np.arccos,
    "Acosh": _acosh,
    "Cos": np.cos,
    "Cosh": np.cosh,
    "Invert": np.invert,
    "IsFinite": _float_only(np.isfinite, True),
    "LogicalNot": np.logical_not,
    "OnesLike": np.ones_like,
    "Reciprocal": _reciprocal,
    "Rsqrt": lambda x: 1 / np.sqrt(x),
}
for _name, _function in _ZERO_TO_ZERO.items():
    _register(_name, _function, zero=True)
for _name, _function in _OTHER.items():
    _register(_name, _function, zero=False)


@kernel("Exp", layouts="*")
def exp(call: Call) -> None:
    """base ** (scale * x + shift), natural base for -1."""
    base, scale, shift = _affine(call.attrs)
    factor = 1.0 if base == -1.0 else math.log(base)
    if (factor, scale, shift) == (1.0, 1.0, 0.0):
        apply(call, np.exp, zero=False)
    elif factor == 0.0:  # every power of 1 is 1
        apply(call, np.ones_like, zero=False)
    else:
        apply(call, lambda x: np.exp(factor * (x * scale + shift)), zero=False)


@kernel("Log", layouts="*")
def log(call: Call) -> None:
    """Logarithm of scale * x + shift to `base`, natural base for -1."""
    base, scale, shift = _affine(call.attrs)
    with np.errstate(all="ignore"):
        factor = 1.0 if base == -1.0 else float(1 / np.log(np.float64(base)))
    if (factor, scale, shift) == (1.0, 1.0, 0.0):
        apply(call, np.log, zero=False)
    else:
        apply(call, lambda x: _times(np.log(x * scale + shift), factor), zero=False)


def _times(x: np.ndarray, factor: float) -> np.ndarray:
    return x if factor == 1.0 else x * factor  # infinite complex numbers have no product


def _affine(attrs: dict[str, Any]) -> tuple[float, float, float]:
    return (
        float(attrs.get("base", -1.0)),
        float(attrs.get("scale", 1.0)),
        float(attrs.get("shift", 0.0)),
    )


@kernel("Round", layouts="*")
def round_(call: Call) -> None:
    """Round to nearest even at `decimals` digits."""
    digits = int(call.attrs.get("decimals", 0))
    apply(call, lambda x: _rounded(x, digits), zero=True)


def _rounded(x: np.ndarray, digits: int) -> np.ndarray:
    if is_float(x.dtype) or x.dtype.kind == "c":
        whole = math.floor(math.log10(float(np.finfo(x.dtype).max)))
        if abs(digits) > whole:  # no power of ten is so large: all digits stay, or none
            return x if digits > 0 else np.where(np.isfinite(x), x * 0, x)
        return np.round(x, digits)
    if digits >= 0:
        return x
    if digits < -20:
        return np.zeros_like(x)
    step = 10**-digits
    if step > 2 * int(np.iinfo(x.dtype).max):
        return np.zeros_like(x)
    size = 1 << 8 * x.dtype.itemsize
    half = size // 2 if x.dtype.kind == "i" else 0

    def one(value: int) -> int:
        low = value // step * step
        rest = value - low
        if 2 * rest > step or (2 * rest == step and low // step % 2):
            low += step
        return (low + half) % size - half  # beyond the largest number it wraps

    values = [one(int(v)) for v in x.reshape(-1)]
    return np.array(values, x.dtype).reshape(x.shape)


@kernel("Adds", layouts="*")
def adds(call: Call) -> None:
    """x + value."""
    value = call.attrs["value"]
    apply(call, lambda x: x + scalar(value, x), zero=False)


@kernel("Muls", layouts="*")
def muls(call: Call) -> None:
    """x * value."""
    value = call.attrs["value"]
    apply(call, lambda x: x * scalar(value, x), zero=math.isfinite(value))


def scalar(value: float, like: np.ndarray) -> Any:
    """A float attribute in the dtype of `like`: saturated where that is an integer one."""
    if like.dtype.kind in "iu":
        return convert(np.asarray(value, np.float64), like.dtype)[()]
    return like.dtype.type(value)


@kernel("ClipByValue", layouts="*")
def clip(call: Call) -> None:
    """min(max(x, low), high) with scalar or broadcast bounds."""
    views, out = [call.arg(0), call.arg(1), call.arg(2)], call.outs[0]
    dtype = views[0].data.dtype
    if dtype.kind == "c":
        raise Refusal("complex numbers have no order", found=dtype, expected="real numbers")
    arrays = align(views, out)
    if arrays is None:
        x, low, high = (logical(v) for v in views)
        store(out, np.minimum(np.maximum(x, low), high))
        return
    x, low, high = arrays
    out.data[...] = np.minimum(np.maximum(x, low), high)
    clear_padding(out)


#: Ranges of the integers of fewer than 8 bits.
_NIBBLES = {"int4": (-8, 7), "uint4": (0, 15), "int2": (-2, 1), "uint2": (0, 3)}


def convert(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Convert as the device does: one rounding; floats to integers truncate and saturate."""
    if array.dtype == dtype:
        return array
    if array.dtype.kind == "c" and dtype.kind not in "cb":
        array = np.real(array)
    if array.dtype.name in _NIBBLES:
        array = array.astype(np.int8)  # not every pair of narrow integers converts directly
    source = array.dtype
    if dtype.kind in "iu" and is_float(source):
        return _saturated(array, dtype)
    if dtype.name in _NIBBLES and is_float(source):
        return np.clip(_saturated(array, np.dtype(np.int32)), *_NIBBLES[dtype.name]).astype(dtype)
    if dtype.kind == "b":
        return array.astype(np.float32) != 0 if is_narrow(source) else array != 0
    if is_narrow(source) and source.kind != "f":
        array = array.astype(np.float32)
    if is_narrow(dtype) and dtype.kind != "f" and array.dtype != np.float32:
        array = _odd_f32(array)
    return array.astype(dtype)


def _saturated(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Integers of floats: truncated, clamped to the range, NaN becomes 0."""
    value = np.trunc(array.astype(np.float64))
    info = np.iinfo(dtype)
    inside = np.where(np.isnan(value), 0.0, value)
    # The upper bound may not be a float: compare first, convert only what is inside.
    high = inside >= float(info.max)
    low = inside <= float(info.min)
    safe = np.where(high | low, 0.0, inside).astype(dtype)
    return np.where(high, info.max, np.where(low, info.min, safe)).astype(dtype)


def _odd_f32(array: np.ndarray) -> np.ndarray:
    """float32 rounded to odd: what is cut off sets the last bit.

    A second rounding to a dtype at least two bits shorter then gives what one rounding would
    (S. Boldo, G. Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
    """
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8:
        # Beyond 2**53 float64 would round: keep the top bits and a sticky one.
        sticky = ((array & 0x7FF) != 0).astype(array.dtype) << 11
        large = (array >= 1 << 53) | (array <= (-(1 << 53) if array.dtype.kind == "i" else 0))
        array = np.where(large, (array >> 11 << 11) | sticky, array)
    exact = array.astype(np.float64)
    near = exact.astype(np.float32)
    bits = near.view(np.uint32)
    back = near.astype(np.float64)
    cut = (back != exact) & ~np.isnan(exact)
    toward_zero = bits - (np.abs(back) > np.abs(exact)).astype(np.uint32)
    return np.where(cut, toward_zero | 1, bits).astype(np.uint32).view(np.float32)


@kernel("Cast", layouts="*")
def cast(call: Call) -> None:
    """Convert to the dtype of the output; block sizes may differ between the two."""
    x, y = call.arg(0), call.outs[0]
    with np.errstate(all="ignore"):
        if x.data.shape == y.data.shape and _kinds(x, y):
            y.data[...] = convert(x.data, y.data.dtype)
        else:
            store(y, convert(np.ascontiguousarray(logical(x)), y.data.dtype))


def _kinds(x: View, y: View) -> bool:
    return x.layout == y.layout or x.format == y.format
