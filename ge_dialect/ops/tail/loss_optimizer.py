"""Losses and optimisers: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "BiasAddGrad": {
        "doc": "Sum of the gradient over all but the channel axis.",
        "in": "x: NumberType",
        "out": "y: NumberType",
        "attrs": (("data_format", "String", "NHWC"),),
    },
    "MseLoss": {
        "doc": "Mean square error.",
        "in": "predict: FLOAT; label: FLOAT",
        "out": "y: FLOAT",
        "attrs": (("reduction", "String", "mean"),),
    },
    "NLLLoss": {
        "doc": "Negative log likelihood.",
        "in": "x: FLOAT; target: int32, int64, uint8; weight?: FLOAT",
        "out": "y: FLOAT; total_weight: FLOAT",
        "attrs": (("reduction", "String", "mean"), ("ignore_index", "Int", -100)),
    },
    "NPUAllocFloatStatus": {
        "doc": "Allocates the overflow status buffer.",
        "out": "data: float32",
        "effects": "unknown",
    },
    "NPUClearFloatStatus": {
        "doc": "Clears the overflow status register.",
        "in": "addr: float32",
        "out": "data: float32",
        "effects": "unknown",
    },
    "NPUGetFloatStatus": {
        "doc": "Reads the overflow status register.",
        "in": "addr: float32",
        "out": "data: float32",
        "effects": "unknown",
    },
    "SigmoidCrossEntropyWithLogits": {
        "doc": "Sigmoid cross entropy.",
        "in": "predict: FLOAT; target: FLOAT",
        "out": "loss: FLOAT",
    },
    "SmoothL1Loss": {
        "doc": "Huber-like loss.",
        "in": "predict: FLOAT; label: FLOAT",
        "out": "loss: FLOAT",
        "attrs": (("sigma", "Float", 1.0),),
    },
    "SoftmaxCrossEntropyWithLogits": {
        "doc": "Cross entropy with dense labels; also gives the gradient.",
        "in": "features: FLOAT, float64; labels: FLOAT, float64",
        "out": "loss: FLOAT, float64; backprop: FLOAT, float64",
    },
    "SparseSoftmaxCrossEntropyWithLogits": {
        "doc": "Cross entropy with class ids; also gives the gradient.",
        "in": "features: FLOAT, float64; labels: IndexNumberType",
        "out": "loss: FLOAT, float64; backprop: FLOAT, float64",
    },
}
# fmt: on
