"""Sliding windows on NCHW arrays: padding, output sizes, columns for convolution, pooling sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ge_dialect.semantics.budget import claim
from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array

_COLUMN_BYTES = 1 << 23  # columns are built in slices of about this size, to stay in cache


@dataclass(frozen=True)
class Axis:
    """Windows along one axis: size of the data, window, step, spacing, padding, output size."""

    size: int
    kernel: int
    stride: int
    dilation: int
    before: int
    after: int
    out: int

    @property
    def extent(self) -> int:
        """Distance from the first to just behind the last element of a window."""
        return (self.kernel - 1) * self.dilation + 1

    @property
    def needed(self) -> int:
        """Padded length that the windows touch."""
        return (self.out - 1) * self.stride + self.extent if self.out else 0

    def taps(self, k: int) -> slice:
        """Positions in the padded axis of tap `k` of all windows."""
        start = k * self.dilation
        return slice(start, start + (self.out - 1) * self.stride + 1, self.stride)


def explicit_axis(
    size: int,
    kernel: int,
    stride: int,
    pads: tuple[int, int],
    dilation: int = 1,
    ceil_mode: bool = False,
) -> Axis:
    """Windows with given padding. In ceil mode a last window needs one element of data or of the
    padding before it, as in PyTorch and ONNX.
    """
    before, after = pads
    room = size + before + after - (kernel - 1) * dilation - 1
    out = room // stride + 1
    if ceil_mode:
        out = -(-room // stride) + 1
        if (out - 1) * stride >= size + before:
            out -= 1
    return Axis(size, kernel, stride, dilation, before, after, max(out, 0))


def same_axis(size: int, kernel: int, stride: int, dilation: int = 1, lower: bool = False) -> Axis:
    """Windows of SAME padding: ceil(size / stride) of them, the odd element of padding behind."""
    out = -(-size // stride)
    total = max((out - 1) * stride + (kernel - 1) * dilation + 1 - size, 0)
    small, large = total // 2, total - total // 2
    before, after = (large, small) if lower else (small, large)
    return Axis(size, kernel, stride, dilation, before, after, out)


def window_axes(
    sizes: Sequence[int],
    kernel: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
    mode: str,
    pads: Sequence[int],
    ceil_mode: bool,
    ctx: Context,
) -> tuple[Axis, Axis]:
    """Windows along H and W.

    mode: SAME or SAME_UPPER, SAME_LOWER, VALID, or CALCULATED with `pads` = top, bottom, left,
    right, the only one that looks at `ceil_mode`. All other sequences hold H and W.
    """
    made = []
    for i in range(2):
        size, k, s, d = sizes[i], kernel[i], strides[i], dilations[i]
        if mode in ("SAME", "SAME_UPPER", "SAME_LOWER"):
            made.append(same_axis(size, k, s, d, mode == "SAME_LOWER"))
        elif mode == "VALID":
            made.append(explicit_axis(size, k, s, (0, 0), d))
        else:
            pair = (pads[2 * i], pads[2 * i + 1])
            made.append(explicit_axis(size, k, s, pair, d, ceil_mode))
        if made[-1].out <= 0 and size:
            ctx.fail("the window is larger than the padded input", found=k, expected=f"≤ {size}")
    return made[0], made[1]


def padded(x: Array, h: Axis, w: Axis, fill: Any = 0) -> Array:
    """x as far as the windows touch it, with `fill` outside the data; x itself where possible."""
    rows, cols = max(h.needed, 0), max(w.needed, 0)
    if h.before == w.before == 0 and rows <= h.size and cols <= w.size:
        return x[:, :, :rows, :cols]
    claim((*x.shape[:2], rows, cols), x.itemsize)
    out = np.full((*x.shape[:2], rows, cols), fill, x.dtype)
    keep_h, keep_w = min(h.size, rows - h.before), min(w.size, cols - w.before)
    out[:, :, h.before : h.before + keep_h, w.before : w.before + keep_w] = x[
        :, :, :keep_h, :keep_w
    ]
    return out


def convolve(x: Array, weight: Array, h: Axis, w: Axis, groups: int) -> Array:
    """2-D correlation of x [N, C, H, W] with weight [O, C / groups, kh, kw], in their dtype.

    One matrix product per image and slice of output rows; 1 x 1 kernels need no columns, and
    depthwise kernels are sums of shifted products.
    """
    n, c = x.shape[:2]
    o, cg = weight.shape[:2]
    og = o // groups
    if 0 in (n, o, cg, h.out, w.out):
        return np.zeros((n, o, h.out, w.out), x.dtype)
    x = padded(x, h, w)
    if cg == 1 and groups > 1 and og <= 2 and h.kernel * w.kernel > 1:
        return _depthwise(x, weight.reshape(c, og, h.kernel, w.kernel), h, w)
    matrix = np.ascontiguousarray(weight).reshape(groups, og, cg * h.kernel * w.kernel)
    if h.kernel == w.kernel == 1:
        taps = np.ascontiguousarray(x[:, :, h.taps(0), w.taps(0)])
        y = np.matmul(matrix, taps.reshape(n, groups, cg, h.out * w.out))
        return y.reshape(n, o, h.out, w.out)
    return _columns(x, matrix, h, w)


def _columns(x: Array, matrix: Array, h: Axis, w: Axis) -> Array:
    n, c = x.shape[:2]
    groups, og, depth = matrix.shape
    window = h.kernel * w.kernel
    per_row = c * window * w.out * x.itemsize
    rows = max(1, min(h.out, _COLUMN_BYTES // per_row))
    claim((per_row,), 1)
    out = np.empty((n, groups, og, h.out * w.out), x.dtype)
    for image in range(n):
        for top in range(0, h.out, rows):
            count = min(rows, h.out - top)
            columns = np.empty((c, window, count, w.out), x.dtype)
            for i in range(h.kernel):
                first = i * h.dilation + top * h.stride
                lines = x[image, :, first : first + (count - 1) * h.stride + 1 : h.stride]
                for j in range(w.kernel):
                    columns[:, i * w.kernel + j] = lines[:, :, w.taps(j)]
            flat = columns.reshape(groups, depth, count * w.out)
            part = out[image, :, :, top * w.out : (top + count) * w.out]
            np.matmul(matrix, flat, out=part)
    return out.reshape(n, groups * og, h.out, w.out)


def _depthwise(x: Array, weight: Array, h: Axis, w: Axis) -> Array:
    n, c = x.shape[:2]
    multiplier = weight.shape[1]
    out = np.zeros((n, c, multiplier, h.out, w.out), x.dtype)
    for i in range(h.kernel):
        for j in range(w.kernel):
            taps = x[:, :, None, h.taps(i), w.taps(j)]
            out += taps * weight[:, :, i, j][None, :, :, None, None]
    return out.reshape(n, c * multiplier, h.out, w.out)


def reduce_windows(x: Array, h: Axis, w: Axis, ufunc: np.ufunc, fill: Any) -> Array:
    """Fold every window of x [N, C, H, W] with `ufunc`; padding holds `fill`.

    The window is folded along W first and then along H.
    """
    if 0 in (*x.shape, h.out, w.out):
        return np.full((*x.shape[:2], h.out, w.out), fill, x.dtype)
    whole_h = h.out == 1 and h.before == 0 and h.needed == h.size
    whole_w = w.out == 1 and w.before == 0 and w.needed == w.size
    if whole_h and whole_w and h.dilation == w.dilation == 1:
        return ufunc.reduce(x, axis=(2, 3), keepdims=True)
    x = padded(x, h, w, fill)
    across = x[:, :, :, w.taps(0)].copy()
    for j in range(1, w.kernel):
        ufunc(across, x[:, :, :, w.taps(j)], out=across)
    down = across[:, :, h.taps(0)].copy()
    for i in range(1, h.kernel):
        ufunc(down, across[:, :, h.taps(i)], out=down)
    return down


def window_counts(h: Axis, w: Axis, with_padding: bool) -> Array:
    """Elements per window that count for an average, [out_h, out_w] in f64.

    Only data elements, or also the padding that was asked for (never what ceil mode adds).
    """
    return np.multiply.outer(_counts(h, with_padding), _counts(w, with_padding))


def _counts(axis: Axis, with_padding: bool) -> Array:
    low = -axis.before if with_padding else 0
    high = axis.size + (axis.after if with_padding else 0)
    claim((axis.out, axis.kernel), 8)
    starts = np.arange(axis.out) * axis.stride - axis.before
    taps = starts[:, None] + np.arange(axis.kernel) * axis.dilation
    return ((taps >= low) & (taps < high)).sum(axis=1).astype(np.float64)
