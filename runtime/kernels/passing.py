"""Kernels that hand on: copies, and joins by place."""

from __future__ import annotations

import numpy as np

from runtime.kernels.registry import Call, kernel
from runtime.kernels.views import logical, store


@kernel(
    "StopGradient",
    "PreventGradient",
    "GuaranteeConst",
    "PlaceholderWithDefault",
    "PlaceHolder",
    "End",
    "MemcpyAsync",
    "MemcpyAddrAsync",
    "RefIdentity",
    layouts="*",
)
def copy(call: Call) -> None:
    """The bytes, unless input and result are one place."""
    x, y = call.arg(0), call.outs[0]
    if x.data.size and np.shares_memory(x.data, y.data):
        return
    if x.data.shape == y.data.shape and x.format == y.format:
        y.data[...] = x.data
    else:
        store(y, logical(x))


@kernel("IdentityN")
def identity_n(call: Call) -> None:
    """Each input."""
    for view, out in zip(call.many(0), call.outs, strict=True):
        store(out, logical(view).copy())


@kernel("PhonyConcat")
def phony_concat(call: Call) -> None:
    """Each part at its place."""
    (axis,), at = call.attrs["concat_dim"], 0
    parts = [logical(v) for v in call.many(0)]
    value = np.zeros(call.outs[0].shape, parts[0].dtype)
    along = np.moveaxis(value, axis, 0)
    for part in parts:
        size = part.shape[axis]
        along[at : at + size] = np.moveaxis(part, axis, 0)
        at += size
    store(call.outs[0], value)


@kernel("PhonySplit")
def phony_split(call: Call) -> None:
    """Each part from its place."""
    (axis,) = call.attrs["split_dim"]
    x = np.moveaxis(logical(call.arg(0)), axis, 0)
    size = len(x) // max(len(call.outs), 1)
    for i, out in enumerate(call.outs):
        store(out, np.ascontiguousarray(np.moveaxis(x[i * size : (i + 1) * size], 0, axis)))
