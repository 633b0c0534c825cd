"""Lists of tensors behind a handle, as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

_TENSORS = (
    "bool, complex64, complex128, float16, float32, float64, int8, int16, int32, int64, uint8, "
    "uint16, uint32, uint64"
)

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "ConcatFromSequence": {
        "doc": "Joins the tensors of a list along an axis, a new one with new_axis 1.",
        "in": "handle: resource",
        "out": f"y: {_TENSORS}",
        "attrs": (("axis", "Int"), ("new_axis", "Int", 0)),
    },
    "SequenceAt": {
        "doc": "A tensor of a list; index counts from the end where it is negative.",
        "in": "handle: resource; index: int32, int64",
        "out": f"y: {_TENSORS}",
    },
    "SequenceConstruct": {
        "doc": "A list of tensors of one dtype.",
        "in": f"inputs*: {_TENSORS}",
        "out": "handle: resource",
    },
    "SequenceEmpty": {
        "doc": "A list without tensors.",
        "out": "handle: resource",
        "attrs": (("dtype", "Type", "float32"),),
    },
    "SequenceErase": {
        "doc": "A list without the tensor at index, the last one without index.",
        "in": "handle: resource; index?: int32, int64",
        "out": "handle_y: resource",
    },
    "SequenceInsert": {
        "doc": "A list with a tensor before index, behind all without index.",
        "in": f"handle: resource; value: {_TENSORS}; index?: int32, int64",
        "out": "handle_y: resource",
    },
    "SequenceLength": {
        "doc": "The number of tensors of a list.",
        "in": "handle: resource",
        "out": "length: int64",
    },
    "SplitToSequence": {
        "doc": "The parts of a tensor along an axis, as a list.",
        "in": f"x: {_TENSORS}; split?: int32, int64",
        "out": "handle: resource",
        "attrs": (("axis", "Int", 0), ("keepdims", "Bool", True)),
    },
}
# fmt: on
