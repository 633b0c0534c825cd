"""Kernels of gradients and fused forms of normalisation by the statistics of each sample, on ND.

What is normalised together is a row, in double precision.
"""

from __future__ import annotations

import numpy as np

from runtime.kernels.layer_norm import moments
from runtime.kernels.registry import Call, View, kernel
from runtime.kernels.unary import convert
from runtime.kernels.views import doubles, logical, store


def _number(call: Call, name: str) -> float:
    """A float attribute, which is a float32."""
    return float(np.float32(call.attrs[name]))


def _save(out: View, value: np.ndarray) -> None:
    store(out, convert(np.ascontiguousarray(value).reshape(out.shape), out.data.dtype))


def _matrix(x: np.ndarray, rank: int) -> np.ndarray:
    """[rows, elements], the last `rank` dims together."""
    lead = x.ndim - rank
    return x.reshape(int(np.prod(x.shape[:lead])), int(np.prod(x.shape[lead:])))


def _layer(total: np.ndarray, gamma: np.ndarray, beta: np.ndarray, epsilon: float):
    rows = _matrix(total, gamma.ndim)
    mean, variance = moments(rows)
    rstd = 1 / np.sqrt(variance + epsilon)
    y = (rows - mean) * rstd * gamma.reshape(1, -1) + beta.reshape(1, -1)
    return y, mean, rstd


@kernel("AddLayerNorm")
def add_layer_norm(call: Call) -> None:
    """Everything in double precision."""
    total = doubles(call, 0) + doubles(call, 1)
    bias = call.opt(4)
    if bias is not None:
        total = total + logical(bias).astype(np.float64)
    found = _layer(total, doubles(call, 2), doubles(call, 3), _number(call, "epsilon"))
    for out, value in zip(call.outs, (*found, total), strict=True):
        _save(out, value)


@kernel("DeepNorm")
def deep_norm(call: Call) -> None:
    """A weighted sum in front."""
    total = doubles(call, 1) + _number(call, "alpha") * doubles(call, 0)
    y, mean, rstd = _layer(total, doubles(call, 3), doubles(call, 2), _number(call, "epsilon"))
    for out, value in zip(call.outs, (mean, rstd, y), strict=True):
        _save(out, value)


@kernel("GroupNormV2", "GroupNormSilu")
def group_norm(call: Call) -> None:
    """Rows are groups of channels; Swish at the end where it is asked for."""
    x, groups = doubles(call, 0), int(call.attrs["num_groups"])
    rows = x.reshape(x.shape[0] * groups, int(np.prod(x.shape[1:])) // groups)
    mean, variance = moments(rows)
    rstd = 1 / np.sqrt(variance + _number(call, "eps"))
    y = ((rows - mean) * rstd).reshape(x.shape)
    shape = (1, -1, *(1,) * (x.ndim - 2))
    gamma, beta = call.opt(1), call.opt(2)
    if gamma is not None:
        y = y * logical(gamma).astype(np.float64).reshape(shape)
    if beta is not None:
        y = y + logical(beta).astype(np.float64).reshape(shape)
    if call.attrs.get("activate_silu"):
        y = y * (1 + np.tanh(y / 2)) / 2
    for out, value in zip(call.outs, (y, mean, rstd), strict=True):
        _save(out, value)


def _layer_gradient(call: Call, rstd: np.ndarray) -> None:
    """The normalised axes at the end as rows: two components are taken away from each."""
    dy, x, mean, gamma = (doubles(call, i) for i in (0, 1, 3, 4))
    scaled, standard = dy * gamma, (x - mean) * rstd
    over = [a for a, d in enumerate(mean.shape) if d == 1]
    order = [a for a in range(x.ndim) if a not in over] + over
    moved = [np.transpose(a, order) for a in (scaled, standard, np.broadcast_to(rstd, x.shape))]
    g, s, r = (_matrix(np.ascontiguousarray(a), len(over)) for a in moved)
    size = np.float64(max(g.shape[1], 1))
    ones = np.ones_like(g)
    level = np.einsum("ij,ij->i", g, ones)[:, None] / size
    along = np.einsum("ij,ij->i", g, s)[:, None] / size
    dx = (g - level - s * along) * r
    shape = [x.shape[a] for a in order]
    _save(call.outs[0], np.transpose(dx.reshape(shape), np.argsort(order)))
    _parameters(call, dy, standard, gamma.ndim, 1)


def _parameters(call: Call, dy: np.ndarray, standard: np.ndarray, rank: int, first: int) -> None:
    """Sums down the columns."""
    d, s = _matrix(dy, rank), _matrix(standard, rank)
    _save(call.outs[first], np.einsum("ij,ij->j", d, s))
    _save(call.outs[first + 1], np.ones(d.shape[0]) @ d)


@kernel("LayerNormGrad")
def layer_norm_grad(call: Call) -> None:
    """By the variance and the constant of the device."""
    with np.errstate(all="ignore"):
        _layer_gradient(call, 1 / np.sqrt(doubles(call, 2) + 1e-12))


@kernel("LayerNormGradV3")
def layer_norm_grad_v3(call: Call) -> None:
    """By the inverse deviation."""
    _layer_gradient(call, doubles(call, 2))


@kernel("LayerNormBetaGammaBackpropV2")
def layer_norm_parameters(call: Call) -> None:
    """The sums alone."""
    rank = len(call.attrs["shape_gamma"])
    _parameters(call, doubles(call, 0), doubles(call, 1), rank, 0)


@kernel("MVNV2")
def mvn_v2(call: Call) -> None:
    """The axes brought to the end."""
    x = doubles(call, 0)
    over = sorted(int(a) % x.ndim for a in call.attrs["axes"])
    order = [a for a in range(x.ndim) if a not in over] + over
    rows = _matrix(np.ascontiguousarray(np.transpose(x, order)), len(over))
    mean, variance = moments(rows)
    with np.errstate(all="ignore"):
        y = (rows - mean) / (np.sqrt(variance) + _number(call, "eps"))
    shape = [x.shape[a] for a in order]
    _save(call.outs[0], np.transpose(y.reshape(shape), np.argsort(order)))
