"""Kernels of running sums and products, on ND."""

from __future__ import annotations

import numpy as np

from runtime.kernels.registry import Call, kernel
from runtime.kernels.views import logical, store, wide


def _run(call: Call, combine: np.ufunc, identity: int) -> None:
    x, out = wide(logical(call.arg(0))), call.outs[0]
    axis = call.ints(1)[0] % max(x.ndim, 1)
    rows = np.moveaxis(x, axis, 0)
    total = np.empty_like(rows)
    state = np.full(rows.shape[1:], identity, x.dtype)
    size = rows.shape[0]
    exclusive = bool(call.attrs.get("exclusive", False))
    for i in range(size):
        at = size - 1 - i if call.attrs.get("reverse", False) else i
        after = combine(state, rows[at])
        total[at] = state if exclusive else after
        state = after.astype(x.dtype)
    store(out, np.moveaxis(total, 0, axis))


@kernel("Cumsum")
def cumsum(call: Call) -> None:
    """One step along the axis after the other."""
    _run(call, np.add, 0)


@kernel("Cumprod")
def cumprod(call: Call) -> None:
    """One step along the axis after the other."""
    _run(call, np.multiply, 1)
