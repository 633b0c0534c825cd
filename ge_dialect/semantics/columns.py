"""Golden meaning of columns summed back into images."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.budget import claim
from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, int_list, widen
from ge_dialect.semantics.registry import semantics
from ge_dialect.semantics.windows import explicit_axis


@semantics("Col2im")
def col2im(args: list[Any], attrs: Mapping[str, Any], ctx: Context) -> Array:
    """One element of the window after the other, all positions at once."""
    x, sizes = widen(args[0]), int_list(args[1])
    h, w = (
        explicit_axis(size, kernel, stride, (pad, pad), dilation)
        for size, kernel, stride, pad, dilation in zip(
            sizes,
            *(attrs[k] for k in ("kernel_size", "stride", "padding", "dilation")),
            strict=True,
        )
    )
    n, c = x.shape[:2]
    tall, wide = (max(a.needed, a.before + a.size) for a in (h, w))
    claim((n, c, tall, wide), x.itemsize)
    full = np.zeros((n, c, tall, wide), x.dtype)
    parts = x.reshape(n, c, h.kernel, w.kernel, h.out, w.out)
    for i, j in np.ndindex(h.kernel, w.kernel):
        full[:, :, h.taps(i), w.taps(j)] += parts[:, :, i, j]
    return full[:, :, h.before : h.before + h.size, w.before : w.before + w.size]
