"""Kernels of Fourier transforms of complex numbers: products with the matrix of roots of unity."""

from __future__ import annotations

import numpy as np

from runtime.kernels.registry import Call, kernel
from runtime.kernels.signal import roots
from runtime.kernels.views import exact, logical, store


def _times(z: np.ndarray, sign: int) -> np.ndarray:
    """Transforms of the last axis; NaN for one that reads a number that is not finite."""
    with np.errstate(all="ignore"):
        y = z @ roots(z.shape[-1], sign)
    y[~np.isfinite(z).all(axis=-1)] = complex(np.nan, np.nan)
    return y


def _save(call: Call, y: np.ndarray) -> None:
    with np.errstate(all="ignore"):
        store(call.outs[0], y.astype(call.outs[0].data.dtype))


@kernel("FFT")
def fft(call: Call) -> None:
    """One product."""
    _save(call, _times(exact(logical(call.arg(0))), -1))


@kernel("IFFT")
def ifft(call: Call) -> None:
    """One product with the conjugate matrix, over the number of roots."""
    x = exact(logical(call.arg(0)))
    _save(call, _times(x, 1) / max(x.shape[-1], 1))


@kernel("FFT2D")
def fft2d(call: Call) -> None:
    """A product for each of two axes."""
    rows = _times(exact(logical(call.arg(0))), -1)
    _save(call, _times(rows.swapaxes(-1, -2), -1).swapaxes(-1, -2))
