"""Kernels of Fourier transforms of lengths that are split, against numpy's."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest

from ge_dialect.semantics.single import apply_op
from runtime.executor import run_kernel
from runtime.kernels.registry import AICPU, Call, View, find_kernel


def on_device(op: str, x: np.ndarray) -> np.ndarray:
    found = find_kernel(op, AICPU, ["ND"] * 2)
    assert found is not None
    y = np.empty_like(x)
    run_kernel(found.function, Call([View(x, x.shape)], [View(y, y.shape)], {}), op, "n")
    return y


@pytest.mark.parametrize("n", [256, 257, 258, 600, 2 * 257, 4096, 4099, 2 * 4099, 100_000])
def test_long_transforms(n: int) -> None:
    rng = np.random.default_rng(n)
    x = rng.standard_normal((2, n)) + 1j * rng.standard_normal((2, n))
    limit = 1e-13 * n
    assert np.abs(on_device("FFT", x) - np.fft.fft(x)).max() < limit
    assert np.abs(on_device("IFFT", x) - np.fft.ifft(x)).max() < limit / n
    x[1, 3] = np.inf
    assert np.isnan(on_device("FFT", x)[1]).all()


def largest(run: Callable[[], object]) -> int:
    """Bytes that a call holds at a time."""
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("device", [True, False])
@pytest.mark.parametrize("n", [4099, 20_011])
def test_memory_is_linear_in_a_prime_length(n: int, device: bool) -> None:
    rng = np.random.default_rng(n)
    x = (rng.standard_normal(n) + 1j * rng.standard_normal(n)).astype(np.complex64)
    real = np.stack([x.real, x.imag], axis=-1)[None]
    length = np.array(n, np.int64)

    def transform() -> object:
        return on_device("FFT", x) if device else apply_op("FFT", [x])

    def pairs() -> object:
        if not device:
            return apply_op("HostDFT", [real, length, None])
        found = find_kernel("HostDFT", AICPU, ["ND"] * 3)
        assert found is not None
        y = np.empty_like(real)
        args = [View(real, real.shape), View(length, ()), None]
        run_kernel(found.function, Call(args, [View(y, y.shape)], {}), "HostDFT", "n")
        want = np.fft.fft(x.astype(np.complex128))
        assert np.abs(y[0, :, 0] + 1j * y[0, :, 1] - want).max() < 1e-5 * np.abs(want).max()
        return y

    for run in (transform, pairs):
        run()  # what is imported and kept is not counted
        assert largest(run) < 100 * x.nbytes
