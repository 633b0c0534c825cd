"""Kernels of pooling the bins of boxes, on ND."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from runtime.kernels.refusal import Refusal
from runtime.kernels.registry import Call, kernel
from runtime.kernels.unary import convert
from runtime.kernels.views import logical, store, wide


def _image(box: Sequence[float], count: int) -> int:
    """The number of a box's image, of `count` images; `Refusal` where there is none."""
    image = int(box[0])
    if not 0 <= image < count:
        raise Refusal("a box names an image there is not", expected=f"0 … {count - 1}")
    return image


def _need_near(places: Iterable[float]) -> None:
    """`Refusal` of a box with places too far out, or none."""
    if not all(abs(v) < 2**31 for v in places):
        raise Refusal("a box is too large or not finite", expected="places below 2**31")


def _members(first: int, last: int, bins: int, size: int) -> np.ndarray:
    """[bins, size]: whether a bin has an element; compared crosswise, without a division.

    Element e of a box of n is in bin i of p from floor(i·n / p) on: (e + 1)·p > i·n, and before
    ceil((i + 1)·n / p): e·p < (i + 1)·n.
    """
    n = max(last - first + 1, 1)
    e, i = np.arange(size) - first, np.arange(bins)[:, None]
    return ((e + 1) * bins > i * n) & (e * bins < (i + 1) * n)


@kernel("ROIPooling")
def roi_pooling(call: Call) -> None:
    """Rows of a bin first, then its columns: a maximum is separable."""
    x, boxes, out = wide(logical(call.arg(0))), wide(logical(call.arg(1))), call.outs[0]
    scales = [boxes.dtype.type(call.attrs[f"spatial_scale_{a}"]) for a in "whwh"]
    counts = call.opt(2)
    y = np.zeros(out.shape, x.dtype)
    if boxes.ndim == 2:
        listed = list(enumerate(boxes))
    else:
        most = boxes.shape[2]
        listed = []
        for row in range(boxes.shape[0]):
            count = most if counts is None else int(logical(counts)[row, 0])
            if not 0 <= count <= most:
                raise Refusal("a number of boxes is out of range", expected=f"0 … {most}")
            listed += [(row * most + k, boxes[row, :, k]) for k in range(count)]
    for at, box in listed:
        corner = [float(v * s + v.dtype.type(0.5)) for v, s in zip(box[1:], scales, strict=True)]
        _need_near((*corner, float(box[0])))
        image = _image(box, x.shape[0])
        left, top, right, bottom = (math.floor(v) for v in corner)
        rows = _members(top, bottom, out.shape[2], x.shape[2])
        cols = _members(left, right, out.shape[3], x.shape[3])
        lines = np.where(rows[:, None, :, None], x[image], -np.inf).max(axis=2, initial=-np.inf)
        best = np.where(cols[:, None, None, :], lines, -np.inf).max(axis=3, initial=-np.inf)
        some = np.logical_and.outer(rows.any(axis=1), cols.any(axis=1))
        y[at] = np.where(some, best.transpose(2, 1, 0), 0)
    store(out, convert(y, out.data.dtype))


def _share(low: float, high: float, bins: int, size: int) -> np.ndarray:
    """[bins, size]: whether a bin reads an element, one comparison each."""
    step = max(high - low, 0.1) / bins
    found = np.zeros((bins, size), bool)
    for i in range(bins):
        first, behind = math.floor(i * step + low), math.ceil((i + 1) * step + low)
        for e in range(max(first, 0), min(behind, size)):
            found[i, e] = True
    return found


@kernel("PSROIPooling", "PSROIPoolingV2")
def position_sensitive_roi_pooling(call: Call) -> None:
    """Sums over the rows and columns of a bin at once, over the channels that are its own."""
    x, boxes, out = logical(call.arg(0)), logical(call.arg(1)).astype(np.float64), call.outs[0]
    size, channels = int(call.attrs["group_size"]), int(call.attrs["output_dim"])
    scale = float(np.float32(call.attrs["spatial_scale"]))
    y = np.zeros(out.shape, np.float64)
    most = boxes.shape[2]
    for row, k in np.ndindex(boxes.shape[0], most):
        box = boxes[row, :, k].tolist()
        _need_near(box)
        image = _image(box, x.shape[0])
        left, top = (math.floor(v + 0.5) * scale for v in box[1:3])
        right, bottom = ((math.floor(v + 0.5) + 1) * scale for v in box[3:])
        rows = _share(top, bottom, size, x.shape[2])
        cols = _share(left, right, size, x.shape[3])
        for i, j in np.ndindex(size, size):
            count = int(rows[i].sum()) * int(cols[j].sum())
            own = [(c * size + i) * size + j for c in range(channels)]
            part = x[image][np.ix_(own, rows[i], cols[j])].astype(np.float64)
            y[row * most + k, :, i, j] = part.sum(axis=(1, 2)) / count if count else 0
    store(out, convert(y, out.data.dtype))
