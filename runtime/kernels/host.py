"""Kernel of the operators of ours whose result has a known size."""

from __future__ import annotations

import numpy as np

from runtime.kernels.registry import Call, kernel
from runtime.kernels.views import logical, store


@kernel("HostTfIdfVectorizer")
def tf_idf(call: Call) -> None:
    """Every n-gram of the pool is looked for at every place of every row."""
    attrs, out = call.attrs, call.outs[0]
    x = logical(call.arg(0)).astype(np.int64)
    rows = x.reshape(1, -1) if x.ndim == 1 else x
    pool, starts = list(attrs["pool_int64s"]), list(attrs["ngram_counts"])
    value = np.zeros((rows.shape[0], out.shape[-1]), np.float32)
    number = 0
    for length, (start, end) in enumerate(
        zip(starts, [*starts[1:], len(pool)], strict=True), start=1
    ):
        wanted = int(attrs["min_gram_length"]) <= length <= int(attrs["max_gram_length"])
        most = min(int(attrs["max_skip_count"]) + 1, rows.shape[1])
        steps = range(1, most + 1) if length > 1 else [1]
        for at in range(start, end, length):
            column = int(attrs["ngram_indexes"][number])
            gram = np.array(pool[at : at + length])
            for step in steps if wanted else []:
                width = rows.shape[1] - (length - 1) * step
                if width > 0:
                    hits = np.ones((rows.shape[0], width), bool)
                    for i, letter in enumerate(gram):
                        hits &= rows[:, i * step : i * step + width] == letter
                    value[:, column] += hits.sum(axis=1)
            number += 1
    if attrs["mode"] == "IDF":
        value = np.minimum(value, 1)
    if attrs["mode"] != "TF" and attrs.get("weights"):
        for weight, column in zip(attrs["weights"], attrs["ngram_indexes"], strict=True):
            value[:, int(column)] *= np.float32(weight)
    store(out, value.reshape(out.shape))
