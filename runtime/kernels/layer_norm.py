"""Kernels of normalisation by the statistics of each sample, on ND.

Rows are what is normalised together. Their statistics come from sums of values and of squares about
the first value of the row, in double precision.
"""

from __future__ import annotations

import numpy as np

from runtime.kernels.registry import Call, View, kernel
from runtime.kernels.unary import convert
from runtime.kernels.views import logical, store


def _rows(x: np.ndarray, rank: int) -> np.ndarray:
    """x in double precision as [rows, elements], the last `rank` dims together."""
    size = int(np.prod(x.shape[x.ndim - rank :]))
    return x.astype(np.float64).reshape(int(np.prod(x.shape[: x.ndim - rank])), size)


def moments(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and variance of each row, [rows, 1]."""
    with np.errstate(all="ignore"):
        start = rows[:, :1] if rows.shape[1] else np.full((rows.shape[0], 1), np.nan)
        # about an infinity every difference is lost, though the mean need not be
        start = np.where(np.isinf(start), 0, start)
        moved = rows - start
        size = np.float64(rows.shape[1])
        first = moved.sum(axis=1, keepdims=True) / size
        second = np.einsum("ij,ij->i", moved, moved)[:, None] / size
        return start + first, np.maximum(second - first * first, 0)


def _scaled(value: np.ndarray, gamma: View | None, beta: View | None) -> np.ndarray:
    if gamma is not None:
        value = value * logical(gamma).astype(np.float64)
    return value if beta is None else value + logical(beta).astype(np.float64)


def _save(view: View, value: np.ndarray) -> None:
    store(view, convert(value.reshape(view.shape), view.data.dtype))


def _layer(call: Call, rank: int, gamma: int, kind: str) -> None:
    x = logical(call.arg(0))
    rows = _rows(x, rank)
    mean, variance = moments(rows)
    rstd = 1 / np.sqrt(variance + float(call.attrs["epsilon"]))
    y = (rows - mean) * rstd
    y = y.reshape(x.shape)
    _save(call.outs[0], _scaled(y, call.opt(gamma), call.opt(gamma + 1)))
    _save(call.outs[1], mean)
    _save(call.outs[2], variance if kind == "variance" else rstd)


@kernel("LayerNorm")
def layer_norm(call: Call) -> None:
    """Normalisation from an axis on, with mean and variance."""
    rank = len(call.arg(0).shape)
    _layer(call, rank - int(call.attrs["begin_norm_axis"]) % max(rank, 1), 1, "variance")


@kernel("LayerNormV3")
def layer_norm_v3(call: Call) -> None:
    """Normalisation from an axis on, with mean and inverse deviation."""
    rank = len(call.arg(0).shape)
    _layer(call, rank - int(call.attrs["begin_norm_axis"]) % max(rank, 1), 1, "rstd")


@kernel("LayerNormV4")
def layer_norm_v4(call: Call) -> None:
    """Normalisation over the dims of `normalized_shape`."""
    _layer(call, call.arg(1).data.size, 2, "rstd")


def _root_mean_square(call: Call, x: np.ndarray, gamma: View) -> None:
    rows = _rows(x, len(gamma.shape))
    mean = np.einsum("ij,ij->i", rows, rows)[:, None] / np.float64(rows.shape[1])
    rstd = 1 / np.sqrt(mean + float(call.attrs["epsilon"]))
    _save(call.outs[0], _scaled((rows * rstd).reshape(x.shape), gamma, None))
    _save(call.outs[1], rstd)


@kernel("RmsNorm")
def rms_norm(call: Call) -> None:
    """x over its root mean square."""
    _root_mean_square(call, logical(call.arg(0)), call.arg(1))


@kernel("AddRmsNorm")
def add_rms_norm(call: Call) -> None:
    """The sum, then RmsNorm of it."""
    a, b = (logical(call.arg(i)).astype(np.float64) for i in (0, 1))
    total = convert(a + b, call.outs[2].data.dtype)
    store(call.outs[2], total)
    _root_mean_square(call, total, call.arg(2))


@kernel("GroupNorm")
def group_norm(call: Call) -> None:
    """Rows are groups of channels."""
    x, groups = logical(call.arg(0)), int(call.attrs["num_groups"])
    n, c = x.shape[:2]
    rows = _rows(x.reshape(n, groups, -1) if x.size else np.zeros((n, groups, 0)), 1)
    mean, variance = moments(rows)
    y = ((rows - mean) / np.sqrt(variance + float(call.attrs["eps"]))).reshape(x.shape)
    shape = (c, *(1,) * (x.ndim - 2))
    gamma, beta = (logical(call.arg(i)).astype(np.float64).reshape(shape) for i in (1, 2))
    _save(call.outs[0], y * gamma + beta)
    _save(call.outs[1], mean)
    _save(call.outs[2], variance)


@kernel("InstanceNorm")
def instance_norm(call: Call) -> None:
    """Rows are the channels of a sample."""
    last = str(call.attrs["data_format"])[1] != "C"
    x = logical(call.arg(0))
    x = np.ascontiguousarray(np.moveaxis(x, -1, 1)) if last else x
    rows = _rows(x, x.ndim - 2)
    mean, variance = moments(rows)
    y = ((rows - mean) / np.sqrt(variance + float(call.attrs["epsilon"]))).reshape(x.shape)
    shape = (-1, *(1,) * (x.ndim - 2))
    gamma, beta = (logical(call.arg(i)).astype(np.float64).reshape(shape) for i in (1, 2))
    y = y * gamma + beta
    _save(call.outs[0], np.ascontiguousarray(np.moveaxis(y, 1, -1)) if last else y)
    _save(call.outs[1], mean)
    _save(call.outs[2], variance)


@kernel("L2Normalize")
def l2_normalize(call: Call) -> None:
    """x over the length of its vectors."""
    x = logical(call.arg(0)).astype(np.float64)
    over = tuple(int(a) for a in call.attrs["axis"]) or tuple(range(x.ndim))
    length = np.sqrt(np.maximum((x * x).sum(axis=over, keepdims=True), float(call.attrs["eps"])))
    _save(call.outs[0], x / length)
