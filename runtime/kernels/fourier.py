"""Fourier transforms of kernels: roots of unity, products, and convolution with a chirp.

Memory is linear in the length, time is not far from it, whatever the factors of the length are.
"""

from __future__ import annotations

import numpy as np

_WHOLE = 64  # up to this length, by one matrix
#: Lengths of the rows that longer ones are split into, the quickest first.
_FACTORS = (*range(32, 1, -1), *range(33, 257))


def _turns(count: int, whole: int) -> np.ndarray:
    """exp(2πi · k / whole) for k < count, |k| reduced by the caller."""
    angle = 2 * np.pi * (np.arange(count) / whole)
    return np.cos(angle) + 1j * np.sin(angle)


def _roots(n: int, sign: int) -> np.ndarray:
    """Matrix [n, n] of exp(sign · 2πi · j · k / n); exponents are reduced first."""
    k = np.arange(n)
    row = _turns(n, n)
    return (row if sign > 0 else row.conj())[np.outer(k, k) % n]


def transformed(z: np.ndarray, sign: int) -> np.ndarray:
    """Sums over j of z[..., j] · exp(sign · 2πi · j · k / n), n the length of the last axis.

    A transform that reads a number which is not finite is NaN: no order of sums is fixed.
    """
    fine = np.isfinite(z).all(axis=-1, keepdims=True)
    with np.errstate(all="ignore"):
        y = _sums(np.where(fine, z, 0).astype(np.complex128), sign)
    return np.where(fine, y, complex(np.nan, np.nan))


def _sums(z: np.ndarray, sign: int) -> np.ndarray:
    n = z.shape[-1]
    if n <= _WHOLE:
        return z @ _roots(n, sign)
    f = next((f for f in _FACTORS if n % f == 0), n)
    if f < n:
        return _split(z, sign, f)
    return z @ _roots(n, sign) if n < 257 else _chirped(z, sign)


def _split(z: np.ndarray, sign: int, f: int) -> np.ndarray:
    """Transforms of length f · m by those of f rows of every f-th element.

    The rule of Cooley and Tukey: with j = f·a + b and k = m·d + c, the exponent j·k / (f·m) is
    a·c / m + b·c / (f·m) + b·d / f and a whole number.
    """
    n = z.shape[-1]
    m = n // f
    rows = z.reshape(*z.shape[:-1], m, f).swapaxes(-1, -2)
    rows = _sums(np.ascontiguousarray(rows), sign)
    turns = np.outer(np.arange(f), np.arange(m)) / n
    rows = rows * np.exp(sign * 2j * np.pi * turns)
    return (_roots(f, sign) @ rows).reshape(z.shape)


def _chirped(z: np.ndarray, sign: int) -> np.ndarray:
    """Transforms of a length without small factors, by a convolution of a power of two.

    As j·k = (j² + k² - (k - j)²) / 2, the sums are z times a chirp, convolved with the chirp's
    conjugate (L. Bluestein, "A linear filtering approach to the computation of discrete Fourier
    transform", 1970). Squares are reduced modulo 2n as integers, so no digits are lost.
    """
    n = z.shape[-1]
    k = np.arange(n)
    angle = sign * np.pi * ((k * k % (2 * n)) / n)
    chirp = np.cos(angle) + 1j * np.sin(angle)
    size = 1 << (2 * n - 2).bit_length()
    kernel = np.zeros(size, np.complex128)
    kernel[:n] = chirp.conj()
    kernel[size - n + 1 :] = kernel[1:n][::-1]
    grown = np.zeros((*z.shape[:-1], size), np.complex128)
    grown[..., :n] = z * chirp
    spectrum = _sums(grown, -1)
    spectrum *= _sums(kernel, -1)
    return _sums(spectrum, 1)[..., :n] * chirp / size
