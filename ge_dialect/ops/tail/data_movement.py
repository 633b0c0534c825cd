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
    "Index": {
        "doc": "Advanced indexing with several index tensors.",
        "in": (
            "x: ANY; indexed_sizes: int64; indexed_strides: int64; indices*: IndexNumberType"
        ),
        "out": "y: ANY",
    },
    "IndexPutV2": {
        "doc": "Advanced indexed write.",
        "in": (
            "x~: ANY; value: ANY; indexed_sizes: int64; indexed_strides: int64; indices*: "
            "IndexNumberType"
        ),
        "out": "x~: ANY",
        "attrs": (("accumulate", "Bool", False),),
        "effects": "writes:x reads:x",
        "infer": "ref",
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
    "SearchSorted": {
        "doc": "Insert positions in sorted sequences.",
        "in": (
            "sorted_sequence: SignedDataType, float16, float32, uint8; values: "
            "SignedDataType, float16, float32, uint8; sorter?: int64"
        ),
        "out": "out: IndexNumberType",
        "attrs": (("dtype", "Type", "int64"), ("right", "Bool", False)),
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
    "StridedSliceGrad": {
        "doc": "Gradient of StridedSlice.",
        "in": (
            "shape: IndexNumberType; begin: IndexNumberType; end: IndexNumberType; strides: "
            "IndexNumberType; dy: ANY"
        ),
        "out": "output: ANY",
        "attrs": (
            ("begin_mask", "Int", 0), ("end_mask", "Int", 0), ("ellipsis_mask", "Int", 0),
            ("new_axis_mask", "Int", 0), ("shrink_axis_mask", "Int", 0),
        ),
    },
    "UniqueConsecutive": {
        "doc": "Removes repeated neighbours.",
        "in": "x: BasicType, bool",
        "out": "y: BasicType, bool; idx: IndexNumberType; count: IndexNumberType",
        "attrs": (
            ("return_idx", "Bool", False), ("return_counts", "Bool", False),
            ("axis", "Int", 1000), ("out_idx", "Type", "int64"),
        ),
    },
}
# fmt: on
