"""Examples of reading and writing by index, as frameworks do."""

from __future__ import annotations

from typing import Any

import numpy as np

from ge_dialect.dtypes import to_xdsl

Row = tuple[str, list[Any], dict[str, Any], list[str]]


def _n(*values: Any) -> np.ndarray:
    return np.array(values, np.int64)


_X, _NONE = "4x5x6xf32", _n()
_ONE, _BOTH, _APART = _n(0, 1), _n(1, 1), _n(1, 0, 1)
ROWS: list[Row] = [
    ("Index", [_X, _ONE, _NONE, ["2xi64"]], {}, ["4x2x6xf32"]),
    ("Index", [_X, _BOTH, _NONE, ["2x1xi64", "3xi32"]], {}, ["2x3x6xf32"]),
    ("Index", [_X, _APART, _NONE, ["2xi64", "2xi64"]], {}, ["2x5xf32"]),
    ("Index", [_X, "3xi64", "0xi64", ["2xi64"]], {}, ["*xf32"]),
    ("IndexByTensor", ["4x?xf16", ["2x3xi64"]], {"indices_mask": [0, 1]}, ["4x2x3xf16"]),
    ("IndexByTensor", ["4x5x6xi8", ["2xi64", "1xi64"]], {}, ["2x6xi8"]),
    ("IndexPutV2", [_X, "2x6xf32", _ONE, _NONE, ["2xi64"]], {}, [_X]),
    ("IndexPutV2", [_X, "f32", _APART, _NONE, ["2xi64", "2xi32"]], {"accumulate": True}, [_X]),
    ("InplaceIndexAdd", ["4x5xf32", "2xi64", "4x2xf32"], {"axis": 1}, ["4x5xf32"]),
    ("InplaceIndexAdd", ["4x?xi32", "2xi32", "2x?xi32", "i32"], {"axis": -2}, ["4x?xi32"]),
    ("StridedSliceGrad", [_n(4, 5), _n(1), _n(4), _n(2), "2x5xf32"], {}, ["4x5xf32"]),
    (
        "StridedSliceGrad",
        [_n(4, 5), _n(1, 0), _n(2, 5), _n(1, 2), "3xf16"],
        {"shrink_axis_mask": 1},
        ["4x5xf16"],
    ),
    ("StridedSliceGrad", ["2xi64", "1xi64", "1xi64", "1xi64", "2x5xf32"], {}, ["?x?xf32"]),
    ("SearchSorted", ["5xf32", "2x3xf32"], {}, ["2x3xi64"]),
    (
        "SearchSorted",
        ["2x5xi32", "2x3xi32"],
        {"right": True, "dtype": to_xdsl("int32")},
        ["2x3xi32"],
    ),
    ("AsStrided", ["2x6xf32", _n(3, 2), _n(1, 4), _n(2)], {}, ["3x2xf32"]),
    ("AsStrided", ["2x?xi8", "2xi64", "2xi64", "1xi64"], {}, ["?x?xi8"]),
    (
        "ViewCopy",
        ["2x6xf32", _n(3), _n(2), _n(1), "4xf32", _n(3), _n(1), _n(0)],
        {},
        ["2x6xf32"],
    ),
    ("EmbeddingDenseGrad", ["2x3x4xf32", "2x3xi64"], {"num_weights": 7}, ["7x4xf32"]),
    ("DynamicPartition", ["4x5xf32", "4xi32"], {"num_partitions": 2}, ["?x5xf32"] * 2),
    ("DynamicPartition", ["4x5xi8", "4x5xi32"], {}, ["?xi8"]),
    ("DynamicStitch", [["2xi32", "i32"], ["2x3xf32", "3xf32"]], {"N": 2}, ["?x3xf32"]),
    ("UniqueConsecutive", ["2x3xf32"], {}, ["?xf32", "0xi64", "0xi64"]),
    (
        "UniqueConsecutive",
        ["2x3xi32"],
        {"return_idx": True, "return_counts": True, "axis": 1, "out_idx": to_xdsl("int32")},
        ["2x?xi32", "3xi32", "?xi32"],
    ),
]

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("Index", [_X, _BOTH, _NONE, ["2xi64"]], {}, "GX-226"),
    ("Index", [_X, _BOTH, _NONE, ["2xi64", "3xi64"]], {}, "GX-221"),
    ("IndexByTensor", ["4xf16", ["2xi64"]], {"indices_mask": [0, 1]}, "GX-226"),
    ("IndexPutV2", [_X, "2x6xf32", _BOTH, _NONE, ["3xi64", "3xi64"]], {}, "GX-221"),
    ("InplaceIndexAdd", ["4x5xf32", "2xi64", "4x3xf32"], {"axis": 1}, "GX-221"),
    ("InplaceIndexAdd", ["4x5xf32", "2xi64", "4x2xf32"], {"axis": 2}, "GX-222"),
    ("StridedSliceGrad", [_n(4, 5), _n(1), _n(4), _n(2), "3x5xf32"], {}, "GX-221"),
    ("StridedSliceGrad", [_n(4), _n(1, 1), _n(4), _n(2), "2xf32"], {}, "GX-224"),
    ("SearchSorted", ["2x5xf32", "3x3xf32"], {}, "GX-221"),
    ("SearchSorted", ["5xf32", "3xf32"], {"dtype": to_xdsl("int8")}, "GX-225"),
    ("AsStrided", ["2x6xf32", _n(3, 2), _n(4, 4), _n(2)], {}, "GX-221"),
    ("AsStrided", ["2x6xf32", _n(3, 2), _n(1), _n(0)], {}, "GX-224"),
    ("ViewCopy", ["4xf32", _n(3), _n(1), _n(0), "4xf32", _n(2), _n(1), _n(0)], {}, "GX-221"),
    ("EmbeddingDenseGrad", ["2x3x4xf32", "2x2xi64"], {"num_weights": 7}, "GX-221"),
    ("DynamicPartition", ["4x5xf32", "3xi32"], {}, "GX-221"),
    ("DynamicStitch", [["2xi32"], ["3x3xf32"]], {}, "GX-221"),
    ("DynamicStitch", [["2xi32"], ["2x3xf32"]], {"N": 2}, "GX-226"),
    ("UniqueConsecutive", ["2x3xf32"], {"axis": 2}, "GX-222"),
]
