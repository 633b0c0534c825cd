"""Kernels of the convolutions of the Ascend C generation, on ND: windows times filters."""

from __future__ import annotations

import numpy as np

from runtime.kernels.conv import accumulator, wrapped
from runtime.kernels.refusal import need_absent, refuse_where
from runtime.kernels.registry import Call, View, kernel
from runtime.kernels.unary import convert
from runtime.kernels.views import logical, store
from runtime.kernels.volumes import correlate, windows


def _geometry(
    call: Call, x: np.ndarray, weight: np.ndarray
) -> tuple[list[int], list[int], list[int], tuple[int, ...]]:
    """Strides, dilations, padding before and output dims of channels-first data."""
    attrs, shape = call.attrs, call.outs[0].shape
    last = _is_last(call)
    places = slice(1, -1) if last else slice(2, None)
    strides = [int(s) for s in attrs["strides"][places]]
    dilations = [int(d) for d in attrs.get("dilations", (1,) * x.ndim)[places]]
    out = tuple(shape[places])
    mode = str(attrs.get("pad_mode", "SPECIFIC"))
    if mode == "SPECIFIC":
        before = [int(p) for p in attrs["pads"][::2]]
    elif mode == "VALID":
        before = [0] * len(out)
    else:
        reach = [
            max((o - 1) * s + (k - 1) * d + 1 - n, 0)
            for o, s, k, d, n in zip(
                out, strides, weight.shape[2:], dilations, x.shape[2:], strict=True
            )
        ]
        before = [(r + (mode == "SAME_LOWER")) // 2 for r in reach]
    return strides, dilations, before, out


def _is_last(call: Call) -> bool:
    return str(call.attrs["data_format"])[1] != "C"


def _loaded(call: Call, dtype: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    """Data and filter with channels first."""
    x, weight = logical(call.arg(0)).astype(dtype), logical(call.arg(1)).astype(dtype)
    if _is_last(call):
        x, weight = np.moveaxis(x, -1, 1), np.moveaxis(weight, (-1, -2), (0, 1))
    return x, weight


def _products(call: Call, x: np.ndarray, weight: np.ndarray) -> np.ndarray:
    strides, dilations, before, out = _geometry(call, x, weight)
    seen = windows(x, weight.shape[2:], strides, dilations, before, out)
    return correlate(seen, weight, int(call.attrs.get("groups", 1)))


def _per_channel(view: View | None, rank: int) -> np.ndarray | None:
    if view is None:
        return None
    return logical(view).astype(np.float64).reshape(-1, *(1,) * (rank - 2))


def _save(call: Call, y: np.ndarray) -> None:
    y = np.moveaxis(y, 1, -1) if _is_last(call) else y
    dtype = call.outs[0].data.dtype
    store(call.outs[0], convert(wrapped(np.ascontiguousarray(y), dtype), dtype))


@kernel("Conv2DV2", "Conv3DV2")
def conv_v2(call: Call) -> None:
    """All windows times the filter, plus the bias."""
    quantised = len(call.args) == 6 and call.args[3:5] != [None, None]
    message = "quantisation by scale and offset is not evaluated"
    refuse_where(quantised, message, expected="not connected")
    need_absent(call.opt(5 if len(call.args) == 6 else 3), "offset_w")
    x, weight = _loaded(call, accumulator(call.arg(0).data.dtype))
    y = _products(call, x, weight)
    bias = _per_channel(call.opt(2), y.ndim)
    _save(call, y if bias is None else (y + bias).astype(y.dtype))


@kernel("QuantConv2D")
def quant_conv2d(call: Call) -> None:
    """Sums in double precision, which are exact, then one affine map per channel."""
    message = "the reserved input offset is not evaluated"
    refuse_where(call.opt(4) is not None, message, expected="not connected")
    x, weight = _loaded(call, np.dtype(np.float64))
    y = _products(call, x - float(call.attrs.get("offset_x", 0)), weight)
    bias = _per_channel(call.opt(3), 4)
    if bias is not None:
        y += bias
    words = np.frombuffer(call.arg(2).data.astype("<i8").tobytes(), "<f4")[::2]
    factor = np.asarray(words, np.float64)
    y *= factor.reshape(()) if factor.size == 1 else factor.reshape(-1, 1, 1)
    _save(call, y.astype(np.float32))
