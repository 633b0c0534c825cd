"""Examples of the gradients of pooling, and of Caffe's pooling."""

from __future__ import annotations

from typing import Any

import numpy as np

Row = tuple[str, list[Any], dict[str, Any], list[str]]


def _ints(*values: int) -> np.ndarray:
    return np.array(values, np.int32)


_SAME = {"ksize": [1, 3, 2, 1], "strides": [1, 2, 1, 1], "padding": "SAME"}
_VALID = {"ksize": [1, 1, 3, 2], "strides": [1, 1, 2, 1], "padding": "VALID", "data_format": "NCHW"}
_X, _Y = "2x5x4x3xf32", "2x3x4x3xf32"
_U, _V = "2x3x5x4xf32", "2x3x2x3xf32"

ROWS: list[Row] = [
    ("MaxPoolGrad", [_X, _Y, _Y], _SAME, [_X]),
    ("MaxPoolGrad", [_U, _V, _V], _VALID, [_U]),
    ("MaxPoolGrad", ["2x?x4x3xf16", "2x3x4x3xf16", "2x3x?x3xf16"], _SAME, ["2x?x4x3xf16"]),
    ("AvgPoolGrad", [_ints(2, 5, 4, 3), _Y], _SAME, [_X]),
    ("AvgPoolGrad", [_ints(2, 3, 5, 4), _V], _VALID, [_U]),
    ("AvgPoolGrad", ["4xi32", "2x?x4x3xf16"], _SAME, ["2x?x?x3xf16"]),
    ("MaxPoolGradWithArgmax", [_X, _Y, "2x3x4x3xi64"], _SAME, [_X]),
    ("MaxPoolGradWithArgmax", [_U, _V, "2x3x2x3xi32"], {**_VALID, "include_batch_in_index": True},
     [_U]),
    ("Pooling", [_U], {"window": [3, 2], "stride": [2, 1], "pad": [1, 1, 0, 1]}, ["2x3x3x4xf32"]),
    ("Pooling", [_U], {"mode": 1, "window": [2, 2], "stride": [2, 2], "pad": [0, 0, 1, 0]},
     ["2x3x3x3xf32"]),
    ("Pooling", ["2x5x?x3xf16"], {"window": [2, 2], "stride": [2, 2], "ceil_mode": 1,
     "data_format": "NHWC"}, ["2x2x?x3xf16"]),
    ("Pooling", [_U], {"mode": 1, "global_pooling": True}, ["2x3x1x1xf32"]),
]  # fmt: skip

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("MaxPoolGrad", [_X, _Y, "2x3x3x3xf32"], _SAME, "GX-221"),
    ("MaxPoolGrad", [_X, _Y, _Y], {**_SAME, "padding": "FULL"}, "GX-223"),
    ("AvgPoolGrad", [_ints(2, 5, 4), _Y], _SAME, "GX-224"),
    ("AvgPoolGrad", [_ints(2, 7, 4, 3), _Y], _SAME, "GX-221"),
    ("MaxPoolGradWithArgmax", [_X, _Y, "2x3x4x2xi64"], _SAME, "GX-221"),
    ("Pooling", [_U], {"window": [2, 2], "pad": [2, 0, 0, 0]}, "GX-223"),
    ("Pooling", [_U], {"mode": 2}, "GX-223"),
    ("Pooling", [_U], {"dilation": [1, 1, 2, 1]}, "GX-223"),
    ("Pooling", [_U], {"window": [2]}, "GX-224"),
]
