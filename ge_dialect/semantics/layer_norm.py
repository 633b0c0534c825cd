"""Golden meaning of normalisation by the statistics of each sample.

Statistics are formed in the working dtype, the variance from the differences to the mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, finish, widen
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


def normalised(
    x: Array, over: tuple[int, ...], epsilon: float
) -> tuple[Array, Array, Array, Array]:
    """(x - mean) · rstd, mean, variance and rstd, with reduced axes kept; x is not changed."""
    count = x.dtype.type(int(np.prod([x.shape[a] for a in over], dtype=np.int64)))
    mean = np.sum(x, axis=over, keepdims=True) / count
    y = x - mean
    variance = np.sum(np.square(y), axis=over, keepdims=True) / count
    rstd = 1 / np.sqrt(variance + x.dtype.type(epsilon))
    y *= rstd
    return y, mean, variance, rstd


def affine(y: Array, gamma: Array | None, beta: Array | None) -> Array:
    """y · gamma + beta in place, broadcast from the last dims."""
    if gamma is not None:
        y *= gamma.astype(y.dtype, copy=False)
    if beta is not None:
        y += beta.astype(y.dtype, copy=False)
    return y


def _from_axis(args: list[Any], attrs: Attrs) -> tuple[Array, Array, Array, Array]:
    x = widen(args[0])
    first = attrs["begin_norm_axis"] % max(x.ndim, 1)
    y, *saved = normalised(x, tuple(range(first, x.ndim)), attrs["epsilon"])
    return (affine(y, args[1], args[2]), *saved)  # pyright: ignore[reportReturnType]


@semantics("LayerNorm")
def layer_norm(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """Normalisation from begin_norm_axis on, with the mean and variance of the population."""
    y, mean, variance, _ = _from_axis(args, attrs)
    return y, mean, variance


@semantics("LayerNormV3")
def layer_norm_v3(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """LayerNorm with 1 / sqrt(variance + epsilon) as last result."""
    y, mean, _, rstd = _from_axis(args, attrs)
    return y, mean, rstd


@semantics("LayerNormV4")
def layer_norm_v4(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """Normalisation over as many last dims as normalized_shape has entries."""
    x = widen(args[0])
    count = np.asarray(args[1]).size
    y, mean, _, rstd = normalised(x, tuple(range(x.ndim - count, x.ndim)), attrs["epsilon"])
    return affine(y, args[2], args[3]), mean, rstd


def _rms(x: Array, gamma: Array, epsilon: float) -> tuple[Array, Array]:
    over = tuple(range(x.ndim - gamma.ndim, x.ndim))
    count = x.dtype.type(gamma.size)
    square = np.sum(np.square(x), axis=over, keepdims=True) / count
    rstd = 1 / np.sqrt(square + x.dtype.type(epsilon))
    return affine(x * rstd, gamma, None), rstd


@semantics("RmsNorm")
def rms_norm(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array]:
    """x over its root mean square, times gamma."""
    return _rms(widen(args[0]), args[1], attrs["epsilon"])


@semantics("AddRmsNorm")
def add_rms_norm(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array, Array]:
    """RmsNorm of the sum, rounded to its dtype first."""
    total = finish(widen(args[0]) + widen(args[1]), args[0].dtype)
    return (*_rms(widen(total), args[2], attrs["epsilon"]), total)


@semantics("GroupNorm")
def group_norm(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array, Array]:
    """Normalisation of each group of channels; gamma and beta per channel."""
    x, groups = widen(args[0]), attrs["num_groups"]
    n, c = x.shape[:2]
    parts = x.reshape(n, groups, int(np.prod(x.shape[1:])) // groups)
    y, mean, variance, _ = normalised(parts, (2,), attrs["eps"])
    per_channel = (c, *(1,) * (x.ndim - 2))
    gamma, beta = (a.reshape(per_channel) for a in args[1:])
    return affine(y.reshape(x.shape), gamma, beta), mean[..., 0], variance[..., 0]


@semantics("InstanceNorm")
def instance_norm(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array, Array]:
    """Normalisation over the spatial axes; gamma and beta per channel."""
    x = widen(args[0])
    axis = 1 if attrs["data_format"][1] == "C" else x.ndim - 1
    over = tuple(a for a in range(1, x.ndim) if a != axis)
    y, mean, variance, _ = normalised(x, over, attrs["epsilon"])
    per_channel = [-1 if a == axis else 1 for a in range(x.ndim)]
    return affine(y, *(a.reshape(per_channel) for a in args[1:])), mean, variance


@semantics("L2Normalize")
def l2_normalize(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x over the root of its sum of squares, which counts at least eps."""
    x = widen(args[0])
    over = tuple(attrs["axis"]) or None
    total = np.sum(np.square(x), axis=over, keepdims=True)
    return x / np.sqrt(np.maximum(total, x.dtype.type(attrs["eps"])))
