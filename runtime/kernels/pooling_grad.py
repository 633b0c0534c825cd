"""Kernels of the gradients of pooling, on ND."""

from __future__ import annotations

import numpy as np

from runtime.kernels.conv import spatial
from runtime.kernels.partial import read_sums
from runtime.kernels.refusal import Refusal
from runtime.kernels.registry import Call, kernel
from runtime.kernels.unary import convert
from runtime.kernels.views import is_float, logical, store, wide


def _images(call: Call, index: int) -> np.ndarray:
    """A tensor as [N, C, H, W], wide."""
    x = wide(logical(call.arg(index)))
    return x if _first(call) else np.moveaxis(x, 3, 1)


def _first(call: Call) -> bool:
    return str(call.attrs.get("data_format", "NHWC")) == "NCHW"


def _save(call: Call, value: np.ndarray) -> None:
    value = value if _first(call) else np.moveaxis(value, 1, 3)
    out = call.outs[0]
    whole = out.data.dtype.kind in "iu"
    store(out, value.astype(out.data.dtype) if whole else convert(value, out.data.dtype))


def _starts(call: Call, sizes: tuple[int, ...], outs: tuple[int, ...]) -> list[np.ndarray]:
    """Where the windows begin along H and W; before the data they are negative."""
    fmt = str(call.attrs.get("data_format", "NHWC"))
    ksize, strides = spatial(call.attrs["ksize"], fmt), spatial(call.attrs["strides"], fmt)
    found = []
    for n, o, k, s in zip(sizes, outs, ksize, strides, strict=True):
        before = 0
        if call.attrs["padding"] == "SAME":
            before = max((o - 1) * s + k - n, 0) // 2
        found.append(np.arange(o) * s - before)
    return found


def _reach(start: np.ndarray, kernel_size: int, size: int) -> np.ndarray:
    """[windows, data]: whether a window reads an element."""
    at = np.arange(size)
    return (at >= start[:, None]) & (at < start[:, None] + kernel_size)


@kernel("AvgPoolGrad")
def avg_pool_grad(call: Call) -> None:
    """One matrix product along H and one along W: a mean is separable."""
    fmt = str(call.attrs.get("data_format", "NHWC"))
    grad = _images(call, 1).astype(np.float64)
    shape = call.outs[0].shape
    sizes = shape[2:] if _first(call) else shape[1:3]
    ksize = spatial(call.attrs["ksize"], fmt)
    starts = _starts(call, sizes, grad.shape[2:])
    for axis, start, k, n in zip((2, 3), starts, ksize, sizes, strict=True):
        reach = _reach(start, k, n)
        share = reach / np.maximum(reach.sum(axis=1, keepdims=True), 1)
        grad = read_sums(grad, axis, share.T, reach.T != 0)
    _save(call, grad)


@kernel("MaxPoolGrad")
def max_pool_grad(call: Call) -> None:
    """Position by position of the window, in order: who holds the largest value first takes it."""
    fmt = str(call.attrs.get("data_format", "NHWC"))
    x, grad = _images(call, 0), _images(call, 2)
    (kh, kw), sizes, outs = spatial(call.attrs["ksize"], fmt), x.shape[2:], grad.shape[2:]
    down, right = _starts(call, sizes, outs)
    best = np.full(grad.shape, -np.inf if is_float(x.dtype) else np.iinfo(x.dtype).min, x.dtype)
    taps = []
    for i in range(kh):
        for j in range(kw):
            r, c = down + i, right + j
            rows, cols = (r >= 0) & (r < sizes[0]), (c >= 0) & (c < sizes[1])
            taps.append((r[rows], c[cols], np.ix_(rows, cols)))
    for r, c, seen in taps:
        at = (slice(None), slice(None), *seen)
        best[at] = np.maximum(best[at], x[:, :, r[:, None], c])
    free = np.ones(grad.shape, bool)
    dtype = np.dtype(x.dtype.kind + "8") if x.dtype.kind in "iu" else grad.dtype
    y = np.zeros(x.shape, dtype)
    for r, c, seen in taps:
        at = (slice(None), slice(None), *seen)
        value, top = x[:, :, r[:, None], c], best[at]
        mine = free[at] & ((value == top) | (np.isnan(value) if is_float(x.dtype) else False))
        free[at] &= ~mine
        # at one position of the window no two windows read the same element
        y[:, :, r[:, None], c] += np.where(mine, grad[at], 0).astype(dtype)
    _save(call, y)


@kernel("MaxPoolGradWithArgmax")
def max_pool_grad_with_argmax(call: Call) -> None:
    """Counts of every place, weighted by the gradients."""
    x, grad, places = (_images(call, i) for i in range(3))
    n, c, h, w = x.shape
    flat = np.moveaxis(places, 1, 3).astype(np.int64)
    flat = flat.reshape(n, int(np.prod(places.shape[1:])))
    of_image = not call.attrs.get("include_batch_in_index")
    count = h * w * c if of_image else n * h * w * c
    if np.any(flat < 0) or np.any(flat >= count):
        wrong = flat[(flat < 0) | (flat >= count)]
        raise Refusal("a place is out of range", code="GX-222", found=wrong[0])
    if of_image:
        flat = flat + np.arange(n)[:, None] * count
    weights = np.moveaxis(grad, 1, 3).astype(np.float64).reshape(-1)
    total = np.bincount(flat.reshape(-1), weights, minlength=n * h * w * c)
    _save(call, np.moveaxis(total.reshape(n, h, w, c), 3, 1))
