"""Golden meaning of the elementwise operators of one input."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, cast, kind, widen, widen_all
from ge_dialect.semantics.registry import semantics
from ge_dialect.semantics.special import erf

Attrs = Mapping[str, Any]


def _unary(op_type: str, fn: Callable[[Array], Array]) -> None:
    @semantics(op_type)
    def run(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
        return fn(widen(args[0]))


for _name, _fn in {
    "Abs": np.abs,
    "Acos": np.arccos,
    "Acosh": np.arccosh,
    "Asin": np.arcsin,
    "Asinh": np.arcsinh,
    "Atan": np.arctan,
    "Atanh": np.arctanh,
    "Ceil": np.ceil,
    "Cos": np.cos,
    "Cosh": np.cosh,
    "Erf": erf,
    "Expm1": np.expm1,
    "Floor": np.floor,
    "Invert": np.invert,
    "IsFinite": np.isfinite,
    "IsInf": np.isinf,
    "IsNan": np.isnan,
    "Log1p": np.log1p,
    "LogicalNot": np.logical_not,
    "Neg": np.negative,
    "Rint": np.rint,
    "Sign": np.sign,
    "Sin": np.sin,
    "Sinh": np.sinh,
    "Sqrt": np.sqrt,
    "Square": np.square,
    "Tan": np.tan,
}.items():
    _unary(_name, _fn)

_unary("Reciprocal", lambda x: 1 / x)
_unary("Rsqrt", lambda x: 1 / np.sqrt(x))


@semantics("ZerosLike")
def zeros_like(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Zeros (False, empty strings) in the shape of x."""
    return _filled(args[0], 0)


@semantics("OnesLike")
def ones_like(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Ones (True) in the shape of x."""
    return _filled(args[0], 1)


def _filled(x: Array, value: int) -> Array:
    if x.dtype == object:
        return np.full(x.shape, b"", dtype=object)
    return np.full(x.shape, value).astype(x.dtype)


@semantics("Exp")
def exp(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """base ** (scale * x + shift); base -1 stands for e."""
    x = _affine(widen(args[0]), attrs)
    if attrs["base"] == -1.0:
        return np.exp(x)
    return np.power(x.dtype.type(attrs["base"]), x)


@semantics("Log")
def log(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Logarithm of scale * x + shift; base -1 stands for e."""
    y = np.log(_affine(widen(args[0]), attrs))
    return y if attrs["base"] == -1.0 else y / y.dtype.type(np.log(attrs["base"]))


def _affine(x: Array, attrs: Attrs) -> Array:
    if attrs["scale"] != 1.0:
        x = x * x.dtype.type(attrs["scale"])
    return x + x.dtype.type(attrs["shift"]) if attrs["shift"] != 0.0 else x


@semantics("Round")
def round_(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Nearest with `decimals` digits behind the point, ties to even."""
    x, decimals = widen(args[0]), attrs["decimals"]
    if x.dtype.kind in "fc":
        largest = int(np.log10(float(np.finfo(x.dtype).max)))
        if decimals > largest:
            return x  # its digits end before
        if decimals < -largest:
            return np.where(np.isfinite(x), x * 0, x)
    elif decimals >= 0 or kind(x.dtype) not in "iu":
        return x
    else:  # Python's integers round halves to even, too; what is too large wraps
        whole = [round(v, max(decimals, -20)) % 2**64 for v in x.reshape(-1).tolist()]
        return np.array(whole, np.uint64).astype(x.dtype).reshape(x.shape)
    return np.rint(x) if decimals == 0 and x.dtype.kind == "f" else np.round(x, decimals)


def scalar_like(x: Array, value: float) -> Any:
    """A float attribute as a scalar to compute with: truncated where x is integer."""
    if kind(x.dtype) in "iu":
        return cast(np.asarray(value), x.dtype)
    return x.dtype.type(value)


@semantics("Muls")
def muls(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x * value."""
    x = widen(args[0])
    return x * scalar_like(x, attrs["value"])


@semantics("Adds")
def adds(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x + value."""
    x = widen(args[0])
    return x + scalar_like(x, attrs["value"])


@semantics("Axpy")
def axpy(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x1 + alpha * x2."""
    x1, x2 = widen_all(args)
    return x1 + scalar_like(x2, attrs["alpha"]) * x2


@semantics("ClipByValue")
def clip_by_value(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """min(max(x, low), high): where low > high, high wins. NaN stays."""
    x, low, high = widen_all(args)
    if x.dtype.kind == "c":
        ctx.fail("complex numbers have no order", found=x.dtype, expected="real numbers")
    return np.minimum(np.maximum(x, _bound(low, x)), _bound(high, x))


def _bound(bound: Array, x: Array) -> Array:
    return bound.reshape(()) if bound.size == 1 else bound


@semantics("Cast")
def cast_(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Conversion to the dtype with number `dst_type`; the rules are in `numerics.cast`."""
    from ge_dialect.dtypes import from_enum

    x, dtype = args[0], ctx.dtype(from_enum(attrs["dst_type"]))
    if (x.dtype.kind == "O") != (dtype.kind == "O"):
        ctx.fail("strings are not cast", found=f"{x.dtype} to {dtype}", expected="numbers")
    return cast(x, dtype)
