"""Operators whose results have as many elements as the data says, by plain loops.

They have no kernel, so this is their independent formulation (see `test_independent_references.py`
among the tests of the runtime).
"""

from __future__ import annotations

import numpy as np
import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.semantics import apply_op


def _array(*shape):
    return np.random.default_rng(3).integers(-5, 6, shape).astype(np.float64)


def _places(x):
    return [p for p in np.ndindex(x.shape) if x[p]]


def _first_seen(values):
    return list(dict.fromkeys(values))


def test_non_zero_and_where():
    x = np.array([[0.0, 2.0, -1.0], [0.0, 0.0, 3.0]], np.float32)
    assert apply_op("NonZero", [x])[0].tolist() == [list(p) for p in _places(x)]
    assert apply_op("Where", [x])[0].tolist() == [list(p) for p in _places(x)]


def test_masked_select():
    x, mask = _array(2, 3).astype(np.float32), np.array([True, False, True])
    want = [x[p] for p in np.ndindex(x.shape) if mask[p[1]]]
    assert apply_op("MaskedSelect", [x, mask])[0].tolist() == want


@pytest.mark.parametrize("op", ["Unique", "UniqueWithCounts"])
def test_unique(op):
    x = np.array([3, 1, 3, 2, 1, 3], np.int32)
    kinds = _first_seen(x.tolist())
    y, idx, *counts = apply_op(op, [x], {"out_idx": "int32"})
    assert y.tolist() == kinds
    assert idx.tolist() == [kinds.index(v) for v in x.tolist()]
    if counts:
        assert counts[0].tolist() == [x.tolist().count(v) for v in kinds]


def test_unique_of_the_host():
    x = np.array([3, 1, 3, 2], np.int32)
    y, first, inverse, count = apply_op("HostUnique", [x], {"sorted": True})
    kinds = sorted(set(x.tolist()))
    assert y.tolist() == kinds
    assert first.tolist() == [x.tolist().index(v) for v in kinds]
    assert inverse.tolist() == [kinds.index(v) for v in x.tolist()]
    assert count.tolist() == [x.tolist().count(v) for v in kinds]


@pytest.mark.parametrize("in_order", [True, False])
def test_unique_with_sorting(in_order):
    x = np.array([[3, 1, 3], [2, 1, 3]], np.int32)
    flat = x.reshape(-1).tolist()
    kinds = sorted(set(flat)) if in_order else _first_seen(flat)
    attrs = {"sorted": in_order, "return_inverse": True, "return_counts": True}
    y, where, count = apply_op("UniqueWithCountsAndSorting", [x], attrs)
    assert y.tolist() == kinds
    assert where.tolist() == [[kinds.index(v) for v in row] for row in x.tolist()]
    assert count.tolist() == [flat.count(v) for v in kinds]
    y, *rest = apply_op("UniqueWithCountsAndSorting", [x], {"sorted": in_order})
    assert y.tolist() == kinds
    assert [a.tolist() for a in rest] == [[], []]
    strange = np.array([np.nan, 1, np.nan, -np.inf])
    y, where, count = apply_op("UniqueWithCountsAndSorting", [strange], {**attrs, "sorted": True})
    assert y[:2].tolist() == [-np.inf, 1]
    assert np.isnan(y[2:]).all()
    assert (where.tolist(), count.tolist()) == ([2, 1, 3, 0], [1, 1, 1, 1])


def _overlap(a, b):
    (ay1, ay2), (ax1, ax2) = sorted((a[0], a[2])), sorted((a[1], a[3]))
    (by1, by2), (bx1, bx2) = sorted((b[0], b[2])), sorted((b[1], b[3]))
    inner = max(0, min(ay2, by2) - max(ay1, by1)) * max(0, min(ax2, bx2) - max(ax1, bx1))
    both = (ay2 - ay1) * (ax2 - ax1) + (by2 - by1) * (bx2 - bx1) - inner
    return inner / both if both else 0.0


def test_non_max_suppression():
    rng = np.random.default_rng(5)
    boxes = rng.uniform(0, 4, (1, 6, 4)).astype(np.float32)
    scores = rng.permutation(12).reshape(1, 2, 6).astype(np.float32)
    most, limit = np.array([3]), np.array([0.3], np.float32)
    want = []
    for kind in range(2):
        kept: list[int] = []
        for i in sorted(range(6), key=lambda i, kind=kind: -scores[0, kind, i]):
            if len(kept) < 3 and all(_overlap(boxes[0, i], boxes[0, k]) <= 0.3 for k in kept):
                kept.append(i)
        want += [[0, kind, i] for i in kept]
    found = apply_op("NonMaxSuppressionV6", [boxes, scores, most, limit, None])[0]
    assert found.tolist() == want


@pytest.mark.parametrize("least", [-1.0, 2.5])
def test_non_max_suppression_of_one_class(least):
    rng = np.random.default_rng(6)
    boxes = rng.uniform(0, 4, (9, 4)).astype(np.float32)
    scores = rng.permutation(9).astype(np.float32)
    kept: list[int] = []
    for i in sorted(range(9), key=lambda i: -scores[i]):
        fits = scores[i] > least and len(kept) < 5
        if fits and all(_overlap(boxes[i], boxes[k]) <= 0.2 for k in kept):
            kept.append(i)
    limits = [np.array(5, np.int32), np.float32(0.2), np.array([least], np.float16)]
    (found,) = apply_op("NonMaxSuppressionV3", [boxes, scores, *limits])
    assert found.tolist() == kept
    assert len(kept) > 1
    limits[0] = np.array(0, np.int32)
    assert apply_op("NonMaxSuppressionV3", [boxes, scores, *limits])[0].size == 0
    with pytest.raises(GeError, match="not evaluated"):
        apply_op("NonMaxSuppressionV3", [boxes, scores, *limits], {"offset": 1})
