"""Kernels of the losses, in double precision; classes are handled as one-hot rows."""

from __future__ import annotations

import numpy as np

from runtime.kernels.refusal import Refusal
from runtime.kernels.registry import Call, kernel
from runtime.kernels.unary import convert
from runtime.kernels.views import doubles, is_float, logical, store


def _save(call: Call, index: int, value: np.ndarray) -> None:
    out = call.outs[index]
    store(out, convert(np.asarray(value).reshape(out.shape), out.data.dtype))


@kernel("BiasAddGrad")
def bias_add_grad(call: Call) -> None:
    """Channels first, then one sum per row."""
    x = logical(call.arg(0))
    first = str(call.attrs.get("data_format", "NHWC")).startswith("NC")
    lanes = np.moveaxis(x, 1 if first else -1, 0)
    size = int(np.prod(lanes.shape[1:]))
    rows = lanes.reshape(lanes.shape[0], size)
    if is_float(x.dtype) or x.dtype.kind == "c":
        wide = rows.astype(np.complex128 if x.dtype.kind == "c" else np.float64)
        total = wide @ np.ones(size)
        _save(call, 0, total if x.dtype.kind == "c" else total.astype(np.float64))
        return
    store(call.outs[0], np.add.reduce(rows, axis=1, dtype=x.dtype))


@kernel("L2Loss")
def l2_loss(call: Call) -> None:
    """Half the scalar product of x with itself."""
    x = doubles(call, 0).reshape(-1)
    _save(call, 0, x @ x * 0.5)


def _together(call: Call, losses: np.ndarray) -> np.ndarray:
    how = str(call.attrs.get("reduction", "mean"))
    if how == "none":
        return losses
    total = losses.reshape(-1) @ np.ones(losses.size)
    with np.errstate(all="ignore"):
        return total if how == "sum" else total / np.float64(losses.size)


@kernel("MseLoss")
def mse_loss(call: Call) -> None:
    """Squares of differences."""
    _save(call, 0, _together(call, (doubles(call, 0) - doubles(call, 1)) ** 2))


@kernel("MseLossGrad")
def mse_loss_grad(call: Call) -> None:
    """Twice the differences, scaled."""
    predict, label, dout = (doubles(call, i) for i in range(3))
    share = 2.0
    if call.attrs.get("reduction", "mean") == "mean":
        share /= max(predict.size, 1)
    _save(call, 0, np.broadcast_to(dout * share, predict.shape) * (predict - label))


@kernel("SmoothL1Loss")
def smooth_l1_loss(call: Call) -> None:
    """m · (d - m / 2) / sigma with m = min(d, sigma) is both pieces at once."""
    d = np.abs(doubles(call, 0) - doubles(call, 1))
    sigma = np.float64(np.float32(call.attrs.get("sigma", 1.0)))
    m = np.minimum(d, sigma)
    with np.errstate(all="ignore"):
        _save(call, 0, np.where(np.isinf(d) | (sigma == 0), d, m * (d - m / 2) / sigma))


@kernel("SigmoidCrossEntropyWithLogits")
def sigmoid_cross_entropy(call: Call) -> None:
    """log(1 + exp(x)) - x · target."""
    x, target = doubles(call, 0), doubles(call, 1)
    _save(call, 0, np.logaddexp(x, 0) - x * target)


def _classes_last(call: Call, index: int) -> np.ndarray:
    """The scores as [examples and positions, classes]."""
    x = np.moveaxis(doubles(call, index), 1, -1)
    return x.reshape(int(np.prod(x.shape[:-1])), x.shape[-1])


def _one_hot(call: Call, index: int, classes: int, ignored: int | None) -> np.ndarray:
    """[examples, classes] with a 1 at each label that counts; `Refusal` of one out of range."""
    labels = logical(call.arg(index)).astype(np.int64).reshape(-1)
    hot = labels[:, None] == np.arange(classes)
    ignores = np.zeros(labels.shape, bool) if ignored is None else labels == ignored
    wrong = labels[~hot.any(axis=1) & ~ignores]
    if wrong.size:
        raise Refusal(
            "a class is out of range", code="GX-222", found=wrong[0], expected=f"0 … {classes - 1}"
        )
    return np.where(ignores[:, None], 0.0, hot)


def _weighted(call: Call, index: int, hot: np.ndarray) -> np.ndarray:
    """One-hot rows times the weights of the classes."""
    view = call.opt(index)
    if view is None:
        return hot
    # a NaN or infinity among the weights of other classes takes no part
    return np.where(hot == 0, 0, hot * logical(view).astype(np.float64))


def _picked(rows: np.ndarray, hot: np.ndarray, logs: np.ndarray) -> np.ndarray:
    """Scalar products of weighted rows and scores where the one-hot rows have their 1."""
    # an infinity elsewhere takes no part; one that meets a weight of 0 does
    return np.einsum("ij,ij->i", rows, np.where(hot == 0, 0, logs))


def _losses(call: Call, logs: np.ndarray, hot: np.ndarray) -> tuple[np.ndarray, float]:
    rows = _weighted(call, 2, hot)
    losses, total = -_picked(rows, hot, logs), float(rows.sum())
    how = str(call.attrs.get("reduction", "mean"))
    if how == "none":
        return losses, total
    with np.errstate(all="ignore"):
        summed = np.asarray(losses.sum())
        return (summed / total if how == "mean" else summed), total


@kernel("NLLLoss")
def nll_loss(call: Call) -> None:
    """Scalar products of the rows with weighted one-hot rows."""
    logs = _classes_last(call, 0)
    hot = _one_hot(call, 1, logs.shape[1], int(call.attrs.get("ignore_index", -100)))
    with np.errstate(all="ignore"):
        loss, total = _losses(call, logs, hot)
    _save(call, 0, loss)
    _save(call, 1, np.asarray(total))


@kernel("NLLLossGrad")
def nll_loss_grad(call: Call) -> None:
    """Weighted one-hot rows, scaled row by row."""
    x = logical(call.arg(0))
    hot = _one_hot(call, 2, x.shape[1], int(call.attrs.get("ignore_index", -100)))
    rows = _weighted(call, 3, hot)
    scale = -doubles(call, 1).reshape(-1, 1)
    if call.attrs.get("reduction", "mean") == "mean":
        scale = scale / doubles(call, 4).reshape(1, 1)
    grad = np.where(hot == 0, 0, rows * scale)
    last = (x.shape[0], *x.shape[2:], x.shape[1])
    _save(call, 0, np.moveaxis(grad.reshape(last), -1, 1))


def _normalised(rows: np.ndarray) -> np.ndarray:
    """Logarithms of the softmax of each row."""
    if not rows.size:
        return rows
    with np.errstate(all="ignore"):
        top = rows.max(axis=1, keepdims=True)  # large scores keep their digits
        rows = rows - np.where(np.isfinite(top), top, 0)
        total = np.logaddexp.reduce(rows, axis=1)[:, None]
        # nothing is left of a row with an infinity: it is no share of itself
        return np.where(np.isposinf(total), np.nan, rows - total)


@kernel("SoftmaxCrossEntropyLoss")
def softmax_cross_entropy_loss(call: Call) -> None:
    """Normalised rows, then NLLLoss."""
    logs = _normalised(_classes_last(call, 0))
    hot = _one_hot(call, 1, logs.shape[1], int(call.attrs.get("ignore_index", 0)))
    loss, _ = _losses(call, logs, hot)
    _save(call, 0, loss)
    shape = call.outs[1].shape
    _save(call, 1, np.moveaxis(logs.reshape(shape[0], *shape[2:], shape[1]), -1, 1))


def _cross_entropy(call: Call, features: np.ndarray, labels: np.ndarray, taken: np.ndarray) -> None:
    logs = _normalised(features)
    _save(call, 0, -_picked(labels, taken, logs))
    _save(call, 1, np.exp(logs) - labels)


@kernel("SoftmaxCrossEntropyWithLogits")
def softmax_cross_entropy(call: Call) -> None:
    """Scalar products of labels and normalised rows."""
    shape = call.outs[1].shape
    features, labels = (np.broadcast_to(doubles(call, i), shape) for i in (0, 1))
    _cross_entropy(call, features, labels, np.ones(shape))


@kernel("SparseSoftmaxCrossEntropyWithLogits")
def sparse_softmax_cross_entropy(call: Call) -> None:
    """The same with one-hot rows."""
    features = doubles(call, 0)
    hot = _one_hot(call, 1, features.shape[1], None)
    _cross_entropy(call, features, hot, hot)
