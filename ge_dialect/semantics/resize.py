"""Golden meaning of resizing: one axis at a time, each output a few weighted elements.

Positions and weights are computed in f64, the weighted sums in the working dtype of x; an integer
result is rounded to nearest even and saturates.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.budget import claim
from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import F32, F64, Array, cast, int_list, kind, widen
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


def positions(
    way: str, size: int, out: int, scale: float, roi: tuple[float, float] = (0.0, 1.0)
) -> Array:
    """Where the `out` positions of an axis of `size` elements lie in it, f64.

    `way` as in ONNX's coordinate_transformation_mode; scale·size is the exact length of the output,
    of which `out` is the whole part.
    """
    claim((out,), 8)
    i = np.arange(out, dtype=F64)
    exact = scale * size
    if way == "asymmetric":
        return i / scale
    if way == "tf_half_pixel_for_nn":
        return (i + 0.5) / scale
    if way == "align_corners":
        return np.zeros(out) if exact == 1 else i * (size - 1) / (exact - 1)
    if way == "tf_crop_and_resize":
        start, length = roi[0] * (size - 1), (roi[1] - roi[0]) * (size - 1)
        return np.full(out, length / 2) + start if exact == 1 else i * length / (exact - 1) + start
    if way == "pytorch_half_pixel" and exact == 1:
        return np.full(out, -0.5)
    x = (i + 0.5) / scale - 0.5
    return x + size / 2 * (1 - out / exact) if way == "half_pixel_symmetric" else x


def nearest(x: Array, rule: str) -> Array:
    """Whole positions next to x; `rule` as in ONNX's nearest_mode."""
    if rule == "floor":
        found = np.floor(x)
    elif rule == "ceil":
        found = np.ceil(x)
    elif rule == "round_prefer_ceil":
        found = np.where(x - np.floor(x) >= 0.5, np.ceil(x), np.floor(x))
    else:
        found = np.where(x - np.floor(x) <= 0.5, np.floor(x), np.ceil(x))
    return found.astype(np.int64)


def _linear(d: Array, _a: float) -> Array:
    return np.clip(1 - np.abs(d), 0, None)


def _cubic(d: Array, a: float) -> Array:
    """Cubic convolution (R. Keys, 1981) with slope `a` at distance 1."""
    d = np.abs(d)
    near = ((a + 2) * d - (a + 3)) * d * d + 1
    far = ((d - 5) * d + 8) * d * a - 4 * a
    return np.where(d <= 1, near, np.where(d < 2, far, 0))


def taps(
    x: Array, size: int, mode: str, shrink: float, a: float, outside: bool
) -> tuple[Array, Array, Array]:
    """Elements, weights and which are read, [out, taps], for positions x; beyond the ends the end
    element counts.

    shrink: factor ≤ 1 by which distances are scaled (a wider kernel). outside: elements beyond the
    ends have no weight, and the others make up for it.
    """
    reach = int(np.ceil((1 if mode == "linear" else 2) / shrink))
    claim((len(x), 2 * reach), 8)
    at = np.floor(x)[:, None] + np.arange(1 - reach, reach + 1)
    weight = (_linear if mode == "linear" else _cubic)((at - x[:, None]) * shrink, a)
    # of a wide kernel those within reach are read, else the neighbours, also with a weight of 0
    read = weight != 0 if shrink < 1 else np.ones(at.shape, bool)
    if outside:
        read &= (at >= 0) & (at < size)
        weight = np.where(read, weight, 0)
    if outside or shrink < 1:
        total = weight.sum(axis=1, keepdims=True)
        weight = weight / np.where(total == 0, 1, total)
    return at.clip(0, size - 1).astype(np.int64), weight, read


def blended(x: Array, axis: int, at: Array, weight: Array, read: Array) -> Array:
    """Weighted sums of those elements of x along an axis that are read; see `taps`."""
    finite = x.dtype.kind != "f" or np.isfinite(x).all()
    shape = [1] * x.ndim
    shape[axis] = at.shape[0]
    total = np.zeros((*x.shape[:axis], at.shape[0], *x.shape[axis + 1 :]), x.dtype)
    for k in range(at.shape[1]):
        if not finite:
            part = np.take(x, at[:, k], axis=axis) * weight[:, k].astype(x.dtype).reshape(shape)
            total += np.where(read[:, k].reshape(shape), part, 0)
        elif weight[:, k].any():
            total += np.take(x, at[:, k], axis=axis) * weight[:, k].astype(x.dtype).reshape(shape)
    return total


def _working(x: Array, mode: str) -> Array:
    if mode == "nearest" or kind(x.dtype) == "f":
        return widen(x)
    return x.astype(F32 if x.dtype.itemsize < 4 else F64)


def _finished(y: Array, dtype: np.dtype[Any] | None) -> Array:
    return y if dtype is None or kind(y.dtype) == kind(dtype) else cast(np.rint(y), dtype)


@semantics("Resize")
def resize(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x interpolated along each axis to `sizes`, or to floor(in·scale) elements."""
    x, roi, scales, sizes = args
    mode, way = attrs["mode"], attrs["coordinate_transformation_mode"]
    shape = x.shape
    factors = [float(s) for s in scales.ravel()] if scales is not None else []
    if sizes is not None:
        outs = int_list(sizes)
        if not factors:
            factors = [o / n if n else 1.0 for o, n in zip(outs, shape, strict=True)]
    else:
        outs = [int(np.floor(n * f)) for n, f in zip(shape, factors, strict=True)]
    ends = [] if roi is None else [float(v) for v in roi.ravel()]
    y = _working(x, mode)
    outer = np.zeros((), bool)
    for axis, (size, out, scale) in enumerate(zip(shape, outs, factors, strict=True)):
        crop = way == "tf_crop_and_resize"
        pair = (ends[axis], ends[axis + x.ndim]) if crop else (0.0, 1.0)
        if size == out and scale == 1 and pair == (0.0, 1.0):
            continue
        if size == 0 and out:
            ctx.fail("an axis without elements cannot grow", found=f"0 to {out}")
        if out and not scale > 0:
            ctx.fail("a scale is not positive", found=scale, expected="> 0")
        if not out:
            y = np.take(y, np.zeros(0, np.int64), axis=axis)
            continue
        at = positions(way, size, out, scale, pair)
        if mode == "nearest":
            index = nearest(at, attrs["nearest_mode"]).clip(0, max(size - 1, 0))
            y = np.take(y, index, axis=axis)
        else:
            shrink = min(scale, 1.0) if attrs["antialias"] else 1.0
            slope, outside = attrs["cubic_coeff_a"], bool(attrs["exclude_outside"])
            y = blended(y, axis, *taps(at, size, mode, shrink, slope, outside))
        if crop:
            missed = (at < 0) | (at > size - 1)
            outer = outer | missed.reshape([-1 if a == axis else 1 for a in range(x.ndim)])
    y = _finished(y, x.dtype)
    if outer.any():
        value = cast(np.asarray(attrs["extrapolation_value"], F64), y.dtype)
        y = np.where(outer, value, y)
    return y


def _image_scale(attrs: Attrs, k: int, size: int, out: int) -> float:
    given = attrs["scales"][k] if len(attrs["scales"]) == 2 else 0.0
    return given or (out / size if size else 1.0)


@semantics("ResizeNearestNeighborV2")
def resize_nearest(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x [N, C, H, W] at floor of each position; with align_corners at the nearest, halves up."""
    y, sizes = args[0], int_list(args[1])
    for k, out in enumerate(sizes):
        size = y.shape[2 + k]
        scale = _image_scale(attrs, k, size, out)
        i = np.arange(out, dtype=F64)
        if attrs["align_corners"]:
            at = np.floor(positions("align_corners", size, out, out / size) + 0.5)
        else:
            at = np.floor((i + 0.5) / scale if attrs["half_pixel_centers"] else i / scale)
        y = np.take(y, at.astype(np.int64).clip(0, size - 1), axis=2 + k)
    return y


@semantics("ResizeBilinearV2")
def resize_bilinear(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x [N, C, H, W] interpolated linearly, borders repeated."""
    x, sizes = args[0], int_list(args[1])
    y = _working(x, "linear")
    way = "half_pixel" if attrs["half_pixel_centers"] else "asymmetric"
    for k, out in enumerate(sizes):
        size = y.shape[2 + k]
        scale = _image_scale(attrs, k, size, out)
        if attrs["align_corners"]:
            at = positions("align_corners", size, out, out / size)
        else:
            at = positions(way, size, out, scale)
        y = blended(y, 2 + k, *taps(at, size, "linear", 1.0, 0.0, False))
    return _finished(y, ctx.out_dtype(0))
