"""Vision: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "Iou": {
        "doc": "Overlap ratio of boxes.",
        "in": "bboxes: float16, float32; gtboxes: float16, float32",
        "out": "overlap: float16, float32",
        "attrs": (("mode", "String", "iou"), ("eps", "Float", 1.0), ("aligned", "Bool", False)),
    },
}
# fmt: on
