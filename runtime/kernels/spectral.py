"""Kernels of Fourier transforms of complex numbers: products with matrices of roots of unity."""

from __future__ import annotations

import numpy as np

from runtime.kernels.registry import Call, kernel
from runtime.kernels.signal import roots
from runtime.kernels.views import exact, logical, store

_WHOLE = 256  # up to this length, by one matrix


def _product(z: np.ndarray, sign: int) -> np.ndarray:
    """Transforms of the last axis, of length f · m by those of f rows of every f-th element.

    The rule of Cooley and Tukey: with j = f·a + b and k = m·d + c, the exponent j·k / (f·m) is
    a·c / m + b·c / (f·m) + b·d / f and a whole number.
    """
    n = z.shape[-1]
    f = next((f for f in range(_WHOLE, 1, -1) if n % f == 0), n)
    if n <= _WHOLE or f == n:
        return z @ roots(n, sign)
    m = n // f
    rows = _product(z.reshape(*z.shape[:-1], m, f).swapaxes(-1, -2), sign)
    turns = np.outer(np.arange(f), np.arange(m)) / n
    rows = rows * np.exp(sign * 2j * np.pi * turns)
    return (roots(f, sign) @ rows).reshape(z.shape)


def _times(z: np.ndarray, sign: int) -> np.ndarray:
    """Transforms of the last axis; NaN for one that reads a number that is not finite."""
    with np.errstate(all="ignore"):
        y = _product(z, sign)
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
