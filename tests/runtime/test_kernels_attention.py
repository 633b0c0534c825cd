"""Kernels of fused attention against the golden functions."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from tests.runtime.test_kernels_golden import check

FLOATS = [np.float32, np.float16, ml_dtypes.bfloat16]
F32 = np.float32


def draw(rng, shape, dtype):
    return rng.uniform(-1, 1, shape).astype(dtype)


def qkv(rng, layout, b, n, m, s, t, d, dtype):
    def one(heads, length):
        x = draw(rng, (b, length, heads, d), dtype)
        if layout == "BNSD":
            return x.transpose(0, 2, 1, 3).copy()
        if layout == "TND":
            return x.reshape(b * length, heads, d)
        if layout in ("BSH", "SBH"):
            x = x.reshape(b, length, heads * d)
        return x.swapaxes(0, 1).copy() if layout == "SBH" else x

    return one(n, s), one(m, t), one(m, t)


@pytest.mark.parametrize("dtype", FLOATS, ids=["f32", "f16", "bf16"])
@pytest.mark.parametrize("layout", ["BSH", "SBH", "BSND", "BNSD"])
def test_flash_attention(layout, dtype):
    rng = np.random.default_rng(0)
    for mode in range(5):
        q, k, v = qkv(rng, layout, 2, 4, 2, 5, 37, 4, dtype)
        shift = draw(rng, (2, 4, 5, 37), dtype) if mode % 2 else None
        mask = rng.random((2, 1, 5, 37)) < 0.3
        mask[0, 0, 1] = True
        drop = rng.integers(0, 256, (2 * 4 * 5 * 37 + 7) // 8).astype(np.uint8)
        attrs = {"head_num": 4, "input_layout": layout, "sparse_mode": mode, "scale_value": 0.5}
        attrs |= {"pre_tockens": 20, "next_tockens": 1, "pse_type": mode % 2 if mode > 1 else 1}
        attrs["keep_prob"] = 0.75
        args = [q, k, v, shift, drop, None, mask, *[None] * 12]
        check("FlashAttentionScore", args, attrs, out=[F32, F32, dtype, dtype])


def test_strung_samples():
    rng = np.random.default_rng(1)
    q, k, v = qkv(rng, "TND", 1, 4, 2, 9, 21, 4, F32)
    ropes = draw(rng, (9, 4, 2), F32), draw(rng, (21, 2, 2), F32)
    ends = np.array([3, 3, 8]), np.array([5, 9, 20])
    args = [q, k, v, *[None] * 5, *ends, *[None] * 5, *ropes, None, None]
    attrs = {"head_num": 4, "input_layout": "TND"}
    check("FlashAttentionScore", args, attrs, out=[F32, F32, F32, F32])


@pytest.mark.parametrize("dtype", FLOATS, ids=["f32", "f16", "bf16"])
@pytest.mark.parametrize("layout", ["BSH", "BSND", "BNSD", "BNSD_BSND"])
def test_prompts(layout, dtype):
    rng = np.random.default_rng(2)
    for mode in range(5):
        q, k, v = qkv(rng, layout[:4], 2, 4, 2, 5, 19, 4, dtype)
        mask = rng.random((2, 5, 19) if mode % 2 else (1, 1, 5, 19)) < 0.3
        shift = draw(rng, (1, 4, 5, 19), dtype)
        lengths, keys = np.array([5, 2]), np.array([19, 17])
        attrs = {"num_heads": 4, "num_key_value_heads": 2, "input_layout": layout}
        attrs |= {"sparse_mode": mode, "scale_value": 0.5, "pre_tokens": 3, "next_tokens": 2}
        args = [q, k, v, shift, mask, lengths, keys, *[None] * 5]
        check("PromptFlashAttention", args, attrs, out=[dtype])
        attrs["scale"] = attrs.pop("scale_value")
        args = [q, [k], [v], shift, mask, lengths, keys, *[None] * 24]
        for flag in (False, True):
            attrs["softmax_lse_flag"] = flag
            check("FusedInferAttentionScore", args, attrs, out=[dtype, F32])


@pytest.mark.parametrize("dtype", FLOATS, ids=["f32", "f16", "bf16"])
def test_steps(dtype):
    rng = np.random.default_rng(3)
    q, k, v = qkv(rng, "BSH", 2, 4, 2, 1, 19, 4, dtype)
    attrs = {"num_heads": 4, "num_key_value_heads": 2}
    lengths, mask = np.array([19, 3]), rng.random((2, 19)) < 0.3
    args = [q, [k], [v], None, mask, lengths, *[None] * 9]
    check("IncreFlashAttention", args, attrs, out=[dtype])
    parts = [[x[:1], x[1:, :7]] for x in (k, v)]
    check("IncreFlashAttention", [q, *parts, *[None] * 12], attrs, out=[dtype])
    pool, table = draw(rng, (6, 5, 8), dtype), rng.integers(0, 6, (2, 4)).astype(np.int32)
    args = [q, [pool], [pool[::-1].copy()], None, None, lengths, *[None] * 7, table, None]
    check("IncreFlashAttention", args, {**attrs, "block_size": 5}, out=[dtype])
    heads = pool.reshape(6, 5, 2, 4).swapaxes(1, 2).copy()
    args[1] = args[2] = [heads]
    check("IncreFlashAttention", args, {**attrs, "block_size": 5}, out=[dtype])
