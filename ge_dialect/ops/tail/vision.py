"""Vision: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "CTCLoss": {
        "doc": "Connectionist temporal classification loss.",
        "in": (
            "inputs: float32, float64; labels_indices: int64; labels_values: int32; "
            "sequence_length: int32"
        ),
        "out": "loss: float32, float64; gradient: float32, float64",
        "attrs": (
            ("preprocess_collapse_repeated", "Bool", False), ("ctc_merge_repeated", "Bool", True),
            ("ignore_longer_outputs_than_inputs", "Bool", False),
        ),
    },
    "Iou": {
        "doc": "Overlap ratio of boxes.",
        "in": "bboxes: float16, float32; gtboxes: float16, float32",
        "out": "overlap: float16, float32",
        "attrs": (("mode", "String", "iou"), ("eps", "Float", 1.0), ("aligned", "Bool", False)),
    },
}
# fmt: on
