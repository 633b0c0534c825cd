"""Kernels that move whole blocks of data: concatenation, splits, padding, tiling, filling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.kernels.registry import Call, View, kernel
from runtime.kernels.views import dims, logical, origin_of, store


def _concat(views: Sequence[View], out: View, axis: int) -> None:
    axis %= len(out.shape)
    if out.format == "NC1HWC0" and _concat_5d(views, out, axis):
        return
    parts = [logical(v) for v in views]
    if out.layout is None:
        np.concatenate(parts, axis=axis, out=out.data.reshape(out.shape))
    else:
        store(out, np.concatenate(parts, axis=axis))


def _concat_5d(views: Sequence[View], out: View, axis: int) -> bool:
    """Concatenate in storage when block edges line up."""
    letter = origin_of(out)[axis]
    c0 = out.data.shape[4]
    same = all(v.layout == out.layout and v.data.shape[4] == c0 for v in views)
    aligned = letter != "C" or all(dims(v, "C")[0] % c0 == 0 for v in views[:-1])
    if not (same and aligned):
        return False
    np.concatenate(
        [v.data for v in views], axis={"N": 0, "C": 1, "H": 2, "W": 3}[letter], out=out.data
    )
    return True


@kernel("ConcatD", layouts=("NC1HWC0", "ND"))
def concat_d(call: Call) -> None:
    """Join tensors along an attribute axis."""
    _concat(call.many(0), call.outs[0], int(call.attrs["concat_dim"]))


@kernel("Concat", layouts=("NC1HWC0", "ND"))
def concat(call: Call) -> None:
    """Join tensors along an axis given as the first input."""
    _concat(call.many(1), call.outs[0], call.ints(0)[0])


@kernel("ConcatV2", layouts=("NC1HWC0", "ND"))
def concat_v2(call: Call) -> None:
    """Join tensors along an axis given as the last input."""
    _concat(call.many(0), call.outs[0], call.ints(1)[0])


@kernel("Pack")
def pack(call: Call) -> None:
    """Stack equal tensors on a new axis."""
    axis = int(call.attrs.get("axis", 0))
    store(call.outs[0], np.stack([logical(v) for v in call.many(0)], axis=axis))


@kernel("Unpack")
def unpack(call: Call) -> None:
    """One tensor for each position of an axis."""
    value = logical(call.arg(0))
    axis = int(call.attrs.get("axis", 0)) % value.ndim
    for i, out in enumerate(call.outs):
        store(out, value.take(i, axis=axis))


def _split(value: np.ndarray, outs: Sequence[View], axis: int) -> None:
    axis %= value.ndim
    start = 0
    for out in outs:
        stop = start + out.shape[axis]
        index = [slice(None)] * value.ndim
        index[axis] = slice(start, stop)
        store(out, value[tuple(index)])
        start = stop


@kernel("SplitD", layouts=("NC1HWC0", "ND"))
def split_d(call: Call) -> None:
    """Equal parts along an attribute axis."""
    _split(logical(call.arg(0)), call.outs, int(call.attrs["split_dim"]))


@kernel("Split")
def split(call: Call) -> None:
    """Equal parts along an axis given as the first input."""
    _split(logical(call.arg(1)), call.outs, call.ints(0)[0])


@kernel("SplitV")
def split_v(call: Call) -> None:
    """Parts of given sizes."""
    _split(logical(call.arg(0)), call.outs, call.ints(2)[0])


def _pad(call: Call, flat: Sequence[int], value: Any = None, mode: str = "constant") -> None:
    x = logical(call.arg(0))
    pairs = [(int(a), int(b)) for a, b in zip(flat[0::2], flat[1::2], strict=True)]
    # Negative pads crop.
    crop = tuple(
        slice(max(-a, 0), n - max(-b, 0)) for n, (a, b) in zip(x.shape, pairs, strict=True)
    )
    grow = [(max(a, 0), max(b, 0)) for a, b in pairs]
    value = np.zeros((), x.dtype) if value is None else value  # not every dtype has a 0 to convert
    options: dict[str, Any] = {"constant_values": value} if mode == "constant" else {}
    # numpy pads no scalars
    result = np.pad(x[crop], grow, mode, **options) if grow else x  # type: ignore[call-overload]
    store(call.outs[0], result)


@kernel("Pad")
def pad(call: Call) -> None:
    """Zeros around x, by a tensor of (before, after) pairs."""
    _pad(call, call.ints(1))


@kernel("PadD")
def pad_d(call: Call) -> None:
    """Zeros around x, by an attribute of pairs."""
    _pad(call, [int(v) for pair in call.attrs["paddings"] for v in pair])


@kernel("PadV3")
def pad_v3(call: Call) -> None:
    """Constant, edge or reflected values around x."""
    flat = call.ints(1)
    if not call.attrs.get("paddings_contiguous", True):
        half = len(flat) // 2
        flat = [v for pair in zip(flat[:half], flat[half:], strict=True) for v in pair]
    fill = call.opt(2)
    value = fill.data.reshape(-1)[0] if fill is not None else None
    _pad(call, flat, value, str(call.attrs.get("mode", "constant")))


@kernel("Tile")
def tile(call: Call) -> None:
    """Repeat by a tensor of multiples."""
    store(call.outs[0], np.tile(logical(call.arg(0)), call.ints(1)))


@kernel("TileD")
def tile_d(call: Call) -> None:
    """Repeat by an attribute of multiples."""
    store(call.outs[0], np.tile(logical(call.arg(0)), tuple(call.attrs["multiples"])))


@kernel("Fill")
def fill(call: Call) -> None:
    """A tensor of given dims, all of one value."""
    call.outs[0].data[...] = call.arg(1).data.reshape(-1)[0]
