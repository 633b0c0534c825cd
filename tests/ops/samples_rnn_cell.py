"""Examples of one step of a plain recurrent layer."""

from __future__ import annotations

from typing import Any

Row = tuple[str, list[Any], dict[str, Any], list[str]]
_OP = "BasicRNNCell"
_PLAIN = ["3x4xf16", None, None, None, "4x5xf16", "5xf32", None, "5x2xf16", "2xf32"]
_WHOLE = ["3x?xf32", "3x1xf32", "?x5xf32", "3x5xf32", "4x?xf32", "?xf16", "?x5xf32", "5x5xf32"]

ROWS: list[Row] = [
    (_OP, _PLAIN, {}, ["3x2xf32", "3x5xf32"]),
    (_OP, [*_WHOLE, "*xf32"], {"num_output": 5}, ["3x5xf16", "3x5xf16"]),
    (_OP, ["?x4xf16", "3xf16", *_PLAIN[2:]], {"expose_hidden": True}, ["3x2xf32", "3x5xf32"]),
]

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    (_OP, ["3x4x1xf16", *_PLAIN[1:]], {}, "GX-220"),
    (_OP, ["3x3xf16", *_PLAIN[1:]], {}, "GX-221"),
    (_OP, [*_PLAIN[:8], "3xf32"], {}, "GX-221"),
    (_OP, _PLAIN, {"num_output": 5}, "GX-221"),
    (_OP, _PLAIN, {"num_output": -1}, "GX-223"),
    (_OP, [*_PLAIN[:3], "3x5xf32", *_PLAIN[4:]], {}, "GX-226"),
    (_OP, [_PLAIN[0], "2xf16", *_PLAIN[2:]], {}, "GX-221"),
]
