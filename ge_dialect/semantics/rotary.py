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
    if x.shape[-1] % 2:
        ctx.fail("pairs are turned", found=f"{x.shape[-1]} numbers", expected="an even number")
    turned = np.empty_like(x)
    if attrs.get("mode"):
        turned[..., ::2], turned[..., 1::2] = -x[..., 1::2], x[..., ::2]
    else:
        half = x.shape[-1] // 2
        turned[..., :half], turned[..., half:] = -x[..., half:], x[..., :half]
    return x * cos + turned * sin


def _quarter_turn(x: Array, mode: str) -> Array:
    """x turned by a quarter, with its pairs where the mode has them."""
    turned = np.empty_like(x)
    if mode == "interleave":
        turned[..., ::2], turned[..., 1::2] = -x[..., 1::2], x[..., ::2]
        return turned
    pieces = 4 if mode == "quarter" else 2
    parts = np.split(x, pieces, axis=-1)
    order = [p for i in range(0, pieces, 2) for p in (-parts[i + 1], parts[i])]
    return np.concatenate(order, axis=-1)


@semantics("ApplyRotaryPosEmb")
def apply_rotary_pos_emb(
    args: list[Any], attrs: Mapping[str, Any], ctx: Context
) -> tuple[Array, Array]:
    """Query and key, each times cosines plus itself turned times sines."""
    cos, sin = widen(args[2]), widen(args[3])
    query, key = (
        x * cos + _quarter_turn(x, attrs["rotary_mode"]) * sin for x in map(widen, args[:2])
    )
    return query, key


@semantics("InterleaveRope")
def interleave_rope(args: list[Any], attrs: Mapping[str, Any], ctx: Context) -> Array:
    """The even elements before the odd ones, then as RotaryMul."""
    x, cos, sin = (widen(a) for a in args)
    x = np.concatenate([x[..., ::2], x[..., 1::2]], axis=-1)
    return x * cos + _quarter_turn(x, "half") * sin
