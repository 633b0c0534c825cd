"""Recurrent networks: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
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
