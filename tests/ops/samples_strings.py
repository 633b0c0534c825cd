"""Examples of lengths of strings and of printing."""

from __future__ import annotations

from typing import Any

ROWS: list[tuple[str, list[Any], dict[str, Any], list[str]]] = [
    ("StringLength", ["2x?xstr"], {}, ["2x?xi32"]),
    ("StringLength", ["str"], {"unit": "UTF8_CHAR"}, ["i32"]),
    ("PrintV2", ["str"], {}, []),
    ("PrintV2", ["1xstr"], {"output_stream": "stdout"}, []),
]

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("StringLength", ["str"], {"unit": "LETTER"}, "GX-223"),
    ("PrintV2", ["2xstr"], {}, "GX-221"),
]
