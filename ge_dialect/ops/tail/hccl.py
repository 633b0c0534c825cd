"""Collective communication: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "HcomRemoteRead": {
        "doc": "One-sided read from remote memory.",
        "in": "remote: int64, uint64",
        "out": "local: ANY",
        "attrs": (("dtype", "Type"),),
        "effects": "unknown",
    },
    "HcomRemoteWrite": {
        "doc": "One-sided write to remote memory.",
        "in": "remote: int64, uint64; local: ANY",
        "effects": "unknown",
    },
}
# fmt: on
