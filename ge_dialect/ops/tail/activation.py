"""Activations: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "DequantSwigluQuant": {
        "doc": "Dequantise, SwiGlu and quantise in one kernel.",
        "in": (
            "x: float16, bfloat16, int32; weight_scale?: float32; activation_scale?: float32;"
            " bias?: FLOAT, int32; quant_scale?: FLOAT; quant_offset?: FLOAT; group_index?: "
            "IndexNumberType"
        ),
        "out": (
            "y: int8, float4_e1m2, float4_e2m1, float8_e4m3fn, float8_e5m2, hifloat8; scale: "
            "float32"
        ),
        "attrs": (
            ("activate_left", "Bool", False), ("quant_mode", "String", "static"),
            ("dst_type", "Int", 2), ("round_mode", "String", "rint"), ("activate_dim", "Int", -1),
            ("swiglu_mode", "Int", 0), ("clamp_limit", "Float", 7.0),
            ("glu_alpha", "Float", 1.702), ("glu_bias", "Float", 1.0),
        ),
    },
    "FastGelu": {
        "doc": "Cheap sigmoid form of Gelu.",
        "in": "x: T",
        "out": "y: T",
        "types": {"T": "FLOAT"},
        "infer": "same",
    },
    "GeGluV2": {
        "doc": "Halves the input and multiplies one half by gelu of the other.",
        "in": "x: T",
        "out": "y: T; gelu: T",
        "attrs": (
            ("dim", "Int", -1), ("approximate", "Int", 1), ("activate_left", "Bool", False),
        ),
        "types": {"T": "bfloat16, float16, float32"},
    },
    "GeluGrad": {
        "doc": "Gradient of Gelu.",
        "in": "dy: T; x: T; y: T",
        "out": "z: T",
        "types": {"T": "FLOAT"},
        "infer": "broadcast",
    },
    "SigmoidGrad": {
        "doc": "Gradient of Sigmoid.",
        "in": "y: T; dy: T",
        "out": "z: T",
        "attrs": (("complex_conj", "Bool", False),),
        "types": {"T": "FLOAT, float64"},
        "infer": "broadcast",
    },
    "SoftmaxGrad": {
        "doc": "Gradient of Softmax.",
        "in": "softmax: T; grad_softmax: T",
        "out": "grad_x: T",
        "attrs": (("axes", "ListInt", [-1]),),
        "types": {"T": "FLOAT"},
        "infer": "broadcast",
    },
    "SwiGluGrad": {
        "doc": "Gradient of SwiGlu.",
        "in": "y_grad: T; x: T",
        "out": "x_grad: T",
        "attrs": (("dim", "Int", -1),),
        "types": {"T": "bfloat16, float16, float32"},
    },
    "TanhGrad": {
        "doc": "Gradient of Tanh.",
        "in": "y: T; dy: T",
        "out": "z: T",
        "attrs": (("complex_conj", "Bool", False),),
        "types": {"T": "UnaryDataType"},
        "infer": "broadcast",
    },
    "ThresholdedRelu": {
        "doc": "x where x>alpha, otherwise 0.",
        "in": "x: T",
        "out": "y: T",
        "attrs": (("alpha", "Float", 1.0),),
        "types": {"T": "float16, float32"},
        "infer": "same",
    },
}
# fmt: on
