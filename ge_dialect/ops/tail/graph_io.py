"""Edge of the graph: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "AippData": {
        "doc": "Raw image input that feeds an AIPP pre-processing op.",
        "in": "data: ANY",
        "out": "out: ANY",
        "attrs": (("index", "Int", 0),),
        "effects": "unknown",
        "infer": "same",
    },
    "AssignVariableOp": {
        "doc": "Writes a value through a variable handle.",
        "in": "resource: resource; value: ANY",
        "attrs": (("dtype", "Type"),),
        "effects": "unknown",
    },
    "ConstPlaceHolder": {
        "doc": "Constant whose bytes already sit at a given device address.",
        "out": "y: ANY",
        "attrs": (
            ("origin_shape", "ListInt"), ("origin_format", "Int"), ("storage_shape", "ListInt"),
            ("storage_format", "Int"), ("expand_dim_rules", "String"), ("dtype", "Type"),
            ("addr", "Int"), ("size", "Int"), ("placement", "Int", 1),
        ),
    },
    "DestroyTemporaryVariable": {
        "doc": "Ends the life of a temporary variable and forwards its last value.",
        "in": "x: ANY",
        "out": "y: ANY",
        "attrs": (("var_name", "String", ""),),
        "effects": "unknown",
        "infer": "same",
    },
    "EndOfSequence": {
        "doc": "Passes on the mark that tells whether a source of data has ended.",
        "in": "x: uint8",
        "out": "y: uint8",
    },
    "FileConstant": {
        "doc": "Constant loaded lazily from an external weight file.",
        "out": "y: ANY",
        "attrs": (
            ("file_path", "String", ""), ("file_id", "String", ""), ("shape", "ListInt"),
            ("dtype", "Type"),
        ),
    },
    "IsVariableInitialized": {
        "doc": "Returns a bool that tells whether a variable holds a value.",
        "in": "x: ANY",
        "out": "y: bool",
        "effects": "unknown",
    },
    "QueueData": {
        "doc": "Input fed from a runtime queue instead of a host call.",
        "out": "y: uint8",
        "attrs": (
            ("index", "Int", 0), ("queue_name", "String", ""), ("output_types", "ListType", []),
            ("output_shapes", "ListListInt", [[], []]),
        ),
        "effects": "unknown",
    },
    "ReadVariableOp": {
        "doc": "Reads the value behind a variable handle.",
        "in": "x: ANY",
        "out": "y: ANY",
        "attrs": (("dtype", "Int", 3),),
        "effects": "unknown",
    },
    "TemporaryVariable": {
        "doc": "Scratch variable living only for one step.",
        "out": "y: ANY",
        "attrs": (("shape", "ListInt"), ("dtype", "Int"), ("var_name", "String", "")),
        "effects": "unknown",
    },
    "VarHandleOp": {
        "doc": "Produces a resource handle for a variable.",
        "out": "y: resource",
        "attrs": (
            ("container", "String", ""), ("shared_name", "String", ""), ("dtype", "Type"),
            ("shape", "ListInt", [-1]),
        ),
        "effects": "unknown",
    },
    "VarIsInitializedOp": {
        "doc": "Returns a bool that tells whether the variable behind a handle holds a value.",
        "in": "x: ANY",
        "out": "y: bool",
        "effects": "unknown",
    },
}
# fmt: on
