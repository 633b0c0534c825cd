"""The golden meaning: what the operator computes, on logical arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ge_dialect.semantics.numerics import widen


def soft_cap(args: list[Any], attrs: dict[str, Any], ctx: Any) -> Any:
    """cap * tanh(x / cap), computed in float32 for narrower floats, as the policy has it."""
    x = widen(args[0])
    cap = x.dtype.type(attrs["cap"])
    return cap * np.tanh(x / cap)
