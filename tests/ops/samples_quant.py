"""Examples of Ascend's quantising operators."""

from __future__ import annotations

from typing import Any

Row = tuple[str, list[Any], dict[str, Any], list[str]]
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
]
