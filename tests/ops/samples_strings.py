"""Examples of what is known of strings."""

from __future__ import annotations

from typing import Any

ROWS: list[tuple[str, list[Any], dict[str, Any], list[str]]] = [
    ("StringLength", ["2x?xstr"], {}, ["2x?xi32"]),
    ("StringLength", ["str"], {"unit": "UTF8_CHAR"}, ["i32"]),
]

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("StringLength", ["str"], {"unit": "LETTER"}, "GX-223"),
]
