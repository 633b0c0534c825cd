"""Golden meaning of rotary position embedding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, widen
from ge_dialect.semantics.registry import semantics


@semantics("RotaryMul", "RotaryPositionEmbedding")
def rotary(args: list[Any], attrs: Mapping[str, Any], ctx: Context) -> Array:
    """x times cosines plus x turned by a quarter times sines."""
    x, cos, sin = (widen(a) for a in args)
    turned = np.empty_like(x)
    if attrs.get("mode"):
        turned[..., ::2], turned[..., 1::2] = -x[..., 1::2], x[..., ::2]
    else:
        half = x.shape[-1] // 2
        turned[..., :half], turned[..., half:] = -x[..., half:], x[..., :half]
    return x * cos + turned * sin
