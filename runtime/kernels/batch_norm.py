"""Kernels of batch normalisation in training, on ND: channels as rows, in double precision.

The gradient of the data is what is left of the incoming gradient when its components along the
constant row and along the standardised row are taken away.
"""

from __future__ import annotations

import numpy as np

from runtime.kernels.layer_norm import moments
from runtime.kernels.registry import Call, View, kernel
from runtime.kernels.unary import convert
from runtime.kernels.views import logical, store


def _axis(call: Call, rank: int) -> int:
    fmt = call.attrs.get("data_format")
    return 1 if fmt is None or str(fmt).startswith("NC") else rank - 1


def _rows(call: Call, index: int) -> np.ndarray:
    """[channels, elements]."""
    x = logical(call.arg(index)).astype(np.float64)
    lanes = np.moveaxis(x, _axis(call, x.ndim), 0)
    return lanes.reshape(lanes.shape[0], int(np.prod(lanes.shape[1:])))


def _column(call: Call, index: int) -> np.ndarray:
    return logical(call.arg(index)).astype(np.float64).reshape(-1, 1)


def _save(out: View, value: np.ndarray) -> None:
    store(out, convert(value.reshape(out.shape), out.data.dtype))


def _save_rows(call: Call, rows: np.ndarray) -> None:
    out = call.outs[0]
    axis = _axis(call, len(out.shape))
    rest = tuple(d for a, d in enumerate(out.shape) if a != axis)
    value = np.moveaxis(rows.reshape(rows.shape[0], *rest), 0, axis)
    store(out, convert(np.ascontiguousarray(value), out.data.dtype))


def _inverse(variance: np.ndarray, call: Call) -> np.ndarray:
    with np.errstate(all="ignore"):
        return 1 / np.sqrt(variance + float(np.float32(call.attrs.get("epsilon", 1e-4))))


def _dots(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.einsum("ij,ij->i", a, b)[:, None]


def _mix(call: Call, index: int, outcome: int, new: np.ndarray, share: float | None) -> None:
    """A running statistic moves towards the new one, in its own memory; None leaves it alone."""
    view = call.arg(index)
    if share is not None:
        old = view.data.astype(np.float64)
        with np.errstate(all="ignore"):
            mixed = share * new.reshape(old.shape) + (1 - share) * old
        view.data[...] = convert(mixed, view.data.dtype)
    out = call.outs[outcome]
    if not (view.data.size and np.shares_memory(view.data, out.data)):
        out.data[...] = view.data


def _stretch(count: int) -> float:
    """From the variance of the elements to that of what they were drawn from."""
    return count / (count - 1) if count > 1 else 0.0


@kernel("BNInference")
def bn_inference(call: Call) -> None:
    """One affine map per row."""
    x, mean, variance = _rows(call, 0), _column(call, 1), _column(call, 2)
    with np.errstate(all="ignore"):
        if call.opt(4) is not None:
            root = np.sqrt(variance + float(np.float32(call.attrs.get("epsilon", 1e-5))))
            _save_rows(call, (x - mean) / root * _column(call, 4) + _column(call, 5))
            return
        divisor = _column(call, 3)[0, 0]
        if divisor == 0:
            mean, variance, divisor = mean * 0, variance * 0, 1.0
        root = np.sqrt(variance / divisor + float(np.float32(call.attrs.get("epsilon", 1e-5))))
        _save_rows(call, (x - mean / divisor) / root)


@kernel("BNTrainingReduce")
def bn_training_reduce(call: Call) -> None:
    """Scalar products of each row with ones and with itself."""
    x = _rows(call, 0)
    _save(call.outs[0], _dots(x, np.ones_like(x)))
    _save(call.outs[1], _dots(x, x))


@kernel("BNTrainingUpdate", "BNTrainingUpdateV2")
def bn_training_update(call: Call) -> None:
    """One affine map per row, and the running statistics where there are any."""
    x = _rows(call, 0)
    total, squares, scale, offset = (_column(call, i) for i in range(1, 5))
    count, moves = x.shape[1], len(call.args) > 5
    with np.errstate(all="ignore"):
        mean = total / np.float64(count)
        variance = squares / np.float64(count) - np.square(mean)
        _save_rows(call, (x - mean) * (_inverse(variance, call) * scale) + offset)
        if moves:
            factor = float(np.float32(call.attrs["factor"]))
            _mix(call, 5, 1, mean, factor)
            _mix(call, 6, 2, variance * _stretch(count), factor)
    _save(call.outs[-2], mean)
    _save(call.outs[-1], variance)


@kernel("BNTrainingUpdateGrad")
def bn_training_update_grad(call: Call) -> None:
    """Scalar products of the gradients with the standardised rows and with ones."""
    grads, x, mean, variance = _rows(call, 0), _rows(call, 1), _column(call, 2), _column(call, 3)
    # subtract first: the difference of two sums would cancel
    _save(call.outs[0], _dots(grads, (x - mean) * _inverse(variance, call)))
    _save(call.outs[1], _dots(grads, np.ones_like(grads)))


@kernel("BNTrainingReduceGrad")
def bn_training_reduce_grad(call: Call) -> None:
    """Three multiples added up: of the gradients, of x and of one."""
    grads, x = _rows(call, 0), _rows(call, 1)
    diff_scale, diff_offset, scale, mean, variance = (_column(call, i) for i in range(2, 7))
    rstd, count = _inverse(variance, call), np.float64(max(x.shape[1], 1))
    slope = -rstd * diff_scale / count
    constant = -diff_offset / count
    _save_rows(call, scale * rstd * (grads + slope * (x - mean) + constant))


@kernel("BNInferGrad")
def bn_infer_grad(call: Call) -> None:
    """One multiple per row."""
    _save_rows(call, _rows(call, 0) * (_column(call, 1) * _inverse(_column(call, 2), call)))


def _backward(
    call: Call, scale: np.ndarray, mean: np.ndarray, rstd: np.ndarray, training: bool
) -> None:
    grads, standard = _rows(call, 0), (_rows(call, 1) - mean) * rstd
    along, total = _dots(grads, standard), _dots(grads, np.ones_like(grads))
    rest = grads
    if training:
        count = np.float64(max(grads.shape[1], 1))
        rest = grads - total / count - standard * (along / count)
    _save_rows(call, rest * (scale * rstd))
    _save(call.outs[1], along)
    _save(call.outs[2], total)


@kernel("BatchNormGrad")
def batch_norm_grad(call: Call) -> None:
    """Gradients by mean and variance."""
    scale, mean, variance = (_column(call, i) for i in range(2, 5))
    training = bool(call.attrs.get("is_training", True))
    _backward(call, scale, mean, _inverse(variance, call), training)


@kernel("BatchNormGradV3")
def batch_norm_grad_v3(call: Call) -> None:
    """Gradients by mean and inverse deviation, saved or running."""
    if call.attrs.get("is_training", True):
        _backward(call, _column(call, 2), _column(call, 5), _column(call, 6), True)
    else:
        rstd = _inverse(_column(call, 4), call)
        _backward(call, _column(call, 2), _column(call, 3), rstd, False)


@kernel("BatchNormV3")
def batch_norm_v3(call: Call) -> None:
    """Moments about the first value of each row."""
    x, weight, bias = _rows(call, 0), _column(call, 1), _column(call, 2)
    with np.errstate(all="ignore"):
        if call.attrs.get("is_training", True):
            mean, variance = moments(x)
        else:
            mean, variance = _column(call, 3), _column(call, 4)
        rstd = _inverse(variance, call)
        _save_rows(call, (x - mean) * (rstd * weight) + bias)
    training = bool(call.attrs.get("is_training", True))
    share = float(np.float32(call.attrs.get("momentum", 0.1))) if training else None
    _mix(call, 3, 1, mean, share)
    _mix(call, 4, 2, variance * _stretch(x.shape[1]), share)
    _save(call.outs[3], mean)
    _save(call.outs[4], rstd)
