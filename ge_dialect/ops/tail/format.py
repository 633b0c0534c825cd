"""Formats: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "ReFormat": {
        "doc": (
            "Changes only the format label (4-D layout to ND or back); shares memory, no "
            "kernel."
        ),
        "in": "src: T",
        "out": "dst: T",
        "types": {"T": "ANY"},
        "infer": "same",
    },
    "TransDataRNN": {
        "doc": "TransData for recurrent formats with input and hidden sizes.",
        "in": "src: ANY",
        "out": "dst: ANY",
        "attrs": (
            ("src_format", "String"), ("dst_format", "String"), ("input_size", "Int"),
            ("hidden_size", "Int"),
        ),
    },
    "TransShape": {
        "doc": "Changes the shape only, used by layout passes.",
        "in": "x: ANY",
        "out": "y: ANY",
        "attrs": (("outShape", "ListInt", []),),
    },
}
# fmt: on
