"""Golden meaning of the loss of a labelling without alignment."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import F64, Array
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]


def labels_of(indices: Array, values: Array, batch: int, ctx: Context) -> list[list[int]]:
    """The labels of each example, from their sparse form."""
    places = indices.tolist()
    if any(a >= b for a, b in pairwise(places)) or any(min(p) < 0 for p in places):
        ctx.fail(
            "labels_indices lies outside, or is out of order", found=places, expected="ascending"
        )
    out: list[list[int]] = [[] for _ in range(batch)]
    for (example, _), label in zip(places, values.tolist(), strict=True):
        if example >= batch:
            ctx.fail("labels_indices lies outside the batch", found=example, expected=batch)
        out[example].append(label)
    return out


def _written(labels: list[int], blank: int, collapse: bool, ctx: Context) -> list[int]:
    """What is to be read: labels up to the first null label."""
    out: list[int] = []
    ended = False
    for i, label in enumerate(labels):
        if collapse and i and label == labels[i - 1]:
            continue
        if label < 0 or (ended and label < blank):
            expected = f"0 … {blank - 1}, and nothing after a null label"
            ctx.fail("a label is out of range", code="GX-222", found=label, expected=expected)
        ended = ended or label >= blank
        if not ended:
            out.append(label)
    return out


def _moved(state: Array, by: int) -> Array:
    """States `by` places further on."""
    out = np.full_like(state, -np.inf)
    if by < len(state):
        out[by:] = state[: len(state) - by]
    return out


def _forward(logs: Array, states: Array, blank: int, merge: bool) -> Array:
    """log P of all beginnings of paths that end in each state at each step, [time, states]."""
    symbols = logs[:, states]
    same = np.zeros(len(states), bool)
    same[2:] = states[2:] == states[:-2]
    stay = (states == blank) | merge
    skip = (states != blank) & ~(same & merge)
    alpha = np.full(symbols.shape, -np.inf)
    alpha[0, :2] = symbols[0, :2]
    for t in range(1, len(symbols)):
        before = alpha[t - 1]
        reached = np.logaddexp(np.where(stay, before, -np.inf), _moved(before, 1))
        reached = np.logaddexp(reached, np.where(skip, _moved(before, 2), -np.inf))
        alpha[t] = symbols[t] + reached
    return alpha


def _example(logs: Array, labels: list[int], merge: bool) -> tuple[float, Array]:
    """Loss and gradient of one example from the logarithms of its softmax, [time, classes]."""
    blank = logs.shape[1] - 1
    states = np.full(2 * len(labels) + 1, blank)
    states[1::2] = labels
    alpha = _forward(logs, states, blank, merge)
    # endings of paths are beginnings of those read backwards; the step itself is counted once
    beta = _forward(logs[::-1], states[::-1], blank, merge)[::-1, ::-1] - logs[:, states]
    total = np.logaddexp.reduce(alpha[-1, -2:])
    softmax = np.exp(logs)
    if np.isnan(total):
        return total, np.full_like(logs, np.nan)
    if total == -np.inf:
        return np.inf, softmax
    both = np.where(alpha == -np.inf, -np.inf, alpha + beta - total)
    visits = np.zeros_like(logs)
    for state, label in enumerate(states):
        visits[:, label] += np.exp(both[:, state])
    return -total, softmax - visits


@semantics("CTCLoss")
def ctc_loss(args: list[Any], attrs: Attrs, ctx: Context) -> tuple[Array, Array]:
    """Each example by beginnings and endings of paths, in double precision."""
    inputs, indices, values, lengths = args
    time, batch, classes = inputs.shape
    wide = inputs.astype(F64)
    shifted = wide - np.max(wide, axis=2, keepdims=True)
    logs = shifted - np.log(np.sum(np.exp(shifted), axis=2, keepdims=True))
    loss, gradient = np.zeros(batch), np.zeros(inputs.shape)
    for i, labels in enumerate(labels_of(indices, values, batch, ctx)):
        steps = int(lengths[i])
        if not 0 <= steps <= time:
            ctx.fail("sequence_length is out of range", found=steps, expected=f"0 … {time}")
        written = _written(labels, classes - 1, attrs["preprocess_collapse_repeated"], ctx)
        if len(labels) > steps and not attrs["ignore_longer_outputs_than_inputs"]:
            ctx.fail("sequence_length is out of range", found=steps, expected=f">= {len(labels)}")
        if steps and len(labels) <= steps:
            loss[i], gradient[:steps, i] = _example(
                logs[:steps, i], written, attrs["ctc_merge_repeated"]
            )
    return loss.astype(inputs.dtype), gradient.astype(inputs.dtype)
