"""Examples of the gradient of fused attention."""

from __future__ import annotations

from typing import Any

Row = tuple[str, list[Any], dict[str, Any], list[str]]
_OP = "FlashAttentionScoreGrad"

ROWS: list[Row] = [
    (
        _OP,
        [
            *("2x3x8xf32", "2x5x4xf32", "2x5x4xf32", "2x3x8xf32", None, None, None, "3x5xi1"),
            *("2x2x3x8xf32", "2x2x3x8xf32", None, "2x3x8xf32"),
        ],
        {"head_num": 2, "input_layout": "BSH", "scale_value": 0.5},
        ["2x3x8xf32", "2x5x4xf32", "2x5x4xf32", "0xf32"],
    ),
    (
        _OP,
        [
            *("2x4x3x8xf16", "2x2x5x8xf16", "2x2x5x6xf16", "2x4x3x6xf16", "3x5xf16", None, None),
            *("3x5xui8", "2x4x3x8xf32", "2x4x3x8xf32", None, "2x4x3x6xf16"),
        ],
        {"head_num": 4, "input_layout": "BNSD", "pse_type": 0, "sparse_mode": 3},
        ["2x4x3x8xf16", "2x2x5x8xf16", "2x2x5x6xf16", "3x5xf16"],
    ),
    (
        _OP,
        [
            *("?x3x2x8xbf16", "?x5x2x8xbf16", "?x5x2x8xbf16", "?x3x2x8xbf16", None, None, None),
            *(None, "?x2x3x8xf32", "?x2x3x8xf32", None, "?x3x2x8xbf16"),
        ],
        {"head_num": 2, "input_layout": "BSND"},
        ["?x3x2x8xbf16", "?x5x2x8xbf16", "?x5x2x8xbf16", "0xbf16"],
    ),
]
_BSH = {"head_num": 2, "input_layout": "BSH"}

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    (_OP, ["2x3x8xf32"] * 4, {**_BSH, "input_layout": "SBN"}, "GX-223"),
    (_OP, ["2x3x8xf32"] * 4, {**_BSH, "sparse_mode": 2}, "GX-223"),
    (_OP, ["2x3x8xf32"] * 4, {**_BSH, "keep_prob": 1.5}, "GX-223"),
    (_OP, ["2x3x8xf32"] * 3 + ["2x3x4xf32"], _BSH, "GX-221"),
    (_OP, ["2x3x8xf32"] * 4 + ["3x4xf32"], _BSH, "GX-221"),
    (_OP, ["2x3x8xf32"] * 4 + [None] * 4 + ["2x2x3x1xf32"], _BSH, "GX-221"),
    (_OP, ["2x3x8xf32"] * 4 + [None] * 7 + ["2x4x8xf32"], _BSH, "GX-221"),
]
