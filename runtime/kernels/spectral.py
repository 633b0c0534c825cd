"""Kernels of Fourier transforms of complex numbers, in double precision."""

from __future__ import annotations

import numpy as np

from runtime.kernels.fourier import transformed
from runtime.kernels.registry import Call, kernel
from runtime.kernels.views import exact, logical, store


def _save(call: Call, y: np.ndarray) -> None:
    with np.errstate(all="ignore"):
        store(call.outs[0], y.astype(call.outs[0].data.dtype))


@kernel("FFT")
def fft(call: Call) -> None:
    """Along the last axis."""
    _save(call, transformed(exact(logical(call.arg(0))), -1))


@kernel("IFFT")
def ifft(call: Call) -> None:
    """With the conjugate roots, over their number."""
    x = exact(logical(call.arg(0)))
    _save(call, transformed(x, 1) / max(x.shape[-1], 1))


@kernel("FFT2D")
def fft2d(call: Call) -> None:
    """One axis after the other."""
    rows = transformed(exact(logical(call.arg(0))), -1)
    _save(call, transformed(rows.swapaxes(-1, -2), -1).swapaxes(-1, -2))
