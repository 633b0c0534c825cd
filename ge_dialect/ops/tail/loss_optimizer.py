"""Losses and optimisers: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
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
    "NPUClearFloatStatusV2": {
        "doc": "Clears the overflow status of the core.",
        "effects": "unknown",
    },
    "NPUGetFloatStatusV2": {
        "doc": "Reads the overflow status of the core.",
        "out": "data: int32",
        "effects": "unknown",
    },
}
# fmt: on
