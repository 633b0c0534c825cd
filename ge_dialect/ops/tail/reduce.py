"""Reductions: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "LpNorm": {
        "doc": "p-norm over axes.",
        "in": "x: FLOAT",
        "out": "y: FLOAT",
        "attrs": (
            ("p", "Int", 2), ("axes", "ListInt", []), ("keepdim", "Bool", False),
            ("epsilon", "Float", 1e-12),
        ),
    },
}
# fmt: on
