"""Queues, stacks and iterators: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "DynamicGetNext": {
        "doc": "GetNext with shapes known only at run time.",
        "in": "x: ANY",
        "out": "y*: ANY",
        "attrs": (
            ("output_types", "ListType", []), ("output_shapes", "ListListInt", [[], []]),
            ("_dynamic_graph_execute_mode", "String", "lazy_recompile"),
            ("_getnext_inputs_shape_range", "String", ""),
        ),
        "effects": "unknown",
    },
    "GetNext": {
        "doc": "Takes the next batch from a data channel.",
        "out": "y*: IntegerDataType, float16, float32, float64, bool",
        "attrs": (
            ("output_types", "ListType", []), ("output_shapes", "ListListInt", []),
            ("output_num", "Int", 1), ("channel_name", "String", ""),
        ),
        "effects": "unknown",
    },
    "IteratorGetNext": {
        "doc": "Takes the next element from an iterator.",
        "in": "x: ANY",
        "out": "y*: ANY",
        "attrs": (
            ("output_types", "ListInt", []), ("output_shapes", "ListListInt", [[], []]),
            ("output_num", "Int", 1), ("_kernel", "String", "dp"),
        ),
        "effects": "unknown",
    },
    "IteratorV2": {
        "doc": "Creates an iterator handle.",
        "out": "y: ANY",
        "attrs": (
            ("output_types", "ListInt", []), ("output_shapes", "ListListInt", [[], []]),
            ("container", "String", ""), ("shared_name", "String", ""),
        ),
        "effects": "unknown",
    },
    "MakeIterator": {
        "doc": "Binds a data set to an iterator.",
        "in": "x: ANY; x1: ANY",
        "attrs": (("_kernel", "String", "dp"),),
        "effects": "unknown",
    },
    "MapStage": {
        "doc": "Stores a tuple under a key in a staging map.",
        "in": (
            "key: int64; indices: int32; values*: IntegerDataType, QuantifiedType, float16, "
            "float32, float64, bool, complex128, complex64, resource, string"
        ),
        "attrs": (
            ("capacity", "Int", 0), ("memory_limit", "Int", 0), ("dtypes", "ListType", []),
            ("container", "String", ""), ("shared_name", "String", ""),
        ),
        "effects": "unknown",
    },
    "OutfeedEnqueueOp": {
        "doc": "Sends tensors out of the device to a host channel.",
        "in": "x*: IntegerDataType, float16, float32, float64, bool, string",
        "attrs": (("channel_name", "String", ""),),
        "effects": "io:outfeed",
    },
    "OutfeedEnqueueOpV2": {
        "doc": "OutfeedEnqueueOp with the tensor name as an input.",
        "in": "x*: BasicType, bool, string; tensor_name: string",
        "attrs": (
            ("channel_name", "String", ""), ("slice_size", "Int", 0), ("wait_time", "Int", 0),
            ("slice_sync", "Bool", False),
        ),
        "effects": "io:outfeed",
    },
    "QueueDequeue": {
        "doc": "Takes a tuple of tensors from a queue.",
        "in": "handle: resource",
        "out": (
            "components*: IntegerDataType, QuantifiedType, float16, float32, float64, bool, "
            "complex128, complex64, resource, string"
        ),
        "attrs": (("timeout_ms", "Int", -1), ("component_types", "ListType")),
        "effects": "unknown",
    },
    "QueueEnqueue": {
        "doc": "Puts a tuple of tensors on a queue.",
        "in": (
            "handle: resource; components*: IntegerDataType, QuantifiedType, float16, "
            "float32, float64, bool, complex128, complex64, resource, string"
        ),
        "attrs": (("timeout_ms", "Int", -1),),
        "effects": "unknown",
    },
    "Stack": {
        "doc": "Creates a stack handle for loop gradients.",
        "in": "max_size: int32",
        "out": "handle: resource",
        "attrs": (("stack_name", "String", ""), ("elem_type", "Type")),
        "effects": "unknown",
    },
    "StackClose": {
        "doc": "Frees a stack.",
        "in": "handle: resource",
        "effects": "unknown",
    },
    "StackPop": {
        "doc": "Pops a tensor from a stack.",
        "in": "handle: resource",
        "out": "element: IntegerDataType, float16, float32, float64, bool",
        "attrs": (("elem_type", "Type"),),
        "effects": "unknown",
    },
    "StackPush": {
        "doc": "Pushes a tensor on a stack.",
        "in": "handle: resource; element: IntegerDataType, float16, float32, float64, bool",
        "out": "y: IntegerDataType, float16, float32, float64, bool",
        "attrs": (("swap_memory", "Bool", False),),
        "effects": "unknown",
    },
    "TensorArray": {
        "doc": "Creates a handle of a dynamically sized list of tensors.",
        "in": "size: int32",
        "out": "handle: resource; flow: float32",
        "attrs": (
            ("dtype", "Type"), ("element_shape", "ListInt", [-2]),
            ("dynamic_size", "Bool", False), ("clear_after_read", "Bool", True),
            ("identical_element_shapes", "Bool", False), ("tensor_array_name", "String", ""),
        ),
        "effects": "unknown",
    },
    "TensorArrayRead": {
        "doc": "Reads one element of a tensor array.",
        "in": "handle: resource; index: int32; flow_in: float32",
        "out": (
            "y: SignedDataType, float16, float32, float64, bool, uint8, uint16, complex128, "
            "complex64, string"
        ),
        "attrs": (("dtype", "Type"),),
        "effects": "unknown",
    },
    "TensorArrayWrite": {
        "doc": "Writes one element of a tensor array.",
        "in": (
            "handle: resource; index: int32; value: SignedDataType, float16, float32, "
            "float64, bool, uint8, uint16, complex128, complex64, string; flow_in: float32"
        ),
        "out": "flow_out: float32",
        "effects": "unknown",
    },
}
# fmt: on
