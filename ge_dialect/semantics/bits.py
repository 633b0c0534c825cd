"""Golden meaning of shifts and of bytes read as another dtype."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.dtypes import numpy_dtype
from ge_dialect.ir.types import elem_of
from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


def _outside(count: Array, width: int) -> Array:
    return (count < 0) | (count >= width)


@semantics("LeftShift")
def left_shift(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x times a power of two; nothing is left where the count reaches the width."""
    x, count = np.broadcast_arrays(*args)
    width = x.dtype.itemsize * 8
    safe = np.clip(count, 0, width - 1).astype(x.dtype)
    return np.where(_outside(count, width), np.zeros((), x.dtype), np.left_shift(x, safe))


@semantics("RightShift")
def right_shift(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x divided by a power of two, rounded down."""
    x, count = np.broadcast_arrays(*args)
    width = x.dtype.itemsize * 8
    safe = np.clip(count, 0, width - 1).astype(x.dtype)
    gone = np.where(x < 0, -1, 0).astype(x.dtype)
    return np.where(_outside(count, width), gone, np.right_shift(x, safe))


@semantics("Bitcast")
def bitcast(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The same bytes, least significant first, as another dtype."""
    x = args[0]
    if ctx.arg_types:  # a shadow run holds floats in f64
        x = x.astype(numpy_dtype(elem_of(ctx.arg_types[0])), copy=False)
    target = numpy_dtype(attrs["type"])
    old, new = x.dtype.itemsize, target.itemsize
    flat = np.ascontiguousarray(x).reshape(-1).view(target)
    if old == new:
        return flat.reshape(x.shape)
    if not attrs["keep_dim"]:
        return flat.reshape((*x.shape, old // new) if new < old else x.shape[:-1])
    last = x.shape[-1] * old // new
    return flat.reshape(*x.shape[:-1], last)
