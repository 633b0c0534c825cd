"""Convolution kernels on NC1HWC0 with FRACTAL_Z filters, and on ND.

The columns of a window are gathered in FRACTAL_Z's own order (C1, KH, KW, C0), so that the filter
is one reshaped matrix and the convolution one matrix product. Filters are weights: their matrix is
built on the first launch and kept in the task's cache.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import as_strided

from runtime.kernels.binary import channel_lanes
from runtime.kernels.refusal import need_absent
from runtime.kernels.registry import Call, View, kernel
from runtime.kernels.views import dims, is_narrow, is_whole, logical, origin_of, store


@dataclass(frozen=True, slots=True)
class Window:
    """Geometry of a convolution: kernel, stride, dilation, leading pads, output size (H, W)."""

    kernel: tuple[int, int]
    stride: tuple[int, int]
    dilation: tuple[int, int]
    pad: tuple[int, int]
    out: tuple[int, int]

    @property
    def pointwise(self) -> bool:
        """Whether each output reads one position, and no padding stands before the data."""
        return self.kernel == (1, 1) and self.pad == (0, 0)


def spatial(values: tuple[int, ...], data_format: str) -> tuple[int, int]:
    """The H and W entries of a 4-element list given in `data_format` order."""
    if len(values) == 2:
        return int(values[0]), int(values[1])
    return int(values[data_format.index("H")]), int(values[data_format.index("W")])


def accumulator(dtype: np.dtype) -> np.dtype:
    """dtype of a contraction: float32 for small floats; for integers one in which sums are exact.

    That is float64 up to 16 bits, as long as no sum has more than 2**53 / 2**30 terms.
    """
    if is_narrow(dtype):
        return np.dtype(np.float32)
    if dtype.kind in "iu" and dtype.itemsize > 2:
        return np.dtype(np.int64)  # wraps, as the result does
    return np.dtype(np.float64) if is_whole(dtype) else dtype


def _window(call: Call, kernel_size: tuple[int, int], out: tuple[int, int], fmt: str) -> Window:
    attrs = call.attrs
    return Window(
        kernel_size,
        spatial(attrs["strides"], fmt),
        spatial(attrs.get("dilations", (1, 1, 1, 1)), fmt),
        (int(attrs["pads"][0]), int(attrs["pads"][2])),
        out,
    )


def padded(x: np.ndarray, win: Window, dtype: np.dtype, fill: float = 0) -> np.ndarray:
    """The part of [..., H, W, lanes] that the windows read, with `fill` around the data."""
    h, w = x.shape[-3], x.shape[-2]
    need = [
        (o - 1) * s + (k - 1) * d + 1
        for o, s, k, d in zip(win.out, win.stride, win.kernel, win.dilation, strict=True)
    ]
    if win.pad == (0, 0) and need[0] <= h and need[1] <= w:
        return x if x.dtype == dtype else x.astype(dtype)
    shape = (*x.shape[:-3], max(need[0], win.pad[0] + h), max(need[1], win.pad[1] + w), x.shape[-1])
    result = np.full(shape, fill, dtype) if fill else np.zeros(shape, dtype)
    top, left = win.pad
    result[..., top : top + h, left : left + w, :] = x
    return result


def shifted(x: np.ndarray, win: Window, i: int, j: int) -> np.ndarray:
    """What kernel position (i, j) reads: [..., OH, OW, lanes] of a padded array."""
    top, left = i * win.dilation[0], j * win.dilation[1]
    (sh, sw), (oh, ow) = win.stride, win.out
    return x[..., top : top + (oh - 1) * sh + 1 : sh, left : left + (ow - 1) * sw + 1 : sw, :]


def columns(x: np.ndarray, win: Window, lanes: int, dtype: np.dtype) -> np.ndarray:
    """Matrix [OH*OW, C1*KH*KW*lanes] of one image [C1, H, W, C0]."""
    c1 = x.shape[0]
    (kh, kw), (oh, ow), (sh, sw), (dh, dw) = win.kernel, win.out, win.stride, win.dilation
    if win.pointwise:
        whole = padded(x, win, x.dtype)
        picked = whole[:, : (oh - 1) * sh + 1 : sh, : (ow - 1) * sw + 1 : sw, :lanes]
        source = picked.transpose(1, 2, 0, 3)
        shape: tuple[int, ...] = (oh, ow, c1, lanes)
    else:
        source_array = padded(x[..., :lanes], win, dtype)
        a, b, c, d = source_array.strides
        shape = (oh, ow, c1, kh, kw, lanes)
        strides = (b * sh, c * sw, a, b * dh, c * dw, d)
        source = as_strided(source_array, shape, strides, writeable=False)
    matrix = np.empty(shape, dtype)
    matrix[...] = source
    return matrix.reshape(oh * ow, -1)


def _filter_dims(view: View) -> tuple[int, int, int, int]:
    """(Cout, Cin per group, KH, KW) of a filter view."""
    return dims(view, "NCHW")  # type: ignore[return-value]


def filter_oihw(view: View, fmt: str) -> np.ndarray:
    """A filter as [Cout, Cin per group, KH, KW]; an ND filter of an NHWC convolution is HWCN."""
    value = logical(view)
    origin = origin_of(view) if view.layout is not None else None
    if origin is None:
        origin = "NCHW" if fmt == "NCHW" else "HWCN"
    axes = tuple(origin.index(letter) for letter in "NCHW")
    return value.transpose(axes)


def _cached(call: Call, build: Callable[[], np.ndarray]) -> np.ndarray:
    """The value of `build()`, kept when the filter is a weight."""
    if 1 not in call.constant:
        return build()
    if "filter" not in call.cache:
        call.cache["filter"] = build()
    return call.cache["filter"]


def _dense_matrix(view: View, lanes: int, dtype: np.dtype) -> np.ndarray:
    """Filter matrix [C1*KH*KW*lanes, 16*N1] of a FRACTAL_Z filter without groups."""
    _, _, kh, kw = _filter_dims(view)
    rows, n1, n0, c0 = view.data.shape
    blocks = view.data.reshape(rows // (kh * kw), kh, kw, n1 * n0, c0)[..., :lanes]
    moved = blocks.transpose(0, 1, 2, 4, 3)
    return np.ascontiguousarray(moved.reshape(-1, n1 * n0).astype(dtype))


def _bias(call: Call, dtype: np.dtype, count: int) -> np.ndarray | None:
    view = call.opt(2)
    if view is None:
        return None
    values = np.zeros(count, dtype)
    flat = logical(view).reshape(-1)
    values[: flat.shape[0]] = flat
    return values


def wrapped(value: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Exact sums of integers, held as floats, in the integer dtype of a result; floats as is."""
    if dtype.kind in "iu" and value.dtype.kind == "f":
        return value.astype(np.int64).astype(dtype)
    return value


def _put(out: np.ndarray, result: np.ndarray, channels: int) -> None:
    """Write [OH*OW, >= channels] to one image [C1, OH, OW, C0]; lanes beyond become zero."""
    c1, oh, ow, c0 = out.shape
    result = wrapped(result, out.dtype)
    if result.shape[1] < c1 * c0:
        wider = np.zeros((result.shape[0], c1 * c0), result.dtype)
        wider[:, : result.shape[1]] = result
        result = wider
    elif channels < c1 * c0:
        result[:, channels:] = 0
    out[...] = result[:, : c1 * c0].reshape(oh, ow, c1, c0).transpose(2, 0, 1, 3)


def _format(call: Call) -> str:
    return str(call.attrs.get("data_format", "NHWC"))


def _conv_filter(call: Call) -> np.ndarray:
    """What the convolution multiplies with, kept in the cache when the filter is a weight.

    NC1HWC0: a matrix, one matrix per group, or taps per channel; ND: the OIHW filter.
    """
    x, filt = call.arg(0), call.arg(1)
    groups = int(call.attrs.get("groups", 1))
    dtype = accumulator(x.data.dtype)

    def build() -> np.ndarray:
        if x.format != "NC1HWC0":
            return _oihw(call, filt)
        cout, cin, kh, kw = _filter_shape(call, filt)
        if groups > 1 and cin == 1 and cout == groups:
            return _taps(x, _oihw(call, filt)[:, 0], dtype)
        if groups > 1:
            weight = _oihw(call, filt).astype(dtype)
            weight = weight.reshape(groups, cout // groups, cin, kh, kw).transpose(0, 3, 4, 2, 1)
            return np.ascontiguousarray(weight.reshape(groups, kh * kw * cin, cout // groups))
        c1, lanes = x.data.shape[1], _lanes(x, cin)
        if filt.format == "FRACTAL_Z":
            return _dense_matrix(filt, lanes, dtype)
        return _matrix_of_oihw(_oihw(call, filt), c1, lanes, dtype)

    return _cached(call, build)


def _lanes(x: View, cin: int) -> int:
    """How many lanes of each block are multiplied: a lone partial block skips its padding."""
    return cin if x.data.shape[1] == 1 else x.data.shape[4]


def _prepare_conv(call: Call) -> None:
    _conv_filter(call)


@kernel("Conv2D", layouts=("NC1HWC0", "FRACTAL_Z", "ND"), prepare=_prepare_conv)
def conv2d(call: Call) -> None:
    """Convolution; on NC1HWC0 one matrix product per image, per group when there are groups."""
    x, filt, y = call.arg(0), call.arg(1), call.outs[0]
    need_absent(call.opt(3), "offset_w")
    weights = _conv_filter(call)
    if x.format != "NC1HWC0":
        _conv2d_nd(call, weights)
        return
    groups = int(call.attrs.get("groups", 1))
    cout, cin, kh, kw = _filter_shape(call, filt)
    win = _window(call, (kh, kw), dims(y, "HW"), _format(call))  # type: ignore[arg-type]
    if groups > 1 and cin == 1 and cout == groups:
        _depthwise(call, win, weights)
    elif groups > 1:
        _grouped(call, win, weights, cin)
    else:
        _dense(call, win, weights, cout, cin)


def _dense(call: Call, win: Window, matrix: np.ndarray, cout: int, cin: int) -> None:
    x, y = call.arg(0), call.outs[0]
    bias = _bias(call, matrix.dtype, matrix.shape[1])
    for n in range(x.data.shape[0]):
        image = _shifted_zero(call, x.data[n], matrix.dtype)
        result = columns(image, win, _lanes(x, cin), matrix.dtype) @ matrix
        if bias is not None:
            result += bias
        _put(y.data[n], result, cout)


def _shifted_zero(call: Call, x: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Quantised data less its zero point `offset_x`; padding stands for the zero point."""
    offset = int(call.attrs.get("offset_x", 0))
    return x.astype(dtype) - offset if offset and is_whole(x.dtype) else x


def _filter_shape(call: Call, filt: View) -> tuple[int, int, int, int]:
    if filt.layout is not None:
        return _filter_dims(filt)
    order = "NCHW" if _format(call) == "NCHW" else "HWCN"
    n, c, h, w = (filt.shape[order.index(letter)] for letter in "NCHW")
    return n, c, h, w


def _oihw(call: Call, filt: View) -> np.ndarray:
    return filter_oihw(filt, _format(call))


def _matrix_of_oihw(weight: np.ndarray, c1: int, lanes: int, dtype: np.dtype) -> np.ndarray:
    cout, cin, kh, kw = weight.shape
    full = np.zeros((c1 * lanes, kh, kw, cout), dtype)
    full[:cin] = weight.transpose(1, 2, 3, 0)
    blocks = full.reshape(c1, lanes, kh, kw, cout).transpose(0, 2, 3, 1, 4)
    return np.ascontiguousarray(blocks.reshape(-1, cout))


def _taps(x: View, weight: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """[KH*KW, C1, 1, 1, C0] of a filter [C, KH, KW]."""
    per_tap = weight.astype(dtype).reshape(weight.shape[0], -1).T
    return np.stack([channel_lanes(x, tap)[0] for tap in per_tap])


def _grouped(call: Call, win: Window, matrix: np.ndarray, cin: int) -> None:
    x, y = call.arg(0), call.outs[0]
    groups, _, per = matrix.shape
    kh, kw = win.kernel
    oh, ow = win.out
    bias = _bias(call, matrix.dtype, groups * per)
    for n in range(x.data.shape[0]):
        image = _shifted_zero(call, x.data[n], matrix.dtype)
        c1, h, w, c0 = image.shape
        last = image.transpose(1, 2, 0, 3).reshape(h, w, c1 * c0)[..., : groups * cin]
        source = padded(last, win, matrix.dtype)
        gathered = np.empty((groups, oh, ow, kh * kw, cin), matrix.dtype)
        for i in range(kh):
            for j in range(kw):
                part = shifted(source, win, i, j).reshape(oh, ow, groups, cin)
                gathered[:, :, :, i * kw + j] = part.transpose(2, 0, 1, 3)
        product = gathered.reshape(groups, oh * ow, -1) @ matrix
        result = product.transpose(1, 0, 2).reshape(oh * ow, groups * per)
        if bias is not None:
            result = result + bias
        _put(y.data[n], np.ascontiguousarray(result), groups * per)


def _depthwise_filter(call: Call) -> np.ndarray:
    """Taps per channel on NC1HWC0 without multiplier, else the filter as [C * m, KH, KW].

    The filter is stored as [C*m, 1, KH, KW] (OIHW) or as [KH, KW, C, m].
    """

    def build() -> np.ndarray:
        x = call.arg(0)
        weight = _oihw(call, call.arg(1))
        if weight.shape[1] == 1:
            weight = weight[:, 0]
        else:
            multiplier, channels, kh, kw = weight.shape
            weight = weight.transpose(1, 0, 2, 3).reshape(channels * multiplier, kh, kw)
        if x.format == "NC1HWC0" and weight.shape[0] == dims(x, "C")[0]:
            return _taps(x, weight, accumulator(x.data.dtype))
        return np.ascontiguousarray(weight)

    return _cached(call, build)


def _prepare_depthwise(call: Call) -> None:
    _depthwise_filter(call)


@kernel("DepthwiseConv2D", layouts=("NC1HWC0", "FRACTAL_Z", "ND"), prepare=_prepare_depthwise)
def depthwise(call: Call) -> None:
    """Per-channel convolution, on NC1HWC0 by shifted multiply-adds."""
    x, y = call.arg(0), call.outs[0]
    need_absent(call.opt(3), "offset_w")
    fmt = _format(call)
    weights = _depthwise_filter(call)
    _, _, kh, kw = _filter_shape(call, call.arg(1))
    win = _window(call, (kh, kw), _out_size(y, fmt), fmt)
    if weights.ndim == 5:
        _depthwise(call, win, weights)
        return
    image = _shifted_zero(call, dims_nchw(x, fmt), accumulator(weights.dtype))
    result = _plain(image, weights[:, None], win, image.shape[1], _bias_of(call))
    _store_nchw(y, result, fmt)


def _depthwise(call: Call, win: Window, taps: np.ndarray) -> None:
    x, y = call.arg(0), call.outs[0]
    source = padded(_shifted_zero(call, x.data, taps.dtype), win, taps.dtype)
    columns_of = win.kernel[1]
    total = shifted(source, win, 0, 0) * taps[0]
    buffer = np.empty_like(total)
    for k in range(1, taps.shape[0]):
        np.multiply(shifted(source, win, *divmod(k, columns_of)), taps[k], out=buffer)
        total += buffer
    bias = _bias_of(call)
    if bias is not None:
        total += channel_lanes(x, bias.astype(taps.dtype))
    y.data[...] = wrapped(total, y.data.dtype)


def _bias_of(call: Call) -> np.ndarray | None:
    view = call.opt(2)
    return None if view is None else logical(view).reshape(-1)


def dims_nchw(view: View, fmt: str | None = None) -> np.ndarray:
    """The logical value of a rank-4 view as NCHW."""
    origin = fmt if view.layout is None and fmt else origin_of(view)
    return logical(view).transpose(tuple(origin.index(letter) for letter in "NCHW"))


def _plain(
    x: np.ndarray, weight: np.ndarray, win: Window, groups: int, bias: np.ndarray | None
) -> np.ndarray:
    """NCHW convolution with an OIHW filter by one product per group; the NCHW result."""
    dtype = accumulator(x.dtype)
    n = x.shape[0]
    cout, cin, kh, kw = weight.shape
    oh, ow = win.out
    source = padded(x.transpose(0, 2, 3, 1), win, dtype)
    result = np.empty((n, oh, ow, cout), dtype)
    per = cout // groups
    w = weight.astype(dtype)
    for g in range(groups):
        part = source[..., g * cin : (g + 1) * cin]
        taps = [
            shifted(part, win, i, j).reshape(n * oh * ow, cin) for i in range(kh) for j in range(kw)
        ]
        matrix = w[g * per : (g + 1) * per].transpose(2, 3, 1, 0).reshape(kh * kw * cin, per)
        product = np.concatenate(taps, axis=1) @ matrix
        result[..., g * per : (g + 1) * per] = product.reshape(n, oh, ow, per)
    if bias is not None:
        result += bias.astype(dtype)
    return result.transpose(0, 3, 1, 2)


def _store_nchw(y: View, value: np.ndarray, fmt: str) -> None:
    origin = fmt if y.layout is None else origin_of(y)
    order = ["NCHW".index(letter) for letter in origin]
    store(y, np.ascontiguousarray(wrapped(value, y.data.dtype).transpose(order)))


def _out_size(y: View, fmt: str) -> tuple[int, int]:
    if y.layout is None:
        return spatial(y.shape, fmt)
    return dims(y, "HW")  # type: ignore[return-value]


def _conv2d_nd(call: Call, weight: np.ndarray) -> None:
    """Convolution of plain tensors in `data_format` order."""
    fmt = _format(call)
    y = call.outs[0]
    win = _window(call, weight.shape[2:], _out_size(y, fmt), fmt)  # type: ignore[arg-type]
    x = _shifted_zero(call, dims_nchw(call.arg(0), fmt), accumulator(weight.dtype))
    groups = int(call.attrs.get("groups", 1))
    _store_nchw(y, _plain(x, weight, win, groups, _bias_of(call)), fmt)
