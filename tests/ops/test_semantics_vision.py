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


def test_crops():
    x = np.array([[[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]]], np.float32).reshape(1, 2, 3, 1)
    number = np.array([0, 0, 0], np.int32)
    boxes = np.array([[0, 0, 1, 1], [1, 0.5, 0, 0], [0, 0.25, 2, 1.5]], np.float32)

    def crops(size, **attrs):
        args = [x, boxes, number, np.array(size, np.int32)]
        return apply_op("CropAndResize", args, attrs)[0][..., 0].tolist()

    assert crops([2, 2], extrapolation_value=9.0) == [
        [[1, 4], [8, 32]],
        [[16, 8], [2, 1]],  # turned over
        [[1.5, 9], [9, 9]],
    ]
    assert crops([1, 1])[:2] == [[[9]], [[(1 + 2 + 8 + 16) / 4]]]
    assert crops([1, 1], method="nearest")[:2] == [[[16]], [[16]]]  # halves go up
    with pytest.raises(GeError, match="names an image"):
        apply_op("CropAndResize", [x, boxes, number + 1, np.array([2, 2], np.int32)])
