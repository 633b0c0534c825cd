"""ONNX exports: convolutions. Channels-last data and filters are turned by Transposes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ge_dialect.dtypes import is_float
from ge_dialect.exporters.onnx_node import Out
from ge_dialect.exporters.onnx_rules import Results, export
from ge_dialect.exporters.onnx_values import NoCounterpart, Val
from ge_dialect.ir.types import elem_of, shape_of


def is_last(data_format: str) -> bool:
    """Whether channels stand last."""
    return data_format[1:2] != "C"


def channels_first(n: Out, x: Val, data_format: str, role: str = "First") -> Val:
    """Data with its channels as axis 1."""
    rank = len(data_format)
    return n.transpose(x, [0, rank - 1, *range(1, rank - 1)], role) if is_last(data_format) else x


def channels_last(n: Out, y: Val, data_format: str, role: str = "Last") -> Val:
    """The way back from `channels_first`."""
    rank = len(data_format)
    return n.transpose(y, [0, *range(2, rank), 1], role) if is_last(data_format) else y


def spatial_of(values: Sequence[int], data_format: str) -> list[int]:
    """Entries along the spatial dims of a list in `data_format` order, or of just them."""
    rank = len(data_format) - 2
    if len(values) == 1:
        return list(values) * rank
    if len(values) == rank:
        return list(values)
    return list(values[1:-1]) if is_last(data_format) else list(values[2:])


def onnx_pads(pads: Sequence[int]) -> list[int]:
    """Begins of all axes, then ends, from pairs."""
    return [*pads[::2], *pads[1::2]]


def _filter(n: Out, index: int, data_format: str) -> Val:
    """A forward filter as [O, C / groups, spatial]."""
    w, rank = n.x(index), len(data_format)
    if not is_last(data_format):
        return w
    return n.transpose(w, [rank - 1, rank - 2, *range(rank - 2)], "Filter")


def _geometry(n: Out, groups: int) -> dict[str, Any]:
    data_format = n.attrs["data_format"]
    out = {
        "strides": spatial_of(n.attrs["strides"], data_format),
        "dilations": spatial_of(n.attrs["dilations"], data_format),
        "pads": onnx_pads(n.attrs["pads"]),
        "group": groups,
    }
    mode = n.attrs.get("pad_mode", "SPECIFIC")
    if mode != "SPECIFIC":
        del out["pads"]
        out["auto_pad"] = {"SAME": "SAME_UPPER"}.get(mode, mode)
    return out


def _convolve(n: Out, x: Val, w: Val, groups: int, bias: Val | None) -> Results:
    """Conv; integers in f64, which holds their sums."""
    data_format = n.attrs["data_format"]
    if any(n.has(i) for i in range(3, len(n.args))):
        raise NoCounterpart("offset_w, scale and offset are not supported")
    x = channels_first(n, x, data_format)
    if not n.is_float():
        x, w = n.cast(x, "float64"), n.cast(w, "float64")
        if n.attrs.get("offset_x"):
            x = n.emit("Sub", [x, n.like(n.attrs["offset_x"], x, "offset")])
    bias = None if bias is None else n.cast(bias, x.elem)
    y = n.emit("Conv", [x, w, bias], **_geometry(n, groups))
    y = channels_last(n, y, data_format)
    result = elem_of(n.result())
    return n.cast(y, result) if not is_float(n.elem()) else y


@export("Conv2D", "Conv3D", "Conv2DV2", "Conv3DV2")
def conv(n: Out) -> Results:
    """Conv; integers go through double, which holds their sums exactly."""
    w = _filter(n, 1, n.attrs["data_format"])
    return _convolve(n, n.x(0), w, n.attrs["groups"], n.opt(2))


@export("DepthwiseConv2D")
def depthwise(n: Out) -> Results:
    """Conv with as many groups as channels."""
    data_format = n.attrs["data_format"]
    channels = n.known(0)[data_format.index("C")]
    w = n.x(1)
    if data_format == "NHWC":
        kh, kw, c, m = n.known(1)
        w = n.reshape(n.transpose(w, [2, 3, 0, 1], "Filter"), [c * m, 1, kh, kw], "Filters")
    return _convolve(n, n.x(0), w, channels, n.opt(2))


def _transposed(
    n: Out, x_at: int, w_at: int, sizes: Sequence[int], bias: Val | None = None
) -> Results:
    """ConvTranspose; a size beyond what follows from the pads becomes padding of the output.

    x_at, w_at: places of the data and of the filter among the inputs.
    """
    x, w = n.x(x_at), n.x(w_at)
    data_format, groups = n.attrs["data_format"], n.attrs["groups"]
    if is_last(data_format):
        rank = len(data_format)
        w = n.transpose(w, [rank - 1, rank - 2, *range(rank - 2)], "Filter")
    attrs = _geometry(n, groups)
    shape = n.shape(x_at)
    extra = spatial_of(n.attrs.get("output_padding") or [0] * len(data_format), data_format)
    wanted = spatial_of(sizes, data_format)
    if any(wanted):
        filter_shape = shape_of(n.ssa(w_at).type)
        if shape is None or filter_shape is None:
            raise NoCounterpart("the ranks must be known")
        size = spatial_of(shape, data_format)
        kernel = filter_shape[:-2] if is_last(data_format) else filter_shape[2:]
        for i, want in enumerate(wanted):
            if want:
                if size[i] < 0:
                    raise NoCounterpart("the spatial dims must be known")
                pads = n.attrs["pads"][2 * i : 2 * i + 2]
                stride, dilation = attrs["strides"][i], attrs["dilations"][i]
                reach = (size[i] - 1) * stride + (kernel[i] - 1) * dilation + 1
                extra[i] = want - (reach - sum(pads))
    _as_pads(attrs, extra)
    x = channels_first(n, x, data_format)
    if not n.is_float(x_at):
        x, w = n.cast(x, "float64"), n.cast(w, "float64")
        if n.attrs.get("offset_x"):
            x = n.emit("Sub", [x, n.like(n.attrs["offset_x"], x, "offset")])
    bias = None if bias is None else n.cast(bias, x.elem)
    y = n.emit("ConvTranspose", [x, w, bias], **attrs, output_padding=extra if any(extra) else None)
    return channels_last(n, y, data_format)


def _as_pads(attrs: dict[str, Any], extra: list[int]) -> None:
    """Less than follows from the pads, or a stride or more beyond: other pads behind."""
    pads: list[int] = list(attrs["pads"])
    strides: list[int] = attrs["strides"]
    half = len(pads) // 2
    for i, more in enumerate(extra):
        if more < 0:
            pads[half + i] -= more
            extra[i] = 0
        elif more >= strides[i]:
            cut = min(pads[half + i], more)
            pads[half + i] -= cut
            extra[i] = more - cut
            if extra[i] >= strides[i]:
                raise NoCounterpart("the result is larger than the windows reach")
    attrs["pads"] = pads


@export("Conv2DTranspose", "Conv3DTranspose")
def conv_transpose(n: Out) -> Results:
    """ConvTranspose with a constant input_size."""
    sizes = n.need_ints(0, "input_size")
    if n.has(4):
        raise NoCounterpart("offset_w is reserved")
    return _transposed(n, 1, 2, sizes, n.opt(3))


@export("Conv2DTransposeD")
def conv_transpose_d(n: Out) -> Results:
    """ConvTranspose."""
    return _transposed(n, 0, 1, n.attrs["input_size"], n.opt(2))


@export("Conv2DBackpropInputD")
def conv_backprop_input_d(n: Out) -> Results:
    """ConvTranspose of the gradient."""
    if 0 in n.attrs["input_size"]:
        raise NoCounterpart("a size is zero")
    return _transposed(n, 1, 0, n.attrs["input_size"])


@export("Conv2DBackpropInput", "Conv3DBackpropInput")
def conv_backprop_input(n: Out) -> Results:
    """ConvTranspose of the gradient."""
    sizes = n.need_ints(0, "input_size")
    if 0 in sizes:
        raise NoCounterpart("a size is zero")
    return _transposed(n, 2, 1, sizes)


@export("DeformableConv2D")
def deformable(n: Out) -> Results:
    """DeformConv (from opset 19); offsets, all x before all y, are put into pairs (y, x)."""
    data_format, parts = n.attrs["data_format"], n.attrs["deformable_groups"]
    kernel = n.known(1)
    if is_last(data_format):
        raise NoCounterpart("channels last are not supported")
    pairs = parts * kernel[2] * kernel[3]
    places = [i for k in range(pairs) for i in (pairs + k, k)]
    offsets = n.emit("Gather", [n.x(2), n.constant(places, "places")], axis=1)
    mask = n.slice(n.x(2), 2 * pairs, 3 * pairs, 1, "Mask") if n.attrs["modulated"] else None
    attrs = {**_geometry(n, n.attrs["groups"]), "offset_group": parts}
    return n.emit("DeformConv", [n.x(0), n.x(1), offsets, n.opt(3), mask], **attrs)


def _filter_gradient(n: Out, grad_at: int, sizes: Sequence[int]) -> Results:
    """Conv of data and gradient with images as channels; steps and dilations change places."""
    data_format = n.attrs["data_format"]
    last, rank = is_last(data_format), len(data_format)
    if n.attrs["groups"] != 1 or 0 in n.known(0) or 0 in n.known(grad_at):
        raise NoCounterpart("groups, or sizes of zero")
    turn = [1, 0, *range(2, rank)]
    x, grad = (
        n.transpose(channels_first(n, n.wide(i), data_format, role), turn, "Swap")
        for i, role in ((0, "Data"), (grad_at, "Gradient"))
    )
    attrs: dict[str, Any] = {
        "strides": spatial_of(n.attrs["dilations"], data_format),
        "dilations": spatial_of(n.attrs["strides"], data_format),
        "pads": onnx_pads(n.attrs["pads"]),
    }
    y = n.emit("Conv", [x, grad], "Products", **attrs)  # channels, filters, elements of the filter
    taken = list(sizes[:-2] if last else sizes[2:])
    axes = list(range(2, rank))
    bounds = [n.constant(v, k) for v, k in (([0] * len(axes), "starts"), (taken, "ends"))]
    y = n.emit("Slice", [y, *bounds, n.constant(axes, "axes")], "Whole")
    return n.emit("Transpose", [y], perm=[*axes, 0, 1] if last else [1, 0, *axes])


@export("Conv2DBackpropFilter", "Conv3DBackpropFilter")
def conv_filter_gradient(n: Out) -> Results:
    """Conv of data and gradient, whose images are the channels."""
    return _filter_gradient(n, 2, n.need_ints(1, "filter_size"))


@export("Conv2DBackpropFilterD")
def conv_filter_gradient_d(n: Out) -> Results:
    """Conv of data and gradient, whose images are the channels."""
    return _filter_gradient(n, 1, n.attrs["filter_size"])
