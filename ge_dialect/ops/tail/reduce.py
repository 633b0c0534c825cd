"""Reductions: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "ArgMaxWithValue": {
        "doc": "Index and value of the maximum along an attribute axis.",
        "in": "x: FLOAT, IndexNumberType",
        "out": "indice: IndexNumberType; values: FLOAT, IndexNumberType",
        "attrs": (
            ("dimension", "Int"), ("keep_dims", "Bool", False), ("indice_dtype", "Type", "int32"),
        ),
    },
    "ArgMinWithValue": {
        "doc": "Index and value of the minimum along an attribute axis.",
        "in": "x: FLOAT, IndexNumberType",
        "out": "indice: IndexNumberType; values: FLOAT, IndexNumberType",
        "attrs": (
            ("dimension", "Int"), ("keep_dims", "Bool", False), ("indice_dtype", "Type", "int32"),
        ),
    },
    "LpNorm": {
        "doc": "p-norm over axes.",
        "in": "x: FLOAT",
        "out": "y: FLOAT",
        "attrs": (
            ("p", "Int", 2), ("axes", "ListInt", []), ("keepdim", "Bool", False),
            ("epsilon", "Float", 1e-12),
        ),
    },
    "ReduceLogSumExp": {
        "doc": "log of the sum of exponents over axes.",
        "in": "x: FLOAT; axes: IndexNumberType",
        "out": "y: FLOAT",
        "attrs": (("keep_dims", "Bool", False), ("noop_with_empty_axes", "Bool", False)),
    },
}
# fmt: on
