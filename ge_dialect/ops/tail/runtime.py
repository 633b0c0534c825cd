"""Runtime tasks: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "AtomicAddrClean": {
        "doc": "Zeroes outputs and workspaces that others add to; GE makes it, sizes are bytes.",
        "attrs": (
            ("automic_add_addr_start", "ListInt", []), ("automic_add_mem_size", "ListInt", []),
        ),
        "effects": "unknown",
    },
    "Cmo": {
        "doc": "Cache-maintenance hint (prefetch, write-back, invalidate) on a tensor.",
        "in": "src: ANY",
        "attrs": (("max_size", "Int"), ("type", "Int", 6), ("offset", "Int", 0)),
        "effects": "unknown",
    },
    "LabelGotoEx": {
        "doc": "Jumps to a label.",
        "attrs": (("_label_switch_index", "Int"),),
        "effects": "unknown",
    },
    "LabelSet": {
        "doc": "Defines a jump target in the task list.",
        "attrs": (("_label_switch_index", "Int"),),
        "effects": "unknown",
    },
    "LabelSwitchByIndex": {
        "doc": (
            "Jumps to the label at the given list index; lowered form of If, Case and While."
        ),
        "in": "index: int32",
        "attrs": (("_label_switch_list", "ListInt"),),
        "effects": "unknown",
    },
    "MemSet": {
        "doc": (
            "Fills memory blocks of `sizes` bytes, each with a value of its dtype, zero where none"
            " is given."
        ),
        "attrs": (
            ("sizes", "ListInt"), ("dtypes", "ListType", []), ("values_int", "ListInt", []),
            ("values_float", "ListFloat", []),
        ),
        "effects": "unknown",
    },
    "Recv": {
        "doc": "Makes its stream wait for an event.",
        "attrs": (("event_id", "Int"),),
        "effects": "unknown",
    },
    "Send": {
        "doc": "Records an event on its stream.",
        "attrs": (("event_id", "Int"),),
        "effects": "unknown",
    },
    "StreamActive": {
        "doc": "Starts the listed streams; used for branches and the iteration loop.",
        "attrs": (
            ("active_stream_list", "ListInt"), ("_active_label_list", "ListString", []),
            ("is_loop_active", "Bool", False),
        ),
        "effects": "unknown",
    },
    "StreamMerge": {
        "doc": "Lowered Merge; the branch that ran writes the shared output address.",
        "in": "x*: ANY",
        "out": "y: ANY; value_index: int32",
        "effects": "unknown",
    },
    "StreamSwitch": {
        "doc": (
            "Compares two scalars on the device and activates a stream when true (0 eq, 1 ne,"
            " 2 gt, 3 ge, 4 lt, 5 le)."
        ),
        "in": "pred: IndexNumberType; value: IndexNumberType",
        "attrs": (
            ("switch_condition", "Int", 0), ("_switch_data_type", "Int", 0),
            ("true_branch_stream", "Int"), ("active_stream_list", "ListInt", []),
            ("_stream_switch_type", "Int", 0),
        ),
        "effects": "unknown",
    },
    "SwitchByIndex": {
        "doc": "Picks a task branch by a uint64 index tensor.",
        "in": "x: uint64",
        "attrs": (("indices", "Int"),),
        "effects": "unknown",
    },
}
# fmt: on
