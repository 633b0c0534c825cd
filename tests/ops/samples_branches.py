"""Examples of what chooses a branch; operators with bodies are in test_semantics_branches.py."""

from __future__ import annotations

from typing import Any

Row = tuple[str, list[Any], dict[str, Any], list[str]]

ROWS: list[Row] = [
    ("ControlTrigger", [], {}, []),
    ("MapIndex", ["2xi32", "6xi32"], {}, ["i32"]),
    ("MapIndex", ["2xi32", "6xi32", "3xi32"], {}, ["i32"]),
]

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("MapIndex", ["2xi32", "5xi32"], {}, "GX-221"),
    ("MapIndex", ["2xi32", "6xi32", "2xi32"], {}, "GX-226"),
]
