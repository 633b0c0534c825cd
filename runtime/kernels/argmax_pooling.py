"""Kernels of pooling with places and of its gradient, on ND."""

from __future__ import annotations

import numpy as np

from runtime.kernels.refusal import Refusal
from runtime.kernels.registry import Call, kernel
from runtime.kernels.unary import convert
from runtime.kernels.views import logical, store, wide


@kernel("MaxPoolWithArgmaxV1")
def max_pool_with_argmax_v1(call: Call) -> None:
    """Row of the window by row: its largest element first, then the largest of these.

    Elements are ranked, NaN above all, so that one comparison decides; places follow by halves.
    """
    x, out = wide(logical(call.arg(0))), call.outs[0]
    (kh, kw), (sh, sw), (ph, pw) = (call.attrs[k][1:3] for k in ("ksize", "strides", "pads"))
    dh, dw = (call.attrs.get("dilation") or (1, 1, 1, 1))[1:3]
    height, width = x.shape[2:]
    rows, cols = out.shape[2:]
    best = np.full((*x.shape[:2], rows, cols), -np.inf, x.dtype)
    where = np.full(best.shape, -1, np.int32)
    for r in range(rows):
        down = [i for i in range(r * sh - ph, r * sh - ph + kh * dh, dh) if 0 <= i < height]
        for c in range(cols):
            right = [j for j in range(c * sw - pw, c * sw - pw + kw * dw, dw) if 0 <= j < width]
            if not down or not right:
                continue
            seen = x[:, :, down][:, :, :, right].reshape(*x.shape[:2], len(down) * len(right))
            lost = np.isnan(seen)
            pick = np.where(lost.any(-1), lost.argmax(-1), np.where(lost, -np.inf, seen).argmax(-1))
            best[:, :, r, c] = np.take_along_axis(seen, pick[..., None], axis=-1)[..., 0]
            i, j = np.divmod(pick, len(right))
            where[:, :, r, c] = np.array(down)[i] * width + np.array(right)[j]
    store(out, convert(best, out.data.dtype))
    store(call.outs[1], where)


@kernel("MaxPoolGradWithArgmaxV1")
def max_pool_grad_with_argmax_v1(call: Call) -> None:
    """Weighted counts of the places of all planes, in double precision."""
    grad, places, out = logical(call.arg(1)), logical(call.arg(2)).astype(np.int64), call.outs[0]
    n, c, h, w = out.shape
    if np.any(places < -1) or np.any(places >= h * w):
        wrong = places[(places < -1) | (places >= h * w)]
        raise Refusal("a place is out of range", code="GX-222", found=wrong[0])
    planes = np.arange(n * c).reshape(n, c, 1, 1) * (h * w)
    there = places >= 0
    flat, weights = (places + planes)[there], grad[there].astype(np.float64)
    total = np.bincount(flat, weights, minlength=n * c * h * w)[: n * c * h * w]
    store(out, convert(total.reshape(out.shape), out.data.dtype))
