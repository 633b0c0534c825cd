"""Kernels of convolutions over volumes, transposed convolutions and pooling over volumes, on ND.

Windows are views of the padded data (`sliding_window_view`), reduced or multiplied all at once. A
transposed convolution is a convolution of the data spread out by its strides with the filter turned
around.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from runtime.kernels.conv import accumulator, wrapped
from runtime.kernels.partial import contract
from runtime.kernels.refusal import need_absent
from runtime.kernels.registry import Call, kernel
from runtime.kernels.views import is_float, is_whole, logical, store, wide


def _first(array: np.ndarray, last: bool) -> np.ndarray:
    """Channels brought to axis 1."""
    return np.moveaxis(array, -1, 1) if last else array


def _store(call: Call, index: int, value: np.ndarray, last: bool) -> None:
    """Write a channels-first value to a result; whole sums wrap into an integer dtype."""
    out = call.outs[index]
    value = np.moveaxis(value, 1, -1) if last else value
    store(out, np.ascontiguousarray(wrapped(value, out.data.dtype)))


def _per_axis(values: Sequence[int], last: bool, rank: int) -> list[int]:
    """Entries along the spatial axes of a list for one, the spatial or all axes."""
    if len(values) == 1:
        return [int(values[0])] * rank
    if len(values) == rank:
        return [int(v) for v in values]
    return [int(v) for v in (values[1:-1] if last else values[2:])]


def _pairs(pads: Sequence[int], rank: int) -> list[int]:
    if len(pads) == 1:
        return [int(pads[0])] * (2 * rank)
    if len(pads) == rank:
        return [int(p) for p in pads for _ in (0, 1)]
    return [int(p) for p in pads]


def windows(
    x: np.ndarray,
    kernel_size: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
    before: Sequence[int],
    out: Sequence[int],
    fill: float = 0,
) -> np.ndarray:
    """All windows of x [N, C, *S] as [N, C, *out, *kernel], with `fill` around the data."""
    rank = len(kernel_size)
    extent = [(k - 1) * d + 1 for k, d in zip(kernel_size, dilations, strict=True)]
    need = [(o - 1) * s + e for o, s, e in zip(out, strides, extent, strict=True)]
    full = [max(n, b + size) for n, b, size in zip(need, before, x.shape[2:], strict=True)]
    grown = np.full((*x.shape[:2], *full), fill, x.dtype)
    grown[(..., *(slice(b, b + n) for b, n in zip(before, x.shape[2:], strict=True)))] = x
    view = sliding_window_view(grown, extent, axis=tuple(range(2, 2 + rank)))
    step = tuple(slice(0, (o - 1) * s + 1, s) for o, s in zip(out, strides, strict=True))
    taps = tuple(slice(None, None, d) for d in dilations)
    return view[(slice(None), slice(None), *step, *taps)]


def correlate(seen: np.ndarray, weight: np.ndarray, groups: int) -> np.ndarray:
    """Windows [N, C, *out, *kernel] times a filter [O, C / groups, *kernel]: [N, O, *out]."""
    rank = weight.ndim - 2
    per = weight.shape[1]
    parts = []
    for g, part in enumerate(np.split(weight, groups)):
        mine = seen[:, g * per : (g + 1) * per]
        over = (1, *range(2 + rank, 2 + 2 * rank))
        parts.append(contract(mine, part, (over, tuple(range(1, 2 + rank)))))
    return np.moveaxis(np.concatenate(parts, axis=-1), -1, 1)


def _with_bias(call: Call, slot: int, y: np.ndarray) -> np.ndarray:
    bias = call.opt(slot)
    if bias is None:
        return y
    return y + logical(bias).astype(y.dtype).reshape(-1, *(1,) * (y.ndim - 2))


@kernel("Conv3D")
def conv3d(call: Call) -> None:
    """Products of all windows with the filter."""
    attrs = call.attrs
    need_absent(call.opt(3), "offset_w")
    last = str(attrs.get("data_format", "NDHWC")) == "NDHWC"
    x, weight = logical(call.arg(0)), logical(call.arg(1))
    dtype = accumulator(x.dtype)
    x = _first(x, last).astype(dtype) - (int(attrs.get("offset_x", 0)) if is_whole(x.dtype) else 0)
    weight = (weight.transpose(4, 3, 0, 1, 2) if last else weight).astype(dtype)
    shape = call.outs[0].shape
    out = shape[1:-1] if last else shape[2:]
    seen = windows(
        x,
        weight.shape[2:],
        _per_axis(attrs["strides"], last, 3),
        _per_axis(attrs.get("dilations", (1,)), last, 3),
        _pairs(attrs["pads"], 3)[::2],
        out,
    )
    y = correlate(seen, weight, int(attrs.get("groups", 1)))
    _store(call, 0, _with_bias(call, 2, y), last)


@kernel("Conv2DTranspose", "Conv3DTranspose")
def conv_transpose(call: Call) -> None:
    """Transposed convolution whose first input is the size."""
    need_absent(call.opt(4), "offset_w")
    _transposed(call, 1, 2, 3)


@kernel("Conv2DTransposeD")
def conv_transpose_d(call: Call) -> None:
    """Transposed convolution whose size is an attribute."""
    need_absent(call.opt(3), "offset_w")
    _transposed(call, 0, 1, 2)


@kernel("Conv2DBackpropInput", "Conv3DBackpropInput")
def conv_backprop_input(call: Call) -> None:
    """Transposed convolution of the gradient."""
    _transposed(call, 2, 1, 3)


@kernel("Conv2DBackpropInputD")
def conv_backprop_input_d(call: Call) -> None:
    """The same with the size as an attribute."""
    _transposed(call, 1, 0, 2)


def _transposed(call: Call, data: int, filter_: int, bias: int) -> None:
    """A convolution with stride one of the data with zeros between and the turned filter."""
    attrs = call.attrs
    x, weight = logical(call.arg(data)), logical(call.arg(filter_))
    rank = x.ndim - 2
    last = str(attrs.get("data_format", "NHWC"))[1] != "C"
    dtype = accumulator(x.dtype)
    x = _first(x, last).astype(dtype) - (int(attrs.get("offset_x", 0)) if is_whole(x.dtype) else 0)
    if last:
        weight = np.moveaxis(weight, (-1, -2), (0, 1))
    groups = int(attrs.get("groups", 1))
    strides = _per_axis(attrs["strides"], last, rank)
    dilations = _per_axis(attrs.get("dilations", (1,)), last, rank)
    before = _pairs(attrs["pads"], rank)[::2]
    shape = call.outs[0].shape
    out = shape[1:-1] if last else shape[2:]
    if not np.isfinite(weight.astype(dtype)).all():
        y = _scattered(x, weight.astype(dtype), groups, strides, dilations, before, out)
        _store(call, 0, _with_bias(call, bias, y), last)
        return
    apart = [(n - 1) * s + 1 if n else 0 for n, s in zip(x.shape[2:], strides, strict=True)]
    spread = np.zeros((*x.shape[:2], *apart), dtype)
    spread[(..., *(slice(None, None, s) for s in strides))] = x
    turned = weight.astype(dtype)[(..., *(slice(None, None, -1),) * rank)]
    turned = np.concatenate([np.swapaxes(p, 0, 1) for p in np.split(turned, groups)])
    lead = [(k - 1) * d - b for k, d, b in zip(weight.shape[2:], dilations, before, strict=True)]
    cut = tuple(slice(max(-v, 0), None) for v in lead)
    seen = windows(
        spread[(..., *cut)],
        weight.shape[2:],
        [1] * rank,
        dilations,
        [max(v, 0) for v in lead],
        out,
    )
    y = correlate(seen, turned, groups)
    _store(call, 0, _with_bias(call, bias, y), last)


def _scattered(
    x: np.ndarray,
    weight: np.ndarray,
    groups: int,
    strides: Sequence[int],
    dilations: Sequence[int],
    before: Sequence[int],
    out: Sequence[int],
) -> np.ndarray:
    """The same for filters with infinities and NaN, which must not meet the zeros between: every
    element of x [N, O, *S] adds its filter [O, C / groups, *K] to the data [N, C, *out]."""
    size, kernel = x.shape[2:], weight.shape[2:]
    ends = [
        (n - 1) * s + (k - 1) * d + 1
        for n, s, k, d in zip(size, strides, kernel, dilations, strict=True)
    ]
    ends = [max(e, b + o) for e, b, o in zip(ends, before, out, strict=True)]
    per = weight.shape[1]
    full = np.zeros((x.shape[0], groups * per, *ends), x.dtype)
    sources = np.split(x, groups, axis=1)
    for g, part in enumerate(np.split(weight, groups)) if x.size else ():
        for tap in np.ndindex(*kernel):
            added = contract(sources[g], part[(..., *tap)], ((1,), (0,)))
            first = [t * d for t, d in zip(tap, dilations, strict=True)]
            where = tuple(
                slice(f, f + (n - 1) * s + 1, s)
                for f, n, s in zip(first, size, strides, strict=True)
            )
            full[(slice(None), slice(g * per, (g + 1) * per), *where)] += np.moveaxis(added, -1, 1)
    return full[(..., *(slice(b, b + o) for b, o in zip(before, out, strict=True)))]


def _pooled(call: Call, fill: float, mode: str) -> tuple[np.ndarray, dict[str, list[int]], bool]:
    """Windows of a pooling call, its geometry per axis, and whether channels are last."""
    attrs = call.attrs
    last = str(attrs.get("data_format", "NDHWC")) == "NDHWC"
    x = _first(wide(logical(call.arg(0))), last)
    shape = call.outs[0].shape
    g = {
        "size": list(x.shape[2:]),
        "kernel": _per_axis(attrs["ksize"], last, 3),
        "stride": _per_axis(attrs["strides"], last, 3),
        "dilation": _per_axis(attrs.get("dilation", (1,)), last, 3),
        "out": list(shape[1:-1] if last else shape[2:]),
    }
    pads = _pairs(attrs.get("pads", (0,)), 3)
    g["before"], g["after"] = pads[::2], pads[1::2]
    if mode == "VALID":
        g["before"] = g["after"] = [0, 0, 0]
    elif mode == "SAME":
        total = [
            max((o - 1) * s + (k - 1) * d + 1 - n, 0)
            for o, s, k, d, n in zip(
                g["out"], g["stride"], g["kernel"], g["dilation"], g["size"], strict=True
            )
        ]
        g["before"] = [t // 2 for t in total]
    seen = windows(x, g["kernel"], g["stride"], g["dilation"], g["before"], g["out"], fill)
    return seen, g, last


def _lowest(dtype: np.dtype) -> float:
    return -np.inf if is_float(dtype) else int(np.iinfo(dtype).min)


@kernel("MaxPool3D")
def max_pool3d(call: Call) -> None:
    """Largest value of each window; NaN wins."""
    low = _lowest(call.arg(0).data.dtype)
    seen, _, last = _pooled(call, low, str(call.attrs.get("padding", "CALCULATED")))
    _store(call, 0, seen.max(axis=(-3, -2, -1)), last)


@kernel("MaxPool3DWithArgmaxV2")
def max_pool3d_with_argmax(call: Call) -> None:
    """Largest value of each window and its place: NaN first, else the first of the largest."""
    low = _lowest(call.arg(0).data.dtype)
    seen, g, last = _pooled(call, low, "CALCULATED")
    flat = seen.reshape(*seen.shape[:5], -1)
    numbers = np.arange(int(np.prod(g["size"]))).reshape(1, 1, *g["size"])
    where = windows(
        numbers, g["kernel"], g["stride"], g["dilation"], g["before"], g["out"], -1
    ).reshape(1, 1, *g["out"], -1)
    real = where >= 0
    top = np.where(real, flat, low).max(axis=-1, keepdims=True)
    hit = real & ((flat == top) | (np.isnan(flat) if flat.dtype.kind == "f" else False))
    pick = hit.argmax(axis=-1)[..., None]
    _store(call, 0, np.take_along_axis(flat, pick, axis=-1)[..., 0], last)
    place = np.take_along_axis(np.broadcast_to(where, flat.shape), pick, axis=-1)[..., 0]
    _store(call, 1, place, last)


@kernel("AvgPool3D")
def avg_pool3d(call: Call) -> None:
    """Mean of each window over what counts."""
    seen, g, last = _pooled(call, 0, "CALCULATED")
    total = seen.sum(axis=(-3, -2, -1))
    divisor = int(call.attrs.get("divisor_override", 0))
    if divisor:
        count: np.ndarray = np.asarray(divisor)
    else:
        ones = np.ones((1, 1, *g["size"]))
        if call.attrs.get("count_include_pad", True):
            pad = [(b, a) for b, a in zip(g["before"], g["after"], strict=True)]
            ones = np.pad(ones, [(0, 0), (0, 0), *pad], constant_values=1)
            g["before"] = [0, 0, 0]
        mask = windows(ones, g["kernel"], g["stride"], g["dilation"], g["before"], g["out"])
        count = mask.sum(axis=(-3, -2, -1))
    _store(call, 0, total / count.astype(total.dtype), last)


@kernel("MaxPoolWithArgmax")
def max_pool_with_argmax(call: Call) -> None:
    """Largest value of each window; its place by numbering the elements, channels last."""
    attrs = call.attrs
    last = str(attrs.get("data_format", "NHWC")) == "NHWC"
    x = _first(wide(logical(call.arg(0))), last)
    n, c, height, width = x.shape
    numbers = np.arange(n * height * width * c).reshape(n, height, width, c).transpose(0, 3, 1, 2)
    if not attrs.get("include_batch_in_index"):
        numbers = numbers % max(height * width * c, 1)
    shape = call.outs[0].shape
    out = shape[1:3] if last else shape[2:]
    kernel_size, stride = (_per_axis(attrs[k], last, 2) for k in ("ksize", "strides"))
    before = [0, 0]
    if attrs["padding"] == "SAME":
        spans = zip(out, stride, kernel_size, (height, width), strict=True)
        before = [max((o - 1) * s + k - size, 0) // 2 for o, s, k, size in spans]
    flat = (*x.shape[:2], *out, -1)
    seen = windows(x, kernel_size, stride, [1, 1], before, out, -np.inf).reshape(flat)
    where = windows(numbers, kernel_size, stride, [1, 1], before, out, -1).reshape(flat)
    keep = bool(attrs.get("nan_prop"))
    lost = np.isnan(seen)
    order = np.where(lost, np.inf if keep else -np.inf, seen)
    top = order.max(axis=-1, keepdims=True)
    hit = (where >= 0) & (lost if keep else False)
    hit = np.where(hit.any(axis=-1, keepdims=True), hit, (where >= 0) & (order == top))
    pick = hit.argmax(axis=-1)[..., None]
    value = seen if keep else order
    _store(call, 0, np.take_along_axis(value, pick, axis=-1)[..., 0], last)
    _store(call, 1, np.take_along_axis(where, pick, axis=-1)[..., 0], last)


@kernel("AdaptiveAvgPool2d")
def adaptive_avg_pool2d(call: Call) -> None:
    """Window sums as differences of running sums, in double precision.

    An infinity would stay in the running sums: data with one is summed window by window.
    """
    y = logical(call.arg(0)).astype(np.float64)
    for axis, out in zip((-2, -1), call.attrs["output_size"], strict=True):
        size = y.shape[axis]
        i = np.arange(out)
        start, stop = i * size // out, -(-(i + 1) * size // out)
        none = np.zeros_like(y.take([0], axis))
        if np.isfinite(y).all():
            sums = np.cumsum(np.concatenate([none, y], axis=axis), axis=axis)
            total = sums.take(stop, axis) - sums.take(start, axis)
        else:  # sums from every start to its stop, and between them, which are left out
            pairs = np.stack([start, stop], axis=1).reshape(-1)
            grown = np.concatenate([y, none], axis=axis)
            total = np.add.reduceat(grown, pairs, axis=axis).take(2 * i, axis)
        y = total / np.expand_dims(stop - start, tuple(range(1, -axis)))
    store(call.outs[0], y)
