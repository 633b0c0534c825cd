"""Golden meaning of the reductions.

The forms with a tensor of axes and with an attribute (`…D`) share their functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import (
    Array,
    axis_list,
    highest,
    lowest,
    truncate_div,
    widen,
)
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]
Axes = tuple[int, ...]
Fn = Callable[[Array, Axes, bool], Array]


def _sum(x: Array, axes: Axes, keep: bool) -> Array:
    if x.dtype.kind in "iu":  # exact modulo 2**64, wrapped to the dtype at the end
        return np.sum(x, axis=axes, keepdims=keep, dtype=x.dtype.kind + "8")
    return np.sum(x, axis=axes, keepdims=keep)


def _prod(x: Array, axes: Axes, keep: bool) -> Array:
    if x.dtype.kind in "iu":
        return np.prod(x, axis=axes, keepdims=keep, dtype=x.dtype.kind + "8")
    return np.prod(x, axis=axes, keepdims=keep)


def _mean(x: Array, axes: Axes, keep: bool) -> Array:
    count = int(np.prod([x.shape[a] for a in axes], dtype=np.int64))
    total = _sum(x, axes, keep)
    if x.dtype.kind in "iu":
        return truncate_div(total, np.asarray(count, total.dtype))
    return total / total.dtype.type(count)


def _max(x: Array, axes: Axes, keep: bool) -> Array:
    return np.max(x, axis=axes, keepdims=keep, initial=lowest(x.dtype))


def _min(x: Array, axes: Axes, keep: bool) -> Array:
    return np.min(x, axis=axes, keepdims=keep, initial=highest(x.dtype))


def _all(x: Array, axes: Axes, keep: bool) -> Array:
    return np.all(x, axis=axes, keepdims=keep)


def _any(x: Array, axes: Axes, keep: bool) -> Array:
    return np.any(x, axis=axes, keepdims=keep)


def reduction_axes(axes: Any, rank: int, attrs: Attrs, tensor_form: bool, ctx: Context) -> Axes:
    """Axes to reduce. No axes mean none with noop_with_empty_axes, all without it.

    Operators that lack the attribute: none in the tensor form, all in the attribute form.
    """
    listed = axis_list(axes, rank, ctx)
    if listed or attrs.get("noop_with_empty_axes", tensor_form):
        return listed
    return tuple(range(rank))


def _reduction(op_type: str, fn: Fn) -> None:
    def run(x: Array, axes: Axes, attrs: Attrs) -> Array:
        wide = x != 0 if fn in (_all, _any) and x.dtype != bool else widen(x)
        if not axes:
            return wide
        return fn(wide, axes, attrs["keep_dims"])

    @semantics(op_type)
    def with_tensor(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
        return run(args[0], reduction_axes(args[1], args[0].ndim, attrs, True, ctx), attrs)

    @semantics(op_type + "D")
    def with_attribute(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
        return run(args[0], reduction_axes(attrs["axes"], args[0].ndim, attrs, False, ctx), attrs)


for _op_type, _fn in {
    "ReduceSum": _sum,
    "ReduceProd": _prod,
    "ReduceMean": _mean,
    "ReduceMax": _max,
    "ReduceMin": _min,
    "ReduceAll": _all,
    "ReduceAny": _any,
}.items():
    _reduction(_op_type, _fn)


@semantics("ReduceLogSumExp")
def reduce_log_sum_exp(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Logarithm of the sum of exponentials, relative to the largest finite element."""
    x = widen(args[0])
    axes = reduction_axes(args[1], x.ndim, attrs, True, ctx)
    if not axes:
        return x
    top = np.max(x, axis=axes, keepdims=True, initial=-np.inf)
    top = np.where(np.isfinite(top), top, 0).astype(x.dtype)
    total = np.log(np.sum(np.exp(x - top), axis=axes, keepdims=True)) + top
    return total if attrs["keep_dims"] else total.squeeze(axes)
