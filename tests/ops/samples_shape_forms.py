"""Examples of shapes as values, further changes of shape, and operators that hand on."""

from __future__ import annotations

from typing import Any

import numpy as np

Row = tuple[str, list[Any], dict[str, Any], list[str]]


def _n(*values: int, dtype: Any = np.int64) -> np.ndarray:
    return np.array(values, dtype)


_AXIS = np.array(1, np.int32)
ROWS: list[Row] = [
    ("ShapeN", [["2x?xf32", "f16", "*xi8"]], {}, ["2xi32", "0xi32", "?xi32"]),
    ("ShapeN", [["2x3xf32"]], {"dtype": 9}, ["2xi64"]),
    ("GatherShapes", [["2x?xf32", "3xf16"]], {"axes": [[0, 1], [1, 0]]}, ["2xi32"]),
    ("BroadcastArgs", [_n(2, 1), _n(3)], {}, ["2xi64"]),
    ("BroadcastArgs", ["2xi32", "3xi32"], {}, ["3xi32"]),
    ("BroadcastGradientArgs", [_n(2, 1, 1), _n(3, 1)], {}, ["2xi64", "2xi64"]),
    ("BroadcastGradientArgs", ["2xi32", "3xi32"], {}, ["?xi32", "?xi32"]),
    ("ConcatOffset", [_AXIS, ["3xi32", "3xi32"]], {"N": 2}, ["3xi32", "3xi32"]),
    ("FlattenV2", ["2x3x4xf32"], {}, ["2x12xf32"]),
    ("FlattenV2", ["2x?x4x5xf16"], {"axis": 1, "end_axis": 2}, ["2x?x5xf16"]),
    ("FlattenV2", ["f32"], {"axis": 0}, ["1xf32"]),
    ("Permute", ["2x?x4xf32"], {"order": [2, 0, 1]}, ["4x2x?xf32"]),
    ("SqueezeV2", ["1x3x1xf32"], {"axis": [0, -1]}, ["3xf32"]),
    ("SqueezeV2", ["1x3x1xf32"], {}, ["3xf32"]),
    ("UnsqueezeV2", ["3x?xf32"], {"axis": [0, 2]}, ["1x3x1x?xf32"]),
    ("TransShape", ["2x6xf32"], {"outShape": [3, 4]}, ["3x4xf32"]),
    ("ReFormat", ["2x?xf32"], {}, ["2x?xf32"]),
    ("IdentityN", [["2x?xf32", "i8"]], {}, ["2x?xf32", "i8"]),
    *((op, ["2x?xf16"], {}, ["2x?xf16"]) for op in (
        "StopGradient", "PreventGradient", "GuaranteeConst", "PlaceholderWithDefault",
        "PlaceHolder", "End", "MemcpyAsync", "MemcpyAddrAsync",
    )),
    ("RefIdentity", ["&2x3xf32"], {}, ["&2x3xf32"]),
    ("PhonyConcat", [["2x3xf32", "2x?xf32"]], {"concat_dim": [1], "N": [2]}, ["2x?xf32"]),
    ("PhonyConcat", [["2x3xi8", "1x3xi8"]], {"concat_dim": [-2], "N": [2]}, ["3x3xi8"]),
    ("PhonySplit", ["2x6xf32"], {"split_dim": [1], "num_split": [3]}, ["2x2xf32"] * 3),
]  # fmt: skip

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("ShapeN", [["2xf32"]], {"dtype": 1}, "GX-223"),
    ("GatherShapes", [["2xf32"]], {"axes": [[1, 0]]}, "GX-223"),
    ("GatherShapes", [["2xf32"]], {"axes": [[0, 1]]}, "GX-222"),
    ("BroadcastArgs", [_n(2), _n(3)], {}, "GX-221"),
    ("BroadcastGradientArgs", [_n(2), _n(3)], {}, "GX-221"),
    ("ConcatOffset", [_AXIS, ["3xi32"]], {"N": 2}, "GX-226"),
    ("ConcatOffset", [_AXIS, ["1xi32"]], {"N": 1}, "GX-222"),
    ("FlattenV2", ["2x3xf32"], {"axis": 1, "end_axis": 0}, "GX-223"),
    ("Permute", ["2x3xf32"], {"order": [0, 0]}, "GX-222"),
    ("SqueezeV2", ["2x3xf32"], {"axis": [0]}, "GX-221"),
    ("UnsqueezeV2", ["2x3xf32"], {"axis": [0, 0]}, "GX-222"),
    ("TransShape", ["2x3xf32"], {"outShape": [4]}, "GX-221"),
    ("PhonyConcat", [["2x3xf32", "3x3xf32"]], {"concat_dim": [1], "N": [2]}, "GX-221"),
    ("PhonyConcat", [["2x3xf32"]], {"concat_dim": [1], "N": [2]}, "GX-226"),
    ("PhonySplit", ["2x5xf32"], {"split_dim": [1], "num_split": [3]}, "GX-221"),
]
