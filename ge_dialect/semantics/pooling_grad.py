"""Golden meaning of the gradients of pooling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.conv import from_nchw, to_nchw
from ge_dialect.semantics.numerics import Array, int_list, kind, widen, widen_all
from ge_dialect.semantics.pooling import pooling_axes
from ge_dialect.semantics.registry import semantics
from ge_dialect.semantics.volumes import argmax_windows
from ge_dialect.semantics.windows import window_counts

Attrs = Mapping[str, Any]


def _added(shape: tuple[int, ...], places: Array, values: Array) -> Array:
    """Zeros [N, C, *S] plus values [N, C, …] at flat places in [*S]; -1 is nowhere."""
    n, c = shape[:2]
    size = int(np.prod(shape[2:], dtype=np.int64))
    dtype = np.dtype(values.dtype.kind + "8") if kind(values.dtype) in "iu" else values.dtype
    out = np.zeros((n, c, size), dtype)
    image, channel = np.indices((n, c))
    where = places >= 0
    np.add.at(
        out,
        tuple(
            np.broadcast_to(a, places.shape)[where]
            for a in (image[..., None, None], channel[..., None, None], places)
        ),
        values[where],
    )
    return out.reshape(shape)


@semantics("MaxPoolGrad")
def max_pool_grad(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Gradients at the largest elements; windows that overlap add up, integers wrap."""
    x, _, grad = widen_all(args)
    data_format = attrs["data_format"]
    x, grad = to_nchw(x, data_format), to_nchw(grad, data_format)
    _, places = argmax_windows(x, pooling_axes(x, attrs, ctx))
    return from_nchw(_added(x.shape, places, grad), data_format)


@semantics("AvgPoolGrad")
def avg_pool_grad(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Each window's share, added to every element the window read."""
    sizes, data_format = int_list(args[0]), attrs["data_format"]
    grad = to_nchw(widen(args[1]), data_format)
    size = [sizes[data_format.index(a)] for a in "NCHW"]
    h, w = pooling_axes(np.empty((0, 0, *size[2:])), attrs, ctx)
    if grad.shape != (*size[:2], h.out, w.out):
        ctx.fail("input_grad does not fit", code="GX-221", found=grad.shape, expected=size)
    share = grad / window_counts(h, w, False).astype(grad.dtype)
    tall, wide = max(h.needed, h.before + h.size), max(w.needed, w.before + w.size)
    full = np.zeros((*size[:2], tall, wide), grad.dtype)
    if full.size and share.size:
        for i in range(h.kernel):
            for j in range(w.kernel):
                full[:, :, h.taps(i), w.taps(j)] += share
    kept = full[:, :, h.before : h.before + h.size, w.before : w.before + w.size]
    return from_nchw(kept, data_format)


@semantics("MaxPoolGradWithArgmax")
def max_pool_grad_with_argmax(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Gradients at the places that are given."""
    x, grad = widen_all(args[:2])
    last = attrs["data_format"] == "NHWC"
    shape = x.shape if last else (x.shape[0], *x.shape[2:], x.shape[1])
    if not last:
        grad, places = grad.transpose(0, 2, 3, 1), args[2].transpose(0, 2, 3, 1)
    else:
        places = args[2]
    image = int(np.prod(shape[1:], dtype=np.int64))
    flat = places.reshape(len(x), int(np.prod(places.shape[1:]))).astype(np.int64)
    if not attrs["include_batch_in_index"]:
        wrong = (flat < 0) | (flat >= image)
        flat = flat + np.arange(len(x))[:, None] * image
    else:
        wrong = (flat < 0) | (flat >= image * len(x))
    if wrong.any():
        ctx.fail("a place is out of range", code="GX-222", found=int(flat[wrong][0]))
    out = np.zeros(image * len(x), grad.dtype)
    np.add.at(out, flat.reshape(-1), grad.reshape(-1))
    y = out.reshape(shape)
    return y if last else np.ascontiguousarray(y.transpose(0, 3, 1, 2))
