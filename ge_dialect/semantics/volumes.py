"""Sliding windows over any number of spatial axes: [N, C, *spatial] arrays.

The 2-D case has its own, faster functions in `windows`. Loops run over the elements of a window,
never over positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import product
from typing import Any

import numpy as np

from ge_dialect.semantics.budget import claim
from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, lowest
from ge_dialect.semantics.windows import Axis, explicit_axis, same_axis


def axes_of(
    sizes: Sequence[int],
    kernel: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
    mode: str,
    pads: Sequence[int],
    ceil_mode: bool,
    ctx: Context,
) -> list[Axis]:
    """Windows along each axis; mode SAME, VALID or CALCULATED with pairs of `pads`."""
    made = []
    for i, size in enumerate(sizes):
        k, s, d = kernel[i], strides[i], dilations[i]
        if mode == "SAME":
            axis = same_axis(size, k, s, d)
        elif mode == "VALID":
            axis = explicit_axis(size, k, s, (0, 0), d)
        else:
            axis = explicit_axis(size, k, s, (pads[2 * i], pads[2 * i + 1]), d, ceil_mode)
        if axis.out <= 0 and size:
            ctx.fail("the window is larger than the padded input", found=k, expected=f"≤ {size}")
        made.append(axis)
    return made


def padded(x: Array, axes: Sequence[Axis], fill: Any = 0) -> Array:
    """x as far as the windows touch it, with `fill` outside the data."""
    length = [max(a.needed, 0) for a in axes]
    if all(a.before == 0 and n <= a.size for a, n in zip(axes, length, strict=True)):
        return x[(..., *(slice(0, n) for n in length))]
    claim((*x.shape[:2], *length), x.itemsize)
    out = np.full((*x.shape[:2], *length), fill, x.dtype)
    keep = [min(a.size, n - a.before) for a, n in zip(axes, length, strict=True)]
    into = tuple(slice(a.before, a.before + k) for a, k in zip(axes, keep, strict=True))
    out[(..., *into)] = x[(..., *(slice(0, k) for k in keep))]
    return out


def convolve(x: Array, weight: Array, axes: Sequence[Axis], groups: int) -> Array:
    """Correlation of x [N, C, *S] with weight [O, C / groups, *K]: a product per filter element."""
    n = x.shape[0]
    o, cg = weight.shape[:2]
    out = tuple(a.out for a in axes)
    total = np.zeros((n, groups, o // groups, int(np.prod(out))), x.dtype)
    if total.size == 0 or cg == 0:
        return total.reshape(n, o, *out)
    x = padded(x, axes)
    for tap in np.ndindex(*weight.shape[2:]):
        where = tuple(a.taps(k) for a, k in zip(axes, tap, strict=True))
        taken = np.ascontiguousarray(x[(..., *where)]).reshape(n, groups, cg, -1)
        total += np.matmul(weight[(..., *tap)].reshape(groups, o // groups, cg), taken)
    return total.reshape(n, o, *out)


def spread(x: Array, weight: Array, axes: Sequence[Axis], groups: int) -> Array:
    """The transpose of `convolve`: x [N, O, *S'] with weight [O, C / groups, *K] gives [N, C, *S].

    `axes` are those of the forward convolution; each element of x adds its filter to the data.
    """
    n, o = x.shape[:2]
    cg = weight.shape[1]
    length = [max(a.needed, a.before + a.size) for a in axes]
    claim((n, groups * cg, *length), x.itemsize)
    full = np.zeros((n, groups * cg, *length), x.dtype)
    parts = x.reshape(n, groups, o // groups, int(np.prod(x.shape[2:], dtype=np.int64)))
    if parts.size and full.size:
        for tap in np.ndindex(*weight.shape[2:]):
            where = tuple(a.taps(k) for a, k in zip(axes, tap, strict=True))
            matrix = weight[(..., *tap)].reshape(groups, o // groups, cg).swapaxes(1, 2)
            added = np.matmul(matrix, parts)
            full[(..., *where)] += added.reshape(n, groups * cg, *x.shape[2:])
    keep = tuple(slice(a.before, a.before + a.size) for a in axes)
    return full[(..., *keep)]


def reduce_windows(x: Array, axes: Sequence[Axis], ufunc: np.ufunc, fill: Any) -> Array:
    """Fold every window of x [N, C, *S] with `ufunc`, one axis after the other."""
    out = tuple(a.out for a in axes)
    if 0 in (*x.shape, *out):
        return np.full((*x.shape[:2], *out), fill, x.dtype)
    x = padded(x, axes, fill)
    for i in reversed(range(len(axes))):
        lead = (slice(None),) * (2 + i)
        folded = x[(*lead, axes[i].taps(0))].copy()
        for k in range(1, axes[i].kernel):
            ufunc(folded, x[(*lead, axes[i].taps(k))], out=folded)
        x = folded
    return x


def window_counts(axes: Sequence[Axis], with_padding: bool) -> Array:
    """Elements per window that count for an average, f64 [*out]; see `windows.window_counts`."""
    total = np.ones(())
    for a in axes:
        low = -a.before if with_padding else 0
        high = a.size + (a.after if with_padding else 0)
        claim((a.out, a.kernel), 8)
        taps = np.arange(a.out)[:, None] * a.stride - a.before + np.arange(a.kernel) * a.dilation
        total = np.multiply.outer(total, ((taps >= low) & (taps < high)).sum(axis=1))
    return total


def _reaching(axis: Axis) -> range:
    """Elements of the window that meet data in some place of it."""
    first = axis.before - (axis.out - 1) * axis.stride  # the nearest to data, in elements of it
    last = axis.size - 1 + axis.before
    return range(max(-(-first // axis.dilation), 0), min(last // axis.dilation + 1, axis.kernel))


def argmax_windows(x: Array, axes: Sequence[Axis]) -> tuple[Array, Array]:
    """Largest element of each window and its flat place in the unpadded [*S]; first of equals.

    NaN is the largest. Windows see data only; places in the padding never win.
    """
    out = tuple(a.out for a in axes)
    best = np.full((*x.shape[:2], *out), lowest(x.dtype), x.dtype)
    place = np.full(best.shape, -1, np.int64)
    if x.size == 0 or best.size == 0:
        return best, place  # a window over padding alone finds nothing
    for tap in product(*map(_reaching, axes)):
        at = [
            np.arange(a.out) * a.stride - a.before + k * a.dilation
            for a, k in zip(axes, tap, strict=True)
        ]
        inside = [(p >= 0) & (p < a.size) for p, a in zip(at, axes, strict=True)]
        grid = np.ix_(*(p.clip(0, a.size - 1) for p, a in zip(at, axes, strict=True)))
        flat = np.zeros((), np.int64)
        for p, a in zip(grid, axes, strict=True):
            flat = flat * a.size + p
        seen = reduce(np.logical_and.outer, inside)
        value = x[(..., *grid)]
        better = value > best
        if x.dtype.kind == "f":
            better |= np.isnan(value) & ~np.isnan(best)
        take = seen & ((place < 0) | better)
        best = np.where(take, value, best)
        place = np.where(take, flat, place)
    return best, place
