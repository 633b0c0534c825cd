"""Examples of quantisation by packed scales, ranges and a framework's scales."""

from __future__ import annotations

from typing import Any

Row = tuple[str, list[Any], dict[str, Any], list[str]]

ROWS: list[Row] = [
    ("AscendRequant", ["2x3x4xi32", "3xui64"], {}, ["2x3x4xi8"]),
    ("AscendRequant", ["2x?xi32", "1xui64"], {"relu_flag": True}, ["2x?xi8"]),
    ("TransQuantParamV2", ["4xf32", None], {}, ["4xui64"]),
    ("TransQuantParamV2", ["?xf32", "4xf32"], {"round_mode": 1}, ["4xui64"]),
    ("Quantize", ["2x3x4xf32", "3xf32", "3xi32"], {"dtype": "torch.qint8"}, ["2x3x4xi8"]),
    ("Quantize", ["2x?xf16", "1xf32", None], {"dtype": "torch.quint8"}, ["2x?xui8"]),
    ("Quantize", ["2x3xbf16", "3xbf16", "?xbf16"], {"dtype": "torch.qint32", "axis": -1},
     ["2x3xi32"]),
    ("Dequantize", ["2x?xqi8", "f32", "1xf32"], {}, ["2x?xf32"]),
    ("Dequantize", ["2x3xqui8", "f32", "f32"], {"mode": "MIN_FIRST"}, ["2x3xf32"]),
    ("Dequantize", ["2x3xqi8", "f32", "f32"], {"mode": "SCALED"}, ["2x3xf32"]),
    ("FakeQuantWithMinMaxArgs", ["2x?xf32"], {}, ["2x?xf32"]),
    ("FakeQuantWithMinMaxArgs", ["2x3xf32"],
     {"min": 0.5, "max": 2.0, "num_bits": 4, "narrow_range": True}, ["2x3xf32"]),
]  # fmt: skip

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("AscendRequant", ["2x3x4xi32", "4xui64"], {}, "GX-221"),
    ("TransQuantParamV2", ["4xf32", "3xf32"], {}, "GX-221"),
    ("TransQuantParamV2", ["4xf32", None], {"round_mode": 2}, "GX-223"),
    ("Quantize", ["2x3xf32", "2xf32", None], {"dtype": "torch.qint8"}, "GX-221"),
    ("Quantize", ["2x3xf32", "3xf32", None], {"dtype": "int8"}, "GX-223"),
    ("Dequantize", ["2x3xqi8", "f32", "f32"], {"mode": "MAX"}, "GX-223"),
    ("Dequantize", ["2x3xqi8", "2xf32", "f32"], {}, "GX-223"),
    ("FakeQuantWithMinMaxArgs", ["2x3xf32"], {"min": 6.0}, "GX-223"),
    ("FakeQuantWithMinMaxArgs", ["2x3xf32"], {"num_bits": 17}, "GX-223"),
]
