"""The rule by which two runs agree."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
import pytest

from ge_dialect.semantics import agree, relative_error

NAN, INF = math.nan, math.inf


@pytest.mark.parametrize(
    ("got", "want", "error"),
    [
        ([1.0, -4.0], [1.0, -4.0], 0.0),
        ([1.5, -4.0], [1.0, -4.0], 0.125),  # against the largest magnitude of the tensor
        ([-0.0], [0.0], 0.0),
        ([1e-9], [0.0], INF),
        ([], [], 0.0),
        ([NAN, 2.0], [NAN, 2.0], 0.0),
        ([NAN, 2.0], [2.0, NAN], INF),
        ([INF, 2.0], [INF, 3.0], 1 / 3),
        ([INF], [-INF], INF),
        ([INF, 1.0], [5.0, 1.0], INF),
        ([5.0, 1.0], [INF, 1.0], INF),
        ([[1.0]], [1.0], INF),
    ],
)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, ml_dtypes.bfloat16])
def test_floats(got, want, error, dtype):
    measured = relative_error(np.array(got, dtype), np.array(want, np.float64))
    assert measured == pytest.approx(error, rel=1e-6 if dtype is not ml_dtypes.bfloat16 else 0.1)


def test_integers_and_bools_must_be_equal():
    a = np.array([1_000_000_007, 2], np.int64)
    assert relative_error(a, a.copy()) == 0
    assert relative_error(a, a + np.array([1, 0])) == INF
    assert relative_error(np.array([True]), np.array([False])) == INF
    assert relative_error(np.array([b"x"], object), np.array([b"x"], object)) == 0


def test_complex():
    assert relative_error(np.array([3 + 4j]), np.array([3 + 4.5j])) == pytest.approx(0.5 / 5.408327)


def test_agree():
    assert agree(np.array([1.0, 1.01]), np.array([1.0, 1.0]), 0.02)
    assert not agree(np.array([1.0, 1.05]), np.array([1.0, 1.0]), 0.02)
