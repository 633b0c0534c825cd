"""Normalisation: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "BNInferenceD": {
        "doc": "Inference batch normalisation of the Caffe path.",
        "in": (
            "x: float16, float32; mean: float16, float32; variance: float16, float32; scale?:"
            " float16, float32; b?: float16, float32"
        ),
        "out": "y: float16, float32",
        "attrs": (
            ("momentum", "Float", 0.9), ("epsilon", "Float", 1e-05),
            ("use_global_stats", "Bool", True), ("mode", "Int", 1),
        ),
    },
}
# fmt: on
