"""Examples of the gradients of convolutions."""

from __future__ import annotations

from typing import Any

import numpy as np

Row = tuple[str, list[Any], dict[str, Any], list[str]]


def _ints(*values: int) -> np.ndarray:
    return np.array(values, np.int32)


_FIRST = {"strides": [1, 1, 2, 2], "pads": [1, 1, 1, 1], "data_format": "NCHW"}
_LAST = {"strides": [1, 2, 1, 1], "pads": [0, 0, 1, 0], "dilations": [1, 1, 2, 1]}
_VOLUME = {"strides": [1, 1, 1, 2, 1], "pads": [0, 0, 1, 1, 0, 0], "data_format": "NCDHW"}
_X, _DY = "2x4x5x6xf32", "2x6x3x3xf32"

ROWS: list[Row] = [
    ("Conv2DBackpropFilter", [_X, _ints(6, 4, 3, 3), _DY], _FIRST, ["6x4x3x3xf32"]),
    ("Conv2DBackpropFilter", [_X, _ints(6, 2, 3, 3), _DY], {**_FIRST, "groups": 2},
     ["6x2x3x3xf32"]),
    ("Conv2DBackpropFilter", ["2x5x6x4xf16", _ints(3, 2, 4, 5), "2x2x5x5xf16"], _LAST,
     ["3x2x4x5xf16"]),
    ("Conv2DBackpropFilter", ["2x4x?x6xf32", "4xi32", "2x6x3x?xf32"], _FIRST, ["6x4x?x?xf32"]),
    ("Conv2DBackpropFilterD", ["2x4x5x6xf16", "2x6x3x3xf16"],
     {**_FIRST, "filter_size": [6, 4, 3, 3]}, ["6x4x3x3xf32"]),
    ("Conv2DBackpropFilterD", [_X, _DY], {**_FIRST, "groups": 2, "filter_size": [6, 2, 3, 3]},
     ["6x2x3x3xf32"]),
    ("Conv3DBackpropFilter", ["1x2x3x5x4xf32", _ints(3, 2, 2, 3, 2), "1x3x2x3x3xf32"], _VOLUME,
     ["3x2x2x3x2xf32"]),
    ("Conv3DBackpropFilter", ["1x3x5x4x2xf16", _ints(2, 3, 2, 2, 3), "1x2x3x3x3xf16"],
     {**_VOLUME, "strides": [1, 1, 2, 1, 1], "data_format": "NDHWC"}, ["2x3x2x2x3xf16"]),
    ("Conv2DBackpropInputD", ["6x4x3x3xf32", _DY], {**_FIRST, "input_size": [2, 4, 5, 6]}, [_X]),
    ("Conv2DBackpropInputD", ["3x2x4x5xi8", "2x2x5x5xi8"], {**_LAST, "input_size": [2, 5, 6, 4]},
     ["2x5x6x4xi32"]),
    ("Conv3DBackpropInput", [_ints(1, 2, 3, 5, 4), "3x2x2x3x2xf32", "1x3x2x3x3xf32"], _VOLUME,
     ["1x2x3x5x4xf32"]),
    ("Conv3DBackpropInput", ["5xi64", "2x3x2x2x3xf16", "1x2x3x3x3xf16"],
     {**_VOLUME, "strides": [1, 1, 2, 1, 1], "data_format": "NDHWC"}, ["1x?x?x?x2xf16"]),
]  # fmt: skip

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("Conv2DBackpropFilter", [_X, _ints(6, 4, 3), _DY], _FIRST, "GX-224"),
    ("Conv2DBackpropFilter", [_X, _ints(5, 4, 3, 3), _DY], _FIRST, "GX-221"),
    ("Conv2DBackpropFilter", [_X, _ints(6, 3, 3, 3), _DY], _FIRST, "GX-221"),
    ("Conv2DBackpropFilter", [_X, _ints(6, 4, 1, 3), _DY], _FIRST, "GX-221"),
    ("Conv2DBackpropFilter", [_X, _ints(6, 4, 3, 3), _DY], {**_FIRST, "groups": 5}, "GX-221"),
    ("Conv2DBackpropFilterD", [_X, _DY], {**_FIRST, "filter_size": [6, 4, -3, 3]}, "GX-223"),
    ("Conv2DBackpropInputD", ["6x4x3x3xf32", _DY], {**_FIRST, "input_size": [2, 4, 9, 6]},
     "GX-221"),
    ("Conv3DBackpropInput", [_ints(1, 3, 3, 5, 4), "3x2x2x3x2xf32", "1x3x2x3x3xf32"], _VOLUME,
     "GX-221"),
]  # fmt: skip
