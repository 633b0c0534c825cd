"""Written-down calls of operators of training: gradients, losses, optimisers.

The form is that of `rules_templates`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

_ONES = (1, 1, 1, 1)
_VOLUME_ONES = (1, 1, 1, 1, 1)
_NCHW: dict[str, Any] = {"strides": _ONES, "pads": (0, 0, 0, 0), "data_format": "NCHW"}
_NHWC: dict[str, Any] = {"strides": (1, 2, 1, 1), "pads": (1, 0, 0, 0)}
_NCDHW: dict[str, Any] = {"strides": _VOLUME_ONES, "pads": (0,) * 6, "data_format": "NCDHW"}
_POOL: dict[str, Any] = {"ksize": (1, 2, 3, 1), "strides": (1, 2, 2, 1), "padding": "VALID"}
_ADAM = (
    "var:M,N; m:M,N; v:M,N; beta1_power:; beta2_power:; lr:; beta1:; beta2:; epsilon:::+; grad:M,N"
)
_ADAM_W = (
    "var:M,N; m:M,N; v:M,N; beta1_power:; beta2_power:; lr:; weight_decay:; beta1:; beta2:; "
    "epsilon:::+; grad:M,N"
)
_STATISTICS = "batch_mean:C; batch_variance:C::+"

_SIZES = tuple(product((1, 2, 3), (1, 2), (1, 2, 3), (3, 4), (3, 5)))
#: Calls whose sizes are values or attributes as well, in many sizes.
_AVERAGES = tuple(
    (f"orig_input_shape:4::={n},{h},{w},{c}; input_grad:{n},{h // 2},{(w - 1) // 2},{c}", _POOL)
    for n, _, c, h, w in _SIZES
)
_INPUTS_2D = tuple(
    (f"filter:{o},{c},2,2; out_backprop:{n},{o},{h - 1},{w - 1}",
     {**_NCHW, "input_size": (n, c, h, w)})
    for n, c, o, h, w in _SIZES
)  # fmt: skip
_INPUTS_3D = tuple(
    (f"input_size:5::={n},{c},2,{h},{w}; filter:{o},{c},1,2,2; "
     f"out_backprop:{n},{o},2,{h - 1},{w - 1}", _NCDHW)
    for n, c, o, h, w in _SIZES
)  # fmt: skip
_FILTERS_2D = tuple(
    (
        f"x:{n},{c},{h},{w}; filter_size:4::={o},{c},2,2; out_backprop:{n},{o},{h - 1},{w - 1}",
        _NCHW,
    )
    for n, c, o, h, w in _SIZES
)
_FILTERS_2D_D = tuple(
    (
        f"x:{n},{c},{h},{w}; out_backprop:{n},{o},{h - 1},{w - 1}",
        {**_NCHW, "filter_size": (o, c, 2, 2)},
    )
    for n, c, o, h, w in _SIZES
)
_FILTERS_3D = tuple(
    (f"x:{n},{c},2,{h},{w}; filter_size:5::={o},{c},1,2,2; "
     f"out_backprop:{n},{o},2,{h - 1},{w - 1}", _NCDHW)
    for n, c, o, h, w in _SIZES
)  # fmt: skip

#: Operator -> calls, one of which is taken.
TRAINING: dict[str, Sequence[tuple[str, dict[str, Any]]]] = {
    "ApplyAdam": ((_ADAM, {}), (_ADAM, {"use_nesterov": True})),
    "ApplyAdamD": ((_ADAM, {}),),
    "ApplyAdamW": ((_ADAM_W, {}), (_ADAM_W, {"maximize": True})),
    "ApplyGradientDescent": (("var:M,N; alpha:; delta:M,N", {}), ("var:M; alpha:1; delta:M", {})),
    "ApplyMomentum": (
        ("var:M,N; accum:M,N; lr:; grad:M,N; momentum:", {}),
        ("var:M; accum:M; lr:1; grad:M; momentum:1", {"use_nesterov": True}),
    ),
    "SGD": (
        ("parameters:M,N; gradient:M,N; learning_rate:; accum:M,N; momentum:; stat:M,N", {}),
        (
            "parameters:M; gradient:M; learning_rate:1; accum:M; momentum:1; stat:M",
            {"dampening": 0.5, "weight_decay": 0.25},
        ),
    ),
    "NLLLoss": (
        ("x:M,3; target:M::<3; weight?:3", {}),
        ("x:M,2,P; target:M,P::<2; weight?:2", {"reduction": "none", "ignore_index": 1}),
    ),
    "NLLLossGrad": (
        ("x:M,3; y_grad:; target:M::<3; weight:3; total_weight:1::+", {}),
        (
            "x:M,2,P; y_grad:M,P; target:M,P::<2; weight:2; total_weight:::+",
            {"reduction": "none"},
        ),
    ),
    "SoftmaxCrossEntropyLoss": (
        ("scores:M,3; labels:M::<3; weights?:3", {}),
        ("scores:M,2,P; labels:M,P::<2; weights?:2", {"reduction": "sum", "ignore_index": -1}),
    ),
    "SparseSoftmaxCrossEntropyWithLogits": tuple(
        (f"features:{n},{c}; labels:{n}::<{c}", {}) for n in range(1, 7) for c in range(1, 5)
    ),
    "FusedMulAddN": (
        ("x1:M,N,K; x2:M,N,K; x3:", {}),
        ("x1:M,N; x2:M,N; x3:1", {}),
        ("x1:M,4,N,K; x2:M,4,N,K; x3:1,1", {}),
        ("x1:; x2:; x3:", {}),
        ("x1:5; x2:5; x3:1,1,1", {}),
    ),
    "SwiGluGrad": tuple(
        (f"y_grad:M,{k},N; x:M,{2 * k},N", {"dim": dim}) for k in range(1, 5) for dim in (1, -2)
    )
    + tuple((f"y_grad:{k},N; x:{2 * k},N", {"dim": 0}) for k in range(1, 5)),
    "Conv2DBackpropFilter": (
        ("x:N,2,4,5; filter_size:4::=3,2,2,2; out_backprop:N,3,3,4", _NCHW),
        ("x:N,4,5,2; filter_size:4::=3,2,2,1; out_backprop:N,2,4,1", _NHWC),
        (
            "x:N,4,4,5; filter_size:4::=2,2,3,2; out_backprop:N,2,2,4",
            {**_NCHW, "groups": 2},
        ),
        *_FILTERS_2D,
    ),
    "Conv2DBackpropFilterD": (
        ("x:N,2,4,5; out_backprop:N,3,3,4", {**_NCHW, "filter_size": (3, 2, 2, 2)}),
        ("x:N,4,5,2; out_backprop:N,2,4,1", {**_NHWC, "filter_size": (3, 2, 2, 1)}),
        *_FILTERS_2D_D,
    ),
    "Conv2DBackpropInputD": (
        ("filter:3,2,2,2; out_backprop:2,3,3,4", {**_NCHW, "input_size": (2, 2, 4, 5)}),
        ("filter:3,2,2,C; out_backprop:2,2,4,C", {**_NHWC, "input_size": (2, 4, 5, 2)}),
        *_INPUTS_2D,
    ),
    "Conv3DBackpropFilter": (
        ("x:N,2,2,3,3; filter_size:5::=3,2,1,2,2; out_backprop:N,3,2,2,2", _NCDHW),
        (
            "x:N,2,3,3,2; filter_size:5::=1,2,2,2,1; out_backprop:N,2,2,2,1",
            {**_NCDHW, "data_format": "NDHWC"},
        ),
        *_FILTERS_3D,
    ),
    "Conv3DBackpropInput": _INPUTS_3D,
    "Conv2DV2": (
        ("x:N,4,5,6; filter:O,4,3,2; bias?:O:float32", {"strides": _ONES}),
        (
            "x:N,4,3,2; filter:2,3,1,O; bias?:O:float32",
            {
                "strides": (1, 2, 1, 1),
                "groups": 2,
                "data_format": "NHWC",
                "pad_mode": "SAME_LOWER",
            },
        ),
    ),
    "Conv3DV2": (
        ("x:N,2,2,3,3; filter:O,2,1,2,2; bias?:O:float32", {"strides": _VOLUME_ONES}),
        (
            "x:N,2,2,3,3; filter:O,2,2,2,2; bias?:O:float32",
            {"strides": _VOLUME_ONES, "pad_mode": "SAME"},
        ),
    ),
    "QuantConv2D": (
        ("x:N,2,4,5; filter:O,2,2,3; scale:O; bias?:O:int32", {**_NCHW, "dtype": 1}),
        ("x:N,2,4,5; filter:O,2,2,3; scale:1; bias?:O:float32", {**_NCHW, "dtype": 0}),
    ),
    "QuantBatchMatmul": (
        ("x1:B,M,K; x2:B,K,N; bias:N; deq_scale:N", {}),
        ("x1:K,M; x2:K,N; bias:1; deq_scale:1", {"adj_x1": True}),
    ),
    "QuantBatchMatmulV3": (
        ("x1:M,K; x2:K,N; scale:N; bias?:N:int32; pertoken_scale?:M", {"dtype": 1}),
        ("x1:B,M,K; x2:K,N; scale:1; bias?:N:float32|bfloat16", {"dtype": 0}),
        ("x1:M,K; x2:N,K; scale:N; offset?:N", {"dtype": 2, "transpose_x2": True}),
        ("x1:K,M; x2:K,N; scale:N; bias?:1:int32", {"dtype": 3, "transpose_x1": True}),
    ),
    "WeightQuantBatchMatmulV2": (
        ("x:M,K; weight:K,N; antiquant_scale:N; antiquant_offset?:N; bias?:N", {}),
        (
            "x:M,4; weight:N,4; antiquant_scale:N,2; antiquant_offset?:N,2; bias?:N",
            {"transpose_weight": True, "antiquant_group_size": 2},
        ),
        (
            "x:K,M; weight:K,N; antiquant_scale:1; antiquant_offset?:1; quant_scale:N; "
            "quant_offset?:N",
            {"transpose_x": True},
        ),
    ),
    "Quantize": tuple(
        (f"x:{dims}; scales:{scales}::+; zero_points?:{scales}", {"dtype": dtype, "axis": axis})
        for dtype in ("torch.qint8", "torch.quint8", "torch.qint32")
        for dims, scales, axis in (("M,N,K", "N", 1), ("M,N", "1", 1), ("M,N", "M", -2))
    ),
    "GridSample": (
        ("x:N,C,3,2; grid:N,M,K,2", {}),
        ("x:N,C,3,2; grid:N,M,K,2", {"interpolation_mode": "nearest", "padding_mode": "border"}),
        ("x:N,C,2,3,2; grid:N,M,K,2,3", {"align_corners": True}),
    ),
    "AvgPoolGrad": _AVERAGES,
    "MaxPoolGrad": (
        ("x1:N,4,5,C; x2:N,2,2,C; grad:N,2,2,C", _POOL),
        ("x1:N,3,5,C; x2:N,2,3,C; grad:N,2,3,C", {**_POOL, "padding": "SAME"}),
    ),
    "MaxPoolGradWithArgmax": (
        ("x:N,4,5,1; grad:N,2,2,1; argmax:N,2,2,1::<20", _POOL),
        (
            "x:N,4,5,1; grad:N,2,2,1; argmax:N,2,2,1::<20",
            {**_POOL, "include_batch_in_index": True},
        ),
    ),
    "BNTrainingReduceGrad": (
        (f"grads:N,C,H; x:N,C,H; diff_scale:C; diff_offset:C; scale:C; {_STATISTICS}", {}),
    ),
    "BNTrainingUpdate": (
        (
            "x:N,C,H; sum:C; square_sum:C::+; scale:C; offset:C; mean:C; variance:C",
            {"factor": 0.25, "epsilon": 64.0},
        ),
    ),
    "BNInference": (
        ("x:N,C,H; mean:C; variance:C::+; momentum:C::+", {"epsilon": 64.0}),
        ("x:N,C; mean:C; variance:C::+; momentum:1; scale:C; offset:C", {"epsilon": 64.0}),
    ),
    "BNTrainingUpdateV2": (
        ("x:N,C,H; sum:C; square_sum:C::+; scale:C; offset:C", {"epsilon": 64.0}),
    ),
    "BNTrainingUpdateGrad": ((f"grads:N,C,H; x:N,C,H; {_STATISTICS}", {}),),
    "BatchNormGrad": (
        (
            "y_backprop:N,H,C; x:N,H,C; scale:C; reserve_space_1:C; reserve_space_2:C::+; "
            "reserve_space_3?:C",
            {},
        ),
        (
            "y_backprop:N,C,H,W; x:N,C,H,W; scale:C; reserve_space_1:C; reserve_space_2:C::+",
            {"data_format": "NCHW", "is_training": False},
        ),
    ),
    "BatchNormGradV3": (
        (
            "dy:N,C,H; x:N,C,H; weight:C; running_mean:C; running_var:C::+; save_mean:C; "
            "save_rstd:C::+",
            {},
        ),
        (
            "dy:N,C; x:N,C; weight:C; running_mean:C; running_var:C::+; save_mean:C; "
            "save_rstd:C::+",
            {"is_training": False},
        ),
    ),
    "BatchNormV3": (
        ("x:N,C,H; weight:C; bias:C; running_mean:C; running_var:C", {"epsilon": 1.0}),
    ),
    "LayerNormGrad": (
        ("dy:M,N,K; x:M,N,K; variance:M,N,1::+; mean:M,N,1; gamma:K", {}),
        ("dy:M,N,K; x:M,N,K; variance:M,1,1::+; mean:M,1,1; gamma:N,K", {}),
    ),
    "LayerNormGradV3": (("dy:M,N,K; x:M,N,K; rstd:M,N,1::+; mean:M,N,1; gamma:K", {}),),
}
