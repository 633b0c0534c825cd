"""Losses and optimisers: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "ApplyAdam": {
        "doc": "Adam update of a variable in place.",
        "in": (
            "var&: NumberType; m&: NumberType; v&: NumberType; beta1_power: NumberType; "
            "beta2_power: NumberType; lr: NumberType; beta1: NumberType; beta2: NumberType; "
            "epsilon: NumberType; grad: NumberType"
        ),
        "out": "var&: NumberType",
        "attrs": (("use_locking", "Bool", False), ("use_nesterov", "Bool", False)),
        "effects": "writes:var,m,v reads:var,m,v",
        "infer": "ref",
    },
    "ApplyAdamD": {
        "doc": "Adam update of variables in place (all states output).",
        "in": (
            "var&: NumberType; m&: NumberType; v&: NumberType; beta1_power: NumberType; "
            "beta2_power: NumberType; lr: NumberType; beta1: NumberType; beta2: NumberType; "
            "epsilon: NumberType; grad: NumberType"
        ),
        "out": "var&: NumberType; m&: NumberType; v&: NumberType",
        "attrs": (("use_locking", "Bool", False), ("use_nesterov", "Bool", False)),
        "effects": "writes:var,m,v reads:var,m,v",
        "infer": "ref",
    },
    "ApplyAdamW": {
        "doc": "Adam with decoupled weight decay.",
        "in": (
            "var&: NumberType; m&: NumberType; v&: NumberType; beta1_power: NumberType; "
            "beta2_power: NumberType; lr: NumberType; weight_decay: NumberType; beta1: "
            "NumberType; beta2: NumberType; epsilon: NumberType; grad: NumberType; "
            "max_grad_norm?: NumberType"
        ),
        "out": "var&: NumberType; m&: NumberType; v&: NumberType",
        "attrs": (("amsgrad", "Bool", False), ("maximize", "Bool", False)),
        "effects": "writes:var,m,v reads:var,m,v",
        "infer": "ref",
    },
    "ApplyGradientDescent": {
        "doc": "Plain gradient step in place.",
        "in": "var&: NumberType; alpha: NumberType; delta: NumberType",
        "out": "var&: NumberType",
        "attrs": (("use_locking", "Bool", False),),
        "effects": "writes:var reads:var",
        "infer": "ref",
    },
    "ApplyMomentum": {
        "doc": "Momentum update of a variable in place.",
        "in": (
            "var&: NumberType; accum&: NumberType; lr: NumberType; grad: NumberType; "
            "momentum: NumberType"
        ),
        "out": "var&: NumberType",
        "attrs": (("use_nesterov", "Bool", False), ("use_locking", "Bool", False)),
        "effects": "writes:var,accum reads:var,accum",
        "infer": "ref",
    },
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
    "SGD": {
        "doc": "SGD with momentum, dampening and nesterov.",
        "in": (
            "parameters&: FLOAT; gradient: FLOAT; learning_rate: FLOAT; accum&: FLOAT; "
            "momentum: FLOAT; stat&: FLOAT"
        ),
        "out": "parameters&: FLOAT",
        "attrs": (
            ("dampening", "Float", 0.0), ("weight_decay", "Float", 0.0),
            ("nesterov", "Bool", False),
        ),
        "effects": "writes:parameters,accum,stat reads:parameters,accum,stat",
        "infer": "ref",
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
