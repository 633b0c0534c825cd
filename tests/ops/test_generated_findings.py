"""Faults that generated graphs brought to light, each as its smallest case."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from ge_dialect.infer.reshape import reshape_shape
from ge_dialect.semantics import apply_op

F32 = np.float32


def test_batched_gather_without_elements():
    x, indices = np.zeros((0, 3, 2), F32), np.zeros((0, 4), np.int32)
    (y,) = apply_op("Gather", [x, indices], {"batch_dims": 1})
    assert y.shape == (0, 4, 2)


def test_reshape_of_some_axes_to_an_unknown_shape():
    assert reshape_shape((2, 3, 4), None, 2, 1, 1) == (2, -1, -1, 4)
    assert reshape_shape((2, 3), None, 1, -1) == (2, 3, -1)
    assert reshape_shape(None, None, 2, 1) is None
    assert reshape_shape((2, 3), None, 2) == (-1, -1)


@pytest.mark.parametrize("op", ["MaxPoolV3", "AvgPoolV2"])
def test_valid_pooling_does_not_round_up(op):
    x = np.arange(25, dtype=F32).reshape(1, 1, 5, 5)
    attrs = {"ksize": [1, 1, 2, 2], "strides": [1, 1, 2, 2], "padding_mode": "VALID"}
    (y,) = apply_op(op, [x], {**attrs, "ceil_mode": True})
    assert y.shape == (1, 1, 2, 2)
    np.testing.assert_array_equal(y, apply_op(op, [x], attrs)[0])


def test_means_of_nothing_are_nan_without_a_warning():
    x, one = np.zeros((0, 2, 3, 3), F32), np.ones(2, F32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (y,) = apply_op("GlobalAveragePool", [np.zeros((2, 3, 0, 4), F32)])
        stats = apply_op("BatchNorm", [x, one, one], {"data_format": "NCHW"})
    assert y.shape == (2, 3, 1, 1)
    assert np.isnan(y).all()
    assert np.isnan(stats[1]).all()


def test_transposed_convolution_of_no_images():
    size, x = np.zeros(4, np.int64), np.zeros((0, 2, 3, 3), F32)
    attrs = {"strides": [1, 1, 1, 1], "pads": [0, 0, 0, 0], "data_format": "NCHW"}
    (y,) = apply_op("Conv2DTranspose", [size, x, np.ones((2, 5, 2, 2), F32)], attrs)
    assert y.shape == (0, 5, 4, 4)


def test_places_of_maxima_where_windows_see_padding_only():
    attrs = {"ksize": [2, 2, 2], "strides": [1, 1, 1], "pads": [1] * 6}
    y, place = apply_op("MaxPool3DWithArgmaxV2", [np.zeros((1, 1, 2, 0, 3), F32)], attrs)
    assert y.shape == (1, 1, 3, 1, 4)
    assert (place == -1).all()


def test_places_that_are_no_numbers():
    x = np.ones((1, 1, 2, 2), F32)
    grid = np.array([np.nan, np.inf, -np.inf, 0.0], F32).reshape(1, 1, 2, 2)
    for mode in ("bilinear", "nearest", "bicubic"):
        for padding in ("zeros", "border", "reflection"):
            attrs = {"interpolation_mode": mode, "padding_mode": padding}
            (y,) = apply_op("GridSampler2D", [x, grid], attrs)
            assert y.shape == (1, 1, 1, 2)


def test_deformable_convolution_of_no_images():
    attrs = {"strides": [1] * 4, "pads": [0] * 4, "data_format": "NCHW", "modulated": False}
    args = [np.ones(s, F32) for s in ((0, 2, 3, 3), (4, 2, 2, 2), (0, 8, 2, 2))]
    (y,) = apply_op("DeformableConv2D", args, attrs)
    assert y.shape == (0, 4, 2, 2)
