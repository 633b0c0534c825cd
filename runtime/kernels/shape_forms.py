"""Kernels of shapes as values and of changes of shape, on ND."""

from __future__ import annotations

import numpy as np

from runtime.kernels.refusal import Refusal
from runtime.kernels.registry import Call, kernel
from runtime.kernels.views import logical, store


@kernel("ShapeN")
def shape_n(call: Call) -> None:
    """The dims of each view."""
    for view, out in zip(call.many(0), call.outs, strict=True):
        for i, size in enumerate(view.shape):
            out.data.reshape(-1)[i] = size


@kernel("GatherShapes")
def gather_shapes(call: Call) -> None:
    """Dims one by one."""
    views = call.many(0)
    for i, (index, axis) in enumerate(call.attrs["axes"]):
        call.outs[0].data.reshape(-1)[i] = views[index].shape[axis]


@kernel("BroadcastArgs")
def broadcast_args(call: Call) -> None:
    """From the last dim on, the one that is not 1."""
    a, b = call.ints(0)[::-1], call.ints(1)[::-1]
    out = call.outs[0].data.reshape(-1)
    for i in range(max(len(a), len(b))):
        x, y = (s[i] if i < len(s) else 1 for s in (a, b))
        if x != y and 1 not in (x, y):
            message, found = "the shapes do not broadcast", f"{x} and {y}"
            raise Refusal(message, code="GX-221", found=found, expected="equal or 1")
        out[out.size - 1 - i] = y if x == 1 else x


@kernel("ConcatOffset")
def concat_offset(call: Call) -> None:
    """A running sum."""
    (axis,), at = call.ints(0), 0
    for view, out in zip(call.many(1), call.outs, strict=True):
        row = out.data.reshape(-1)
        row[:] = 0
        row[axis] = at
        with np.errstate(over="ignore"):
            at = row[axis] + view.data.reshape(-1)[axis]


@kernel("FlattenV2", "SqueezeV2", "UnsqueezeV2", "TransShape", "ReFormat")
def same_elements(call: Call) -> None:
    """The elements in their order."""
    store(call.outs[0], np.ravel(logical(call.arg(0))).reshape(call.outs[0].shape))


@kernel("Permute")
def permute(call: Call) -> None:
    """Axis by axis to its place."""
    order = list(call.attrs["order"])
    rank = len(order)
    x = logical(call.arg(0))
    places = [a % rank for a in order] if rank else []
    store(call.outs[0], np.moveaxis(x, places, range(rank)) if rank else x)
