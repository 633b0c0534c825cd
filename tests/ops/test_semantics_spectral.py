"""Fourier transforms of complex numbers against their sums."""

from __future__ import annotations

import cmath

import numpy as np
import pytest

from ge_dialect.semantics import apply_op

RNG = np.random.default_rng(2)


def numbers(*shape, dtype=np.complex128):
    return (RNG.normal(size=shape) + 1j * RNG.normal(size=shape)).astype(dtype)


def summed(row, sign):
    """One transform, term by term."""
    n = len(row)
    return [
        sum(complex(row[j]) * cmath.exp(sign * 2j * cmath.pi * j * k / n) for j in range(n))
        for k in range(n)
    ]


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("n", [1, 2, 5, 12])
def test_one_axis(n, dtype):
    x = numbers(3, n, dtype=dtype)
    y, back = apply_op("FFT", [x])[0], apply_op("IFFT", [x])[0]
    assert y.dtype == back.dtype == dtype
    tol = 1e-5 if dtype is np.complex64 else 1e-12
    for i in range(3):
        np.testing.assert_allclose(y[i], summed(x[i], -1), atol=tol * n)
        np.testing.assert_allclose(back[i], np.array(summed(x[i], 1)) / n, atol=tol)
    np.testing.assert_allclose(apply_op("IFFT", [y])[0], x, atol=tol * n)


def test_two_axes():
    x = numbers(2, 3, 4)
    want = np.array([[summed(row, -1) for row in m] for m in x])
    want = np.array([np.transpose([summed(c, -1) for c in m.T]) for m in want])
    np.testing.assert_allclose(apply_op("FFT2D", [x])[0], want, atol=1e-12)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (2, 0, 4)])
def test_no_elements(shape):
    for op in ("FFT", "IFFT", "FFT2D"):
        assert apply_op(op, [np.zeros(shape, np.complex64)])[0].shape == shape


def test_what_is_not_finite_takes_its_transform():
    x = numbers(2, 3, 4)
    x[0, 1, 2] = np.inf
    y = apply_op("FFT", [x])[0]
    assert np.isnan(y[0, 1]).all()
    assert np.isfinite(np.delete(y.reshape(6, 4), 1, 0)).all()
    y = apply_op("FFT2D", [x])[0]
    assert np.isnan(y[0]).all()
    assert np.isfinite(y[1]).all()
