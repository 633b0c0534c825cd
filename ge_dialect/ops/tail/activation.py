"""Activations: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "DequantSwigluQuant": {
        "doc": "Dequantise, SwiGlu and quantise in one kernel.",
        "in": (
            "x: float16, bfloat16, int32; weight_scale?: float32; activation_scale?: float32;"
            " bias?: FLOAT, int32; quant_scale?: FLOAT; quant_offset?: FLOAT; group_index?: "
            "IndexNumberType"
        ),
        "out": (
            "y: int8, float4_e1m2, float4_e2m1, float8_e4m3fn, float8_e5m2, hifloat8; scale: "
            "float32"
        ),
        "attrs": (
            ("activate_left", "Bool", False), ("quant_mode", "String", "static"),
            ("dst_type", "Int", 2), ("round_mode", "String", "rint"), ("activate_dim", "Int", -1),
            ("swiglu_mode", "Int", 0), ("clamp_limit", "Float", 7.0),
            ("glu_alpha", "Float", 1.702), ("glu_bias", "Float", 1.0),
        ),
    },
}
# fmt: on
