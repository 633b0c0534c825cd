"""Kernels of moves by a fixed rule, on ND."""

from __future__ import annotations

import numpy as np

from runtime.kernels.registry import Call, kernel
from runtime.kernels.views import logical, store


@kernel("DepthToSpace")
def depth_to_space(call: Call) -> None:
    """Each place of the block is one strided write."""
    x, out = logical(call.arg(0)), call.outs[0]
    b = int(call.attrs["block_size"])
    channel = 3 if call.attrs.get("data_format", "NHWC") == "NHWC" else 1
    kept = out.shape[channel]
    y = np.empty(out.shape, x.dtype)
    for row in range(b):
        for column in range(b):
            place = row * b + column
            if call.attrs.get("mode", "DCR") == "DCR":
                part = slice(place * kept, (place + 1) * kept)
            else:
                part = slice(place, None, b * b)
            if channel == 3:
                y[:, row::b, column::b, :] = x[..., part]
            else:
                y[:, :, row::b, column::b] = x[:, part]
    store(out, y)


@kernel("SpaceToDepth")
def space_to_depth(call: Call) -> None:
    """Each place of the block is one strided read."""
    x, b = logical(call.arg(0)), int(call.attrs["block_size"])
    if call.attrs.get("data_format", "NHWC") == "NHWC":
        parts = [x[:, r::b, c::b, :] for r in range(b) for c in range(b)]
        store(call.outs[0], np.concatenate(parts, axis=3))
    else:
        parts = [x[:, :, r::b, c::b] for r in range(b) for c in range(b)]
        store(call.outs[0], np.concatenate(parts, axis=1))


@kernel("Roll")
def roll(call: Call) -> None:
    """Two blocks change places, axis by axis."""
    x = logical(call.arg(0))
    shifts, dims = list(call.attrs["shifts"]), list(call.attrs.get("dims") or [])
    value = x if dims else np.ascontiguousarray(x).reshape(-1)
    for shift, axis in zip(shifts, dims or [0], strict=True):
        size = value.shape[axis]
        order = (np.arange(size) - shift % max(size, 1)) % max(size, 1)
        value = np.take(value, order, axis=axis)
    store(call.outs[0], value.reshape(x.shape))


@kernel("MirrorPad")
def mirror_pad(call: Call) -> None:
    """Places counted back from the border, axis by axis."""
    value, flat = logical(call.arg(0)), call.ints(1)
    skip = 1 if call.attrs["mode"] == "REFLECT" else 0
    for axis, (before, after) in enumerate(zip(flat[::2], flat[1::2], strict=True)):
        size = value.shape[axis]
        head = [skip + before - 1 - i for i in range(before)]
        tail = [size - 1 - skip - i for i in range(after)]
        value = np.take(value, np.array([*head, *range(size), *tail], np.int64), axis=axis)
    store(call.outs[0], value)


@kernel("TensorMove")
def tensor_move(call: Call) -> None:
    """Element by element."""
    store(call.outs[0], logical(call.arg(0)))


@kernel("SplitVD")
def split_vd(call: Call) -> None:
    """Consecutive parts, as large as the results."""
    x = logical(call.arg(0))
    axis, start = int(call.attrs["split_dim"]) % x.ndim, 0
    for out in call.outs:
        stop = start + out.shape[axis]
        store(
            out, x[tuple(slice(start, stop) if i == axis else slice(None) for i in range(x.ndim))]
        )
        start = stop
