"""Kernel of the loss of a labelling without alignment: an automaton as a matrix of steps."""

from __future__ import annotations

import numpy as np

from runtime.kernels.refusal import Refusal
from runtime.kernels.registry import Call, kernel
from runtime.kernels.views import doubles, logical, store


def _labels(call: Call, batch: int) -> list[list[int]]:
    """The labels of each example."""
    indices, values = logical(call.arg(1)), logical(call.arg(2))
    steps = np.diff(indices, axis=0)
    ascending = (steps[:, 0] > 0) | ((steps[:, 0] == 0) & (steps[:, 1] > 0))
    if not ascending.all() or (indices < 0).any():
        raise Refusal(
            "labels_indices lies outside, or is out of order",
            found=indices.tolist(),
            expected="ascending",
        )
    if (indices[:, 0] >= batch).any():
        found = indices[:, 0].max()
        raise Refusal("labels_indices lies outside the batch", found=found, expected=batch)
    return [values[indices[:, 0] == i].tolist() for i in range(batch)]


def _text(labels: list[int], blank: int, collapse: bool) -> list[int]:
    """Labels before the first null one."""
    if collapse:
        labels = [v for i, v in enumerate(labels) if i == 0 or v != labels[i - 1]]
    ends = [i for i, v in enumerate(labels) if v >= blank]
    first = ends[0] if ends else len(labels)
    if min(labels, default=0) < 0 or any(v < blank for v in labels[first:]):
        expected = f"0 … {blank - 1}, and nothing after a null label"
        raise Refusal("a label is out of range", code="GX-222", found=labels, expected=expected)
    return labels[:first]


def _steps(states: list[int], blank: int, merge: bool) -> np.ndarray:
    """0 where a path may go from one state to another, -inf elsewhere."""
    count = len(states)
    out = np.full((count, count), -np.inf)
    for to, symbol in enumerate(states):
        for of in range(max(0, to - 2), to + 1):
            if of == to:
                allowed = merge or symbol == blank
            elif of == to - 1:
                allowed = True
            else:
                allowed = symbol != blank and not (merge and symbol == states[of])
            if allowed:
                out[of, to] = 0
    return out


def _added(logs: np.ndarray, axis: int) -> np.ndarray:
    """Logarithm of the sum of exponentials."""
    top = logs.max(axis=axis, keepdims=True)
    safe = np.where(np.isneginf(top), 0, top)
    return np.log(np.exp(logs - safe).sum(axis=axis)) + safe.squeeze(axis)


def _one(logs: np.ndarray, labels: list[int], merge: bool) -> tuple[float, np.ndarray]:
    """Loss and gradient of one example."""
    blank = logs.shape[1] - 1
    states = [blank]
    for label in labels:
        states += [label, blank]
    steps = _steps(states, blank, merge)
    last = len(logs) - 1
    begin = np.full(len(states), -np.inf)
    begin[:2] = 0
    ahead = np.full((len(logs), len(states)), -np.inf)  # log P of endings, the step included
    ahead[last, -2:] = logs[last, states][-2:]
    for t in range(last - 1, -1, -1):
        ahead[t] = logs[t, states] + _added(steps + ahead[t + 1][None, :], 1)
    total = _added(begin + ahead[0], 0)
    if np.isnan(total):
        return np.nan, np.full_like(logs, np.nan)
    softmax = np.exp(logs)
    if np.isneginf(total):
        return np.inf, softmax
    # the share of paths in each state, carried on by the share that goes each way
    share = np.exp(begin + ahead[0] - total)
    visits = np.zeros_like(logs)
    for t in range(len(logs)):
        np.add.at(visits[t], states, share)
        if t < last:
            onward = steps + ahead[t + 1][None, :]
            ways = _added(onward, 1)[:, None]
            part = np.exp(onward - np.where(np.isneginf(ways), 0, ways))
            share = share @ part
    return -float(total), softmax - visits


@kernel("CTCLoss")
def ctc_loss(call: Call) -> None:
    """One example after the other."""
    x, lengths = doubles(call, 0), logical(call.arg(3)).tolist()
    time, batch, classes = x.shape
    attrs = call.attrs
    with np.errstate(all="ignore"):
        logs = x - np.log(np.exp(x - x.max(2, keepdims=True)).sum(2, keepdims=True))
        logs -= x.max(2, keepdims=True)
        loss, gradient = np.zeros(batch), np.zeros(x.shape)
        for i, labels in enumerate(_labels(call, batch)):
            steps = lengths[i]
            if not 0 <= steps <= time:
                raise Refusal(
                    "sequence_length is out of range", found=steps, expected=f"0 … {time}"
                )
            text = _text(labels, classes - 1, bool(attrs.get("preprocess_collapse_repeated")))
            if len(labels) > steps:
                if not attrs.get("ignore_longer_outputs_than_inputs"):
                    expected = f">= {len(labels)}"
                    raise Refusal("sequence_length is out of range", found=steps, expected=expected)
            elif steps:
                merge = bool(attrs.get("ctc_merge_repeated", True))
                loss[i], gradient[:steps, i] = _one(logs[:steps, i], text, merge)
    for view, value in zip(call.outs, (loss, gradient), strict=True):
        store(view, value.astype(view.data.dtype))
