"""Data movement: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "BatchToSpaceND": {
        "doc": "Moves batch blocks to space.",
        "in": "x: ANY; block_shape: IndexNumberType; crops: IndexNumberType",
        "out": "y: ANY",
    },
    "ConcatOffset": {
        "doc": "Start offsets of each part of a concat.",
        "in": "concat_dim: int32; x*: int32",
        "out": "y*: int32",
        "attrs": (("N", "Int"),),
    },
    "DepthToSpace": {
        "doc": "Moves channels to spatial blocks.",
        "in": "x: ANY",
        "out": "y: ANY",
        "attrs": (
            ("block_size", "Int"), ("mode", "String", "DCR"), ("data_format", "String", "NHWC"),
        ),
    },
    "Diag": {
        "doc": "Square tensor with x on the diagonal.",
        "in": "x: ANY",
        "out": "y: ANY",
    },
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
    "Empty": {
        "doc": "Uninitialised tensor of a given shape.",
        "in": "shape: int32",
        "out": "y: ANY",
        "attrs": (("dtype", "Int", 3), ("init", "Bool", False)),
    },
    "Eye": {
        "doc": "Identity matrix.",
        "out": "y: ANY",
        "attrs": (
            ("num_rows", "Int"), ("num_columns", "Int", 0), ("batch_shape", "ListInt", []),
            ("dtype", "Int", 0),
        ),
    },
    "GatherElements": {
        "doc": "Takes elements along dim by an equally ranked index.",
        "in": "x: ANY; index: IndexNumberType",
        "out": "y: ANY",
        "attrs": (("dim", "Int", 0),),
    },
    "GatherNd": {
        "doc": "Takes slices by index tuples.",
        "in": "x: ANY; indices: IndexNumberType",
        "out": "y: ANY",
        "attrs": (("negative_index_support", "Bool", False),),
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
    "LinSpace": {
        "doc": "Evenly spaced values.",
        "in": "start: ANY; stop: ANY; num: IndexNumberType",
        "out": "output: ANY",
    },
    "MaskedFill": {
        "doc": "Replaces elements where a mask is true.",
        "in": (
            "x: FLOAT, bool, int8, int32, int64; mask: bool; value: FLOAT, bool, int8, int32,"
            " int64"
        ),
        "out": "y: FLOAT, bool, int8, int32, int64",
        "infer": "same",
    },
    "MaskedSelect": {
        "doc": "Elements where a mask is true, as a vector.",
        "in": "x: ANY; mask: bool",
        "out": "y: ANY",
    },
    "MirrorPad": {
        "doc": "Reflect or symmetric pad.",
        "in": "x: ANY; paddings: IndexNumberType",
        "out": "y: ANY",
        "attrs": (("mode", "String"),),
    },
    "NonZero": {
        "doc": "Coordinates of nonzero elements, optional transpose.",
        "in": "x: RealNumberType, bool",
        "out": "y: IndexNumberType",
        "attrs": (("transpose", "Bool", False), ("dtype", "Type", "int64")),
    },
    "OneHot": {
        "doc": "One-hot coding; depth and on/off values as tensors.",
        "in": "x: int32, int64, uint8; depth: IndexNumberType; on_value: ANY; off_value: ANY",
        "out": "y: ANY",
        "attrs": (("axis", "Int", -1),),
    },
    "Range": {
        "doc": "Sequence from start to limit by delta.",
        "in": (
            "start: FLOAT, float64, int32, int64; limit: FLOAT, float64, int32, int64; delta:"
            " FLOAT, float64, int32, int64"
        ),
        "out": "y: FLOAT, float64, int32, int64",
        "attrs": (("is_closed", "Bool", False),),
    },
    "ReverseV2": {
        "doc": "Reverses along tensor axes.",
        "in": "x: ANY; axis: IndexNumberType",
        "out": "y: ANY",
        "infer": "same",
    },
    "Roll": {
        "doc": "Rotates elements along axes.",
        "in": "x: T",
        "out": "y: T",
        "attrs": (("shifts", "ListInt"), ("dims", "ListInt", [])),
        "types": {"T": "ANY"},
        "infer": "same",
    },
    "ScatterElements": {
        "doc": "Writes elements along an axis by index.",
        "in": "data: ANY; indices: IndexNumberType; updates: ANY",
        "out": "y: ANY",
        "attrs": (("axis", "Int", 0), ("reduction", "String", "none")),
    },
    "ScatterNd": {
        "doc": "Builds a tensor from index tuples and updates.",
        "in": "indices: IndexNumberType; x: ANY; shape: IndexNumberType",
        "out": "y: ANY",
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
    "ScatterUpdate": {
        "doc": "Overwrites rows of a variable.",
        "in": "var&: ANY; indices: IndexNumberType; updates: ANY",
        "out": "var&: ANY",
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
    "Sort": {
        "doc": "Sorted values and positions along an axis.",
        "in": "x: IntegerDataType, FLOAT",
        "out": "y1: IntegerDataType, FLOAT; y2: IndexNumberType",
        "attrs": (
            ("axis", "Int", -1), ("descending", "Bool", False), ("stable", "Bool", False),
            ("y2_dtype", "Type", "int32"),
        ),
    },
    "SpaceToBatchND": {
        "doc": "Moves space blocks to batch.",
        "in": "x: ANY; block_shape: IndexNumberType; paddings: IndexNumberType",
        "out": "y: ANY",
    },
    "SpaceToDepth": {
        "doc": "Moves spatial blocks to channels.",
        "in": "x: ANY",
        "out": "y: ANY",
        "attrs": (("block_size", "Int"), ("data_format", "String", "NHWC")),
    },
    "SplitVD": {
        "doc": "Split by a size list attribute.",
        "in": "x: ANY",
        "out": "y*: ANY",
        "attrs": (("size_splits", "ListInt"), ("split_dim", "Int"), ("num_split", "Int")),
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
    "StridedSliceV2": {
        "doc": "Strided slice with optional axes and strides.",
        "in": (
            "x: bool, float8_e4m3fn, float8_e5m2, float8_e8m0, hifloat8; begin: "
            "IndexNumberType; end: IndexNumberType; axes?: IndexNumberType; strides?: "
            "IndexNumberType"
        ),
        "out": "y: bool, float8_e4m3fn, float8_e5m2, float8_e8m0, hifloat8",
        "attrs": (
            ("begin_mask", "Int", 0), ("end_mask", "Int", 0), ("ellipsis_mask", "Int", 0),
            ("new_axis_mask", "Int", 0), ("shrink_axis_mask", "Int", 0),
        ),
    },
    "TensorScatterUpdate": {
        "doc": "Copy of x with slices overwritten.",
        "in": "x: ANY; indices: IndexNumberType; updates: ANY",
        "out": "y: ANY",
    },
    "TopK": {
        "doc": "Largest k along an axis; k as a tensor.",
        "in": "x: RealNumberType; k: int32",
        "out": "values: RealNumberType; indices: int32",
        "attrs": (("sorted", "Bool", True), ("largest", "Bool", True), ("dim", "Int", -1)),
    },
    "TopKV2": {
        "doc": "TopK with attribute options.",
        "in": "x: RealNumberType; k: IndexNumberType",
        "out": "values: RealNumberType; indices: IndexNumberType",
        "attrs": (
            ("sorted", "Bool", True), ("dim", "Int", -1), ("largest", "Bool", True),
            ("indices_dtype", "Int", 3),
        ),
    },
    "Tril": {
        "doc": "Lower triangle.",
        "in": "x: T",
        "out": "y: T",
        "attrs": (("diagonal", "Int", 0),),
        "types": {"T": "ANY"},
        "infer": "same",
    },
    "Triu": {
        "doc": "Upper triangle.",
        "in": "x: T",
        "out": "y: T",
        "attrs": (("diagonal", "Int", 0),),
        "types": {"T": "ANY"},
        "infer": "same",
    },
    "Unique": {
        "doc": "Distinct values and the index map.",
        "in": "x: RealNumberType",
        "out": "y: RealNumberType; idx: IndexNumberType",
        "attrs": (("out_idx", "Type", "int32"),),
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
    "UniqueWithCounts": {
        "doc": "Unique with counts.",
        "in": "x: RealNumberType, string",
        "out": "y: RealNumberType, string; idx: IndexNumberType; count: IndexNumberType",
        "attrs": (("out_idx", "Type"),),
    },
    "UnsortedSegmentSum": {
        "doc": "Sums rows by segment id.",
        "in": "x: NumberType; segment_ids: IndexNumberType; num_segments: IndexNumberType",
        "out": "y: NumberType",
        "attrs": (("is_preprocessed", "Bool", False), ("check_ids", "Bool", False)),
    },
    "Where": {
        "doc": "Coordinates of nonzero elements.",
        "in": "x: bool",
        "out": "y: int64",
    },
}
# fmt: on
