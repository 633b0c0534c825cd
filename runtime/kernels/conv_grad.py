"""Kernels of the gradients of convolutions with respect to the filter, on ND.

The gradient is spread out by the strides and slides over the data like a filter: what the windows
of that size see, at the distances of the dilations, sums up to the elements of the filter.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from runtime.kernels.partial import contract
from runtime.kernels.registry import Call, kernel
from runtime.kernels.unary import convert
from runtime.kernels.views import logical, store


def _first(array: np.ndarray, last: bool) -> np.ndarray:
    array = array.astype(np.float64)
    return np.moveaxis(array, -1, 1) if last else array


def _gradient(call: Call, data: int, upstream: int) -> None:
    attrs, out = call.attrs, call.outs[0]
    last = str(attrs.get("data_format", "NHWC"))[1] != "C"
    x, grad = _first(logical(call.arg(data)), last), _first(logical(call.arg(upstream)), last)
    rank = x.ndim - 2
    shape = out.shape
    kernel_size = shape[:-2] if last else shape[2:]
    to, per = (shape[-1], shape[-2]) if last else shape[:2]
    places = slice(1, -1) if last else slice(2, None)
    strides = [int(s) for s in attrs["strides"][places]]
    dilations = [int(d) for d in attrs.get("dilations", (1,) * (rank + 2))[places]]
    before = [int(p) for p in attrs["pads"][::2]]
    groups = int(attrs.get("groups", 1))
    y = np.zeros((to, per, *kernel_size))
    if y.size and grad.size and x.size:
        apart = [(n - 1) * s + 1 for n, s in zip(grad.shape[2:], strides, strict=True)]
        need = [a + (k - 1) * d for a, k, d in zip(apart, kernel_size, dilations, strict=True)]
        grown = np.zeros((*x.shape[:2], *need))
        keep = [min(n, w - b) for n, w, b in zip(x.shape[2:], need, before, strict=True)]
        into = tuple(slice(b, b + max(k, 0)) for b, k in zip(before, keep, strict=True))
        grown[(..., *into)] = x[(..., *(slice(0, max(k, 0)) for k in keep))]
        seen = sliding_window_view(grown, apart, axis=tuple(range(2, 2 + rank)))
        seen = seen[(..., *(slice(None, None, s) for s in strides))]
        seen = seen[(slice(None), slice(None), *(slice(None, None, d) for d in dilations))]
        over = (0, *range(2, 2 + rank)), (0, *range(2 + rank, 2 + 2 * rank))
        many = to // groups
        for g in range(groups):
            mine, theirs = slice(g * many, (g + 1) * many), slice(g * per, (g + 1) * per)
            y[mine] = contract(grad[:, mine], seen[:, theirs], over)
    y = np.moveaxis(y, (0, 1), (-1, -2)) if last else y
    store(out, convert(np.ascontiguousarray(y), out.data.dtype))


@kernel("Conv2DBackpropFilter", "Conv3DBackpropFilter")
def conv_backprop_filter(call: Call) -> None:
    """Gradient whose shape is an input."""
    _gradient(call, 0, 2)


@kernel("Conv2DBackpropFilterD")
def conv_backprop_filter_d(call: Call) -> None:
    """Gradient whose shape is an attribute."""
    _gradient(call, 0, 1)
