"""Kernels of shifts and of bytes read as another dtype, on ND."""

from __future__ import annotations

import numpy as np

from runtime.kernels.registry import Call, kernel
from runtime.kernels.views import logical, store


def _shift(call: Call, *, left: bool) -> None:
    """Bit by bit: doubled, or halved and rounded down, as often as the count says."""
    x, count = np.broadcast_arrays(logical(call.arg(0)), logical(call.arg(1)))
    width = x.dtype.itemsize * 8
    value = x.copy()
    gone = (count < 0) | (count >= width)
    for step in range(width):
        active = gone | (count > step)
        moved = value + value if left else value // 2
        value = np.where(active, moved, value).astype(x.dtype)
    store(call.outs[0], value)


@kernel("LeftShift")
def left_shift(call: Call) -> None:
    """x doubled."""
    _shift(call, left=True)


@kernel("RightShift")
def right_shift(call: Call) -> None:
    """x halved."""
    _shift(call, left=False)


@kernel("Bitcast")
def bitcast(call: Call) -> None:
    """The bytes as they are."""
    out = call.outs[0]
    raw = np.frombuffer(np.ascontiguousarray(logical(call.arg(0))).tobytes(), out.data.dtype)
    store(out, raw.reshape(out.shape))
