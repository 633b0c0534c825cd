"""Pooling kernels on NC1HWC0 and on ND.

A window is reduced one axis at a time: first along W, then along H, by as many shifted operations
as the kernel has columns and rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from runtime.kernels.conv import Window, padded, spatial
from runtime.kernels.registry import Call, View, kernel
from runtime.kernels.views import clear_padding, dims, is_float, is_narrow, origin_of, wide


def _lowest(dtype: np.dtype) -> float:
    return -np.inf if is_float(dtype) else int(np.iinfo(dtype).min)


def _channel_last(view: View, fmt: str) -> tuple[np.ndarray, tuple[int, ...]]:
    """The data as [..., H, W, lanes] and the axes that undo the move (writes go through a view)."""
    if view.format == "NC1HWC0":
        return view.data, ()
    origin = fmt if view.layout is None else view.format
    axes = tuple(origin.index(letter) for letter in "NHWC")
    return view.data.reshape(_storage_dims(view)).transpose(axes), axes


def _storage_dims(view: View) -> tuple[int, ...]:
    return view.data.shape if view.data.ndim == 4 else view.shape


def _sizes(view: View, fmt: str) -> tuple[int, int]:
    if view.layout is None:
        return view.shape[fmt.index("H")], view.shape[fmt.index("W")]
    return dims(view, "HW")  # type: ignore[return-value]


def _leading_pad(size: int, out: int, kernel_size: int, stride: int) -> int:
    return max((out - 1) * stride + kernel_size - size, 0) // 2


def geometry(call: Call, default_format: str) -> tuple[Window, tuple[int, int], str]:
    """Window, trailing pads and axis order of a pooling call."""
    attrs = call.attrs
    fmt = str(attrs.get("data_format", default_format))
    size, out = _sizes(call.arg(0), fmt), _sizes(call.outs[0], fmt)
    if attrs.get("global_pooling"):
        whole = (max(size[0], 1), max(size[1], 1))  # of nothing: one element of padding
        return Window(whole, whole, (1, 1), (0, 0), (1, 1)), (0, 0), fmt
    ksize = spatial(attrs["ksize"], fmt)
    stride = spatial(attrs["strides"], fmt)
    mode = attrs.get("padding_mode", attrs.get("padding", "CALCULATED"))
    begin, end = (0, 0), (0, 0)
    if mode == "SAME":
        begin = tuple(_leading_pad(*v) for v in zip(size, out, ksize, stride, strict=True))
        total = [
            max((o - 1) * s + k - n, 0) for n, o, k, s in zip(size, out, ksize, stride, strict=True)
        ]
        end = (total[0] - begin[0], total[1] - begin[1])
    elif mode == "CALCULATED":
        top, bottom, left, right = (int(p) for p in attrs.get("pads", (0, 0, 0, 0)))
        begin, end = (top, left), (bottom, right)
    return Window(ksize, stride, (1, 1), begin, out), end, fmt  # type: ignore[arg-type]


def _reduce(x: np.ndarray, win: Window, combine: Callable[..., np.ndarray]) -> np.ndarray:
    (kh, kw), (sh, sw), (oh, ow) = win.kernel, win.stride, win.out
    rows = (oh - 1) * sh + kh
    span = (ow - 1) * sw + 1
    total = x[..., :rows, :span:sw, :].copy()
    for j in range(1, kw):
        combine(total, x[..., :rows, j : j + span : sw, :], out=total)
    span = (oh - 1) * sh + 1
    result = total[..., :span:sh, :, :].copy()
    for i in range(1, kh):
        combine(result, total[..., i : i + span : sh, :, :], out=result)
    return result


@kernel("MaxPool", layouts=("NC1HWC0", "ND", "NCHW", "NHWC"))
def max_pool(call: Call) -> None:
    """Largest value of each window; NaN wins."""
    _max_pool(call, "NHWC")


@kernel("MaxPoolV3", layouts=("NC1HWC0", "ND", "NCHW", "NHWC"))
def max_pool_v3(call: Call) -> None:
    """Largest value of each window, with explicit pads and ceil mode."""
    _max_pool(call, "NCHW")


def _max_pool(call: Call, default_format: str) -> None:
    win, _, fmt = geometry(call, default_format)
    x, _ = _channel_last(call.arg(0), fmt)
    y, _ = _channel_last(call.outs[0], fmt)
    dtype = np.dtype(np.float32) if is_narrow(x.dtype) else x.dtype
    y[...] = _reduce(padded(x, win, dtype, _lowest(dtype)), win, np.maximum)


@kernel("AvgPool", layouts=("NC1HWC0", "ND", "NCHW", "NHWC"))
def avg_pool(call: Call) -> None:
    """Mean of the elements of each window that are not padding."""
    _avg_pool(call, "NHWC", exclusive=True, divisor=0)


@kernel("AvgPoolV2", layouts=("NC1HWC0", "ND", "NCHW", "NHWC"))
def avg_pool_v2(call: Call) -> None:
    """Mean of each window; `exclusive` leaves padding out of the count."""
    exclusive = bool(call.attrs.get("exclusive", True))
    divisor = int(call.attrs.get("divisor_override", 0))
    _avg_pool(call, "NCHW", exclusive=exclusive, divisor=divisor)


def _avg_pool(call: Call, default_format: str, *, exclusive: bool, divisor: int) -> None:
    win, end, fmt = geometry(call, default_format)
    x, _ = _channel_last(call.arg(0), fmt)
    y, _ = _channel_last(call.outs[0], fmt)
    dtype = x.dtype if x.dtype.kind == "f" and not is_narrow(x.dtype) else np.dtype(np.float32)
    total = _reduce(padded(x, win, dtype), win, np.add)
    height, width = x.shape[-3], x.shape[-2]
    if divisor:
        total /= dtype.type(divisor)
    else:
        rows = _counts(height, win, end, 0, exclusive)
        cols = _counts(width, win, end, 1, exclusive)
        total /= (rows[:, None] * cols[None, :]).astype(dtype)[..., None]
    y[...] = total


def _counts(size: int, win: Window, end: tuple[int, int], axis: int, exclusive: bool) -> np.ndarray:
    """How many elements of each window count along one axis."""
    start = np.arange(win.out[axis]) * win.stride[axis] - win.pad[axis]
    stop = start + win.kernel[axis]
    if exclusive:
        return np.minimum(stop, size) - np.maximum(start, 0)
    return np.minimum(stop, size + end[axis]) - start


@kernel("Pooling")
def pooling(call: Call) -> None:
    """Largest value or mean of each window, by Caffe's attributes."""
    attrs = call.attrs
    names = {"ksize": "window", "strides": "stride", "pads": "pad"}
    own = {mine: tuple(attrs[theirs]) for mine, theirs in names.items()}
    own |= {k: attrs[k] for k in ("data_format", "global_pooling") if k in attrs}
    inner = replace(call, attrs=own)
    if attrs.get("mode", 0):
        _avg_pool(inner, "NCHW", exclusive=False, divisor=0)
    else:
        _max_pool(inner, "NCHW")


@kernel("GlobalAveragePool", layouts=("NC1HWC0", "ND"))
def global_average_pool(call: Call) -> None:
    """Mean over all spatial axes."""
    x, y = call.arg(0), call.outs[0]
    if x.format == "NC1HWC0":
        axes: tuple[int, ...] = (2, 3)
    else:
        origin = origin_of(x)
        axes = tuple(i for i, letter in enumerate(origin) if letter in "DHW")
        if origin == "ND":
            axes = tuple(range(2, len(x.shape)))
    mean = wide(x.data).mean(axis=axes, keepdims=True)
    y.data[...] = mean.reshape(y.data.shape)
    clear_padding(y)
