"""What the inputs of some operators must have in common, where their declaration does not say it.

`TOGETHER` names inputs without a common dtype symbol that the operator's rule wants of one dtype.
`FORMS` are calls (in the words of `rules_templates`) whose inputs must fit several others in shape
and dtype; single applications start from them, beside those that the hints make.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

#: Operator -> groups of inputs of one dtype.
TOGETHER: dict[str, tuple[tuple[str, ...], ...]] = {
    "FusedInferAttentionScore": (("query", "key", "value"),),
    "GroupedMatmul": (("x", "weight"),),
    "IncreFlashAttention": (("query", "key", "value"),),
    "MatmulAllReduce": (("x1", "x2"),),
}

_PAGED = "query:B,1,8; key*1:4,2,8; value*1:4,2,8; "

#: Operator -> further calls.
FORMS: dict[str, Sequence[tuple[str, dict[str, Any]]]] = {
    "CTCLoss": (
        ("inputs:T,0,3; labels_indices:0,2; labels_values:0; sequence_length:0", {}),
        ("inputs:0,B,3; labels_indices:0,2; labels_values:0; sequence_length:B::<1", {}),
    ),
    "FusedInferAttentionScore": (
        (
            _PAGED + "actual_seq_lengths_kv:B::<5; block_table:B,3:int32:<4",
            {"num_heads": 2, "num_key_value_heads": 2, "block_size": 2},
        ),
        (
            "query:B,2,S,4; key*1:B,2,K,4; value*1:B,2,K,D; pse_shift:B,2,S,K",
            {"num_heads": 2, "input_layout": "BNSD"},
        ),
    ),
    "GroupedMatmul": (
        ("x*2:M,K:int8; weight*2:K,N:int8; bias*2:N:int32", {}),
        ("x*2:M,K; weight*2:K,N; bias*2:N", {"split_item": 2}),
        (
            "x*1:K,3; weight*1:K,N; group_list:2::=1,1",
            {"group_type": 2, "split_item": 3, "transpose_x": True},
        ),
    ),
    "HcomAllGatherV": (("x:0,N; send_count:1::=0; recv_counts:1::=0", {"group": "g"}),),
    "HcomAllToAllV": (
        (
            "send_data:0,N; send_counts:1::=0; send_displacements:1::=0; recv_counts:1::=0; "
            "recv_displacements:1::=0",
            {"group": "g"},
        ),
    ),
    "HcomReduceScatterV": (
        (
            "x:0,N; recv_count:1::=0; send_counts:1::=0; send_displacements?:1::=0",
            {"group": "g", "reduction": "min"},
        ),
    ),
    "IncreFlashAttention": (
        (
            _PAGED + "actual_seq_lengths:B::<5; block_table:B,3:int32:<4",
            {"num_heads": 2, "num_key_value_heads": 2, "block_size": 2},
        ),
    ),
    "KvRmsNormRopeCache": (
        (
            "kv:0,N,T,6; gamma:2; cos:0,1,T,4; sin:0,1,T,4; index:0,T; k_cache:B,N,7,4; "
            "ckv_cache:B,N,7,2",
            {},
        ),
    ),
    "MatmulAllReduce": (("x1:M,K; x2:K,N; bias:N; x3:M,N", {"group": "g"}),),
    "MoeFinalizeRoutingV2": (
        (
            "expanded_x:6,D; expanded_row_idx:6::<6; x1?:3,D; x2?:3,D; bias:4,D; scales:3,2; "
            "expert_idx:3,2::<4",
            {},
        ),
        (
            "expanded_x:2,3,D; expanded_row_idx:6::<6; bias?:4,D; scales:3,2; expert_idx:3,2::<4",
            {"drop_pad_mode": 1},
        ),
    ),
    "MirrorPad": (("x:; paddings:0,2", {"mode": "REFLECT"}),),
    "Pad": (("x:; paddings:0,2", {}),),
    "PadD": (("x:", {"paddings": ()}),),
    "PSROIPooling": (
        ("x:N,8,4,4; rois:N,5,0", {"output_dim": 2, "group_size": 2, "spatial_scale": 0.5}),
    ),
    "PSROIPoolingV2": (
        ("x:N,8,4,4; rois:N,5,0", {"output_dim": 2, "group_size": 2, "spatial_scale": 0.5}),
    ),
    "PromptFlashAttention": (
        (
            "query:B,S,8; key:B,K,8; value:B,K,8; pse_shift:B,2,S,K; atten_mask:S,K",
            {"num_heads": 2, "num_key_value_heads": 2},
        ),
    ),
    "Slice": (("x:; offsets:0::=; size:0::=", {}),),
    "SliceD": (("x:", {"offsets": (), "size": ()}),),
    "StridedSliceGrad": (
        ("shape:2::=0,3; begin:2::=0,0; end:2::=0,2; strides:2::=1,1; dy:0,2", {}),
        ("shape:0::=; begin:0::=; end:0::=; strides:0::=; dy:", {}),
    ),
    "ViewCopy": (
        (
            "dst:3,4; dst_size:1::=0; dst_stride:1::=4; dst_storage_offset:::==1; src:5; "
            "src_size:1::=0; src_stride:1::=2; src_storage_offset:::==0",
            {},
        ),
        (
            "dst:0,4; dst_size:1::=0; dst_stride:1::=4; dst_storage_offset:::==0; src:0; "
            "src_size:1::=0; src_stride:1::=2; src_storage_offset:::==0",
            {},
        ),
    ),
}

__all__ = ["FORMS", "TOGETHER"]
