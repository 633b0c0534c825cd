"""Golden meaning of writes by index, and of reversed sequences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context, Ref
from ge_dialect.semantics.indexing import counted, tuple_places
from ge_dialect.semantics.numerics import Array, axis_order, int_list, scalar, widen
from ge_dialect.semantics.registry import semantics
from ge_dialect.semantics.variables import held

Attrs = Mapping[str, Any]

_COMBINE: dict[str, Any] = {
    "add": np.add,
    "mul": np.multiply,
    "max": np.maximum,
    "min": np.minimum,
}


@semantics("ScatterElements")
def scatter_elements(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Elements written or combined along one axis; the other places are those of the index."""
    data, indices, updates = args
    if indices.shape != updates.shape:
        ctx.fail("indices and updates differ", found=indices.shape, expected=updates.shape)
    axis = axis_order([attrs["axis"]], data.ndim, ctx)[0]
    places: list[Any] = list(np.indices(indices.shape, sparse=True))
    places[axis] = counted(indices, data.shape[axis], ctx)
    if attrs["reduction"] == "none":
        out = data.copy()
        out[tuple(places)] = updates
        return out
    combine = _COMBINE.get(attrs["reduction"])
    if combine is None:
        ctx.fail("unknown reduction", found=attrs["reduction"], expected=", ".join(_COMBINE))
    out = widen(data).copy()
    combine.at(out, tuple(places), widen(updates))
    return out


@semantics("ScatterNd")
def scatter_nd(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Zeros with slices added at index tuples."""
    indices, x, shape = args
    wide = widen(x)
    out = np.zeros(int_list(shape), wide.dtype)
    np.add.at(out, tuple_places(indices, out.shape, ctx, False), wide)
    return out


@semantics("TensorScatterUpdate")
def tensor_scatter_update(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """A copy of x with slices replaced at index tuples."""
    x, indices, updates = args
    out = x.copy()
    out[tuple_places(indices, x.shape, ctx, False)] = updates
    return out


@semantics("ReverseSequence")
def reverse_sequence(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The first elements of each sequence in reversed order, as many as its length says."""
    x, lengths = args
    time, batch = (axis_order([attrs[a]], x.ndim, ctx)[0] for a in ("seq_dim", "batch_dim"))
    if lengths.size and not (0 <= int(lengths.min()) and int(lengths.max()) <= x.shape[time]):
        ctx.fail("a length exceeds the sequence", found=int_list(lengths), expected=x.shape[time])
    moved = np.moveaxis(x, (batch, time), (0, 1))
    steps = np.arange(x.shape[time])
    count = lengths.astype(np.int64)[:, None]
    source = np.where(steps < count, count - 1 - steps, steps)
    out = moved[np.arange(x.shape[batch])[:, None], source]
    return np.moveaxis(out, (0, 1), (batch, time))


@semantics("ScatterUpdate")
def scatter_update(args: list[Any], attrs: Attrs, ctx: Context) -> Ref:
    """Rows of a variable replaced."""
    cell, indices, updates = args
    value = held(cell, ctx).copy()
    value[counted(indices, value.shape[0], ctx, negative=False)] = updates
    cell.value = value
    return cell


@semantics("UnsortedSegmentSum")
def unsorted_segment_sum(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Slices summed by the number of their segment; one with a negative number is dropped."""
    x, ids = widen(args[0]), args[1]
    out = np.zeros((scalar(args[2], "num_segments", ctx), *x.shape[ids.ndim :]), x.dtype)
    inside = ids >= 0
    np.add.at(out, counted(ids[inside], out.shape[0], ctx, negative=False), x[inside])
    return out
