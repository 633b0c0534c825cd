"""Fused attention against the formula, score by score in exact Python floats."""

from __future__ import annotations

from math import exp, inf, log

import numpy as np
import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.semantics.evaluator import apply_op


def by_hand(q, k, v, *, scale=1.0, shift=None, shift_first=False, left_out=None, keep=None):
    """Attention of (B, N, S1, D) to (B, N2, S2, D): values, maxima, sums; loops over scores."""
    batch, heads, rows, _ = q.shape
    group = heads // k.shape[1]
    out = np.zeros((*q.shape[:3], v.shape[3]))
    top, total = np.full(q.shape[:3], -inf), np.zeros(q.shape[:3])
    for b, n, i in np.ndindex(batch, heads, rows):
        scores = []
        for j in range(k.shape[2]):
            product = sum(
                float(x) * float(y) for x, y in zip(q[b, n, i], k[b, n // group, j], strict=True)
            )
            added = 0.0 if shift is None else float(shift[b, n, i, j])
            score = (product + added) * scale if shift_first else product * scale + added
            scores.append(-inf if left_out and left_out(b, n, i, j) else score)
        highest = max(scores, default=-inf)
        if highest == -inf:
            continue
        weights = [exp(s - highest) for s in scores]
        top[b, n, i], total[b, n, i] = highest, sum(weights)
        for j, weight in enumerate(weights):
            factor = 1.0 if keep is None else float(keep[b, n, i, j])
            out[b, n, i] += weight / sum(weights) * factor * v[b, n // group, j].astype(float)
    return out, top, total


def heads(rng, b, n, s, d):
    return rng.uniform(-1, 1, (b, n, s, d)).astype(np.float32)


def as_layout(x, layout):
    b, n, s, d = x.shape
    if layout == "BNSD":
        return x
    x = x.transpose(0, 2, 1, 3)
    if layout == "BSND":
        return x.copy()
    if layout == "TND":
        return x.reshape(b * s, n, d).copy()
    x = x.reshape(b, s, n * d)
    return x.transpose(1, 0, 2).copy() if layout == "SBH" else x.copy()


def flash(q, k, v, attrs, **more):
    names = (
        "query key value real_shift drop_mask padding_mask atten_mask prefix actual_seq_qlen "
        "actual_seq_kvlen q_start_idx kv_start_idx d_scale_q d_scale_k d_scale_v query_rope "
        "key_rope sink p_scale"
    ).split()
    given = {"query": q, "key": k, "value": v, **more}
    return apply_op("FlashAttentionScore", [given.get(n) for n in names], attrs)


def close(a, b, tol=2e-6):
    np.testing.assert_allclose(np.asarray(a, np.float64), b, atol=tol, rtol=tol)


@pytest.mark.parametrize("layout", ["BSH", "SBH", "BSND", "BNSD"])
def test_layouts_and_shared_heads(layout):
    rng = np.random.default_rng(0)
    q, k, v = heads(rng, 2, 4, 3, 4), heads(rng, 2, 2, 5, 4), heads(rng, 2, 2, 5, 4)
    out, top, total = by_hand(q, k, v, scale=0.5)
    got = flash(
        *(as_layout(x, layout) for x in (q, k, v)),
        {"head_num": 4, "input_layout": layout, "scale_value": 0.5},
    )
    close(got[0], np.repeat(top[..., None], 8, -1))
    close(got[1], np.repeat(total[..., None], 8, -1))
    assert got[2].shape == (0, 0, 0, 0)
    close(got[3], as_layout(out, layout))


@pytest.mark.parametrize(
    ("mode", "rule"),
    [
        (0, lambda i, j: (i + 2 * j) % 3 == 0),
        (1, lambda i, j: (i + 2 * j) % 3 == 0),
        (2, lambda i, j: j > i),
        (3, lambda i, j: j - i > 2),
        (4, lambda i, j: not -1 <= j - i - 2 <= 0),
    ],
)
def test_sparse_modes(mode, rule):
    rng = np.random.default_rng(mode)
    q, k, v = heads(rng, 1, 2, 3, 4), heads(rng, 1, 2, 5, 4), heads(rng, 1, 2, 5, 3)
    mask = np.array([[(i + 2 * j) % 3 == 0 for j in range(5)] for i in range(3)])
    attrs = {"head_num": 2, "input_layout": "BNSD", "sparse_mode": mode}
    attrs |= {"pre_tockens": 1, "next_tockens": 0}
    out, _, _ = by_hand(q, k, v, left_out=lambda b, n, i, j: rule(i, j))
    close(flash(q, k, v, attrs, atten_mask=mask)[3], out)
    names = {"pre_tokens": 1, "next_tokens": 0, "sparse_mode": mode, "num_heads": 2}
    names |= {"num_key_value_heads": 2, "input_layout": "BNSD"}
    (got,) = apply_op("PromptFlashAttention", [q, k, v, None, mask], names)
    close(got, out)


@pytest.mark.parametrize("first", [0, 1])
def test_shift_dropout_and_empty_rows(first):
    rng = np.random.default_rng(1)
    q, k, v = heads(rng, 2, 2, 3, 4), heads(rng, 2, 2, 8, 4), heads(rng, 2, 2, 8, 4)
    shift = rng.uniform(-1, 1, (2, 2, 3, 8)).astype(np.float32)
    bits = rng.random((2, 2, 3, 8)) < 0.5
    mask = np.zeros((3, 8), np.uint8)
    mask[1] = 1
    packed = np.array([sum(int(b) << i for i, b in enumerate(row)) for row in bits.reshape(-1, 8)])
    attrs = {"head_num": 2, "input_layout": "BNSD", "pse_type": first, "scale_value": 2.0}
    got = flash(
        q, k, v, {**attrs, "keep_prob": 0.5},
        real_shift=shift, drop_mask=packed.astype(np.uint8), atten_mask=mask,
    )  # fmt: skip
    want = by_hand(
        q, k, v, scale=2.0, shift=shift, shift_first=bool(first), keep=bits * 2.0,
        left_out=lambda b, n, i, j: i == 1,
    )  # fmt: skip
    close(got[3], want[0])
    assert (got[3][:, :, 1] == 0).all()
    assert (got[0][:, :, 1] == np.finfo(np.float32).min).all()
    assert (got[1][:, :, 1] == np.finfo(np.float32).max).all()
    close(got[0][:, :, 0, 0], want[1][:, :, 0], 1e-5)


def test_strung_samples_and_rope():
    rng = np.random.default_rng(2)
    q, k, v = heads(rng, 1, 2, 5, 4), heads(rng, 1, 1, 7, 4), heads(rng, 1, 1, 7, 4)
    turn = heads(rng, 1, 2, 5, 2), heads(rng, 1, 1, 7, 2)
    got = flash(
        *(as_layout(x, "TND") for x in (q, k, v)),
        {"head_num": 2, "input_layout": "TND"},
        actual_seq_qlen=np.array([2, 5]), actual_seq_kvlen=np.array([4, 7]),
        query_rope=as_layout(turn[0], "TND"), key_rope=as_layout(turn[1], "TND"),
    )  # fmt: skip
    long_q, long_k = np.concatenate([q, turn[0]], -1), np.concatenate([k, turn[1]], -1)
    own = lambda b, n, i, j: (i < 2) != (j < 4)  # noqa: E731
    out, top, total = by_hand(long_q, long_k, v, left_out=own)
    close(got[3], as_layout(out, "TND"))
    close(got[0][:, :, 0], top[0].T)
    close(got[1][:, :, 7], total[0].T)


def test_lengths_and_log_sum_exp():
    rng = np.random.default_rng(3)
    q, k, v = heads(rng, 2, 2, 3, 4), heads(rng, 2, 2, 5, 4), heads(rng, 2, 2, 5, 4)
    lengths, keys = np.array([3, 2]), np.array([4, 0])
    attrs = {"num_heads": 2, "input_layout": "BNSD_BSND", "softmax_lse_flag": True, "scale": 0.5}
    out, lse = apply_op("FusedInferAttentionScore", [q, [k], [v], None, None, lengths, keys], attrs)
    gone = lambda b, n, i, j: i >= lengths[b] or j >= keys[b]  # noqa: E731
    want, top, total = by_hand(q, k, v, scale=0.5, left_out=gone)
    close(out, want.transpose(0, 2, 1, 3))
    assert lse.shape == (2, 2, 3, 1)
    for place in np.ndindex(2, 2, 3):
        value = log(total[place]) + top[place] if total[place] else inf
        assert lse[(*place, 0)] == pytest.approx(value, rel=1e-5)
    attrs["softmax_lse_flag"] = False
    assert apply_op("FusedInferAttentionScore", [q, [k], [v]], attrs)[1].shape == (0,)


def test_a_cache_of_blocks_and_lists():
    rng = np.random.default_rng(4)
    q = heads(rng, 2, 2, 1, 4)
    pool_k, pool_v = (rng.uniform(-1, 1, (5, 3, 8)).astype(np.float32) for _ in range(2))
    table, lengths = np.array([[4, 1], [0, 2]], np.int32), np.array([4, 6])
    attrs = {"num_heads": 2, "num_key_value_heads": 2, "block_size": 3}
    (got,) = apply_op(
        "IncreFlashAttention",
        [as_layout(q, "BSH"), [pool_k], [pool_v], None, None, lengths, *[None] * 7, table],
        attrs,
    )
    k, v = np.zeros((2, 2, 6, 4)), np.zeros((2, 2, 6, 4))
    for b, j in np.ndindex(2, 6):
        for whole, pool in ((k, pool_k), (v, pool_v)):
            whole[b, :, j] = pool[table[b, j // 3], j % 3].reshape(2, 4)
    out, _, _ = by_hand(q, k, v, left_out=lambda b, n, i, j: j >= lengths[b])
    close(got, as_layout(out, "BSH"))
    parts = [[k[:1, :, :4].astype(np.float32), k[1:].astype(np.float32)],
             [v[:1, :, :4].astype(np.float32), v[1:].astype(np.float32)]]  # fmt: skip
    (got,) = apply_op("IncreFlashAttention", [q, *parts], {**attrs, "input_layout": "BNSD"})
    close(got, out)


@pytest.mark.parametrize(
    ("attrs", "more"),
    [
        ({"pse_type": 2}, {}),
        ({"keep_prob": 0.5}, {}),
        ({}, {"sink": np.ones(2, np.float32)}),
    ],
)
def test_forms_without_a_public_definition_are_refused(attrs, more):
    x = np.ones((1, 2, 2, 2), np.float32)
    with pytest.raises(GeError):
        flash(x, x, x, {"head_num": 2, "input_layout": "BNSD", **attrs}, **more)
