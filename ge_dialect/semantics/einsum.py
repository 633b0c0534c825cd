"""Golden meaning of contractions by an equation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, widen_all
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


@semantics("Einsum")
def einsum(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Sum of products; narrow floats in f32, integers modulo 2**64 before the final wrap."""
    parts = widen_all(args[0])
    if parts[0].dtype.kind in "iu":
        parts = [p.astype(p.dtype.kind + "8") for p in parts]
    equation = "".join(attrs["equation"].split())
    return np.einsum(equation, *parts, optimize=len(parts) > 2)
