"""Examples of made tensors, triangles, paddings and blocks."""

from __future__ import annotations

from typing import Any

import numpy as np

from ge_dialect.dtypes import to_xdsl

Row = tuple[str, list[Any], dict[str, Any], list[str]]


def _n(*values: Any, dtype: Any = np.int64) -> np.ndarray:
    return np.array(values, dtype)


def _k(*values: int) -> np.ndarray:
    return np.array(values, np.int32)


ROWS: list[Row] = [
    ("ParallelConcatStart", [], {"shape": [2, 0, 3]}, ["2x0x3xi32"]),
    ("ParallelConcatStart", [], {"dtype": to_xdsl("float16")}, ["f16"]),
    ("_ParallelConcatStart", [], {"dtype": to_xdsl("bool"), "shape": [4]}, ["4xi1"]),
    ("Empty", [_n(2, 3, dtype=np.int32)], {"dtype": 1}, ["2x3xf16"]),
    ("Empty", ["2xi32"], {}, ["?x?xi32"]),
    ("Eye", [], {"num_rows": 3}, ["3x3xf32"]),
    ("Eye", [], {"num_rows": 2, "num_columns": 3, "batch_shape": [4], "dtype": 3}, ["4x2x3xi32"]),
    ("Diag", ["2x?xf32"], {}, ["2x?x2x?xf32"]),
    ("Diag", ["3xi1"], {}, ["3x3xi1"]),
    ("LinSpace", ["f32", "1xf32", np.array(5)], {}, ["5xf32"]),
    ("LinSpace", ["f16", "f16", "i64"], {}, ["?xf16"]),
    ("PadV2", ["2x?xf32", _n([1, 2], [0, 1]), "f32"], {}, ["5x?xf32"]),
    ("PadV2", ["2x3xi8", "2x2xi32", "1xi8"], {}, ["?x?xi8"]),
    ("Trilu", ["2x3x?xf16"], {}, ["2x3x?xf16"]),
    ("Trilu", ["3x4xi32", np.array(-1)], {"upper": 0}, ["3x4xi32"]),
    ("SpaceToBatchND", ["2x3x4x5xf32", _n(2, 2), _n([1, 0], [0, 2])], {}, ["8x2x3x5xf32"]),
    ("SpaceToBatchND", ["2x?x4xf16", _n(2), _n([1, 0])], {}, ["4x?x4xf16"]),
    ("SpaceToBatchND", ["2x3x4x5xf32", "2xi64", "2x2xi64"], {}, ["?x?x?x5xf32"]),
    ("BatchToSpaceND", ["8x2x3x5xf32", _n(2, 2), _n([1, 0], [0, 2])], {}, ["2x3x4x5xf32"]),
    ("BatchToSpaceND", ["?x2x3xi8", _n(2), _n([0, 0])], {}, ["?x4x3xi8"]),
    ("Expand", ["3x1xf32", _n(2, 1, 4)], {}, ["2x3x4xf32"]),
    ("Expand", ["2x3xi8", "1xi64"], {}, ["2x3xi8"]),
    ("MatrixDiagV2", ["2x3xf32", _k(0), _k(-1), _k(-1), "f32"], {}, ["2x3x3xf32"]),
    ("MatrixDiagV2", ["3x2xi8", _k(-1, 1), _k(3), _k(2), "1xi8"], {}, ["3x2xi8"]),
    ("MatrixDiagV2", ["?x3xf16", _k(1), _k(-1), _k(-1), "f16"], {}, ["?x4x4xf16"]),
]

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("ParallelConcatStart", [], {"shape": [2, -1]}, "GX-223"),
    ("_ParallelConcatStart", [], {"dtype": to_xdsl("bfloat16")}, "GX-225"),
    ("Empty", [_n(-1, dtype=np.int32)], {}, "GX-223"),
    ("Empty", ["1xi32"], {"dtype": 99}, "GX-225"),
    ("Eye", [], {"num_rows": 0}, "GX-223"),
    ("Diag", ["f32"], {}, "GX-220"),
    ("LinSpace", ["f32", "f32", np.array(0)], {}, "GX-223"),
    ("LinSpace", ["2xf32", "f32", np.array(1)], {}, "GX-221"),
    ("PadV2", ["2x3xf32", _n([1, 2]), "f32"], {}, "GX-221"),
    ("PadV2", ["2xf32", _n([1, -2]), "f32"], {}, "GX-223"),
    ("Trilu", ["3xf32"], {}, "GX-220"),
    ("SpaceToBatchND", ["2x3xf32", _n(2), _n([0, 0])], {}, "GX-221"),
    ("SpaceToBatchND", ["2xf32", _n(2), _n([0, 0])], {}, "GX-220"),
    ("SpaceToBatchND", ["2x4xf32", _n(2, 2), _n([0, 0])], {}, "GX-224"),
    ("BatchToSpaceND", ["3x4xf32", _n(2), _n([0, 0])], {}, "GX-221"),
    ("BatchToSpaceND", ["2x1xf32", _n(2), _n([2, 1])], {}, "GX-221"),
    ("Expand", ["3xf32", _n(2)], {}, "GX-221"),
    ("MatrixDiagV2", ["3xf32", _k(1, 0), _k(-1), _k(-1), "f32"], {}, "GX-223"),
    ("MatrixDiagV2", ["3xf32", _k(0), _k(2), _k(2), "f32"], {}, "GX-221"),
]
