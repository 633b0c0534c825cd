"""Kernels of routing to experts on ND: row by row, by sorting pairs and by counting."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from runtime.kernels.refusal import Refusal
from runtime.kernels.registry import Call, kernel
from runtime.kernels.views import logical, store, wide


def _best(row: np.ndarray, k: int) -> list[int]:
    """Places of the k largest of a row, lower numbers first among equals, NaN last."""

    def key(i: int) -> tuple[bool, float, int]:
        value = float(row[i])
        return (value != value, -value, i)

    return sorted(range(len(row)), key=key)[:k]


def _within(numbers: np.ndarray, low: int, end: int) -> bool:
    return all(low <= int(n) < end for n in numbers.reshape(-1))


def _normal(row: np.ndarray) -> np.ndarray:
    weights = np.exp(row - row.max())
    return weights / weights.sum()


@kernel("MoeGatingTopK")
def moe_gating_top_k(call: Call) -> None:
    """Groups and experts of each row."""
    attrs, x = call.attrs, wide(logical(call.arg(0)))
    bias = call.opt(1)
    added: Any = 0 if bias is None else wide(logical(bias))
    groups, sigmoid = attrs["group_count"], attrs["norm_type"] == 1
    y, experts = np.zeros(call.outs[0].shape, x.dtype), np.zeros(call.outs[1].shape, np.int32)
    every = np.zeros(x.shape, x.dtype)
    for i, row in enumerate(x):
        scores = np.reciprocal(1 + np.exp(-row)) if sigmoid else _normal(row)
        ranked = scores + added
        size = len(row) // groups
        best = []
        for g in range(groups):
            part = ranked[g * size : (g + 1) * size]
            if np.isnan(part).any():
                best.append(np.nan)
                continue
            part = sorted(part.tolist(), reverse=True)
            best.append(sum(np.array(part[:2], x.dtype)) if attrs["group_select_mode"] else part[0])
        open_groups = set(_best(np.array(best, x.dtype), attrs["k_group"]))
        allowed = [e for e in range(len(row)) if e // size in open_groups]
        found = [allowed[j] for j in _best(ranked[allowed], attrs["k"])]
        weights = scores[found]
        if sigmoid:
            weights = weights / (weights.sum() + x.dtype.type(attrs["eps"]))
        y[i], experts[i] = weights * x.dtype.type(attrs["routed_scaling_factor"]), found
        if attrs["out_flag"]:
            every[i] = scores
    for view, value in zip(call.outs, (y, experts, every), strict=True):
        store(view, value)


def _rows(call: Call) -> tuple[np.ndarray, np.ndarray | None]:
    x = wide(logical(call.arg(0)))
    finished = call.opt(1)
    flags = None if finished is None else logical(finished).reshape(-1)
    return x.reshape(prod(x.shape[:-1]), x.shape[-1]), flags


@kernel("MoeGatingTopKSoftmax", "MoeGatingTopKSoftmaxV2")
def moe_gating_top_k_softmax(call: Call) -> None:
    """Choices of each row; in the renormalised form the softmax comes last."""
    x, flags = _rows(call)
    k, last = call.attrs["k"], bool(call.attrs.get("renorm"))
    y, experts = np.zeros((len(x), k), x.dtype), np.zeros((len(x), k), np.int32)
    every = np.zeros_like(x)
    for i, row in enumerate(x):
        scores = _normal(row)
        found = _best(row if last else scores, k)
        y[i] = _normal(row[found]) if last else scores[found]
        experts[i] = x.shape[1] if flags is not None and flags[i] else found
        if call.attrs.get("output_softmax_result_flag") and not last:
            every[i] = scores
    store(call.outs[0], y.reshape(call.outs[0].shape))
    store(call.outs[1], experts.reshape(call.outs[1].shape))
    if "renorm" in call.attrs:
        store(call.outs[2], every.reshape(call.outs[2].shape))
    else:
        numbers = np.arange(len(x) * k, dtype=np.int32).reshape(k, len(x)).T
        store(call.outs[2], np.ascontiguousarray(numbers).reshape(call.outs[2].shape))


@kernel("MoeInitRouting")
def moe_init_routing(call: Call) -> None:
    """A bucket per expert, filled in order."""
    x, numbers, experts = (logical(call.arg(i)) for i in range(3))
    if not _within(numbers, 0, numbers.size):
        raise Refusal("row_idx does not number the choices", found=numbers.tolist())
    buckets: dict[int, list[int]] = {}
    for expert, number in zip(experts.reshape(-1), numbers.reshape(-1), strict=True):
        buckets.setdefault(int(expert), []).append(int(number))
    moved = [(e, s) for e in sorted(buckets) for s in buckets[e]]
    rows, places, sorted_experts = (np.zeros(v.shape, v.data.dtype) for v in call.outs)
    for i, (expert, number) in enumerate(moved):
        places[number], sorted_experts[i] = i, expert
        if i < len(rows):
            rows[i] = x[number % len(x)]
    for view, value in zip(call.outs, (rows, places, sorted_experts), strict=True):
        store(view, value)


@kernel("MoeFinalizeRouting")
def moe_finalize_routing(call: Call) -> None:
    """A row at a time."""
    _mix(call, {"x1": 1, "x2": 2, "bias": 3, "scales": 4, "places": 5, "experts": 6}, 0)


@kernel("MoeFinalizeRoutingV2")
def moe_finalize_routing_v2(call: Call) -> None:
    """A row at a time, in one of the orders of the choices."""
    slots = {"places": 1, "x1": 2, "x2": 3, "bias": 4, "scales": 5, "experts": 6}
    _mix(call, slots, call.attrs["drop_pad_mode"])


def _mix(call: Call, slots: dict[str, int], mode: int) -> None:
    given = {name: call.opt(slot) for name, slot in slots.items()}
    read = {name: None if v is None else wide(logical(v)) for name, v in given.items()}
    out = call.outs[0]
    rows, width = out.shape
    x = wide(logical(call.arg(0)))
    results = x.reshape(prod(x.shape[:-1]), width)
    places, scales, bias = read["places"], read["scales"], read["bias"]
    assert places is not None
    if not _within(places, -1 if mode in (1, 3) else 0, len(results)):
        found = places.tolist()
        raise Refusal("expanded_row_idx does not name rows of expanded_x", found=found)
    if bias is not None and read["experts"] is not None:
        if not _within(read["experts"], 0, len(bias)):
            found = read["experts"].tolist()
            raise Refusal("an expert has no bias", found=found, expected=f"< {len(bias)}")
    count = places.size // max(rows, 1)
    total = np.zeros((rows, width), np.float32 if results.dtype != np.float64 else np.float64)
    for i in range(rows):
        for k in range(count):
            place = int(places.reshape(-1)[i * count + k if mode >= 2 else i + k * rows])
            part = results[place] if place >= 0 else np.zeros(width, results.dtype)
            if bias is not None:
                experts = read["experts"]
                assert experts is not None
                part = part + bias[int(experts[i, k])]
            total[i] += part if scales is None else scales[i, k] * part
        for name in ("x1", "x2"):
            x = read[name]
            if x is not None:
                total[i] += x[i]
    store(out, total)


@kernel("MoeComputeExpertTokens")
def moe_compute_expert_tokens(call: Call) -> None:
    """By search among the experts in order."""
    experts, out = np.sort(call.arg(0).data.reshape(-1)), call.outs[0]
    store(out, np.searchsorted(experts, np.arange(out.shape[0]), side="right").astype(np.int32))
