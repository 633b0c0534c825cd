"""Recurrent networks: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "BasicLSTMCell": {
        "doc": "One LSTM step.",
        "in": (
            "x: float16; h: float16; c: float16, float32; w: float16; b: float16, float32; "
            "mask?: uint8"
        ),
        "out": (
            "ct: float16, float32; ht: float16; it: float16, float32; jt: float16, float32; "
            "ft: float16, float32; ot: float16, float32; tanhct: float16, float32"
        ),
        "attrs": (
            ("keep_prob", "Float", 1.0), ("forget_bias", "Float", 1.0),
            ("state_is_tuple", "Bool", True), ("activation", "String", "tanh"),
        ),
    },
    "DynamicGRUV2": {
        "doc": "GRU over time.",
        "in": (
            "x: float16; weight_input: float16; weight_hidden: float16; bias_input?: float16,"
            " float32; bias_hidden?: float16, float32; seq_length?: float16, int32; init_h?: "
            "float16, float32"
        ),
        "out": (
            "y: float16, float32; output_h: float16, float32; update: float16, float32; "
            "reset: float16, float32; new: float16, float32; hidden_new: float16, float32"
        ),
        "attrs": (
            ("direction", "String", "UNIDIRECTIONAL"), ("cell_depth", "Int", 1),
            ("keep_prob", "Float", 1.0), ("cell_clip", "Float", -1.0), ("num_proj", "Int", 0),
            ("time_major", "Bool", True), ("activation", "String", "tanh"),
            ("gate_order", "String", "zrh"), ("reset_after", "Bool", True),
            ("is_training", "Bool", True),
        ),
    },
    "DynamicRNN": {
        "doc": "LSTM over time with gates saved for training.",
        "in": (
            "x: float16, float32; w: float16, float32; b: float16, float32; seq_length?: "
            "float16, float32, int32; init_h?: float16, float32; init_c?: float16, float32; "
            "wci?: float16, float32; wcf?: float16, float32; wco?: float16, float32; mask?: "
            "uint8"
        ),
        "out": (
            "y: float16, float32; output_h: float16, float32; output_c: float16, float32; i: "
            "float16, float32; j: float16, float32; f: float16, float32; o: float16, float32;"
            " tanhc: float16, float32"
        ),
        "attrs": (
            ("cell_type", "String", "LSTM"), ("direction", "String", "UNIDIRECTIONAL"),
            ("cell_depth", "Int", 1), ("use_peephole", "Bool", False),
            ("keep_prob", "Float", 1.0), ("cell_clip", "Float", -1.0), ("num_proj", "Int", 0),
            ("time_major", "Bool", True), ("activation", "String", "tanh"),
            ("forget_bias", "Float", 0.0), ("gate_order", "String", "ijfo"),
            ("is_training", "Bool", True),
        ),
    },
    "LSTM": {
        "doc": "Caffe-style LSTM over a sequence.",
        "in": (
            "x: float16; cont: float16, float32; w_x: float16; bias: float16, float32, int16,"
            " int32; w_h: float16; x_static?: float16; h_0?: float16, float32; c_0?: float16,"
            " float32; w_x_static?: float16"
        ),
        "out": "h: float16, float32; h_t: float16, float32; c_t: float16, float32",
        "attrs": (("num_output", "Int", 0), ("expose_hidden", "Bool", False)),
    },
}
# fmt: on
