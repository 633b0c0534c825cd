"""Memory: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "IdentityN": {
        "doc": "Forwards a list of tensors.",
        "in": "x*: ANY",
        "out": "y*: ANY",
        "infer": "each",
    },
    "PhonyConcat": {
        "doc": "Virtual concat: makes inputs contiguous by address assignment, runs no kernel.",
        "in": "x*: ANY",
        "out": "y: ANY",
        "attrs": (
            ("concat_dim", "ListInt"), ("N", "ListInt"), ("keep_input_offset", "Bool", True),
        ),
    },
    "PhonySplit": {
        "doc": "Virtual split: gives outputs slices of the input's memory, runs no kernel.",
        "in": "x: ANY",
        "out": "y*: ANY",
        "attrs": (
            ("split_dim", "ListInt"), ("num_split", "ListInt"),
            ("keep_output_offset", "Bool", True),
        ),
    },
}
# fmt: on
