"""Examples of the loss of a labelling without alignment."""

from __future__ import annotations

from typing import Any

import numpy as np

Row = tuple[str, list[Any], dict[str, Any], list[str]]

_PLACES = np.array([[0, 0], [0, 1], [1, 0]], np.int64)
_LABELS, _STEPS = np.array([1, 1, 0], np.int32), np.array([4, 2], np.int32)
_SPARSE = [_PLACES, _LABELS, _STEPS]

ROWS: list[Row] = [
    ("CTCLoss", ["5x2x3xf32", *_SPARSE], {}, ["2xf32", "5x2x3xf32"]),
    ("CTCLoss", ["?x?x3xf64", "?x2xi64", "4xi32", "2xi32"], {"ctc_merge_repeated": False},
     ["2xf64", "?x2x3xf64"]),
    ("CTCLoss", ["4x2x3xf64", *_SPARSE],
     {"preprocess_collapse_repeated": True, "ignore_longer_outputs_than_inputs": True},
     ["2xf64", "4x2x3xf64"]),
]  # fmt: skip

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("CTCLoss", ["5x2xf32", *_SPARSE], {}, "GX-220"),
    ("CTCLoss", ["5x2x0xf32", *_SPARSE], {}, "GX-223"),
    ("CTCLoss", ["5x3x3xf32", *_SPARSE], {}, "GX-221"),
    ("CTCLoss", ["5x2x3xf32", "4x2xi64", "3xi32", "2xi32"], {}, "GX-221"),
    ("CTCLoss", ["5x2x3xf32", "4x3xi64", "4xi32", "2xi32"], {}, "GX-221"),
]
