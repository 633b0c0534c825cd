"""Kernels of Fourier transforms, mel filters and determinants, on ND.

Determinants come from elimination.
"""

from __future__ import annotations

import numpy as np

from runtime.kernels.fourier import transformed
from runtime.kernels.refusal import Refusal, refuse_where
from runtime.kernels.registry import Call, kernel
from runtime.kernels.unary import convert
from runtime.kernels.views import logical, store


def _numbers(x: np.ndarray) -> np.ndarray:
    wide = x.astype(np.float64)
    return wide[..., 0] + (1j * wide[..., 1] if x.shape[-1] == 2 else 0)


def _fitted(z: np.ndarray, length: int) -> np.ndarray:
    """The last axis cut or filled with zeros to `length`."""
    if z.shape[-1] >= length:
        return z[..., :length]
    return np.concatenate([z, np.zeros((*z.shape[:-1], length - z.shape[-1]), z.dtype)], axis=-1)


@kernel("HostDFT")
def dft(call: Call) -> None:
    """Of real or complex numbers along one axis, to both sides or one."""
    x = logical(call.arg(0))
    axis = -2 if call.opt(2) is None else call.ints(2)[0]
    axis = axis % x.ndim
    inverse, onesided = bool(call.attrs.get("inverse")), bool(call.attrs.get("onesided"))
    z = np.moveaxis(_numbers(x), axis, -1)
    length = z.shape[-1]
    if inverse and onesided:
        length = 2 * (length - 1)
    if call.opt(1) is not None:
        length = call.ints(1)[0]
    refuse_where(length < 1, "dft_length is not positive", found=length, expected="≥ 1")
    if inverse and onesided:
        half = _fitted(z, length // 2 + 1)
        rest = np.conj(half[..., 1 : (length + 1) // 2][..., ::-1])
        z = np.concatenate([half, rest], axis=-1)
        z[..., 0] = z[..., 0].real  # pyright: ignore[reportAttributeAccessIssue]
    y = transformed(_fitted(z, length), 1 if inverse else -1)
    y = y / length if inverse else y
    if onesided and not inverse:
        y = y[..., : length // 2 + 1]
    y = np.moveaxis(y, -1, axis)
    parts = (y.real,) if inverse and onesided else (y.real, y.imag)  # pyright: ignore[reportAttributeAccessIssue]
    store(call.outs[0], np.stack(parts, axis=-1))


@kernel("HostSTFT")
def stft(call: Call) -> None:
    """All frames as a view, weighted."""
    x, window = logical(call.arg(0)), call.opt(2)
    z = _numbers(x if x.ndim == 3 else x[..., None])
    step = call.ints(1)[0]
    length = call.ints(3)[0] if call.opt(3) is not None else z.shape[1]
    if window is not None:
        length = length if call.opt(3) is not None else window.shape[0]
        if window.shape[0] != length > 0:
            message = "frame_length and window do not agree"
            raise Refusal(message, found=length, expected=window.shape[0])
    refuse_where(length < 1, "frame_length is not positive", found=length, expected="≥ 1")
    refuse_where(step < 1, "frame_step is not positive", found=step, expected="≥ 1")
    count = z.shape[1]
    longer, message = length > count, "a frame is longer than the signal"
    refuse_where(longer, message, found=length, expected=f"up to {count}")
    frames = np.lib.stride_tricks.sliding_window_view(z, length, axis=1)[:, ::step]
    if window is not None:
        frames = frames * logical(window).astype(np.float64)
    y = transformed(frames, -1)[..., : call.outs[0].shape[2]]
    store(call.outs[0], np.stack([y.real, y.imag], axis=-1))  # pyright: ignore[reportAttributeAccessIssue]


@kernel("HostMelWeightMatrix")
def mel_weight_matrix(call: Call) -> None:
    """Band by band: a rising line up to its centre, a falling one behind it."""
    bands, length, rate = (call.ints(i)[0] for i in range(3))
    low, high = (float(call.arg(i).data.reshape(-1)[0]) for i in (3, 4))
    if not (-700 < min(low, high) and max(low, high) < 2**31 and low == low and high == high):
        raise Refusal("an edge is no frequency", found=[low, high], expected="a number below 2**31")
    ends = [2595 * np.log1p(hertz / 700) / np.log(10) for hertz in (low, high)]
    mel = ends[0] + np.arange(bands + 2) * ((ends[1] - ends[0]) / (bands + 2))
    hertz = 700 * np.expm1(mel / 2595 * np.log(10))
    edges = ((length + 1) * hertz // rate).astype(int)
    y = np.zeros((length // 2 + 1, bands))
    for band in range(bands):
        left, centre, right = edges[band : band + 3]
        for j in range(y.shape[0]):
            if centre <= j < right:
                y[j, band] = (right - j) / (right - centre)
            elif left <= j <= centre:
                y[j, band] = (j - left) / (centre - left) if centre > left else 1
    store(call.outs[0], convert(y, call.outs[0].data.dtype))


@kernel("MatrixDeterminant")
def determinant(call: Call) -> None:
    """Gaussian elimination with row exchange, all matrices at a time."""
    a = logical(call.arg(0)).astype(np.float64)
    size = a.shape[-1]
    a = a.reshape(int(np.prod(a.shape[:-2])), size, size).copy()
    lost = ~np.isfinite(a).all(axis=(1, 2)) & (size > 1)
    every = np.arange(a.shape[0])
    result = np.ones(a.shape[0])
    for k in range(size):
        pivot = k + np.abs(a[:, k:, k]).argmax(axis=1)
        rows = a[every, pivot].copy()
        a[every, pivot] = a[:, k]
        a[:, k] = rows
        result *= np.where(pivot == k, 1, -1) * rows[:, k]
        with np.errstate(all="ignore"):
            factor = np.where(rows[:, k : k + 1] == 0, 0, a[:, k + 1 :, k] / rows[:, k : k + 1])
        a[:, k + 1 :] -= factor[..., None] * rows[:, None]
    result[lost] = np.nan  # no order of elimination is fixed
    store(call.outs[0], result.reshape(call.outs[0].shape))
