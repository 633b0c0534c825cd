"""ONNX exports: pooling."""

from __future__ import annotations

import math
from typing import Any

from ge_dialect.exporters.onnx_node import Out
from ge_dialect.exporters.onnx_ops_conv import (
    channels_first,
    channels_last,
    is_last,
    onnx_pads,
    spatial_of,
)
from ge_dialect.exporters.onnx_rules import Results, export
from ge_dialect.exporters.onnx_values import NoCounterpart, Val

#: Until this opset ONNX counted windows that begin on the padding behind.
_CEIL_FIXED = 22
_SAME = {"SAME": "SAME_UPPER", "SAME_UPPER": "SAME_UPPER", "SAME_LOWER": "SAME_LOWER"}


def _window(n: Out, mode: str) -> dict[str, Any]:
    """Attributes of ONNX's pools."""
    data_format = n.attrs["data_format"]
    rank = len(data_format) - 2
    out: dict[str, Any] = {
        "kernel_shape": spatial_of(n.attrs["ksize"], data_format),
        "strides": spatial_of(n.attrs["strides"], data_format),
    }
    dilation = n.attrs.get("dilation")
    if dilation and any(d != 1 for d in spatial_of(dilation, data_format)):
        out["dilations"] = spatial_of(dilation, data_format)
    if mode in _SAME:
        return {**out, "auto_pad": _SAME[mode]}
    if mode == "VALID":
        return out
    pads = list(n.attrs.get("pads") or [0] * 2 * rank)
    if len(pads) == 1:
        pads *= 2 * rank
    elif len(pads) == rank:
        pads = [p for p in pads for _ in (0, 1)]
    ceil = bool(n.attrs.get("ceil_mode"))
    if ceil and n.opset < _CEIL_FIXED:
        pads, ceil = _without_ceil(n, out, pads)
    return {**out, "pads": onnx_pads(pads), "ceil_mode": int(ceil)}


def _without_ceil(n: Out, window: dict[str, Any], pads: list[int]) -> tuple[list[int], bool]:
    """Pads that give ceil mode's windows without it, where ONNX counted one too many: a last
    window that begins on padding.
    """
    shape = n.shape()
    if shape is None or -1 in spatial_of(shape, n.attrs["data_format"]):
        return pads, True
    sizes, found, extra = spatial_of(shape, n.attrs["data_format"]), list(pads), False
    dilations = window.get("dilations", [1] * len(sizes))
    for i, size in enumerate(sizes):
        before, after, stride = pads[2 * i], pads[2 * i + 1], window["strides"][i]
        reach = (window["kernel_shape"][i] - 1) * dilations[i] + 1
        turns = -(-(size + before + after - reach) // stride)
        extra = extra or turns * stride >= size + before
        turns -= turns * stride >= size + before
        found[2 * i + 1] = max(turns * stride + reach - size - before, 0)
    if not extra:
        return pads, True
    if n.attrs.get("exclusive") is False or n.attrs.get("count_include_pad"):
        raise NoCounterpart(
            "ceil_mode with a last window on padding that counts", "a later --opset has it"
        )
    return found, False


def _mode(n: Out) -> str:
    return n.attrs.get("padding_mode") or n.attrs.get("padding") or "CALCULATED"


def _pool(n: Out, onnx_type: str, **more: Any) -> Val:
    data_format = n.attrs["data_format"]
    x = channels_first(n, n.x(), data_format)
    if n.attrs.get("global_pooling"):
        y = n.emit(f"Global{onnx_type}", [x])
    else:
        y = n.emit(onnx_type, [x], **_window(n, _mode(n)), **more)
    return channels_last(n, y, data_format)


@export("MaxPool", "MaxPoolV3", "MaxPool3D")
def max_pool(n: Out) -> Results:
    """MaxPool, or GlobalMaxPool."""
    return _pool(n, "MaxPool")


def _average(n: Out, whole: bool) -> Results:
    override = n.attrs.get("divisor_override") or 0
    if n.attrs.get("global_pooling") and not override:
        return _pool(n, "AveragePool")
    if not override:
        return _pool(n, "AveragePool", count_include_pad=int(whole))
    if n.attrs.get("ceil_mode") or n.attrs.get("global_pooling") or _mode(n) in _SAME:
        raise NoCounterpart("divisor_override together with ceil_mode, SAME or global_pooling")
    y = _pool(n, "AveragePool", count_include_pad=1)
    count = math.prod(spatial_of(n.attrs["ksize"], n.attrs["data_format"]))
    return n.binary("Mul", y, count / override, "Divisor")


@export("AvgPool", "AvgPoolV2")
def average_pool(n: Out) -> Results:
    """AveragePool."""
    return _average(n, not n.attrs.get("exclusive", True))


@export("AvgPool3D")
def average_pool3d(n: Out) -> Results:
    """AveragePool."""
    return _average(n, n.attrs["count_include_pad"])


@export("GlobalAveragePool")
def global_average_pool(n: Out) -> Results:
    """GlobalAveragePool."""
    return n.emit("GlobalAveragePool", [n.x()])


@export("MaxPool3DWithArgmaxV2")
def max_pool3d_with_argmax(n: Out) -> Results:
    """MaxPool with Indices, counted within each volume by Mod."""
    data_format = n.attrs["data_format"]
    shape = n.known()
    volume = math.prod(spatial_of(shape, data_format))
    x = channels_first(n, n.x(), data_format)
    attrs = _window(n, "CALCULATED")
    if 0 in shape:
        raise NoCounterpart("a size is zero")
    if not n.wants(1):
        return [channels_last(n, n.emit("MaxPool", [x], **attrs), data_format), None]
    y, place = n.emit_all("MaxPool", [x], 2, attrs)
    place = n.emit("Mod", [place, n.constant(volume, "volume")], fmod=1)  # -1 stays: no place
    return [channels_last(n, v, data_format) for v in (y, place)]


@export("MaxPoolWithArgmaxV1")
def max_pool_with_argmax_v1(n: Out) -> Results:
    """MaxPool with Indices, counted within each plane by Mod."""
    shape = n.known()
    if 0 in shape:
        raise NoCounterpart("a size is zero")
    pads = list(n.attrs["pads"][1:3])
    attrs = {
        "kernel_shape": n.attrs["ksize"][1:3],
        "strides": n.attrs["strides"][1:3],
        "dilations": n.attrs["dilation"][1:3],
        "pads": pads + pads,
        "ceil_mode": int(n.attrs["ceil_mode"]),
    }
    if not n.wants(1):
        return [n.emit("MaxPool", [n.x()], **attrs), None]
    y, place = n.emit_all("MaxPool", [n.x()], 2, attrs)
    plane = n.constant(shape[2] * shape[3], "plane")
    return [y, n.emit("Mod", [place, plane], fmod=1)]  # -1 stays: no place


@export("MaxPoolWithArgmax")
def max_pool_with_argmax(n: Out) -> Results:
    """MaxPool with Indices, counted with channels last."""
    import numpy as np

    data_format = n.attrs["data_format"]
    shape = n.known()
    h, w = spatial_of(shape, data_format)
    images, c = shape[0], shape[3 if is_last(data_format) else 1]
    x = channels_first(n, n.x(), data_format)
    if not n.attrs["nan_prop"]:
        low = n.like(-math.inf, x, "lowest")
        x = n.emit("Where", [n.emit("IsNaN", [x]), low, x])
    y, place = n.emit_all("MaxPool", [x], 2, _window(n, _mode(n)))
    place = n.emit("Mod", [place, n.constant(h * w, "plane")])
    place = n.emit("Mul", [place, n.constant(c, "channels")])
    first = np.arange(c)[None, :, None, None]
    if n.attrs["include_batch_in_index"]:
        first = first + np.arange(images)[:, None, None, None] * (h * w * c)
    place = n.emit("Add", [place, n.constant(first, "first")])
    return [channels_last(n, v, data_format) for v in (y, place)]


@export("AdaptiveAvgPool2d")
def adaptive_average(n: Out) -> Results:
    """Products with one matrix of weights per axis; GlobalAveragePool for one place."""
    import numpy as np

    sizes, out = n.known()[-2:], n.attrs["output_size"]
    if tuple(out) == (1, 1) and n.rank() == 4:
        return n.emit("GlobalAveragePool", [n.x()])
    shares = []
    for size, count in zip(sizes, out, strict=True):
        i, at = np.arange(count)[:, None], np.arange(size)
        inside = (at >= i * size // count) & (at < -(-(i + 1) * size // count))
        shares.append(inside / inside.sum(axis=1, keepdims=True))
    x = n.wide()
    rows = n.constant(shares[0], "rows", x.elem)
    columns = n.constant(shares[1].T, "columns", x.elem)
    return n.emit("MatMul", [n.emit("MatMul", [rows, x]), columns])
