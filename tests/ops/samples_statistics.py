"""Examples of norms and deviations."""

from __future__ import annotations

from typing import Any

import numpy as np

from ge_dialect.dtypes import to_xdsl

Row = tuple[str, list[Any], dict[str, Any], list[str]]


def _ints(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


_X = "2x3x4xf32"

ROWS: list[Row] = [
    ("LpNorm", [_X], {}, ["f32"]),
    ("LpNorm", ["2x?x4xf16"], {"p": 1, "axes": [0, -1], "keepdim": True}, ["1x?x1xf16"]),
    ("LpNorm", [_X], {"p": 2147483647, "axes": [1]}, ["2x4xf32"]),
    ("LpNormV2", [_X], {"p": 2.5, "axes": [1]}, ["2x4xf32"]),
    ("LpNormV2", [_X], {"p": float("-inf"), "axes": [-1, 0]}, ["3xf32"]),
    ("LpNormV2", ["2x?x4xf16"], {"p": 0.0, "keepdim": True}, ["1x1x1xf16"]),
    ("ReduceLogSum", [_X, _ints(1)], {}, ["2x4xf32"]),
    ("ReduceLogSum", ["2x?xf16", _ints()], {}, ["2x?xf16"]),
    ("ReduceMeanWithCast", [_X, _ints(-1)], {"dtype": to_xdsl("float16")}, ["2x3xf16"]),
    ("ReduceMeanWithCast", ["2x?xi32", _ints(0, 1)], {"keep_dims": True}, ["1x1xi32"]),
    ("ReduceMeanWithCast", [_X, _ints()], {"dtype": to_xdsl("int8")}, ["2x3x4xi8"]),
    ("ReduceStdV2", [_X], {"dim": [0, 2]}, ["3xf32", "3xf32"]),
    ("ReduceStdV2", ["2x?xf16"], {"keepdim": True, "correction": 0}, ["1x1xf16", "1x1xf16"]),
    ("ReduceStdWithMean", [_X, "1x3x1xf32"], {"dim": [0, 2]}, ["3xf32"]),
    ("ReduceStdWithMean", ["2x?xf16", "2x3xf16"], {"dim": [1], "unbiased": False}, ["2xf16"]),
    ("SquareSumV1", [_X], {"axis": [1]}, ["2x4xf32"]),
    ("SquareSumV1", ["2x?xf16"], {"axis": [], "keep_dims": True}, ["1x1xf16"]),
]

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("LpNorm", [_X], {"axes": [3]}, "GX-222"),
    ("LpNormV2", [_X], {"axes": [0, -3]}, "GX-222"),
    ("ReduceLogSum", [_X, _ints(3)], {}, "GX-222"),
    ("ReduceMeanWithCast", [_X, _ints(0)], {"dtype": to_xdsl("int32")}, "GX-225"),
    ("ReduceStdV2", [_X], {"dim": [4]}, "GX-222"),
    ("ReduceStdWithMean", [_X, "5xf32"], {}, "GX-221"),
    ("SquareSumV1", [_X], {"axis": [-4]}, "GX-222"),
]
