"""Mixture of experts: choosing experts per token, sorting tokens by expert, mixing the results.

Formulas: the public documents of aclnnMoeGatingTopK, aclnnMoeGatingTopKSoftmax(V2),
aclnnMoeInitRouting, aclnnMoeFinalizeRouting(V2) and aclnnMoeComputeExpertTokens, and the reference
of torch_npu.npu_moe_gating_top_k. Equal scores: the expert of the lower number comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import to_xdsl
from ge_dialect.infer.dims import UNKNOWN, merge_dim, product, refine, require_rank
from ge_dialect.infer.errors import COUNT, SHAPE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, float_, int_, opt_tin, tin, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_F32, _I32 = to_xdsl("float32"), to_xdsl("int32")
Shape = tuple[int, ...] | None


def _chosen(n: InferNode, ranks: Sequence[int]) -> Shape:
    """Shape of the chosen: the experts of x give way to k."""
    shape, k = n.shape("x"), n.attr("k")
    require_rank(shape, ranks, "x")
    if k < 1 or (shape is not None and 0 <= shape[-1] < k):
        most = "experts" if shape is None else shape[-1]
        n.fail("k is no number of experts", found=k, expected=f"1 … {most}")
    return None if shape is None else (*shape[:-1], k)


def _rows_finished(n: InferNode, shape: Shape) -> None:
    if n.has("finished") and shape is not None:
        refine(n.shape("finished"), shape[:-1], "finished and the rows of x")


@ge_op
class MoeGatingTopK(GeOp):
    """The k best experts of each row of x, out of its k_group best groups, and their weights.

    Scores are softmax (norm_type 0) or sigmoid (1) of x; bias [E] is added for the choice only. A
    group counts by its best score (group_select_mode 0) or the sum of its two best (1). Weights are
    the scores of the chosen times routed_scaling_factor; with sigmoid they are first divided by
    their sum + eps. `out` holds all scores with out_flag, else zeros (assumed).
    """

    name = "ge.MoeGatingTopK"
    TYPES: ClassVar = {"T": "FLOAT"}

    x = tin("T")
    bias = opt_tin("T")
    y = tout("T")
    expert_idx = tout("int32")
    out = tout("float32")
    k = int_()
    k_group = int_(1)
    group_count = int_(1)
    group_select_mode = int_(0)
    renorm = int_(0)
    norm_type = int_(0)
    out_flag = bool_(False)
    routed_scaling_factor = float_(1.0)
    eps = float_(1e-20)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        chosen = _chosen(n, (2,))
        shape, groups, taken = n.shape("x"), n.attr("group_count"), n.attr("k_group")
        for name in ("group_select_mode", "norm_type"):
            if n.attr(name) not in (0, 1):
                n.fail(f"{name} is not supported", found=n.attr(name), expected="0 or 1")
        if n.attr("renorm") != 0:
            n.fail("renorm is not supported", found=n.attr("renorm"), expected=0)
        if not 1 <= taken <= groups:
            n.fail("k_group is no number of groups", found=taken, expected=f"1 … {groups}")
        experts = UNKNOWN if shape is None else shape[-1]
        if experts >= 0:
            if experts % groups:
                n.fail(
                    "experts do not divide into groups",
                    found=experts,
                    expected=f"a multiple of {groups}",
                    code=SHAPE,
                )
            size = experts // groups
            if size * taken < n.attr("k"):
                n.fail("the groups taken have fewer than k experts", found=size * taken,
                       expected=f"≥ {n.attr('k')}")  # fmt: skip
            if n.attr("group_select_mode") == 1 and groups > 1 and size < 2:
                n.fail("a group has no two best", found=size, expected="2 experts or more")
        require_rank(n.shape("bias"), 1, "bias")
        if n.shape("bias") is not None:
            merge_dim(experts, n.shape("bias")[0], "experts of x and bias")  # type: ignore[index]
        return (
            tensor_type(chosen, n.elem("x")),
            tensor_type(chosen, _I32),
            tensor_type(shape, _F32),
        )


@ge_op
class MoeGatingTopKSoftmax(GeOp):
    """The k largest of softmax(x) along the last axis, and their experts.

    expert_idx is the number of experts in rows that are `finished`. row_idx is j · rows + i for
    the j-th choice of row i.
    """

    name = "ge.MoeGatingTopKSoftmax"
    TYPES: ClassVar = {"T": "FLOAT"}

    x = tin("T")
    finished = opt_tin("bool")
    y = tout("T")
    expert_idx = tout("int32")
    row_idx = tout("int32")
    k = int_()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        chosen = _chosen(n, (2, 3))
        _rows_finished(n, n.shape("x"))
        index = tensor_type(chosen, _I32)
        return (tensor_type(chosen, n.elem("x")), index, index)


@ge_op
class MoeGatingTopKSoftmaxV2(GeOp):
    """MoeGatingTopKSoftmax; with renorm 1 the softmax goes over the k largest of x only.

    softmax_result holds softmax(x) with output_softmax_result_flag and renorm 0, else zeros
    (assumed).
    """

    name = "ge.MoeGatingTopKSoftmaxV2"
    TYPES: ClassVar = {"T": "FLOAT"}

    x = tin("T")
    finished = opt_tin("bool")
    y = tout("T")
    expert_idx = tout("int32")
    softmax_result = tout("float32")
    k = int_()
    renorm = int_(0)
    output_softmax_result_flag = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if n.attr("renorm") not in (0, 1):
            n.fail("renorm is not supported", found=n.attr("renorm"), expected="0 or 1")
        chosen = _chosen(n, (2, 3))
        _rows_finished(n, n.shape("x"))
        return (
            tensor_type(chosen, n.elem("x")),
            tensor_type(chosen, _I32),
            tensor_type(n.shape("x"), _F32),
        )


@ge_op
class MoeInitRouting(GeOp):
    """Rows of x [rows, H] once per choice of expert_idx [rows, k], sorted by expert.

    The choices, read row by row, are sorted with their row_idx, equal experts in order: the i-th
    has expert expanded_expert_idx[i] and number s, expanded_row_idx[s] = i and expanded_x[i] is row
    s mod rows of x, for the first min(active_num, rows) · k of them.
    """

    name = "ge.MoeInitRouting"
    TYPES: ClassVar = {"T1": "float32, float16, bfloat16", "T2": "int32"}

    x = tin("T1")
    row_idx = tin("T2")
    expert_idx = tin("T2")
    expanded_x = tout("T1")
    expanded_row_idx = tout("T2")
    expanded_expert_idx = tout("T2")
    active_num = int_()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, chosen = n.shape("x"), n.shape("expert_idx")
        require_rank(shape, 2, "x")
        for name in ("row_idx", "expert_idx"):
            require_rank(n.shape(name), 2, name)
        chosen = refine(chosen, n.shape("row_idx"), "shapes of row_idx and expert_idx")
        active = n.attr("active_num")
        if active < 0:
            n.fail("active_num must not be negative", found=active, expected="≥ 0")
        rows, width = (UNKNOWN, UNKNOWN) if shape is None else shape
        k = UNKNOWN
        if chosen is not None:
            rows, k = merge_dim(rows, chosen[0], "rows of x and expert_idx"), chosen[1]
        taken = UNKNOWN if rows < 0 else min(rows, active)
        index = tensor_type((product((rows, k)),), _I32)
        return (tensor_type((product((taken, k)), width), n.elem("x")), index, index)


def _mixed(n: InferNode, expert: str, padded: bool) -> Sequence[Attribute]:
    """Result of mixing: [rows, H], from whichever input tells them."""
    rows = k = UNKNOWN
    expanded = n.shape("expanded_x")
    require_rank(expanded, 3 if padded else 2, "expanded_x")
    width = UNKNOWN if expanded is None else expanded[-1]
    for name in ("scales", expert):
        given = n.shape(name)
        require_rank(given, 2, name)
        if given is not None:
            rows, k = (
                merge_dim(rows, given[0], f"rows of {name}"),
                merge_dim(k, given[1], f"choices of {name}"),
            )
    for name in ("x1", "x2"):
        given = n.shape(name)
        require_rank(given, 2, name)
        if given is not None:
            rows = merge_dim(rows, given[0], f"rows of {name}")
            width = merge_dim(width, given[1], f"columns of {name}")
    bias = n.shape("bias")
    require_rank(bias, 2, "bias")
    if bias is not None:
        width = merge_dim(width, bias[1], "columns of bias")
    if n.has("bias") and not n.has(expert):
        n.fail(f"bias needs {expert}", expected=f"{expert} connected", found="none", code=COUNT)
    order = n.shape("expanded_row_idx")
    require_rank(order, 1, "expanded_row_idx")
    if not n.has("scales"):
        k = merge_dim(k, 1, "choices without scales")
    if order is not None:
        count = order[0]
        if rows < 0 and k > 0 and count >= 0 and count % k == 0:
            rows = count // k
        merge_dim(product((rows, k)), count, "choices and expanded_row_idx")
    if expanded is not None and not padded:
        merge_dim(expanded[0], UNKNOWN)
    return (tensor_type((rows, width), n.elem("expanded_x")),)


@ge_op
class MoeFinalizeRouting(GeOp):
    """x1 + x2 + the sum over choices k of scales[i, k] · (expanded_x[r] + bias[e]) for each row i.

    r is expanded_row_idx[i + k · rows], e is expanded_expert_idx[i, k].
    """

    name = "ge.MoeFinalizeRouting"
    TYPES: ClassVar = {"T": "FLOAT"}

    expanded_x = tin("T")
    x1 = tin("T")
    x2 = opt_tin("T")
    bias = tin("T")
    scales = tin("T")
    expanded_row_idx = tin("int32")
    expanded_expert_idx = tin("int32")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _mixed(n, "expanded_expert_idx", False)


@ge_op
class MoeFinalizeRoutingV2(GeOp):
    """MoeFinalizeRouting with everything but the experts' results left out on demand.

    Without scales there is one choice, of weight 1. drop_pad_mode 0 and 2: expanded_x is [n, H]; 1
    and 3: [experts, capacity, H], and -1 in expanded_row_idx a choice that was dropped: 0. Choice k
    of row i stands at i + k · rows in modes 0 and 1, at i · K + k in modes 2 and 3.
    """

    name = "ge.MoeFinalizeRoutingV2"
    TYPES: ClassVar = {"T": "FLOAT"}

    expanded_x = tin("T")
    expanded_row_idx = tin("int32")
    x1 = opt_tin("T")
    x2 = opt_tin("T")
    bias = opt_tin("T")
    scales = opt_tin("FLOAT")
    expert_idx = opt_tin("int32")
    y = tout("T")
    drop_pad_mode = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        mode = n.attr("drop_pad_mode")
        if not 0 <= mode <= 3:
            n.fail("drop_pad_mode is not supported", found=mode, expected="0 … 3")
        return _mixed(n, "expert_idx", mode in (1, 3))


@ge_op
class MoeComputeExpertTokens(GeOp):
    """How many of the sorted experts are at most 0, 1, … num_experts - 1."""

    name = "ge.MoeComputeExpertTokens"
    TYPES: ClassVar = {"T": "int32"}

    sorted_experts = tin("T")
    total_rows_before_expert = tout("T")
    num_experts = int_()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        require_rank(n.shape("sorted_experts"), 1, "sorted_experts")
        if n.attr("num_experts") < 1:
            n.fail("num_experts must be positive", found=n.attr("num_experts"), expected="≥ 1")
        return (tensor_type((n.attr("num_experts"),), _I32),)
