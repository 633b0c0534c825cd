"""Arithmetic of attention and recurrent layers, counted by hand."""

from __future__ import annotations

import pytest

from ge_dialect.dtypes import to_xdsl
from ge_dialect.ir.types import tensor_type
from ge_dialect.target.work import work_of

F16 = to_xdsl("float16")


def half(*dims):
    return tensor_type(dims, F16)


@pytest.mark.parametrize(
    ("layout", "query", "key"),
    [
        ("BSH", (2, 3, 8), (2, 5, 4)),
        ("SBH", (3, 2, 8), (5, 2, 4)),
        ("BSND", (2, 3, 4, 2), (2, 5, 2, 2)),
        ("BNSD", (2, 4, 3, 2), (2, 2, 5, 2)),
    ],
)
def test_attention(layout, query, key):
    """Two products per query element and key: with the key, and with the value."""
    q, k = half(*query), half(*key)
    work = work_of("FlashAttentionScore", [q, k, k], [q], {"input_layout": layout})
    assert work.cost_class == "attention"
    assert work.flops == 2 * 2 * (2 * 3 * 8) * 5
    work = work_of("FlashAttentionScoreGrad", [q, k, k, q], [q, k, k], {"input_layout": layout})
    assert work.flops == 2 * 5 * (2 * 3 * 8) * 5


def test_recurrent_layers():
    x, w, b = half(4, 2, 3), half(8, 20), half(20)
    work = work_of("DynamicRNN", [x, w, b], [half(4, 2, 5)], {})
    assert work.cost_class == "matmul"
    assert work.flops == 2 * (4 * 2) * (3 + 5) * 20
    work = work_of("DynamicGRUV2", [x, half(3, 15), half(5, 15)], [half(4, 2, 5)], {})
    assert work.flops == 2 * (4 * 2) * (3 * 15 + 5 * 15)
    both = [x, half(2, 20, 3), half(2, 20, 5)]
    work = work_of("CommonLSTM", both, [half(4, 2, 2, 5)], {})
    assert work.flops == 2 * (4 * 2) * 2 * (3 + 5) * 20


def test_feed_forward():
    """A row meets the weights of one expert, however many there are."""
    one = [half(2, 5, 3), half(3, 8), half(8, 4)]
    work = work_of("FFN", one, [half(2, 5, 4)], {"activation": "gelu"})
    assert work.cost_class == "matmul"
    assert work.flops == 2 * 10 * (3 * 8 + 8 * 4)
    several = [half(10, 3), half(6, 3, 8), half(6, 8, 4)]
    assert work_of("FFN", several, [half(10, 4)], {"activation": "gelu"}).flops == work.flops
