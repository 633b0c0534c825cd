"""The numeric policy, as functions every family uses; `docs/numerics.md` states the rules.

- Floats under 32 bits are widened to f32, computed there, and rounded once at the end, to nearest
  even. In a shadow run every float is an f64.
- Integers wrap. Integer contractions are exact before the final wrap.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np

if TYPE_CHECKING:
    from ge_dialect.semantics.context import Context

Array = np.ndarray[Any, Any]

F32 = np.dtype(np.float32)
F64 = np.dtype(np.float64)
I64 = np.dtype(np.int64)


@cache
def kind(dtype: np.dtype[Any]) -> str:
    """'f' real float, 'i' signed, 'u' unsigned, 'b' bool, 'c' complex, 'O' object (strings)."""
    if dtype.kind != "V":
        return dtype.kind
    name = dtype.name
    return "u" if name.startswith("uint") else "i" if name.startswith("int") else "f"


@cache
def shadowed(dtype: np.dtype[Any], compute_dtype: Any) -> np.dtype[Any]:
    """dtype in which a run with this compute dtype holds values of `dtype`."""
    if compute_dtype is None:
        return dtype
    if kind(dtype) == "f":
        return np.dtype(compute_dtype)
    return np.dtype(np.complex128) if dtype.kind == "c" else dtype


@cache
def working_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """dtype in which values of `dtype` are computed with."""
    k = kind(dtype)
    if k == "f" and dtype.itemsize < 4:
        return F32
    if dtype.kind == "V":  # int4, uint4, int2, uint2
        return np.dtype(np.int8 if k == "i" else np.uint8)
    return dtype


def widen(a: Array) -> Array:
    """`a` in the dtype it is computed with; no copy where that is its own."""
    return a.astype(working_dtype(a.dtype), copy=False)


def widen_all(args: Sequence[Array]) -> list[Array]:
    """`widen` for each; several float widths are lifted to the widest."""
    wide = [widen(a) for a in args]
    floats = {a.dtype for a in wide if a.dtype.kind == "f"}
    if len(floats) > 1:
        top = np.result_type(*floats)
        wide = [a.astype(top, copy=False) if a.dtype.kind == "f" else a for a in wide]
    return wide


def finish(value: Any, dtype: np.dtype[Any] | None) -> Array:
    """A computed value as a result of `dtype`: floats round to nearest even, integers wrap.

    TypeError where the kinds differ, which is a fault of the semantics, not of the user.
    """
    # a string on its own would become numpy's fixed-width kind
    out = np.asarray(value, dtype if dtype is not None and dtype.kind == "O" else None)
    if dtype is None or out.dtype == dtype:
        return out
    with np.errstate(all="ignore"):
        return _converted(out, dtype)


def _converted(out: Array, dtype: np.dtype[Any]) -> Array:
    have, want = kind(out.dtype), kind(dtype)
    if want == "b" and have in "iu":
        return out != 0
    if have == want or {have, want} == {"i", "u"} or (have == "f" and want == "c"):
        return wrap(out, dtype) if want in "iu" else round_float(out, dtype)
    raise TypeError(f"a result of kind {out.dtype} cannot stand for {dtype}")


def wrap(a: Array, dtype: np.dtype[Any]) -> Array:
    """Integers reduced modulo 2**bits of an integer dtype."""
    if dtype.kind != "V":
        return a.astype(dtype)
    bits = ml_dtypes.iinfo(dtype).bits
    low = a.astype(np.int64) & ((1 << bits) - 1)
    if kind(dtype) == "i":
        low = np.where(low >= 1 << (bits - 1), low - (1 << bits), low)
    return low.astype(np.int8).astype(dtype)


def limits(dtype: np.dtype[Any]) -> tuple[int, int]:
    """Smallest and largest value of an integer dtype."""
    info = ml_dtypes.iinfo(dtype)
    return int(info.min), int(info.max)


def _ordered(dtype: np.dtype[Any]) -> str:
    """Kind of a dtype with an order; ValueError for complex numbers."""
    k = kind(dtype)
    if k == "c":
        raise ValueError(f"complex numbers have no order: {dtype}")
    return k


def lowest(dtype: np.dtype[Any]) -> Any:
    """Identity of max: -inf, the smallest integer, or False."""
    k = _ordered(dtype)
    return False if k == "b" else -np.inf if k == "f" else limits(dtype)[0]


def highest(dtype: np.dtype[Any]) -> Any:
    """Identity of min: +inf, the largest integer, or True."""
    k = _ordered(dtype)
    return True if k == "b" else np.inf if k == "f" else limits(dtype)[1]


@np.errstate(all="ignore")
def cast(a: Array, dtype: np.dtype[Any]) -> Array:
    """Conversion of values between dtypes.

    float -> int truncates toward zero, saturates, and takes NaN to 0. int -> int wraps.
    Anything -> bool is `!= 0` (NaN is true). Anything -> float rounds to nearest even; beyond the
    largest value floats become infinite (or NaN where the dtype has no infinity).
    complex -> real or integer drops the imaginary part.
    """
    if a.dtype == dtype:
        return a
    have, want = kind(a.dtype), kind(dtype)
    if want == "b":
        return widen(a) != 0
    if have == "c" and want != "c":
        a = a.real
        have = "f"
        if a.dtype == dtype:
            return a
    if want in "iu":
        if have == "f":
            return _saturate(a, dtype)
        return wrap(a.astype(np.uint8) if have == "b" else widen(a), dtype)
    if have in "iub" and want == "f" and dtype.itemsize < 4:
        return _int_to_narrow(a, dtype)
    return round_float(a, dtype) if want == "f" else a.astype(dtype)


def _saturate(a: Array, dtype: np.dtype[Any]) -> Array:
    low, high = limits(dtype)
    t = np.trunc(a.astype(F64, copy=False))
    inside = (t >= float(low)) & (t < float(high + 1))  # high + 1 is a power of two: exact
    # int64 holds every integer dtype but uint64
    middle = np.uint64 if high > 2**63 else np.int64
    held = np.where(inside, t, 0.0).astype(middle)
    held = np.where(t >= float(high + 1), middle(high), held)
    held = np.where(t < float(low), middle(low), held)
    return wrap(held, dtype) if dtype.kind == "V" else held.astype(dtype)


def round_float(a: Array, dtype: np.dtype[Any]) -> Array:
    """A real array as floats of `dtype`, with one rounding to nearest even."""
    if a.dtype.kind == "V" or a.dtype.itemsize == 1:
        a = a.astype(F32)  # exact; not every pair of narrow floats converts directly
    if dtype.kind != "V" or a.dtype.itemsize < 4 or a.dtype == F32:
        return a.astype(dtype)
    return _round_odd(a).astype(dtype)


def _int_to_narrow(a: Array, dtype: np.dtype[Any]) -> Array:
    wide = widen(a)
    if wide.dtype.itemsize < 4:
        return wide.astype(F32).astype(dtype)  # exact in f32
    return _round_odd(wide).astype(dtype)


def _round_odd(exact: Array) -> Array:
    """f64 or wide integers as f32 rounded to odd, so that a second, narrower rounding is correct.

    Where f32 is inexact, the neighbour with an odd significand is taken: it works as a sticky bit
    (S. Boldo, G. Melquiond, "Emulation of a FMA and correctly rounded sums", 2008).
    """
    near = exact.astype(F32)
    back = near.astype(F64)
    if exact.dtype.kind == "f":
        other: Array = exact
    else:  # integers beyond 2**62 are compared as f64
        small = np.abs(back) < 2.0**62
        if small.all():
            back, other = back.astype(np.int64), exact
        else:
            other = exact.astype(F64)
    inexact, above = back != other, back > other
    even = near.view(np.uint32) & 1 == 0
    toward = np.where(above, F32.type(-np.inf), F32.type(np.inf))
    moved = np.nextafter(near, toward)
    return np.where(inexact & even & np.isfinite(near), moved, near)


# ------------------------------------------------------------------------------- integers


def truncate_div(a: Array, b: Array) -> Array:
    """Integer quotient rounded toward zero; x / 0 is 0; the smallest value / -1 wraps."""
    q = np.floor_divide(a, b)
    inexact = (np.multiply(q, b) != a) & ((a < 0) != (b < 0)) & (b != 0)
    return q + inexact.astype(q.dtype)


def floor_div(a: Array, b: Array) -> Array:
    """Quotient rounded down; for integers x / 0 is 0."""
    if a.dtype.kind == "f":
        return np.floor(np.divide(a, b))
    return np.floor_divide(a, b)


def int_pow(base: Array, exponent: Array) -> Array:
    """Integer power with wrap; a negative exponent truncates the real result (0 ** -n is 0)."""
    base, exponent = np.broadcast_arrays(base, exponent)
    negative = exponent < 0
    result = np.power(base, np.where(negative, 0, exponent).astype(exponent.dtype)).astype(
        base.dtype
    )
    if not negative.any():
        return result
    odd = (exponent & 1).astype(bool)
    unit = np.where(base == 1, 1, 0)
    if base.dtype.kind == "i":
        unit = np.where(base == -1, np.where(odd, -1, 1), unit)
    return np.where(negative, unit.astype(base.dtype), result)


def matmul(a: Array, b: Array) -> Array:
    """Matrix product under the policy: narrow floats in f32, integers exact.

    Integer products up to 16 bits return int32 or int64 sums as exact values in int64; through
    BLAS where every partial sum is an exact float, else in int64. 32- and 64-bit integers wrap.
    """
    if kind(a.dtype) in "fc" or kind(b.dtype) in "fc":
        a, b = widen_all([a, b])
        if b.ndim == 2 and a.ndim > 2 and a.flags.c_contiguous:  # one product, not one a sample
            rows = a.reshape(math.prod(a.shape[:-1]), a.shape[-1])
            return np.matmul(rows, b).reshape(*a.shape[:-1], b.shape[1])
        return np.matmul(a, b)
    if a.dtype == bool:
        a, b = a.astype(np.uint8), b.astype(np.uint8)
    a, b = widen(a), widen(b)
    bound = _magnitude(a) * _magnitude(b) * a.shape[-1]
    if bound < 2**24:
        return np.matmul(a.astype(F32), b.astype(F32)).astype(I64)
    if bound < 2**53:
        return np.matmul(a.astype(F64), b.astype(F64)).astype(I64)
    return np.matmul(a.astype(I64), b.astype(I64))


def _magnitude(a: Array) -> int:
    if a.size == 0:
        return 0
    if a.dtype.itemsize == 1:
        return 255 if a.dtype.kind == "u" else 128
    return max(abs(int(a.min())), abs(int(a.max())))


# ------------------------------------------------------------------------------------ axes


def axis_list(axes: Any, rank: int, ctx: Context) -> tuple[int, ...]:
    """Axes as sorted non-negative numbers; an array of rank 0 or 1, a sequence, or one integer.

    GeError for an axis out of range or given twice.
    """
    numbers = [int(v) for v in np.asarray(axes, dtype=np.int64).ravel()]
    return tuple(sorted(axis_order(numbers, rank, ctx)))


def axis_order(numbers: Sequence[int], rank: int, ctx: Context) -> tuple[int, ...]:
    """Like `axis_list`, in the given order."""
    out = []
    for n in numbers:
        if not -rank <= n < rank:
            ctx.fail(
                "an axis is out of range",
                code="GX-222",
                found=n,
                expected=f"{-rank} … {rank - 1}" if rank else "no axis: the tensor is a scalar",
            )
        out.append(n + rank if n < 0 else n)
    if len(set(out)) != len(out):
        ctx.fail("an axis is given twice", code="GX-222", found=list(numbers))
    return tuple(out)


def scalar(value: Any, what: str, ctx: Context) -> Any:
    """The one element of a rank-0 or [1] input as a Python value."""
    a = np.asarray(value)
    if a.size != 1:
        ctx.fail(f"{what} must hold one element", found=f"shape {a.shape}", expected="1 element")
    return a.reshape(-1)[0].item()


def int_list(value: Any) -> list[int]:
    """A small integer tensor (a shape, sizes) as Python integers; rank 0 counts as one entry."""
    return [int(v) for v in np.asarray(value).ravel()]
