"""Examples of recurrent layers."""

from __future__ import annotations

from typing import Any

Row = tuple[str, list[Any], dict[str, Any], list[str]]
_LSTM = ["3x2x4xf16", "9x20xf16", "20xf32"]
_GRU = ["3x2x4xf32", "4x15xf32", "5x15xf32"]
_CELL = ["2x4xf16", "2x5xf16", "2x5xf32", "9x20xf16", "20xf32"]

ROWS: list[Row] = [
    ("DynamicRNN", _LSTM, {}, ["3x2x5xf16"] * 3 + ["3x2x5xf32"] * 5),
    (
        "DynamicRNN",
        ["?x2x4xf32", "9x20xf32", "20xf32", "2xi32", "1x2x5xf32", "1x2x5xf32"],
        {"direction": "REDIRECTIONAL", "gate_order": "ifjo"},
        ["?x2x5xf32"] * 8,
    ),
    ("DynamicGRUV2", _GRU, {}, ["3x2x5xf32"] * 6),
    (
        "DynamicGRUV2",
        ["3x?x4xf16", "4x15xf16", "5x15xf16", "15xf32", "15xf32", None, "2x5xf32"],
        {"gate_order": "rzh"},
        ["3x2x5xf32"] * 6,
    ),
    ("BasicLSTMCell", _CELL, {}, ["2x5xf32", "2x5xf16", *["2x5xf32"] * 5]),
]

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("DynamicRNN", ["3x2x4xf16", "8x20xf16", "20xf32"], {}, "GX-221"),
    ("DynamicRNN", ["3x2x4xf16", "9x18xf16", "18xf32"], {}, "GX-221"),
    ("DynamicRNN", _LSTM, {"gate_order": "ofij"}, "GX-223"),
    ("DynamicRNN", _LSTM, {"direction": "BIDIRECTIONAL"}, "GX-223"),
    ("DynamicRNN", [*_LSTM, "3xi32"], {}, "GX-221"),
    ("DynamicGRUV2", ["3x2x4xf32", "4x15xf32", "4x15xf32"], {}, "GX-221"),
    ("DynamicGRUV2", _GRU, {"time_major": False}, "GX-223"),
    ("BasicLSTMCell", [*_CELL[:4], "16xf32"], {}, "GX-221"),
    ("BasicLSTMCell", _CELL, {"activation": "relu"}, "GX-223"),
]
