"""Data movement: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "EmbeddingBag": {
        "doc": "Gathers and pools embedding rows.",
        "in": (
            "weight: FLOAT; indices: IndexNumberType; offsets?: IndexNumberType; "
            "per_sample_weights?: FLOAT"
        ),
        "out": (
            "y: FLOAT; offset2bag: IndexNumberType; bag_size: IndexNumberType; max_indices: "
            "IndexNumberType"
        ),
        "attrs": (
            ("mode", "String", "mean"), ("scale_grad_by_freq", "Bool", False),
            ("sparse", "Bool", False), ("include_last_offset", "Bool", False),
            ("padding_idx", "Int", -1),
        ),
    },
    "Im2col": {
        "doc": "Unfolds sliding windows to columns.",
        "in": "x: ANY",
        "out": "y: ANY",
        "attrs": (
            ("ksizes", "ListInt"), ("strides", "ListInt", [1]), ("dilations", "ListInt", [1]),
            ("padding_mode", "String", "CALCULATED"), ("pads", "ListInt", [0]),
        ),
    },
    "ScatterNdUpdate": {
        "doc": "Overwrites slices of a variable by index tuples.",
        "in": (
            "var&: bool, float8_e4m3fn, float8_e5m2, hifloat8; indices: IndexNumberType; "
            "updates: bool, float8_e4m3fn, float8_e5m2, hifloat8"
        ),
        "out": "var&: bool, float8_e4m3fn, float8_e5m2, hifloat8",
        "attrs": (("use_locking", "Bool", False),),
        "effects": "writes:var reads:var",
        "infer": "ref",
    },
    "StridedSliceAssign": {
        "doc": "Writes a value into a strided slice of a variable.",
        "in": (
            "var&: FLOAT, float64; begin: FLOAT, float64; end: FLOAT, float64; strides: "
            "FLOAT, float64; input_value: FLOAT, float64"
        ),
        "out": "var&: FLOAT, float64",
        "attrs": (
            ("begin_mask", "Int", 0), ("end_mask", "Int", 0), ("ellipsis_mask", "Int", 0),
            ("new_axis_mask", "Int", 0), ("shrink_axis_mask", "Int", 0),
        ),
        "effects": "writes:var reads:var",
        "infer": "ref",
    },
}
# fmt: on
