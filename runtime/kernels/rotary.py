"""Kernels of rotary position embedding, on ND."""

from __future__ import annotations

import numpy as np

from runtime.kernels.registry import Call, kernel
from runtime.kernels.views import logical, store, wide


@kernel("RotaryMul", "RotaryPositionEmbedding")
def rotary(call: Call) -> None:
    """Both elements of each pair from the two-by-two rotation, pair by pair."""
    x, cos, sin = (wide(logical(call.arg(i))) for i in range(3))
    pairs = (*x.shape[:-1], 2, x.shape[-1] // 2)
    axis = -2
    if call.attrs.get("mode"):
        pairs, axis = (*x.shape[:-1], x.shape[-1] // 2, 2), -1
    u, c, s = (np.broadcast_to(a, x.shape).reshape(pairs) for a in (x, cos, sin))
    a, b = u.take(0, axis), u.take(1, axis)
    first = a * c.take(0, axis) - b * s.take(0, axis)
    second = b * c.take(1, axis) + a * s.take(1, axis)
    store(call.outs[0], np.stack([first, second], axis=axis).reshape(x.shape))


def _by_partner(x: np.ndarray, cos: np.ndarray, sin: np.ndarray, partner: np.ndarray) -> np.ndarray:
    """Each element with the one it is paired with: the first of a pair takes it negated."""
    sign = np.where(partner > np.arange(partner.size), -1, 1).astype(x.dtype)
    return x * cos + sign * x[..., partner] * sin


@kernel("ApplyRotaryPosEmb")
def apply_rotary_pos_emb(call: Call) -> None:
    """By the place of each element's partner."""
    cos, sin = wide(logical(call.arg(2))), wide(logical(call.arg(3)))
    mode = call.attrs["rotary_mode"]
    for i in range(2):
        x = wide(logical(call.arg(i)))
        size = x.shape[-1]
        place = np.arange(size)
        if mode == "interleave":
            partner = place ^ 1
        else:
            whole = size // 2 if mode == "quarter" else size
            inside = (place % max(whole, 1) + whole // 2) % max(whole, 1)
            partner = place - place % max(whole, 1) + inside
        store(call.outs[i], _by_partner(x, cos, sin, partner))


@kernel("InterleaveRope")
def interleave_rope(call: Call) -> None:
    """By the places of the elements that meet."""
    x, cos, sin = (wide(logical(call.arg(i))) for i in range(3))
    size = x.shape[-1]
    taken = np.arange(size).reshape(-1, 2).T.reshape(-1)
    partner = (np.arange(size) + size // 2) % max(size, 1)
    store(call.outs[0], _by_partner(x[..., taken], cos, sin, partner))
