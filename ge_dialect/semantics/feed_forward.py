"""Golden meaning of the feed-forward layer of a transformer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import Array, matmul, widen
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]
#: What the second half of the columns goes through before it meets the first.
_GATES = {"geglu": "gelu", "swiglu": "silu", "reglu": "relu"}


def _sigmoid_times(x: Array, factor: float, argument: Array) -> Array:
    return x / (1 + np.exp(-x.dtype.type(factor) * argument))


def _activated(x: Array, name: str) -> Array:
    if name in _GATES:
        first, second = np.split(x, 2, axis=-1)
        return first * _activated(second, _GATES[name])
    if name == "relu":
        return np.maximum(x, 0)
    if name == "gelu":  # (1 + tanh(t)) / 2 is the sigmoid of 2t
        cubic = x + x.dtype.type(0.044715) * x * x * x
        return _sigmoid_times(x, math.sqrt(8 / math.pi), cubic)
    return _sigmoid_times(x, 1.702 if name == "fastgelu" else 1.0, x)


def _layer(x: Array, weight: Array, bias: Any) -> Array:
    y = matmul(x, weight)
    return y if bias is None else y + widen(bias)


@semantics("FFN")
def ffn(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Two layers, expert after expert."""
    x, first, second, tokens, bias1, bias2, *others = args
    whole = [a for a in (x, bias1, bias2) if a is not None and a.dtype.kind == "i"]
    if whole or any(o is not None for o in others):
        ctx.fail("the quantised form is not evaluated", found="int8", expected="float16")
    rows = x.reshape(math.prod(x.shape[:-1]), x.shape[-1])
    if tokens is None:
        parts, weights = [rows], [(first, bias1, second, bias2)]
    else:
        counts = np.diff(tokens, prepend=0) if attrs["tokens_index_flag"] else tokens
        if (counts < 0).any() or counts.sum() != len(rows):
            found, expected = tokens.tolist(), f"{len(rows)} rows"
            ctx.fail("expert_tokens does not cut the axis", found=found, expected=expected)
        parts = np.split(rows, np.cumsum(counts)[:-1]) if counts.size else []
        biases = [[None] * counts.size if b is None else b for b in (bias1, bias2)]
        weights = list(zip(first, biases[0], second, biases[1], strict=True))
    out = [np.zeros((0, second.shape[-1]), widen(x).dtype)]
    for part, (w1, b1, w2, b2) in zip(parts, weights, strict=True):
        hidden = _activated(_layer(part, w1, b1), attrs["activation"]).astype(x.dtype)
        out.append(_layer(hidden, w2, b2))
    return np.concatenate(out).reshape(*x.shape[:-1], second.shape[-1])
