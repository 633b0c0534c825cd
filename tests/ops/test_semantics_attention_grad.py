"""The gradient of fused attention: against differences of the loss of a direct loop in float64."""

from __future__ import annotations

import numpy as np
import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.semantics.evaluator import apply_op

STEP = 1e-5


def loss(q, k, v, shift, dy, attrs, out, keep):
    """Σ dy · attention, row by row; q … are (B, N, S, D)."""
    total = 0.0
    group = q.shape[1] // k.shape[1]
    scale = attrs["scale_value"]
    for b, n, i in np.ndindex(q.shape[:3]):
        m = n // group
        weights = np.zeros(k.shape[2])
        for j in range(k.shape[2]):
            s = float(np.dot(q[b, n, i], k[b, m, j]))
            more = 0.0 if shift is None else shift[b, n, i, j]
            s = (s + more) * scale if attrs["pse_type"] == 1 else s * scale + more
            weights[j] = 0.0 if out[i, j] else np.exp(s)
        if weights.sum() > 0:
            weights = weights / weights.sum() * keep[b, n, i]
            total += sum(weights[j] * np.dot(dy[b, n, i], v[b, m, j]) for j in range(k.shape[2]))
    return total


def slopes(f, x):
    """Differences of f along each element of x."""
    grad = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[place] += STEP
        down[place] -= STEP
        grad[place] = (f(up) - f(down)) / (2 * STEP)
    return grad


def as_layout(x, layout):
    if layout == "BNSD":
        return x
    x = x.transpose(0, 2, 1, 3)
    if layout == "BSND":
        return x
    x = x.reshape(*x.shape[:2], -1)
    return x.swapaxes(0, 1) if layout == "SBH" else x


def grad(given, attrs):
    names = (
        "query key value dy pse_shift drop_mask padding_mask atten_mask softmax_max softmax_sum "
        "softmax_in attention_in prefix actual_seq_qlen actual_seq_kvlen q_start_idx kv_start_idx"
    ).split()
    return apply_op("FlashAttentionScoreGrad", [given.get(n) for n in names], attrs)


def forward(given, attrs):
    args = [given["query"], given["key"], given["value"], given.get("pse_shift")]
    args += [given.get("drop_mask"), None, given.get("atten_mask"), *[None] * 12]
    top, total, _, y = apply_op("FlashAttentionScore", args, attrs)
    return {**given, "softmax_max": top, "softmax_sum": total, "attention_in": y}


@pytest.mark.parametrize("layout", ["BSH", "SBH", "BSND", "BNSD"])
@pytest.mark.parametrize(("pse_type", "shifted", "dropped"), [(1, 1, 0), (0, 1, 1), (1, 0, 1)])
def test_against_differences(layout, pse_type, shifted, dropped):
    rng = np.random.default_rng(pse_type + 2 * dropped)
    q, k, v, dy = (
        rng.uniform(-1, 1, shape)
        for shape in ((2, 4, 2, 3), (2, 2, 3, 3), (2, 2, 3, 3), (2, 4, 2, 3))
    )
    shift = rng.uniform(-1, 1, (4, 1, 3)) if shifted else None
    mask = np.array([[0, 1, 0], [1, 1, 1]], bool)
    bits = rng.integers(0, 2, (2, 4, 2, 3))
    attrs = {"head_num": 4, "input_layout": layout, "scale_value": 0.7, "pse_type": pse_type}
    plain = {"query": q, "key": k, "value": v, "dy": dy}
    given: dict[str, np.ndarray] = {
        n: as_layout(x, layout).astype(np.float32) for n, x in plain.items()
    }
    given["atten_mask"] = mask
    keep = np.ones(bits.shape)
    if dropped:
        attrs["keep_prob"] = 0.8
        given["drop_mask"] = np.packbits(bits.ravel(), bitorder="little")
        keep = bits / 0.8
    if shift is not None:
        given["pse_shift"] = shift.astype(np.float32)
    dq, dk, dv, dpse = grad(forward(given, attrs), attrs)

    def f(q=q, k=k, v=v, shift=shift):
        whole = None if shift is None else np.broadcast_to(shift, (2, 4, 2, 3))
        return loss(q, k, v, whole, dy, attrs, mask, keep)

    def same(got, x, name):
        want = as_layout(slopes(lambda y: f(**{name: y}), x), layout)
        np.testing.assert_allclose(got, want, atol=2e-5, rtol=1e-4)

    same(dq, q, "q")
    same(dk, k, "k")
    same(dv, v, "v")
    if shift is None:
        assert dpse.shape == (0,)
    else:
        want = slopes(lambda y: f(shift=y), shift)
        np.testing.assert_allclose(dpse, want, atol=2e-5, rtol=1e-4)


def test_what_is_not_evaluated():
    x = np.ones((1, 2, 4), np.float32)
    attrs = {"head_num": 2, "input_layout": "BSH"}
    given = {"query": x, "key": x, "value": x, "dy": x}
    with pytest.raises(GeError, match="softmax_max is needed"):
        grad(given, attrs)
    given = forward(given, attrs)
    with pytest.raises(GeError, match="padding_mask is not evaluated"):
        grad({**given, "padding_mask": x}, attrs)
    with pytest.raises(GeError, match="dropout needs drop_mask"):
        grad(given, {**attrs, "keep_prob": 0.5})
    with pytest.raises(GeError, match="this form of attention"):
        grad(given, {**attrs, "pse_type": 2})
