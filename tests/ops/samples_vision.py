"""Examples of the operators of volumes, transposed convolutions, vision, signals, determinants."""

from __future__ import annotations

from typing import Any

import numpy as np

Row = tuple[str, list[Any], dict[str, Any], list[str]]


def _ints(*values: int, dtype: Any = np.int64) -> np.ndarray:
    return np.array(values, dtype)


def _one(value: float, dtype: Any = np.int64) -> np.ndarray:
    return np.array(value, dtype)


def _floats(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


_V = "1x2x6x7x8xf32"
_CONV3 = {
    "strides": [1, 1, 2, 1, 2],
    "pads": [1, 1, 0, 0, 1, 0],
    "data_format": "NCDHW",
}
_POOL3 = {"ksize": [1, 1, 2, 3, 3], "strides": [1, 1, 2, 2, 2], "data_format": "NCDHW"}
_MAX3 = {**_POOL3, "padding": "CALCULATED", "pads": [0, 0, 1, 1, 1, 1]}
_UP = {"strides": [1, 1, 2, 2], "pads": [1, 1, 0, 1], "data_format": "NCHW"}
_ARG = {"ksize": [1, 3, 2, 1], "strides": [1, 2, 2, 1], "padding": "SAME"}
_UP3 = {"strides": [1, 1, 2, 2, 2], "pads": [0, 0, 1, 1, 0, 1], "data_format": "NCDHW"}
_ROI = {"spatial_scale": 0.5, "pooled_height": 2, "pooled_width": 3}
_DEFORM = {"strides": [1, 1, 1, 2], "pads": [1, 1, 1, 1], "data_format": "NCHW"}
_HALF = {"half_pixel_centers": True}
_IMAGE = _ints(6, 9, dtype=np.int32)
_NUMBERS, _SIZES = np.array([0, 1, 0], np.int32), np.array([3, 2], np.int32)

ROWS: list[Row] = [
    ("Conv3D", [_V, "4x2x3x2x3xf32"], _CONV3, ["1x4x3x6x4xf32"]),
    ("Conv3D", [_V, "4x1x3x2x3xf32", "4xf32"], {**_CONV3, "groups": 2}, ["1x4x3x6x4xf32"]),
    ("Conv3D", ["?x2x?x7x8xf16", "4x2x3x2x3xf16"], _CONV3, ["?x4x?x6x4xf16"]),
    (
        "Conv3D",
        ["1x5x5x5x2xi8", "3x3x3x2x6xi8"],
        {"strides": [1, 1, 1, 1, 1], "pads": [0, 0, 0, 0, 0, 0]},
        ["1x3x3x3x6xi32"],
    ),
    ("Conv2D", ["1x2x5x5xi16", "3x2x3x3xi16"], {**_UP, "strides": [1, 1, 1, 1]}, ["1x3x5x4xi32"]),
    ("Conv2DTranspose", [_ints(0, 0, 0, 0), "2x4x5x6xf32", "4x3x3x3xf32"], _UP, ["2x3x9x12xf32"]),
    (
        "Conv2DTranspose",
        [_ints(0, 0, 10, 0), "2x4x5x6xf16", "4x3x3x3xf16", "6xf16"],
        {**_UP, "groups": 2, "output_padding": [0, 0, 0, 1]},
        ["2x6x10x13xf16"],
    ),
    ("Conv2DTranspose", ["4xi32", "2x4x?x6xf32", "4x3x3x3xf32"], _UP, ["2x3x?x?xf32"]),
    (
        "Conv2DTranspose",
        [_ints(0, 0, 0, 0), "1x5x5x4xf32", "3x3x2x4xf32"],
        {"strides": [1, 2, 2, 1], "pads": [0, 0, 0, 0]},
        ["1x11x11x2xf32"],
    ),
    (
        "Conv3DTranspose",
        [_ints(0, 0, 0, 0, 0), "1x2x3x3x3xf32", "2x3x2x3x3xf32"],
        _UP3,
        ["1x3x6x5x6xf32"],
    ),
    (
        "Conv2DTransposeD",
        ["2x4x5x6xf32", "4x3x3x3xf32", "3xf32"],
        {**_UP, "input_size": [2, 3, 9, 13]},
        ["2x3x9x13xf32"],
    ),
    (
        "Conv2DTransposeD",
        ["1x4x?x6xi8", "4x3x3x3xi8"],
        {**_UP, "input_size": [0, 0, 0, 0]},
        ["1x3x?x12xi32"],
    ),
    (
        "Conv2DBackpropInput",
        [_ints(2, 3, 9, 13), "4x3x3x3xf32", "2x4x5x6xf32"],
        _UP,
        ["2x3x9x13xf32"],
    ),
    ("Conv2DBackpropInput", ["4xi32", "4x3x3x3xf16", "2x4x5x?xf16"], _UP, ["2x3x?x?xf16"]),
    ("MatMulV3", ["2x3xf32", "4x3xf32", "4xf32"], {"transpose_x2": True}, ["2x4xf32"]),
    ("MatMulV3", ["?x3xf16", "3x4xf16"], {}, ["?x4xf16"]),
    ("SwiGlu", ["2x3x8xf32"], {}, ["2x3x4xf32"]),
    ("SwiGlu", ["2x?x8xf16"], {"dim": 1}, ["2x?x8xf16"]),
    ("ReluGrad", ["2x3xf32", "2x3xf32"], {}, ["2x3xf32"]),
    ("ReluGrad", ["?x3xi32", "2x1xi32"], {}, ["2x3xi32"]),
    ("MaxPoolWithArgmax", ["2x7x6x3xf32"], _ARG, ["2x4x3x3xf32", "2x4x3x3xi64"]),
    (
        "MaxPoolWithArgmax",
        ["2x3x7x6xf16"],
        {
            "ksize": [1, 1, 3, 2],
            "strides": [1, 1, 2, 1],
            "padding": "VALID",
            "data_format": "NCHW",
            "Targmax": 3,
            "include_batch_in_index": True,
            "nan_prop": True,
        },
        ["2x3x3x5xf16", "2x3x3x5xi32"],
    ),
    ("MaxPoolWithArgmax", ["?x7x?x3xf32"], _ARG, ["?x4x?x3xf32", "?x4x?x3xi64"]),
    ("AdaptiveAvgPool2d", ["2x3x7x5xf32"], {"output_size": [3, 7]}, ["2x3x3x7xf32"]),
    ("AdaptiveAvgPool2d", ["3x?x5xf16"], {"output_size": [1, 2]}, ["3x1x2xf16"]),
    ("MaxPool3D", [_V], _MAX3, ["1x2x3x4x4xf32"]),
    ("MaxPool3D", [_V], {**_POOL3, "padding": "SAME"}, ["1x2x3x4x4xf32"]),
    (
        "MaxPool3D",
        ["2x4x6x7x?xf16"],
        {**_MAX3, "dilation": [1, 1, 2, 2, 2], "ceil_mode": 1},
        ["2x4x3x3x?xf16"],
    ),
    (
        "MaxPool3D",
        ["1x6x7x8x4xf32"],
        {"ksize": [2], "strides": [2], "padding": "VALID"},
        ["1x3x3x4x4xf32"],
    ),
    (
        "MaxPool3DWithArgmaxV2",
        [_V],
        {**_POOL3, "dtype": 9},
        ["1x2x3x3x3xf32", "1x2x3x3x3xi64"],
    ),
    (
        "MaxPool3DWithArgmaxV2",
        ["2x?x6x7x8xf16"],
        {**_POOL3, "pads": [0, 1, 1], "ceil_mode": True},
        ["2x?x3x4x5xf16", "2x?x3x4x5xi32"],
    ),
    ("AvgPool3D", [_V], {**_POOL3, "pads": [0, 0, 1, 1, 1, 1]}, ["1x2x3x4x4xf32"]),
    (
        "AvgPool3D",
        ["2x4x?x7x8xf32"],
        {**_POOL3, "pads": [0] * 6, "ceil_mode": True, "count_include_pad": False},
        ["2x4x?x3x4xf32"],
    ),
    ("Resize", ["1x2x4x5xf32", None, _floats(1, 1, 2, 0.5)], {"mode": "linear"}, ["1x2x8x2xf32"]),
    (
        "Resize",
        ["1x2x4x5xf16", None, None, _ints(1, 2, 7, 3)],
        {"mode": "cubic", "exclude_outside": 1},
        ["1x2x7x3xf16"],
    ),
    ("Resize", ["1x?x4xf32", None, "3xf32"], {}, ["?x?x?xf32"]),
    (
        "Resize",
        ["4x6xf32", _floats(0, 0.2, 1, 0.8), None, _ints(3, 5)],
        {"mode": "linear", "coordinate_transformation_mode": "tf_crop_and_resize"},
        ["3x5xf32"],
    ),
    (
        "Resize",
        ["1x2x8x8xf32", None, _floats(1, 1, 0.5, 0.5)],
        {"mode": "linear", "antialias": True},
        ["1x2x4x4xf32"],
    ),
    ("Resize", ["3x4xui8", None, _floats(2, 1.5)], {"nearest_mode": "ceil"}, ["6x6xui8"]),
    ("ResizeNearestNeighborV2", ["2x3x4x5xf32", _IMAGE], {}, ["2x3x6x9xf32"]),
    (
        "ResizeNearestNeighborV2",
        ["2x?x4x5xui8", _IMAGE],
        {"half_pixel_centers": True},
        ["2x?x6x9xui8"],
    ),
    ("ResizeNearestNeighborV2", ["2x3x4x5xf16", "2xi32"], {"align_corners": True}, ["2x3x?x?xf16"]),
    ("ResizeBilinearV2", ["2x3x4x5xf16", _IMAGE], {"align_corners": True}, ["2x3x6x9xf16"]),
    ("ResizeBilinearV2", ["2x3x4x5xui8", _IMAGE], {"half_pixel_centers": True}, ["2x3x6x9xf32"]),
    ("GridSample", ["2x3x4x5xf32", "2x6x7x2xf32"], {}, ["2x3x6x7xf32"]),
    (
        "GridSample",
        ["2x3x4x5x6xf32", "2x6x7x2x3xf32"],
        {"interpolation_mode": "nearest"},
        ["2x3x6x7x2xf32"],
    ),
    ("GridSampler2D", ["2x3x4x5xf32", "2x6x7x2xf32"], {}, ["2x3x6x7xf32"]),
    (
        "GridSampler2D",
        ["?x3x4x5xf16", "2x6x?x2xf32"],
        {"interpolation_mode": "bicubic", "padding_mode": "reflection"},
        ["2x3x6x?xf16"],
    ),
    (
        "GridSampler3D",
        ["2x3x2x3x4xf32", "2x3x5x4x3xf32"],
        {"padding_mode": "border"},
        ["2x3x3x5x4xf32"],
    ),
    ("AffineGrid", ["2x2x3xf32", _ints(2, 3, 4, 5)], {}, ["2x4x5x2xf32"]),
    ("AffineGrid", ["?x3x4xf32", "5xi64"], {"align_corners": True}, ["?x?x?x?x3xf32"]),
    (
        "CropAndResize",
        ["2x4x5x3xf32", "3x4xf32", _NUMBERS, _SIZES],
        {"extrapolation_value": 2.5},
        ["3x3x2x3xf32"],
    ),
    (
        "CropAndResize",
        ["2x?x5x3xui8", "3x4xf16", _NUMBERS, _SIZES],
        {"method": "nearest"},
        ["3x3x2x3xf16"],
    ),
    ("ROIAlign", ["2x3x8x9xf32", "4x5xf32"], _ROI, ["4x3x2x3xf32"]),
    (
        "ROIAlign",
        ["2x3x8x9xf16", "?x5xf16"],
        {**_ROI, "sample_num": 0, "roi_end_mode": 2, "pool_mode": "max"},
        ["?x3x2x3xf16"],
    ),
    (
        "DeformableConv2D",
        ["1x4x5x4xf32", "6x2x2x2xf32", "1x24x6x3xf32", "6xf32"],
        {**_DEFORM, "groups": 2, "deformable_groups": 2},
        ["1x6x6x3xf32"],
    ),
    (
        "DeformableConv2D",
        ["1x4x5x4xf32", "6x4x2x2xf32", "1x8x?x3xf32"],
        {**_DEFORM, "modulated": False},
        ["1x6x6x3xf32"],
    ),
    ("HostCol2Im", ["1x12x20xf32", _ints(5, 7), _ints(2, 3)], {}, ["1x2x5x7xf32"]),
    (
        "HostCol2Im",
        ["1x5x6xf32", _ints(5), _ints(5)],
        {"pads": [3, 2], "strides": [1], "dilations": [1]},
        ["1x1x5xf32"],
    ),
    ("HostCol2Im", ["1x12x20xf32", "2xi64", "2xi64"], {}, ["1x?x?x?xf32"]),
    ("HostDFT", ["2x8x1xf32"], {}, ["2x8x2xf32"]),
    ("HostDFT", ["2x8x6x2xf32", _one(5), _one(1)], {"inverse": True}, ["2x5x6x2xf32"]),
    ("HostDFT", ["2x?x1xf64", None, _one(1)], {"onesided": True}, ["2x?x2xf64"]),
    ("HostDFT", ["2x8x1xf32", "i64"], {"onesided": True}, ["2x?x2xf32"]),
    ("HostDFT", ["2x5x2xf32"], {"onesided": True, "inverse": True}, ["2x8x1xf32"]),
    ("HostSTFT", ["2x32x1xf32", _one(4), "8xf32"], {}, ["2x7x5x2xf32"]),
    ("HostSTFT", ["2x32x2xf32", _one(4), None, _one(8)], {"onesided": False}, ["2x7x8x2xf32"]),
    (
        "HostMelWeightMatrix",
        [_one(6), _one(16), _one(8192), _one(0, np.float32), _one(4096, np.float32)],
        {},
        ["9x6xf32"],
    ),
    ("MatrixDeterminant", ["2x3x3xf32"], {}, ["2xf32"]),
    ("MatrixDeterminant", ["?x?xf64"], {}, ["f64"]),
]

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("Conv3D", ["2x4x7x8xf32", "4x2x3x3x3xf32"], _CONV3, "GX-220"),
    ("Conv3D", [_V, "4x3x3x3x3xf32"], _CONV3, "GX-221"),
    ("Conv3D", [_V, "4x2x3x3x3xf32"], {**_CONV3, "strides": [1, 1, 1]}, "GX-224"),
    ("Conv3D", [_V, "4x2x3x3x3xf32"], {**_CONV3, "pads": [0] * 4}, "GX-224"),
    ("Conv2DTranspose", [_ints(0, 0, 0), "2x4x5x6xf32", "4x3x3x3xf32"], _UP, "GX-224"),
    ("Conv2DTranspose", [_ints(0, 0, 12, 0), "2x4x5x6xf32", "4x3x3x3xf32"], _UP, "GX-221"),
    ("Conv2DTranspose", [_ints(0, 0, 0, 0), "2x4x5x6xf32", "3x3x3x3xf32"], _UP, "GX-221"),
    ("Conv2DTranspose", ["4xi64", "2x4x5x6xf32", "4x3x3x3xf16"], _UP, "GX-225"),
    (
        "Conv2DTranspose",
        ["4xi64", "2x4x5x6xf32", "4x3x3x3xf32"],
        {**_UP, "output_padding": [0, 0, 2, 0]},
        "GX-223",
    ),
    (
        "Conv2DTransposeD",
        ["2x4x5x6xf32", "4x3x3x3xf32"],
        {**_UP, "input_size": [2, 3, 11, 12]},
        "GX-221",
    ),
    ("Conv2DTransposeD", ["2x4x5x6xf32", "4x3x3x3xf32"], {**_UP, "input_size": [2]}, "GX-224"),
    (
        "Conv2DBackpropInput",
        [_ints(2, 3, 11, 12), "4x3x3x3xf32", "2x4x5x6xf32"],
        _UP,
        "GX-221",
    ),
    ("MatMulV3", ["2x3xf32", "4x3xf32"], {}, "GX-221"),
    ("SwiGlu", ["2x3xf32"], {}, "GX-221"),
    ("SwiGlu", ["2x4xf32"], {"dim": 2}, "GX-222"),
    ("ReluGrad", ["2x3xf32", "4xf32"], {}, "GX-221"),
    ("MaxPoolWithArgmax", ["2x7x6x3xf32"], {**_ARG, "Targmax": 0}, "GX-223"),
    ("AdaptiveAvgPool2d", ["2x3x7x5xf32"], {"output_size": [3]}, "GX-224"),
    ("AdaptiveAvgPool2d", ["7x5xf32"], {"output_size": [3, 3]}, "GX-220"),
    ("MaxPool3D", [_V], {**_MAX3, "padding": "FULL"}, "GX-223"),
    ("MaxPool3D", [_V], {**_MAX3, "pads": [2, 0, 0, 0, 0, 0]}, "GX-223"),
    ("MaxPool3D", [_V], {**_MAX3, "ceil_mode": 2}, "GX-223"),
    ("MaxPool3DWithArgmaxV2", [_V], {**_POOL3, "dtype": 1}, "GX-223"),
    ("AvgPool3D", [_V], {**_POOL3, "pads": [0] * 6, "divisor_override": -1}, "GX-223"),
    ("Resize", ["4x6xf32"], {}, "GX-226"),
    ("Resize", ["4x6xf32", None, _floats(1, 0)], {}, "GX-223"),
    ("Resize", ["4x6xf32", None, _floats(1, 2, 3)], {}, "GX-224"),
    ("Resize", ["4x6xf32", None, _floats(1, 2)], {"mode": "area"}, "GX-223"),
    ("ResizeBilinearV2", ["3x4x5xf32", _IMAGE], {}, "GX-220"),
    ("ResizeNearestNeighborV2", ["1x3x4x5xf32", _ints(0, 2, dtype=np.int32)], {}, "GX-223"),
    ("GridSample", ["2x3x4xf32", "2x6x1xf32"], {}, "GX-220"),
    ("GridSampler2D", ["2x3x4x5xf32", "2x6x7x3xf32"], {}, "GX-221"),
    ("GridSampler2D", ["2x3x4x5xf32", "2x6x7x2xf32"], {"padding_mode": "wrap"}, "GX-223"),
    ("GridSampler3D", ["2x3x4x5xf32", "2x6x7x2xf32"], {}, "GX-220"),
    ("AffineGrid", ["2x2x3xf32", _ints(1, 3, 4, 5)], {}, "GX-221"),
    ("AffineGrid", ["2x3x4xf32", _ints(2, 3, 4, 5)], {}, "GX-221"),
    ("CropAndResize", ["2x4x5x3xf32", "2x4xf32", _NUMBERS, _SIZES], {}, "GX-221"),
    ("CropAndResize", ["2x4x5x3xf32", "3x5xf32", _NUMBERS, _SIZES], {}, "GX-221"),
    ("CropAndResize", ["2x0x5x3xf32", "3x4xf32", _NUMBERS, _SIZES], {}, "GX-227"),
    ("CropAndResize", ["2x4x5x3xf32", "3x4xf32", _NUMBERS, _NUMBERS], {}, "GX-224"),
    ("CropAndResize", ["2x4x5x3xf32", "3x4xf32", _NUMBERS, _SIZES * 0], {}, "GX-223"),
    ("CropAndResize", ["2x4x5x3xf32", "3x4xf32", _NUMBERS, _SIZES], {"method": "a"}, "GX-223"),
    ("ROIAlign", ["2x3x8x9xf32", "4x4xf32"], _ROI, "GX-221"),
    ("ROIAlign", ["2x3x8x9xf32", "4x5xf32"], {**_ROI, "pooled_width": 0}, "GX-223"),
    ("DeformableConv2D", ["2x4x6x7xf32", "6x4x3x3xf32", "2x18x6x4xf32"], _DEFORM, "GX-221"),
    ("HostCol2Im", ["1x13x20xf32", _ints(5, 7), _ints(2, 3)], {}, "GX-221"),
    ("HostCol2Im", ["1x12x21xf32", _ints(5, 7), _ints(2, 3)], {}, "GX-221"),
    ("HostDFT", ["2x8x3xf32"], {}, "GX-221"),
    ("HostDFT", ["2x8x1xf32", None, _one(-1)], {}, "GX-223"),
    ("HostDFT", ["2x8x1xf32", _one(0)], {}, "GX-227"),
    ("HostSTFT", ["2x4x1xf32", _one(4), "8xf32"], {}, "GX-227"),
    ("HostMelWeightMatrix", [_one(0), _one(16), _one(8192), "f32", "f32"], {}, "GX-227"),
    ("MatrixDeterminant", ["2x3xf32"], {}, "GX-221"),
]
