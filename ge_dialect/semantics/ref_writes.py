"""Golden meaning of writes into parts of a variable."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context, Ref
from ge_dialect.semantics.indexing import check_indices
from ge_dialect.semantics.registry import lookup, semantics
from ge_dialect.semantics.variables import held

Attrs = Mapping[str, Any]


@semantics("ScatterNdUpdate")
def scatter_nd_update(args: list[Any], attrs: Attrs, ctx: Context) -> Ref:
    """Slices replaced one after the other."""
    cell, indices, updates = args
    value = held(cell, ctx).copy()
    depth = indices.shape[-1]
    rows = indices.reshape(-1, depth)
    slices = updates.reshape(len(rows), *value.shape[depth:])
    for axis in range(depth):
        check_indices(rows[:, axis], value.shape[axis], ctx, negative=False)
    for row, part in zip(rows, slices, strict=True):
        value[tuple(row)] = part
    cell.value = value
    return cell


@semantics("StridedSliceAssign")
def strided_slice_assign(args: list[Any], attrs: Attrs, ctx: Context) -> Ref:
    """A slice replaced, at the places of a slice of numbered elements."""
    cell, begin, end, strides, part = args
    value = held(cell, ctx).copy()
    read = lookup("StridedSlice")
    assert read is not None
    numbers = np.arange(value.size).reshape(value.shape)
    places = read([numbers, begin, end, strides], attrs, ctx)
    value.reshape(-1)[places] = np.broadcast_to(part, places.shape)
    cell.value = value
    return cell


@semantics("ScatterPaKvCache")
def scatter_pa_kv_cache(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Ref, Ref]:
    """Tokens to their slots."""
    key, keys, slots, value, values, *others = args
    if (
        attrs["cache_mode"] != "Norm"
        or attrs["scatter_mode"] != "None"
        or any(o is not None for o in others)
    ):
        ctx.fail(
            "this form of the cache is not evaluated",
            found=f"{attrs['cache_mode']}, {attrs['scatter_mode']}",
            expected="Norm, None",
        )
    for cell, tokens in ((keys, key), (values, value)):
        cache = held(cell, ctx).copy()
        places = cache.reshape(cache.shape[0] * cache.shape[1], *cache.shape[2:])
        if slots.size and slots.max() >= len(places):
            ctx.fail("a slot is out of range", found=int(slots.max()), expected=f"< {len(places)}")
        for slot, token in zip(slots.tolist(), tokens, strict=True):
            if slot >= 0:
                places[slot] = token
        cell.value = places.reshape(cache.shape)
    return keys, values
