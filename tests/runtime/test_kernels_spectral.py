"""Kernels of Fourier transforms of lengths that are split, against numpy's."""

from __future__ import annotations

import numpy as np
import pytest

from runtime.executor import run_kernel
from runtime.kernels.registry import AICPU, Call, View, find_kernel


def on_device(op: str, x: np.ndarray) -> np.ndarray:
    found = find_kernel(op, AICPU, ["ND"] * 2)
    assert found is not None
    y = np.empty_like(x)
    run_kernel(found.function, Call([View(x, x.shape)], [View(y, y.shape)], {}), op, "n")
    return y


@pytest.mark.parametrize("n", [256, 257, 258, 600, 2 * 257, 4096, 100_000])
def test_long_transforms(n: int) -> None:
    rng = np.random.default_rng(n)
    x = rng.standard_normal((2, n)) + 1j * rng.standard_normal((2, n))
    limit = 1e-13 * n
    assert np.abs(on_device("FFT", x) - np.fft.fft(x)).max() < limit
    assert np.abs(on_device("IFFT", x) - np.fft.ifft(x)).max() < limit / n
    x[1, 3] = np.inf
    assert np.isnan(on_device("FFT", x)[1]).all()
