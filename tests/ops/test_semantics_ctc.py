"""The loss of a labelling without alignment against the sum over all paths."""

from __future__ import annotations

from itertools import groupby, product

import numpy as np
import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.semantics import apply_op

RNG = np.random.default_rng(3)


def sparse(rows):
    places = [(i, j) for i, row in enumerate(rows) for j in range(len(row))]
    values = [v for row in rows for v in row]
    return np.array(places, np.int64).reshape(-1, 2), np.array(values, np.int32)


def ctc(x, rows, lengths, **attrs):
    indices, values = sparse(rows)
    return apply_op("CTCLoss", [x, indices, values, np.array(lengths, np.int32)], attrs)


def read(path, blank, merge):
    """What a path reads as."""
    runs = [v for v, _ in groupby(path)] if merge else list(path)
    return [v for v in runs if v != blank]


def by_paths(scores, labels, merge=True):
    """-log of the probability of all paths that read as the labels; scores: [time, classes]."""
    p = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    time, classes = p.shape
    total = 0.0
    for path in product(range(classes), repeat=time):
        if read(path, classes - 1, merge) == list(labels):
            total += np.prod([p[t, v] for t, v in enumerate(path)])
    return -np.log(total) if total else np.inf


@pytest.mark.parametrize("merge", [True, False])
@pytest.mark.parametrize("labels", [[], [0], [1, 0], [1, 1], [0, 0, 1], [0, 1, 0]])
def test_all_paths(labels, merge):
    for time in (len(labels), 4, 5):
        if not time:
            continue
        x = RNG.normal(size=(time, 1, 3)) * 2
        (loss, gradient) = ctc(x, [labels], [time], ctc_merge_repeated=merge)
        want = by_paths(x[:, 0], labels, merge)
        np.testing.assert_allclose(loss, [want], rtol=1e-12)
        if np.isinf(want):
            softmax = np.exp(x) / np.exp(x).sum(2, keepdims=True)
            np.testing.assert_allclose(gradient, softmax, rtol=1e-12)
            continue
        step = 1e-6
        for t, c in np.ndindex(time, 3):
            up, down = x[:, 0].copy(), x[:, 0].copy()
            up[t, c] += step
            down[t, c] -= step
            slope = (by_paths(up, labels, merge) - by_paths(down, labels, merge)) / (2 * step)
            np.testing.assert_allclose(gradient[t, 0, c], slope, atol=1e-8)


def test_each_example_has_its_own_steps():
    x = RNG.normal(size=(5, 3, 4)).astype(np.float32)
    rows, lengths = [[0, 2], [1], [2, 2]], [5, 2, 4]
    loss, gradient = ctc(x, rows, lengths)
    assert loss.dtype == gradient.dtype == np.float32
    for i, (labels, steps) in enumerate(zip(rows, lengths, strict=True)):
        want = by_paths(x[:steps, i].astype(np.float64), labels)
        np.testing.assert_allclose(loss[i], want, rtol=1e-6)
        assert not gradient[steps:, i].any()
        assert gradient[:steps, i].any()


def test_labels_from_the_blank_on_end_the_labelling():
    x = RNG.normal(size=(4, 1, 3))
    want = ctc(x, [[1]], [4])
    for ended in ([1, 2], [1, 2, 7]):
        got = ctc(x, [ended], [4])
        assert [a.tolist() for a in got] == [a.tolist() for a in want]
    for bad in ([-1], [2, 1]):
        with pytest.raises(GeError, match="a label is out of range"):
            ctc(x, [bad], [4])


def test_repeated_labels_merged_beforehand():
    x = RNG.normal(size=(4, 1, 3))
    merged = ctc(x, [[1, 1, 0]], [4], preprocess_collapse_repeated=True)
    assert [a.tolist() for a in merged] == [a.tolist() for a in ctc(x, [[1, 0]], [4])]


def test_more_labels_than_steps():
    x = RNG.normal(size=(4, 2, 3))
    with pytest.raises(GeError, match="sequence_length is out of range"):
        ctc(x, [[0, 1], [1]], [1, 4])
    loss, gradient = ctc(x, [[0, 1], [1]], [1, 4], ignore_longer_outputs_than_inputs=True)
    assert loss[0] == 0
    assert not gradient[:, 0].any()
    np.testing.assert_allclose(loss[1], by_paths(x[:, 1], [1]))
    with pytest.raises(GeError, match="sequence_length is out of range"):
        ctc(x, [[0], [1]], [1, 5])
    loss, gradient = ctc(x, [[], []], [0, 0])
    assert loss.tolist() == [0, 0]
    assert not gradient.any()


def test_sparse_labels_are_in_order():
    x, steps = np.zeros((2, 2, 3)), np.array([2, 2], np.int32)
    for places in ([[0, 1], [0, 0]], [[0, 0], [2, 0]], [[0, 0], [0, 0]], [[-1, 0], [0, 0]]):
        with pytest.raises(GeError, match="labels_indices lies"):
            apply_op("CTCLoss", [x, np.array(places), np.array([0, 1], np.int32), steps])
    gap = apply_op("CTCLoss", [x, np.array([[0, 0], [0, 5]]), np.array([0, 1], np.int32), steps])
    assert np.isfinite(gap[0]).all()


def test_far_apart_scores_stay_finite():
    x = np.zeros((3, 1, 2))
    x[:, 0, 0] = -2000  # the label is beyond what a probability can hold
    loss, gradient = ctc(x, [[0]], [3])
    np.testing.assert_allclose(loss, [2000 - np.log(3)], rtol=1e-12)
    np.testing.assert_allclose(gradient[:, 0, 0], [-1 / 3] * 3)
