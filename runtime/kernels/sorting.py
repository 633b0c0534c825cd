"""Kernels of extremes' positions and of order, on ND."""

from __future__ import annotations

import numpy as np

from runtime.kernels.registry import Call, kernel
from runtime.kernels.views import is_float, logical, store, wide


def _dense_ranks(x: np.ndarray) -> np.ndarray:
    """For each element the number of distinct smaller ones; a NaN is above all."""
    _, ranks = np.unique(wide(x), return_inverse=True)
    return ranks.reshape(x.shape)


def _place(x: np.ndarray, axis: int, *, largest: bool) -> np.ndarray:
    best = x.max(axis=axis, keepdims=True) if largest else x.min(axis=axis, keepdims=True)
    hit = x == best
    if is_float(x.dtype) or x.dtype.kind == "c":
        hit |= np.isnan(best) & np.isnan(x)
    steps = np.arange(x.shape[axis]).reshape([-1 if i == axis else 1 for i in range(x.ndim)])
    return np.where(hit, steps, x.shape[axis]).min(axis=axis, keepdims=True)


def _position(call: Call, *, largest: bool) -> None:
    x = wide(logical(call.arg(0)))
    axis = call.ints(1)[0] % x.ndim
    store(call.outs[0], _place(x, axis, largest=largest).squeeze(axis))


def _with_value(call: Call, *, largest: bool) -> None:
    x, out = logical(call.arg(0)), call.outs[0]
    axis = int(call.attrs["dimension"]) % x.ndim
    place = _place(wide(x), axis, largest=largest)
    store(out, place.reshape(out.shape))
    store(call.outs[1], np.take_along_axis(x, place, axis).reshape(out.shape))


@kernel("ArgMaxWithValue")
def arg_max_with_value(call: Call) -> None:
    """The first place that holds the maximum, and what stands there."""
    _with_value(call, largest=True)


@kernel("ArgMinWithValue")
def arg_min_with_value(call: Call) -> None:
    """The first place that holds the minimum, and what stands there."""
    _with_value(call, largest=False)


@kernel("ArgMaxV2")
def arg_max(call: Call) -> None:
    """The first place that holds the maximum."""
    _position(call, largest=True)


@kernel("ArgMin")
def arg_min(call: Call) -> None:
    """The first place that holds the minimum."""
    _position(call, largest=False)


def _order(x: np.ndarray, axis: int, *, descending: bool) -> np.ndarray:
    """Places in order, equals by place: sorted by one integer key without equals."""
    ranks = _dense_ranks(x)
    size = x.shape[axis]
    steps = np.arange(size).reshape([-1 if i == axis else 1 for i in range(x.ndim)])
    keys = (-ranks if descending else ranks) * max(size, 1) + steps
    return np.sort(keys, axis=axis) % max(size, 1)


@kernel("TopK", "TopKV2")
def top_k(call: Call) -> None:
    """The first k places in order and what stands there."""
    x = logical(call.arg(0))
    axis = int(call.attrs.get("dim", -1)) % x.ndim
    count = call.ints(1)[0]
    order = _order(x, axis, descending=bool(call.attrs.get("largest", True)))
    first = order[tuple(slice(count) if i == axis else slice(None) for i in range(x.ndim))]
    store(call.outs[0], np.take_along_axis(x, first, axis))
    store(call.outs[1], first)


@kernel("Sort")
def sort(call: Call) -> None:
    """All places in order and what stands there."""
    x = logical(call.arg(0))
    axis = int(call.attrs.get("axis", -1)) % x.ndim
    order = _order(x, axis, descending=bool(call.attrs.get("descending", False)))
    store(call.outs[0], np.take_along_axis(x, order, axis))
    store(call.outs[1], order)
