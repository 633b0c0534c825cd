"""Golden meaning of extremes' positions, sorting and distinct values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, axis_order, scalar, widen
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


def _one_axis(x: Array, axis: int, ctx: Context) -> int:
    return axis_order([axis], x.ndim, ctx)[0]


@semantics("ArgMaxV2")
def arg_max(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """First position of the largest element."""
    axis = _one_axis(args[0], scalar(args[1], "dimension", ctx), ctx)
    return np.argmax(widen(args[0]), axis=axis)


@semantics("ArgMin")
def arg_min(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """First position of the smallest element."""
    axis = _one_axis(args[0], scalar(args[1], "dimension", ctx), ctx)
    return np.argmin(widen(args[0]), axis=axis)


def order(x: Array, axis: int, descending: bool) -> Array:
    """Positions in order along an axis; equals keep theirs, NaN is the largest."""
    wide = widen(x)
    if not descending:
        return np.argsort(wide, axis=axis, kind="stable")
    back = np.argsort(np.flip(wide, axis), axis=axis, kind="stable")
    return x.shape[axis] - 1 - np.flip(back, axis)


def _top(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array]:
    x, k = args[0], scalar(args[1], "k", ctx)
    axis = _one_axis(x, attrs["dim"], ctx)
    if not 0 <= k <= x.shape[axis]:
        ctx.fail("k is not a size of the axis", found=k, expected=f"0 … {x.shape[axis]}")
    first = np.take(order(x, axis, attrs["largest"]), np.arange(k), axis=axis)
    return np.take_along_axis(x, first, axis), first


@semantics("TopK", "TopKV2")
def top_k(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array]:
    """The first k of the sorted elements, with their positions."""
    return _top(args, attrs, ctx)


@semantics("Sort")
def sort(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array]:
    """All elements in order, with their positions."""
    x = args[0]
    axis = _one_axis(x, attrs["axis"], ctx)
    places = order(x, axis, attrs["descending"])
    return np.take_along_axis(x, places, axis), places


def distinct(x: Array) -> tuple[Array, Array, Array]:
    """First place of each distinct value in order of occurrence, where each went, how often."""
    wide = widen(x)
    _, first, inverse, count = np.unique(
        wide, return_index=True, return_inverse=True, return_counts=True, equal_nan=False
    )
    by_place = np.argsort(first, kind="stable")
    rank = np.empty_like(by_place)
    rank[by_place] = np.arange(by_place.size)
    return first[by_place], rank[inverse.reshape(-1)], count[by_place]


@semantics("Unique")
def unique(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array]:
    """Distinct values in order of occurrence, and where each element went."""
    first, where, _ = distinct(args[0])
    return args[0][first], where


@semantics("UniqueWithCounts")
def unique_with_counts(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """Unique, and how often each value occurs."""
    first, where, count = distinct(args[0])
    return args[0][first], where, count


@semantics("UniqueWithCountsAndSorting")
def unique_with_counts_and_sorting(
    args: list[Any], attrs: Attrs, ctx: Context
) -> tuple[Array, ...]:
    """Distinct elements in order, and what else is asked for."""
    x, nothing = args[0].reshape(-1), np.zeros(0, np.int64)
    first, where, count = distinct(x)
    if attrs["sorted"]:
        rising = order(x[first], 0, False)
        rank = np.empty_like(rising)
        rank[rising] = np.arange(rising.size)
        first, where, count = first[rising], rank[where], count[rising]
    return (
        x[first],
        where.reshape(args[0].shape) if attrs["return_inverse"] else nothing,
        count if attrs["return_counts"] else nothing,
    )


def _with_value(args: list[Any], attrs: Attrs, ctx: Context, fn: Any) -> tuple[Array, Array]:
    x = args[0]
    axis = _one_axis(x, attrs["dimension"], ctx)
    place = np.expand_dims(fn(widen(x), axis=axis), axis)
    value = np.take_along_axis(x, place, axis)
    if not attrs["keep_dims"]:
        place, value = place.squeeze(axis), value.squeeze(axis)
    return place, value


@semantics("ArgMaxWithValue")
def arg_max_with_value(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array]:
    """First position of the largest element, and the element."""
    return _with_value(args, attrs, ctx, np.argmax)


@semantics("ArgMinWithValue")
def arg_min_with_value(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array]:
    """First position of the smallest element, and the element."""
    return _with_value(args, attrs, ctx, np.argmin)
