"""Examples of matrix products of quantised numbers."""

from __future__ import annotations

from typing import Any

Row = tuple[str, list[Any], dict[str, Any], list[str]]
_A, _B = "2x3xi8", "3x4xi8"
_NO = [None, None, None]
_W = "3x4xi8"

ROWS: list[Row] = [
    ("QuantBatchMatmul", [_A, _B, "4xi32", "4xui64"], {}, ["2x4xf16"]),
    ("QuantBatchMatmul", ["5x3x2xi8", "?x4x3xi8", "1xi32", "1xui64"],
     {"adj_x1": True, "adj_x2": True}, ["5x2x4xf16"]),
    ("QuantBatchMatmulV3", [_A, _B, "4xui64", *_NO], {"dtype": 1}, ["2x4xf16"]),
    ("QuantBatchMatmulV3", [_A, "4x3xi8", "1xf32", None, "4xi32", "2xf32"],
     {"dtype": 27, "transpose_x2": True}, ["2x4xbf16"]),
    ("QuantBatchMatmulV3", [_A, _B, "4xf32", "4xf32", None, None], {"dtype": 2}, ["2x4xi8"]),
    ("QuantBatchMatmulV3", [_A, _B, "4xf32", None, "4xf32", "?xf32"], {"dtype": 0}, ["2x4xf32"]),
    ("QuantBatchMatmulV3", [_A, _B, "4xi64", None, "4xi32", None], {"dtype": 3}, ["2x4xi32"]),
    ("QuantBatchMatmulV3", ["5x2x3xf8", "3x4xf8", "4xbf16", *_NO], {"dtype": 0}, ["5x2x4xf32"]),
    ("WeightQuantBatchMatmulV2", ["2x3xf16", _W, "4xf16", *_NO, None], {}, ["2x4xf16"]),
    ("WeightQuantBatchMatmulV2", ["3x?xbf16", "4x3xi8", "4x2xbf16", "4x2xbf16", None, None,
     "4xf32"], {"transpose_x": True, "transpose_weight": True, "antiquant_group_size": 2},
     ["?x4xbf16"]),
    ("WeightQuantBatchMatmulV2", ["2x3xf16", _W, "1xf16", "1xi32", "4xf32", "4xf32", None],
     {"dtype": 2}, ["2x4xi8"]),
    ("WeightQuantBatchMatmulV2", ["2x3xf16", "3x4xf8", "1x4xf16", None, "1xui64", None, "4xf16"],
     {}, ["2x4xi8"]),
]  # fmt: skip

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("QuantBatchMatmul", [_A, "4x4xi8", "4xi32", "4xui64"], {}, "GX-221"),
    ("QuantBatchMatmul", [_A, _B, "3xi32", "4xui64"], {}, "GX-221"),
    ("QuantBatchMatmulV3", [_A, _B, "4xui64", *_NO], {"dtype": 9}, "GX-223"),
    ("QuantBatchMatmulV3", [_A, "3x4xf8", "4xui64", *_NO], {"dtype": 1}, "GX-225"),
    ("QuantBatchMatmulV3", [_A, _B, "4xf32", None, None, "3xf32"], {"dtype": 1}, "GX-221"),
    ("QuantBatchMatmulV3", ["3xi8", _B, "4xf32", *_NO], {"dtype": 1}, "GX-220"),
    ("WeightQuantBatchMatmulV2", ["2x3xf16", _W, "3xf16", *_NO, None], {}, "GX-221"),
    ("WeightQuantBatchMatmulV2", ["2x3xf16", _W, "3x4xf16", *_NO, None],
     {"antiquant_group_size": 2}, "GX-221"),
    ("WeightQuantBatchMatmulV2", ["2x3xf16", _W, "4xf16", *_NO, None], {"dtype": 2}, "GX-223"),
    ("WeightQuantBatchMatmulV2", ["2x3xf16", _W, "4xf16", None, None, "4xf32", None], {},
     "GX-223"),
]  # fmt: skip
