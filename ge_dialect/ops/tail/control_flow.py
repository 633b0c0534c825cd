"""Control flow: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "Enter": {
        "doc": "Brings a value into a named loop frame; `is_constant` marks loop invariants.",
        "in": "x: ANY",
        "out": "y: ANY",
        "attrs": (("frame_name", "String"), ("is_constant", "Bool")),
        "effects": "unknown",
        "infer": "same",
    },
    "Exit": {
        "doc": "Takes a value out of its loop frame.",
        "in": "x: ANY",
        "out": "y: ANY",
        "effects": "unknown",
        "infer": "same",
    },
    "LoopCond": {
        "doc": "Marks the boolean that controls a loop frame.",
        "in": "x: bool",
        "out": "y: bool",
        "effects": "unknown",
        "infer": "same",
    },
    "Merge": {
        "doc": "Forwards whichever input arrives and reports its index.",
        "in": "x*: ANY",
        "out": "y: ANY; value_index: int32",
        "effects": "unknown",
    },
    "NextIteration": {
        "doc": "Hands a value to the next turn of its loop frame.",
        "in": "x: ANY",
        "out": "y: ANY",
        "effects": "unknown",
        "infer": "same",
    },
    "RefEnter": {
        "doc": "Enter on reference data.",
        "in": "x~: ANY",
        "out": "y~: ANY",
        "attrs": (("frame_name", "String"), ("is_constant", "Bool")),
        "effects": "unknown",
        "infer": "same",
    },
    "RefExit": {
        "doc": "Exit on reference data.",
        "in": "x~: ANY",
        "out": "y~: ANY",
        "effects": "unknown",
        "infer": "same",
    },
    "RefMerge": {
        "doc": "Merge on reference data.",
        "in": "x*~: ANY",
        "out": "y~: ANY; value_index: int32",
        "effects": "unknown",
    },
    "RefNextIteration": {
        "doc": "NextIteration on reference data.",
        "in": "x~: ANY",
        "out": "y~: ANY",
        "effects": "unknown",
        "infer": "same",
    },
    "RefSwitch": {
        "doc": "Switch on reference data.",
        "in": "data~: ANY; pred: bool",
        "out": "output_false~: ANY; output_true~: ANY",
        "effects": "unknown",
        "infer": "same",
    },
    "Switch": {
        "doc": (
            "Dead-branch routing: data goes to output_true or output_false by the predicate."
        ),
        "in": "data: ANY; pred: bool",
        "out": "output_false: ANY; output_true: ANY",
        "effects": "unknown",
        "infer": "same",
    },
}
# fmt: on
