"""Golden meaning of the elementwise operators of several steps."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Any

import numpy as np

from ge_dialect.semantics.broadcast import divide, powered
from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, cast, kind, widen, widen_all, working_dtype
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


@semantics("Addcdiv")
def addcdiv(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The quotient of value · x1 and x2 is added."""
    base, x1, x2 = widen_all(args[:3])
    value = cast(args[3], base.dtype)
    return base + divide(value * x1, x2)


@semantics("Addcmul")
def addcmul(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """A product of three is added."""
    base, x1, x2, value = widen_all(args)
    return base + value * x1 * x2


def _scaled(args: list[Any], sign: int, ctx: Context) -> Array:
    """x1 ± alpha · x2 in the dtype of the result."""
    out = ctx.out_dtype(0)
    dtype = working_dtype(out if out is not None else np.result_type(*args[:2]))
    x1, x2 = (cast(a, dtype) for a in args[:2])
    if len(args) > 2 and args[2] is not None:
        x2 = x2 * cast(args[2], dtype).reshape(())
    return x1 + x2 if sign > 0 else x1 - x2


@semantics("AxpyV2")
def axpy_v2(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x1 + alpha · x2."""
    return _scaled(args, 1, ctx)


@semantics("Sxpy")
def sxpy(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x1 - alpha · x2."""
    return _scaled(args, -1, ctx)


def _laid(value: Array, x: Array, attrs: Attrs) -> Array:
    """A parameter whose dims are those of x from `axis` on."""
    value = widen(value)
    if value.size == 1:
        return value.reshape(())
    first = attrs["axis"] % x.ndim
    return value.reshape(*value.shape, *(1,) * (x.ndim - first - value.ndim))


@semantics("Bias")
def bias(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x plus the bias."""
    x = widen(args[0])
    return x + _laid(args[1], x, attrs)


@semantics("Scale")
def scale(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x times the scale, plus the bias."""
    x = widen(args[0])
    y = x * _laid(args[1], x, attrs)
    return y if args[2] is None else y + _laid(args[2], x, attrs)


@semantics("ClipByValueV2")
def clip_by_value_v2(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """min(max(x, low), high): where low > high, high wins. NaN stays."""
    x, low, high = widen_all(args)
    return np.minimum(np.maximum(x, low), high)


@semantics("Complex")
def complex_(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Two real numbers as one complex number."""
    real, imag = np.broadcast_arrays(*args)
    out = np.empty(real.shape, np.result_type(real.dtype, np.complex64))
    out.real, out.imag = real, imag
    return out


@semantics("Real")
def real(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The real part."""
    return args[0].real.copy()


@semantics("Imag")
def imag(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The imaginary part."""
    return args[0].imag.copy()


@semantics("Eltwise")
def eltwise(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """From the first to the last."""
    values = widen_all(args[0])
    if attrs["mode"] == 0:
        return reduce(np.multiply, values)
    if attrs["mode"] == 2:
        return reduce(np.maximum, values)
    if attrs["coeff"]:
        factors = zip(values, attrs["coeff"], strict=True)
        values = [v * v.dtype.type(c) for v, c in factors]
    return reduce(np.add, values)


@semantics("FusedMulAddN")
def fused_mul_add_n(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x1 · x3 + x2."""
    x1, x2, x3 = widen_all(args)
    return x1 * x3.reshape(()) + x2


@semantics("Lerp")
def lerp(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """start + weight · (end - start)."""
    start, end, weight = widen_all(args)
    return start + weight * (end - start)


@semantics("Power")
def power(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """(shift + scale · x)**power."""
    x = widen(args[0])
    t = x.dtype.type
    base = np.asarray(t(attrs["shift"]) + t(attrs["scale"]) * x)
    return powered(base, np.asarray(attrs["power"], base.dtype))


@semantics("Trunc")
def trunc(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The part before the point."""
    return args[0] if kind(args[0].dtype) in "iu" else np.trunc(widen(args[0]))


@semantics("Xlogy")
def xlogy(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x1 · log(x2), where x1 is not 0."""
    x1, x2 = widen_all(args)
    zero = x1 == 0
    return np.where(zero, x1.dtype.type(0), x1 * np.log(np.where(zero, x1.dtype.type(1), x2)))
