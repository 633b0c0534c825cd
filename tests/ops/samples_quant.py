"""Examples of Ascend's quantising operators."""

from __future__ import annotations

from typing import Any

import numpy as np

Row = tuple[str, list[Any], dict[str, Any], list[str]]
_ENDS = np.array([1, 3], np.int32)
_ONES, _COUNTS = np.array([1, 1], np.int64), np.array([2, 1], np.int64)
_BY = {"scale": 3.5, "offset": -2.0}

ROWS: list[Row] = [
    ("AscendQuant", ["2x3xf32"], _BY, ["2x3xi8"]),
    ("AscendQuant", ["2x?xf16"], {**_BY, "sqrt_mode": True, "round_mode": "Floor"}, ["2x?xi8"]),
    ("AscendQuantV2", ["2x3x4xf32", "4xf32", "4xf32"], {}, ["2x3x4xi8"]),
    ("AscendQuantV2", ["2x3x4xf16", "3xf16"], {"axis": 1, "round_mode": "ceil"}, ["2x3x4xi8"]),
    ("AscendQuantV2", ["?x4xbf16", "1xbf16"], {}, ["?x4xi8"]),
    ("AscendAntiQuant", ["2x3xi8"], _BY, ["2x3xf32"]),
    ("AscendAntiQuant", ["2x?xi8"], {**_BY, "dtype": 1, "sqrt_mode": True}, ["2x?xf16"]),
    ("AscendAntiQuantV2", ["2x3xi8", "3xf32", "3xf32"], {}, ["2x3xf16"]),
    ("AscendAntiQuantV2", ["?x3xi8", "1xbf16"], {"dst_type": 27}, ["?x3xbf16"]),
    ("AscendDequant", ["2x3x4xi32", "3xf16"], {"relu_flag": True}, ["2x3x4xf32"]),
    ("AscendDequant", ["2x3x4xi32", "3xui64"], {"sqrt_mode": True}, ["2x3x4xf32"]),
    ("AscendDequant", ["2x?xi32", "1xui64"], {"dtype": 1}, ["2x?xf16"]),
    ("DynamicQuant", ["2x3x4xf16"], {}, ["2x3x4xi8", "2x3xf32"]),
    ("DynamicQuant", ["3x4xbf16", "4xbf16"], {"dst_type": 36}, ["3x4xf8", "3xf32"]),
    ("DynamicQuant", ["?x4xbf16", "4xbf16"], {}, ["?x4xi8", "?xf32"]),
    ("DynamicQuant", ["3x4xf16", "2x4xf16", _ENDS], {}, ["3x4xi8", "3xf32"]),
    ("DynamicQuantV2", ["2x3x4xf16"], {}, ["2x3x4xi8", "2x3xf32", "2x3xf32"]),
    ("DynamicQuantV2", ["?x4xbf16", "4xbf16"], {"dst_type": 29}, ["?x4xi4", "?xf32", "?xf32"]),
    (
        "DynamicQuantV2",
        ["3x4xbf16", "2x4xbf16", _ENDS],
        {"is_symmetrical": True},
        ["3x4xi8", "3xf32", "3xf32"],
    ),
    (
        "DynamicQuantV2",
        ["3x?xf16"],
        {"quant_mode": "pertensor", "dst_type": 36},
        ["3x?xf8", "1xf32", "1xf32"],
    ),
    (
        "DequantSwigluQuant",
        ["3x8xi32", "8xf32", "3xf32", "8xi32", "1xf32", "1xf32"],
        {},
        ["3x4xi8", "3xf32"],
    ),
    (
        "DequantSwigluQuant",
        ["2x?x8xbf16", None, None, None, "4xf16"],
        {"quant_mode": "dynamic", "activate_left": True, "dst_type": 36},
        ["2x?x4xf8", "2x?xf32"],
    ),
    (
        "DequantSwigluQuant",
        ["3x8xi32", "2x8xf32", None, "2x8xf16", "2x4xf32", None, _ONES],
        {"quant_mode": "dynamic", "activate_left": True, "swiglu_mode": 1, "clamp_limit": 1.5},
        ["3x4xi8", "3xf32"],
    ),
    (
        "DequantSwigluQuant",
        ["3x8xi32", "2x8xf32", "3x1xf32", None, "2xf32", "2xf32", _COUNTS],
        {"swiglu_mode": 2},
        ["3x4xi8", "3xf32"],
    ),
    (
        "DequantSwigluQuant",
        ["4x3xf16", None, None, None, "1xf32"],
        {"activate_dim": 0, "swiglu_mode": 3},
        ["2x3xi8", "2xf32"],
    ),
]

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("AscendQuant", ["2x3xf32"], {**_BY, "dst_type": 3}, "GX-223"),
    ("AscendQuant", ["2x3xf32"], {**_BY, "round_mode": "up"}, "GX-223"),
    ("AscendQuantV2", ["2x3x4xf32", "3xf32"], {}, "GX-221"),
    ("AscendQuantV2", ["2x3x4xf32", "3xf32"], {"axis": 3}, "GX-222"),
    ("AscendAntiQuant", ["2x3xi8"], {**_BY, "dtype": 2}, "GX-223"),
    ("AscendAntiQuantV2", ["2x3xi8", "2xf32"], {}, "GX-221"),
    ("AscendDequant", ["2x3x4xi32", "4xf16"], {}, "GX-221"),
    ("AscendDequant", ["2x3x4xi32", "3x4xf16"], {}, "GX-220"),
    ("DynamicQuant", ["2x4xf16", "3xf16"], {}, "GX-221"),
    ("DynamicQuant", ["2x4xf16"], {"dst_type": 34}, "GX-225"),
    ("DynamicQuant", ["2x4xf16", "2x4xf16"], {}, "GX-220"),
    ("DynamicQuantV2", ["2x4xf16", None, "2xi32"], {}, "GX-223"),
    ("DynamicQuantV2", ["2x4xf16", "3x4xf16", "2xi32"], {}, "GX-221"),
    ("DynamicQuantV2", ["2x4xf16"], {"quant_mode": "perchannel"}, "GX-223"),
    ("DynamicQuantV2", ["2x4xf16"], {"dst_type_max": 15.0}, "GX-223"),
    ("DynamicQuantV2", ["2x4xf16"], {"dst_type": 34}, "GX-225"),
    ("DequantSwigluQuant", ["2x4xi32"], {}, "GX-223"),
    ("DequantSwigluQuant", ["2x4xf16"], {}, "GX-223"),
    ("DequantSwigluQuant", ["2x3xf16"], {"quant_mode": "dynamic"}, "GX-223"),
    ("DequantSwigluQuant", ["2x4xf16"], {"quant_mode": "dynamic", "activate_dim": 0}, "GX-223"),
    ("DequantSwigluQuant", ["2x4xf16"], {"quant_mode": "dynamic", "dst_type": 34}, "GX-225"),
    ("DequantSwigluQuant", ["2x4xf16"], {"quant_mode": "dynamic", "dst_type": 9}, "GX-223"),
    ("DequantSwigluQuant", ["2x4xf16"], {"quant_mode": "dynamic", "round_mode": "up"}, "GX-223"),
    ("DequantSwigluQuant", ["2x4xf16"], {"quant_mode": "dynamic", "swiglu_mode": 1}, "GX-223"),
    ("DequantSwigluQuant", ["2x4xf16"], {"quant_mode": "dynamic", "swiglu_mode": 4}, "GX-223"),
    (
        "DequantSwigluQuant",
        ["2x4xf16"],
        {"quant_mode": "dynamic", "swiglu_mode": 2, "clamp_limit": 0.0},
        "GX-223",
    ),
    ("DequantSwigluQuant", ["2x4xi32", "3xf32"], {"quant_mode": "dynamic"}, "GX-221"),
    ("DequantSwigluQuant", ["2x4xi32", "4xf32", "3xf32"], {"quant_mode": "dynamic"}, "GX-221"),
    (
        "DequantSwigluQuant",
        ["2x4xi32", "4xf32", None, "3xi32"],
        {"quant_mode": "dynamic"},
        "GX-221",
    ),
    ("DequantSwigluQuant", ["2x4xf16", None, None, None, "3xf32"], {}, "GX-221"),
    (
        "DequantSwigluQuant",
        ["2x4xf16", None, None, None, "1xf32", "1xf32"],
        {"quant_mode": "dynamic"},
        "GX-223",
    ),
    ("DequantSwigluQuant", ["2x4xf16", None, None, None, "3xf32", None, "2xi64"], {}, "GX-221"),
]
