"""Golden meaning of gradients and fused forms of normalisation by the statistics of each sample."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.layer_norm import affine, normalised
from ge_dialect.semantics.numerics import Array, axis_list, widen, widen_all
from ge_dialect.semantics.registry import semantics
from ge_dialect.semantics.special import sigmoid

Attrs = Mapping[str, Any]


def _last(x: Array, parameter: Array) -> tuple[int, ...]:
    return tuple(range(x.ndim - parameter.ndim, x.ndim))


@semantics("AddLayerNorm")
def add_layer_norm(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """The sum, then LayerNorm of it."""
    x1, x2, gamma, beta, bias = args
    parts = widen_all([a for a in (x1, x2, bias) if a is not None])
    total = parts[0] + parts[1]
    if bias is not None:
        total = total + parts[2]
    y, mean, _, rstd = normalised(total, _last(total, gamma), attrs["epsilon"])
    return affine(y, widen(gamma), widen(beta)), mean, rstd, total


@semantics("DeepNorm")
def deep_norm(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """The weighted sum, then LayerNorm of it."""
    x, gx, beta, gamma = widen_all(args)
    total = x * x.dtype.type(attrs["alpha"]) + gx
    y, mean, _, rstd = normalised(total, _last(total, gamma), attrs["epsilon"])
    return mean, rstd, affine(y, gamma, beta)


def _grouped(args: list[Any], attrs: Attrs) -> tuple[Array, Array, Array]:
    x, groups = widen(args[0]), attrs["num_groups"]
    n, c = x.shape[:2]
    parts = x.reshape(n, groups, int(np.prod(x.shape[1:])) // groups)
    y, mean, _, rstd = normalised(parts, (2,), attrs["eps"])
    per_channel = (c, *(1,) * (x.ndim - 2))
    gamma, beta = (None if a is None else widen(a).reshape(per_channel) for a in args[1:])
    return affine(y.reshape(x.shape), gamma, beta), mean[..., 0], rstd[..., 0]


@semantics("GroupNormV2")
def group_norm_v2(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """GroupNorm with the inverse deviation."""
    return _grouped(args, attrs)


@semantics("GroupNormSilu")
def group_norm_silu(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """GroupNorm, then Swish."""
    y, mean, rstd = _grouped(args, attrs)
    return (y * sigmoid(y) if attrs["activate_silu"] else y), mean, rstd


def _layer_gradient(
    dy: Array, x: Array, rstd: Array, mean: Array, gamma: Array
) -> tuple[Array, Array, Array]:
    """Gradients of x, gamma and beta; the axes where mean has ones were normalised."""
    over = tuple(a for a, d in enumerate(mean.shape) if d == 1)
    count = int(np.prod([x.shape[a] for a in over], dtype=np.int64))
    standard = (x - mean) * rstd
    scaled = dy * gamma
    t = x.dtype.type
    along = np.sum(scaled * standard, axis=over, keepdims=True) / t(count)
    level = np.sum(scaled, axis=over, keepdims=True) / t(count)
    lead = tuple(range(x.ndim - gamma.ndim))
    pd_x = rstd * (scaled - level - standard * along)
    return pd_x, np.sum(dy * standard, axis=lead), np.sum(dy, axis=lead)


@semantics("LayerNormGrad")
def layer_norm_grad(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """By the variance, to which 1e-12 is added."""
    dy, x, variance, mean, gamma = widen_all(args)
    return _layer_gradient(dy, x, 1 / np.sqrt(variance + x.dtype.type(1e-12)), mean, gamma)


@semantics("LayerNormGradV3")
def layer_norm_grad_v3(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """By the inverse deviation."""
    dy, x, rstd, mean, gamma = widen_all(args)
    return _layer_gradient(dy, x, rstd, mean, gamma)


@semantics("LayerNormBetaGammaBackpropV2")
def layer_norm_parameters(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array]:
    """Sums over what stands before the dims of gamma."""
    dy, standard = widen_all(args)
    lead = tuple(range(dy.ndim - len(attrs["shape_gamma"])))
    return np.sum(dy * standard, axis=lead), np.sum(dy, axis=lead)


@semantics("MVNV2")
def mvn_v2(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Mean 0, deviation 1."""
    x = widen(args[0])
    over = axis_list(attrs["axes"], x.ndim, ctx)
    count = x.dtype.type(int(np.prod([x.shape[a] for a in over], dtype=np.int64)))
    centred = x - np.sum(x, axis=over, keepdims=True) / count
    variance = np.sum(np.square(centred), axis=over, keepdims=True) / count
    return centred / (np.sqrt(variance) + x.dtype.type(attrs["eps"]))
