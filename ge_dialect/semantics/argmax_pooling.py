"""Golden meaning of pooling with places, and of its gradient."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, widen
from ge_dialect.semantics.registry import semantics
from ge_dialect.semantics.volumes import argmax_windows, axes_of

Attrs = Mapping[str, Any]


@semantics("MaxPoolWithArgmaxV1")
def max_pool_with_argmax_v1(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array]:
    """Largest element of each window, and its place in the plane."""
    x = widen(args[0])
    kernel, strides, pads, dilation = (
        attrs[k][1:3] for k in ("ksize", "strides", "pads", "dilation")
    )
    both = [p for p in pads for _ in (0, 1)]
    ceil_mode = bool(attrs["ceil_mode"])
    axes = axes_of(x.shape[2:], kernel, strides, dilation, "CALCULATED", both, ceil_mode, ctx)
    best, place = argmax_windows(x, axes)
    return best, place


@semantics("MaxPoolGradWithArgmaxV1")
def max_pool_grad_with_argmax_v1(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Gradients added at the places that are given, plane by plane."""
    shape, grad, places = args[0].shape, widen(args[1]), args[2].astype(np.int64)
    size = shape[2] * shape[3]
    wrong = (places < -1) | (places >= size)
    if wrong.any():
        ctx.fail("a place is out of range", code="GX-222", found=int(places[wrong][0]))
    planes = np.zeros((shape[0] * shape[1], size + 1), grad.dtype)  # the last takes what is -1
    number = np.broadcast_to(
        np.arange(len(planes)).reshape(*shape[:2], 1, 1) if len(planes) else 0, places.shape
    )
    np.add.at(planes, (number, places), grad)
    return planes[:, :size].reshape(shape)
