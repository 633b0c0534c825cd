"""Hints for operators bound so tightly that chance seldom makes them: written-down calls.

A call is a line `name:dims:dtypes:domain; …` for its inputs, and its attributes. Dims are numbers
and letters; a letter is a size from 1 to 3, the same wherever it stands. `name?` is left out now
and then, `name*2` is a dynamic input of two tensors, or as many as a letter says. Without dtypes
the operator's own count, by symbol. Domains: `<5` indices below 5, `=1,2` these integers (a vector;
`==1` one number, `=1,2/3,4` a matrix of int64), `+` positive numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ge_dialect.ir.base import DYNAMIC
from passes.testing.rules import Call, existing, hint
from passes.testing.scope import Dims, Given, Scope, Value
from passes.testing.spec import Literal
from passes.testing.templates_foreach import FOREACH
from passes.testing.templates_moe import MOE
from passes.testing.templates_training import TRAINING
from passes.testing.templates_vision import VISION

Template = tuple[str, dict[str, Any]]

#: Operator -> calls, one of which is taken.
TEMPLATES: dict[str, Sequence[Template]] = {
    "FlashAttentionScore": (
        (
            "query:B,S,8; key:B,K,8; value:B,K,8; atten_mask?:S,K",
            {"head_num": 2, "input_layout": "BSH", "scale_value": 0.5},
        ),
        (
            "query:B,4,S,3; key:B,2,K,3; value:B,2,K,D; real_shift?:S,K",
            {"head_num": 4, "input_layout": "BNSD", "pse_type": 0},
        ),
    ),
    "FlashAttentionScoreGrad": (
        (
            "query:B,S,8; key:B,K,8; value:B,K,8; dy:B,S,8; atten_mask?:S,K; "
            "softmax_max:B,2,S,8:float32; softmax_sum:B,2,S,8:float32; attention_in:B,S,8",
            {"head_num": 2, "input_layout": "BSH", "scale_value": 0.5},
        ),
    ),
    "PromptFlashAttention": (
        (
            "query:B,S,2,4; key:B,K,2,4; value:B,K,2,4; atten_mask?:S,K",
            {"num_heads": 2, "num_key_value_heads": 2, "input_layout": "BSND"},
        ),
    ),
    "IncreFlashAttention": (
        (
            "query:B,1,8:float32|float16; key*1:B,K,8:float32|float16; "
            "value*1:B,K,8:float32|float16; atten_mask?:B,K",
            {"num_heads": 2, "num_key_value_heads": 2},
        ),
    ),
    "FusedInferAttentionScore": (
        (
            "query:B,S,8:float32|float16; key*1:B,K,4:float32|float16; "
            "value*1:B,K,4:float32|float16; atten_mask?:B,1,S,K:bool",
            {"num_heads": 4, "num_key_value_heads": 2, "softmax_lse_flag": True},
        ),
    ),
    "MoeFinalizeRouting": (
        (
            "expanded_x:4,D; x1:2,D; x2?:2,D; bias:3,D; scales:2,2; "
            "expanded_row_idx:4::<4; expanded_expert_idx:2,2::<3",
            {},
        ),
    ),
    "MoeFinalizeRoutingV2": (
        ("expanded_x:3,D; expanded_row_idx:3::<3; x1?:3,D", {}),
        ("expanded_x:2,2,D; expanded_row_idx:4::<4; scales:2,2", {"drop_pad_mode": 3}),
    ),
    "MoeInitRouting": (("x:2,D; row_idx:2,2::<4; expert_idx:2,2::<3", {"active_num": 2}),),
    "AllGatherMatmul": (("x1:M,K; x2:K,N; bias?:N", {"group": "g", "rank_size": 1}),),
    "HcomAllGather": (("x:M,N", {"group": "g", "rank_size": 1}),),
    "HcomAllGatherV": (
        ("x:3,N; send_count:1::=3; recv_counts:1::=3", {"group": "g"}),
        (
            "x:3,N; send_count:1::=2; recv_counts:1::=2; recv_displacements:1::=1",
            {"group": "g"},
        ),
    ),
    "HcomAllReduce": (
        ("x:M,N", {"group": "g", "reduction": "sum"}),
        ("x:", {"group": "g", "reduction": "max"}),
    ),
    "HcomAllToAll": (("x:M,N", {"group": "g", "rank_size": 1}),),
    "HcomAllToAllV": (
        (
            "send_data:3,N; send_counts:1::=2; send_displacements:1::=1; recv_counts:1::=2; "
            "recv_displacements:1::=0",
            {"group": "g"},
        ),
    ),
    "HcomBroadcast": (("x*N:M,K:float32", {"group": "g", "root_rank": 0}),),
    "HcomReduce": (("x:M,N", {"group": "g", "reduction": "sum", "root_rank": 0}),),
    "HcomReduceScatter": (("x:M,N", {"group": "g", "reduction": "sum", "rank_size": 1}),),
    "HcomReduceScatterV": (
        (
            "x:3,N; recv_count:1::=2; send_counts:1::=2; send_displacements?:1::=1",
            {"group": "g", "reduction": "min"},
        ),
    ),
    "MatmulAllReduce": (
        (
            "x1:M,K:float32|float16; x2:K,N:float32|float16; bias?:N:float32|float16",
            {"group": "g"},
        ),
    ),
    "MatmulReduceScatter": (("x1:M,K; x2:K,N", {"group": "g", "rank_size": 1}),),
    "HcomAllToAllVC": (("send_data:3,N; send_count_matrix:1,1::=2/", {"group": "g", "rank": 0}),),
    "AddRmsNormCast": (("x1:M,N; x2:M,N; gamma:N", {}),),
    "AddRmsNormQuant": (
        ("x1:M,N; x2:M,N; gamma:N; scales1:N:float32:+; zero_points1?:N:int32", {}),
    ),
    "ApplyRotaryPosEmb": (
        ("query:B,S,N,4; key:B,S,1,4; cos:1,S,1,4; sin:1,S,1,4", {"rotary_mode": "interleave"}),
        ("query:B,S,2,8; key:B,S,2,8; cos:B,S,1,8; sin:B,S,1,8", {"rotary_mode": "half"}),
    ),
    "BatchMatMulV3": (("x1:B,M,K; x2:K,N; bias?:N", {}), ("x1:K,M; x2:K,N", {"adj_x1": True})),
    "FullyConnection": (("x:M,3,K; w:2,3,K", {"num_output": 2}),),
    "GEMM": (("a:M,K:float32; b:K,N; c:M,N:float32; alpha:1:float32; beta::float32", {}),),
    "GroupedMatmul": (
        ("x*2:M,K; weight*2:K,N", {}),
        (
            "x*1:3,K:float32; weight*1:2,K,N:float32; bias*1:2,N:float32; group_list:2::=1,3",
            {"group_type": 0, "split_item": 3},
        ),
    ),
    "MaskedSoftmaxWithRelPosBias": (
        ("x:B,2,N,S,K; atten_mask?:2,S,K; relative_pos_bias:N,S,K", {"scale_value": 0.5}),
    ),
    "RmsNormGrad": (("dy:M,N; x:M,N; rstd:M,1::+; gamma:N", {}),),
    "TransposeBatchMatMul": (("x1:M,B,K; x2:B,K,N", {"perm_x1": (1, 0, 2), "perm_y": (1, 0, 2)}),),
    "BroadcastArgs": (("x1:2::=2,1; x2:1::=3", {}), ("x1:1::=4; x2:2::=1,1", {})),
    "BroadcastGradientArgs": (("x1:2::=2,1; x2:1::=3", {}), ("x1:1::=4; x2:2::=1,4", {})),
    "ConcatOffset": (("concat_dim::int32:==1; x*2:3:int32:<4", {"N": 2}),),
    "PhonyConcat": (("x*2:M,N", {"concat_dim": (1,), "N": (2,)}),),
    "BatchToSpaceND": (("x:4,M,2,D; block_shape:2::=2,1; crops:2,2:int64:=1,0/0,1", {}),),
    "Eye": (("", {"num_rows": 2, "num_columns": 3}), ("", {"num_rows": 2, "dtype": 3})),
    "LinSpace": (("start:; stop:; num:::==3", {}),),
    "PadV2": (("x:M,N; paddings:2,2:int64:=1,0/0,2; constant_values:", {}),),
    "SpaceToBatchND": (("x:N,3,4,D; block_shape:2::=2,2; paddings:2,2:int64:=1,0/0,0", {}),),
    "Trilu": (("x:B,M,N; k?:::==1", {"upper": 0}), ("x:M,N; k?:::==-1", {})),
    "Empty": (("shape:2:int32:=2,3", {"dtype": 1}), ("shape:1:int32:=4", {})),
    "BasicLSTMCell": (("x:B,2; h:B,1; c:B,1; w:3,4; b:4", {}),),
    "DynamicGRUV2": (
        ("x:T,B,2; weight_input:2,3; weight_hidden:1,3; bias_input?:3; init_h?:B,1", {}),
    ),
    "DynamicRNN": (("x:T,B,1; w:3,8; b:8; init_h?:1,B,2; init_c?:1,B,2", {"forget_bias": 1.0}),),
    "FFN": (
        (
            "x:M,N,K:float16; weight1:K,H:float16; weight2:H,O:float16; bias1?:H:float16; "
            "bias2?:O:float16",
            {"activation": "gelu"},
        ),
        ("x:M,K:float16; weight1:K,6:float16; weight2:3,O:float16", {"activation": "reglu"}),
        (
            "x:3,K:float16; weight1:2,K,H:float16; weight2:2,H,O:float16; expert_tokens:2::=1,2; "
            "bias1?:2,H:float16; bias2?:2,O:float16",
            {"activation": "silu"},
        ),
    ),
    "GetDynamicDims": (
        ("input*2:2", {"shape_info": (2, -1, 8, 2, -1, -1), "N": 2}),
        ("input*1:3", {"shape_info": (3, 4, -1, 2), "N": 1}),
    ),
    "MapIndex": (("x:2::<3; data_seq:6::<3; level_index?:3::<9", {}),),
    "AsStrided": (("x:3,4; size:2::=2,3; stride:2::=4,1; storage_offset:::==1", {}),),
    "DynamicPartition": (("x:M,N; partitions:M::<2", {"num_partitions": 2}),),
    "DynamicStitch": (("indices*2:M::<4; x*2:M,N:float32", {"N": 2}),),
    "EmbeddingDenseGrad": (("grad:M,N; indices:M::<3", {"num_weights": 3}),),
    "Index": (
        (
            "x:3,3,N; indexed_sizes:2:int64:=0,1; indexed_strides:0:int64:=; indices*1:M:int64:<3",
            {},
        ),
        (
            "x:3,3,N; indexed_sizes:2:int64:=1,1; indexed_strides:0:int64:=; indices*2:M:int64:<3",
            {},
        ),
    ),
    "IndexByTensor": (("x:M,3,N; indices*1:K:int64:<3", {"indices_mask": (0, 1)}),),
    "IndexPutV2": (
        (
            "x:3,3,N; value:M,N; indexed_sizes:2:int64:=1,1; indexed_strides:0:int64:=; "
            "indices*2:M:int64:<3",
            {},
        ),
    ),
    "InplaceIndexAdd": (("var:3,N; indices:M::<3; updates:M,N; alpha?:", {"axis": 0}),),
    "SearchSorted": (("sorted_sequence:3; values:M,N", {}),),
    "StridedSliceGrad": (("shape:2::=4,3; begin:1::=1; end:1::=4; strides:1::=2; dy:2,3", {}),),
    "ViewCopy": (
        (
            "dst:3,4; dst_size:1::=3; dst_stride:1::=4; dst_storage_offset:::==1; src:5; "
            "src_size:1::=3; src_stride:1::=2; src_storage_offset:::==0",
            {},
        ),
    ),
    "ScatterNdUpdate": (
        ("var:3,N; indices:M,1::<3; updates:M,N", {}),
        ("var:3,3:float32; indices:M,2::<3; updates:M", {}),
    ),
    "KvRmsNormRopeCache": (
        (
            "kv:2,N,T,6; gamma:2; cos:2,1,T,4; sin:2,1,T,4; index:2,T::<3; k_cache:3,N,3,4; "
            "ckv_cache:3,N,3,2",
            {},
        ),
        (
            "kv:2,1,3,5; gamma:3; cos:2,1,1,2; sin:2,1,1,2; index:6::<8; k_cache:4,2,1,2; "
            "ckv_cache:4,2,1,3",
            {"cache_mode": "PA", "is_output_kv": True},
        ),
    ),
    "ScatterPaKvCache": (
        (
            "key:2,1,D:float32; key_cache:2,2,1,D:float32; slot_mapping:2::<4; "
            "value:2,1,D:float32; value_cache:2,2,1,D:float32",
            {},
        ),
    ),
    "StridedSliceAssign": (
        ("var:4,3:float32|int32; begin:1::=1; end:1::=4; strides:1::=2; input_value:2,3", {}),
    ),
    "MultinomialWithReplacement": (
        ("x:M,3:float32|float16:+; seed::int64:==3; offset::int64:==1", {"numsamples": 2}),
    ),
    "StatelessBernoulli": (
        ("shape:2::=2,3; prob::float32:+; seed::int64:==3; offset::int64:==1", {}),
    ),
    "CropAndResize": (
        (
            "x:2,3,4,C:float32|float16; boxes:M,4:float32; box_index:M:int32:<2; "
            "crop_size:2:int32:=2,3",
            {},
        ),
    ),
    "StatelessBernoulliV2": (("x:M,3:float32|float16:+; seed::int64:==3; offset::int64:==1", {}),),
    "StatelessDropOutGenMask": (
        ("shape:2::=2,3; prob::float32:+; seed::int64:==3; seed1::int64:==1", {}),
    ),
    "StatelessRandomNormalV2": (
        ("shape:2::=2,3; key:1::=5; counter:2::=1,2; alg::int32:==1", {"dtype": "float32"}),
    ),
    "StatelessRandomUniformV2": (
        ("shape:1::=5; key:1::=5; counter:2::=1,2; alg::int32:==1", {"dtype": "float16"}),
    ),
    "StatelessRandperm": (("n:::==4; seed:::==3; offset:::==1", {}),),
    "TruncatedNormal": (("shape:2::=2,3", {"dtype": "float32"}),),
    "CommonGRU": (("x:T,B,2; w:1,3,2; r:1,3,1; b?:1,6", {"hidden_size": 1}),),
    "CommonLSTM": (
        ("x:T,B,2; w:2,4,2; r:2,4,1; b?:2,8", {"hidden_size": 1, "direction": "bidirectional"}),
    ),
    "CTCLoss": tuple(
        (
            f"inputs:{t},2,{c}; labels_indices:3,2:int64:=0,0/0,1/1,0; labels_values:3::<{c - 1}; "
            f"sequence_length:2::={t},{t - 1}",
            attrs,
        )
        for t, c in ((3, 2), (4, 3), (6, 4))
        for attrs in ({}, {"ctc_merge_repeated": False})
    ),
    "DynamicQuant": (
        ("x:M,N,K; smooth_scales?:K", {}),
        ("x:3,K; smooth_scales:2,K; group_index:2::=1,3", {}),
    ),
    "DynamicQuantV2": (
        ("x:M,N,K; smooth_scales?:K", {}),
        ("x:M,K; smooth_scales?:K", {"quant_mode": "pertensor", "dst_type": 36}),
        ("x:3,K; smooth_scales:2,K; group_index:2::=1,3", {"is_symmetrical": True}),
    ),
    "DequantSwigluQuant": (
        ("x:M,N,4; quant_scale:2:float32:+; quant_offset?:2:float32", {"activate_left": True}),
        (
            "x:M,4:int32; weight_scale:4; activation_scale?:M; bias?:4; quant_scale?:2",
            {"quant_mode": "dynamic", "activate_left": True, "swiglu_mode": 1},
        ),
        (
            "x:4,6:int32; weight_scale:2,6; activation_scale?:4; bias?:2,6; "
            "quant_scale:2,3:float32:+; quant_offset?:2,3; group_index:2::=1,2",
            {"swiglu_mode": 2, "clamp_limit": 1.0},
        ),
        ("x:4,N; quant_scale:1:float32:+", {"activate_dim": 0, "swiglu_mode": 3}),
    ),
    "BasicRNNCell": (
        ("x:B,2; cont?:B; w_xh_x_static?:B,3; w_xh:2,3; bias_h:3; w_ho:3,2; bias_o:2", {}),
        (
            "x:B,2; cont?:B,1; h_0:B,3; w_xh:2,3; bias_h:3; w_hh:3,3; w_ho:3,3; bias_o:3",
            {"num_output": 3},
        ),
    ),
    "Expand": (("x:M,1; shape:2::=1,3", {}),),
    "MatrixDiagV2": (
        ("diagonal:B,3; k:1::=0; num_rows:::==-1; num_cols:::==-1; padding_value:", {}),
        ("diagonal:2,3; k:2::=0,1; num_rows:::==3; num_cols:::==3; padding_value:", {}),
    ),
}


def _dims(text: str, scope: Scope, sizes: dict[str, int]) -> Dims:
    """Sizes of a list of numbers and letters."""
    out: list[int] = []
    for part in filter(None, (p.strip() for p in text.split(","))):
        if not part.isdigit() and part not in sizes:
            sizes[part] = 1 + scope.choose(3)
        out.append(int(part) if part.isdigit() else sizes[part])
    return tuple(out)


#: Gives a handle of some variable of these sizes and dtype to a ref input.
Handle = Callable[[str, Dims, str], Value]


def _one(scope: Scope, call: Call, name: str, dims: Dims, dtypes: str, domain: str) -> Given:
    allowed = dtypes.split("|") if dtypes else call.allowed(name)
    known = [d for d in allowed if d in call.allowed(name)] or list(call.allowed(name))
    if domain.startswith("=="):
        return scope.number(int(domain[2:]), tuple(known))
    if "/" in domain:
        rows = [[int(v) for v in r.split(",")] for r in domain[1:].split("/") if r]
        held = b"".join(v.to_bytes(8, "little", signed=True) for row in rows for v in row)
        return scope.held(Literal("int64", (len(rows), len(rows[0])), held))
    if domain.startswith("="):
        return scope.vector([int(v) for v in domain[1:].split(",") if v], tuple(known))
    dtype = scope.dtype([d for d in known if d in scope.knobs.dtypes] or known)
    if domain.startswith("<"):
        return scope.fresh(dims, dtype, ("index", int(domain[1:])))
    if domain == "+":
        return scope.fresh(dims, dtype, ("positive",))
    return existing(scope, dims, dtype) or scope.fresh(dims, dtype)


def fill(scope: Scope, call: Call, template: Template, handle: Handle | None = None) -> None:
    """Set the inputs and attributes of a call as a template says; `handle` serves ref inputs."""
    text, attrs = template
    sizes: dict[str, int] = {}
    for part in filter(None, (p.strip() for p in text.split(";"))):
        name, dims, *rest = part.split(":")
        dtypes, domain = (*rest, "", "")[:2]
        if name.endswith("?"):
            name = name[:-1]
            if not scope.choose(2):
                call.put(name, None)
                continue
        name, many, count = name.partition("*")
        if handle is not None and call.slot(name).is_ref:
            known = dtypes.split("|") if dtypes else call.allowed(name)
            call.put(name, handle(name, _dims(dims, scope, sizes), scope.dtype(known)))
            continue
        if not many:
            call.put(name, _one(scope, call, name, _dims(dims, scope, sizes), dtypes, domain))
            continue
        (number,) = _dims(count, scope, sizes)
        values: list[Any] = []
        shape = _dims(dims, scope, sizes)
        first = _one(scope, call, name, shape, dtypes, domain)
        for _ in range(number):
            again = _one(scope, call, name, shape, getattr(first, "dtype", dtypes), domain)
            values.append(again if values else first)
        call.give(name, values)
    call.attrs.update(attrs)
    for slot in call.table.inputs:  # what a call does not name is not connected
        if slot.name not in call.args and slot.kind:
            call.give(slot.name, [] if slot.kind == DYNAMIC else None)


def _by_template(op: str) -> None:
    @hint(op)
    def filled(scope: Scope, call: Call) -> None:
        fill(scope, call, scope.pick(TEMPLATES[op]))


TEMPLATES.update(FOREACH | MOE | TRAINING | VISION)
for _op in TEMPLATES:
    _by_template(_op)
