"""Golden meaning of latent keys and values on their way into a cache."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context, Ref
from ge_dialect.semantics.numerics import Array, cast, widen
from ge_dialect.semantics.registry import semantics
from ge_dialect.semantics.variables import held

Attrs = Mapping[str, Any]


@semantics("KvRmsNormRopeCache")
def kv_rms_norm_rope_cache(
    args: list[Any], attrs: Attrs, ctx: Context
) -> tuple[Ref, Ref, Array, Array]:
    """Both parts computed wide, then rounded into their places."""
    kv, gamma, cos, sin, index, keys, latents, *others = args
    mode = attrs["cache_mode"]
    whole = any(held(c, ctx).dtype == np.int8 for c in (keys, latents))
    if whole or mode not in ("Norm", "PA", "PA_BNSD") or any(o is not None for o in others):
        found = f"{mode}, int8" if whole else mode
        ctx.fail("this form of the caches is not evaluated", found=found, expected="Norm or PA")
    x, width = widen(kv), gamma.shape[0]
    latent, rest = x[..., :width], x[..., width:]
    mean = np.mean(latent * latent, axis=-1, keepdims=True) if width else latent
    c_kv = latent / np.sqrt(mean + x.dtype.type(attrs["epsilon"])) * widen(gamma)
    even, odd = rest[..., 0::2], rest[..., 1::2]
    k_rope = np.concatenate([even, odd], -1) * widen(cos)
    k_rope = k_rope + np.concatenate([-odd, even], -1) * widen(sin)
    for cell, tokens in ((keys, k_rope), (latents, c_kv)):
        cell.value = _written(held(cell, ctx).copy(), tokens, index, mode == "Norm", ctx)
    return keys, latents, k_rope, c_kv


def _written(cache: Array, tokens: Array, index: Array, rows: bool, ctx: Context) -> Array:
    """The cache with the tokens at their places."""
    limit = cache.shape[2] if rows else cache.shape[0] * cache.shape[1]
    if index.size and index.max() >= limit:
        ctx.fail("a place is out of range", found=index.tolist(), expected=f"< {limit}")
    tokens = cast(tokens, cache.dtype)
    batch, _, count, _ = tokens.shape
    if rows and batch > len(cache):
        ctx.fail("the cache has fewer rows than kv", found=len(cache), expected=f"≥ {batch}")
    for b in range(batch):
        for t in range(count):
            place = int(index[b, t] if rows else index[b * count + t])
            if place < 0:
                continue
            if rows:
                cache[b, :, place] = tokens[b, :, t]
            else:
                block, inside = divmod(place, cache.shape[1])
                cache[block, inside] = tokens[b, :, t]
    return cache
