"""Control flow: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "Assert": {
        "doc": "Fails the run when the condition is false, printing tensors.",
        "in": "input_condition: bool; input_data*: ANY",
        "attrs": (("summarize", "Int", 3),),
        "effects": "unknown",
    },
    "Case": {
        "doc": "Runs one of N subgraphs picked by an int32 index; out-of-range picks the last.",
        "in": "branch_index: int32; input*~: ANY",
        "out": "output*~: ANY",
        "graphs": ("branches*",),
        "body": "skip1",
        "effects": "unknown",
    },
    "ControlTrigger": {
        "doc": "Joins control edges.",
        "effects": "unknown",
    },
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
    "For": {
        "doc": (
            "Counted loop from start to limit by delta; body gets the index and the carried "
            "values."
        ),
        "in": "start: int32; limit: int32; delta: int32; input*~: ANY",
        "out": "output*~: ANY",
        "graphs": ("body",),
        "body": "for",
        "effects": "unknown",
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
    "StatefulPartitionedCall": {
        "doc": "PartitionedCall whose subgraph may hold state.",
        "in": "args*~: ANY",
        "out": "output*~: ANY",
        "attrs": (
            ("config", "String", ""), ("config_proto", "String", ""),
            ("executor_type", "String", ""),
        ),
        "graphs": ("f",),
        "body": "all",
        "effects": "unknown",
    },
    "StatelessCase": {
        "doc": "Case without side effects.",
        "in": "branch_index: int32; input*~: ANY",
        "out": "output*~: ANY",
        "graphs": ("branches*",),
        "body": "skip1",
        "effects": "unknown",
    },
    "StatelessIf": {
        "doc": "If without side effects.",
        "in": "cond: ANY; input*~: ANY",
        "out": "output*~: ANY",
        "graphs": ("then_branch", "else_branch"),
        "body": "skip1",
        "effects": "unknown",
    },
    "StatelessWhile": {
        "doc": "While without side effects.",
        "in": "input*~: ANY",
        "out": "output*~: ANY",
        "attrs": (("parallel_iterations", "Int", 10),),
        "graphs": ("cond", "body"),
        "body": "all",
        "effects": "unknown",
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
