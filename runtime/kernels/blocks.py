"""Kernels of made tensors, triangles, paddings and blocks, on ND."""

from __future__ import annotations

import numpy as np

from runtime.kernels.registry import Call, kernel
from runtime.kernels.views import logical, store, wide


@kernel("Empty", "ParallelConcatStart", "_ParallelConcatStart")
def empty(call: Call) -> None:
    """Zero bytes."""
    call.outs[0].data[...] = np.zeros((), call.outs[0].data.dtype)


@kernel("Eye")
def eye(call: Call) -> None:
    """One row after the other."""
    out = call.outs[0]
    value = np.zeros(out.shape, out.data.dtype)
    for i in range(min(out.shape[-2:])):
        value[..., i, i] = np.ones((), value.dtype)
    store(out, value)


@kernel("Diag")
def diag(call: Call) -> None:
    """Elements at a step of one row and one column."""
    x, out = logical(call.arg(0)), call.outs[0]
    value = np.zeros(out.data.size, x.dtype)
    value[:: x.size + 1] = x.reshape(-1)
    store(out, value.reshape(out.shape))


@kernel("LinSpace")
def lin_space(call: Call) -> None:
    """Both ends, and shares of the way between them."""
    start, stop = (float(wide(call.arg(i).data.reshape(-1)[:1])[0]) for i in (0, 1))
    out = call.outs[0]
    count = out.shape[0]
    share = np.arange(count) / max(count - 1, 1)
    with np.errstate(all="ignore"):
        value = start + np.float64(stop - start) * share
        value[:1] = start
        if count > 1:
            value[-1] = stop
        store(out, value.astype(out.data.dtype))


@kernel("PadV2")
def pad_v2(call: Call) -> None:
    """Axis by axis from pieces."""
    x = logical(call.arg(0))
    table = logical(call.arg(1))
    value = call.arg(2).data.reshape(-1)[0]
    for axis, (before, behind) in enumerate(table.tolist()):
        lead, tail = list(x.shape), list(x.shape)
        lead[axis], tail[axis] = before, behind
        parts = [np.full(lead, value, x.dtype), x, np.full(tail, value, x.dtype)]
        x = np.concatenate(parts, axis=axis)
    store(call.outs[0], x)


@kernel("Trilu")
def trilu(call: Call) -> None:
    """Row by row from where it starts, or to where it ends."""
    x = logical(call.arg(0))
    k = 0 if call.opt(1) is None else call.ints(1)[0]
    value = np.zeros_like(x)
    for i in range(x.shape[-2]):
        edge = min(max(i + k + (0 if call.attrs["upper"] else 1), 0), x.shape[-1])
        part = slice(edge, None) if call.attrs["upper"] else slice(0, edge)
        value[..., i, part] = x[..., i, part]
    store(call.outs[0], value)


@kernel("SpaceToBatchND")
def space_to_batch_nd(call: Call) -> None:
    """Each place of a block is a strided slice of the padded tensor."""
    x, sizes, pads = logical(call.arg(0)), call.ints(1), logical(call.arg(2)).tolist()
    padded = np.zeros(
        (x.shape[0], *(d + a + b for d, (a, b) in zip(x.shape[1:], pads, strict=False)),
         *x.shape[len(pads) + 1 :]), x.dtype,
    )  # fmt: skip
    inside = tuple(slice(a, a + d) for d, (a, _) in zip(x.shape[1:], pads, strict=False))
    padded[(slice(None), *inside)] = x
    out = call.outs[0]
    value = np.zeros(out.shape, x.dtype)
    for number, place in enumerate(np.ndindex(*sizes)):
        cut = tuple(slice(p, None, b) for p, b in zip(place, sizes, strict=True))
        value[number * len(x) : (number + 1) * len(x)] = padded[(slice(None), *cut)]
    store(out, value)


@kernel("BatchToSpaceND")
def batch_to_space_nd(call: Call) -> None:
    """Each part of the batch goes to a strided slice."""
    x, sizes, crops = logical(call.arg(0)), call.ints(1), logical(call.arg(2)).tolist()
    batch = len(x) // int(np.prod(sizes))
    space = [d * b for d, b in zip(x.shape[1:], sizes, strict=False)]
    whole = np.zeros((batch, *space, *x.shape[len(sizes) + 1 :]), x.dtype)
    for number, place in enumerate(np.ndindex(*sizes)):
        cut = tuple(slice(p, None, b) for p, b in zip(place, sizes, strict=True))
        whole[(slice(None), *cut)] = x[number * batch : (number + 1) * batch]
    inside = tuple(slice(a, d - b) for d, (a, b) in zip(space, crops, strict=True))
    store(call.outs[0], whole[(slice(None), *inside)])


@kernel("Expand")
def expand(call: Call) -> None:
    """Repeated along the axes of size 1."""
    x, out = logical(call.arg(0)), call.outs[0]
    x = x.reshape(*(1,) * (len(out.shape) - x.ndim), *x.shape)
    for axis, size in enumerate(out.shape):
        if x.shape[axis] != size:
            x = np.repeat(x, size, axis=axis)
    store(out, x)


@kernel("MatrixDiagV2")
def matrix_diag_v2(call: Call) -> None:
    """Diagonal by diagonal."""
    diagonal, k, out = logical(call.arg(0)), call.ints(1), call.outs[0]
    value = np.full(out.shape, call.arg(4).data.reshape(-1)[0], diagonal.dtype)
    rows, columns = out.shape[-2:]
    for number, d in enumerate(range(k[-1], k[0] - 1, -1)):
        line = diagonal if k[0] == k[-1] else diagonal[..., number, :]
        for place in range(min(rows + min(d, 0), columns - max(d, 0))):
            value[..., place - min(d, 0), place + max(d, 0)] = line[..., place]
    store(out, value)
