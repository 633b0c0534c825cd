"""Broadcasting: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "Addcdiv": {
        "doc": "x + x1/x2*value.",
        "in": (
            "input_data: FLOAT, float64, int64; x1: FLOAT, float64, int64; x2: FLOAT, "
            "float64, int64; value: FLOAT, float64, int32, int64"
        ),
        "out": "y: FLOAT, float64, int64",
    },
    "Addcmul": {
        "doc": "x + x1*x2*value.",
        "in": "input_data: T; x1: T; x2: T; value: T",
        "out": "y: T",
        "types": {"T": "FLOAT, float64, int8, int32, int64, uint8"},
        "infer": "broadcast",
    },
    "Bias": {
        "doc": "Adds a bias over axes.",
        "in": "x: T; bias: T",
        "out": "y: T",
        "attrs": (("axis", "Int", 1), ("num_axes", "Int", 1), ("bias_from_blob", "Bool", True)),
        "types": {"T": "float16, float32"},
        "infer": "broadcast",
    },
    "Eltwise": {
        "doc": "Sum, product or max over N tensors, with coefficients.",
        "in": "x*: T",
        "out": "y: T",
        "attrs": (("N", "Int"), ("mode", "Int", 1), ("coeff", "ListFloat", [])),
        "types": {"T": "FLOAT"},
        "infer": "same",
    },
    "FusedMulAddN": {
        "doc": "x1*x2+x3 with scalar x3.",
        "in": "x1: T; x2: T; x3: T",
        "out": "y: T",
        "types": {"T": "FLOAT, int16, int32"},
        "infer": "broadcast",
    },
    "Lerp": {
        "doc": "start + weight*(end-start).",
        "in": "start: T; end: T; weight: T",
        "out": "y: T",
        "types": {"T": "FLOAT"},
        "infer": "broadcast",
    },
    "Scale": {
        "doc": "Per-channel x*scale+bias over axes.",
        "in": "x: T; scale: T; bias?: T",
        "out": "y: T",
        "attrs": (("axis", "Int", 1), ("num_axes", "Int", 1), ("scale_from_blob", "Bool", True)),
        "types": {"T": "float16, float32"},
        "infer": "broadcast",
    },
    "Xlogy": {
        "doc": "x*log(y), 0 where x is 0.",
        "in": "x1: T; x2: T",
        "out": "y: T",
        "types": {"T": "FLOAT, float64, complex128, complex64"},
        "infer": "broadcast",
    },
}
# fmt: on
