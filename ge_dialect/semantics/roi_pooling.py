"""Golden meaning of pooling the bins of boxes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.budget import claim
from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, widen_all
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]
_FAR = 2**31  # places beyond are refused


def _bins(first: int, last: int, count: int, size: int) -> list[slice]:
    """The elements of each bin of a box from `first` to `last`, inside of an axis."""
    length = max(last - first + 1, 1)
    found = []
    for i in range(count):
        start, stop = first + i * length // count, first - (-(i + 1) * length // count)
        found.append(slice(min(max(start, 0), size), min(max(stop, 0), size)))
    return found


@semantics("ROIPooling")
def roi_pooling(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Box by box and bin by bin; whole numbers from the corners on."""
    x, rois = widen_all(args[:2])
    bins = attrs["pooled_h"], attrs["pooled_w"]
    meant = None
    if rois.ndim == 3:
        meant = np.full(len(rois), rois.shape[2]) if args[2] is None else args[2][:, 0]
        if ((meant < 0) | (meant > rois.shape[2])).any():
            ctx.fail("a number of boxes is out of range", expected=f"0 … {rois.shape[2]}")
        meant = (np.arange(rois.shape[2]) < meant[:, None]).reshape(-1)
        rois = rois.transpose(0, 2, 1).reshape(-1, 5)
    scale = np.array([attrs["spatial_scale_w"], attrs["spatial_scale_h"]] * 2).astype(rois.dtype)
    corners = np.floor(rois[:, 1:] * scale + rois.dtype.type(0.5))
    used = np.ones(len(rois), bool) if meant is None else meant
    if not ((np.abs(corners[used]) < _FAR).all() and np.isfinite(rois[used, 0]).all()):
        ctx.fail("a box is too large or not finite", expected="places below 2**31")
    claim((len(rois), x.shape[1], *bins), x.itemsize)
    y = np.zeros((len(rois), x.shape[1], *bins), x.dtype)
    for k in np.flatnonzero(used):
        image = int(rois[k, 0])
        if not 0 <= image < len(x):
            ctx.fail("a box names an image there is not", expected=f"0 … {len(x) - 1}")
        left, top, right, bottom = (int(v) for v in corners[k])
        rows = _bins(top, bottom, bins[0], x.shape[2])
        cols = _bins(left, right, bins[1], x.shape[3])
        for (i, row), (j, col) in ((a, b) for a in enumerate(rows) for b in enumerate(cols)):
            part = x[image, :, row, col]
            if part.size:
                y[k, :, i, j] = part.max(axis=(1, 2))
    return y


def _spans(first: Array, last: Array, count: int, size: int) -> tuple[Array, Array]:
    """Where the bins of each box start and end along an axis, [boxes, count]; places are f64."""
    step = np.maximum(last - first, 0.1) / count
    at = np.arange(count)
    start = np.floor(at * step[:, None] + first[:, None])
    stop = np.ceil((at + 1) * step[:, None] + first[:, None])
    return start.clip(0, size).astype(np.int64), stop.clip(0, size).astype(np.int64)


@semantics("PSROIPooling", "PSROIPoolingV2")
def position_sensitive_roi_pooling(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Box by box and bin by bin, means in f64."""
    x, rois = widen_all(args)
    size, channels = attrs["group_size"], attrs["output_dim"]
    boxes = rois.transpose(0, 2, 1).reshape(-1, 5).astype(np.float64)
    if not ((np.abs(boxes) < _FAR).all() and np.isfinite(boxes).all()):
        ctx.fail("a box is too large or not finite", expected="places below 2**31")
    image = boxes[:, 0].astype(np.int64)
    if ((image < 0) | (image >= len(x))).any():
        ctx.fail("a box names an image there is not", expected=f"0 … {len(x) - 1}")
    scale = float(np.float32(attrs["spatial_scale"]))
    near, far = np.floor(boxes[:, 1:3] + 0.5) * scale, (np.floor(boxes[:, 3:] + 0.5) + 1) * scale
    top, bottom = _spans(near[:, 1], far[:, 1], size, x.shape[2])
    left, right = _spans(near[:, 0], far[:, 0], size, x.shape[3])
    claim((len(boxes), channels, size, size), x.itemsize)
    y = np.zeros((len(boxes), channels, size, size), x.dtype)
    planes = x.reshape(len(x), channels, size, size, *x.shape[2:])
    for k, i, j in np.ndindex(len(boxes), size, size):
        part = planes[image[k], :, i, j, top[k, i] : bottom[k, i], left[k, j] : right[k, j]]
        if part.size:
            y[k, :, i, j] = part.mean(axis=(1, 2), dtype=np.float64)
    return y
