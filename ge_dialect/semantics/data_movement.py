"""Golden meaning of joining, splitting, padding, tiling and filling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, axis_order, int_list, scalar
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


def _one_axis(axis: int, rank: int, ctx: Context) -> int:
    return axis_order([axis], rank, ctx)[0]


def _concat(parts: Sequence[Array], axis: int, ctx: Context) -> Array:
    axis = _one_axis(axis, parts[0].ndim, ctx)
    return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=axis)


@semantics("Concat")
def concat(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Inputs joined along the axis in the first input."""
    return _concat(args[1], scalar(args[0], "concat_dim", ctx), ctx)


@semantics("ConcatV2")
def concat_v2(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Inputs joined along the axis in the last input."""
    return _concat(args[0], scalar(args[1], "concat_dim", ctx), ctx)


@semantics("ConcatD")
def concat_d(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Inputs joined along an attribute axis."""
    return _concat(args[0], attrs["concat_dim"], ctx)


@semantics("Pack")
def pack(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Inputs stacked on a new axis."""
    parts = args[0]
    return np.stack(parts, axis=_one_axis(attrs["axis"], parts[0].ndim + 1, ctx))


@semantics("Unpack")
def unpack(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """The slices of x along an axis, which disappears."""
    x = args[0]
    axis = _one_axis(attrs["axis"], x.ndim, ctx)
    if x.shape[axis] != attrs["num"]:
        ctx.fail("num is not the size of the axis", found=attrs["num"], expected=x.shape[axis])
    return tuple(np.moveaxis(x, axis, 0))


def _split(x: Array, axis: int, parts: int, ctx: Context) -> tuple[Array, ...]:
    axis = _one_axis(axis, x.ndim, ctx)
    if parts < 1 or x.shape[axis] % parts:
        ctx.fail("the axis does not split evenly", found=f"{x.shape[axis]} into {parts}")
    return tuple(np.split(x, parts, axis=axis))


@semantics("Split")
def split(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """Equal parts along the axis in the first input."""
    return _split(args[1], scalar(args[0], "split_dim", ctx), attrs["num_split"], ctx)


@semantics("SplitD")
def split_d(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """Equal parts along an attribute axis."""
    return _split(args[0], attrs["split_dim"], attrs["num_split"], ctx)


@semantics("SplitV")
def split_v(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """Parts of given sizes; one of them may be -1, the rest of the axis."""
    x, sizes = args[0], int_list(args[1])
    axis = _one_axis(scalar(args[2], "split_dim", ctx), x.ndim, ctx)
    if sizes.count(-1) == 1:
        sizes[sizes.index(-1)] = x.shape[axis] - sum(sizes) - 1
    if min(sizes, default=0) < 0 or sum(sizes) != x.shape[axis]:
        ctx.fail("size_splits does not add up to the axis", found=sizes, expected=x.shape[axis])
    return tuple(np.split(x, np.cumsum(sizes)[:-1], axis=axis))


def pad_pairs(values: Any, rank: int, contiguous: bool, ctx: Context) -> list[tuple[int, int]]:
    """(before, after) per axis from paddings in pairs, or all befores followed by all afters."""
    flat = int_list(values)
    if len(flat) != 2 * rank:
        ctx.fail("paddings must hold a pair per axis", found=flat, expected=f"{2 * rank} entries")
    if contiguous:
        return [(flat[2 * i], flat[2 * i + 1]) for i in range(rank)]
    return [(flat[i], flat[i + rank]) for i in range(rank)]


def pad_constant(x: Array, pairs: Sequence[tuple[int, int]], fill: Any, ctx: Context) -> Array:
    """x with `fill` around it; negative entries crop."""
    shape = [n + before + after for n, (before, after) in zip(x.shape, pairs, strict=True)]
    if min(shape, default=0) < 0:
        ctx.fail("padding leaves a negative size", found=list(pairs), expected=f"for {x.shape}")
    out = np.empty(shape, x.dtype)
    out[...] = fill
    inner, taken = [], []
    for n, size, (before, after) in zip(x.shape, shape, pairs, strict=True):
        inner.append(slice(max(before, 0), max(size - max(after, 0), max(before, 0))))
        taken.append(slice(max(-before, 0), max(n - max(-after, 0), max(-before, 0))))
    out[tuple(inner)] = x[tuple(taken)]
    return out


@semantics("Pad")
def pad(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x with zeros around it."""
    x, paddings = args
    return pad_constant(x, pad_pairs(paddings, x.ndim, True, ctx), _zero(x), ctx)


@semantics("PadD")
def pad_d(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Pad with paddings as an attribute."""
    x = args[0]
    return pad_constant(x, pad_pairs(attrs["paddings"], x.ndim, True, ctx), _zero(x), ctx)


@semantics("PadV3")
def pad_v3(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x with a constant, its mirror image (without the border) or its border around it."""
    x, paddings, value = args
    pairs = pad_pairs(paddings, x.ndim, attrs["paddings_contiguous"], ctx)
    mode = attrs["mode"]
    if mode == "constant":
        fill = _zero(x) if value is None else value.reshape(())[()]
        return pad_constant(x, pairs, fill, ctx)
    if mode not in ("edge", "reflect"):
        ctx.fail("unknown padding mode", found=mode, expected="constant, edge or reflect")
    if not pairs:
        return x.copy()
    return np.pad(x, pairs, mode="edge" if mode == "edge" else "reflect")


def _zero(x: Array) -> Any:
    return b"" if x.dtype == object else np.zeros((), x.dtype)


@semantics("Tile")
def tile(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x repeated along each axis."""
    return _tile(args[0], int_list(args[1]), ctx)


@semantics("TileD")
def tile_d(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Tile with multiples as an attribute."""
    return _tile(args[0], list(attrs["multiples"]), ctx)


def _tile(x: Array, multiples: list[int], ctx: Context) -> Array:
    if len(multiples) < x.ndim or min(multiples, default=0) < 0:
        ctx.fail("multiples does not fit x", found=multiples, expected=f"{x.ndim} sizes ≥ 0")
    return np.tile(x, multiples)


@semantics("Fill")
def fill(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """A tensor of the shape in the first input, holding one value."""
    dims, value = int_list(args[0]), args[1]
    if value.size != 1:
        ctx.fail("value must hold one element", found=f"shape {value.shape}", expected="1 element")
    out = np.empty(dims, value.dtype)
    out[...] = value.reshape(())[()]
    return out
