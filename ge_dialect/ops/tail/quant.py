"""Quantisation: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "AscendRequant": {
        "doc": "int32 accumulators to int8 by requant scale.",
        "in": "x: int32; req_scale: uint64",
        "out": "y: int8",
        "attrs": (("relu_flag", "Bool", False),),
    },
    "AscendWeightQuant": {
        "doc": "Applies the offset to quantised weights.",
        "in": "x: int8; offset: int8",
        "out": "y: int4, int8",
        "attrs": (("dst_type", "Int", 2),),
    },
    "Dequantize": {
        "doc": "Framework-style dequantise by range and mode.",
        "in": "x: QuantifiedType; min_range: float32; max_range: float32",
        "out": "y: float32",
        "attrs": (("mode", "String", "MIN_COMBINED"),),
    },
    "DynamicQuantV2": {
        "doc": "DynamicQuant with asymmetric offset output.",
        "in": "x: float16, bfloat16; smooth_scales?: float16, bfloat16; group_index?: int32",
        "out": (
            "y: int4, int8, float8_e4m3fn, float8_e5m2, hifloat8; scale: float32; offset: "
            "float32"
        ),
        "attrs": (
            ("dst_type", "Int", 2), ("is_symmetrical", "Bool", False),
            ("quant_mode", "String", "pertoken"), ("dst_type_max", "Float", 0.0),
        ),
    },
    "FakeQuantWithMinMaxArgs": {
        "doc": "Quantise-dequantise simulation.",
        "in": "x: float32",
        "out": "y: float32",
        "attrs": (
            ("min", "Float", -6.0), ("max", "Float", 6.0), ("num_bits", "Int", 8),
            ("narrow_range", "Bool", False),
        ),
    },
    "QuantBatchMatmul": {
        "doc": "First generation int8 batch matmul with fused dequantisation.",
        "in": "x1: int8; x2: int8; bias: int32; deq_scale: uint64",
        "out": "y: float16",
        "attrs": (("adj_x1", "Bool", False), ("adj_x2", "Bool", False)),
    },
    "QuantBatchMatmulV3": {
        "doc": "int8/int4/fp8 matmul with scale, offset, bias and per-token scale fused.",
        "in": (
            "x1: int4, int8, float4_e2m1, float8_e4m3fn, float8_e5m2, hifloat8; x2: int4, "
            "int8, float4_e2m1, float8_e4m3fn, float8_e5m2, hifloat8; scale: bfloat16, "
            "float32, int64, uint64, float8_e8m0; offset?: float32; bias?: FLOAT, int32; "
            "pertoken_scale?: float32, float8_e8m0"
        ),
        "out": "y: FLOAT, int8, int32",
        "attrs": (
            ("dtype", "Int"), ("transpose_x1", "Bool", False), ("transpose_x2", "Bool", False),
            ("group_size", "Int", 0),
        ),
    },
    "Quantize": {
        "doc": "Framework-style quantise by axis, scales and zero points.",
        "in": (
            "x: FLOAT; scales: bfloat16, float32; zero_points?: bfloat16, float32, int8, "
            "int32, uint8"
        ),
        "out": "y: int8, int32, uint8, float8_e4m3fn, float8_e5m2, hifloat8",
        "attrs": (("dtype", "String"), ("axis", "Int", 1)),
    },
    "TransQuantParamV2": {
        "doc": "Packs float scale and offset into the uint64 hardware form.",
        "in": "scale: float32; offset?: float32",
        "out": "y: uint64",
        "attrs": (("round_mode", "Int", 0),),
    },
    "WeightQuantBatchMatmulV2": {
        "doc": "Float activation times low-bit weight with anti-quantisation fused.",
        "in": (
            "x: float16, bfloat16; weight: int4, int8, int32, float4_e2m1, float8_e4m3fn, "
            "hifloat8; antiquant_scale: float16, bfloat16, int64, uint64, float8_e8m0; "
            "antiquant_offset?: float16, bfloat16, int32; quant_scale?: float32, uint64; "
            "quant_offset?: float32; bias?: FLOAT"
        ),
        "out": "y: float16, bfloat16, int8",
        "attrs": (
            ("transpose_x", "Bool", False), ("transpose_weight", "Bool", False),
            ("antiquant_group_size", "Int", 0), ("dtype", "Int", -1), ("inner_precise", "Int", 0),
        ),
    },
}
# fmt: on
