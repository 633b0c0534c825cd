"""Examples of what chooses a branch; operators with bodies are in test_semantics_branches.py."""

from __future__ import annotations

from typing import Any

Row = tuple[str, list[Any], dict[str, Any], list[str]]

ROWS: list[Row] = [
    ("ControlTrigger", [], {}, []),
    ("MapIndex", ["2xi32", "6xi32"], {}, ["i32"]),
    ("MapIndex", ["2xi32", "6xi32", "3xi32"], {}, ["i32"]),
    ("GetDynamicDims", [["2xi64", "3xi64"]], {"shape_info": [2, -1, 8, 3, 4, -1, -1], "N": 2},
     ["3xi64"]),
    ("GetDynamicDims", [["?xi32"]], {"shape_info": [0], "N": 1}, ["0xi32"]),
]  # fmt: skip

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("MapIndex", ["2xi32", "5xi32"], {}, "GX-221"),
    ("MapIndex", ["2xi32", "6xi32", "2xi32"], {}, "GX-226"),
    ("GetDynamicDims", [["2xi64"]], {"shape_info": [3, -1, 8], "N": 1}, "GX-223"),
    ("GetDynamicDims", [["2xi64"]], {"shape_info": [-1, -1, 8], "N": 1}, "GX-223"),
    ("GetDynamicDims", [["2xi64"]], {"shape_info": [2, -1, 8], "N": 2}, "GX-226"),
    ("GetDynamicDims", [["2xi64"]], {"shape_info": [1, -1], "N": 1}, "GX-221"),
    ("GetDynamicDims", [["2x2xi64"]], {"shape_info": [2, -1, 1], "N": 1}, "GX-220"),
]
