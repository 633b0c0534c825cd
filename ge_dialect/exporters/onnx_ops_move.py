"""ONNX exports: joining, splitting, padding, tiling, filling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ge_dialect.dtypes import ge_name
from ge_dialect.exporters.onnx_graph import dtypes_of
from ge_dialect.exporters.onnx_node import Out
from ge_dialect.exporters.onnx_rules import Results, export
from ge_dialect.exporters.onnx_tensor import onnx_number
from ge_dialect.exporters.onnx_values import NoCounterpart, Val
from ge_dialect.ir.types import elem_of, shape_of
from ge_dialect.weights.shards import to_bytes

if TYPE_CHECKING:
    import numpy as np


def _concat(n: Out, values: Sequence[Val], axis: int) -> Results:
    rank = len(shape_of(n.result()) or ())
    axis = axis + rank if axis < 0 and rank else axis
    return n.emit("Concat", values, axis=axis)


@export("ConcatD")
def concat_d(n: Out) -> Results:
    """Concat."""
    return _concat(n, n.xs(), n.attrs["concat_dim"])


@export("Concat")
def concat(n: Out) -> Results:
    """Concat along a constant axis."""
    return _concat(n, n.xs(1), n.need_ints(0, "concat_dim")[0])


@export("ConcatV2")
def concat_v2(n: Out) -> Results:
    """Concat along a constant axis."""
    return _concat(n, n.xs(0), n.need_ints(1, "concat_dim")[0])


@export("Pack")
def pack(n: Out) -> Results:
    """Concat of inputs with a new dim."""
    rank = len(shape_of(n.ssa()[0].type) or ())
    if shape_of(n.ssa()[0].type) is None:
        raise NoCounterpart("the rank must be known")
    axis = n.axis(n.attrs["axis"], rank + 1)
    parts = [n.unsqueeze(x, [axis], f"Part_{i}") for i, x in enumerate(n.xs())]
    return n.emit("Concat", parts, axis=axis)


@export("Unpack")
def unpack(n: Out) -> Results:
    """Split into slices of one, without their dim."""
    axis, count = n.axis(n.attrs["axis"]), n.attrs["num"]
    if count == 1:
        return n.squeeze(n.x(), [axis])
    parts = n.emit_all("Split", [n.x()], count, {"axis": axis, "num_outputs": count})
    return [n.squeeze(p, [axis], f"Slice_{i}") for i, p in enumerate(parts)]


def _split(n: Out, place: int, axis: int, sizes: Val | None = None) -> Results:
    count = n.count()
    if n.shape(place) is not None:
        axis = n.axis(axis, n.rank(place))
    if sizes is None:
        return n.emit_all("Split", [n.x(place)], count, {"axis": axis, "num_outputs": count})
    return n.emit_all("Split", [n.x(place), sizes], count, {"axis": axis})


@export("SplitD")
def split_d(n: Out) -> Results:
    """Split into equal parts."""
    return _split(n, 0, n.attrs["split_dim"])


@export("Split")
def split(n: Out) -> Results:
    """Split into equal parts along a constant axis."""
    return _split(n, 1, n.need_ints(0, "split_dim")[0])


def _sized(n: Out, sizes: list[int], axis: int) -> Results:
    if -1 in sizes:
        shape = n.shape()
        whole = shape[axis] if shape is not None else -1
        if whole < 0:
            raise NoCounterpart("the size of the part that is -1 must be known")
        sizes[sizes.index(-1)] = whole - sum(sizes) - 1
    return _split(n, 0, axis, n.constant(sizes, "sizes"))


@export("SplitV")
def split_v(n: Out) -> Results:
    """Split by sizes along a constant axis."""
    axis, sizes = n.need_ints(2, "split_dim")[0], n.ints(1)
    if sizes is None or -1 not in sizes:
        return _split(n, 0, axis, n.int64(1))
    return _sized(n, sizes, axis)


@export("SplitVD")
def split_vd(n: Out) -> Results:
    """Split by sizes."""
    return _sized(n, list(n.attrs["size_splits"]), n.attrs["split_dim"])


@export("Tile")
def tile(n: Out) -> Results:
    """Tile; dims of one are put in front where there are more multiples than dims."""
    times, rank = n.shape(1), n.rank()
    if times is None or times == (-1,):
        raise NoCounterpart("the number of multiples must be known")
    x = n.unsqueeze(n.x(), range(times[0] - rank)) if times[0] > rank else n.x()
    return n.emit("Tile", [x, n.int64(1)])


@export("TileD")
def tile_d(n: Out) -> Results:
    """Tile."""
    times, rank = list(n.attrs["multiples"]), n.rank()
    x = n.unsqueeze(n.x(), range(len(times) - rank)) if len(times) > rank else n.x()
    return n.emit("Tile", [x, n.constant(times, "repeats")])


def _pad(n: Out, pairs: Sequence[int], mode: str, fill: Val | None) -> Results:
    """ONNX has all begins before all ends."""
    pads = n.constant([*pairs[::2], *pairs[1::2]], "pads")
    return _emit_pad(n, pads, mode, fill)


def _emit_pad(n: Out, pads: Val, mode: str, fill: Val | None) -> Val:
    x = n.x(0)
    if mode == "constant" and fill is None and n.dtype() == "bool":
        fill = n.like(0, x, "value")
    return n.emit("Pad", [x, pads, fill if mode == "constant" else None], mode=mode)


@export("PadV3")
def pad_v3(n: Out) -> Results:
    """Pad; computed pairs are turned into begins and ends."""
    mode, pads, fill = n.attrs["mode"], n.ints(1), n.opt(2)
    if fill is not None and n.shape(2) != ():
        fill = n.reshape(fill, [], "Value")
    if not n.attrs["paddings_contiguous"]:
        flat = (
            n.int64(1)
            if n.shape(1) is None or len(n.shape(1) or ()) == 1
            else n.reshape(n.int64(1), [-1])
        )
        return _emit_pad(n, flat, mode, fill)
    if pads is not None:
        return _pad(n, pads, mode, fill)
    pairs = n.reshape(n.int64(1), [-1, 2], "Pairs")
    flat = n.reshape(n.transpose(pairs, [1, 0], "Sides"), [-1], "Pads")
    return _emit_pad(n, flat, mode, fill)


@export("Pad")
def pad(n: Out) -> Results:
    """Pad with zeros by constant pairs."""
    return _pad(n, n.need_ints(1, "paddings"), "constant", None)


@export("PadD")
def pad_d(n: Out) -> Results:
    """Pad with zeros."""
    return _pad(n, [p for pair in n.attrs["paddings"] for p in pair], "constant", None)


@export("MirrorPad")
def mirror_pad(n: Out) -> Results:
    """Pad by reflection; with the border by Gather of each axis."""
    pairs = n.need_ints(1, "paddings")
    if n.attrs["mode"] == "REFLECT":
        return _pad(n, pairs, "reflect", None)
    import numpy as np

    x, shape = n.x(), n.known()
    for axis, size in enumerate(shape):
        before, after = pairs[2 * axis], pairs[2 * axis + 1]
        if before or after:
            places = np.pad(np.arange(size), (before, after), mode="symmetric")
            x = n.emit("Gather", [x, n.constant(places, f"places_{axis}")], axis=axis)
    return x if x is not n.x() else n.emit("Identity", [x])


@export("Fill")
def fill(n: Out) -> Results:
    """ConstantOfShape of a constant, Expand of what is computed."""
    held = n.const(1)
    if held is None:
        return n.emit("Expand", [n.scalar(1), n.int64(0)])
    return _filled(n, n.int64(0), held)


def _filled(n: Out, dims: Val, held: np.ndarray) -> Val:
    """A tensor of one number; Expand where ConstantOfShape does not hold its type."""
    import onnx

    elem = elem_of(n.result())
    array = held.reshape(1)
    if ge_name(elem) not in dtypes_of("ConstantOfShape", n.opset, "T2"):
        return n.emit("Expand", [n.constant(array.reshape(()), "value", elem), dims])
    tensor = onnx.TensorProto(data_type=onnx_number(elem), dims=[1])
    tensor.raw_data = bytes(to_bytes(array, ge_name(elem)))
    return n.emit("ConstantOfShape", [dims], elem=elem, value=tensor)


@export("ZerosLike")
def zeros_like(n: Out) -> Results:
    """ConstantOfShape of Shape."""
    return _filled(n, n.emit("Shape", [n.x()]), n.constant(0, "zero", n.elem()).array())


@export("OnesLike")
def ones_like(n: Out) -> Results:
    """ConstantOfShape of Shape."""
    return _filled(n, n.emit("Shape", [n.x()]), n.constant(1, "one", n.elem()).array())


@export("BroadcastTo")
def broadcast_to(n: Out) -> Results:
    """Expand; an entry of -1, which keeps a size, becomes 1."""
    dims = n.ints(1)
    if dims is None:
        return n.emit("Expand", [n.x(), n.int64(1)])
    if -1 not in dims:
        return n.emit("Expand", [n.x(), n.int64(1)])
    return n.emit("Expand", [n.x(), n.constant([1 if d == -1 else d for d in dims], "dims")])


@export("Roll")
def roll(n: Out) -> Results:
    """Concat of the two parts of each axis, or of the elements as one row."""
    shape = n.known()
    if not n.attrs["dims"]:
        size = 1
        for d in shape:
            size *= d
        flat = _rolled(n, n.reshape(n.x(), [-1], "Flat"), n.attrs["shifts"][0], 0, size)
        return n.emit("Reshape", [flat, n.constant(list(shape), "dims")], allowzero=int(0 in shape))
    x: Val = n.x()
    for shift, dim in zip(n.attrs["shifts"], n.attrs["dims"], strict=True):
        axis = n.axis(dim)
        x = _rolled(n, x, shift, axis, shape[axis])
    return x


def _rolled(n: Out, x: Val, shift: int, axis: int, size: int) -> Val:
    shift = shift % size if size else 0
    if not shift:
        return n.emit("Identity", [x])
    parts = [
        n.slice(x, size - shift, size, axis, "Tail"),
        n.slice(x, 0, size - shift, axis, "Head"),
    ]
    return n.emit("Concat", parts, axis=axis)
