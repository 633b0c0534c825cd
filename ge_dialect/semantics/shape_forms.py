"""Golden meaning of shapes as values and of changes of shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, axis_order, int_list, scalar
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


def _index(attrs: Attrs) -> type:
    return np.int64 if attrs["dtype"] == 9 else np.int32


@semantics("ShapeN")
def shape_n(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """The shape of each input."""
    return tuple(np.array(x.shape, _index(attrs)) for x in args[0])


@semantics("GatherShapes")
def gather_shapes(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Chosen dims of the inputs."""
    return np.array([args[0][i].shape[a] for i, a in attrs["axes"]], _index(attrs))


@semantics("BroadcastArgs")
def broadcast_args(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The common shape."""
    rank = max(len(v) for v in args)
    a, b = (np.concatenate([np.ones(rank - len(v), v.dtype), v]) for v in args)
    apart = np.flatnonzero((a != b) & (a != 1) & (b != 1))
    if apart.size:
        found = f"{a[apart[-1]]} and {b[apart[-1]]}"
        ctx.fail("the shapes do not broadcast", code="GX-221", found=found, expected="equal or 1")
    return np.where(a == 1, b, a)


@semantics("BroadcastGradientArgs")
def broadcast_gradient_args(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array]:
    """Axes along which each shape was stretched."""
    a, b = (int_list(v) for v in args)
    dtype = args[0].dtype
    np.broadcast_shapes(tuple(a), tuple(b))
    if a == b:
        return np.zeros(0, dtype), np.zeros(0, dtype)
    rank = max(len(a), len(b))
    first, second = (np.array([1] * (rank - len(s)) + s) for s in (a, b))
    return np.flatnonzero(first == 1).astype(dtype), np.flatnonzero(second == 1).astype(dtype)


@semantics("ConcatOffset")
def concat_offset(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """Sums of the sizes before, at the place of the axis."""
    shapes = np.stack(args[1])
    (axis,) = axis_order([scalar(args[0], "concat_dim", ctx)], shapes.shape[1], ctx)
    sizes = shapes[:, axis]
    out = np.zeros_like(shapes)
    out[1:, axis] = np.cumsum(sizes)[:-1]  # wraps, as the sums of integers do
    return tuple(out)


@semantics("FlattenV2")
def flatten_v2(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """A range of axes as one."""
    (x,) = args
    rank = max(x.ndim, 1)
    first, last = attrs["axis"] % rank, attrs["end_axis"] % rank
    size = int(np.prod(x.shape[first : last + 1]))
    return x.reshape(*x.shape[:first], size, *x.shape[last + 1 :])


@semantics("Permute")
def permute(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The axes in another order."""
    return args[0].transpose(axis_order(attrs["order"], args[0].ndim, ctx))


@semantics("SqueezeV2")
def squeeze_v2(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Without axes of size 1."""
    (x,) = args
    return np.squeeze(x, axis_order(attrs["axis"], x.ndim, ctx) if attrs["axis"] else None)


@semantics("UnsqueezeV2")
def unsqueeze_v2(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """With axes of size 1."""
    (x,) = args
    return np.expand_dims(x, axis_order(attrs["axis"], x.ndim + len(attrs["axis"]), ctx))


@semantics("TransShape")
def trans_shape(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The same elements in another shape."""
    return args[0].reshape(attrs["outShape"])


@semantics("ReFormat")
def re_format(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The same elements."""
    return args[0]
