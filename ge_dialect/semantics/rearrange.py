"""Golden meaning of moves by a fixed rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.data_movement import pad_pairs
from ge_dialect.semantics.numerics import Array, axis_order
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


@semantics("DepthToSpace")
def depth_to_space(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Channels moved into blocks of pixels."""
    x, b = args[0], attrs["block_size"]
    last = attrs["data_format"] == "NHWC"
    if not last:
        x = np.moveaxis(x, 1, -1)
    n, h, w, c = x.shape
    if c % (b * b):
        ctx.fail(
            "the channels do not divide into blocks", found=c, expected=f"a multiple of {b * b}"
        )
    if attrs["mode"] == "DCR":
        split = x.reshape(n, h, w, b, b, c // (b * b)).transpose(0, 1, 3, 2, 4, 5)
    else:
        split = x.reshape(n, h, w, c // (b * b), b, b).transpose(0, 1, 4, 2, 5, 3)
    y = split.reshape(n, h * b, w * b, c // (b * b))
    return y if last else np.moveaxis(y, -1, 1)


@semantics("SpaceToDepth")
def space_to_depth(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Blocks of pixels moved into channels."""
    x, b = args[0], attrs["block_size"]
    last = attrs["data_format"] == "NHWC"
    if not last:
        x = np.moveaxis(x, 1, -1)
    n, h, w, c = x.shape
    if h % b or w % b:
        ctx.fail("the pixels do not divide", found=(h, w), expected=f"multiples of {b}")
    split = x.reshape(n, h // b, b, w // b, b, c).transpose(0, 1, 3, 2, 4, 5)
    y = split.reshape(n, h // b, w // b, b * b * c)
    return y if last else np.moveaxis(y, -1, 1)


@semantics("Roll")
def roll(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Elements rotated along axes, or as one row."""
    x = args[0]
    if not attrs["dims"]:
        return np.roll(x, attrs["shifts"][0])
    axes = [axis_order([a], x.ndim, ctx)[0] for a in attrs["dims"]]
    return np.roll(x, attrs["shifts"], axes)


@semantics("MirrorPad")
def mirror_pad(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The mirror image around x, with or without the border."""
    x, paddings = args
    mode = "reflect" if attrs["mode"] == "REFLECT" else "symmetric"
    pairs = pad_pairs(paddings, x.ndim, True, ctx)
    if not pairs:
        return x.copy()
    if any(max(p) == 0 for p in pairs) and 0 in x.shape:
        return np.zeros([d + sum(p) for d, p in zip(x.shape, pairs, strict=True)], x.dtype)
    return np.pad(x, pairs, mode=mode)


@semantics("TensorMove")
def tensor_move(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """A copy."""
    return args[0].copy()


@semantics("SplitVD")
def split_vd(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """Parts of given sizes; one of them may be -1, the rest of the axis."""
    x, sizes = args[0], list(attrs["size_splits"])
    axis = axis_order([attrs["split_dim"]], x.ndim, ctx)[0]
    if sizes.count(-1) == 1:
        sizes[sizes.index(-1)] = x.shape[axis] - sum(sizes) - 1
    if min(sizes, default=0) < 0 or sum(sizes) != x.shape[axis]:
        ctx.fail("size_splits does not add up to the axis", found=sizes, expected=x.shape[axis])
    return tuple(np.split(x, np.cumsum(sizes)[:-1], axis=axis))
