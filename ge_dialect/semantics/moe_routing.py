"""Golden meaning of sorting tokens by expert with capacities and quantisation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.budget import claim
from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import F32, Array, cast, widen
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]
_F16, _INT8 = np.dtype(np.float16), np.dtype(np.int8)


def _quantised(rows: Array, experts: Array, args: list[Any], attrs: Attrs) -> tuple[Array, Array]:
    """int8 rows and the scale of each; `experts` are counted from the first of the range."""
    scale, offset = args[2], args[3]
    if attrs["quant_mode"] == 0:
        by, add = (cast(v.reshape(()), _F16) for v in (scale, offset))
        value = cast(rows, _F16) * by + add  # numpy rounds every step to float16
        return cast(np.rint(value.astype(F32)), _INT8), np.zeros(len(rows), F32)
    value = widen(rows)
    if scale is not None:
        value = value * (scale if len(scale) == 1 else scale[experts])
    found = np.max(np.abs(value), axis=1, initial=0) / value.dtype.type(127)
    ratio = np.divide(value, found[:, None], out=np.zeros_like(value), where=found[:, None] != 0)
    return cast(np.rint(ratio), _INT8), found


def _counts(experts: Array, first: int, last: int, attrs: Attrs) -> Array:
    """What is said of the numbers of choices, from the sorted choices in range."""
    found = np.bincount(experts - first, minlength=last - first).astype(np.int64)
    kind = attrs["expert_tokens_num_type"]
    if kind == 2:
        pairs = np.zeros((max(attrs["expert_num"], last - first), 2), np.int64)
        some = np.flatnonzero(found)
        pairs[: len(some)] = np.stack([some + first, found[some]], axis=1)
        found = pairs
    elif kind == 0 and not attrs["drop_pad_mode"]:
        found = np.cumsum(found)
    return found if attrs["expert_tokens_num_flag"] else np.zeros_like(found)


@semantics("MoeInitRoutingV3")
def moe_init_routing_v3(
    args: list[Any], attrs: Attrs, ctx: Context
) -> tuple[Array, Array, Array, Array]:
    """By one stable sort, in which choices out of range come last."""
    x, chosen = args[0], args[1]
    k = max(chosen.shape[1], 1)
    flat = chosen.reshape(-1)
    first, last = attrs["active_expert_range"] or (0, attrs["expert_num"])
    within = (flat >= first) & (flat < last)
    order = np.argsort(np.where(within, flat, np.iinfo(np.int32).max), kind="stable")
    order = order[: int(within.sum())]
    experts = flat[order]
    counts = _counts(experts, first, last, attrs)
    places = np.full(flat.size, -1, np.int32)
    if attrs["drop_pad_mode"]:
        capacity = attrs["expert_capacity"]
        start = np.searchsorted(experts, np.arange(last))
        rank = np.arange(len(experts)) - start[experts]
        kept = rank < capacity
        order, experts, rank = order[kept], experts[kept], rank[kept]
        where, total = experts * capacity + rank, last * capacity
        places[order] = where
    else:
        most = attrs["active_num"]
        total = flat.size if most <= 0 else min(flat.size, most)
        if attrs["row_idx_type"]:
            places[: len(order)] = order
        else:
            places[order] = np.arange(len(order))
        order, experts = order[:total], experts[:total]
        where = np.arange(len(order))
    tokens = order // k
    quantised = attrs["quant_mode"] != -1
    claim((total, x.shape[1]), x.itemsize)
    rows = np.zeros((total, x.shape[1]), _INT8 if quantised else x.dtype)
    scales = np.zeros(total, F32 if args[2] is None else args[2].dtype)
    if quantised:
        rows[where], scales[where] = _quantised(x[tokens], experts - first, args, attrs)
    else:
        rows[where] = x[tokens]
        if args[2] is not None:
            scales[where] = args[2][tokens]
    if attrs["drop_pad_mode"]:
        rows = rows.reshape(last, attrs["expert_capacity"], x.shape[1])
    return rows, places, counts, scales
