"""Examples of the convolutions of the Ascend C generation."""

from __future__ import annotations

from typing import Any

Row = tuple[str, list[Any], dict[str, Any], list[str]]
_NONE = [None, None]
_TWO = {"strides": [1, 1, 2, 2]}
_X, _F = "2x4x5x6xf32", "6x4x3x3xf32"
_QUANT = {**_TWO, "pads": [1, 1, 1, 1], "dtype": 1}
_V, _W = "1x2x3x5x4xf32", "3x2x2x3x2xf32"

ROWS: list[Row] = [
    ("Conv2DV2", [_X, _F, "6xf32", None], _TWO, ["2x6x2x2xf32"]),
    ("Conv2DV2", [_X, _F, *_NONE], {**_TWO, "pads": [1, 1, 1, 1]}, ["2x6x3x3xf32"]),
    ("Conv2DV2", [_X, _F, *_NONE], {**_TWO, "pad_mode": "SAME_LOWER"}, ["2x6x3x3xf32"]),
    ("Conv2DV2", [_X, _F, *_NONE], {**_TWO, "pad_mode": "SAME", "dilations": [1, 1, 3, 2]},
     ["2x6x3x3xf32"]),
    ("Conv2DV2", ["2x?x6x4xf16", "3x3x2x6xf16", "6xf16", None],
     {"strides": [1, 1, 2, 1], "pad_mode": "VALID", "data_format": "NHWC", "groups": 2},
     ["2x?x2x6xf16"]),
    ("Conv3DV2", [_V, _W, "3xf32", *_NONE, None], {"strides": [1] * 5}, ["1x3x2x3x3xf32"]),
    ("Conv3DV2", [_V, _W, None, *_NONE, None],
     {"strides": [1, 1, 1, 2, 1], "pad_mode": "SAME_UPPER"}, ["1x3x3x3x4xf32"]),
    ("QuantConv2D", ["2x4x5x6xi8", "6x4x3x3xi8", "6xui64", *_NONE], _QUANT, ["2x6x3x3xf16"]),
    ("QuantConv2D", ["2x4x5x6xi8", "6x4x3x3xi8", "1xi64", "6xi32", None],
     {**_QUANT, "dtype": 0, "offset_x": 3}, ["2x6x3x3xf32"]),
    ("QuantConv2D", ["?x5x6x4xi8", "3x3x2x6xi8", "ui64", "6xf32", None],
     {**_QUANT, "strides": [1, 2, 2, 1], "groups": 2, "data_format": "NHWC", "dtype": 27},
     ["?x3x3x6xbf16"]),
]  # fmt: skip

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("Conv2DV2", [_X, _F, *_NONE], {**_TWO, "pad_mode": "FULL"}, "GX-223"),
    ("Conv2DV2", ["2x4x2x6xf32", _F, *_NONE], {**_TWO, "pad_mode": "VALID"}, "GX-227"),
    ("Conv2DV2", [_X, "6x3x3x3xf32", *_NONE], _TWO, "GX-221"),
    ("QuantConv2D", ["2x4x5x6xi8", "6x4x3x3xi8", "5xui64", *_NONE], _QUANT, "GX-221"),
    ("QuantConv2D", ["2x4x5x6xi8", "6x4x3x3xi8", "ui64", *_NONE], {**_QUANT, "dtype": 2},
     "GX-223"),
]  # fmt: skip
