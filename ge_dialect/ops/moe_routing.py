"""Sorting tokens by expert with a range of experts, a capacity, and quantisation.

Formulas: the public documents of aclnnMoeInitRoutingV3 and of torch_npu.npu_moe_init_routing_v2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import ge_name, to_xdsl
from ge_dialect.infer.dims import UNKNOWN, merge_dim, product, require_rank, show
from ge_dialect.infer.errors import COUNT, DTYPE, SHAPE
from ge_dialect.infer.window import require_length
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, int_, ints, opt_tin, tin, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_INT8, _F32, _I32, _I64 = (to_xdsl(t) for t in ("int8", "float32", "int32", "int64"))
_PLAIN, _STATIC, _DYNAMIC = -1, 0, 1


def _modes(n: InferNode) -> None:
    for name, allowed in (
        ("drop_pad_mode", (0, 1)),
        ("expert_tokens_num_type", (0, 1, 2)),
        ("quant_mode", (_PLAIN, _STATIC, _DYNAMIC)),
        ("row_idx_type", (0, 1)),
    ):
        if n.attr(name) not in allowed:
            expected = ", ".join(map(str, allowed))
            n.fail(f"{name} is not supported", found=n.attr(name), expected=expected)


def _experts(n: InferNode) -> tuple[int, int]:
    """First expert and the one behind the last."""
    count, given = n.attr("expert_num"), n.attr("active_expert_range")
    if not given:
        if count < 1:
            n.fail("expert_num must be positive", found=count, expected="≥ 1")
        return 0, count
    require_length(given, 2, "active_expert_range")
    first, last = given
    if not 0 <= first < last or (count >= 0 and last > count):
        most = "" if count < 0 else f" ≤ {count}"
        n.fail("active_expert_range is no range of experts", found=list(given),
               expected=f"0 ≤ first < last{most}")  # fmt: skip
    return first, last


def _padded(n: InferNode, first: int, last: int) -> None:
    """What a capacity per expert asks for."""
    if n.attr("expert_capacity") < 1:
        found = n.attr("expert_capacity")
        n.fail("expert_capacity must be positive", found=found, expected="≥ 1")
    if (first, last) != (0, n.attr("expert_num")):
        n.fail("a capacity is for all experts", found=[first, last],
               expected=f"0 … {n.attr('expert_num')}")  # fmt: skip
    for name, only in (("row_idx_type", 0), ("expert_tokens_num_type", 1)):
        if n.attr(name) != only:
            n.fail(f"{name} does not go with a capacity", found=n.attr(name), expected=only)


def _scales(n: InferNode, experts: int, rows: int, width: int) -> tuple[int, int]:
    """Rows and columns of x, with what scale tells of them."""
    mode, shape = n.attr("quant_mode"), n.shape("scale")
    for name in ("scale", "offset"):
        if mode == _STATIC:
            if not n.has(name):
                n.fail(f"quantisation by given numbers needs {name}", found="none",
                       expected="connected", code=COUNT)  # fmt: skip
            given = n.shape(name)
            if given is not None and any(d not in (1, UNKNOWN) for d in given):
                n.fail(f"{name} must hold one number", found=show(given), expected="one element",
                       code=SHAPE)  # fmt: skip
        elif name == "offset" and n.has(name):
            n.fail("offset has no use", found=f"quant_mode {mode}", expected=0, code=COUNT)
    if mode == _PLAIN:
        require_rank(shape, 1, "scale")
        if shape is not None:
            rows = merge_dim(rows, shape[0], "rows of x and scale")
    elif mode == _DYNAMIC:
        require_rank(shape, 2, "scale")
        if shape is not None:
            width = merge_dim(width, shape[1], "columns of x and scale")
            if shape[0] != 1:
                merge_dim(experts, shape[0], "experts and rows of scale")
    return rows, width


@ge_op
class MoeInitRoutingV3(GeOp):
    """Rows of x [R, H] once per choice of expert_idx [R, K], sorted by expert.

    Choices within active_expert_range (all experts where empty), read row by row, are sorted, equal
    experts in order: choice order[i] comes i-th, and expanded_x[i] is row order[i] / K of x, for
    the first active_num of them (0 and less: all); rows behind the last are 0 (assumed).
    expanded_row_idx has at order[i] the place i (row_idx_type 0) or at i order[i] (1), -1 where no
    choice is. expert_tokens_count_or_cumsum has, per expert of the range, the choices up to it
    (expert_tokens_num_type 0) or its own (1), or [E, 2] numbers and counts of experts with choices
    (2); zeros without expert_tokens_num_flag (assumed).

    drop_pad_mode 1 keeps expert_capacity choices of each expert: expanded_x is [E, capacity, H],
    expanded_row_idx a place in its rows or -1, counts are those before anything is dropped.

    quant_mode -1: expanded_scale is scale [R] of the row, 0 without it (assumed). 1: rows times
    scale ([1, H], or [E, H] by expert) are divided by expanded_scale = max |row| / 127 and rounded
    to nearest even; a row of zeros stays (assumed). 0: x·scale + offset in steps of float16,
    rounded and saturated; expanded_scale is 0 (assumed).
    """

    name = "ge.MoeInitRoutingV3"
    TYPES: ClassVar = {"T": "int8, float16, float32, bfloat16"}

    x = tin("T")
    expert_idx = tin("int32")
    scale = opt_tin("float32")
    offset = opt_tin("float32")
    expanded_x = tout("int8, float16, float32, bfloat16")
    expanded_row_idx = tout("int32")
    expert_tokens_count_or_cumsum = tout("int64")
    expanded_scale = tout("float32")
    active_num = int_(-1)
    expert_capacity = int_(-1)
    expert_num = int_(-1)
    drop_pad_mode = int_(0)
    expert_tokens_num_type = int_(0)
    expert_tokens_num_flag = bool_(False)
    quant_mode = int_(-1)
    active_expert_range = ints([])
    row_idx_type = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, chosen = n.shape("x"), n.shape("expert_idx")
        require_rank(shape, 2, "x")
        require_rank(chosen, 2, "expert_idx")
        _modes(n)
        first, last = _experts(n)
        rows, width = (UNKNOWN, UNKNOWN) if shape is None else shape
        k = UNKNOWN
        if chosen is not None:
            rows, k = merge_dim(rows, chosen[0], "rows of x and expert_idx"), chosen[1]
        rows, width = _scales(n, last - first, rows, width)
        elem, quantised = n.elem("x"), n.attr("quant_mode") != _PLAIN
        if quantised and elem == _INT8:
            n.fail("x is quantised already", found=ge_name(elem), expected="a float", code=DTYPE)
        choices = product((rows, k))
        if n.attr("drop_pad_mode"):
            _padded(n, first, last)
            capacity = n.attr("expert_capacity")
            expanded, scales = (last, capacity, width), (last * capacity,)
        else:
            taken, most = choices, n.attr("active_num")
            if most > 0:
                taken = UNKNOWN if choices < 0 else min(choices, most)
            expanded, scales = (taken, width), (taken,)
        counts = (last - first,)
        if n.attr("expert_tokens_num_type") == 2:
            counts = (max(n.attr("expert_num"), last - first), 2)
        return (
            tensor_type(expanded, _INT8 if quantised else elem),
            tensor_type((choices,), _I32),
            tensor_type(counts, _I64),
            tensor_type(scales, _F32),
        )
