"""Normalisation kernels: batch normalisation on NC1HWC0 and ND, local response on ND."""

from __future__ import annotations

import numpy as np

from runtime.kernels.binary import channel_lanes
from runtime.kernels.registry import Call, View, kernel
from runtime.kernels.views import clear_padding, logical, origin_of, store, wide


def _per_channel(x: View, values: np.ndarray, fmt: str | None) -> np.ndarray:
    """Per-channel values shaped to broadcast over the storage of `x`."""
    if x.format == "NC1HWC0" and len(x.shape) == 4:
        return channel_lanes(x, values)
    shape = [1] * len(x.shape)
    shape[_channel_axis(x, fmt)] = values.shape[0]
    return values.reshape(shape)


def _channel_axis(x: View, fmt: str | None) -> int:
    if fmt and x.layout is None:  # of any rank: the letters between N and C stand for all axes
        return len(x.shape) - 1 if fmt.endswith("C") else 1
    origin = origin_of(x)
    return origin.index("C") if "C" in origin else min(1, len(x.shape) - 1)


def _affine(
    x: View, out: View, mean: np.ndarray, gain: np.ndarray, shift: np.ndarray, fmt: str | None
) -> None:
    """out = (x - mean) * gain + shift with per-channel values."""
    dtype = np.float64 if x.data.dtype == np.float64 else np.float32
    centre, a, b = (_per_channel(x, v.astype(dtype), fmt) for v in (mean, gain, shift))
    if out.data.dtype == dtype:
        np.subtract(x.data, centre, out=out.data)
        out.data *= a
        out.data += b
    else:
        out.data[...] = (wide(x.data) - centre) * a + b
    clear_padding(out)


def _vector(view: View) -> np.ndarray:
    return wide(logical(view)).reshape(-1)


def _inverse(variance: np.ndarray, epsilon: float) -> np.ndarray:
    return 1 / np.sqrt(variance.astype(np.float64) + epsilon)


@kernel("BNInfer", layouts=("NC1HWC0", "ND", "NCHW", "NHWC"))
def bn_infer(call: Call) -> None:
    """(x - mean) / sqrt(variance + epsilon) * scale + offset with saved statistics."""
    scale, offset, mean, variance = (_vector(call.arg(i)) for i in range(1, 5))
    gain = scale * _inverse(variance, float(call.attrs["epsilon"]))
    fmt = call.attrs.get("data_format")
    _affine(call.arg(0), call.outs[0], mean, gain, offset, fmt)


@kernel("BatchNorm", layouts=("NC1HWC0", "ND", "NCHW", "NHWC"))
def batch_norm(call: Call) -> None:
    """Batch normalisation; with `is_training` the statistics are those of the batch."""
    x, outs = call.arg(0), call.outs
    fmt = str(call.attrs.get("data_format", "NHWC"))
    epsilon = float(call.attrs.get("epsilon", 1e-4))
    scale, offset = _vector(call.arg(1)), _vector(call.arg(2))
    if call.attrs.get("is_training", True):
        mean, variance, count = _statistics(x, fmt)
        saved = _moved(call, mean, variance * (count / max(count - 1, 1)))
    else:
        mean, variance = _vector(call.arg(3)), _vector(call.arg(4))
        saved = (mean, variance)
    gain = scale * _inverse(variance, epsilon)
    _affine(x, outs[0], mean, gain, offset, fmt)
    for view, value in zip(outs[1:], (*saved, mean, variance, variance), strict=False):
        store(view, value.reshape(view.shape))


def _moved(call: Call, mean: np.ndarray, variance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The running statistics after a training step."""
    factor = float(call.attrs.get("exponential_avg_factor", 1.0))
    old_mean, old_variance = call.opt(3), call.opt(4)
    if factor == 1.0 or old_mean is None or old_variance is None:
        return mean, variance
    keep = 1 - factor
    return (
        keep * _vector(old_mean) + factor * mean,
        keep * _vector(old_variance) + factor * variance,
    )


def _statistics(x: View, fmt: str) -> tuple[np.ndarray, np.ndarray, int]:
    values = wide(logical(x))
    axis = _channel_axis(x, fmt)
    others = tuple(i for i in range(values.ndim) if i != axis)
    count = values.size // max(values.shape[axis], 1)
    mean = values.mean(axis=others)
    shape = [1] * values.ndim
    shape[axis] = -1
    variance = np.square(values - mean.reshape(shape), dtype=np.float64).mean(axis=others)
    return mean, variance, count


@kernel("LRN", layouts=("NC1HWC0", "ND"))
def lrn(call: Call) -> None:
    """x / (bias + alpha * sum of squares over 2 * depth_radius + 1 channels) ** beta.

    Every window is summed for itself in float64: with running sums an infinity or NaN in one
    channel would reach the windows of all later ones.
    """
    x, y = call.arg(0), call.outs[0]
    radius = int(call.attrs.get("depth_radius", 5))
    bias, alpha, beta = (
        float(call.attrs.get(k, d)) for k, d in (("bias", 1.0), ("alpha", 1.0), ("beta", 0.5))
    )
    values = wide(logical(x))
    axis = 1 if x.layout is None else _channel_axis(x, None)
    lanes = np.moveaxis(values, axis, 0)
    channels = lanes.shape[0]
    radius = min(radius, channels)
    squares = np.zeros((channels + 2 * radius, *lanes.shape[1:]), np.float64)
    np.square(lanes, dtype=np.float64, out=squares[radius : radius + channels])
    windows = np.lib.stride_tricks.sliding_window_view(squares, 2 * radius + 1, axis=0)
    total = windows.sum(axis=-1).astype(lanes.dtype)
    base = total * lanes.dtype.type(alpha) + lanes.dtype.type(bias)
    if beta == 0.75:
        root = np.sqrt(base)
        scale = root * np.sqrt(root)
    else:
        scale = np.power(base, np.full_like(base, beta))  # one number of 0.5 would be a root
    store(y, np.moveaxis(lanes / scale, 0, axis))
