"""Kernels of routing to experts against the golden functions."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from tests.runtime.test_kernels_golden import check

FLOATS = [np.float32, np.float16, ml_dtypes.bfloat16]
I32, F32 = np.int32, np.float32


@pytest.mark.parametrize("dtype", FLOATS, ids=["f32", "f16", "bf16"])
def test_gating(dtype):
    rng = np.random.default_rng(0)
    for norm in (0, 1):
        for mode in (0, 1):
            x = rng.integers(-8, 9, (5, 12)).astype(dtype)
            bias = rng.uniform(0, 1, 12).astype(dtype) if mode else None
            attrs = {"k": 3, "group_count": 3, "k_group": 2, "norm_type": norm}
            attrs |= {"group_select_mode": mode, "out_flag": bool(mode)}
            attrs["routed_scaling_factor"] = 2.5
            check("MoeGatingTopK", [x, bias], attrs, out=[dtype, I32, F32])
            x[[0, 1, 1, 2, 2, 2], [5, 1, 9, 0, 4, 8]] = np.nan
            check("MoeGatingTopK", [x, bias], attrs, out=[dtype, I32, F32])
    x, done = rng.integers(-4, 5, (2, 3, 8)).astype(dtype), rng.random((2, 3)) < 0.5
    check("MoeGatingTopKSoftmax", [x, done], {"k": 3}, out=[dtype, I32, I32])
    for renorm in (0, 1):
        attrs = {"k": 3, "renorm": renorm, "output_softmax_result_flag": True}
        check("MoeGatingTopKSoftmaxV2", [x, None], attrs, out=[dtype, I32, F32])


@pytest.mark.parametrize("dtype", FLOATS, ids=["f32", "f16", "bf16"])
def test_routing(dtype):
    rng = np.random.default_rng(1)
    x = rng.uniform(-1, 1, (5, 4)).astype(dtype)
    experts = rng.integers(0, 6, (5, 3)).astype(I32)
    rows = np.arange(15, dtype=I32).reshape(3, 5).T.copy()
    for active in (0, 3, 5, 9):
        check("MoeInitRouting", [x, rows, experts], {"active_num": active}, out=[dtype, I32, I32])
    check("MoeComputeExpertTokens", [np.sort(experts.reshape(-1))], {"num_experts": 7})
    wide, bias = (rng.uniform(-1, 1, s).astype(dtype) for s in ((15, 4), (6, 4)))
    scales, places = rng.uniform(0, 1, (5, 3)).astype(dtype), rng.permutation(15).astype(I32)
    check("MoeFinalizeRouting", [wide, x, x, bias, scales, places, experts], out=[dtype])
    check("MoeFinalizeRoutingV2", [wide, places, *[None] * 5], out=[dtype])
    for mode in range(4):
        given = wide.reshape(3, 5, 4) if mode % 2 else wide
        dropped = np.where(places % 4 == 0, -1, places).astype(I32) if mode % 2 else places
        args = [given, dropped, x, None, bias, scales, experts]
        check("MoeFinalizeRoutingV2", args, {"drop_pad_mode": mode}, out=[dtype])


@pytest.mark.parametrize("place", range(3))
def test_a_row_with_nan_is_quantised_alike_wherever_it_stands(place):
    x = np.array([[1, -2, 3], [4, 5, -6]], np.float16)
    x[1, place] = np.nan
    attrs = {"expert_num": 2, "active_expert_range": [0, 2], "quant_mode": 1}
    experts = np.array([[1], [0]], I32)
    check("MoeInitRoutingV3", [x, experts, None, None], attrs, out=[np.int8, I32, np.int64, F32])
