"""The feed-forward layer of a transformer, number by number."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.semantics import apply_op

RNG = np.random.default_rng(4)
#: Rows, inner, hidden and outer numbers.
M, K, H, OUT = 5, 3, 4, 2
ACT = {
    "relu": lambda v: max(v, 0.0),
    "silu": lambda v: v / (1 + math.exp(-v)),
    "fastgelu": lambda v: v / (1 + math.exp(-1.702 * v)),
    "gelu": lambda v: v / 2 * (1 + math.tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v**3))),
}
GATE = {"geglu": "gelu", "swiglu": "silu", "reglu": "relu"}


def halves(*shape):
    return RNG.normal(size=shape).astype(np.float16)


def expected(x, w1, b1, w2, b2, name):
    """One row."""
    hidden = [
        sum(float(x[k]) * float(w1[k, h]) for k in range(len(x)))
        + (0 if b1 is None else float(b1[h]))
        for h in range(w1.shape[1])
    ]
    if name in GATE:
        middle = len(hidden) // 2
        pairs = zip(hidden[:middle], hidden[middle:], strict=True)
        values = [a * ACT[GATE[name]](b) for a, b in pairs]
    else:
        values = [ACT[name](v) for v in hidden]
    values = [float(np.float16(v)) for v in values]
    return [
        sum(v * float(w2[h, o]) for h, v in enumerate(values)) + (0 if b2 is None else float(b2[o]))
        for o in range(w2.shape[1])
    ]


@pytest.mark.parametrize("biased", [False, True])
@pytest.mark.parametrize("name", [*ACT, *GATE])
def test_one_expert(name, biased):
    width = 2 * H if name in GATE else H
    x, w1, w2 = halves(M, K), halves(K, width), halves(H, OUT)
    b1, b2 = (halves(width), halves(OUT)) if biased else (None, None)
    (y,) = apply_op("FFN", [x, w1, w2, None, b1, b2], {"activation": name})
    assert y.dtype == np.float16
    want = [expected(row, w1, b1, w2, b2, name) for row in x]
    np.testing.assert_allclose(y, want, rtol=2e-3, atol=2e-3)
    (deep,) = apply_op("FFN", [x.reshape(1, M, K), w1, w2, None, b1, b2], {"activation": name})
    assert deep.reshape(y.shape).tolist() == y.tolist()


@pytest.mark.parametrize("ends", [False, True])
def test_experts(ends):
    x, w1, w2, b1 = halves(M, K), halves(3, K, H), halves(3, H, OUT), halves(3, H)
    counts = np.array([2, 0, 3])
    attrs = {"activation": "silu", "tokens_index_flag": ends}
    args = [x, w1, w2, np.cumsum(counts) if ends else counts, b1]
    (y,) = apply_op("FFN", args, attrs)
    for rows, e in ((slice(0, 2), 0), (slice(2, 5), 2)):
        (alone,) = apply_op("FFN", [x[rows], w1[e], w2[e], None, b1[e]], {"activation": "silu"})
        assert y[rows].tolist() == alone.tolist()
    for wrong in ([2, 0, 2], [4, -1, 2], [2, 0, 4]):
        args[3] = np.cumsum(wrong) if ends else np.array(wrong)
        with pytest.raises(GeError, match="does not cut the axis"):
            apply_op("FFN", args, attrs)


def test_quantised_forms_are_refused_by_name():
    x, w1, w2 = (np.zeros(s, np.int8) for s in ((M, K), (K, H), (H, OUT)))
    with pytest.raises(GeError, match="not evaluated"):
        apply_op("FFN", [x, w1, w2], {"activation": "relu"})
