"""Examples of what goes with attention: rotary forms, masked softmax, norms, grouped products."""

from __future__ import annotations

from typing import Any

import numpy as np

Row = tuple[str, list[Any], dict[str, Any], list[str]]
_ROWS = np.array([1, 3], np.int64)

ROWS: list[Row] = [
    (
        "ApplyRotaryPosEmb",
        ["2x3x4x8xf32", "2x3x1x8xf32", "2x3x1x8xf32", "2x3x1x8xf32"],
        {},
        ["2x3x4x8xf32", "2x3x1x8xf32"],
    ),
    (
        "ApplyRotaryPosEmb",
        ["?x3x2x8xf16", "?x3x2x8xf16", "1x3x1x8xf16", "1x3x1x8xf16"],
        {"rotary_mode": "quarter"},
        ["?x3x2x8xf16", "?x3x2x8xf16"],
    ),
    ("InterleaveRope", ["2x3x4x8xf16", "2x1x4x8xf16", "1x1x1x8xf16"], {}, ["2x3x4x8xf16"]),
    ("ScaledMaskedSoftmax", ["2x3x4x5xf16", "2x1x4x5xi1"], {"scale": 0.5}, ["2x3x4x5xf16"]),
    ("ScaledMaskedSoftmax", ["?x4x4xf32"], {"fixed_triu_mask": True}, ["?x4x4xf32"]),
    (
        "MaskedSoftmaxWithRelPosBias",
        ["2x3x4x5x6xf32", "3x5x6xf32", "4x5x6xf32"],
        {"scale_value": 0.5},
        ["2x3x4x5x6xf32"],
    ),
    (
        "MaskedSoftmaxWithRelPosBias",
        ["6x4x5x6xf16", "3x1x5x6xf16", "1x4x5x6xf16"],
        {},
        ["6x4x5x6xf16"],
    ),
    ("MaskedSoftmaxWithRelPosBias", ["6x4x5x6xf16", None, "4x5x6xf16"], {}, ["6x4x5x6xf16"]),
    (
        "AddRmsNormCast",
        ["2x3x4xf16", "2x3x4xf16", "4xf16"],
        {},
        ["2x3x4xf32", "2x3x4xf16", "2x3x1xf32", "2x3x4xf16"],
    ),
    (
        "AddRmsNormQuant",
        ["2x4xf16", "2x4xf16", "4xf16", "4xf32", None, "4xi32"],
        {},
        ["2x4xi8", "2x4xi8", "2x4xf16"],
    ),
    (
        "AddRmsNormQuant",
        ["2x4xf32", "2x4xf32", "4xf32", "4xf32", "4xf32", None, None, "4xf32"],
        {"div_mode": False},
        ["2x4xi8", "2x4xi8", "2x4xf32"],
    ),
    ("RmsNormGrad", ["2x3x4xf16", "2x3x4xf16", "2x3x1xf32", "4xf16"], {}, ["2x3x4xf16", "4xf32"]),
    ("RmsNormGrad", ["2x3x4xf32", "2x3x4xf32", "2xf32", "3x4xf32"], {}, ["2x3x4xf32", "3x4xf32"]),
    ("BatchMatMulV3", ["5x1x2x3xf16", "4x3x4xf16", "4xf32"], {}, ["5x4x2x4xf16"]),
    ("BatchMatMulV3", ["?x3x2xf32", "3x4xf32"], {"adj_x1": True}, ["?x2x4xf32"]),
    ("FullyConnection", ["2x3x1x2xf16", "4x3x1x2xf16", "4xf16"], {"num_output": 4}, ["2x4xf16"]),
    (
        "FullyConnection",
        ["2x3x4xi8", "4x5xi8", "5xi32"],
        {"num_output": 5, "axis": 2, "transpose": True},
        ["2x3x5xi32"],
    ),
    ("GEMM", ["2x3xf16", "3x4xf16", "2x4xf32", "f32", "1xf32"], {}, ["2x4xf32"]),
    ("GEMM", ["3x2xi8", "4x3xi8", "2x4xi32", "i32", "i32"],
     {"transpose_a": True, "transpose_b": True}, ["2x4xi32"]),
    (
        "TransposeBatchMatMul",
        ["2x5x3xf16", "5x3x4xf16"],
        {"perm_x1": [1, 0, 2], "perm_y": [1, 0, 2]},
        ["2x5x4xf16"],
    ),
    (
        "TransposeBatchMatMul",
        ["4x2x3xf16", "4x3x5xf16"],
        {"perm_y": [1, 0, 2], "batch_split_factor": 2},
        ["2x2x10xf16"],
    ),
    ("GroupedMatmul", [["2x3xf16", "4x5xf16"], ["3x6xf16", "5x7xf16"], []], {},
     ["2x6xf16", "4x7xf16"]),
    (
        "GroupedMatmul",
        [["4x3xf32"], ["2x3x5xf32"], ["2x5xf32"], [], [], [], [], _ROWS],
        {"group_type": 0, "split_item": 3},
        ["4x5xf32"],
    ),
    (
        "GroupedMatmul",
        [["4x3xi8"], ["3x5xi8", "3x5xi8"], [], [], [], [], [], _ROWS],
        {"group_type": 0, "split_item": 0, "group_list_type": 1},
        ["1x5xi32", "3x5xi32"],
    ),
    (
        "GroupedMatmul",
        [["4x3xf32"], ["4x5xf32"], [], [], [], [], [], "2xi64"],
        {"group_type": 2, "split_item": 3, "transpose_x": True},
        ["2x3x5xf32"],
    ),
    ("GroupedMatmul", [["2x3xf16", "4x3xf16"], ["3x6xf16", "3x6xf16"], ["6xf16", "6xf16"]],
     {"split_item": 2}, ["6x6xf16"]),
]  # fmt: skip

REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("ApplyRotaryPosEmb", ["2x3x4x7xf32"] * 4, {}, "GX-221"),
    ("ApplyRotaryPosEmb", ["2x3x4x8xf32"] * 4, {"rotary_mode": "third"}, "GX-223"),
    ("InterleaveRope", ["2x3x4x7xf32"] * 3, {}, "GX-221"),
    ("ScaledMaskedSoftmax", ["2x3xf16", "3x3xi1"], {}, "GX-221"),
    ("MaskedSoftmaxWithRelPosBias", ["6x4x5x6xf16", "4x5x6xf16", "4x5x6xf16"], {}, "GX-221"),
    ("AddRmsNormCast", ["2x4xf16", "2x4xf16", "3xf16"], {}, "GX-221"),
    ("AddRmsNormQuant", ["2x4xf16", "2x4xf16", "4xf16", "3xf16"], {}, "GX-221"),
    ("AddRmsNormQuant", ["2x4xf16"] * 2 + ["4xf16"] * 2, {"dst_type": 35}, "GX-223"),
    ("RmsNormGrad", ["2x4xf16", "2x4xf16", "3x1xf32", "4xf16"], {}, "GX-221"),
    ("BatchMatMulV3", ["2x3xf16", "4x3xf16"], {}, "GX-221"),
    ("FullyConnection", ["2x3xf16", "4x2xf16"], {"num_output": 4}, "GX-221"),
    ("FullyConnection", ["2x3xf16", "4x3xf16"], {"num_output": 4, "axis": 0}, "GX-223"),
    ("GEMM", ["2x3xf16", "3x4xf16", "3x4xf16", "f16", "f16"], {}, "GX-221"),
    ("GEMM", ["2x3xf16", "3x4xf16", "2x4xi32", "f16", "f16"], {}, "GX-225"),
    ("TransposeBatchMatMul", ["2x5x3xf16", "5x3x4xf16"], {}, "GX-221"),
    ("TransposeBatchMatMul", ["2x5x3xf16"] * 2, {"perm_x2": [0, 2, 2]}, "GX-223"),
    ("GroupedMatmul", [["2x3xf16"], ["3x6xf16", "5x7xf16"], []], {}, "GX-226"),
    ("GroupedMatmul", [["2x3xf16"], ["4x6xf16"], []], {}, "GX-221"),
    ("GroupedMatmul", [["2x3xf16"], ["3x6xf16"], []], {"group_type": 1}, "GX-223"),
]
