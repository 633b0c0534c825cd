"""Reduction kernels: on ND, and over whole spatial axes on NC1HWC0."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from runtime.kernels.registry import Call, View, kernel
from runtime.kernels.views import clear_padding, is_float, logical, origin_of, store, wide

Reducer = Callable[..., np.ndarray]


def _sum(x: np.ndarray, axis: tuple[int, ...], keepdims: bool) -> np.ndarray:
    return x.sum(axis=axis, keepdims=keepdims, dtype=x.dtype)


def _prod(x: np.ndarray, axis: tuple[int, ...], keepdims: bool) -> np.ndarray:
    return x.prod(axis=axis, keepdims=keepdims, dtype=x.dtype)


def _mean(x: np.ndarray, axis: tuple[int, ...], keepdims: bool) -> np.ndarray:
    count = int(np.prod([x.shape[a] for a in axis], dtype=np.int64))
    if is_float(x.dtype) or x.dtype.kind == "c":
        if count == 0:  # 0 / 0, of which `mean` would warn
            with np.errstate(invalid="ignore"):
                return _sum(x, axis, keepdims) / np.zeros((), x.dtype)
        return x.mean(axis=axis, keepdims=keepdims, dtype=x.dtype)
    total = x.sum(axis=axis, keepdims=keepdims, dtype=np.int64)
    return (np.sign(total) * (np.abs(total) // max(count, 1))).astype(x.dtype)


def _extreme(function: np.ufunc, lowest: bool) -> Reducer:
    def run(x: np.ndarray, axis: tuple[int, ...], keepdims: bool) -> np.ndarray:
        if is_float(x.dtype):
            start: float = -np.inf if lowest else np.inf
        elif x.dtype.kind == "b":
            start = not lowest
        else:
            info = np.iinfo(x.dtype)
            start = info.min if lowest else info.max
        return function.reduce(x, axis=axis, keepdims=keepdims, initial=start)

    return run


def _all(x: np.ndarray, axis: tuple[int, ...], keepdims: bool) -> np.ndarray:
    return np.asarray(x.all(axis=axis, keepdims=keepdims))


def _any(x: np.ndarray, axis: tuple[int, ...], keepdims: bool) -> np.ndarray:
    return np.asarray(x.any(axis=axis, keepdims=keepdims))


_REDUCERS: dict[str, Reducer] = {
    "ReduceSum": _sum,
    "ReduceProd": _prod,
    "ReduceMean": _mean,
    "ReduceMax": _extreme(np.maximum, True),
    "ReduceMin": _extreme(np.minimum, False),
    "ReduceAll": _all,
    "ReduceAny": _any,
}


def _axes(axes: Sequence[int], rank: int, empty_is_none: bool) -> tuple[int, ...]:
    chosen = tuple(sorted({int(a) % rank for a in axes})) if rank else ()
    if chosen or empty_is_none:
        return chosen
    return tuple(range(rank))


def _run(call: Call, reducer: Reducer, axes: Sequence[int], empty_is_none: bool) -> None:
    x, y = call.arg(0), call.outs[0]
    chosen = _axes(axes, len(x.shape), empty_is_none)
    keep = bool(call.attrs.get("keep_dims", False))
    blocked = _storage_axes(x, y, chosen) if keep and chosen else None
    if blocked is not None:
        y.data[...] = reducer(wide(x.data), axis=blocked, keepdims=True)
        clear_padding(y)
        return
    value = wide(logical(x))
    if not chosen:
        store(y, value)
        return
    # The result's own shape decides, not `keep_dims`: both hold the same elements in one order.
    store(y, np.asarray(reducer(value, axis=chosen, keepdims=keep)).reshape(y.shape))


_BLOCKED = {"N": 0, "H": 2, "W": 3}


def _storage_axes(x: View, y: View, axes: tuple[int, ...]) -> tuple[int, ...] | None:
    """The axes in NC1HWC0 storage, None when C is reduced or the layout is another."""
    if x.format != "NC1HWC0" or y.format != "NC1HWC0" or len(x.shape) != 4:
        return None
    letters = [origin_of(x)[a] for a in axes]
    return None if "C" in letters else tuple(_BLOCKED[letter] for letter in letters)


def _register(name: str, reducer: Reducer) -> None:
    @kernel(name, layouts=("NC1HWC0", "ND"))
    def run(call: Call) -> None:
        # No axes: nothing is reduced, unless the operator has an attribute that says otherwise.
        noop = bool(call.attrs.get("noop_with_empty_axes", True))
        _run(call, reducer, call.ints(1), noop)

    @kernel(name + "D", layouts=("NC1HWC0", "ND"))
    def run_d(call: Call) -> None:
        noop = bool(call.attrs.get("noop_with_empty_axes", False))
        _run(call, reducer, call.attrs["axes"], noop)


for _name, _reducer in _REDUCERS.items():
    _register(_name, _reducer)


@kernel("ReduceLogSumExp")
def reduce_log_sum_exp(call: Call) -> None:
    """Pairwise log(exp a + exp b) over the reduced elements, one after the other."""
    x, out = wide(logical(call.arg(0))).astype(np.float64), call.outs[0]
    listed = [a % x.ndim for a in call.ints(1)]
    if not listed and not call.attrs.get("noop_with_empty_axes", False):
        listed = list(range(x.ndim))
    if not listed:
        store(out, x.reshape(out.shape))
        return
    kept = [a for a in range(x.ndim) if a not in listed]
    size = int(np.prod([x.shape[a] for a in listed]))
    rows = x.transpose(*kept, *listed).reshape(*[x.shape[a] for a in kept], size)
    total = np.full(rows.shape[:-1], -np.inf)
    for i in range(rows.shape[-1]):
        total = np.logaddexp(total, rows[..., i])
    store(out, total.reshape(out.shape))
