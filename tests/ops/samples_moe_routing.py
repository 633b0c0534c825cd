"""Examples of routing to a range of experts."""

from __future__ import annotations

from typing import Any

Row = tuple[str, list[Any], dict[str, Any], list[str]]
_OP = "MoeInitRoutingV3"
_X = ["3x4xf32", "3x2xi32", None, None]
_ALL = {"expert_num": 5}
_PAD = {"expert_num": 5, "expert_capacity": 2, "drop_pad_mode": 1, "expert_tokens_num_type": 1}
_STATIC = ["3x4xf16", "3x2xi32", "1xf32", "1xf32"]

ROWS: list[Row] = [
    (_OP, _X, _ALL, ["6x4xf32", "6xi32", "5xi64", "6xf32"]),
    (
        _OP,
        ["?x4xf16", "3x?xi32", "3xf32", None],
        {"active_expert_range": [2, 4], "active_num": 4, "row_idx_type": 1},
        ["?x4xf16", "?xi32", "2xi64", "?xf32"],
    ),
    (
        _OP,
        ["3x4xbf16", "3x2xi32", "2x4xf32", None],
        {
            "expert_num": 5,
            "active_expert_range": [1, 3],
            "quant_mode": 1,
            "expert_tokens_num_type": 2,
            "expert_tokens_num_flag": True,
            "active_num": 5,
        },
        ["5x4xi8", "6xi32", "5x2xi64", "5xf32"],
    ),
    (_OP, _STATIC, {**_ALL, "quant_mode": 0}, ["6x4xi8", "6xi32", "5xi64", "6xf32"]),
    (_OP, _X, _PAD, ["5x2x4xf32", "6xi32", "5xi64", "10xf32"]),
    (
        _OP,
        ["?x?xf32", "?x?xi32", "1x4xf32", None],
        {**_PAD, "quant_mode": 1, "expert_tokens_num_flag": True},
        ["5x2x4xi8", "?xi32", "5xi64", "10xf32"],
    ),
    (_OP, ["3x4xi8", "3x2xi32", None, None], _ALL, ["6x4xi8", "6xi32", "5xi64", "6xf32"]),
]

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    (_OP, ["3x4x1xf32", "3x2xi32", None, None], _ALL, "GX-220"),
    (_OP, ["4x4xf32", "3x2xi32", None, None], _ALL, "GX-221"),
    (_OP, _X, {}, "GX-223"),
    (_OP, _X, {**_ALL, "active_expert_range": [2]}, "GX-224"),
    (_OP, _X, {**_ALL, "active_expert_range": [2, 6]}, "GX-223"),
    (_OP, _X, {**_ALL, "active_expert_range": [2, 2]}, "GX-223"),
    (_OP, _X, {**_ALL, "quant_mode": 2}, "GX-223"),
    (_OP, _X, {**_ALL, "drop_pad_mode": 2}, "GX-223"),
    (_OP, _X, {**_PAD, "expert_capacity": 0}, "GX-223"),
    (_OP, _X, {**_PAD, "row_idx_type": 1}, "GX-223"),
    (_OP, _X, {**_PAD, "expert_tokens_num_type": 0}, "GX-223"),
    (_OP, _X, {**_PAD, "active_expert_range": [0, 4]}, "GX-223"),
    (_OP, ["3x4xi8", *_X[1:]], {**_ALL, "quant_mode": 1}, "GX-225"),
    (_OP, _X, {**_ALL, "quant_mode": 0}, "GX-226"),
    (_OP, _STATIC, _ALL, "GX-226"),
    (_OP, [*_STATIC[:2], "2xf32", "1xf32"], {**_ALL, "quant_mode": 0}, "GX-221"),
    (_OP, [*_X[:2], "2xf32", None], _ALL, "GX-221"),
    (_OP, [*_X[:2], "4x4xf32", None], {**_ALL, "quant_mode": 1}, "GX-221"),
    (_OP, [*_X[:2], "5x3xf32", None], {**_ALL, "quant_mode": 1}, "GX-221"),
]
