"""Examples of pooling with places, of samples at moved places and of boxes."""

from __future__ import annotations

from typing import Any

import numpy as np

Row = tuple[str, list[Any], dict[str, Any], list[str]]
_POOL = {"ksize": [1, 3, 2, 1], "strides": [1, 2, 1, 1], "pads": [1, 1, 0, 1]}
_WIDE = {**_POOL, "dilation": [1, 1, 3, 1], "ceil_mode": True}
_DEFORM = {"strides": [1, 2, 1, 1], "pads": [1, 1, 0, 1], "ksize": [2, 3], "data_format": "NHWC"}
_GROUPS = {
    "strides": [1, 1, 2, 1],
    "pads": [1, 1, 0, 1],
    "ksize": [2, 3],
    "deformable_groups": 2,
    "modulated": False,
}
_ROI = {"pooled_h": 2, "pooled_w": 3, "spatial_scale_h": 0.5, "spatial_scale_w": 0.25}
_OWN = {"spatial_scale": 0.5, "output_dim": 3, "group_size": 2}
_FOLD = {"kernel_size": [2, 3], "dilation": [1, 1], "padding": [1, 0], "stride": [2, 1]}
_SIZE = np.array([4, 5], np.int32)
_X, _SMALL = "2x3x6x5xf32", "2x3x3x4xf32"

ROWS: list[Row] = [
    ("MaxPoolWithArgmaxV1", [_X], _POOL, [_SMALL, "2x3x3x4xi32"]),
    ("MaxPoolWithArgmaxV1", ["?x3x?x6xf16"], _WIDE, ["?x3x?x3xf16", "?x3x?x3xi32"]),
    ("MaxPoolGradWithArgmaxV1", [_X, _SMALL, "2x3x3x4xi32"], _POOL, [_X]),
    (
        "MaxPoolGradWithArgmaxV1",
        ["?x3x?x?xf16", "2x?x3x4xf16", "*xi32"],
        _POOL,
        ["2x3x?x?xf16"],
    ),
    ("DeformableOffsets", ["2x5x6x4xf32", "2x3x5x18xf32"], _DEFORM, ["2x6x15x4xf32"]),
    ("DeformableOffsets", ["?x4x?x6xbf16", "2x24x3x?xbf16"], _GROUPS, ["2x4x6x15xbf16"]),
    (
        "DeformableOffsetsGrad",
        ["2x6x15x4xf32", "2x5x6x4xf32", "2x3x5x18xf32"],
        _DEFORM,
        ["2x5x6x4xf32", "2x3x5x18xf32"],
    ),
    (
        "DeformableOffsetsGrad",
        ["2x4x6x15xf16", "?x?x?x6xf16", "*xf16"],
        _GROUPS,
        ["2x4x?x6xf16", "2x24x3x5xf16"],
    ),
    ("ROIPooling", ["2x3x8x9xf32", "4x5xf32", None], _ROI, ["4x3x2x3xf32"]),
    ("ROIPooling", ["2x3x8x9xf16", "?x5x16xf16", "2x8xi32"], _ROI, ["32x3x2x3xf16"]),
    ("ROIPooling", ["?x3x8x9xf32", "*xf32", None], _ROI, ["?x3x2x3xf32"]),
    ("Col2im", ["2x3x6x9xf32", _SIZE], _FOLD, ["2x3x4x5xf32"]),
    ("Col2im", ["?x3x6x?xbf16", "2xi32"], _FOLD, ["?x3x?x?xbf16"]),
    ("PSROIPooling", ["2x12x8x9xf32", "2x5x4xf32"], _OWN, ["8x3x2x2xf32"]),
    ("PSROIPoolingV2", ["?x?x8x9xf16", "2x5x?xf16"], _OWN, ["?x3x2x2xf16"]),
]

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("MaxPoolWithArgmaxV1", ["2x3x6xf32"], _POOL, "GX-220"),
    ("MaxPoolWithArgmaxV1", [_X], {**_POOL, "ksize": [3, 2]}, "GX-224"),
    ("MaxPoolWithArgmaxV1", [_X], {**_POOL, "ksize": [1, 3, 2, 2]}, "GX-223"),
    ("MaxPoolWithArgmaxV1", [_X], {**_POOL, "strides": [1, 0, 1, 1]}, "GX-223"),
    ("MaxPoolWithArgmaxV1", [_X], {**_POOL, "pads": [1, 2, 0, 1]}, "GX-223"),
    ("MaxPoolWithArgmaxV1", [_X], {**_POOL, "dtype": 9}, "GX-223"),
    ("MaxPoolWithArgmaxV1", ["2x3x1x1xf32"], {**_POOL, "dilation": [1, 3, 1, 1]}, "GX-227"),
    ("MaxPoolGradWithArgmaxV1", [_X, "2x3x3x3xf32", "2x3x3x4xi32"], _POOL, "GX-221"),
    ("MaxPoolGradWithArgmaxV1", [_X, _SMALL, "2x3x3x3xi32"], _POOL, "GX-221"),
    ("DeformableOffsets", ["2x5x6x4xf32", "2x3x5x12xf32"], _DEFORM, "GX-221"),
    ("DeformableOffsets", ["2x5x6x4xf32", "2x3x4x18xf32"], _DEFORM, "GX-221"),
    ("DeformableOffsets", ["2x0x6x4xf32", "2x3x5x18xf32"], _DEFORM, "GX-227"),
    ("DeformableOffsets", ["2x3x7x6xf32", "2x24x4x3xf32"], _GROUPS, "GX-221"),
    ("DeformableOffsets", ["2x5x6x4xf32", "2x3x5x18xf32"], {**_DEFORM, "ksize": [3]}, "GX-224"),
    (
        "DeformableOffsetsGrad",
        ["2x6x14x4xf32", "2x5x6x4xf32", "2x3x5x18xf32"],
        _DEFORM,
        "GX-221",
    ),
    ("DeformableOffsetsGrad", ["2x5x15x4xf32", "2x?x?x4xf32", "2x?x?x18xf32"], _DEFORM, "GX-221"),
    ("ROIPooling", ["2x3x8x9xf32", "4x4xf32", None], _ROI, "GX-221"),
    ("ROIPooling", ["2x3x8x9xf32", "3x5x4xf32", None], _ROI, "GX-221"),
    ("ROIPooling", ["2x3x8x9xf32", "4x5xf32", "2x8xi32"], _ROI, "GX-226"),
    ("ROIPooling", ["2x3x8x9xf32", "2x5x4xf32", "2x7xi32"], _ROI, "GX-221"),
    ("ROIPooling", ["2x3x0x9xf32", "4x5xf32", None], _ROI, "GX-227"),
    ("ROIPooling", ["2x3x8x9xf32", "4x5xf32", None], {**_ROI, "pooled_h": 0}, "GX-223"),
    ("ROIPooling", ["2x3x8x9xf32", "4x5xf32", None], {**_ROI, "spatial_scale_w": 0.0}, "GX-223"),
    ("Col2im", ["2x3x5x9xf32", _SIZE], _FOLD, "GX-221"),
    ("Col2im", ["2x3x6x8xf32", _SIZE], _FOLD, "GX-221"),
    ("Col2im", ["2x3x6x9xf32", np.array([4], np.int32)], _FOLD, "GX-224"),
    ("Col2im", ["2x3x6x9xf32", _SIZE], {**_FOLD, "stride": [0, 1]}, "GX-223"),
    ("Col2im", ["2x3x6x9xf32", _SIZE], {**_FOLD, "padding": [0, -1]}, "GX-223"),
    ("PSROIPooling", ["2x11x8x9xf32", "2x5x4xf32"], _OWN, "GX-221"),
    ("PSROIPooling", ["2x12x8x9xf32", "3x5x4xf32"], _OWN, "GX-221"),
    ("PSROIPooling", ["2x12x8x9xf32", "4x5xf32"], _OWN, "GX-220"),
    ("PSROIPooling", ["2x12x0x9xf32", "2x5x4xf32"], _OWN, "GX-227"),
    ("PSROIPoolingV2", ["2x12x8x9xf32", "2x4x4xf32"], _OWN, "GX-221"),
    ("PSROIPoolingV2", ["2x12x8x9xf32", "2x5x4xf32"], {**_OWN, "group_size": 0}, "GX-223"),
    ("PSROIPoolingV2", ["2x12x8x9xf32", "2x5x4xf32"], {**_OWN, "spatial_scale": 0.0}, "GX-223"),
]
