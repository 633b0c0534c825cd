"""Examples of communication. Integers: whether a number of ranks fits, only a run can say."""

from __future__ import annotations

from typing import Any

import numpy as np

from ge_dialect.dtypes import to_xdsl

Row = tuple[str, list[Any], dict[str, Any], list[str]]
_G = {"group": "hccl_world_group"}
_SUM = {**_G, "reduction": "sum"}
_ONE, _TWO = {**_G, "rank_size": 1}, {**_G, "rank_size": 2}

_RECEIVED = {**_G, "sr_tag": 0, "src_rank": 1, "dtype": to_xdsl("int32")}


def _n(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


ROWS: list[Row] = [
    ("HcomAllReduce", ["2x?xf16"], _SUM, ["2x?xf16"]),
    ("HcomAllReduce", ["i32"], {**_G, "reduction": "max"}, ["i32"]),
    ("HcomReduce", ["2x3xi32"], {**_SUM, "root_rank": 0}, ["2x3xi32"]),
    ("HcomAllGather", ["2x3xi32"], _ONE, ["2x3xi32"]),
    ("HcomAllGather", ["2x?xi8"], _TWO, ["4x?xi8"]),
    ("HcomReduceScatter", ["4x3xi32"], {**_SUM, "rank_size": 2}, ["2x3xi32"]),
    ("HcomReduceScatter", ["?x3xi32"], {**_SUM, "rank_size": 1}, ["?x3xi32"]),
    ("HcomAllToAll", ["4x3xi32"], _TWO, ["4x3xi32"]),
    ("HcomBroadcast", [["2x3xf32", "i32"]], {**_G, "root_rank": 0}, ["2x3xf32", "i32"]),
    ("HcomSend", ["2x3xi32"], {**_G, "sr_tag": 0, "dest_rank": 1}, []),
    ("HcomReceive", [], {**_RECEIVED, "shape": [2, 3]}, ["2x3xi32"]),
    ("HcomAllToAllV", ["6xi32", _n(4), _n(1), _n(4), _n(2)], _G, ["6xi32"]),
    ("HcomAllToAllV", ["6xi32", *["2xi64"] * 4], _G, ["?xi32"]),
    ("HcomAllToAllVC", ["6xi32", np.array([[4]])], {**_G, "rank": 0}, ["4xi32"]),
    ("HcomAllToAllVC", ["6xi32", "2x2xi64"], {**_G, "rank": 1}, ["?xi32"]),
    ("HcomAllGatherV", ["2x3xi32", _n(5), _n(5)], _G, ["5xi32"]),
    ("HcomAllGatherV", ["2x3xi32", "1xi64", _n(5, 2), _n(3, 0)], _G, ["8xi32"]),
    ("HcomReduceScatterV", ["2x3xi32", _n(4), _n(4), _n(2)], _SUM, ["4xi32"]),
    ("MatmulAllReduce", ["2x3xf16", "3x4xf16", "4xf16", "2x4xf16"], _G, ["2x4xf16"]),
    ("MatmulAllReduce", ["5x2x3xbf16", "4x3xbf16"], {**_G, "is_trans_b": True}, ["5x2x4xbf16"]),
    ("AllGatherMatmul", ["2x3xf16", "3x4xf16"], _ONE, ["2x4xf16", "2x3xf16"]),
    (
        "AllGatherMatmul",
        ["?x3xf16", "3x4xf16", "4xf16"],
        {**_TWO, "is_gather_out": False},
        ["?x4xf16", "0xf16"],
    ),
    ("MatmulReduceScatter", ["4x3xf32", "3x4xf32"], _ONE, ["4x4xf32"]),
    ("MatmulReduceScatter", ["4x3xf16", "3x4xf16", "4xf16"], _G, ["?x4xf16"]),
]

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("HcomAllReduce", ["2xf16"], {**_G, "reduction": "avg"}, "GX-223"),
    ("HcomAllGather", ["f16"], _TWO, "GX-220"),
    ("HcomAllGather", ["2xf16"], {**_G, "rank_size": 0}, "GX-223"),
    ("HcomReduceScatter", ["3xf16"], {**_SUM, "rank_size": 2}, "GX-221"),
    ("HcomAllToAll", ["3xf16"], _TWO, "GX-221"),
    ("HcomSend", ["3xf16"], {**_G, "sr_tag": 0, "dest_rank": -1}, "GX-223"),
    ("HcomReceive", [], {**_RECEIVED, "shape": [-1]}, "GX-223"),
    ("HcomAllToAllV", ["6xi32", _n(4), _n(1), _n(4), _n(2, 1)], _G, "GX-224"),
    ("HcomAllToAllVC", ["6xi32", "2x2xi64"], {**_G, "rank": 2}, "GX-223"),
    ("HcomAllGatherV", ["6xi32", _n(5), _n(-1)], _G, "GX-223"),
    ("HcomReduceScatterV", ["6xi32", _n(1, 2), _n(1)], _SUM, "GX-221"),
    ("MatmulAllReduce", ["2x3xf16", "4x4xf16"], _G, "GX-221"),
    ("MatmulAllReduce", ["2x3xf16", "3x4xbf16"], _G, "GX-225"),
    ("AllGatherMatmul", ["2x3xf16", "3x4xf16"], {**_TWO, "gather_index": 1}, "GX-223"),
    ("MatmulReduceScatter", ["3x3xf16", "3x4xf16"], _TWO, "GX-221"),
]
