"""Convolutions: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "Conv2DV2": {
        "doc": "Conv2D of the Ascend C generation with pad_mode and hf32.",
        "in": "x: FLOAT, hifloat8; filter: FLOAT, hifloat8; bias?: FLOAT; offset_w?: int8",
        "out": "y: FLOAT, hifloat8",
        "attrs": (
            ("strides", "ListInt"), ("pads", "ListInt", [0, 0, 0, 0]),
            ("dilations", "ListInt", [1, 1, 1, 1]), ("groups", "Int", 1),
            ("data_format", "String", "NCHW"), ("offset_x", "Int", 0),
            ("pad_mode", "String", "SPECIFIC"), ("enable_hf32", "Bool", False),
        ),
    },
    "Conv3DV2": {
        "doc": "Conv3D of the Ascend C generation.",
        "in": (
            "x: FLOAT, int8, hifloat8; filter: FLOAT, int8, hifloat8; bias?: FLOAT; scale?: "
            "float32; offset?: float32; offset_w?: int8"
        ),
        "out": "y: FLOAT, hifloat8",
        "attrs": (
            ("strides", "ListInt"), ("pads", "ListInt", [0, 0, 0, 0, 0, 0]),
            ("dilations", "ListInt", [1, 1, 1, 1, 1]), ("groups", "Int", 1),
            ("data_format", "String", "NCDHW"), ("offset_x", "Int", 0),
            ("pad_mode", "String", "SPECIFIC"), ("enable_hf32", "Bool", False),
        ),
    },
    "QuantConv2D": {
        "doc": "Quantised convolution with scale and bias fused.",
        "in": (
            "x: int8, float8_e4m3fn, hifloat8; filter: int8, float8_e4m3fn, hifloat8; scale: "
            "int64, uint64; bias?: float32, int32; offset?: float32"
        ),
        "out": "y: FLOAT, float8_e4m3fn, hifloat8",
        "attrs": (
            ("dtype", "Int"), ("strides", "ListInt"), ("pads", "ListInt"),
            ("dilations", "ListInt", [1, 1, 1, 1]), ("groups", "Int", 1),
            ("data_format", "String", "NCHW"), ("offset_x", "Int", 0),
            ("round_mode", "String", "rint"),
        ),
    },
}
# fmt: on
