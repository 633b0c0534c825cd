"""Matrix products: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "BatchMatMulV3": {
        "doc": "BatchMatMul of the Ascend C generation.",
        "in": "x1: FLOAT; x2: FLOAT; bias?: FLOAT; offset_w?: int4, int8",
        "out": "y: FLOAT",
        "attrs": (
            ("adj_x1", "Bool", False), ("adj_x2", "Bool", False), ("offset_x", "Int", 0),
            ("enable_hf32", "Bool", False),
        ),
    },
    "FullyConnection": {
        "doc": "Flattens x from `axis` and multiplies by w, optional bias.",
        "in": (
            "x: FLOAT, int4, int8; w: FLOAT, int4, int8; b?: FLOAT, int32; offset_w?: int4, "
            "int8"
        ),
        "out": "y: FLOAT, int32",
        "attrs": (
            ("num_output", "Int"), ("transpose", "Bool", False), ("axis", "Int", 1),
            ("offset_x", "Int", 0),
        ),
    },
    "GEMM": {
        "doc": "alpha*A*B + beta*C.",
        "in": (
            "a: float16, float32, int8, int32; b: float16, float32, int8, int32; c: float16, "
            "float32, int8, int32; alpha: float16, float32, int8, int32; beta: float16, "
            "float32, int8, int32"
        ),
        "out": "y: float16, float32, int8, int32",
        "attrs": (("transpose_a", "Bool", False), ("transpose_b", "Bool", False)),
    },
    "GroupedMatmul": {
        "doc": "Many matmuls in one launch, split by lists or by group_list rows.",
        "in": (
            "x*: FLOAT, int8; weight*: FLOAT, int8; bias*: float16, float32, int32; scale*: "
            "bfloat16, uint64; offset*: float32; antiquant_scale*: float16, bfloat16; "
            "antiquant_offset*: float16, bfloat16; group_list?: int64; per_token_scale?: "
            "float32"
        ),
        "out": "y*: FLOAT, int8",
        "attrs": (
            ("split_item", "Int", 0), ("dtype", "Int", 0), ("transpose_weight", "Bool", False),
            ("transpose_x", "Bool", False), ("group_type", "Int", -1),
            ("group_list_type", "Int", 0), ("act_type", "Int", 0),
        ),
    },
    "TransposeBatchMatMul": {
        "doc": "Batched product with input and output permutations fused.",
        "in": "x1: FLOAT; x2: FLOAT; bias?: FLOAT; scale?: int64, uint64",
        "out": "y: FLOAT, int8",
        "attrs": (
            ("perm_x1", "ListInt", []), ("perm_x2", "ListInt", []), ("perm_y", "ListInt", []),
            ("enable_hf32", "Bool", False), ("batch_split_factor", "Int", 1),
        ),
    },
}
# fmt: on
