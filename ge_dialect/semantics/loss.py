"""Golden meaning of the losses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.broadcast import channel_axis
from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, kind, widen, widen_all
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


def _reduced(losses: Array, reduction: str) -> Array:
    if reduction == "none":
        return losses
    total = np.sum(losses)
    return total if reduction == "sum" else total / losses.dtype.type(losses.size)


@semantics("BiasAddGrad")
def bias_add_grad(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Sum over all but the channels; integers wrap at the end."""
    x = widen(args[0])
    axis = channel_axis(attrs["data_format"], x.ndim)
    over = tuple(a for a in range(x.ndim) if a != axis)
    if kind(x.dtype) in "iu":
        return np.sum(x, axis=over, dtype=x.dtype.kind + "8")
    return np.sum(x, axis=over)


@semantics("L2Loss")
def l2_loss(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """sum(x²) / 2."""
    return np.asarray(np.sum(np.square(widen(args[0]))) / 2)


@semantics("MseLoss")
def mse_loss(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Squared differences."""
    predict, label = widen_all(args)
    return np.asarray(_reduced(np.square(predict - label), attrs["reduction"]))


@semantics("MseLossGrad")
def mse_loss_grad(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The derivative of the squared difference times what comes from above."""
    predict, label, dout = widen_all(args)
    y = 2 * (predict - label) * dout
    return y / y.dtype.type(predict.size) if attrs["reduction"] == "mean" else y


@semantics("SmoothL1Loss")
def smooth_l1_loss(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """A parabola near 0 that goes on as a line."""
    predict, label = widen_all(args)
    d = np.abs(predict - label)
    sigma = d.dtype.type(attrs["sigma"])
    return np.where(d < sigma, d * d / (2 * sigma), d - sigma / 2)


@semantics("SigmoidCrossEntropyWithLogits")
def sigmoid_cross_entropy(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """max(x, 0) - x · target + log(1 + exp(-|x|)), which does not overflow."""
    x, target = widen_all(args)
    return np.maximum(x, 0) - x * target + np.log1p(np.exp(-np.abs(x)))


def _log_softmax(x: Array, axis: int) -> Array:
    shifted = x - np.max(x, axis=axis, keepdims=True, initial=-np.inf)
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))


def _chosen(target: Array, classes: int, ignored: int | None, ctx: Context) -> tuple[Array, Array]:
    """Class numbers, 0 for those ignored, and which count; GeError for one out of range."""
    target = target.astype(np.int64)
    counts = np.ones(target.shape, bool) if ignored is None else target != ignored
    wrong = counts & ((target < 0) | (target >= classes))
    if wrong.any():
        bad = target[wrong].reshape(-1)[0]
        ctx.fail("a class is out of range", code="GX-222", found=bad, expected=f"0 … {classes - 1}")
    return np.where(counts, target, 0), counts


def _weights(weight: Array | None, target: Array, counts: Array, dtype: Any) -> Array:
    """The weight of each example, 0 for those that do not count."""
    if weight is None:
        return counts.astype(dtype)
    if not weight.size:
        return np.zeros(target.shape, dtype)
    return np.where(counts, widen(weight).astype(dtype)[target], 0)


def _likelihoods(
    logs: Array, target: Array, weight: Array | None, attrs: Attrs, ctx: Context
) -> tuple[Array, Array]:
    chosen, counts = _chosen(target, logs.shape[1], attrs["ignore_index"], ctx)
    weights = _weights(weight, chosen, counts, logs.dtype)
    picked = np.zeros(chosen.shape, logs.dtype)
    if logs.size:
        picked = np.take_along_axis(logs, np.expand_dims(chosen, 1), 1)[:, 0]
    losses = np.where(counts, -weights * picked, 0)
    total = np.sum(weights)
    if attrs["reduction"] == "none":
        return losses, total
    summed = np.sum(losses)
    return np.asarray(summed / total if attrs["reduction"] == "mean" else summed), total


@semantics("NLLLoss")
def nll_loss(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array]:
    """Weighted logarithms at the targets."""
    y, total = _likelihoods(widen(args[0]), args[1], args[2], attrs, ctx)
    return y, np.asarray(total)


@semantics("NLLLossGrad")
def nll_loss_grad(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """One entry per example, at its target."""
    x, y_grad = widen_all(args[:2])
    chosen, counts = _chosen(args[2], x.shape[1], attrs["ignore_index"], ctx)
    weights = _weights(args[3], chosen, counts, x.dtype)
    upstream = y_grad if attrs["reduction"] == "none" else y_grad.reshape(())
    entries = -weights * upstream
    if attrs["reduction"] == "mean":
        entries = entries / widen(args[4]).reshape(()).astype(x.dtype)
    out = np.zeros_like(x)
    if x.size:
        entries = np.where(counts, entries, 0)
        np.put_along_axis(out, np.expand_dims(chosen, 1), np.expand_dims(entries, 1), 1)
    return out


@semantics("SoftmaxCrossEntropyLoss")
def softmax_cross_entropy_loss(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array]:
    """NLLLoss of the logarithm of the softmax."""
    logs = _log_softmax(widen(args[0]), 1)
    loss, _ = _likelihoods(logs, args[1], args[2], attrs, ctx)
    return loss, logs


@semantics("SoftmaxCrossEntropyWithLogits")
def softmax_cross_entropy(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array]:
    """-sum(labels · log softmax) and softmax - labels."""
    features, labels = np.broadcast_arrays(*widen_all(args))
    logs = _log_softmax(features, 1)
    return -np.sum(labels * logs, axis=1), np.exp(logs) - labels


@semantics("SparseSoftmaxCrossEntropyWithLogits")
def sparse_softmax_cross_entropy(
    args: list[Any], attrs: Attrs, ctx: Context
) -> tuple[Array, Array]:
    """The same with one class per example."""
    logs = _log_softmax(widen(args[0]), 1)
    chosen, _ = _chosen(args[1], logs.shape[1], None, ctx)
    rows = np.arange(logs.shape[0])
    backprop = np.exp(logs)
    backprop[rows, chosen] -= 1
    return -logs[rows, chosen], backprop
