"""The kernel: the same on device memory, written without the golden function."""

from __future__ import annotations

import numpy as np

from runtime.kernels.registry import Call, kernel
from runtime.kernels.views import wide


@kernel("SoftCap", layouts="*")
def soft_cap(call: Call) -> None:
    """Works on any layout: it goes element by element, and keeps the zeros of padding."""
    x, y = call.arg(0), call.outs[0]
    cap = call.attrs["cap"]
    values = wide(x.data)
    y.data[...] = np.tanh(values * values.dtype.type(1.0 / cap)) * values.dtype.type(cap)
