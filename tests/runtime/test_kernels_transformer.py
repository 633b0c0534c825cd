"""Kernels of rotary forms, masked softmax, fused norms and grouped products, against golden."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from tests.runtime.test_kernels_golden import check

FLOATS = [np.float32, np.float16, ml_dtypes.bfloat16]
IDS = ["f32", "f16", "bf16"]
F32, I8, I32 = np.float32, np.int8, np.int32


def draw(rng, shape, dtype):
    if np.dtype(dtype).kind in "iu":
        return rng.integers(-99, 99, shape).astype(dtype)
    return rng.uniform(-1, 1, shape).astype(dtype)


@pytest.mark.parametrize("dtype", FLOATS, ids=IDS)
def test_rotary(dtype):
    rng = np.random.default_rng(0)
    q, k = draw(rng, (2, 3, 4, 8), dtype), draw(rng, (2, 3, 1, 8), dtype)
    c, s = draw(rng, (1, 3, 1, 8), dtype), draw(rng, (1, 3, 1, 8), dtype)
    for mode in ("half", "interleave", "quarter"):
        check("ApplyRotaryPosEmb", [q, k, c, s], {"rotary_mode": mode}, out=[dtype, dtype])
    check("InterleaveRope", [q, c, s])


@pytest.mark.parametrize("dtype", FLOATS, ids=IDS)
def test_softmax(dtype):
    rng = np.random.default_rng(1)
    x, mask = draw(rng, (2, 3, 4, 5), dtype), rng.random((2, 1, 4, 5)) < 0.4
    mask[0, 0, 2] = True
    check("ScaledMaskedSoftmax", [x, mask], {"scale": 3.0})
    check("ScaledMaskedSoftmax", [x, None], {"fixed_triu_mask": True})
    bias, windows = draw(rng, (3, 4, 5), dtype), draw(rng, (2, 4, 5), dtype)
    check("MaskedSoftmaxWithRelPosBias", [x, windows, bias], {"scale_value": 2.0})
    check("MaskedSoftmaxWithRelPosBias", [x[:, None], None, bias[None]])
    check("MaskedSoftmaxWithRelPosBias", [x[None], windows[None, :, None], bias])


@pytest.mark.parametrize("dtype", FLOATS, ids=IDS)
def test_norms(dtype):
    rng = np.random.default_rng(2)
    a, b, gamma = (draw(rng, s, dtype) for s in ((2, 3, 8), (2, 3, 8), (8,)))
    if dtype != np.float32:
        check("AddRmsNormCast", [a, b, gamma], out=[F32, dtype, F32, dtype])
    # scales that leave no number near the middle between two steps
    scales, zero = np.full(8, 0.25, F32), np.arange(8, dtype=I32)
    x = np.round(a.astype(F32) * 4).astype(dtype)
    args = [x, np.zeros_like(x), np.ones_like(gamma), scales, None, zero, None, None]
    check("AddRmsNormQuant", args, {"epsilon": 0.5}, out=[I8, I8, dtype])
    args = [x, x, gamma, scales, scales * 64, zero, None, gamma]
    check("AddRmsNormQuant", args, {"div_mode": False}, out=[I8, I8, dtype])
    rstd = rng.uniform(0.5, 2, (2, 3, 1)).astype(F32)
    check("RmsNormGrad", [a, b, rstd, gamma], out=[dtype, F32], tol=2e-2 if dtype != F32 else None)
    check(
        "RmsNormGrad", [a, b, rstd[:, 0, 0], draw(rng, (3, 8), dtype)], out=[dtype, F32], tol=2e-2
    )


@pytest.mark.parametrize("dtype", [*FLOATS, I8], ids=[*IDS, "i8"])
def test_products(dtype):
    rng = np.random.default_rng(3)
    whole = dtype == I8
    out = I32 if whole else dtype
    x, w, b = draw(rng, (4, 3, 2), dtype), draw(rng, (5, 3, 2), dtype), draw(rng, (5,), out)
    check("FullyConnection", [x, w, b, None], {"num_output": 5}, out=[out])
    turned = w.reshape(5, 6).T[:2].copy()
    attrs = {"num_output": 5, "axis": 2, "transpose": True}
    check("FullyConnection", [x, turned, None, None], attrs, out=[out])
    c = draw(rng, (3, 5), out)
    two = np.array([2], out)
    attrs = {"transpose_a": True, "transpose_b": True}
    if dtype != ml_dtypes.bfloat16:
        check("GEMM", [x[..., 0], draw(rng, (5, 4), dtype), c, two, two], attrs, out=[out])
    if whole:
        return
    check("BatchMatMulV3", [x, draw(rng, (2, 6), dtype), None, None], out=[dtype])
    p, q = draw(rng, (2, 4, 3), dtype), draw(rng, (3, 4, 5), dtype)
    attrs = {"perm_x1": (1, 0, 2), "perm_x2": (1, 0, 2), "perm_y": (1, 0, 2)}
    check("TransposeBatchMatMul", [p, q, draw(rng, (5,), F32), None], attrs, out=[dtype])
    check(
        "TransposeBatchMatMul", [p, q, None, None], {**attrs, "batch_split_factor": 2}, out=[dtype]
    )
    attrs = {"perm_x1": (2, 0, 1), "perm_x2": (0, 1, 2), "perm_y": (2, 0, 1)}
    check("TransposeBatchMatMul", [p, q, None, None], attrs, out=[dtype])


@pytest.mark.parametrize("dtype", [*FLOATS, I8], ids=[*IDS, "i8"])
def test_groups(dtype):
    rng = np.random.default_rng(4)
    out = I32 if dtype == I8 else dtype
    x, w, b = draw(rng, (9, 4), dtype), draw(rng, (3, 4, 5), dtype), draw(rng, (3, 5), out)
    ends, sizes = np.array([2, 2, 8]), np.array([2, 0, 6])
    rest = [[], [], [], []]
    attrs = {"group_type": 0, "split_item": 2}
    check("GroupedMatmul", [[x], [w], [b], *rest, ends, None], attrs, out=[out])
    args = [[x], list(w), list(b), *rest, sizes, None]
    check("GroupedMatmul", args, {**attrs, "group_list_type": 1}, out=[out])
    attrs["split_item"] = 1
    check("GroupedMatmul", [[x], [w], [], *rest, ends, None], attrs, out=[out] * 3)
    attrs = {"group_type": 2, "split_item": 3, "transpose_x": True, "transpose_weight": True}
    args = [[x], [draw(rng, (5, 9), dtype)], [], *rest, ends, None]
    check("GroupedMatmul", args, attrs, out=[out])
    args = [[x[:2], x[2:]], [w[0], w[1]], [b[0], b[1]], *rest, None, None]
    check("GroupedMatmul", args, {}, out=[out] * 2)
    check("GroupedMatmul", args, {"split_item": 3}, out=[out])
    args = [[x[None]], [w[0]], [b[0]], *rest, None, None]
    check("GroupedMatmul", args, {}, out=[out])
