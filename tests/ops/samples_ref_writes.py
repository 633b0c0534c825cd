"""Examples of writes into parts of a variable."""

from __future__ import annotations

from typing import Any

import numpy as np

Row = tuple[str, list[Any], dict[str, Any], list[str]]


def _n(*values: Any) -> np.ndarray:
    return np.array(values, np.int64)


_CACHE = "&5x4x2x3xf16"
ROWS: list[Row] = [
    ("ScatterNdUpdate", ["&4x5xf32", "2x1xi64", "2x5xf32"], {}, ["&4x5xf32"]),
    ("ScatterNdUpdate", ["&4x5xi8", "3x2xi32", "3xi8"], {}, ["&4x5xi8"]),
    ("StridedSliceAssign", ["&4x5xf32", _n(1), _n(4), _n(2), "2x5xf32"], {}, ["&4x5xf32"]),
    (
        "StridedSliceAssign",
        ["&4x5xi32", _n(1, 0), _n(2, 5), _n(1, 2), "3xi32"],
        {"shrink_axis_mask": 1},
        ["&4x5xi32"],
    ),
    (
        "ScatterPaKvCache",
        ["6x2x3xf16", _CACHE, "6xi32", "6x2x3xf16", _CACHE],
        {},
        [_CACHE, _CACHE],
    ),
]

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("ScatterNdUpdate", ["&4x5xf32", "2x1xi64", "2x4xf32"], {}, "GX-221"),
    ("StridedSliceAssign", ["&4x5xf32", _n(1), _n(4), _n(2), "3x5xf32"], {}, "GX-221"),
    ("StridedSliceAssign", ["&4xf32", _n(1), _n(4, 4), _n(2), "2xf32"], {}, "GX-224"),
    ("ScatterPaKvCache", ["6x2x3xf16", _CACHE, "5xi32", "6x2x3xf16", _CACHE], {}, "GX-221"),
    ("ScatterPaKvCache", ["6x2x4xf16", _CACHE, "6xi32", "6x2x3xf16", _CACHE], {}, "GX-221"),
]
