"""Golden meaning of running sums and products."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, axis_order, scalar, widen
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


def _running(args: list[Any], attrs: Attrs, ctx: Context, fn: Any, identity: int) -> Array:
    x = widen(args[0])
    axis = axis_order([scalar(args[1], "axis", ctx)], x.ndim, ctx)[0]
    if attrs["reverse"]:
        x = np.flip(x, axis)
    if x.dtype.kind in "iu":  # modulo 2**64, wrapped to the dtype at the end
        total = fn(x, axis=axis, dtype=x.dtype.kind + "8")
    else:
        total = fn(x, axis=axis)
    if attrs["exclusive"]:
        head = np.full_like(np.take(total, [0] if x.shape[axis] else [], axis=axis), identity)
        rest = np.take(total, np.arange(max(x.shape[axis] - 1, 0)), axis=axis)
        total = np.concatenate([head, rest], axis=axis)
    return np.flip(total, axis) if attrs["reverse"] else total


@semantics("Cumsum")
def cumsum(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Sums of the elements up to each place."""
    return _running(args, attrs, ctx, np.cumsum, 0)


@semantics("Cumprod")
def cumprod(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Products of the elements up to each place."""
    return _running(args, attrs, ctx, np.cumprod, 1)
