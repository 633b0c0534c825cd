"""Golden meaning of made tensors, triangles, paddings and blocks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import F64, Array, int_list, scalar, widen
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


def _dtype(attrs: Attrs, ctx: Context) -> np.dtype[Any]:
    from ge_dialect.dtypes import from_enum

    return ctx.dtype(from_enum(attrs["dtype"]))


@semantics("Empty")
def empty(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Zeros: nobody may count on anything else."""
    return np.zeros(int_list(args[0]), _dtype(attrs, ctx))


@semantics("ParallelConcatStart", "_ParallelConcatStart")
def parallel_concat_start(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Zeros: nobody may count on anything else."""
    return np.zeros(attrs["shape"], ctx.dtype(attrs["dtype"]))


@semantics("Eye")
def eye(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Ones where row and column agree."""
    rows, columns = attrs["num_rows"], attrs["num_columns"] or attrs["num_rows"]
    one = np.arange(rows)[:, None] == np.arange(columns)
    return np.broadcast_to(one.astype(_dtype(attrs, ctx)), (*attrs["batch_shape"], rows, columns))


@semantics("Diag")
def diag(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x on the diagonal of a matrix, then the axes apart again."""
    (x,) = args
    out = np.zeros((x.size, x.size), x.dtype)
    out[np.arange(x.size), np.arange(x.size)] = x.reshape(-1)
    return out.reshape(x.shape + x.shape)


@semantics("LinSpace")
def lin_space(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Steps counted in f64; the ends are start and stop themselves."""
    start, stop = (widen(a).astype(F64).reshape(-1)[0] for a in args[:2])
    count = scalar(args[2], "num", ctx)
    if count < 1:
        ctx.fail("num must be positive", found=count, expected="≥ 1")
    step = (stop - start) / (count - 1) if count > 1 else 0.0
    out = start + step * np.arange(count)
    out[0] = start
    if count > 1:
        out[-1] = stop
    return out


@semantics("PadV2")
def pad_v2(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x within a tensor of one value."""
    x, table, value = args
    pads = [int_list(row) for row in table]
    if any(p < 0 for row in pads for p in row):
        ctx.fail("paddings has a negative entry", found=pads, expected="≥ 0")
    shape = [d + a + b for d, (a, b) in zip(x.shape, pads, strict=True)]
    out = np.full(shape, value.reshape(-1)[0], x.dtype)
    out[tuple(slice(a, a + d) for d, (a, _) in zip(x.shape, pads, strict=True))] = x
    return out


@semantics("Trilu")
def trilu(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """One side of a diagonal."""
    x = args[0]
    k = 0 if args[1] is None else scalar(args[1], "k", ctx)
    distance = np.arange(x.shape[-1]) - np.arange(x.shape[-2])[:, None]
    kept = distance >= k if attrs["upper"] else distance <= k
    return np.where(kept, x, np.zeros((), x.dtype))


def _blocks(args: list[Any], ctx: Context) -> tuple[Array, list[int], list[list[int]]]:
    x, sizes, table = args[0], int_list(args[1]), [int_list(row) for row in args[2]]
    if len(sizes) != len(table) or len(sizes) >= x.ndim or any(b < 1 for b in sizes):
        ctx.fail("block_shape does not fit", found=sizes, expected=f"up to {x.ndim - 1} sizes")
    return x, sizes, table


@semantics("SpaceToBatchND")
def space_to_batch_nd(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Padded, blocks taken apart, their places first."""
    x, sizes, pads = _blocks(args, ctx)
    m = len(sizes)
    x = np.pad(x, [(0, 0), *map(tuple, pads), *[(0, 0)] * (x.ndim - m - 1)])  # type: ignore[list-item]
    batch, rest = x.shape[0], x.shape[m + 1 :]
    split = [v for d, b in zip(x.shape[1 : m + 1], sizes, strict=True) for v in (d // b, b)]
    x = x.reshape(batch, *split, *rest)
    inner = [2 + 2 * i for i in range(m)]
    outer = [1 + 2 * i for i in range(m)]
    x = x.transpose(*inner, 0, *outer, *range(2 * m + 1, x.ndim))
    return x.reshape(batch * int(np.prod(sizes)), *split[::2], *rest)


@semantics("BatchToSpaceND")
def batch_to_space_nd(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Places put back into blocks, then cropped."""
    x, sizes, crops = _blocks(args, ctx)
    m, blocks = len(sizes), int(np.prod(sizes))
    batch, space, rest = x.shape[0] // blocks, x.shape[1 : m + 1], x.shape[m + 1 :]
    x = x.reshape(*sizes, batch, *space, *rest)
    order = [m, *(a for i in range(m) for a in (m + 1 + i, i)), *range(2 * m + 1, x.ndim)]
    x = x.transpose(order).reshape(
        batch, *(d * b for d, b in zip(space, sizes, strict=True)), *rest
    )
    cut = [slice(a, d - b) for d, (a, b) in zip(x.shape[1:], crops, strict=False)]
    return x[(slice(None), *cut)]


@semantics("Expand")
def expand(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """x stretched to the shape that both broadcast to."""
    x, sizes = args[0], tuple(int_list(args[1]))
    try:
        return np.broadcast_to(x, np.broadcast_shapes(x.shape, sizes))
    except ValueError:
        ctx.fail("x and shape do not broadcast", found=f"{x.shape} and {sizes}")


@semantics("MatrixDiagV2")
def matrix_diag_v2(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Each element by its diagonal and its place on it."""
    from ge_dialect.ops.blocks import matrix_sizes

    diagonal, k = args[0], int_list(args[1])
    rows, columns = (scalar(args[i], name, ctx) for i, name in ((2, "num_rows"), (3, "num_cols")))
    low, high = k[0], k[-1]
    parts = diagonal[..., None, :] if low == high else diagonal
    sizes = matrix_sizes(diagonal.shape[-1], low, high, rows, columns)
    if low > high or sizes is None or parts.shape[-2] != high - low + 1:
        ctx.fail("the diagonals do not fit the matrix", found=(k, rows, columns))
    i, j = np.ogrid[: sizes[0], : sizes[1]]
    d = j - i
    inside = (low <= d) & (d <= high)
    number, place = np.where(inside, high - d, 0), np.where(inside, j - np.maximum(d, 0), 0)
    inside = inside & (place < parts.shape[-1])
    picked = (
        parts[..., number, np.minimum(place, max(parts.shape[-1] - 1, 0))]
        if parts.size
        else (np.zeros((*parts.shape[:-2], *sizes), parts.dtype))
    )
    return np.where(inside, picked, args[4].reshape(()))
