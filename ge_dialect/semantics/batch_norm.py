"""Golden meaning of batch normalisation in training. Statistics and factors are formed in f64."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.broadcast import channel_axis, stretched
from ge_dialect.semantics.context import Context, Ref
from ge_dialect.semantics.norm import normalise
from ge_dialect.semantics.numerics import F64, Array, finish, widen
from ge_dialect.semantics.registry import semantics
from ge_dialect.semantics.variables import held

Attrs = Mapping[str, Any]


def _over(rank: int, axis: int = 1) -> tuple[int, ...]:
    return tuple(a for a in range(rank) if a != axis)


def _sums(values: Array, axis: int = 1) -> Array:
    """One sum per channel, in f64."""
    return np.asarray(np.sum(values, axis=_over(values.ndim, axis), dtype=F64))


def _count(x: Array, axis: int = 1) -> int:
    return int(np.prod([x.shape[a] for a in _over(x.ndim, axis)], dtype=np.int64))


def _rstd(variance: Array, epsilon: float) -> Array:
    return 1 / np.sqrt(variance.astype(F64) + epsilon)


def _unbiased(count: int) -> float:
    return count / (count - 1) if count > 1 else 0.0


def _move(cell: Ref, new: Array, share: float, ctx: Context) -> None:
    """The cell becomes share · new + (1 - share) · what it was."""
    old = held(cell, ctx)
    cell.value = finish(share * new + (1 - share) * widen(old).astype(F64), old.dtype)


@semantics("BNInference")
def bn_inference(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """By statistics as they are with scale and offset, divided by momentum without."""
    x, mean, variance, momentum = (widen(a) for a in args[:4])
    if args[4] is not None:
        scale, offset = widen(args[4]), widen(args[5])
    else:
        first = float(momentum.reshape(-1)[0])
        factor = 0.0 if first == 0 else 1 / first
        mean, variance = mean.astype(F64) * factor, variance.astype(F64) * factor
        scale, offset = np.ones(mean.shape), np.zeros(mean.shape)
    return normalise(x, mean, variance, scale, offset, attrs["epsilon"], 1)


@semantics("BNTrainingReduce")
def bn_training_reduce(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array]:
    """Sums of the values and of their squares."""
    x = widen(args[0]).astype(F64)
    return _sums(x), _sums(np.square(x))


def _by_sums(args: list[Any], attrs: Attrs) -> tuple[Array, Array, Array]:
    """x normalised by its sums, the mean and the variance, a difference of two means."""
    x, total, squares, scale, offset = args
    wide, count = widen(x), _count(x)
    mean = total.astype(F64) / count
    variance = squares.astype(F64) / count - mean * mean
    return normalise(wide, mean, variance, scale, offset, attrs["epsilon"], 1), mean, variance


@semantics("BNTrainingUpdateV2")
def bn_training_update_v2(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """Mean and variance from the sums."""
    return _by_sums(args, attrs)


@semantics("BNTrainingUpdate")
def bn_training_update(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Any, ...]:
    """Mean and variance from the sums, which move the running ones."""
    *tensors, mean_cell, variance_cell = args
    y, mean, variance = _by_sums(tensors, attrs)
    count = _count(args[0])
    _move(mean_cell, mean, attrs["factor"], ctx)
    _move(variance_cell, variance * _unbiased(count), attrs["factor"], ctx)
    return y, mean_cell, variance_cell, mean, variance


def _standard(x: Array, mean: Array, rstd: Array, axis: int = 1) -> Array:
    """(x - mean) · rstd in f64."""
    wide = widen(x).astype(F64)
    return (wide - stretched(mean.astype(F64), x.ndim, axis)) * stretched(rstd, x.ndim, axis)


def _data_gradient(
    grads: Array, standard: Array, diff: tuple[Array, Array], factor: Array, axis: int = 1
) -> Array:
    """factor · (grads - mean of grads - standard · mean of grads · standard)."""
    count = _count(grads, axis)
    scale, offset = (stretched(d.astype(F64) / count, grads.ndim, axis) for d in diff)
    inner = widen(grads).astype(F64) - offset - standard * scale
    return stretched(factor, grads.ndim, axis) * inner


@semantics("BNTrainingUpdateGrad")
def bn_training_update_grad(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array]:
    """Sums of grads · standardised x and of grads."""
    grads, x, mean, variance = args
    standard = _standard(x, mean, _rstd(variance, attrs["epsilon"]))
    wide = widen(grads).astype(F64)
    return _sums(wide * standard), _sums(wide)


@semantics("BNTrainingReduceGrad")
def bn_training_reduce_grad(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The gradient of x with the sums at hand."""
    grads, x, diff_scale, diff_offset, scale, mean, variance = args
    rstd = _rstd(variance, attrs["epsilon"])
    standard = _standard(x, mean, rstd)
    factor = scale.astype(F64) * rstd
    return _data_gradient(grads, standard, (diff_scale, diff_offset), factor)


@semantics("BNInferGrad")
def bn_infer_grad(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """grads times the factor of the normalisation."""
    grads, scale, variance = args
    factor = scale.astype(F64) * _rstd(variance, attrs["epsilon"])
    return widen(grads).astype(F64) * stretched(factor, grads.ndim, 1)


def _gradients(
    grads: Array, x: Array, scale: Array, mean: Array, rstd: Array, training: bool, axis: int
) -> tuple[Array, Array, Array]:
    standard, wide = _standard(x, mean, rstd, axis), widen(grads).astype(F64)
    diff_scale, diff_offset = _sums(wide * standard, axis), _sums(wide, axis)
    factor = widen(scale).astype(F64) * rstd
    if training:
        dx = _data_gradient(grads, standard, (diff_scale, diff_offset), factor, axis)
    else:
        dx = wide * stretched(factor, grads.ndim, axis)
    return dx, diff_scale, diff_offset


@semantics("BatchNormGrad")
def batch_norm_grad(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """Gradients of x, scale and offset."""
    grads, x, scale, mean, variance = args[:5]
    axis = channel_axis(attrs["data_format"], x.ndim)
    rstd = _rstd(variance, attrs["epsilon"])
    found = _gradients(grads, x, scale, mean, rstd, attrs["is_training"], axis)
    none = np.zeros(0, scale.dtype)
    return (*found, none, none)


@semantics("BatchNormGradV3")
def batch_norm_grad_v3(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """Gradients of x, weight and bias."""
    grads, x, weight, running_mean, running_var, mean, rstd = args
    if not attrs["is_training"]:
        mean, rstd = widen(running_mean), _rstd(widen(running_var), attrs["epsilon"])
    return _gradients(grads, x, weight, mean, rstd.astype(F64), attrs["is_training"], 1)


@semantics("BatchNormV3")
def batch_norm_v3(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Any, ...]:
    """By the statistics of the batch, or by the running ones."""
    x, weight, bias, mean_cell, variance_cell = args
    wide, count = widen(x), _count(x)
    if attrs["is_training"]:
        mean = _sums(wide) / count
        variance = _sums(np.square(wide.astype(F64) - stretched(mean, x.ndim, 1))) / count
        _move(mean_cell, mean, attrs["momentum"], ctx)
        _move(variance_cell, variance * _unbiased(count), attrs["momentum"], ctx)
    else:
        mean, variance = (widen(held(c, ctx)).astype(F64) for c in (mean_cell, variance_cell))
    y = normalise(wide, mean, variance, widen(weight), widen(bias), attrs["epsilon"], 1)
    return y, mean_cell, variance_cell, mean, _rstd(variance, attrs["epsilon"])
