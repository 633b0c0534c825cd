"""Golden meaning of Fourier transforms, in the working dtype, and of mel filters, in f64.

The sums of a transform are formed in no fixed order, of differences too: one that reads an infinity
or NaN has no value, all its results are NaN.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.budget import claim
from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import F64, Array, cast, scalar, widen
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


def _complex(x: Array) -> Array:
    """Complex numbers of a last axis (re) or (re, im)."""
    wide = widen(x)
    if x.shape[-1] == 1:
        return wide[..., 0]
    return wide[..., 0] + 1j * wide[..., 1]


def _pairs(z: Array) -> Array:
    return np.stack([z.real, z.imag], axis=-1)


def _lost(y: Array, read: Array, axis: int) -> Array:
    """y with NaN for all of a transform along `axis` that read a number that is not finite."""
    fine = np.isfinite(read)
    if fine.all():
        return y
    nan = y.dtype.type(complex(np.nan, np.nan) if y.dtype.kind == "c" else np.nan)
    return np.where(fine.all(axis=axis, keepdims=True), y, nan)


@semantics("HostDFT")
def dft(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """FFT along one axis; one-sided inverses give real numbers."""
    x = args[0]
    axis = -2 if args[2] is None else int(scalar(args[2], "axis", ctx))
    axis = axis + x.ndim if axis < 0 else axis
    inverse, onesided = attrs["inverse"], attrs["onesided"]
    length = x.shape[axis]
    if args[1] is not None:
        length = int(scalar(args[1], "dft_length", ctx))
    elif inverse and onesided:
        length = 2 * (length - 1)
    if length < 1:
        ctx.fail("dft_length is not positive", found=length, expected="≥ 1")
    z = _complex(x)
    read = length // 2 + 1 if inverse and onesided else length
    read = z[(*(slice(None),) * axis, slice(0, read))]
    if inverse and onesided:
        return _lost(np.fft.irfft(z, length, axis), read, axis)[..., None]
    y = _lost((np.fft.ifft if inverse else np.fft.fft)(z, length, axis), read, axis)
    if onesided:
        y = np.take(y, np.arange(length // 2 + 1), axis=axis)
    return _pairs(y)


@semantics("HostSTFT")
def stft(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """FFT of weighted frames that lie within the signal."""
    x, step, window, given = args[0], int(scalar(args[1], "frame_step", ctx)), args[2], args[3]
    if given is not None:
        length = int(scalar(given, "frame_length", ctx))
        if length < 1:
            ctx.fail("frame_length is not positive", found=length, expected="≥ 1")
    else:
        length = x.shape[1] if window is None else window.shape[0]
    if window is not None and window.shape != (length,):
        ctx.fail("frame_length and window do not agree", found=length, expected=window.shape[0])
    if step < 1:
        ctx.fail("frame_step is not positive", found=step, expected="≥ 1")
    z = _complex(x if x.ndim == 3 else x[..., None])
    if length > z.shape[1]:
        expected = f"up to {z.shape[1]}"
        ctx.fail("a frame is longer than the signal", found=length, expected=expected)
    count = 1 + (z.shape[1] - length) // step
    claim((z.shape[0], count, length), z.itemsize)
    frames = z[:, np.arange(count)[:, None] * step + np.arange(length)]
    if window is not None:
        frames = frames * widen(window)
    y = _lost(np.fft.fft(frames, axis=-1), frames, -1)
    return _pairs(y[..., : length // 2 + 1] if attrs["onesided"] else y)


@semantics("HostMelWeightMatrix")
def mel_weight_matrix(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Triangles between three neighbouring edges; one bin alone has weight 1.

    The edges are (upper - lower) / (bands + 2) mel apart, which leaves the last one below `upper`.
    """
    bands, length, rate = (int(scalar(a, "a size", ctx)) for a in args[:3])
    hertz = [float(scalar(a, "an edge", ctx)) for a in args[3:]]
    if not all(-700 < h < 2**31 for h in hertz):
        ctx.fail("an edge is no frequency", found=hertz, expected="a number below 2**31")
    low, high = (2595 * np.log10(1 + h / 700) for h in hertz)
    mel = low + np.arange(bands + 2) * (high - low) / (bands + 2)
    hertz = 700 * (10 ** (mel / 2595) - 1)
    edge = np.floor((length + 1) * hertz / rate).astype(np.int64)
    left, centre, right = edge[:-2], edge[1:-1], edge[2:]
    j = np.arange(length // 2 + 1)[:, None]
    rise, fall = centre - left, right - centre
    up = np.where((j >= left) & (j <= centre), (j - left) / np.maximum(rise, 1), 0)
    up = np.where(rise == 0, (j == centre).astype(F64), up)
    down = (j >= centre) & (j < right)
    y = np.where(down, (right - j) / np.maximum(fall, 1), up)
    dtype = ctx.out_dtype(0)
    return y if dtype is None else cast(y, dtype)
