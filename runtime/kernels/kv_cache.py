"""Kernel of latent keys and values on their way into a cache: the caches' own memory is written."""

from __future__ import annotations

import numpy as np

from runtime.kernels.refusal import Refusal, refuse_where
from runtime.kernels.registry import Call, View, kernel
from runtime.kernels.unary import convert
from runtime.kernels.views import logical, store, wide


def _turned(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    """Pairs of neighbours turned; firsts of all pairs stand before seconds."""
    half = x.shape[-1] // 2
    pairs = x.reshape(*x.shape[:-1], half, 2)
    first, second = pairs[..., 0], pairs[..., 1]
    y = np.empty(x.shape, x.dtype)
    y[..., :half] = first * cos[..., :half] - second * sin[..., :half]
    y[..., half:] = second * cos[..., half:] + first * sin[..., half:]
    return y


def _scaled(x: np.ndarray, gamma: np.ndarray, epsilon: float) -> np.ndarray:
    squares = np.einsum("...i,...i->...", x, x)[..., None] / max(x.shape[-1], 1)
    return gamma * (x / np.sqrt(squares + x.dtype.type(epsilon)))


def _write(ref: View, tokens: np.ndarray, places: np.ndarray, rows: bool) -> None:
    """Tokens [batch, tokens, heads, size] to their places, [batch, tokens]."""
    cache = ref.data.reshape(ref.shape)
    limit = ref.shape[2] if rows else ref.shape[0] * ref.shape[1]
    if (places >= limit).any():
        raise Refusal("a place is out of range", found=places.tolist(), expected=f"< {limit}")
    for b, row in enumerate(places):
        target = cache[b].swapaxes(0, 1) if rows else cache.reshape(limit, *ref.shape[2:])
        for t in np.flatnonzero(row >= 0):
            target[row[t]] = tokens[b, t]


@kernel("KvRmsNormRopeCache")
def kv_rms_norm_rope_cache(call: Call) -> None:
    """Both parts, then both caches."""
    mode, refs = call.attrs.get("cache_mode", "Norm"), (call.arg(5), call.arg(6))
    whole = any(r.data.dtype == np.int8 for r in refs)
    other = whole or mode not in ("Norm", "PA", "PA_BNSD")
    other = other or any(call.opt(i) is not None for i in range(7, 12))
    found, message = f"{mode}, int8" if whole else mode, "this form of the caches is not evaluated"
    refuse_where(other, message, found=found, expected="Norm or PA")
    x, gamma, cos, sin = (wide(logical(call.arg(i))) for i in range(4))
    width = gamma.shape[0]
    with np.errstate(all="ignore"):
        results = (
            _turned(x[..., width:], cos, sin),
            _scaled(x[..., :width], gamma, float(call.attrs.get("epsilon", 1e-5))),
        )
    places = logical(call.arg(4)).reshape(x.shape[0], x.shape[2])
    for ref, out, value in zip(refs, call.outs[2:], results, strict=True):
        rounded = convert(value, out.data.dtype)
        store(out, rounded)
        _write(ref, rounded.swapaxes(1, 2), places, mode == "Norm")
    for out, ref in zip(call.outs, refs, strict=False):  # unless the plan made them one memory
        if not (ref.data.size and np.shares_memory(out.data, ref.data)):
            out.data[...] = ref.data.reshape(out.data.shape)
