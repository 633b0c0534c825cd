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
