"""Kernels of masks, triangles, one-hot codes and sequences, on ND."""

from __future__ import annotations

import numpy as np

from runtime.kernels.registry import Call, kernel
from runtime.kernels.views import is_narrow, logical, store


@kernel("MaskedFill")
def masked_fill(call: Call) -> None:
    """A copy, written over where the mask is true."""
    out = call.outs[0]
    value = np.broadcast_to(logical(call.arg(0)), out.shape).copy()
    mask = np.broadcast_to(logical(call.arg(1)), out.shape)
    value[mask] = call.arg(2).data.reshape(-1)[0]
    store(out, value)


@kernel("OneHot")
def one_hot(call: Call) -> None:
    """Off everywhere, then on at one place per index."""
    index, out = logical(call.arg(0)).astype(np.int64), call.outs[0]
    axis = int(call.attrs.get("axis", -1)) % len(out.shape)
    depth = out.shape[axis]
    value = np.empty((depth, *index.shape), out.data.dtype)
    value[...] = call.arg(3).data.reshape(-1)[0]
    on = call.arg(2).data.reshape(-1)[0]
    for place in np.ndindex(index.shape):
        if 0 <= index[place] < depth:
            value[(index[place], *place)] = on
    store(out, np.moveaxis(value, 0, axis))


@kernel("Range")
def range_(call: Call) -> None:
    """Start and a multiple of the step; narrow floats in float32."""
    out = call.outs[0]
    kind = np.dtype(np.float32) if is_narrow(out.data.dtype) else out.data.dtype
    start, _, step = (call.arg(i).data.reshape(-1)[0].astype(kind) for i in range(3))
    steps = np.arange(out.shape[0]).astype(kind)
    store(out, (steps * step + start).astype(out.data.dtype))


def _triangle(call: Call, *, lower: bool) -> None:
    x = logical(call.arg(0)).copy()
    k = int(call.attrs.get("diagonal", 0))
    rows, columns = x.shape[-2:]
    for row in range(rows):
        first = min(max(row + k + (1 if lower else 0), 0), columns)
        gone = slice(first, None) if lower else slice(0, first)
        x[..., row, gone] = 0
    store(call.outs[0], x)


@kernel("Tril")
def tril(call: Call) -> None:
    """Row by row, zeros behind the diagonal."""
    _triangle(call, lower=True)


@kernel("Triu")
def triu(call: Call) -> None:
    """Row by row, zeros before the diagonal."""
    _triangle(call, lower=False)


@kernel("ReverseV2")
def reverse_v2(call: Call) -> None:
    """Slices with a step of -1."""
    x = logical(call.arg(0))
    axes = {a % x.ndim for a in call.ints(1)}
    store(call.outs[0], x[tuple(slice(None, None, -1 if i in axes else 1) for i in range(x.ndim))])
