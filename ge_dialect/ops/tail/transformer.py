"""Transformer: operators as data; see `ge_dialect.ops.from_data` for the form."""

from __future__ import annotations

from typing import Any

# fmt: off
OPS: dict[str, dict[str, Any]] = {
    "MlaProlog": {
        "doc": "Fused projections, norm, rope and cache write that precede latent attention.",
        "in": (
            "token_x: bfloat16, int8; weight_dq: bfloat16, int8; weight_uq_qr: bfloat16, "
            "int8; weight_uk: float16, bfloat16; weight_dkv_kr: bfloat16, int8; "
            "rmsnorm_gamma_cq: float16, bfloat16; rmsnorm_gamma_ckv: float16, bfloat16; "
            "rope_sin: float16, bfloat16; rope_cos: float16, bfloat16; cache_index: int64; "
            "kv_cache&: float16, bfloat16, int8; kr_cache&: float16, bfloat16, int8; "
            "dequant_scale_x?: float32; dequant_scale_w_dq?: float32; dequant_scale_w_uq_qr?:"
            " float32; dequant_scale_w_dkv_kr?: float32; quant_scale_ckv?: float32; "
            "quant_scale_ckr?: float32; smooth_scales_cq?: float32"
        ),
        "out": (
            "query: float16, bfloat16, int8; query_rope: float16, bfloat16, int8; kv_cache&: "
            "float16, bfloat16, int8; kr_cache&: float16, bfloat16, int8"
        ),
        "attrs": (
            ("rmsnorm_epsilon_cq", "Float", 1e-05), ("rmsnorm_epsilon_ckv", "Float", 1e-05),
            ("cache_mode", "String", "PA_BSND"),
        ),
        "effects": "writes:kv_cache,kr_cache reads:kv_cache,kr_cache",
    },
    "MoeDistributeCombine": {
        "doc": "Inverse of the dispatch: returns and mixes expert outputs.",
        "in": (
            "expand_x: float16, bfloat16, int32; expert_ids: int32; expand_idx: int32; "
            "ep_send_counts: int32; expert_scales: float32; tp_send_counts?: int32; "
            "x_active_mask?: bool; activation_scale?: float32; weight_scale?: float32; "
            "group_list?: int64; expand_scales?: float32"
        ),
        "out": "x: float16, bfloat16",
        "attrs": (
            ("group_ep", "String"), ("ep_world_size", "Int"), ("ep_rank_id", "Int"),
            ("moe_expert_num", "Int"), ("group_tp", "String", ""), ("tp_world_size", "Int", 0),
            ("tp_rank_id", "Int", 0), ("expert_shard_type", "Int", 0),
            ("shared_expert_num", "Int", 1), ("shared_expert_rank_num", "Int", 0),
            ("global_bs", "Int", 0), ("out_dtype", "Int", 0), ("comm_quant_mode", "Int", 0),
            ("group_list_type", "Int", 0),
        ),
    },
    "MoeDistributeDispatch": {
        "doc": (
            "All-to-all dispatch of tokens to experts over ranks, with optional quantisation."
        ),
        "in": (
            "x: float16, bfloat16; expert_ids: int32; scales?: float32; x_active_mask?: bool;"
            " expert_scales?: float32"
        ),
        "out": (
            "expand_x: float16, bfloat16, int8; dynamic_scales: float32; expand_idx: int32; "
            "expert_token_nums: int64; ep_recv_count: int32; tp_recv_count: int32; "
            "expand_scales: float32"
        ),
        "attrs": (
            ("group_ep", "String"), ("ep_world_size", "Int"), ("ep_rank_id", "Int"),
            ("moe_expert_num", "Int"), ("group_tp", "String", ""), ("tp_world_size", "Int", 0),
            ("tp_rank_id", "Int", 0), ("expert_shard_type", "Int", 0),
            ("shared_expert_num", "Int", 1), ("shared_expert_rank_num", "Int", 0),
            ("quant_mode", "Int", 0), ("global_bs", "Int", 0),
            ("expert_token_nums_type", "Int", 1),
        ),
    },
    "MoeInitRoutingV2": {
        "doc": "MoeInitRouting with capacity, drop mode and expert counts.",
        "in": "x: T1; row_idx?: T2; expert_idx: T2",
        "out": (
            "expanded_x: T1; expanded_row_idx: T2; expanded_expert_idx: T2; expert_token_idx:"
            " T2"
        ),
        "attrs": (
            ("active_num", "Int", -1), ("expert_capacity", "Int", -1), ("expert_num", "Int", -1),
            ("expanded_expert_idx_flag", "Bool", True),
        ),
        "types": {"T1": "float32, float16, bfloat16", "T2": "int32"},
    },
}
# fmt: on
