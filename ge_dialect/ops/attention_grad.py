"""Gradient of fused attention.

Formula and shapes: the public document of aclnnFlashAttentionScoreGrad.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.dims import refine
from ge_dialect.infer.heads import (
    LAYOUTS,
    check_heads,
    check_layout,
    check_scores,
    check_sparse,
    check_training_mask,
    operands,
    with_value_size,
)
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import float_, int_, opt_tin, string, tin, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


@ge_op
class FlashAttentionScoreGrad(GeOp):
    """What FlashAttentionScore's operands add to a loss, from dy, what its result adds.

    p = exp(scores - softmax_max) / softmax_sum with the scores of the forward operator; dp = dy ·
    valueᵀ, dropped as p was; ds = p · (dp - the row's sum of dy · attention_in). dv = dropped
    pᵀ · dy, dq = scale_value · ds · key, dk = scale_value · dsᵀ · query, summed up over the heads
    that share a key. dpse is ds (times scale_value with pse_type 1), summed up to the shape of
    pse_shift; without pse_shift it is empty, [0] (assumed).

    softmax_max, softmax_sum and attention_in must be connected. Not evaluated: TND, pse_type 2 and
    3, sparse_mode 5 to 8, padding_mask, softmax_in, prefix, q_start_idx, kv_start_idx.
    """

    name = "ge.FlashAttentionScoreGrad"
    TYPES: ClassVar = {"T": "FLOAT"}

    query = tin("T")
    key = tin("T")
    value = tin("T")
    dy = tin("T")
    pse_shift = opt_tin("FLOAT")
    drop_mask = opt_tin("uint8")
    padding_mask = opt_tin("FLOAT")
    atten_mask = opt_tin("bool, uint8")
    softmax_max = opt_tin("float32")
    softmax_sum = opt_tin("float32")
    softmax_in = opt_tin("FLOAT")
    attention_in = opt_tin("FLOAT")
    prefix = opt_tin("int64")
    actual_seq_qlen = opt_tin("int64")
    actual_seq_kvlen = opt_tin("int64")
    q_start_idx = opt_tin("int64")
    kv_start_idx = opt_tin("int64")
    dq = tout("T")
    dk = tout("T")
    dv = tout("T")
    dpse = tout("FLOAT")
    scale_value = float_(1.0)
    keep_prob = float_(1.0)
    pre_tockens = int_(65536)
    next_tockens = int_(65536)
    head_num = int_()
    input_layout = string()
    inner_precise = int_(0)
    sparse_mode = int_(0)
    pse_type = int_(1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        layout, heads = check_layout(n, tuple(LAYOUTS)), check_heads(n, "head_num")
        check_sparse(n)
        if not 0 < n.attr("keep_prob") <= 1:
            n.fail("keep_prob is no probability", found=n.attr("keep_prob"), expected="0 < p ≤ 1")
        q, k, v = operands(n, layout, heads)
        result = with_value_size(n.shape("query"), layout, heads, v.size)
        refine(n.shape("dy"), result, "dy and the result of the attention")
        if n.has("attention_in"):
            refine(n.shape("attention_in"), result, "attention_in and the result")
        saved = (q.length, heads, 8) if layout == "TND" else (q.batch, heads, q.length, 8)
        for name in ("softmax_max", "softmax_sum"):
            if n.has(name):
                refine(n.shape(name), saved, f"{name} and the rows of the scores")
        if layout != "TND":
            check_scores(n, ("pse_shift",), q, k)
            if n.attr("sparse_mode") < 2:
                check_training_mask(n, q, k)
        elem = n.elem("query")
        if n.has("pse_shift"):
            dpse = tensor_type(n.shape("pse_shift"), n.elem("pse_shift"))
        else:
            dpse = tensor_type((0,), elem)
        return (*(tensor_type(n.shape(x), elem) for x in ("query", "key", "value")), dpse)
