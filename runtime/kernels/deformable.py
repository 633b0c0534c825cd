"""Kernels of samples at moved places and of their gradients, on ND.

All taps of all positions at once, channels last, in images with a ring of zeros around them: a
place outside reads the ring, so that no neighbour has to be asked whether it exists.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np

from runtime.kernels.registry import Call, kernel
from runtime.kernels.unary import convert
from runtime.kernels.views import logical, store

_RING = 2  # a sample just outside reads two elements further out


class _Samples(NamedTuple):
    """Places of all samples of each image, [M, S]: element before, distance to it, factor, and
    whether anything of the image is read; with the shape [kh, kw, rows, columns] of S."""

    low: tuple[np.ndarray, np.ndarray]
    part: tuple[np.ndarray, np.ndarray]
    factor: np.ndarray
    inside: np.ndarray
    shape: tuple[int, int, int, int]


def _channels_last(call: Call, index: int) -> np.ndarray:
    value = logical(call.arg(index)).astype(np.float64)
    return value if _is_last(call) else np.moveaxis(value, 1, -1)


def _is_last(call: Call) -> bool:
    return str(call.attrs.get("data_format", "NCHW")) == "NHWC"


def _save(call: Call, index: int, value: np.ndarray) -> None:
    out = call.outs[index]
    value = value if _is_last(call) else np.moveaxis(value, -1, 1)
    store(out, convert(np.ascontiguousarray(value), out.data.dtype))


def _split(value: np.ndarray, parts: int) -> np.ndarray:
    """[N, H, W, C] as [N·parts, H, W, C / parts]."""
    n, h, w, c = value.shape
    return (
        value.reshape(n, h, w, parts, c // parts)
        .transpose(0, 3, 1, 2, 4)
        .reshape(n * parts, h, w, c // parts)
    )


def _joined(value: np.ndarray, parts: int) -> np.ndarray:
    """The way back."""
    m, h, w, c = value.shape
    return (
        value.reshape(m // parts, parts, h, w, c)
        .transpose(0, 2, 3, 1, 4)
        .reshape(m // parts, h, w, parts * c)
    )


def _samples(call: Call, moves: np.ndarray, size: tuple[int, int]) -> _Samples:
    attrs = call.attrs
    at = slice(1, 3) if _is_last(call) else slice(2, 4)
    strides, dilations = attrs["strides"][at], (attrs.get("dilations") or (1,) * 4)[at]
    kh, kw = attrs["ksize"]
    parts = int(attrs.get("deformable_groups", 1))
    n, rows, cols, _ = moves.shape
    kinds = 3 if attrs.get("modulated", True) else 2
    # kind, image and part, then the taps and the positions
    table = moves.reshape(n, rows, cols, kinds, parts, kh, kw).transpose(3, 0, 4, 5, 6, 1, 2)
    table = table.reshape(kinds, n * parts, kh, kw, rows, cols)
    down = (np.arange(kh)[:, None] * dilations[0] + np.arange(rows) * strides[0])[:, None, :, None]
    across = np.arange(kw)[:, None] * dilations[1] + np.arange(cols) * strides[1]
    places = (
        table[1] + down - attrs["pads"][0],
        table[0] + across[:, None, :] - attrs["pads"][2],
    )
    flat = [p.reshape(n * parts, kh * kw * rows * cols) for p in places]
    inside = np.ones(flat[0].shape, bool)
    for p, length in zip(flat, size, strict=True):
        inside &= (p >= -1) & (p < length)
    kept = [np.where(inside, p, -_RING) for p in flat]
    low = (np.floor(kept[0]).astype(np.int64), np.floor(kept[1]).astype(np.int64))
    part = (kept[0] - low[0], kept[1] - low[1])
    factor = table[2].reshape(flat[0].shape) if kinds == 3 else np.ones(flat[0].shape)
    return _Samples(low, part, factor, inside, (kh, kw, rows, cols))


def _read(ring: np.ndarray, s: _Samples, a: int, b: int) -> np.ndarray:
    """One neighbour of every sample, [M, S, C]."""
    line = np.arange(ring.shape[0])[:, None]
    return ring[line, s.low[0] + a + _RING, s.low[1] + b + _RING]


def _ringed(images: np.ndarray) -> np.ndarray:
    return np.pad(images, ((0, 0), (_RING, _RING), (_RING, _RING), (0, 0)))


@kernel("DeformableOffsets")
def deformable_offsets(call: Call) -> None:
    """By two steps of linear interpolation, along the width first."""
    x, moves = _channels_last(call, 0), _channels_last(call, 1)
    parts = int(call.attrs.get("deformable_groups", 1))
    images = _split(x, parts)
    s = _samples(call, moves, (images.shape[1], images.shape[2]))
    ring = _ringed(images)
    t, u = (p[..., None] for p in s.part)
    lines = []
    for a in (0, 1):
        left, right = _read(ring, s, a, 0), _read(ring, s, a, 1)
        lines.append(left * (1 - u) + right * u)  # also with a weight of 0
    # a sum starts at 0: what is read at a place itself is no negative zero
    value = lines[0] * (1 - t) + lines[1] * t + 0.0
    # a factor that is no number reaches what is read outside, too
    value = np.where(s.inside[..., None], value, 0) * s.factor[..., None]
    kh, kw, rows, cols = s.shape
    y = value.reshape(len(images), kh, kw, rows, cols, images.shape[3])
    y = y.transpose(0, 3, 1, 4, 2, 5).reshape(len(images), rows * kh, cols * kw, images.shape[3])
    _save(call, 0, _joined(y, parts))


@kernel("DeformableOffsetsGrad")
def deformable_offsets_grad(call: Call) -> None:
    """Gradients of all samples to the ring of images, whose border is dropped."""
    grad, x, moves = (_channels_last(call, i) for i in range(3))
    parts = int(call.attrs.get("deformable_groups", 1))
    images = _split(x, parts)
    m, height, width, c = images.shape
    s = _samples(call, moves, (height, width))
    kh, kw, rows, cols = s.shape
    g = _split(grad, parts).reshape(m, rows, kh, cols, kw, c).transpose(0, 2, 4, 1, 3, 5)
    g = np.where(s.inside[..., None], g.reshape(m, kh * kw * rows * cols, c), 0)
    ring, back = _ringed(images), np.zeros((m, height + 2 * _RING, width + 2 * _RING, c))
    t, u = s.part
    line = np.arange(m)[:, None]
    dots = np.zeros((2, 2, *s.inside.shape))
    for a, b in product((0, 1), (0, 1)):
        row, col = s.low[0] + a, s.low[1] + b
        there = (row >= 0) & (row < height) & (col >= 0) & (col < width)
        dots[a, b] = np.where(there[..., None], _read(ring, s, a, b) * g, 0).sum(-1)
        weight = (t if a else 1 - t) * (u if b else 1 - u) * s.factor
        weight = np.where(s.inside, weight, 0)
        where = (line, s.low[0] + a + _RING, s.low[1] + b + _RING)
        np.add.at(back, where, g * weight[..., None])
    along_x = (dots[0, 1] - dots[0, 0]) * (1 - t) + (dots[1, 1] - dots[1, 0]) * t
    along_y = (dots[1, 0] - dots[0, 0]) * (1 - u) + (dots[1, 1] - dots[0, 1]) * u
    upper = dots[0, 0] * (1 - u) + dots[0, 1] * u
    value = upper * (1 - t) + (dots[1, 0] * (1 - u) + dots[1, 1] * u) * t
    found = [along_x * s.factor, along_y * s.factor]
    if call.attrs.get("modulated", True):
        found.append(value)
    moved = np.stack(found).reshape(len(found), m // parts, parts, kh, kw, rows, cols)
    moved = moved.transpose(1, 5, 6, 0, 2, 3, 4).reshape(m // parts, rows, cols, -1)
    kept = back[:, _RING : _RING + height, _RING : _RING + width]
    _save(call, 0, _joined(kept, parts))
    _save(call, 1, moved)
