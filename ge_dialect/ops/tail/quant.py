"""Quantisation: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "AscendWeightQuant": {
        "doc": "Applies the offset to quantised weights.",
        "in": "x: int8; offset: int8",
        "out": "y: int4, int8",
        "attrs": (("dst_type", "Int", 2),),
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
}
# fmt: on
