"""Examples of block moves, rotations, extremes with values, segments, dropout and integers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ge_dialect.dtypes import to_xdsl


def _ints(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


def _one(value: int, dtype: Any = np.int64) -> np.ndarray:
    return np.array(value, dtype)


_PAIRS = np.array([[1, 0], [2, 1]])
_NCHW = {"data_format": "NCHW"}

#: Operator, inputs, attributes, result types.
ROWS: list[tuple[str, list[Any], dict[str, Any], list[str]]] = [
    ("DepthToSpace", ["1x2x3x8xf32"], {"block_size": 2}, ["1x4x6x2xf32"]),
    ("DepthToSpace", ["?x8x2x?xf16"], {"block_size": 2, "mode": "CRD", **_NCHW}, ["?x2x4x?xf16"]),
    ("SpaceToDepth", ["1x4x6x2xf32"], {"block_size": 2}, ["1x2x3x8xf32"]),
    ("SpaceToDepth", ["?x2x4x?xi8"], {"block_size": 2, **_NCHW}, ["?x8x2x?xi8"]),
    ("Roll", ["2x3xf32"], {"shifts": [4]}, ["2x3xf32"]),
    ("Roll", ["2x?xf32"], {"shifts": [1, -1], "dims": [0, -1]}, ["2x?xf32"]),
    ("MirrorPad", ["2x3xf32", _PAIRS], {"mode": "REFLECT"}, ["3x6xf32"]),
    ("MirrorPad", ["2x?xf32", "2x2xi32"], {"mode": "SYMMETRIC"}, ["?x?xf32"]),
    ("TensorMove", ["2x?xf32"], {}, ["2x?xf32"]),
    ("SplitVD", ["2x6xf32"], {"size_splits": [1, -1], "split_dim": 1, "num_split": 2},
     ["2x1xf32", "2x5xf32"]),
    ("ArgMaxWithValue", ["2x3x4xf32"], {"dimension": 1}, ["2x4xi32", "2x4xf32"]),
    ("ArgMinWithValue", ["2x?xf16"],
     {"dimension": -1, "keep_dims": True, "indice_dtype": to_xdsl("int64")},
     ["2x1xi64", "2x1xf16"]),
    ("ScatterUpdate", ["&4x3xf32", "2xi64", "2x3xf32"], {}, ["&4x3xf32"]),
    ("UnsortedSegmentSum", ["4x3xf32", "4xi64", _one(2)], {}, ["2x3xf32"]),
    ("UnsortedSegmentSum", ["4x3xf32", "4x3xi32", "i32"], {}, ["?xf32"]),
    ("ReduceLogSumExp", ["2x3x4xf32", _ints(0, -1)], {}, ["3xf32"]),
    ("ReduceLogSumExp", ["2x3xf16", "1xi64"], {"keep_dims": True}, ["?x?xf16"]),
    ("Atan2", ["2x1xf32", "3xf32"], {}, ["2x3xf32"]),
    ("RandomUniformInt", [_ints(2, 3), _one(0), _one(9)], {}, ["2x3xi64"]),
    ("RandomUniformInt", ["2xi64", _one(-5, np.int32), _one(7, np.int32)], {}, ["?x?xi32"]),
    ("DropOutGenMask", [_ints(10, 13), "f32"], {}, ["32xui8"]),
    ("DropOutGenMask", ["2xi64", "1xf16"], {}, ["?xui8"]),
    ("DropOutDoMask", ["10x13xf32", "32xui8", "f32"], {}, ["10x13xf32"]),
    ("DropOutDoMask", ["?x13xf16", "?xui8", "f16"], {}, ["?x13xf16"]),
    ("DropOutDoMaskV3D", ["10x13xf32", "32xui8"], {"keep_prob": 0.5}, ["10x13xf32"]),
    ("DropOutDoMaskV3D", ["?x13xbf16", "?xui8"], {"keep_prob": 1.0}, ["?x13xbf16"]),
    ("DropOutDoMaskV3D", ["10x13xf16", "256xui8"], {"keep_prob": 0.5}, ["10x13xf16"]),
    ("DropOutDoMaskV3D", ["10x13xf16", "256xi1"], {"keep_prob": 0.5}, ["10x13xf16"]),
    ("Dropout", ["?x13xf32"], {"dropout_ratio": 0.25}, ["?x13xf32"]),
    ("DropOut", ["2x3xf32"], {"scale_train": False}, ["2x3xf32"]),
]  # fmt: skip

#: Operator, inputs, attributes, code of the refusal.
REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("DepthToSpace", ["1x2x3x6xf32"], {"block_size": 2}, "GX-221"),
    ("DepthToSpace", ["1x2x3x8xf32"], {"block_size": 0}, "GX-223"),
    ("DepthToSpace", ["1x2x3x8xf32"], {"block_size": 2, "mode": "RCD"}, "GX-223"),
    ("SpaceToDepth", ["1x3x6x2xf32"], {"block_size": 2}, "GX-221"),
    ("SpaceToDepth", ["3x6x2xf32"], {"block_size": 2}, "GX-220"),
    ("Roll", ["2x3xf32"], {"shifts": [1, 2]}, "GX-224"),
    ("Roll", ["2x3xf32"], {"shifts": [1], "dims": [2]}, "GX-222"),
    ("MirrorPad", ["2x3xf32", np.array([[2, 0], [0, 0]])], {"mode": "REFLECT"}, "GX-221"),
    ("MirrorPad", ["2x3xf32", np.array([[1, 0]])], {"mode": "REFLECT"}, "GX-224"),
    ("MirrorPad", ["2x3xf32", _PAIRS], {"mode": "EDGE"}, "GX-223"),
    ("SplitVD", ["6xf32"], {"size_splits": [1, 4], "split_dim": 0, "num_split": 2}, "GX-221"),
    ("SplitVD", ["6xf32"], {"size_splits": [1, 5], "split_dim": 0, "num_split": 3}, "GX-224"),
    ("ArgMaxWithValue", ["2x0xf32"], {"dimension": 1}, "GX-227"),
    ("ScatterUpdate", ["&4x3xf32", "2xi64", "2x4xf32"], {}, "GX-221"),
    ("UnsortedSegmentSum", ["4x3xf32", "3xi64", _one(2)], {}, "GX-221"),
    ("UnsortedSegmentSum", ["4x3xf32", "4xi64", _one(-2)], {}, "GX-223"),
    ("ReduceLogSumExp", ["2x3xf32", _ints(2)], {}, "GX-222"),
    ("Atan2", ["2xf32", "3xf32"], {}, "GX-221"),
    ("RandomUniformInt", [_ints(2, 3), _one(9), _one(9)], {}, "GX-223"),
    ("DropOutGenMask", [_ints(2, 3), "2xf32"], {}, "GX-221"),
    ("DropOutDoMask", ["10x13xf32", "16xui8", "f32"], {}, "GX-221"),
    ("DropOutDoMaskV3D", ["10x13xf32", "16xui8"], {"keep_prob": 0.5}, "GX-221"),
    ("DropOutDoMaskV3D", ["10x13xf32", "32xi1"], {"keep_prob": 0.5}, "GX-221"),
    ("DropOutDoMaskV3D", ["10x13xf32", "32xui8"], {"keep_prob": 0.0}, "GX-223"),
    ("Dropout", ["2x3xf32"], {"dropout_ratio": 1.5}, "GX-223"),
    ("Dropout", ["2x3xf32"], {"alpha": 2.0}, "GX-223"),
    ("DropOut", ["2x3xf32"], {"beta": 1.0}, "GX-223"),
]  # fmt: skip
