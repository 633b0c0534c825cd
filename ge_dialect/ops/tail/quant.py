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
}
# fmt: on
