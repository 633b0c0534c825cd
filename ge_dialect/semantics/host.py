"""Golden meaning of the operators of ours for what ONNX has and GE has not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, axis_order, widen
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


@semantics("HostUnique")
def host_unique(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, ...]:
    """Distinct elements or slices, in rising order or that of occurrence, with three maps."""
    x = args[0]
    if attrs["axis"] is None:
        rows, axis = x.reshape(-1), 0
    else:
        axis = axis_order([attrs["axis"]], x.ndim, ctx)[0]
        rows = x
    wide = widen(rows)
    _, first, inverse, count = np.unique(
        wide, return_index=True, return_inverse=True, return_counts=True, axis=axis, equal_nan=False
    )
    inverse = inverse.reshape(-1)
    if not attrs["sorted"]:
        by_place = np.argsort(first, kind="stable")
        rank = np.empty_like(by_place)
        rank[by_place] = np.arange(by_place.size)
        first, inverse, count = first[by_place], rank[inverse], count[by_place]
    return np.take(rows, first, axis=axis), first, inverse, count


@semantics("HostTfIdfVectorizer")
def tf_idf(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Counts of the pool's n-grams per row, plain, as flags or weighted."""
    x = args[0]
    rows = x if x.ndim == 2 else x.reshape(1, x.size)
    pool, starts = attrs["pool_int64s"], attrs["ngram_counts"]
    grams: dict[tuple[int, ...], int] = {}
    known = 0
    for length, (start, end) in enumerate(zip(starts, (*starts[1:], len(pool)), strict=True), 1):
        for place in range(start, end, length):
            if attrs["min_gram_length"] <= length <= attrs["max_gram_length"]:
                grams[tuple(pool[place : place + length])] = known
            known += 1
    width = max(attrs["ngram_indexes"], default=-1) + 1
    counts = np.zeros((len(rows), width), np.float32)
    for i, row in enumerate(rows.tolist()):
        for length in range(attrs["min_gram_length"], attrs["max_gram_length"] + 1):
            for skip in range(min(attrs["max_skip_count"] + 1, len(row)) if length > 1 else 1):
                step = skip + 1
                for place in range(len(row) - (length - 1) * step):
                    gram = grams.get(tuple(row[place : place + length * step : step]))
                    if gram is not None:
                        counts[i, attrs["ngram_indexes"][gram]] += 1
    if attrs["mode"] != "TF":
        weight = np.ones(width, np.float32)
        if attrs["weights"]:
            weight[list(attrs["ngram_indexes"])] = attrs["weights"]
        counts = (counts > 0 if attrs["mode"] == "IDF" else counts) * weight
    return counts if x.ndim == 2 else counts[0]
