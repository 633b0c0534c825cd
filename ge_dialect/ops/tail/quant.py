"""Quantisation: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "AscendWeightQuant": {
        "doc": "Applies the offset to quantised weights.",
        "in": "x: int8; offset: int8",
        "out": "y: int4, int8",
        "attrs": (("dst_type", "Int", 2),),
    },
}
# fmt: on
