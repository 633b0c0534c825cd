"""Kernels of resizing and of sampling at computed places, on ND.

An axis is resized by one dense matrix of weights. Places between elements are read through a matrix
of their own as well where they form one, else through gathers over flattened images.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import product

import numpy as np

from runtime.kernels.partial import contract, read_sums
from runtime.kernels.refusal import Refusal, refuse_where
from runtime.kernels.registry import Call, kernel
from runtime.kernels.unary import convert
from runtime.kernels.views import is_float, logical, store, wide
from runtime.kernels.volumes import windows


def _tent(d: np.ndarray, _slope: float) -> np.ndarray:
    return np.maximum(1 - np.abs(d), 0)


def _cubic(d: np.ndarray, slope: float) -> np.ndarray:
    d = np.abs(d)
    inner = 1 - d * d * (slope + 3) + (slope + 2) * d**3
    outer = slope * (d**3 - 5 * d * d + 8 * d - 4)
    return np.select([d <= 1, d < 2, d >= 2], [inner, outer, np.zeros_like(d)], np.nan)


def source_places(
    way: str, size: int, out: int, scale: float, roi: tuple[float, float] | None = None
) -> np.ndarray:
    """Where each of `out` positions lies in an axis of `size` elements."""
    i = np.arange(out).astype(np.float64)
    length = scale * size
    if way == "asymmetric":
        return i / scale
    if way in ("align_corners", "tf_crop_and_resize"):
        first, end = roi if roi is not None else (0.0, 1.0)
        if length == 1:
            middle = first + (end - first) / 2 if way == "tf_crop_and_resize" else 0.0
            return np.full(out, middle * (size - 1) if size > 1 or middle else 0.0)
        return first * (size - 1) + i * (end - first) * (size - 1) / (length - 1)
    if way == "pytorch_half_pixel" and length == 1:
        return np.full(out, -0.5)
    shift = 0.5 if way == "tf_half_pixel_for_nn" else 0.0
    if way == "half_pixel_symmetric":
        shift = (1 - out / length) * size / 2
    return shift + (i + 0.5) / scale - 0.5


def _resized(
    y: np.ndarray,
    axis: int,
    x: np.ndarray,
    cubic: bool,
    shrink: float,
    slope: float,
    outside: bool,
) -> np.ndarray:
    """An axis of y at places x; the end elements stand for all beyond them, or none does."""
    size = y.shape[axis]
    if y.dtype.kind != "f" or np.isfinite(y).all():
        return _along(y, axis, _weights(x, size, cubic, shrink, slope, outside))
    margin, matrix = _spread(x, size, cubic, shrink, slope)
    at = np.arange(-margin, size + margin)
    # below the first neighbour and above the last one nothing is read
    floor = np.floor(x)[:, None]
    reach = int(np.ceil((2 if cubic else 1) / shrink))
    read = (at > floor - reach) & (at <= floor + reach)
    if shrink < 1:
        read &= matrix != 0
    inner = (at >= 0) & (at < size)
    if outside:
        read &= inner
    if outside or shrink < 1:
        total = np.where(inner | (not outside), matrix, 0).sum(axis=1, keepdims=True)
        matrix = matrix / np.where(total == 0, 1, total)
    grown = y.take(at.clip(0, size - 1), axis)
    return read_sums(grown, axis, np.where(read, matrix, 0).astype(y.dtype), read)


def _spread(
    x: np.ndarray, size: int, cubic: bool, shrink: float, slope: float
) -> tuple[int, np.ndarray]:
    """Weights of the elements and of `margin` places before and behind them, unscaled."""
    margin = int(np.ceil(2 / shrink)) + int(np.ceil(max(-x.min(), x.max() - size, 0))) + 2
    at = np.arange(-margin, size + margin)
    return margin, (_cubic if cubic else _tent)((at - x[:, None]) * shrink, slope)


def _weights(
    x: np.ndarray, size: int, cubic: bool, shrink: float, slope: float, outside: bool
) -> np.ndarray:
    """Matrix [out, size] of weights for places x; the end elements stand for all beyond them."""
    margin, matrix = _spread(x, size, cubic, shrink, slope)
    inner = matrix[:, margin : margin + size]
    if outside:
        total = inner.sum(axis=1, keepdims=True)
        return inner / np.where(total == 0, 1, total)
    if shrink < 1:
        matrix = matrix / matrix.sum(axis=1, keepdims=True)
    inner = matrix[:, margin : margin + size].copy()
    inner[:, 0] += matrix[:, :margin].sum(axis=1)
    inner[:, -1] += matrix[:, margin + size :].sum(axis=1)
    return inner


def _along(y: np.ndarray, axis: int, matrix: np.ndarray) -> np.ndarray:
    """The matrix applied along one axis."""
    return np.moveaxis(contract(y, matrix.astype(y.dtype), ((axis,), (1,))), -1, axis)


def _whole(x: np.ndarray, rule: str, size: int) -> np.ndarray:
    """Indices next to places x by a rounding rule, inside the axis."""
    if rule == "floor":
        found = np.floor(x)
    elif rule == "ceil":
        found = np.ceil(x)
    else:
        rest = x - np.floor(x)
        up = rest > 0.5 if rule == "round_prefer_floor" else rest >= 0.5
        found = np.floor(x) + up
    return np.clip(found, 0, max(size - 1, 0)).astype(np.intp)


def _real(x: np.ndarray) -> np.ndarray:
    return wide(x) if is_float(x.dtype) else x.astype(np.float64)


def _put(call: Call, y: np.ndarray) -> None:
    """Write a result; a real one rounds and saturates into an integer."""
    dtype = call.outs[0].data.dtype
    if not is_float(dtype) and is_float(y.dtype):
        y = convert(np.rint(y), dtype)
    store(call.outs[0], y)


@kernel("Resize")
def resize(call: Call) -> None:
    """A gather or a matrix of weights per axis."""
    attrs = call.attrs
    x, out = logical(call.arg(0)), call.outs[0].shape
    roi, scales, sizes = call.opt(1), call.opt(2), call.opt(3)
    mode, way = attrs["mode"], attrs["coordinate_transformation_mode"]
    nearest = mode == "nearest"
    y = x if nearest else _real(x)
    beyond: list[np.ndarray] = []
    for axis, (size, count) in enumerate(zip(x.shape, out, strict=True)):
        if scales is not None:
            scale = float(scales.data.reshape(-1)[axis])
        else:
            assert sizes is not None
            scale = count / size if size else 1.0
        ends = None
        if way == "tf_crop_and_resize":
            assert roi is not None
            flat = roi.data.reshape(-1)
            ends = (float(flat[axis]), float(flat[axis + x.ndim]))
        same = size == count and scale == 1 and ends in (None, (0.0, 1.0))
        if count and not (same or scale > 0):
            raise Refusal("a scale is not positive", found=scale, expected="> 0")
        at = source_places(way, size, count, scale, ends)
        miss = (at < 0) | (at > size - 1) if ends is not None else np.zeros(count, bool)
        beyond.append(miss)
        if same:
            beyond[-1] = np.zeros(count, bool)
        elif nearest:
            y = y.take(_whole(at, attrs["nearest_mode"], size), axis)
        elif count:
            shrink = min(scale, 1.0) if attrs.get("antialias") else 1.0
            slope, outside = float(attrs["cubic_coeff_a"]), bool(attrs["exclude_outside"])
            y = _resized(y, axis, at, mode == "cubic", shrink, slope, outside)
        else:
            y = y.take(np.zeros(0, np.intp), axis)
    if any(b.any() for b in beyond):
        mask = ~reduce(np.logical_and.outer, [~b for b in beyond])
        y = np.where(mask, y.dtype.type(attrs["extrapolation_value"]), y)
    _put(call, y)


def _image_axes(call: Call) -> list[tuple[int, int, int, float]]:
    """(axis, size, out, scale) of the two axes of an image resize."""
    given = [float(s) for s in call.attrs.get("scales") or ()]
    rows = []
    for k in (0, 1):
        size, out = call.arg(0).shape[2 + k], call.outs[0].shape[2 + k]
        scale = given[k] if len(given) == 2 and given[k] else out / size if size else 1.0
        rows.append((2 + k, size, out, scale))
    return rows


@kernel("ResizeNearestNeighborV2")
def resize_nearest(call: Call) -> None:
    """One gather per axis."""
    y = logical(call.arg(0))
    for axis, size, out, scale in _image_axes(call):
        i = np.arange(out)
        if call.attrs.get("align_corners"):
            step = (size - 1) / (out - 1) if out > 1 else 0.0
            at = np.floor(i * step + 0.5)
        else:
            at = np.floor((i + (0.5 if call.attrs.get("half_pixel_centers") else 0.0)) / scale)
        y = y.take(np.minimum(at, size - 1).astype(np.intp), axis)
    store(call.outs[0], y)


@kernel("ResizeBilinearV2")
def resize_bilinear(call: Call) -> None:
    """One matrix of weights per axis."""
    y = _real(logical(call.arg(0)))
    for axis, size, out, scale in _image_axes(call):
        way = "half_pixel" if call.attrs.get("half_pixel_centers") else "asymmetric"
        if call.attrs.get("align_corners"):
            way, scale = "align_corners", out / size
        at = source_places(way, size, out, scale)
        y = _resized(y, axis, at, False, 1.0, 0.0, False)
    _put(call, y)


# ------------------------------------------------------------------------------------- grids


def _mirror(p: np.ndarray, low: float, high: float) -> np.ndarray:
    """Places folded back into [low, high], by the triangle wave of twice its length.

    The remainder is exact, so that places far away are folded like any other.
    """
    span = high - low
    if span <= 0:
        return np.zeros_like(p)
    phase = span - np.abs(np.mod(np.abs(p - low), 2 * span) - span)
    return np.where((p < low) | (p > high), low + phase, p)


def _read(
    images: np.ndarray, where: Sequence[np.ndarray], weight: np.ndarray, zeros: bool
) -> np.ndarray:
    """Weighted elements [N, P, C] of images [N, *S, C] at whole places; outside zeros or the
    nearest one (the first for NaN)."""
    sizes = images.shape[1:-1]
    near = (np.nan_to_num(np.clip(w, 0, s - 1)) for w, s in zip(where, sizes, strict=True))
    index = tuple(w.astype(np.intp) for w in near)
    value = images[(np.arange(images.shape[0])[:, None], *index)] * weight[..., None]
    if zeros:
        good = [(w >= 0) & (w <= s - 1) for w, s in zip(where, sizes, strict=True)]
        value = np.where(np.logical_and.reduce(good)[..., None], value, 0)
    return value


@kernel("GridSample", "GridSampler2D", "GridSampler3D")
def grid_sample(call: Call) -> None:
    """Sums of weighted gathers over channels-last images."""
    attrs = call.attrs
    message = "a GridSample with channels last is not evaluated"
    refuse_where(attrs.get("channel_last"), message, expected=False)
    x, grid = wide(logical(call.arg(0))), wide(logical(call.arg(1)))
    rank = x.ndim - 2
    mode, padding = attrs["interpolation_mode"], attrs["padding_mode"]
    corners = bool(attrs["align_corners"])
    if 0 in call.outs[0].shape:
        return
    images = np.moveaxis(x, 1, -1)
    flat = grid.reshape(grid.shape[0], -1, rank).astype(np.result_type(x, grid))
    per_axis = []
    for axis in range(rank):
        size = x.shape[2 + axis]
        g = flat[..., rank - 1 - axis]
        p = (g + 1) / 2 * (size - 1) if corners else ((g + 1) * size - 1) / 2
        low, high = (0.0, size - 1.0) if corners else (-0.5, size - 0.5)
        if mode == "nearest":
            p = np.round(p)
        if padding == "border":
            p = np.where((p < low) | (p > high), np.clip(p, 0, size - 1), p)
        if padding == "reflection":
            p = _mirror(p, low, high)
        base = np.trunc(p) if mode == "nearest" else np.floor(p)
        pairs = []
        for step in {"nearest": (0,), "bilinear": (0, 1), "bicubic": (-1, 0, 1, 2)}[mode]:
            at = base + step
            weight = np.ones_like(p)
            if mode != "nearest":
                weight = (_cubic if mode == "bicubic" else _tent)(p - at, -0.75)
            if padding == "reflection":
                at = np.trunc(_mirror(at, low, high))
            pairs.append((at, weight))
        per_axis.append(pairs)
    total = np.zeros((x.shape[0], flat.shape[1], x.shape[1]), flat.dtype)
    for choice in product(*per_axis):
        weight = np.multiply.reduce([w for _, w in choice])
        total += _read(images, [at for at, _ in choice], weight, padding == "zeros")
    store(call.outs[0], np.moveaxis(total, -1, 1).reshape(call.outs[0].shape))


@kernel("AffineGrid")
def affine_grid(call: Call) -> None:
    """The columns of theta times the coordinates of each axis, summed by broadcasting."""
    theta = wide(logical(call.arg(0)))
    out = call.outs[0].shape
    spatial = out[1:-1]
    rank = len(spatial)
    y = np.broadcast_to(theta[:, :, rank].reshape(-1, *(1,) * rank, rank), out).copy()
    for axis, size in enumerate(spatial):
        if call.attrs.get("align_corners"):
            line = np.linspace(-1, 1, size) if size > 1 else np.array([-1.0])
        else:
            line = np.linspace(-1 + 1 / size, 1 - 1 / size, size)
        shape = [1] * (rank + 2)
        shape[1 + axis] = size
        column = theta[:, :, rank - 1 - axis].reshape(-1, *(1,) * rank, rank)
        y += column * line.astype(y.dtype).reshape(shape)
    store(call.outs[0], y)


# ------------------------------------------------------------------------------------- boxes


@kernel("CropAndResize")
def crop_and_resize(call: Call) -> None:
    """Point by point, all channels of one at a time."""
    x, boxes = logical(call.arg(0)), wide(logical(call.arg(1)))
    kind, out = boxes.dtype.type, call.outs[0]
    nearest = call.attrs.get("method", "bilinear") == "nearest"
    y = np.full(out.shape, kind(call.attrs.get("extrapolation_value", 0.0)), boxes.dtype)
    for k, i, j in np.ndindex(y.shape[:3]):
        image = int(call.arg(2).data.reshape(-1)[k])
        if not 0 <= image < x.shape[0]:
            expected = f"0 … {x.shape[0] - 1}"
            raise Refusal("a box names an image there is not", expected=expected)
        point = []
        for axis, step in ((0, i), (1, j)):
            start, stop = boxes[k, axis], boxes[k, axis + 2]
            last, points = kind(x.shape[1 + axis] - 1), y.shape[1 + axis]
            if points > 1:
                point.append(start * last + kind(step) * ((stop - start) * last / kind(points - 1)))
            else:
                point.append(kind(0.5) * (start + stop) * last)
        if not all(0 <= p <= x.shape[1 + axis] - 1 for axis, p in enumerate(point)):
            continue
        low = [int(p) for p in point]
        part = [p - kind(q) for p, q in zip(point, low, strict=True)]
        if nearest:
            row, col = (q + int(f >= 0.5) for q, f in zip(low, part, strict=True))
            y[k, i, j] = x[image, row, col]
            continue
        high = [q + int(f > 0) for q, f in zip(low, part, strict=True)]
        block = x[image][np.ix_((low[0], high[0]), (low[1], high[1]))].astype(boxes.dtype)
        line = block[:, 0] + (block[:, 1] - block[:, 0]) * part[1]
        y[k, i, j] = line[0] + (line[1] - line[0]) * part[0]
    store(out, convert(y, out.data.dtype))


@kernel("ROIAlign")
def roi_align(call: Call) -> None:
    """Gathers at all samples of one box at a time, then a mean or the largest."""
    attrs = call.attrs
    x, rois = wide(logical(call.arg(0))), wide(logical(call.arg(1)))
    y = np.zeros(call.outs[0].shape, x.dtype)
    bins = (int(attrs["pooled_height"]), int(attrs["pooled_width"]))
    mode, given = int(attrs["roi_end_mode"]), int(attrs["sample_num"])
    if not (np.abs(rois * x.dtype.type(attrs["spatial_scale"])) < 2**31).all():
        raise Refusal("a box is too large or not finite", expected="places below 2**31")
    if not ((rois[:, 0] > -1) & (rois[:, 0] < x.shape[0])).all():
        expected = f"0 … {x.shape[0] - 1}"
        raise Refusal("a box names an image there is not", expected=expected)
    for k, (image, *box) in enumerate(rois.tolist()):
        corner = np.array(box, x.dtype) * x.dtype.type(attrs["spatial_scale"])
        corner = corner - x.dtype.type(0.5 if mode == 2 else 0)
        sides = []
        for axis in (0, 1):
            start, stop = corner[1 - axis], corner[3 - axis]
            length = stop - start + (1 if mode == 1 else 0)
            length = length if mode == 2 else max(length, x.dtype.type(1))
            cell = length / bins[axis]
            count = given or max(int(np.ceil(cell)), 0)
            middle = (np.arange(count) + 0.5) / max(count, 1)
            sides.append((start + (np.arange(bins[axis])[:, None] + middle) * cell).reshape(-1))
        y[k] = _pooled_box(x[int(image)], sides[0], sides[1], bins, attrs["pool_mode"] == "max")
    store(call.outs[0], y)


def _pooled_box(
    image: np.ndarray, rows: np.ndarray, cols: np.ndarray, bins: tuple[int, int], largest: bool
) -> np.ndarray:
    """Samples of image [C, H, W] at rows x cols, pooled into bins."""
    channels, height, width = image.shape
    if not rows.size * cols.size:
        return np.zeros((channels, *bins), image.dtype)
    corners = []
    valid = ((rows >= -1) & (rows <= height))[:, None] & ((cols >= -1) & (cols <= width))
    for r, c in product(_two(rows, height), _two(cols, width)):
        weight = np.outer(r[1], c[1])
        part = image[:, r[0][:, None], c[0]] * weight.astype(image.dtype)
        corners.append(np.where(valid, part, 0))
    cells = (channels, bins[0], rows.size // bins[0], bins[1], cols.size // bins[1])
    if largest:
        return np.maximum.reduce(corners).reshape(cells).max(axis=(2, 4))
    return np.add.reduce(corners).reshape(cells).mean(axis=(2, 4))


def _two(at: np.ndarray, size: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """The neighbours of places and their weights along one side."""
    inside = np.clip(at, 0, size - 1)
    low = np.floor(inside).astype(np.intp)
    part = inside - low
    return [(low, 1 - part), (np.minimum(low + 1, size - 1), part)]


# ------------------------------------------------------------------------ filters, columns


@kernel("DeformableConv2D")
def deformable_conv2d(call: Call) -> None:
    """All moved samples as one matrix, then one product per group."""
    attrs = call.attrs
    last = str(attrs.get("data_format", "NHWC")) == "NHWC"
    x, weight, moves = (wide(logical(call.arg(i))) for i in range(3))
    if last:
        x, moves = (np.moveaxis(a, -1, 1) for a in (x, moves))
        weight = weight.transpose(3, 2, 0, 1)
    n, c, height, width = x.shape
    o, per, kh, kw = weight.shape
    oh, ow = moves.shape[2:]
    parts, groups = int(attrs["deformable_groups"]), int(attrs["groups"])
    at = slice(1, 3) if last else slice(2, 4)
    (sh, sw), (dh, dw) = attrs["strides"][at], attrs["dilations"][at]
    kinds = 3 if attrs.get("modulated", True) else 2
    moves = moves.reshape(n, kinds, parts, kh, kw, oh, ow)
    rows = np.arange(kh).reshape(kh, 1, 1, 1) * dh + np.arange(oh).reshape(1, 1, oh, 1) * sh
    cols = np.arange(kw).reshape(1, kw, 1, 1) * dw + np.arange(ow) * sw
    r = (moves[:, 1] + rows - attrs["pads"][0]).reshape(n * parts, -1)
    s = (moves[:, 0] + cols - attrs["pads"][2]).reshape(n * parts, -1)
    images = np.moveaxis(x.reshape(n * parts, c // parts, height, width), 1, -1)
    seen = np.zeros((n * parts, r.shape[1], c // parts), x.dtype)
    for a, b in product((0, 1), (0, 1)):
        p, q = np.floor(r) + a, np.floor(s) + b
        near = _tent(r - p, 0) * _tent(s - q, 0)
        seen += _read(images, [p, q], near.astype(x.dtype), True)
    if attrs.get("modulated", True):
        seen *= moves[:, 2].reshape(n * parts, -1, 1)
    taps = seen.reshape(n, parts, kh * kw, oh * ow, c // parts).transpose(0, 1, 4, 2, 3)
    taps = taps.reshape(n, groups, per * kh * kw, oh * ow)
    y = (weight.reshape(groups, o // groups, -1) @ taps).reshape(n, o, oh, ow)
    bias = call.opt(3)
    if bias is not None:
        y = y + wide(logical(bias)).reshape(-1, 1, 1)
    store(call.outs[0], np.ascontiguousarray(np.moveaxis(y, 1, -1) if last else y))


@kernel("HostCol2Im")
def col2im(call: Call) -> None:
    """The places that windows of a numbered image would read, and sums over equal ones."""
    x, y = wide(logical(call.arg(0))), call.outs[0]
    image, block = call.ints(1), call.ints(2)
    rank = len(image)
    strides = list(call.attrs.get("strides") or (1,) * rank)
    dilations = list(call.attrs.get("dilations") or (1,) * rank)
    pads = list(call.attrs.get("pads") or (0,) * (2 * rank))
    out = [
        (image[i] + pads[i] + pads[i + rank] - (block[i] - 1) * dilations[i] - 1) // strides[i] + 1
        for i in range(rank)
    ]
    size = int(np.prod(image))
    numbers = np.arange(size).reshape(1, 1, *image)
    seen = windows(numbers, block, strides, dilations, pads[:rank], out, size)
    order = (*range(2 + rank, 2 + 2 * rank), *range(2, 2 + rank))
    places = seen.transpose(0, 1, *order).reshape(-1)
    lines = x.reshape(x.shape[0] * y.shape[1], places.size)
    total = np.zeros((lines.shape[0], size + 1), x.dtype)
    np.add.at(total, (slice(None), places), lines)  # pyright: ignore[reportArgumentType]
    store(y, total[:, :size].reshape(y.shape))
