"""Golden meaning of sampling at computed places; loops run over neighbours, never over places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ge_dialect.semantics.budget import claim
from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import F64, Array, int_list, widen, widen_all
from ge_dialect.semantics.registry import semantics
from ge_dialect.semantics.windows import explicit_axis

Attrs = Mapping[str, Any]
_SLOPE = -0.75


def gathered(x: Array, places: Sequence[Array]) -> tuple[Array, Array]:
    """Elements of x [N, C, *S] at whole places (one [N, P] array per axis), and which are inside.

    Gives [N, C, P]; outside of x the nearest element stands, at a place that is NaN the first. An x
    without elements gives zeros.
    """
    sizes = x.shape[2:]
    count = int(np.prod(sizes, dtype=np.int64))
    if not count:
        none = np.zeros(places[0].shape, bool)
        return np.zeros((*x.shape[:2], none.shape[1]), x.dtype), none  # pyright: ignore[reportGeneralTypeIssues]
    flat = np.zeros(places[0].shape, np.int64)
    inside = np.ones(places[0].shape, bool)
    for place, size in zip(places, sizes, strict=True):
        inside &= (place >= 0) & (place < size)
        near = np.nan_to_num(np.clip(place, 0, size - 1))
        flat = flat * size + near.astype(np.int64)
    lines = x.reshape(*x.shape[:2], count)
    return np.take_along_axis(lines, flat[:, None, :], axis=2), inside


def linear(x: Array, places: Sequence[Array]) -> Array:
    """x [N, C, *S] at fractional places, zero outside: [N, C, P]."""
    floors = [np.floor(p) for p in places]
    total: Any = 0
    for corner in np.ndindex(*(2,) * len(places)):
        weight: Any = 1
        for p, f, c in zip(places, floors, corner, strict=True):
            weight = weight * ((p - f) if c else 1 - (p - f))
        value, inside = gathered(x, [f + c for f, c in zip(floors, corner, strict=True)])
        total = total + np.where(inside[:, None], value * weight[:, None].astype(x.dtype), 0)
    return total


def _reflected(p: Array, low: float, high: float) -> Array:
    """Places mirrored at both borders until they lie between."""
    span = high - low
    if span <= 0:
        return np.zeros_like(p)
    rest = np.mod(np.where(p < low, low - p, p - low), 2 * span)  # exact, also far away
    mirrored = np.where(rest < span, low + rest, high - (rest - span))
    return np.where((p < low) | (p > high), mirrored, p)


def _cubic_weights(t: Array) -> list[Array]:
    """Weights of the elements at -1, 0, 1, 2 around a fraction t (R. Keys, 1981)."""

    def far(d: Array) -> Array:
        return ((_SLOPE * d - 5 * _SLOPE) * d + 8 * _SLOPE) * d - 4 * _SLOPE

    def near(d: Array) -> Array:
        return ((_SLOPE + 2) * d - (_SLOPE + 3)) * d * d + 1

    return [far(1 + t), near(t), near(1 - t), far(2 - t)]


@semantics("GridSample")
def grid_sample_of_any_rank(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Channels first, of images or volumes."""
    if attrs["channel_last"]:
        ctx.fail("a GridSample with channels last is not evaluated", expected=False)
    return grid_sample(args, attrs, ctx)


@semantics("GridSampler2D", "GridSampler3D")
def grid_sample(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x at normalised coordinates, whose last entry belongs to the first spatial axis."""
    x, grid = widen_all(args)
    shape = (*x.shape[:2], *grid.shape[1:-1])
    if 0 in shape:
        return np.zeros(shape, x.dtype)
    mode, padding, corners = (
        attrs[k] for k in ("interpolation_mode", "padding_mode", "align_corners")
    )
    sizes = x.shape[2:]
    points = grid.reshape(grid.shape[0], -1, len(sizes))
    places, borders = [], []
    for i, size in enumerate(sizes):
        at = points[..., len(sizes) - 1 - i]
        at = (at + 1) / 2 * (size - 1) if corners else ((at + 1) * size - 1) / 2
        if mode == "nearest":
            at = np.rint(at)
        low, high = (0.0, size - 1.0) if corners else (-0.5, size - 0.5)
        if padding == "border":
            at = np.where((at < low) | (at > high), at.clip(0, size - 1), at)
        elif padding == "reflection":
            at = _reflected(at, low, high)
        places.append(at)
        borders.append((low, high))
    offsets = {"nearest": (0,), "bilinear": (0, 1), "bicubic": (-1, 0, 1, 2)}[mode]
    if mode == "nearest":
        floors = [np.trunc(p) for p in places]
        weights = [[np.ones_like(p)] for p in places]
    else:
        floors = [np.floor(p) for p in places]
        parts = [p - f for p, f in zip(places, floors, strict=True)]
        weights = [[1 - t, t] if mode == "bilinear" else _cubic_weights(t) for t in parts]
    total = np.zeros((*x.shape[:2], points.shape[1]), x.dtype)
    for corner in np.ndindex(*(len(offsets),) * len(sizes)):
        weight: Any = 1
        at = []
        for i, c in enumerate(corner):
            weight = weight * weights[i][c]
            place = floors[i] + offsets[c]
            at.append(
                np.trunc(_reflected(place, *borders[i])) if padding == "reflection" else place
            )
        value, inside = gathered(x, at)
        part = value * weight[:, None]
        total += np.where(inside[:, None], part, 0) if padding == "zeros" else part
    return total.reshape(shape)


@semantics("AffineGrid")
def affine_grid(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """theta · (x, y, …, 1) for all places of the output, coordinates from -1 to 1."""
    theta, sizes = widen(args[0]), int_list(args[1])[2:]
    lines = []
    for size in sizes:
        i = np.arange(size, dtype=F64)
        if attrs["align_corners"]:
            lines.append(i * 2 / (size - 1) - 1 if size > 1 else i - 1)
        else:
            lines.append((2 * i + 1) / size - 1)
    grids = np.meshgrid(*lines, indexing="ij")
    points = np.stack([*reversed(grids), np.ones(sizes)], axis=-1).astype(theta.dtype)
    flat = points.reshape(-1, len(sizes) + 1) @ theta.swapaxes(1, 2)
    return flat.reshape(theta.shape[0], *sizes, len(sizes))


# ------------------------------------------------------------------------------------- boxes


@dataclass
class _Side:
    """Samples along one side of all boxes, [K, bins, samples].

    low, high: neighbours; part: weight of the high one; there: false for samples a box has not;
    near: false for those more than one element outside.
    """

    low: Array
    high: Array
    part: Array
    there: Array
    near: Array


def _bin_samples(start: Array, length: Array, bins: int, size: int, given: int) -> _Side:
    """Samples in the bins of one side; `given` 0: as many as ceil(length / bins)."""
    step = length / bins
    count = np.full(step.shape, given) if given else np.ceil(step).astype(np.int64)
    top = max(int(count.max(initial=0)), 0)
    claim((*step.shape, bins, top), 8)
    s = np.arange(top)
    each = np.maximum(count, 1)[:, None, None]
    at = start[:, None, None] + (np.arange(bins)[:, None] + (s + 0.5) / each) * step[:, None, None]
    there = np.broadcast_to(s < count[:, None, None], at.shape)
    near = (at >= -1) & (at <= size)
    at = at.clip(0, size - 1)
    low = np.floor(at).astype(np.int64)
    return _Side(low, np.minimum(low + 1, size - 1), at - low, there, near)


def _side_matrix(side: _Side, size: int) -> Array:
    """Sums of samples as weights of the elements of a side: [K, bins, size]."""
    low, high, part = side.low, side.high, side.part
    mask = side.there & side.near
    matrix = np.zeros((*low.shape[:2], size), part.dtype)
    box, cell = np.ix_(np.arange(low.shape[0]), np.arange(low.shape[1]))
    for s in range(low.shape[2]):
        used = mask[..., s].astype(part.dtype)
        np.add.at(matrix, (box, cell, low[..., s]), used * (1 - part[..., s]))
        np.add.at(matrix, (box, cell, high[..., s]), used * part[..., s])
    return matrix


def _crop_places(first: Array, last: Array, count: int, size: int) -> Array:
    """Where the points of each box lie along an axis, [boxes, points]."""
    t = first.dtype.type
    if count == 1:
        return (t(0.5) * (first + last) * t(size - 1))[:, None]
    step = (last - first) * t(size - 1) / t(count - 1)
    return (first * t(size - 1))[:, None] + np.arange(count).astype(first.dtype) * step[:, None]


@semantics("CropAndResize")
def crop_and_resize(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Bilinear samples or nearest elements at the points of each box (TensorFlow's definition)."""
    boxes, image = widen(args[1]), args[2].astype(np.int64)
    x = args[0].astype(boxes.dtype)
    sizes = int_list(args[3])
    if len(sizes) != 2 or min(sizes) < 1:
        ctx.fail("crop_size must be positive", found=list(sizes), expected="two sizes ≥ 1")
    if ((image < 0) | (image >= x.shape[0])).any():
        ctx.fail("a box names an image there is not", expected=f"0 … {x.shape[0] - 1}")
    claim((len(image), *sizes, x.shape[3]), x.itemsize)
    places = [_crop_places(boxes[:, a], boxes[:, a + 2], sizes[a], x.shape[1 + a]) for a in (0, 1)]
    inside = [(p >= 0) & (p <= x.shape[1 + a] - 1) for a, p in enumerate(places)]
    rows, cols = (np.where(there, p, 0) for there, p in zip(inside, places, strict=True))
    at = image[:, None, None]
    if attrs["method"] == "nearest":
        near = [(np.floor(p) + (p - np.floor(p) >= 0.5)).astype(np.int64) for p in (rows, cols)]
        value = x[at, near[0][:, :, None], near[1][:, None, :]]
    else:
        top, left = np.floor(rows), np.floor(cols)
        down, across = (rows - top)[:, :, None, None], (cols - left)[:, None, :, None]
        sides = [[np.floor(p).astype(np.int64), np.ceil(p).astype(np.int64)] for p in (rows, cols)]
        edges = []
        for row in sides[0]:
            a, b = (x[at, row[:, :, None], col[:, None, :]] for col in sides[1])
            edges.append(a + (b - a) * across)
        value = edges[0] + (edges[1] - edges[0]) * down
    there = (inside[0][:, :, None] & inside[1][:, None, :])[..., None]
    return np.where(there, value, x.dtype.type(attrs["extrapolation_value"]))


@semantics("ROIAlign")
def roi_align(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Mean of samples in the bins of each box, or the largest weighted neighbour of a sample.

    A mean of bilinear samples is a matrix product per side.
    """
    x, rois = widen_all(args[:2])
    if not (np.abs(rois * x.dtype.type(attrs["spatial_scale"])) < 2**31).all():
        ctx.fail("a box is too large or not finite", expected="places below 2**31")
    image = rois[:, 0].astype(np.int64)
    if ((image < 0) | (image >= x.shape[0])).any():
        ctx.fail("a box names an image there is not", expected=f"0 … {x.shape[0] - 1}")
    mode = attrs["roi_end_mode"]
    corners = rois[:, 1:] * x.dtype.type(attrs["spatial_scale"]) - (0.5 if mode == 2 else 0)
    length = corners[:, 2:] - corners[:, :2] + (1 if mode == 1 else 0)
    if mode != 2:
        length = np.maximum(length, 1)
    height, width = x.shape[2:]
    given = attrs["sample_num"]
    rows = _bin_samples(corners[:, 1], length[:, 1], attrs["pooled_height"], height, given)
    cols = _bin_samples(corners[:, 0], length[:, 0], attrs["pooled_width"], width, given)
    if attrs["pool_mode"] == "max":
        return _largest_neighbour(x, image, rows, cols)
    if np.isfinite(x).all():
        total = np.matmul(
            np.matmul(_side_matrix(rows, height)[:, None], x[image]),
            _side_matrix(cols, width)[:, None].swapaxes(-1, -2),
        )
    else:  # the zeros of the matrices would meet elements that no sample reads
        total = np.zeros(
            (len(image), x.shape[1], *rows.low.shape[1:2], *cols.low.shape[1:2]), x.dtype
        )
        for part, there in _neighbours(x, image, rows, cols):
            total += np.where(there, part, 0).transpose(0, 3, 1, 2)
    down = given or np.ceil(length[:, 1] / attrs["pooled_height"]).clip(0)
    across = given or np.ceil(length[:, 0] / attrs["pooled_width"]).clip(0)
    count = np.maximum(np.broadcast_to(down * across, image.shape), 1).astype(x.dtype)
    return total / count[:, None, None, None]


def _largest_neighbour(x: Array, image: Array, rows: _Side, cols: _Side) -> Array:
    (boxes, bins_h), bins_w = rows.low.shape[:2], cols.low.shape[1]
    best = np.full((boxes, x.shape[1], bins_h, bins_w), -np.inf, x.dtype)
    for part, there in _neighbours(x, image, rows, cols):
        np.maximum(best, np.where(there, part, -np.inf).transpose(0, 3, 1, 2), out=best)
    some = rows.there.any(-1)[:, None, :, None] & cols.there.any(-1)[:, None, None, :]  # pyright: ignore[reportIndexIssue]
    return np.where(some, best, 0)


def _neighbours(x: Array, image: Array, rows: _Side, cols: _Side) -> Iterator[tuple[Array, Array]]:
    """Weighted neighbours of one sample of all bins after the other, [K, bins, bins, C], 0 for
    samples outside, and whether a box has the sample."""
    samples_h, samples_w = rows.low.shape[2], cols.low.shape[2]
    pick = image[:, None, None]
    for i, j in np.ndindex(samples_h, samples_w):
        there = rows.there[..., i][:, :, None] & cols.there[..., j][:, None, :]
        near = rows.near[..., i][:, :, None] & cols.near[..., j][:, None, :]
        for down, across in np.ndindex(2, 2):
            r = (rows.high if down else rows.low)[..., i]
            c = (cols.high if across else cols.low)[..., j]
            w_r = rows.part[..., i] if down else 1 - rows.part[..., i]
            w_c = cols.part[..., j] if across else 1 - cols.part[..., j]
            weight = (w_r[:, :, None] * w_c[:, None, :]).astype(x.dtype)
            value = x[pick, :, r[:, :, None], c[:, None, :]] * weight[..., None]
            yield np.where(near[..., None], value, x.dtype.type(0)), there[..., None]


# ------------------------------------------------------------------------ filters, columns


@semantics("DeformableConv2D")
def deformable_conv2d(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Convolution that reads each filter element's value at a moved place, zero outside."""
    last = attrs["data_format"] == "NHWC"
    x, weight, offsets, *rest = args
    if last:
        x, offsets = x.transpose(0, 3, 1, 2), offsets.transpose(0, 3, 1, 2)
        weight = weight.transpose(3, 2, 0, 1)
    x, weight, offsets = widen_all([x, weight, offsets])
    n, c = x.shape[:2]
    o, cg, kh, kw = weight.shape
    at = slice(1, 3) if last else slice(2, 4)
    strides, dilations, pads = attrs["strides"][at], attrs["dilations"][at], attrs["pads"]
    parts, groups = attrs["deformable_groups"], attrs["groups"]
    oh, ow = offsets.shape[2:]
    moves = offsets.reshape(n, 3 if attrs["modulated"] else 2, parts, kh * kw, oh, ow)
    top = np.arange(oh)[:, None] * strides[0] - pads[0]
    left = np.arange(ow) * strides[1] - pads[2]
    total = np.zeros((n, groups, o // groups, oh * ow), x.dtype)
    images = x.reshape(n * parts, c // parts, *x.shape[2:])
    for i, j in np.ndindex(kh, kw):
        tap = i * kw + j
        y = moves[:, 1, :, tap] + (top + i * dilations[0])
        across = moves[:, 0, :, tap] + (left + j * dilations[1])
        value = linear(images, [p.reshape(n * parts, oh * ow) for p in (y, across)])
        if attrs["modulated"]:
            value = value * moves[:, 2, :, tap].reshape(n * parts, 1, oh * ow)
        matrix = weight[:, :, i, j].reshape(groups, o // groups, cg)
        total += np.matmul(matrix, value.reshape(n, groups, cg, oh * ow).astype(x.dtype))
    y = total.reshape(n, o, oh, ow)
    if rest and rest[0] is not None:
        y = y + rest[0].astype(y.dtype).reshape(-1, 1, 1)
    return np.ascontiguousarray(y.transpose(0, 2, 3, 1)) if last else y


@semantics("HostCol2Im")
def col2im(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Each column added to the image at the elements its window covered."""
    x, image, block = args[0], int_list(args[1]), int_list(args[2])
    rank = len(image)
    strides, dilations = attrs["strides"] or (1,) * rank, attrs["dilations"] or (1,) * rank
    pads = attrs["pads"] or (0,) * (2 * rank)
    axes = [
        explicit_axis(image[i], block[i], strides[i], (pads[i], pads[i + rank]), dilations[i])
        for i in range(rank)
    ]
    x = widen(x)
    channels = x.shape[1] // int(np.prod(block))
    parts = x.reshape(x.shape[0], channels, *block, *(a.out for a in axes))
    length = [max(a.needed, a.before + a.size) for a in axes]
    claim((*parts.shape[:2], *length), x.itemsize)
    full = np.zeros((*parts.shape[:2], *length), x.dtype)
    for tap in np.ndindex(*block):
        where = tuple(a.taps(k) for a, k in zip(axes, tap, strict=True))
        full[(..., *where)] += parts[(slice(None), slice(None), *tap)]
    return full[(..., *(slice(a.before, a.before + a.size) for a in axes))]
