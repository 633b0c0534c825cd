"""Golden meaning of the normalisations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.broadcast import channel_axis, stretched
from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import F64, Array, widen
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


def normalise(
    x: Array, mean: Array, variance: Array, scale: Array, offset: Array, epsilon: float, axis: int
) -> Array:
    """(x - mean) * (scale / sqrt(variance + epsilon)) + offset with vectors along `axis`.

    The factor is formed in f64. x is not changed.
    """
    factor = scale.astype(F64) / np.sqrt(variance.astype(F64) + epsilon)
    y = x - stretched(mean, x.ndim, axis).astype(x.dtype)
    y *= stretched(factor, x.ndim, axis).astype(x.dtype)
    y += stretched(offset, x.ndim, axis).astype(x.dtype)
    return y


@semantics("BNInfer")
def bn_infer(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Normalisation by given statistics; channels are axis 1."""
    x, scale, offset, mean, variance = args
    return normalise(widen(x), mean, variance, scale, offset, attrs["epsilon"], 1)


@semantics("BatchNorm")
def batch_norm(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """Normalisation by given statistics, or in training by those of the batch.

    Results: y; the mean and variance to go on with (in training moved towards the batch's by
    exponential_avg_factor, the batch variance counting n - 1); the mean and variance that y was
    made with; the last result repeats that variance.
    """
    x, scale, offset, mean, variance = args
    wide = widen(x)
    axis = channel_axis(attrs["data_format"], x.ndim)
    epsilon = attrs["epsilon"]
    if not attrs["is_training"]:
        y = normalise(wide, mean, variance, scale, offset, epsilon, axis)
        return y, mean, variance, mean, variance, variance
    over = tuple(i for i in range(x.ndim) if i != axis)
    count = int(np.prod([x.shape[i] for i in over], dtype=np.int64))
    used_mean = np.asarray(np.sum(wide, axis=over, dtype=F64) / count)
    centred = wide - stretched(used_mean, x.ndim, axis)
    used_variance = np.asarray(np.sum(np.square(centred), axis=over, dtype=F64) / count)
    y = normalise(wide, used_mean, used_variance, scale, offset, epsilon, axis)
    next_mean, next_variance = used_mean, used_variance * (count / max(count - 1, 1))
    factor = attrs["exponential_avg_factor"]
    if factor != 1.0 and mean is not None and variance is not None:
        next_mean = (1 - factor) * mean.astype(F64) + factor * next_mean
        next_variance = (1 - factor) * variance.astype(F64) + factor * next_variance
    stats = (next_mean, next_variance, used_mean, used_variance, used_variance)
    return (y, *(s.astype(scale.dtype) for s in stats))


@semantics("LRN")
def lrn(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x / (bias + alpha * sum of squares over 2 * depth_radius + 1 channels) ** beta.

    Channels are axis 1; the sum leaves out channels beyond the ends.
    """
    x = widen(args[0])
    radius, channels = min(attrs["depth_radius"], x.shape[1]), x.shape[1]
    squares = np.square(x)
    total = squares.copy()
    for d in range(1, radius + 1):
        if d < channels:
            total[:, d:] += squares[:, :-d]
            total[:, :-d] += squares[:, d:]
    t = x.dtype.type
    total *= t(attrs["alpha"])
    total += t(attrs["bias"])
    return x * _inverse_power(total, attrs["beta"])


def _inverse_power(base: Array, beta: float) -> Array:
    if beta == 0.75:  # the usual case, several times faster than a general power
        root = np.sqrt(base)
        return 1 / (root * np.sqrt(root))
    return np.power(base, base.dtype.type(-beta))
