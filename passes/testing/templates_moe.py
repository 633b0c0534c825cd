"""Written-down calls of routing to experts.

The form is that of `rules_templates`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_COUNTED: dict[str, Any] = {"expert_num": 4, "expert_tokens_num_flag": True}
_RANGE: dict[str, Any] = {**_COUNTED, "active_expert_range": (1, 3)}
_PADDED: dict[str, Any] = {
    **_COUNTED,
    "drop_pad_mode": 1,
    "expert_capacity": 2,
    "expert_tokens_num_type": 1,
}

MOE: dict[str, Sequence[tuple[str, dict[str, Any]]]] = {
    "MoeInitRoutingV3": (
        ("x:M,N; expert_idx:M,K:int32:<5; scale?:M", {**_COUNTED, "expert_tokens_num_type": 1}),
        ("x:M,N; expert_idx:M,K:int32:<4; scale?:M", {**_RANGE, "row_idx_type": 1}),
        (
            "x:M,N:float16|float32|bfloat16; expert_idx:M,K:int32:<4; scale?:2,N",
            {**_RANGE, "quant_mode": 1, "expert_tokens_num_type": 2, "active_num": 3},
        ),
        (
            "x:M,N:float16|float32|bfloat16; expert_idx:M,K:int32:<4; scale:1; offset:1",
            {**_COUNTED, "quant_mode": 0},
        ),
        ("x:M,N; expert_idx:M,K:int32:<5; scale?:M", _PADDED),
        (
            "x:M,N:float16|float32|bfloat16; expert_idx:M,K:int32:<4; scale?:1,N",
            {**_PADDED, "quant_mode": 1},
        ),
    ),
}
