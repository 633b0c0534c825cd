"""GridSample against means and elements worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.semantics import apply_op


def test_the_middle_of_an_image_is_the_mean_of_its_elements():
    x = np.array([[[[1.0, 2.0], [3.0, 6.0]]]])
    grid = np.array([[[[0.0, 0.0], [-0.5, -0.5]], [[0.5, -0.5], [2.0, 2.0]]]])
    (y,) = apply_op("GridSample", [x, grid], {})
    assert y.tolist() == [[[[3, 1], [2, 0]]]]
    (y,) = apply_op("GridSample", [x, grid], {"padding_mode": "border"})
    assert y[0, 0, 1, 1] == 6
    corner = np.array([[[[1.0, -1.0]]]])
    (y,) = apply_op("GridSample", [x, corner], {"align_corners": True})
    assert y.tolist() == [[[[2]]]]


def test_a_volume():
    x = np.arange(8.0).reshape(1, 1, 2, 2, 2)
    grid = np.array([[[[[0.5, -0.5, 0.5]]]]])  # x, y, z
    (y,) = apply_op("GridSample", [x, grid], {"interpolation_mode": "nearest"})
    assert y.ravel().tolist() == [x[0, 0, 1, 0, 1]]


def test_channels_last_are_refused():
    with pytest.raises(GeError, match="not evaluated"):
        apply_op("GridSample", [np.zeros((1, 2, 2, 1)), np.zeros((1, 1, 1, 2))],
                 {"channel_last": True})  # fmt: skip
