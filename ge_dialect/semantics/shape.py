"""Golden meaning of the operators about shapes, and of transposes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, axis_list, axis_order, int_list, scalar
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


def resolve_shape(shape: Sequence[int], target: Sequence[int], ctx: Context) -> tuple[int, ...]:
    """`target` with 0 (copy) and -1 (the rest of what is not copied) replaced.

    Of an empty input, 0 stands for itself where copying would give elements.
    """
    size = int(np.prod(shape, dtype=np.int64))
    out, copied = list(target), {i for i, n in enumerate(target) if n == 0}
    beyond = max(copied, default=-1) >= len(shape)
    if beyond and size:
        ctx.fail("a 0 in shape copies an axis x does not have", found=list(target))
    if beyond:
        out = [0 if n == -1 else n for n in out]
    else:
        for i in copied:
            out[i] = shape[i]
        if out.count(-1) == 1:
            left = [n for i, n in enumerate(shape) if i not in copied]
            others = [n for i, n in enumerate(target) if n != -1 and i not in copied]
            out[out.index(-1)] = int(np.prod(left, dtype=np.int64)) // int(
                np.prod(others, dtype=np.int64)
            )
        elif not size and 0 not in out:
            out = list(target)
    if min(out, default=0) < 0 or int(np.prod(out, dtype=np.int64)) != size:
        ctx.fail(
            "the number of elements changes",
            code="GX-221",
            found=f"{list(target)} for a tensor of shape {list(shape)}",
            expected=f"{size} elements",
        )
    return tuple(out)


@semantics("Reshape")
def reshape(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x seen in another shape; axis and num_axes restrict the change to some axes."""
    x, target = args[0], int_list(args[1])
    axis, count = attrs["axis"], attrs["num_axes"]
    if axis == 0 and count == -1:
        return x.reshape(resolve_shape(x.shape, target, ctx))
    start = axis if axis >= 0 else axis + x.ndim + 1
    stop = x.ndim if count == -1 else start + count
    if not 0 <= start <= stop <= x.ndim:
        ctx.fail("axis and num_axes lie outside x", found=f"{axis}, {count}", expected=x.shape)
    middle = resolve_shape(x.shape[start:stop], target, ctx)
    return x.reshape(x.shape[:start] + middle + x.shape[stop:])


def _squeeze(x: Array, axes: Any, ctx: Context) -> Array:
    drop = axis_list(axes, x.ndim, ctx)
    if not drop:
        return np.squeeze(x)
    for a in drop:
        if x.shape[a] != 1:
            ctx.fail(f"axis {a} cannot be squeezed", found=x.shape, expected="size 1")
    return np.squeeze(x, axis=drop)


@semantics("Squeeze")
def squeeze(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x without the listed axes of size 1, or without all of them."""
    return _squeeze(args[0], attrs["axis"], ctx)


@semantics("SqueezeV3")
def squeeze_v3(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Squeeze with the axes as an optional input."""
    return _squeeze(args[0], () if args[1] is None else args[1], ctx)


def _unsqueeze(x: Array, axes: Any, ctx: Context) -> Array:
    numbers = int_list(np.asarray(axes, dtype=np.int64))
    places = axis_list(numbers, x.ndim + len(numbers), ctx)
    return np.expand_dims(x, places)


@semantics("Unsqueeze")
def unsqueeze(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x with axes of size 1 at the listed places of the result."""
    return _unsqueeze(args[0], attrs["axes"], ctx)


@semantics("UnsqueezeV3")
def unsqueeze_v3(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Unsqueeze with the axes as an input."""
    return _unsqueeze(args[0], args[1], ctx)


@semantics("ExpandDims")
def expand_dims(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x with one axis of size 1 at place `axis` of the result."""
    return _unsqueeze(args[0], [scalar(args[1], "axis", ctx)], ctx)


@semantics("Flatten")
def flatten(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x as a matrix cut before `axis`, which may be the rank."""
    x, axis = args[0], attrs["axis"]
    if not -max(x.ndim, 1) <= axis <= x.ndim:
        ctx.fail("axis is out of range", code="GX-222", found=axis, expected=f"within {x.ndim}")
    axis = axis + max(x.ndim, 1) if axis < 0 else axis
    rows = int(np.prod(x.shape[:axis], dtype=np.int64))
    columns = int(np.prod(x.shape[axis:], dtype=np.int64))
    return x.reshape(rows, columns)


def _index_dtype(attrs: Attrs, ctx: Context) -> Any:
    from ge_dialect.dtypes import from_enum

    return ctx.dtype(from_enum(attrs["dtype"]))


@semantics("Shape")
def shape(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The dims of x."""
    return np.array(args[0].shape, dtype=_index_dtype(attrs, ctx))


@semantics("Size")
def size(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The number of elements of x, a scalar."""
    return np.array(args[0].size, dtype=_index_dtype(attrs, ctx))


@semantics("Rank")
def rank(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The number of axes of x, a scalar."""
    return np.array(args[0].ndim, dtype=np.int32)


def _transpose(x: Array, perm: Sequence[int], ctx: Context) -> Array:
    order = axis_order(perm, x.ndim, ctx)
    if len(order) != x.ndim:
        ctx.fail("perm has the wrong length", found=list(perm), expected=f"{x.ndim} entries")
    return np.ascontiguousarray(x.transpose(order)) if x.ndim else x


@semantics("Transpose")
def transpose(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Axis i of the result is axis perm[i] of x."""
    return _transpose(args[0], int_list(args[1]), ctx)


@semantics("TransposeD")
def transpose_d(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Transpose with perm as an attribute."""
    return _transpose(args[0], list(attrs["perm"]), ctx)
