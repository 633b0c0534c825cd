"""Golden meaning of routing tokens to experts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import F32, Array, widen
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


def _softmax(x: Array) -> Array:
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def _largest(x: Array, k: int) -> Array:
    """Places of the k largest along the last axis, the first of equals first."""
    return np.argsort(-x, axis=-1, kind="stable")[..., :k]


@semantics("MoeGatingTopK")
def moe_gating_top_k(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array, Array]:
    """The best experts of the best groups."""
    x = widen(args[0])
    scores = 1 / (1 + np.exp(-x)) if attrs["norm_type"] == 1 else _softmax(x)
    ranked = scores if args[1] is None else scores + widen(args[1])
    groups = attrs["group_count"]
    if groups > 1:
        parts = ranked.reshape(len(x), groups, x.shape[1] // groups)
        if attrs["group_select_mode"] == 1:
            rank = np.sort(parts, axis=-1)[..., -2:].sum(axis=-1)
        else:
            rank = parts.max(axis=-1)
        size, chosen = parts.shape[-1], np.sort(_largest(rank, attrs["k_group"]), axis=1)
        open_ = (chosen[..., None] * size + np.arange(size)).reshape(len(x), chosen.shape[1] * size)
        best = _largest(np.take_along_axis(ranked, open_, axis=1), attrs["k"])
        experts = np.take_along_axis(open_, best, axis=1).astype(np.int32)
    else:
        experts = _largest(ranked, attrs["k"])
    y = np.take_along_axis(scores, experts, axis=1)
    if attrs["norm_type"] == 1:
        y = y / (y.sum(axis=1, keepdims=True) + x.dtype.type(attrs["eps"]))
    y = y * x.dtype.type(attrs["routed_scaling_factor"])
    return y, experts, scores if attrs["out_flag"] else np.zeros_like(scores)


def _finished(experts: Array, flags: Any, count: int) -> Array:
    return experts if flags is None else np.where(flags[..., None], count, experts)


@semantics("MoeGatingTopKSoftmax")
def moe_gating_top_k_softmax(
    args: list[Any], attrs: Attrs, ctx: Context
) -> tuple[Array, Array, Array]:
    """The largest of a softmax."""
    scores = _softmax(widen(args[0]))
    experts = _largest(scores, attrs["k"])
    y = np.take_along_axis(scores, experts, axis=-1)
    rows = int(np.prod(experts.shape[:-1]))
    numbers = np.arange(rows)[:, None] + np.arange(attrs["k"]) * rows
    return y, _finished(experts, args[1], scores.shape[-1]), numbers.reshape(experts.shape)


@semantics("MoeGatingTopKSoftmaxV2")
def moe_gating_top_k_softmax_v2(
    args: list[Any], attrs: Attrs, ctx: Context
) -> tuple[Array, Array, Array]:
    """The largest of a softmax, or the softmax of the largest."""
    x = widen(args[0])
    scores = _softmax(x)
    experts = _largest(x if attrs["renorm"] else scores, attrs["k"])
    if attrs["renorm"]:
        y = _softmax(np.take_along_axis(x, experts, axis=-1))
    else:
        y = np.take_along_axis(scores, experts, axis=-1)
    shown = attrs["output_softmax_result_flag"] and not attrs["renorm"]
    result = scores if shown else np.zeros_like(scores)
    return y, _finished(experts, args[1], x.shape[-1]), result.astype(x.dtype)


@semantics("MoeInitRouting")
def moe_init_routing(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array, Array]:
    """Rows sorted by expert."""
    x, numbers, experts = args
    order = np.argsort(experts, axis=None, kind="stable")
    moved = numbers.reshape(-1)[order]
    if moved.size and not 0 <= moved.min() <= moved.max() < moved.size:
        ctx.fail("row_idx does not number the choices", found=numbers.tolist())
    places = np.zeros(moved.size, np.int32)
    places[moved] = np.arange(moved.size, dtype=np.int32)
    count = min(len(x), attrs["active_num"]) * experts.shape[1]
    return x[moved[:count] % max(len(x), 1)], places, experts.reshape(-1)[order]


@semantics("MoeFinalizeRouting")
def moe_finalize_routing(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Results of the experts, weighed and added up."""
    expanded, x1, x2, bias, scales, places, experts = args
    return _mix(expanded, places, x1, x2, bias, scales, experts, 0, ctx)


@semantics("MoeFinalizeRoutingV2")
def moe_finalize_routing_v2(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Results of the experts, weighed and added up."""
    expanded, places, x1, x2, bias, scales, experts = args
    mode = attrs["drop_pad_mode"]
    return _mix(expanded, places, x1, x2, bias, scales, experts, mode, ctx)


def _mix(
    expanded: Array,
    places: Array,
    x1: Any,
    x2: Any,
    bias: Any,
    scales: Any,
    experts: Any,
    mode: int,
    ctx: Context,
) -> Array:
    wide = widen(expanded)
    results = wide.reshape(int(np.prod(wide.shape[:-1])), wide.shape[-1])
    weights = np.ones((places.size, 1), F32) if scales is None else widen(scales)
    rows, k = weights.shape
    table = places.reshape(rows, k) if mode >= 2 else places.reshape(k, rows).T
    lowest = -1 if mode in (1, 3) else 0
    if table.size and not lowest <= table.min() <= table.max() < len(results):
        ctx.fail("expanded_row_idx does not name rows of expanded_x", found=places.tolist())
    if experts is not None and bias is not None and experts.size:
        if not 0 <= experts.min() <= experts.max() < len(bias):
            ctx.fail("an expert has no bias", found=experts.tolist(), expected=f"< {len(bias)}")
    # row -1 is a dropped one
    padded = np.concatenate([results, np.zeros((1, results.shape[1]), results.dtype)])
    picked = padded[table]
    if bias is not None:
        picked = picked + widen(bias)[experts]
    total = (picked * weights[:, :, None]).sum(axis=1)
    for x in (x1, x2):
        if x is not None:
            total = total + widen(x)
    return total


@semantics("MoeComputeExpertTokens")
def moe_compute_expert_tokens(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Numbers of tokens up to each expert."""
    return (args[0][None, :] <= np.arange(attrs["num_experts"])[:, None]).sum(axis=1)
