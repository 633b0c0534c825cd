"""Formats: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "TransDataRNN": {
        "doc": "TransData for recurrent formats with input and hidden sizes.",
        "in": "src: ANY",
        "out": "dst: ANY",
        "attrs": (
            ("src_format", "String"), ("dst_format", "String"), ("input_size", "Int"),
            ("hidden_size", "Int"),
        ),
    },
}
# fmt: on
