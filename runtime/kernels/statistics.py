"""Kernels of norms, deviations and other reductions of several steps, on ND.

What is reduced together is a row, in double precision.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from runtime.kernels.refusal import refuse_where
from runtime.kernels.registry import Call, kernel
from runtime.kernels.unary import convert
from runtime.kernels.views import is_float, logical, store


def _rows(x: np.ndarray, axes: Sequence[int]) -> np.ndarray:
    """[what is left, what is reduced]; no axes mean all."""
    over = sorted({int(a) % x.ndim for a in axes}) if axes else list(range(x.ndim))
    order = [a for a in range(x.ndim) if a not in over] + over
    left = math.prod(x.shape[a] for a in order[: x.ndim - len(over)])
    size = math.prod(x.shape[a] for a in over)
    return np.ascontiguousarray(np.transpose(x, order)).reshape(left, size)


def _wide(call: Call, name: str) -> np.ndarray:
    return _rows(logical(call.arg(0)).astype(np.float64), call.attrs.get(name, ()))


def _save(call: Call, index: int, value: np.ndarray) -> None:
    out = call.outs[index]
    store(out, convert(value.reshape(out.shape), out.data.dtype))


def _dots(rows: np.ndarray) -> np.ndarray:
    return np.einsum("ij,ij->i", rows, rows)


@kernel("LpNorm", "LpNormV2")
def lp_norm(call: Call) -> None:
    """Powers of rows, added up in double precision."""
    rows, p = np.abs(_wide(call, "axes")), call.attrs.get("p", 2)
    if isinstance(p, int) and abs(p) >= 2**31 - 1:
        p = math.copysign(math.inf, p)
    with np.errstate(all="ignore"):
        if p == math.inf:
            y = np.maximum.reduce(rows, axis=1, initial=0)
        elif p == -math.inf:
            y = np.minimum.reduce(rows, axis=1, initial=np.inf)
        elif p == 0:
            y = np.add.reduce((rows != 0).astype(np.float64), axis=1)
        else:
            y = np.add.reduce(rows**p, axis=1) ** (1 / p)
    _save(call, 0, np.maximum(y, float(np.float32(call.attrs.get("epsilon", 1e-12)))))


@kernel("SquareSumV1")
def square_sum_v1(call: Call) -> None:
    """Each row with itself."""
    _save(call, 0, _dots(_wide(call, "axis")))


@kernel("ReduceLogSum")
def reduce_log_sum(call: Call) -> None:
    """Rows added up; without axes every element is one."""
    axes = call.ints(1)
    x = logical(call.arg(0)).astype(np.float64)
    rows = _rows(x, axes) if axes else x.reshape(-1, 1)
    with np.errstate(all="ignore"):
        _save(call, 0, np.log(rows @ np.ones(rows.shape[1])))


@kernel("ReduceMeanWithCast")
def reduce_mean_with_cast(call: Call) -> None:
    """Integers by their exact sum, truncated."""
    x, out = logical(call.arg(0)), call.outs[0]
    x = convert(np.ascontiguousarray(x), out.data.dtype)
    axes = call.ints(1)
    if not axes and call.attrs.get("noop_with_empty_axes", True):
        store(out, x)
        return
    if is_float(x.dtype):
        rows = _rows(x.astype(np.float64), axes)
        with np.errstate(all="ignore"):
            _save(call, 0, rows @ np.ones(rows.shape[1]) / np.float64(rows.shape[1]))
        return
    rows = _rows(x, axes)
    wide = np.uint64 if x.dtype.kind == "u" else np.int64
    total = np.add.reduce(rows, axis=1, dtype=wide)
    count = rows.shape[1]
    rest = np.fmod(total, wide(count)) if count else np.zeros_like(total)
    y = (total - rest) // wide(max(count, 1))
    store(out, y.astype(out.data.dtype).reshape(out.shape))


@kernel("ReduceStdV2")
def reduce_std_v2(call: Call) -> None:
    """Moments about the first value of each row."""
    rows = _wide(call, "dim")
    size = np.float64(rows.shape[1])
    less = max(rows.shape[1] - int(call.attrs.get("correction", 1)), 0)
    with np.errstate(all="ignore"):
        start = rows[:, :1] if rows.shape[1] else np.zeros((rows.shape[0], 1))
        start = np.where(np.isinf(start), 0, start)
        moved = rows - start
        first = moved @ np.ones(rows.shape[1]) / size
        mean = start[:, 0] + first
        centred = moved - first[:, None]
        _save(call, 0, np.sqrt(_dots(centred) / np.float64(less)))
    _save(call, 1, mean)


@kernel("ReduceStdWithMean")
def reduce_std_with_mean(call: Call) -> None:
    """Squares about the given mean."""
    message = "an inverted deviation is not evaluated"
    refuse_where(call.attrs.get("invert"), message, found=True, expected=False)
    x = logical(call.arg(0)).astype(np.float64)
    mean = np.broadcast_to(logical(call.arg(1)).astype(np.float64), x.shape)
    rows = _rows(x - mean, call.attrs.get("dim", ()))
    less = int(call.attrs.get("correction", 1)) if call.attrs.get("unbiased", True) else 0
    with np.errstate(all="ignore"):
        _save(call, 0, np.sqrt(_dots(rows) / np.float64(max(rows.shape[1] - less, 0))))
