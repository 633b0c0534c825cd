"""Golden meaning of the gradients of convolutions with respect to the filter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, int_list, widen_all
from ge_dialect.semantics.registry import semantics
from ge_dialect.semantics.volumes import axes_of, padded

Attrs = Mapping[str, Any]


@semantics("Conv2DBackpropFilter", "Conv3DBackpropFilter")
def conv_backprop_filter(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Element k of the filter meets the data its windows read there: the sum of their products.

    One matrix product per filter element, over all positions and images.
    """
    sizes = int_list(args[1])
    x, grad = widen_all([args[0], args[2]])
    rank, last = x.ndim, attrs["data_format"][1] != "C"
    if last:
        x, grad = np.moveaxis(x, -1, 1), np.moveaxis(grad, -1, 1)
        sizes = [sizes[-1], sizes[-2], *sizes[:-2]]
    places = slice(1, rank - 1) if last else slice(2, rank)
    lists = (attrs["strides"][places], attrs["dilations"][places])
    axes = axes_of(x.shape[2:], sizes[2:], *lists, "CALCULATED", attrs["pads"], False, ctx)
    groups, n = attrs["groups"], x.shape[0]
    if (sizes[0], sizes[1] * groups) != (grad.shape[1], x.shape[1]):
        ctx.fail("channels do not fit the filter", found=sizes[:2], expected=grad.shape[1])
    if tuple(a.out for a in axes) != grad.shape[2:]:
        ctx.fail("windows do not fit out_backprop", found=grad.shape[2:], expected=axes)
    y = np.zeros(sizes, x.dtype)
    if y.size and grad.size and x.size:
        whole = padded(x, axes)
        seen = int(np.prod(grad.shape[2:]))
        upstream = grad.reshape(n, groups, sizes[0] // groups, seen)
        for tap in np.ndindex(*sizes[2:]):
            where = tuple(a.taps(k) for a, k in zip(axes, tap, strict=True))
            taken = whole[(..., *where)].reshape(n, groups, sizes[1], seen)
            product = np.matmul(upstream, np.swapaxes(taken, 2, 3)).sum(axis=0)
            y[(..., *tap)] = product.reshape(sizes[:2])
    return np.ascontiguousarray(np.moveaxis(y, (0, 1), (-1, -2))) if last else y


@semantics("Conv2DBackpropFilterD")
def conv_backprop_filter_d(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Conv2DBackpropFilter with the shape of the result as an attribute."""
    x, grad = args
    return conv_backprop_filter([x, np.asarray(attrs["filter_size"]), grad], attrs, ctx)
