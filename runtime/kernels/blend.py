"""Kernels of the elementwise operators of several steps."""

from __future__ import annotations

import numpy as np

from runtime.kernels.binary import combine
from runtime.kernels.registry import Call, View, kernel
from runtime.kernels.unary import apply, convert
from runtime.kernels.views import exact, is_float, logical, store, wide


def _save(out: View, value: np.ndarray) -> None:
    whole = out.data.dtype.kind in "iu" and value.dtype.kind in "iu"
    store(out, value.astype(out.data.dtype) if whole else convert(value, out.data.dtype))


def _operands(call: Call) -> list[np.ndarray]:
    return [exact(logical(v)) for v in call.flat()]


@kernel("Addcdiv")
def addcdiv(call: Call) -> None:
    """Floats by one quotient in double precision; whole quotients toward zero, by 0 they are 0."""
    base, x1, x2 = (logical(call.arg(i)) for i in range(3))
    if is_float(base.dtype):
        value = logical(call.arg(3)).astype(np.float64)
        with np.errstate(all="ignore"):
            product = value * x1.astype(np.float64)
            _save(call.outs[0], base.astype(np.float64) + product / x2.astype(np.float64))
        return
    value = convert(logical(call.arg(3)), base.dtype)
    above, below = np.broadcast_arrays(value * x1, x2)
    safe = np.where(below == 0, 1, below)
    rest = np.fmod(above, safe)
    _save(call.outs[0], base + np.where(below == 0, 0, (above - rest) // safe))


@kernel("Addcmul")
def addcmul(call: Call) -> None:
    """Sum and product in double precision, integers modulo their size."""
    base, x1, x2, value = _operands(call)
    _save(call.outs[0], x1 * x2 * value + base)


def _scaled(call: Call, sign: float) -> None:
    out = call.outs[0]
    dtype = out.data.dtype
    x1, x2 = (exact(convert(logical(call.arg(i)), _working(dtype))) for i in (0, 1))
    factor = call.opt(2)
    if factor is not None:
        x2 = x2 * exact(convert(logical(factor), _working(dtype))).reshape(())
    _save(out, x1 + x2 if sign > 0 else x1 - x2)


def _working(dtype: np.dtype) -> np.dtype:
    return wide(np.empty(0, dtype)).dtype


@kernel("AxpyV2")
def axpy_v2(call: Call) -> None:
    """x1 plus a multiple of x2."""
    _scaled(call, 1.0)


@kernel("Sxpy")
def sxpy(call: Call) -> None:
    """x1 minus a multiple of x2."""
    _scaled(call, -1.0)


def _parameter(call: Call, view: View, rank: int) -> np.ndarray:
    """A parameter brought to the rank of x, its first axis at `axis`."""
    value = logical(view).astype(np.float64)
    if value.size == 1:
        return value.reshape(())
    first = int(call.attrs.get("axis", 1)) % rank
    behind = tuple(range(first + value.ndim, rank))
    return np.expand_dims(value, tuple(range(first)) + behind)


@kernel("Bias")
def bias(call: Call) -> None:
    """One addition."""
    x = logical(call.arg(0)).astype(np.float64)
    _save(call.outs[0], x + _parameter(call, call.arg(1), x.ndim))


@kernel("Scale")
def scale(call: Call) -> None:
    """One multiplication, one addition."""
    x = logical(call.arg(0)).astype(np.float64)
    y = x * _parameter(call, call.arg(1), x.ndim)
    shift = call.opt(2)
    _save(call.outs[0], y if shift is None else y + _parameter(call, shift, x.ndim))


@kernel("ClipByValueV2")
def clip_by_value_v2(call: Call) -> None:
    """Two masked choices; NaN passes."""
    x, low, high = np.broadcast_arrays(*(wide(logical(v)) for v in call.flat()))
    y = np.where(low > x, low, x)
    y = np.where(high < y, high, y)
    if is_float(x.dtype):
        y = np.where(np.isnan(x) | np.isnan(low) | np.isnan(high), np.nan, y).astype(x.dtype)
    store(call.outs[0], y)


@kernel("Complex")
def complex_(call: Call) -> None:
    """Interleaved in memory."""
    parts = np.broadcast_arrays(*(logical(v) for v in call.flat()))
    pairs = np.ascontiguousarray(np.stack(parts, axis=-1))
    out = call.outs[0]
    store(out, pairs.view(out.data.dtype)[..., 0])


def _half(call: Call, place: int) -> None:
    x = np.ascontiguousarray(logical(call.arg(0)))
    out = call.outs[0]
    store(out, x.reshape(-1).view(out.data.dtype)[place::2].reshape(x.shape))


@kernel("Real")
def real(call: Call) -> None:
    """Every other number of the memory."""
    _half(call, 0)


@kernel("Imag")
def imag(call: Call) -> None:
    """The others."""
    _half(call, 1)


@kernel("Eltwise", layouts="*")
def eltwise(call: Call) -> None:
    """Along a new axis, all tensors at once."""
    mode = int(call.attrs.get("mode", 1))
    coeff = [float(c) for c in call.attrs.get("coeff", ())]

    def together(*parts: np.ndarray) -> np.ndarray:
        stack = np.stack(np.broadcast_arrays(*parts))
        if mode == 0:
            return np.prod(stack, axis=0)
        if mode == 2:
            return np.max(stack, axis=0)
        if not coeff:
            return np.sum(stack, axis=0)
        return np.moveaxis(stack, 0, -1) @ np.array(coeff, stack.dtype)

    combine(call.many(0), call.outs[0], together, zero=True)


@kernel("FusedMulAddN")
def fused_mul_add_n(call: Call) -> None:
    """A multiple of x1 on top of x2."""
    x1, x2, x3 = _operands(call)
    _save(call.outs[0], x2 + x3.reshape(()) * x1)


@kernel("Lerp")
def lerp(call: Call) -> None:
    """Back from the start by a share of what start is above end."""
    start, end, weight = _operands(call)
    with np.errstate(all="ignore"):
        _save(call.outs[0], start - (start - end) * weight)


@kernel("Power", layouts="*")
def power(call: Call) -> None:
    """By the general power in double precision."""
    exponent, factor, shift = (
        float(call.attrs.get(name, value))
        for name, value in (("power", 1.0), ("scale", 1.0), ("shift", 0.0))
    )

    def raised(x: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            base = x.astype(np.float64) * factor + shift
            y = base**exponent
            if exponent % 1:  # a power of 0.5 is no root, which of -inf is NaN
                y = np.where(np.isneginf(base), np.inf if exponent > 0 else 0.0, y)
            return y.astype(x.dtype)

    apply(call, raised, zero=False)


@kernel("Trunc", layouts="*")
def trunc(call: Call) -> None:
    """Down for positive numbers, up for negative ones."""

    def cut(x: np.ndarray) -> np.ndarray:
        return np.copysign(np.floor(np.abs(x)), x) if is_float(x.dtype) else x

    apply(call, cut, zero=True)


@kernel("Xlogy", layouts="*")
def xlogy(call: Call) -> None:
    """The product where x1 is not 0."""

    def product(x1: np.ndarray, x2: np.ndarray) -> np.ndarray:
        a, b = np.broadcast_arrays(exact(x1), exact(x2))
        y = np.zeros(a.shape, a.dtype)
        with np.errstate(all="ignore"):
            np.multiply(a, np.log(b), out=y, where=a != 0)
        return y.astype(x1.dtype)

    combine([call.arg(0), call.arg(1)], call.outs[0], product, zero=True)
