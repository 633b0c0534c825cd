"""Collective communication: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "HcomAllGather": {
        "doc": "Concatenates the inputs of all ranks on axis 0.",
        "in": "x: RealNumberType",
        "out": "y: RealNumberType",
        "attrs": (
            ("rank_size", "Int"), ("group", "String"), ("fusion", "Int", 0),
            ("fusion_id", "Int", -1),
        ),
        "effects": "unknown",
    },
    "HcomAllGatherV": {
        "doc": "All-gather with per-rank sizes.",
        "in": (
            "x: RealNumberType; send_count: int64; recv_counts: int64; recv_displacements?: "
            "int64"
        ),
        "out": "y: RealNumberType",
        "attrs": (("group", "String"),),
        "effects": "unknown",
    },
    "HcomAllReduce": {
        "doc": "Reduces over all ranks of a group, result everywhere.",
        "in": "x: T",
        "out": "y: T",
        "attrs": (
            ("reduction", "String"), ("group", "String"), ("fusion", "Int", 1),
            ("fusion_id", "Int", -1),
        ),
        "types": {"T": "FLOAT, int8, int16, int32"},
        "effects": "unknown",
        "infer": "same",
    },
    "HcomAllToAll": {
        "doc": "Equal exchange between all ranks.",
        "in": "x: RealNumberType",
        "out": "y: RealNumberType",
        "attrs": (("rank_size", "Int"), ("group", "String")),
        "effects": "unknown",
    },
    "HcomAllToAllV": {
        "doc": "Exchange with per-rank counts and displacements.",
        "in": (
            "send_data: RealNumberType; send_counts: int64; send_displacements: int64; "
            "recv_counts: int64; recv_displacements: int64"
        ),
        "out": "recv_data: RealNumberType",
        "attrs": (("group", "String"),),
        "effects": "unknown",
    },
    "HcomAllToAllVC": {
        "doc": "Exchange with one full count matrix.",
        "in": "send_data: RealNumberType; send_count_matrix: int64",
        "out": "recv_data: RealNumberType",
        "attrs": (
            ("rank", "Int"), ("group", "String"), ("fusion", "Int", 0), ("fusion_id", "Int", -1),
        ),
        "effects": "unknown",
    },
    "HcomBroadcast": {
        "doc": "Sends the root's tensors to all ranks.",
        "in": "x*: RealNumberType",
        "out": "y*: RealNumberType",
        "attrs": (
            ("root_rank", "Int"), ("group", "String"), ("fusion", "Int", 0),
            ("fusion_id", "Int", -1),
        ),
        "effects": "unknown",
        "infer": "each",
    },
    "HcomReceive": {
        "doc": "Receives a tensor of given shape and dtype from a rank.",
        "out": "y: RealNumberType",
        "attrs": (
            ("group", "String"), ("sr_tag", "Int"), ("src_rank", "Int"), ("shape", "ListInt"),
            ("dtype", "Type"),
        ),
        "effects": "unknown",
    },
    "HcomReduce": {
        "doc": "Reduces to the root rank.",
        "in": "x: T",
        "out": "y: T",
        "attrs": (
            ("root_rank", "Int"), ("reduction", "String"), ("group", "String"),
            ("fusion", "Int", 0), ("fusion_id", "Int", -1),
        ),
        "types": {"T": "FLOAT, int8, int16, int32"},
        "effects": "unknown",
        "infer": "same",
    },
    "HcomReduceScatter": {
        "doc": "Reduces and leaves each rank one slice.",
        "in": "x: FLOAT, int8, int16, int32",
        "out": "y: FLOAT, int8, int16, int32",
        "attrs": (
            ("reduction", "String"), ("fusion", "Int", 0), ("fusion_id", "Int", -1),
            ("group", "String"), ("rank_size", "Int"),
        ),
        "effects": "unknown",
    },
    "HcomReduceScatterV": {
        "doc": "Reduce-scatter with per-rank sizes.",
        "in": (
            "x: FLOAT, int8, int16, int32; recv_count: int64; send_counts: int64; "
            "send_displacements?: int64"
        ),
        "out": "y: FLOAT, int8, int16, int32",
        "attrs": (("reduction", "String"), ("group", "String")),
        "effects": "unknown",
    },
    "HcomRemoteRead": {
        "doc": "One-sided read from remote memory.",
        "in": "remote: int64, uint64",
        "out": "local: ANY",
        "attrs": (("dtype", "Type"),),
        "effects": "unknown",
    },
    "HcomRemoteWrite": {
        "doc": "One-sided write to remote memory.",
        "in": "remote: int64, uint64; local: ANY",
        "effects": "unknown",
    },
    "HcomSend": {
        "doc": "Sends a tensor to a rank.",
        "in": "x: RealNumberType",
        "attrs": (("group", "String"), ("sr_tag", "Int"), ("dest_rank", "Int")),
        "effects": "unknown",
    },
}
# fmt: on
