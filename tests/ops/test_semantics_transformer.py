"""Rotary forms, masked softmax, fused norms and grouped products: by hand and by loops."""

from __future__ import annotations

from math import cos, exp, sin, sqrt

import numpy as np
import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.semantics import relative_error
from ge_dialect.semantics.evaluator import apply_op


def draw(rng, *shape, dtype=np.float32):
    return rng.uniform(-1, 1, shape).astype(dtype)


def pairs(mode, size):
    """Places that turn together."""
    if mode == "interleave":
        return [(i, i + 1) for i in range(0, size, 2)]
    if mode == "half":
        return [(i, i + size // 2) for i in range(size // 2)]
    q = size // 4
    return [(i, i + q) for i in range(q)] + [(i + 2 * q, i + 3 * q) for i in range(q)]


@pytest.mark.parametrize("mode", ["half", "interleave", "quarter"])
def test_apply_rotary_pos_emb(mode):
    rng = np.random.default_rng(0)
    q, k = draw(rng, 1, 2, 3, 8), draw(rng, 1, 2, 1, 8)
    angles = rng.uniform(0, 3, (1, 2, 1, 8))
    for i, j in pairs(mode, 8):
        angles[..., j] = angles[..., i]
    c, s = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
    got = apply_op("ApplyRotaryPosEmb", [q, k, c, s], {"rotary_mode": mode})
    for x, y in zip((q, k), got, strict=True):
        for place in np.ndindex(x.shape[:3]):
            for i, j in pairs(mode, 8):
                a = angles[0, place[1], 0, i]
                u, v = float(x[(*place, i)]), float(x[(*place, j)])
                assert y[(*place, i)] == pytest.approx(u * cos(a) - v * sin(a), abs=1e-6)
                assert y[(*place, j)] == pytest.approx(v * cos(a) + u * sin(a), abs=1e-6)


def test_interleave_rope():
    x = np.arange(6, dtype=np.float32).reshape(1, 1, 1, 6)
    c, s = np.array([1, 2, 3, 4, 5, 6], np.float32), np.array([10, 20, 30, 40, 50, 60], np.float32)
    (y,) = apply_op("InterleaveRope", [x, c, s])
    # 0 2 4 | 1 3 5, turned: -1 -3 -5 | 0 2 4
    want = [0 - 10, 4 - 60, 12 - 150, 4 + 0, 15 + 100, 30 + 240]
    assert y.reshape(-1).tolist() == want


def softmax(row):
    top = max(row)
    e = [exp(v - top) for v in row]
    return [v / sum(e) for v in e]


def test_scaled_masked_softmax():
    rng = np.random.default_rng(1)
    x, mask = draw(rng, 2, 3, 3), rng.random((1, 3, 3)) < 0.4
    mask[0, 2] = True
    (y,) = apply_op("ScaledMaskedSoftmax", [x, mask], {"scale": 2.0})
    for b, i in np.ndindex(2, 3):
        kept = [j for j in range(3) if not mask[0, i, j]]
        want = dict.fromkeys(range(3), 0.0) if kept else dict.fromkeys(range(3), 1 / 3)
        want.update(
            zip(kept, softmax([2 * float(x[b, i, j]) for j in kept]) if kept else [], strict=True)
        )
        assert y[b, i] == pytest.approx(np.array([want[j] for j in range(3)]), abs=1e-6)
    (y,) = apply_op("ScaledMaskedSoftmax", [x], {"fixed_triu_mask": True})
    assert y[0, 0].tolist() == [1, 0, 0]
    assert y[1, 1, :2] == pytest.approx(np.array(softmax(x[1, 1, :2].tolist())), abs=1e-6)


@pytest.mark.parametrize("rank", [4, 5])
def test_masked_softmax_with_bias(rank):
    rng = np.random.default_rng(2)
    x, mask, bias = draw(rng, 2, 3, 2, 2, 4), draw(rng, 3, 2, 4), draw(rng, 2, 2, 4)
    given = x.reshape(6, 2, 2, 4) if rank == 4 else x
    (y,) = apply_op("MaskedSoftmaxWithRelPosBias", [given, mask, bias], {"scale_value": 0.5})
    y = y.reshape(x.shape)
    for b, w, n, i in np.ndindex(2, 3, 2, 2):
        row = [0.5 * float(v) + float(m) + float(p)
               for v, m, p in zip(x[b, w, n, i], mask[w, i], bias[n, i], strict=True)]  # fmt: skip
        assert y[b, w, n, i] == pytest.approx(np.array(softmax(row)), abs=1e-6)


def rms(row, epsilon):
    return 1 / sqrt(sum(float(v) ** 2 for v in row) / len(row) + epsilon)


def test_add_rms_norm_forms():
    rng = np.random.default_rng(3)
    a, b, gamma = (draw(rng, *s, dtype=np.float16) for s in ((2, 4), (2, 4), (4,)))
    y1, y2, rstd, x = apply_op("AddRmsNormCast", [a, b, gamma], {"epsilon": 0.5})
    total = (a.astype(np.float32) + b.astype(np.float32)).astype(np.float16)
    assert x.tolist() == total.tolist()
    scales, zero = np.array([0.5, 0.25, 0.125, 1], np.float32), np.array([1, 2, 3, -4], np.int32)
    args = [a, b, gamma, scales, None, zero]
    q1, q2, _ = apply_op("AddRmsNormQuant", args, {"epsilon": 0.5})
    assert not q2.any()
    args = [a, b, gamma, scales, scales, None, None, gamma]
    m1, m2, _ = apply_op("AddRmsNormQuant", args, {"epsilon": 0.5, "div_mode": False})
    assert m1.tolist() == m2.tolist()
    for i in range(2):
        r = rms(total[i], 0.5)
        assert rstd[i, 0] == pytest.approx(r, rel=1e-6)
        for j in range(4):
            want = float(total[i, j]) * r * float(gamma[j])
            assert y1[i, j] == pytest.approx(want, abs=1e-6)
            assert y2[i, j] == np.float16(y1[i, j])
            assert q1[i, j] == round(want / float(scales[j]) + int(zero[j]))
            assert m1[i, j] == round((want + float(gamma[j])) * float(scales[j]))


def test_rms_norm_grad_by_differences():
    rng = np.random.default_rng(4)
    x, gamma, dy = draw(rng, 2, 3), draw(rng, 3), draw(rng, 2, 3)

    def loss(x, gamma):
        return sum(
            float(dy[i, j]) * float(x[i, j]) * rms(x[i], 0.1) * float(gamma[j])
            for i, j in np.ndindex(2, 3)
        )

    rstd = np.array([[rms(row, 0.1)] for row in x], np.float32)
    dx, dgamma = apply_op("RmsNormGrad", [dy, x, rstd, gamma])
    x, gamma = x.astype(np.float64), gamma.astype(np.float64)
    step = 1e-5
    for place in np.ndindex(2, 3):
        up, down = x.copy(), x.copy()
        up[place] += step
        down[place] -= step
        slope = (loss(up, gamma) - loss(down, gamma)) / (2 * step)
        assert dx[place] == pytest.approx(slope, abs=1e-4)
    for j in range(3):
        up, down = gamma.copy(), gamma.copy()
        up[j] += step
        down[j] -= step
        assert dgamma[j] == pytest.approx((loss(x, up) - loss(x, down)) / (2 * step), abs=1e-4)


# ---------------------------------------------------------------------------------- products


def product(a, b):
    """a · b by loops, of matrices."""
    return np.array([[sum(float(a[i, k]) * float(b[k, j]) for k in range(a.shape[1]))
                      for j in range(b.shape[1])] for i in range(a.shape[0])])  # fmt: skip


def test_fully_connection_and_gemm():
    rng = np.random.default_rng(5)
    x, w, b = draw(rng, 2, 3, 2), draw(rng, 4, 3, 2), draw(rng, 4)
    (y,) = apply_op("FullyConnection", [x, w, b], {"num_output": 4})
    want = product(x.reshape(2, 6), w.reshape(4, 6).T) + b
    assert relative_error(y, want) < 1e-6
    turned = w.reshape(4, 6).T.copy()
    (again,) = apply_op("FullyConnection", [x, turned, b], {"num_output": 4, "transpose": True})
    assert relative_error(again, want) < 1e-6
    wide = rng.integers(-128, 128, (1, 2, 50)).astype(np.int8)
    many = rng.integers(-128, 128, (3, 50)).astype(np.int8)
    (y,) = apply_op("FullyConnection", [wide, many], {"num_output": 3, "axis": 2})
    assert y.dtype == np.int32
    assert y[0].tolist() == product(wide[0], many.T).tolist()

    a, b, c = draw(rng, 3, 2), draw(rng, 4, 3), draw(rng, 2, 4)
    two, three = np.array([2], np.float32), np.array(3, np.float32)
    attrs = {"transpose_a": True, "transpose_b": True}
    (y,) = apply_op("GEMM", [a, b, c, two, three], attrs)
    assert relative_error(y, 2 * product(a.T, b.T) + 3 * c) < 1e-6
    i8, i32 = np.array([[100, 100]], np.int8), np.array([[7]], np.int32)
    (y,) = apply_op("GEMM", [i8, i8.T.copy(), i32, np.int32(2), np.int32(-1)])
    assert y.tolist() == [[2 * 20000 - 7]]


def test_transposed_and_batched():
    rng = np.random.default_rng(6)
    x, w = draw(rng, 2, 4, 3), draw(rng, 4, 3, 5)
    attrs = {"perm_x1": [1, 0, 2], "perm_y": [1, 0, 2]}
    (y,) = apply_op("TransposeBatchMatMul", [x, w], attrs)
    want = np.stack([product(x[:, b], w[b]) for b in range(4)], axis=1)
    assert relative_error(y, want) < 1e-6
    (split,) = apply_op("TransposeBatchMatMul", [x, w], {**attrs, "batch_split_factor": 2})
    assert split.shape == (2, 2, 10)
    for m, b, n in np.ndindex(2, 4, 5):
        assert split[b // 2, m, b % 2 * 5 + n] == y[m, b, n]
    (z,) = apply_op("BatchMatMulV3", [x[:, None], w[0], w[0, 0]])
    assert relative_error(z[1, 0], product(x[1], w[0]) + w[0, 0]) < 1e-6


def test_grouped_products():
    rng = np.random.default_rng(7)
    x, w, b = draw(rng, 6, 3), draw(rng, 3, 3, 2), draw(rng, 3, 2)
    ends, sizes = np.array([2, 2, 5]), np.array([2, 0, 3])
    none: list[list[np.ndarray]] = [[], [], [], []]
    want = np.zeros((6, 2))
    want[:2], want[2:5] = product(x[:2], w[0]) + b[0], product(x[2:5], w[2]) + b[2]
    attrs = {"group_type": 0, "split_item": 3}
    (y,) = apply_op("GroupedMatmul", [[x], [w], [b], *none, ends], attrs)
    assert relative_error(y, want) < 1e-6
    attrs["group_list_type"] = 1
    (y,) = apply_op("GroupedMatmul", [[x], list(w), list(b), *none, sizes], attrs)
    assert relative_error(y, want) < 1e-6
    parts = apply_op("GroupedMatmul", [[x], [w], [b], *none, sizes], {**attrs, "split_item": 0})
    assert [p.shape for p in parts] == [(2, 2), (0, 2), (3, 2)]
    assert relative_error(parts[2], want[2:5]) < 1e-6

    attrs = {"group_type": 2, "split_item": 3, "transpose_x": True}
    long = draw(rng, 6, 2)
    (y,) = apply_op("GroupedMatmul", [[x], [long], [], *none, ends], attrs)
    assert y.shape == (3, 3, 2)
    assert relative_error(y[0], product(x[:2].T, long[:2])) < 1e-6
    assert not y[1].any()
    assert relative_error(y[2], product(x[2:5].T, long[2:5])) < 1e-6

    xs, ws = [x[:2], x[2:5]], [w[0], w[1]]
    one, two = apply_op("GroupedMatmul", [xs, ws, [b[0], b[1]]])
    assert relative_error(one, product(x[:2], w[0]) + b[0]) < 1e-6
    (both,) = apply_op("GroupedMatmul", [xs, ws, [b[0], b[1]]], {"split_item": 2})
    assert both.tolist() == [*one.tolist(), *two.tolist()]
    with pytest.raises(GeError):
        apply_op("GroupedMatmul", [[x], [w], [], *none, np.array([1, 2, 9])], {"group_type": 0})
