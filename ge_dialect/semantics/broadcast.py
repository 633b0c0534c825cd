"""Golden meaning of the operators of several inputs with numpy's broadcasting."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import (
    Array,
    cast,
    floor_div,
    int_list,
    int_pow,
    kind,
    truncate_div,
    widen,
    widen_all,
    working_dtype,
)
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]
Fn = Callable[[Array, Array], Array]


def _operands(args: list[Any], ctx: Context) -> list[Array]:
    """Two operands in the dtype to compute in; bools count as integers 0 and 1."""
    out = ctx.out_dtype(0)
    if out is not None and any(a.dtype != out for a in args):
        target = working_dtype(out)
        if {kind(a.dtype) for a in args} != {kind(target)}:  # int with float, bool with int
            args = [cast(a, target) for a in args]
    args = widen_all(args)
    if len({a.dtype for a in args}) > 1:
        top = np.result_type(*args)
        args = [a.astype(top) for a in args]
    return [a.astype(np.int8) if a.dtype == bool else a for a in args]


def _binary(op_types: str, fn: Fn) -> None:
    @semantics(*op_types.split())
    def run(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
        return fn(*_operands(args, ctx))


def _comparison(op_type: str, fn: Fn) -> None:
    @semantics(op_type)
    def run(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
        return np.asarray(fn(*widen_all(args)), dtype=bool)


def _is_int(a: Array) -> bool:
    return a.dtype.kind in "iu"


def divide(a: Array, b: Array) -> Array:
    """Quotient; of integers truncated toward zero."""
    return truncate_div(a, b) if _is_int(a) else np.divide(a, b)


def _truncate(a: Array, b: Array) -> Array:
    return truncate_div(a, b) if _is_int(a) else np.trunc(np.divide(a, b))


def _div_no_nan(a: Array, b: Array) -> Array:
    return np.where(b == 0, np.zeros((), a.dtype), divide(a, b))


def _floor_mod(a: Array, b: Array) -> Array:
    return np.remainder(a, b)


def powered(a: Array, b: Array) -> Array:
    """a to the power of b, as in C; integers wrap."""
    if _is_int(a):
        return int_pow(a, b)
    if b.size == 1 and a.dtype == np.float32 and a.ndim >= b.ndim:
        # the libraries' power is slow for these, and no more exact
        if b.item() == 2.0:
            return np.multiply(a, a)
        if b.item() == 3.0:
            wide = a.astype(np.float64)
            return (wide * wide * wide).astype(a.dtype)
    result = np.power(a, b)
    # numpy's vector and scalar loops differ here: minus infinity to a fraction, as in C
    odd = (a == -np.inf) & np.isfinite(b) & (b != np.floor(b)) if a.dtype.kind != "c" else False
    if not np.any(odd):
        return result
    return np.where(odd, np.where(b > 0, np.inf, 0.0), result).astype(result.dtype)


def _squared_difference(a: Array, b: Array) -> Array:
    d = a - b
    return d * d


_binary("Add", np.add)
_binary("Sub", np.subtract)
_binary("Mul", np.multiply)
_binary("Div RealDiv", divide)
_binary("TruncateDiv", _truncate)
_binary("DivNoNan", _div_no_nan)
_binary("FloorDiv", floor_div)
_binary("FloorMod", _floor_mod)
_binary("Mod", np.fmod)
_binary("Pow", powered)
_binary("Maximum", np.maximum)
_binary("Minimum", np.minimum)
_binary("SquaredDifference", _squared_difference)
_binary("BitwiseAnd", np.bitwise_and)
_binary("BitwiseOr", np.bitwise_or)
_binary("BitwiseXor", np.bitwise_xor)

_comparison("Equal", np.equal)
_comparison("NotEqual", np.not_equal)
_comparison("Less", np.less)
_comparison("LessEqual", np.less_equal)
_comparison("Greater", np.greater)
_comparison("GreaterEqual", np.greater_equal)
_comparison("LogicalAnd", np.logical_and)
_comparison("LogicalOr", np.logical_or)


@semantics("AddN", "AccumulateNV2")
def add_n(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Sum of equal shapes, from the first to the last."""
    first, *rest = widen_all(args[0])
    if not rest:
        return first
    total = first + rest[0]
    for x in rest[1:]:
        total += x
    return total


@semantics("FusedMulAdd")
def fused_mul_add(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x1 * x2 + x3, rounded after the product as well."""
    x1, x2, x3 = widen_all(args)
    return x1 * x2 + x3


def channel_axis(data_format: str, rank: int) -> int:
    """Axis of the channels: 1 for NC..., the last one for N...C."""
    return 1 if data_format.startswith("NC") else rank - 1


@semantics("BiasAdd")
def bias_add(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x + bias along the channel axis of `data_format`."""
    x, bias = widen_all(args)
    shape = [1] * x.ndim
    shape[channel_axis(attrs["data_format"], x.ndim)] = -1
    return x + bias.reshape(shape)


@semantics("BroadcastTo")
def broadcast_to(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x stretched to a shape; an entry of -1 keeps the size."""
    x, target = args[0], int_list(args[1])
    lead = len(target) - x.ndim
    if lead < 0:
        ctx.fail("the shape has fewer axes than x", found=target, expected=f"rank ≥ {x.ndim}")
    shape = [x.shape[i - lead] if n == -1 and i >= lead else n for i, n in enumerate(target)]
    try:
        return np.broadcast_to(x, shape)
    except ValueError:
        ctx.fail("x does not stretch to the shape", code="GX-221", found=x.shape, expected=shape)


@semantics("SelectV2")
def select_v2(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """then where the condition holds, else `else`; all broadcast."""
    condition, then, other = args
    return np.where(condition, then, other)


@semantics("Select")
def select(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Like SelectV2 without broadcast; a vector condition chooses along the first axis."""
    condition, x1, x2 = args
    if condition.ndim == 1 and x1.ndim > 1:
        condition = condition.reshape(-1, *(1,) * (x1.ndim - 1))
    return np.where(condition, x1, x2)


def stretched(a: Array, rank: int, axis: int) -> Array:
    """A vector laid along one axis of a tensor of `rank` axes."""
    shape = [1] * rank
    shape[axis] = -1
    return widen(a).reshape(shape)


_binary("Atan2", np.arctan2)
