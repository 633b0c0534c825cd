"""Fused attention: softmax(scores) · value per head, for training and for inference.

Layouts of query, key and value are those of `ge_dialect.infer.heads`.

Formulas and shapes: the public documents of aclnnFlashAttentionScore, aclnnPromptFlashAttention,
aclnnIncreFlashAttention and aclnnFusedInferAttentionScore.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import ge_name, to_xdsl
from ge_dialect.infer.dims import UNKNOWN, Shape, merge_dim, product, refine, require_rank
from ge_dialect.infer.errors import COUNT
from ge_dialect.infer.heads import (
    LAYOUTS,
    Heads,
    check_dtypes,
    check_heads,
    check_layout,
    check_mask,
    check_scores,
    check_shared,
    check_sparse,
    check_training_mask,
    heads_of,
    operands,
    with_value_size,
)
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, dyn_tin, float_, int_, opt_tin, string, tin, tout
from ge_dialect.ir.types import shape_of, tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_F32 = to_xdsl("float32")
_NARROW = "FLOAT, float8_e4m3fn, float8_e5m2"
_INFER = "float16, bfloat16, int8"


def _result_elem(n: InferNode, out_dtype: int) -> Attribute:
    elem = n.elem("query")
    if ge_name(elem).startswith("float8"):
        return to_xdsl("bfloat16" if out_dtype == 1 else "float16")
    return elem


@ge_op
class FlashAttentionScore(GeOp):
    """dropout(softmax(mask(scores))) · value, with the row's maximum and sum for the gradient.

    scores = scale_value · (query · keyᵀ + real_shift) with pse_type 1, else scale_value · query ·
    keyᵀ + real_shift (0; 2 and 3 make the shift from slopes and are not evaluated). atten_mask is 1
    where a score is left out: the whole of it in sparse_mode 0 and 1; 2 leaves out j > i, 3 j - i >
    S2 - S1, 4 what is not within -pre_tockens … next_tockens of that diagonal (5 to 8 are not
    evaluated). A row with nothing left is 0 (assumed), its maximum the smallest float32, its sum
    the largest. drop_mask has a bit per score, lowest first; a set one keeps it, over keep_prob.

    softmax_max and softmax_sum are (B, N, S1, 8), eight times the same; softmax_out is empty. With
    TND, actual_seq_qlen and actual_seq_kvlen are running sums of lengths. query_rope and key_rope
    prolong the heads of the query and the key.
    """

    name = "ge.FlashAttentionScore"
    TYPES: ClassVar = {"T": _NARROW}

    query = tin("T")
    key = tin("T")
    value = tin("T")
    real_shift = opt_tin("FLOAT")
    drop_mask = opt_tin("uint8")
    padding_mask = opt_tin("FLOAT")
    atten_mask = opt_tin("bool, uint8")
    prefix = opt_tin("int64")
    actual_seq_qlen = opt_tin("int64")
    actual_seq_kvlen = opt_tin("int64")
    q_start_idx = opt_tin("int64")
    kv_start_idx = opt_tin("int64")
    d_scale_q = opt_tin("float32")
    d_scale_k = opt_tin("float32")
    d_scale_v = opt_tin("float32")
    query_rope = opt_tin("T")
    key_rope = opt_tin("T")
    sink = opt_tin("float32")
    p_scale = opt_tin("float32")
    softmax_max = tout("float32")
    softmax_sum = tout("float32")
    softmax_out = tout("FLOAT")
    attention_out = tout("FLOAT")
    scale_value = float_(1.0)
    keep_prob = float_(1.0)
    pre_tockens = int_(2147483647)
    next_tockens = int_(2147483647)
    head_num = int_()
    input_layout = string()
    inner_precise = int_(0)
    sparse_mode = int_(0)
    pse_type = int_(1)
    seed = int_(0)
    offset = int_(0)
    out_dtype = int_(0)
    softmax_out_layout = string("")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        layout, heads = check_layout(n, tuple(LAYOUTS)), check_heads(n, "head_num")
        check_sparse(n)
        if not 0 < n.attr("keep_prob") <= 1:
            n.fail("keep_prob is no probability", found=n.attr("keep_prob"), expected="0 < p ≤ 1")
        shape = n.shape("query")
        q, k, v = operands(n, layout, heads)
        if layout != "TND":
            check_scores(n, ("real_shift",), q, k)
            if n.attr("sparse_mode") < 2:
                check_training_mask(n, q, k)
        elif not (n.has("actual_seq_qlen") and n.has("actual_seq_kvlen")):
            n.fail("TND needs the lengths of the samples", expected="actual_seq_qlen and _kvlen")
        if n.has("query_rope") != n.has("key_rope"):
            n.fail("query_rope and key_rope go together", expected="both or none", code=COUNT)
        _check_ropes(n, layout, q, k)
        if layout == "TND":
            saved: Shape = (q.length, heads, 8)
        else:
            saved = (q.batch, heads, q.length, 8)
        elem = _result_elem(n, n.attr("out_dtype"))
        return (
            tensor_type(saved, _F32),
            tensor_type(saved, _F32),
            tensor_type((0, 0, 0, 0), elem),
            tensor_type(with_value_size(shape, layout, heads, v.size), elem),
        )


def _check_ropes(n: InferNode, layout: str, q: Heads, k: Heads) -> None:
    """What prolongs the heads of query and key has as many heads and positions, in one size."""
    sizes: list[int] = []
    for name, whole in (("query_rope", q), ("key_rope", k)):
        if n.has(name):
            part = heads_of(n, name, n.shape(name), layout, whole.heads)
            merge_dim(part.batch, whole.batch, f"batches of {name}")
            merge_dim(part.length, whole.length, f"positions of {name}")
            sizes.append(part.size)
    for size in sizes:
        merge_dim(sizes[0], size, "sizes of the heads of query_rope and key_rope")


def _one_key(n: InferNode, name: str, layout: str) -> Shape:
    """The shape that key or value would have in one piece: lists hold a sample each.

    Samples differ in the number of positions only.
    """
    shapes = [shape_of(t) for t in n.types(name)]
    if len(shapes) == 1:
        return shapes[0]
    if not shapes:
        n.fail(f"{name} is not connected", found=0, expected="1 tensor or more", code=COUNT)
    place = LAYOUTS[layout].index("S")
    common: Shape = None
    for shape in shapes:
        if shape is None or len(shape) != len(LAYOUTS[layout]):
            require_rank(shape, len(LAYOUTS[layout]), name)
            continue
        merge_dim(shape[0], 1, f"batch of a sample of {name}")
        open_ = (*shape[:place], UNKNOWN, *shape[place + 1 :])
        common = refine(common, open_, f"samples of {name}")
    return None if common is None else (len(shapes), *common[1:])


def _pool(n: InferNode, shared: int, q: Heads) -> tuple[int, int]:
    """Size of a head of the value, and positions, of keys and values that are pools of blocks."""
    sizes: list[int] = []
    block = UNKNOWN
    blocks: Shape = None
    for name in ("key", "value"):
        shapes = [shape_of(t) for t in n.types(name)]
        if len(shapes) != 1:
            n.fail(f"{name} is no single pool", found=len(shapes), expected=1, code=COUNT)
        shape = shapes[0]
        require_rank(shape, (3, 4), name)
        if shape is None:
            sizes.append(UNKNOWN)
            continue
        if len(shape) == 3:
            heads_of(n, name, shape, "BSH", shared)
            sizes.append(UNKNOWN if shape[2] < 0 else shape[2] // shared)
            blocks = refine(blocks, (*shape[:2], len(shape)), "blocks of key and value")
            block = shape[1] if block < 0 else block
        else:
            merge_dim(shape[1], shared, f"heads of {name}")
            sizes.append(shape[3])
            blocks = refine(blocks, (shape[0], shape[2], len(shape)), "blocks of key and value")
            block = shape[2] if block < 0 else block
    merge_dim(q.size, sizes[0], "sizes of the heads of query and key")
    table = n.shape("block_table")
    require_rank(table, 2, "block_table")
    if table is not None:
        merge_dim(table[0], q.batch, "samples of the query and block_table")
    return sizes[1], UNKNOWN if table is None else product((block, table[1]))


def _inference(n: InferNode, layouts: Sequence[str], sparse: bool) -> tuple[Shape, Heads]:
    """Shape of the result and sizes of the query, of an operator for inference.

    sparse: it has sparse modes; the one without has a single query, so its mask may be flat.
    """
    layout = check_layout(n, layouts)
    result_layout = layout.rpartition("_")[2]
    layout = layout.partition("_")[0]
    heads = check_heads(n, "num_heads")
    shared = n.attr("num_key_value_heads") or heads
    if shared < 0:
        n.fail("num_key_value_heads must not be negative", found=shared, expected="≥ 0")
    check_shared(n, heads, shared)
    check_dtypes(n, "query", "key", "value")
    shape = n.shape("query")
    q = heads_of(n, "query", shape, layout, heads)
    paged = "block_table" in {s.name for s in n.cls.ge_table().inputs} and n.has("block_table")
    if paged:
        size_v, length = _pool(n, shared, q)
        lengths = [length]
    else:
        k = heads_of(n, "key", _one_key(n, "key", layout), layout, shared)
        v = heads_of(n, "value", _one_key(n, "value", layout), layout, shared)
        merge_dim(q.batch, k.batch, "batches of query and key")
        merge_dim(k.batch, v.batch, "batches of key and value")
        counts = [len(n.types(name)) for name in ("key", "value")]
        if counts[0] != counts[1]:
            n.fail("key and value have different numbers of tensors", found=counts, expected="one")
        pairs = zip(*(n.shapes(name) for name in ("key", "value")), strict=True)
        lengths = [
            merge_dim(
                heads_of(n, "key", key, layout, shared).length,
                heads_of(n, "value", value, layout, shared).length,
                "positions of key and value",
            )
            for key, value in pairs
        ]
        merge_dim(q.size, k.size, "sizes of the heads of query and key")
        size_v = v.size
    for length in lengths:
        k = Heads(q.batch, shared, length, q.size)
        check_scores(n, ("pse_shift",), q, k)
        if not sparse or n.attr("sparse_mode") < 2:
            check_mask(n, q, k, flat=not sparse)
    out = with_value_size(shape, layout, heads, size_v)
    if result_layout != layout and out is not None:
        out = (out[0], out[2], out[1], out[3])
    return out, q


@ge_op
class PromptFlashAttention(GeOp):
    """softmax(mask(scale_value · query · keyᵀ + pse_shift)) · value over a prompt.

    atten_mask and sparse_mode as in FlashAttentionScore (0 to 4). A query position beyond its
    actual_seq_lengths gives 0 (assumed), a key position beyond actual_seq_lengths_kv is left out.
    num_key_value_heads 0 means num_heads. Quantised forms (deq_scale1 …) are not evaluated.
    """

    name = "ge.PromptFlashAttention"
    TYPES: ClassVar = {"T": "float16, float32, bfloat16"}  # bfloat16 is assumed

    query = tin("T")
    key = tin("T")
    value = tin("T")
    pse_shift = opt_tin("float16, float32, bfloat16")
    atten_mask = opt_tin("float16, float32, bool, int8, uint8")  # the integers are assumed
    actual_seq_lengths = opt_tin("int64")
    actual_seq_lengths_kv = opt_tin("int64")
    deq_scale1 = opt_tin("uint64")
    quant_scale1 = opt_tin("float32")
    deq_scale2 = opt_tin("uint64")
    quant_scale2 = opt_tin("float32")
    quant_offset2 = opt_tin("float32")
    attention_out = tout("T")
    num_heads = int_()
    scale_value = float_(1.0)
    pre_tokens = int_(214748647)
    next_tokens = int_(0)
    input_layout = string("BSH")
    num_key_value_heads = int_(1)
    sparse_mode = int_(0)
    inner_precise = int_(1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        check_sparse(n, 4)
        out, _ = _inference(n, ("BSH", "BSND", "BNSD", "BNSD_BSND"), True)
        return (tensor_type(out, n.elem("query")),)


@ge_op
class IncreFlashAttention(GeOp):
    """Attention of one new position to the keys and values so far: a step of decoding.

    key and value are one tensor or one per sample (then each of batch 1). With block_table [B,
    blocks] they are a pool of blocks, [blocks, block_size, H] or [blocks, heads, block_size, D],
    of which a sample has those of its row. Positions beyond actual_seq_lengths are left out;
    atten_mask is [B, S2] or stretches to the scores. Quantised forms are not evaluated.
    """

    name = "ge.IncreFlashAttention"
    TYPES: ClassVar = {"T": "FLOAT, int8", "KV": "FLOAT, int8"}

    query = tin("T")
    key = dyn_tin("KV")
    value = dyn_tin("KV")
    pse_shift = opt_tin("float16, bfloat16")
    atten_mask = opt_tin("float16, float32, bool, int8, uint8")  # the integers are assumed
    actual_seq_lengths = opt_tin("int64")
    dequant_scale1 = opt_tin("float32, uint64")
    quant_scale1 = opt_tin("float32")
    dequant_scale2 = opt_tin("float32, uint64")
    quant_scale2 = opt_tin("float32")
    quant_offset2 = opt_tin("float32")
    antiquant_scale = opt_tin("float16")
    antiquant_offset = opt_tin("float16")
    block_table = opt_tin("int32")
    kv_padding_size = opt_tin("int64")
    attention_out = tout("FLOAT, int8")
    num_heads = int_()
    scale_value = float_(1.0)
    input_layout = string("BSH")
    num_key_value_heads = int_(1)
    block_size = int_(0)
    inner_precise = int_(1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        out, q = _inference(n, ("BSH", "BSND", "BNSD"), False)
        merge_dim(q.length, 1, "positions of the query and of one step")
        return (tensor_type(out, n.elem("query")),)


@ge_op
class FusedInferAttentionScore(GeOp):
    """PromptFlashAttention and IncreFlashAttention behind one door, with log-sum-exp on demand.

    softmax_lse [B, N, S1, 1] is maximum + log(sum) of a row, +inf where nothing is left (assumed);
    without softmax_lse_flag it is empty. Quantised forms, prefixes, rope parts, sinks and
    paddings are not evaluated.
    """

    name = "ge.FusedInferAttentionScore"
    TYPES: ClassVar = {"T": _INFER + ", float32", "KV": _INFER + ", float32"}  # float32: assumed

    query = tin("T")
    key = dyn_tin("KV")
    value = dyn_tin("KV")
    pse_shift = opt_tin("float16, bfloat16, float32")
    atten_mask = opt_tin("float16, bool, int8, uint8")
    actual_seq_lengths = opt_tin("int64")
    actual_seq_lengths_kv = opt_tin("int64")
    dequant_scale1 = opt_tin("uint64")
    quant_scale1 = opt_tin("float32")
    dequant_scale2 = opt_tin("uint64")
    quant_scale2 = opt_tin("bfloat16, float32")
    quant_offset2 = opt_tin("bfloat16, float32")
    antiquant_scale = opt_tin("FLOAT")
    antiquant_offset = opt_tin("FLOAT")
    block_table = opt_tin("int32")
    query_padding_size = opt_tin("int64")
    kv_padding_size = opt_tin("int64")
    key_antiquant_scale = opt_tin("FLOAT")
    key_antiquant_offset = opt_tin("FLOAT")
    value_antiquant_scale = opt_tin("FLOAT")
    value_antiquant_offset = opt_tin("FLOAT")
    key_shared_prefix = opt_tin(_INFER)
    value_shared_prefix = opt_tin(_INFER)
    actual_shared_prefix_len = opt_tin("int64")
    query_rope = opt_tin(_INFER)
    key_rope = opt_tin(_INFER)
    key_rope_antiquant_scale = opt_tin(_INFER)
    dequant_scale_query = opt_tin("float32")
    learnable_sink = opt_tin("bfloat16")
    q_start_idx = opt_tin("int64")
    kv_start_idx = opt_tin("int64")
    attention_out = tout("FLOAT, int8")
    softmax_lse = tout("FLOAT")
    num_heads = int_()
    scale = float_(1.0)
    pre_tokens = int_(2147483647)
    next_tokens = int_(2147483647)
    input_layout = string("BSH")
    num_key_value_heads = int_(0)
    sparse_mode = int_(0)
    inner_precise = int_(0)
    block_size = int_(0)
    antiquant_mode = int_(0)
    softmax_lse_flag = bool_(False)
    key_antiquant_mode = int_(0)
    value_antiquant_mode = int_(0)
    query_quant_mode = int_(0)
    pse_type = int_(0)
    out_dtype = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        check_sparse(n, 4)
        out, q = _inference(n, ("BSH", "BSND", "BNSD", "BNSD_BSND"), True)
        lse: Shape = (0,)
        if n.attr("softmax_lse_flag"):
            lse = (q.batch, q.heads, q.length, 1)
        return (tensor_type(out, n.elem("query")), tensor_type(lse, _F32))
