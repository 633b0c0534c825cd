"""Routing to experts by hand: numbers small enough to follow, and loops over the definition."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.semantics.evaluator import apply_op


def test_gating_by_groups():
    x = np.array([[0.0, 1.0, -1.0, 3.0, 2.0, 2.0]], np.float32)
    s = [1 / (1 + exp(-v)) for v in x[0]]
    # groups (0, 1), (2, 3), (4, 5): the sums of the two best are s0+s1, s2+s3, s4+s5
    attrs = {"k": 2, "group_count": 3, "k_group": 1, "norm_type": 1, "group_select_mode": 1}
    y, experts, out = apply_op("MoeGatingTopK", [x], {**attrs, "routed_scaling_factor": 3.0})
    assert experts.tolist() == [[4, 5]]
    assert y == pytest.approx(np.array([[1.5, 1.5]]))
    assert not out.any()
    attrs["group_select_mode"] = 0  # by the best alone, group (2, 3) wins
    y, experts, out = apply_op("MoeGatingTopK", [x], {**attrs, "out_flag": True})
    assert experts.tolist() == [[3, 2]]
    total = s[3] + s[2]
    assert y == pytest.approx(np.array([[s[3] / total, s[2] / total]]))
    assert out == pytest.approx(np.array([s]))


def test_an_open_group_without_numbers_opens_no_other():
    """A score that is no number comes last, but before what stands in a closed group."""
    x = np.array([[0.0, 1.0, np.nan, 3.0, 2.0, 2.0]], np.float32)
    attrs = {"k": 3, "group_count": 3, "k_group": 2, "norm_type": 1, "group_select_mode": 0}
    _, experts, _ = apply_op("MoeGatingTopK", [x], attrs)
    assert experts.tolist() == [[4, 5, 1]]  # the group with NaN is the last of the three
    attrs |= {"k": 6, "k_group": 3}
    _, experts, _ = apply_op("MoeGatingTopK", [x], attrs)
    assert experts.tolist() == [[3, 4, 5, 1, 0, 2]]
    x[0, 4:] = np.nan
    attrs |= {"k": 4, "k_group": 2}
    _, experts, _ = apply_op("MoeGatingTopK", [x], attrs)
    assert experts.tolist() == [[3, 1, 0, 2]]  # of groups (0, 1) and (2, 3), nobody of (4, 5)


def test_a_bias_chooses_and_does_not_weigh():
    x, bias = np.zeros((1, 4), np.float32), np.array([0, 0, 9, 1], np.float32)
    y, experts, _ = apply_op("MoeGatingTopK", [x, bias], {"k": 2})
    assert experts.tolist() == [[2, 3]]
    assert y.tolist() == [[0.25, 0.25]]


def test_softmax_then_choice_and_the_other_way_round():
    x = np.array([[0.0, np.log(2), np.log(5), 0.0]], np.float32)
    y, experts, rows = apply_op("MoeGatingTopKSoftmax", [np.repeat(x, 3, 0)], {"k": 2})
    assert experts.tolist() == [[2, 1]] * 3
    assert y == pytest.approx(np.array([[5 / 9, 2 / 9]] * 3))
    assert rows.tolist() == [[0, 3], [1, 4], [2, 5]]
    flag = np.array([True])
    y, experts, every = apply_op(
        "MoeGatingTopKSoftmaxV2", [x, flag], {"k": 2, "output_softmax_result_flag": True}
    )
    assert experts.tolist() == [[4, 4]]
    assert every == pytest.approx(np.array([[1, 2, 5, 1]]) / 9)
    y, experts, every = apply_op("MoeGatingTopKSoftmaxV2", [x], {"k": 2, "renorm": 1})
    assert experts.tolist() == [[2, 1]]
    assert y == pytest.approx(np.array([[5 / 7, 2 / 7]]))
    assert not every.any()


def test_routing_and_back():
    x = np.array([[1.0], [2.0], [3.0]], np.float32)
    experts = np.array([[2, 0], [0, 1], [2, 2]], np.int32)
    rows = np.array([[0, 3], [1, 4], [2, 5]], np.int32)
    wide, places, order = apply_op("MoeInitRouting", [x, rows, experts], {"active_num": 3})
    assert order.tolist() == [0, 0, 1, 2, 2, 2]
    # expert 0: second choice of token 0, first of token 1; expert 1: second of 1; expert 2: 0, 2, 2
    assert wide[:, 0].tolist() == [1, 2, 2, 1, 3, 3]
    assert places.tolist() == [3, 1, 4, 0, 2, 5]
    part, *_ = apply_op("MoeInitRouting", [x, rows, experts], {"active_num": 2})
    assert part[:, 0].tolist() == [1, 2, 2, 1]
    assert apply_op("MoeComputeExpertTokens", [order], {"num_experts": 4})[0].tolist() == [
        2,
        3,
        6,
        6,
    ]

    results = wide * np.array([[10], [10], [100], [1], [1], [1]], np.float32)
    bias = np.array([[0.5], [0.25], [0.0]], np.float32)
    scales = np.array([[1, 2], [3, 4], [5, 6]], np.float32)
    (y,) = apply_op("MoeFinalizeRouting", [results, x, None, bias, scales, places, experts])
    want = [1 + 1 * 1 + 2 * 10.5, 2 + 3 * 20.5 + 4 * 200.25, 3 + 5 * 3 + 6 * 3]
    assert y[:, 0].tolist() == want
    (again,) = apply_op(
        "MoeFinalizeRoutingV2",
        [results, places.reshape(2, 3).T.reshape(-1), x, None, bias, scales, experts],
        {"drop_pad_mode": 2},
    )
    assert again.tolist() == y.tolist()


def test_dropped_choices_are_zero():
    results = np.arange(4, dtype=np.float32).reshape(2, 2, 1) + 1
    scales = np.array([[1, 10], [100, 1000]], np.float32)
    places = np.array([3, -1, 0, 1], np.int32)
    args = [results, places, None, None, None, scales]
    (y,) = apply_op("MoeFinalizeRoutingV2", args, {"drop_pad_mode": 1})
    assert y[:, 0].tolist() == [4 + 10, 2000]
    (y,) = apply_op("MoeFinalizeRoutingV2", args, {"drop_pad_mode": 3})
    assert y[:, 0].tolist() == [4, 100 + 2000]
    with pytest.raises(GeError):
        apply_op("MoeFinalizeRoutingV2", [results[0], places, None, None, None, scales])
