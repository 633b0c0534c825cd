"""Examples of routing to experts."""

from __future__ import annotations

from typing import Any

Row = tuple[str, list[Any], dict[str, Any], list[str]]
_MIX = ["6x4xf32", "3x4xf32", None, "5x4xf32", "3x2xf32", "6xi32", "3x2xi32"]

ROWS: list[Row] = [
    ("MoeGatingTopK", ["3x8xf32"], {"k": 2}, ["3x2xf32", "3x2xi32", "3x8xf32"]),
    (
        "MoeGatingTopK",
        ["?x8xf16", "8xf16"],
        {"k": 3, "group_count": 2, "k_group": 1, "norm_type": 1, "group_select_mode": 1},
        ["?x3xf16", "?x3xi32", "?x8xf32"],
    ),
    ("MoeGatingTopKSoftmax", ["3x8xf32"], {"k": 2}, ["3x2xf32", "3x2xi32", "3x2xi32"]),
    (
        "MoeGatingTopKSoftmax",
        ["2x3x8xf16", "2x3xi1"],
        {"k": 8},
        ["2x3x8xf16", "2x3x8xi32", "2x3x8xi32"],
    ),
    (
        "MoeGatingTopKSoftmaxV2",
        ["3x8xbf16", "3xi1"],
        {"k": 2, "renorm": 1},
        ["3x2xbf16", "3x2xi32", "3x8xf32"],
    ),
    (
        "MoeGatingTopKSoftmaxV2",
        ["3x8xf32"],
        {"k": 2, "output_softmax_result_flag": True},
        ["3x2xf32", "3x2xi32", "3x8xf32"],
    ),
    (
        "MoeInitRouting",
        ["3x4xf32", "3x2xi32", "3x2xi32"],
        {"active_num": 3},
        ["6x4xf32", "6xi32", "6xi32"],
    ),
    (
        "MoeInitRouting",
        ["3x?xf16", "3x2xi32", "3x2xi32"],
        {"active_num": 1},
        ["2x?xf16", "6xi32", "6xi32"],
    ),
    ("MoeFinalizeRouting", _MIX, {}, ["3x4xf32"]),
    ("MoeFinalizeRouting", ["6x4xf32", "3x4xf32", "3x4xf32", *_MIX[3:]], {}, ["3x4xf32"]),
    ("MoeFinalizeRoutingV2", ["3x4xf16", "3xi32"], {}, ["3x4xf16"]),
    (
        "MoeFinalizeRoutingV2",
        ["2x3x4xf16", "6xi32", None, None, None, "3x2xf32"],
        {"drop_pad_mode": 3},
        ["3x4xf16"],
    ),
    ("MoeComputeExpertTokens", ["7xi32"], {"num_experts": 4}, ["4xi32"]),
]

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("MoeGatingTopK", ["3x8xf32"], {"k": 9}, "GX-223"),
    ("MoeGatingTopK", ["3x8xf32"], {"k": 2, "group_count": 3}, "GX-221"),
    ("MoeGatingTopK", ["3x8xf32"], {"k": 5, "group_count": 2}, "GX-223"),
    ("MoeGatingTopK", ["3x8xf32"], {"k": 2, "renorm": 1}, "GX-223"),
    ("MoeGatingTopK", ["3x8xf32", "7xf32"], {"k": 2}, "GX-221"),
    ("MoeGatingTopKSoftmax", ["8xf32"], {"k": 2}, "GX-220"),
    ("MoeGatingTopKSoftmax", ["3x8xf32", "2xi1"], {"k": 2}, "GX-221"),
    ("MoeGatingTopKSoftmaxV2", ["3x8xf32"], {"k": 2, "renorm": 2}, "GX-223"),
    ("MoeInitRouting", ["3x4xf32", "3x2xi32", "2x2xi32"], {"active_num": 3}, "GX-221"),
    ("MoeInitRouting", ["3x4xf32", "3x2xi32", "3x2xi32"], {"active_num": -1}, "GX-223"),
    ("MoeFinalizeRouting", ["6x4xf32", "3x5xf32", *_MIX[2:]], {}, "GX-221"),
    ("MoeFinalizeRoutingV2", ["3x4xf16", "3xi32"], {"drop_pad_mode": 4}, "GX-223"),
    ("MoeFinalizeRoutingV2", ["3x4xf16", "3xi32", None, None, "2x4xf16"], {}, "GX-226"),
    ("MoeComputeExpertTokens", ["7x1xi32"], {"num_experts": 4}, "GX-220"),
]
