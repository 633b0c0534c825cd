"""Examples of fused attention."""

from __future__ import annotations

from typing import Any

Row = tuple[str, list[Any], dict[str, Any], list[str]]
_BSH = {"head_num": 2, "input_layout": "BSH"}
_TWO = {"num_heads": 2, "num_key_value_heads": 2}


ROWS: list[Row] = [
    (
        "FlashAttentionScore",
        ["2x3x8xf32", "2x5x4xf32", "2x5x4xf32", None, None, None, "3x5xi1"],
        {**_BSH, "scale_value": 0.5},
        ["2x2x3x8xf32", "2x2x3x8xf32", "0x0x0x0xf32", "2x3x8xf32"],
    ),
    (
        "FlashAttentionScore",
        ["2x4x3x8xf16", "2x2x5x8xf16", "2x2x5x6xf16", "2x4x3x5xf16", None, None, "3x5xui8"],
        {"head_num": 4, "input_layout": "BNSD", "pse_type": 0, "sparse_mode": 3},
        ["2x4x3x8xf32", "2x4x3x8xf32", "0x0x0x0xf16", "2x4x3x6xf16"],
    ),
    (
        "FlashAttentionScore",
        ["?x3x2x8xbf16", "?x5x2x8xbf16", "?x5x2x8xbf16", None, None, None, "1x1x3x5xi1"],
        {"head_num": 2, "input_layout": "BSND"},
        ["?x2x3x8xf32", "?x2x3x8xf32", "0x0x0x0xbf16", "?x3x2x8xbf16"],
    ),
    (
        "PromptFlashAttention",
        ["2x3x8xf16", "2x5x8xf16", "2x5x8xf16", None, "2x3x5xi1"],
        _TWO,
        ["2x3x8xf16"],
    ),
    (
        "PromptFlashAttention",
        ["2x4x3x8xf32", "2x2x5x8xf32", "2x2x5x8xf32", "2x4x3x5xf32", "3x5xi1"],
        {"num_heads": 4, "num_key_value_heads": 2, "input_layout": "BNSD_BSND"},
        ["2x3x4x8xf32"],
    ),
    (
        "IncreFlashAttention",
        ["2x1x8xf16", ["2x5x8xf16"], ["2x5x8xf16"], None, "2x5xi1"],
        _TWO,
        ["2x1x8xf16"],
    ),
    (
        "IncreFlashAttention",
        ["2x2x1x4xf32", ["1x2x5x4xf32", "1x2x3x4xf32"], ["1x2x5x4xf32", "1x2x3x4xf32"], None,
         None, "2xi64"],
        {**_TWO, "input_layout": "BNSD"},
        ["2x2x1x4xf32"],
    ),
    (
        "IncreFlashAttention",
        ["2x1x8xf16", ["4x16x8xf16"], ["4x16x8xf16"], None, None, "2xi64", *[None] * 7, "2x3xi32"],
        {**_TWO, "block_size": 16},
        ["2x1x8xf16"],
    ),
    (
        "FusedInferAttentionScore",
        ["2x3x8xf16", ["2x5x8xf16"], ["2x5x8xf16"], None, "2x1x3x5xi1"],
        {"num_heads": 2, "softmax_lse_flag": True},
        ["2x3x8xf16", "2x2x3x1xf32"],
    ),
    (
        "FusedInferAttentionScore",
        ["?x4x3x8xf16", ["?x2x5x8xf16"], ["?x2x5x6xf16"], None, "3x5xui8"],
        {"num_heads": 4, "num_key_value_heads": 2, "input_layout": "BNSD", "sparse_mode": 4,
         "pre_tokens": 1, "next_tokens": 1},
        ["?x4x3x6xf16", "0xf32"],
    ),
]  # fmt: skip

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("FlashAttentionScore", ["2x3x9xf32"] * 3, _BSH, "GX-221"),
    ("FlashAttentionScore", ["2x3x8xf32"] * 3, {**_BSH, "input_layout": "SBN"}, "GX-223"),
    ("FlashAttentionScore", ["2x3x8xf32"] * 3, {**_BSH, "sparse_mode": 2}, "GX-223"),
    ("FlashAttentionScore", ["2x3x8xf32"] * 3, {**_BSH, "keep_prob": 0.0}, "GX-223"),
    ("FlashAttentionScore", ["2x3x8xf32", "2x5x8xf32", "2x4x8xf32"], _BSH, "GX-221"),
    (
        "FlashAttentionScore",
        ["2x3x8xf32", "2x5x8xf32", "2x5x8xf32", None, None, None, "3x4xi1"],
        _BSH,
        "GX-221",
    ),
    (
        "FlashAttentionScore",
        ["6x2x4xf32"] * 3,
        {"head_num": 2, "input_layout": "TND"},
        "GX-223",
    ),
    ("PromptFlashAttention", ["2x3x8xf16"] * 3, {"num_heads": 3}, "GX-221"),
    ("PromptFlashAttention", ["2x3x8xf16"] * 3, {**_TWO, "num_key_value_heads": 3}, "GX-221"),
    ("IncreFlashAttention", ["2x2x8xf16", ["2x5x8xf16"], ["2x5x8xf16"]], _TWO, "GX-221"),
    ("FusedInferAttentionScore", ["2x8xf16", ["2x5x8xf16"], ["2x5x8xf16"]], _TWO, "GX-220"),
    ("FusedInferAttentionScore", ["2x3x8xf16", [], []], _TWO, "GX-226"),
]
