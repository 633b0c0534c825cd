"""Golden meaning of coordinates, masks, triangles, one-hot codes and sequences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.infer.ranges import range_length
from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, axis_list, axis_order, scalar, widen, working_dtype
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


def _coordinates(x: Array) -> Array:
    return np.argwhere(widen(x))


@semantics("Where")
def where(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Coordinates of the elements that are true, a row each."""
    return _coordinates(args[0])


@semantics("NonZero")
def non_zero(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Coordinates of the elements that are not zero."""
    found = _coordinates(args[0])
    return found.T if attrs["transpose"] else found


@semantics("MaskedSelect")
def masked_select(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The elements where the mask is true."""
    x, mask = np.broadcast_arrays(*args)
    return x[mask]


@semantics("MaskedFill")
def masked_fill(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """One value where the mask is true."""
    x, mask, value = args
    return np.where(mask, value.reshape(()), x)


@semantics("OneHot")
def one_hot(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """On where the position along the new axis is the index."""
    x, on, off = args[0], args[2].reshape(()), args[3].reshape(())
    depth = scalar(args[1], "depth", ctx)
    if depth < 0:
        ctx.fail("depth must not be negative", found=depth, expected="≥ 0")
    axis = axis_order([attrs["axis"]], x.ndim + 1, ctx)[0]
    classes = np.arange(depth).reshape([depth if i == axis else 1 for i in range(x.ndim + 1)])
    return np.where(np.expand_dims(x, axis) == classes, on, off)


@semantics("Range")
def range_(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """start + i · delta; narrow floats are computed in f32."""
    start, limit, delta = (a.reshape(-1)[0] for a in args)
    if delta == 0:
        ctx.fail("delta must not be zero", found=0, expected="≠ 0")
    count = range_length(start, limit, delta, attrs["is_closed"])
    if count is None:
        ctx.fail("the range has no sensible length", found=f"{start} {limit} {delta}")
    dtype = working_dtype(args[0].dtype)
    return dtype.type(start) + np.arange(count).astype(dtype) * dtype.type(delta)


def _triangle(x: Array, k: int, lower: bool) -> Array:
    rows, columns = x.shape[-2:]
    below = np.arange(columns)[None, :] - np.arange(rows)[:, None] - k
    return np.where(below <= 0 if lower else below >= 0, x, np.zeros((), x.dtype))


@semantics("Tril")
def tril(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Zeros above a diagonal."""
    return _triangle(args[0], attrs["diagonal"], True)


@semantics("Triu")
def triu(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Zeros below a diagonal."""
    return _triangle(args[0], attrs["diagonal"], False)


@semantics("ReverseV2")
def reverse_v2(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The order along some axes reversed."""
    return np.flip(args[0], axis_list(args[1], args[0].ndim, ctx))
