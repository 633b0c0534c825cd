"""Examples of normalisation by the statistics of each sample, and of rotary embedding."""

from __future__ import annotations

from typing import Any

import numpy as np

Row = tuple[str, list[Any], dict[str, Any], list[str]]


def _ints(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


_AXES = {"begin_norm_axis": 1, "begin_params_axis": -1}
_X, _C = "2x3x4xf32", "4xf32"

ROWS: list[Row] = [
    ("LayerNorm", [_X, _C, _C], _AXES, [_X, "2x1x1xf32", "2x1x1xf32"]),
    (
        "LayerNorm",
        ["2x?x4xf16", "4xf16", "4xf16"],
        {**_AXES, "begin_norm_axis": -1},
        ["2x?x4xf16", "2x?x1xf16", "2x?x1xf16"],
    ),
    (
        "LayerNormV3",
        [_X, "3x4xf32", "3x4xf32"],
        {"begin_norm_axis": 1, "begin_params_axis": 1},
        [_X, "2x1x1xf32", "2x1x1xf32"],
    ),
    ("LayerNormV4", [_X, _ints(4), _C, _C], {}, [_X, "2x3x1xf32", "2x3x1xf32"]),
    (
        "LayerNormV4",
        ["2x3x4xf16", _ints(3, 4), "3x4xf16"],
        {},
        ["2x3x4xf16", "2x1x1xf32", "2x1x1xf32"],
    ),
    ("LayerNormV4", ["?x3x4xbf16", "1xi64"], {}, ["?x3x4xbf16", "?x3x1xf32", "?x3x1xf32"]),
    ("RmsNorm", [_X, _C], {}, [_X, "2x3x1xf32"]),
    ("RmsNorm", ["2x3x4xf16", "3x4xf32"], {}, ["2x3x4xf16", "2x1x1xf32"]),
    ("RmsNorm", ["2x?x4xf16", "?x4xf16"], {}, ["2x?x4xf16", "2x1x1xf32"]),
    ("AddRmsNorm", [_X, _X, _C], {"epsilon": 1e-5}, [_X, "2x3x1xf32", _X]),
    (
        "AddRmsNorm",
        ["?x3x4xf16", "2x?x4xf16", "4xf16"],
        {},
        ["2x3x4xf16", "2x3x1xf32", "2x3x4xf16"],
    ),
    (
        "GroupNorm",
        ["2x4x5x6xf32", _C, _C],
        {"num_groups": 2},
        ["2x4x5x6xf32", "2x2xf32", "2x2xf32"],
    ),
    (
        "GroupNorm",
        ["?x?x5xf16", "4xf16", "4xf16"],
        {"num_groups": 4},
        ["?x4x5xf16", "?x4xf16", "?x4xf16"],
    ),
    (
        "InstanceNorm",
        ["2x4x5x6xf32", _C, _C],
        {"data_format": "NCHW"},
        ["2x4x5x6xf32", "2x4x1x1xf32", "2x4x1x1xf32"],
    ),
    (
        "InstanceNorm",
        ["2x3x5x6x4xf32", _C, _C],
        {},
        ["2x3x5x6x4xf32", "2x1x1x1x4xf32", "2x1x1x1x4xf32"],
    ),
    ("L2Normalize", [_X], {"axis": [1, -1]}, [_X]),
    ("L2Normalize", ["2x?xf16"], {}, ["2x?xf16"]),
    ("RotaryMul", ["2x3x4x8xf32", "3x1x8xf32", "3x1x8xf32"], {}, ["2x3x4x8xf32"]),
    ("RotaryMul", ["?x8xf16", "1x8xf16", "8xf16"], {}, ["?x8xf16"]),
    ("RotaryPositionEmbedding", ["2x3x8xf32", "3x8xf32", "3x8xf32"], {}, ["2x3x8xf32"]),
    ("RotaryPositionEmbedding", ["2x3x8xf16", "8xf16", "8xf16"], {"mode": 1}, ["2x3x8xf16"]),
]

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("LayerNorm", [_X, "3xf32", "3xf32"], _AXES, "GX-221"),
    ("LayerNorm", [_X, _C, _C], {**_AXES, "begin_norm_axis": 3}, "GX-222"),
    ("LayerNormV4", [_X, _ints(3)], {}, "GX-221"),
    ("LayerNormV4", [_X, _ints(1, 2, 3, 4)], {}, "GX-223"),
    ("LayerNormV4", [_X, _ints(4), "3xf32"], {}, "GX-221"),
    ("RmsNorm", [_X, "3xf32"], {}, "GX-221"),
    ("RmsNorm", [_X, "f32"], {}, "GX-221"),
    ("AddRmsNorm", [_X, "2x3x5xf32", _C], {}, "GX-221"),
    ("GroupNorm", ["2x4x5xf32", _C, _C], {"num_groups": 3}, "GX-223"),
    ("GroupNorm", ["2x4x5xf32", "3xf32", _C], {"num_groups": 2}, "GX-221"),
    ("InstanceNorm", ["2x4x5x6xf32", "6xf32", "6xf32"], {"data_format": "NCHW"}, "GX-221"),
    ("InstanceNorm", ["2x4x5x6xf32", _C, _C], {"data_format": "CN"}, "GX-223"),
    ("L2Normalize", [_X], {"axis": [3]}, "GX-222"),
    ("RotaryMul", ["2x7xf32", "7xf32", "7xf32"], {}, "GX-221"),
    ("RotaryMul", ["2x8xf32", "4xf32", "8xf32"], {}, "GX-221"),
    ("RotaryPositionEmbedding", ["2x8xf32", "8xf32", "8xf32"], {"mode": 2}, "GX-223"),
]
