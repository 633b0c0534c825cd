"""Routing to a range of experts, choice by choice."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from ge_dialect.semantics.evaluator import apply_op

ROWS, K, WIDTH, EXPERTS = 7, 3, 4, 6


def draw(dtype=np.float32, seed=3):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-2, 2, (ROWS, WIDTH)).astype(dtype)
    if dtype == np.float32:
        x[2] = 0
    return x, rng.integers(0, EXPERTS, (ROWS, K)).astype(np.int32), rng


def route(chosen, first, last):
    """(expert, number of the choice) in the order in which experts work through them."""
    numbered = [(int(e), i) for i, e in enumerate(chosen.reshape(-1))]
    return [(e, i) for e, i in sorted(numbered) if first <= e < last]


def call(x, chosen, scale=None, offset=None, **attrs):
    return apply_op("MoeInitRoutingV3", [x, chosen, scale, offset], attrs)


@pytest.mark.parametrize("span", [None, (1, 4)])
@pytest.mark.parametrize("kind", [0, 1])
@pytest.mark.parametrize("most", [-1, 5])
def test_choices_in_order_of_experts(span, kind, most):
    x, chosen, rng = draw()
    scale = rng.uniform(1, 2, ROWS).astype(np.float32)
    more = {"active_expert_range": list(span)} if span else {}
    rows, places, counts, scales = call(
        x, chosen, scale, expert_num=EXPERTS, active_num=most, row_idx_type=kind,
        expert_tokens_num_flag=True, **more,
    )  # fmt: skip
    first, last = span or (0, EXPERTS)
    listed = route(chosen, first, last)
    total = ROWS * K if most < 0 else most
    assert rows.shape == (total, WIDTH)
    for at in range(total):
        token = listed[at][1] // K if at < len(listed) else None
        want = np.zeros(WIDTH) if token is None else x[token]
        np.testing.assert_array_equal(rows[at], want)
        assert scales[at] == (0 if token is None else scale[token])
    want = [-1] * (ROWS * K)
    for at, (_, number) in enumerate(listed):
        want[at if kind else number] = number if kind else at
    assert places.tolist() == want
    assert counts.tolist() == [sum(e <= own for e, _ in listed) for own in range(first, last)]


def test_counts_and_pairs():
    x, chosen, _ = draw()
    chosen[chosen == 2] = 3
    attrs = {"expert_num": EXPERTS, "active_expert_range": [1, 5], "expert_tokens_num_flag": True}
    each = [int((chosen == e).sum()) for e in range(1, 5)]
    assert call(x, chosen, expert_tokens_num_type=1, **attrs)[2].tolist() == each
    pairs = [[e, c] for e, c in zip(range(1, 5), each, strict=True) if c]
    found = call(x, chosen, expert_tokens_num_type=2, **attrs)[2].tolist()
    assert found == pairs + [[0, 0]] * (EXPERTS - len(pairs))
    assert not call(x, chosen, expert_num=EXPERTS)[2].any()


@pytest.mark.parametrize("scaled", [None, "one", "each"])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, ml_dtypes.bfloat16])
def test_rows_are_quantised_by_their_largest(scaled, dtype):
    x, chosen, rng = draw(dtype)
    scale = None
    if scaled:
        shape = (1 if scaled == "one" else 3, WIDTH)
        scale = rng.uniform(0.5, 2, shape).astype(np.float32)
    rows, _, _, scales = call(
        x, chosen, scale, expert_num=EXPERTS, active_expert_range=[2, 5], quant_mode=1
    )
    assert rows.dtype == np.int8
    for at, (expert, number) in enumerate(route(chosen, 2, 5)):
        row = [np.float32(v) for v in x[number // K].astype(np.float32)]
        if scale is not None:
            row = [v * s for v, s in zip(row, scale[expert - 2 if scaled == "each" else 0],
                                         strict=True)]  # fmt: skip
        top = max(abs(v) for v in row) / np.float32(127)
        assert scales[at] == top
        want = [0 if top == 0 else round(float(v / top)) for v in row]
        assert rows[at].tolist() == want


def test_numbers_of_ones_own():
    x = np.array([[0.1, 3, -700, 1e6]], np.float32)
    chosen = np.array([[0]], np.int32)
    scale, offset = np.array([0.5], np.float32), np.array([0.25], np.float32)
    rows, _, _, scales = call(x, chosen, scale, offset, expert_num=1, quant_mode=0)
    assert rows.tolist() == [[0, 2, -128, 127]]  # 0.3, 1.75, -349.75 and infinity
    assert scales.tolist() == [0]


@pytest.mark.parametrize("quantised", [False, True])
def test_a_capacity(quantised):
    x, chosen, rng = draw()
    chosen[0, 0] = 99  # no expert at all
    scale = rng.uniform(0.5, 2, (EXPERTS, WIDTH) if quantised else ROWS).astype(np.float32)
    rows, places, counts, scales = call(
        x, chosen, scale, expert_num=EXPERTS, expert_capacity=3, drop_pad_mode=1,
        expert_tokens_num_type=1, expert_tokens_num_flag=True, quant_mode=1 if quantised else -1,
    )  # fmt: skip
    want = np.full(ROWS * K, -1)
    for own in range(EXPERTS):
        bucket = [i for e, i in route(chosen, own, own + 1)]
        assert counts[own] == len(bucket)
        for rank in range(3):
            if rank >= len(bucket):
                assert not rows[own, rank].any()
                assert scales[own * 3 + rank] == 0
                continue
            token = bucket[rank] // K
            want[bucket[rank]] = own * 3 + rank
            if not quantised:
                np.testing.assert_array_equal(rows[own, rank], x[token])
                assert scales[own * 3 + rank] == scale[token]
            else:
                value = x[token] * scale[own]
                assert scales[own * 3 + rank] == abs(value).max() / np.float32(127)
    assert places.tolist() == want.tolist()
    assert max(counts) > 3, "nothing was dropped"


def test_it_routes_as_its_first_version_does():
    x, chosen, _ = draw()
    numbers = np.arange(ROWS * K, dtype=np.int32).reshape(K, ROWS).T.copy()
    old = apply_op("MoeInitRouting", [x, numbers, chosen], {"active_num": ROWS})
    new = call(x, chosen, expert_num=EXPERTS)
    np.testing.assert_array_equal(new[0], old[0])
    by_column = old[1].reshape(K, ROWS).T.reshape(-1)
    np.testing.assert_array_equal(new[1], by_column)
