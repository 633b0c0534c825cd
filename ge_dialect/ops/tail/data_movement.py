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
}
# fmt: on
