"""Pooling: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "AvgPoolGrad": {
        "doc": "Gradient of average pooling.",
        "in": "orig_input_shape: int32; input_grad: FLOAT, float64",
        "out": "out_grad: FLOAT, float64",
        "attrs": (
            ("ksize", "ListInt"), ("strides", "ListInt"), ("padding", "String"),
            ("data_format", "String", "NHWC"),
        ),
    },
    "MaxPoolGrad": {
        "doc": "Gradient of max pooling.",
        "in": "x1: RealNumberType; x2: RealNumberType; grad: RealNumberType",
        "out": "y: RealNumberType",
        "attrs": (
            ("ksize", "ListInt"), ("strides", "ListInt"), ("padding", "String"),
            ("data_format", "String", "NHWC"),
        ),
    },
    "MaxPoolGradWithArgmax": {
        "doc": "Gradient of MaxPoolWithArgmax.",
        "in": "x: FLOAT; grad: FLOAT; argmax: IndexNumberType",
        "out": "y: FLOAT",
        "attrs": (
            ("ksize", "ListInt"), ("strides", "ListInt"), ("padding", "String"),
            ("include_batch_in_index", "Bool", False), ("data_format", "String", "NHWC"),
        ),
    },
    "Pooling": {
        "doc": "Caffe-style pooling with mode, window, pad and ceil_mode.",
        "in": "x: float16, float32, int8",
        "out": "y: float16, float32, int32",
        "attrs": (
            ("mode", "Int", 0), ("global_pooling", "Bool", False), ("window", "ListInt", [1, 1]),
            ("stride", "ListInt", [1, 1]), ("pad", "ListInt", [0, 0, 0, 0]),
            ("dilation", "ListInt", [1, 1, 1, 1]), ("ceil_mode", "Int", 0),
            ("data_format", "String", "NCHW"),
        ),
    },
}
# fmt: on
