"""Examples of ONNX's LSTM and GRU."""

from __future__ import annotations

from typing import Any

Row = tuple[str, list[Any], dict[str, Any], list[str]]
_H = {"hidden_size": 5}
_BOTH = {**_H, "direction": "bidirectional"}
_LSTM = ["3x2x4xf32", "1x20x4xf32", "1x20x5xf32"]
_GRU = ["3x2x4xf16", "2x15x4xf16", "2x15x5xf16"]

ROWS: list[Row] = [
    ("CommonLSTM", _LSTM, _H, ["3x1x2x5xf32", "1x2x5xf32", "1x2x5xf32"]),
    (
        "CommonLSTM",
        ["?x2x4xf32", "2x20x4xf32", "2x20x5xf32", "2x40xf32", "2xi32", "2x2x5xf32", None,
         "2x15xf32"],
        _BOTH,
        ["?x2x2x5xf32", "2x2x5xf32", "2x2x5xf32"],
    ),
    ("CommonGRU", _GRU, _BOTH, ["3x2x2x5xf16", "2x2x5xf16"]),
    (
        "CommonGRU",
        ["3x?x4xf32", "1x15x4xf32", "1x15x5xf32", "1x30xf32", None, "1x2x5xf32"],
        {**_H, "linear_before_reset": 1, "direction": "reverse"},
        ["3x1x2x5xf32", "1x2x5xf32"],
    ),
]  # fmt: skip

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("CommonLSTM", _LSTM, {"hidden_size": 4}, "GX-221"),
    ("CommonLSTM", _LSTM, _BOTH, "GX-221"),
    ("CommonLSTM", _LSTM, {**_H, "direction": "both"}, "GX-223"),
    ("CommonGRU", _GRU, _H, "GX-221"),
    ("CommonGRU", [*_GRU, None, "3xi32"], _BOTH, "GX-221"),
]
