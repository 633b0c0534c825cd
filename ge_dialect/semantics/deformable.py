"""Golden meaning of samples at moved places, and of their gradients."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.budget import claim
from ge_dialect.semantics.context import Context
from ge_dialect.semantics.conv import from_nchw, to_nchw
from ge_dialect.semantics.numerics import Array, widen_all
from ge_dialect.semantics.registry import semantics
from ge_dialect.semantics.vision import gathered, linear

Attrs = Mapping[str, Any]


class _Taps:
    """The samples of a call: images [N·parts, C / parts, H, W] and the places of each tap."""

    def __init__(self, x: Array, offsets: Array, attrs: Attrs) -> None:
        at = slice(1, 3) if attrs["data_format"] == "NHWC" else slice(2, 4)
        self.strides, self.dilations = attrs["strides"][at], attrs["dilations"][at]
        self.pads, (self.kh, self.kw) = attrs["pads"], attrs["ksize"]
        n, c = x.shape[:2]
        self.parts = attrs["deformable_groups"]
        self.rows, self.cols = offsets.shape[2:]
        kinds = 3 if attrs["modulated"] else 2
        self.moves = offsets.reshape(n, kinds, self.parts, self.kh, self.kw, self.rows * self.cols)
        self.images = x.reshape(n * self.parts, c // self.parts, *x.shape[2:])
        self.modulated = attrs["modulated"]

    def lines(self, value: Array) -> Array:
        """[N, parts, …] as [N·parts, …]."""
        return value.reshape(value.shape[0] * self.parts, *value.shape[2:])

    def places(self) -> Iterator[tuple[int, int, list[Array], Array]]:
        """Row and column of each tap, its places [rows, columns] and factors, [N·parts, P]."""
        top = np.arange(self.rows)[:, None] * self.strides[0] - self.pads[0]
        left = np.arange(self.cols) * self.strides[1] - self.pads[2]
        for i, j in np.ndindex(self.kh, self.kw):
            down = np.broadcast_to(top + i * self.dilations[0], (self.rows, self.cols))
            across = np.broadcast_to(left + j * self.dilations[1], (self.rows, self.cols))
            move = self.moves[:, :, :, i, j]
            where = [
                self.lines(move[:, 1]) + down.reshape(-1),
                self.lines(move[:, 0]) + across.reshape(-1),
            ]
            factor = self.lines(move[:, 2]) if self.modulated else np.ones_like(where[0])
            yield i, j, where, factor


def _blocks(y: Array, kh: int, kw: int) -> Array:
    """[M, C, rows·kh, cols·kw] as a view [M, C, rows, kh, cols, kw]."""
    m, c, tall, wide = y.shape
    return y.reshape(m, c, tall // kh, kh, wide // kw, kw)


@semantics("DeformableOffsets")
def deformable_offsets(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Bilinear samples, tap by tap, each into its place of the blocks."""
    x, offsets = widen_all([to_nchw(a, attrs["data_format"]) for a in args])
    taps = _Taps(x, offsets, attrs)
    m, c = taps.images.shape[:2]
    shape = (m, c, taps.rows * taps.kh, taps.cols * taps.kw)
    claim(shape, x.itemsize)
    y = np.zeros(shape, x.dtype)
    blocks = _blocks(y, taps.kh, taps.kw)
    for i, j, where, factor in taps.places():
        value = linear(taps.images, where) * factor[:, None]
        blocks[:, :, :, i, :, j] = value.reshape(m, c, taps.rows, taps.cols)
    return from_nchw(y.reshape(*x.shape[:2], *shape[2:]), attrs["data_format"])


@semantics("DeformableOffsetsGrad")
def deformable_offsets_grad(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array]:
    """Each neighbour's share of each sample, and how the sample changes with the place."""
    grad, x, offsets = widen_all([to_nchw(a, attrs["data_format"]) for a in args])
    taps = _Taps(x, offsets, attrs)
    m, c, height, width = taps.images.shape
    by_tap = _blocks(grad.reshape(m, c, *grad.shape[2:]), taps.kh, taps.kw)
    grad_x = np.zeros((m, c, height * width), x.dtype)
    moved = np.zeros(taps.moves.shape, x.dtype)
    line, channel = np.arange(m)[:, None, None], np.arange(c)[:, None]
    for i, j, where, factor in taps.places():
        g = by_tap[:, :, :, i, :, j].reshape(m, c, taps.rows * taps.cols)
        floors = [np.floor(p) for p in where]
        parts = [p - f for p, f in zip(where, floors, strict=True)]
        value, slopes = np.zeros_like(g), [np.zeros_like(g), np.zeros_like(g)]
        for a, b in np.ndindex(2, 2):
            near, inside = gathered(taps.images, [floors[0] + a, floors[1] + b])
            weights = [t if up else 1 - t for t, up in zip(parts, (a, b), strict=True)]
            share = np.where(inside, weights[0] * weights[1], 0).astype(x.dtype)
            there = inside[:, None]
            value += np.where(there, near * share[:, None] * g, 0)
            signs = [1 if up else -1 for up in (a, b)]
            for axis in (0, 1):
                slope = (signs[axis] * weights[1 - axis])[:, None].astype(x.dtype)
                slopes[axis] += np.where(there, near * slope * g, 0)
            flat = (floors[0] + a) * width + floors[1] + b
            at = np.where(inside, flat, 0).astype(np.int64)
            back = np.where(there, g * (share * factor)[:, None], 0).astype(x.dtype)
            np.add.at(grad_x, (line, channel, at[:, None]), back)
        own = moved[:, :, :, i, j]
        size = own.shape[0], taps.parts, own.shape[3]
        own[:, 1] = (slopes[0].sum(1) * factor).reshape(size)
        own[:, 0] = (slopes[1].sum(1) * factor).reshape(size)
        if taps.modulated:
            own[:, 2] = value.sum(1).reshape(size)
    return (
        from_nchw(grad_x.reshape(x.shape), attrs["data_format"]),
        from_nchw(moved.reshape(offsets.shape), attrs["data_format"]),
    )
