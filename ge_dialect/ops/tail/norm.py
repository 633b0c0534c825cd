"""Normalisation: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "AddLayerNorm": {
        "doc": "x1+x2(+bias), then LayerNorm.",
        "in": "x1: FLOAT; x2: FLOAT; gamma: FLOAT; beta: FLOAT; bias?: FLOAT",
        "out": "y: FLOAT; mean: float32; rstd: float32; x: FLOAT",
        "attrs": (("epsilon", "Float", 1e-05), ("additional_output", "Bool", False)),
    },
    "BNInferenceD": {
        "doc": "Inference batch normalisation of the Caffe path.",
        "in": (
            "x: float16, float32; mean: float16, float32; variance: float16, float32; scale?:"
            " float16, float32; b?: float16, float32"
        ),
        "out": "y: float16, float32",
        "attrs": (
            ("momentum", "Float", 0.9), ("epsilon", "Float", 1e-05),
            ("use_global_stats", "Bool", True), ("mode", "Int", 1),
        ),
    },
    "BNTrainingReduce": {
        "doc": "First half of training BN: per-channel sum and square sum.",
        "in": "x: FLOAT",
        "out": "sum: float32; square_sum: float32",
    },
    "BNTrainingUpdate": {
        "doc": "Second half of training BN: normalises and updates running statistics.",
        "in": (
            "x: FLOAT; sum: float32; square_sum: float32; scale: float32; offset: float32; "
            "mean&: float32; variance&: float32"
        ),
        "out": (
            "y: FLOAT; mean&: float32; variance&: float32; batch_mean: float32; "
            "batch_variance: float32"
        ),
        "attrs": (("factor", "Float"), ("epsilon", "Float")),
        "effects": "writes:mean,variance reads:mean,variance",
    },
    "BatchNormGrad": {
        "doc": "Gradient of BatchNorm.",
        "in": (
            "y_backprop: FLOAT; x: FLOAT; scale: float32; reserve_space_1: float32; "
            "reserve_space_2: float32; reserve_space_3?: float32"
        ),
        "out": (
            "x_backprop: FLOAT; scale_backprop: float32; offset_backprop: float32; "
            "reserve_space_4: float32; reserve_space_5: float32"
        ),
        "attrs": (
            ("epsilon", "Float", 0.0001), ("data_format", "String", "NHWC"),
            ("is_training", "Bool", True), ("output_mask", "ListBool", [True, False, False]),
        ),
    },
    "DeepNorm": {
        "doc": "alpha*x+gx, then LayerNorm.",
        "in": "x: FLOAT; gx: FLOAT; beta: FLOAT; gamma: FLOAT",
        "out": "mean: float32; rstd: float32; y: FLOAT",
        "attrs": (("alpha", "Float", 0.3), ("epsilon", "Float", 1e-06)),
    },
    "GroupNormSilu": {
        "doc": "GroupNorm followed by SiLU.",
        "in": "x: FLOAT; gamma?: FLOAT; beta?: FLOAT",
        "out": "y: FLOAT; mean: FLOAT; rstd: FLOAT",
        "attrs": (
            ("num_groups", "Int"), ("eps", "Float", 1e-05), ("activate_silu", "Bool", True),
        ),
    },
    "LayerNormGrad": {
        "doc": "Gradient of LayerNorm.",
        "in": "dy: FLOAT; x: FLOAT; variance: FLOAT; mean: FLOAT; gamma: FLOAT",
        "out": "pd_x: FLOAT; pd_gamma: FLOAT; pd_beta: FLOAT",
    },
}
# fmt: on
