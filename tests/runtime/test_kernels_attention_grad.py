"""Kernel of the gradient of fused attention against the golden function."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from ge_dialect.semantics.evaluator import apply_op
from tests.runtime.test_kernels_golden import check

FLOATS = [np.float32, np.float16, ml_dtypes.bfloat16]


def operand(rng, layout, heads, length, dtype):
    x = rng.uniform(-1, 1, (2, length, heads, 4)).astype(dtype)
    if layout == "BNSD":
        return x.transpose(0, 2, 1, 3).copy()
    if layout in ("BSH", "SBH"):
        x = x.reshape(2, length, heads * 4)
    return x.swapaxes(0, 1).copy() if layout == "SBH" else x


@pytest.mark.parametrize("dtype", FLOATS, ids=["f32", "f16", "bf16"])
@pytest.mark.parametrize("layout", ["BSH", "SBH", "BSND", "BNSD"])
def test_flash_attention_grad(layout, dtype):
    rng = np.random.default_rng(0)
    for mode in range(5):
        q, dy = (operand(rng, layout, 4, 5, dtype) for _ in range(2))
        k, v = (operand(rng, layout, 2, 37, dtype) for _ in range(2))
        shift = rng.uniform(-1, 1, (4, 1, 37)).astype(dtype) if mode % 2 else None
        mask = rng.random((2, 1, 5, 37)) < 0.3
        mask[0, 0, 1] = True
        drop = rng.integers(0, 256, (2 * 4 * 5 * 37 + 7) // 8).astype(np.uint8)
        attrs = {"head_num": 4, "input_layout": layout, "sparse_mode": mode, "scale_value": 0.5}
        attrs |= {"pre_tockens": 20, "next_tockens": 1, "pse_type": mode % 2 if mode > 1 else 1}
        attrs["keep_prob"] = 0.75
        forward = [q, k, v, shift, drop, None, mask, *[None] * 12]
        top, total, _, y = apply_op("FlashAttentionScore", forward, attrs)
        args = [q, k, v, dy, shift, drop, None, mask, top, total, None, y, *[None] * 5]
        check("FlashAttentionScoreGrad", args, attrs, out=[dtype] * 4)
