"""SwiGlu between a dequantisation and a quantisation.

Source: the prototype and the public description of the operator (aclnnDequantSwigluQuantV2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Attribute

from ge_dialect.dtypes import BY_ENUM, ge_name, to_xdsl
from ge_dialect.infer.dims import UNKNOWN, merge_dim, norm_axis, refine, require_rank
from ge_dialect.infer.errors import DTYPE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, float_, int_, opt_tin, string, tin, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_F32 = to_xdsl("float32")
_TARGETS = ("int8", "hifloat8", "float8_e5m2", "float8_e4m3fn", "float4_e2m1", "float4_e1m2")
_UNHELD = ("hifloat8", "float4_e1m2")
Shape = tuple[int, ...] | None


@ge_op
class DequantSwigluQuant(GeOp):
    """quant(swish(a) · b) of the halves a and b of x along `activate_dim`.

    x of int32 are sums: x · weight_scale · activation_scale, to which bias is added last, or first
    where it is int32. Floats are numbers already, and take none of the three. activate_left says
    that a is the first half.

    `swiglu_mode` 1 takes a from the even places and b from the odd ones, 2 the halves; both limit
    a to clamp_limit, b to ±clamp_limit and give a · sigmoid(glu_alpha · a) · (b + glu_bias). 3 is
    min(swish(a), clamp_limit) · b with b limited likewise.

    `quant_mode` static: y = round(… / quant_scale + quant_offset), scale is 0. dynamic: times
    quant_scale, then over scale, a row's largest magnitude over the largest number of y, or 1 for a
    row of zeros. group_index counts the rows of each group, which has its own row of weight_scale,
    bias, quant_scale and quant_offset; rows that belong to none are 0.
    """

    name = "ge.DequantSwigluQuant"

    x = tin("float16, bfloat16, int32")
    weight_scale = opt_tin("float32")
    activation_scale = opt_tin("float32")
    bias = opt_tin("FLOAT, int32")
    quant_scale = opt_tin("FLOAT")
    quant_offset = opt_tin("FLOAT")
    group_index = opt_tin("IndexNumberType")
    y = tout("int8, float4_e1m2, float4_e2m1, float8_e4m3fn, float8_e5m2, hifloat8")
    scale = tout("float32")
    activate_left = bool_(False)
    quant_mode = string("static")
    dst_type = int_(2)
    round_mode = string("rint")
    activate_dim = int_(-1)
    swiglu_mode = int_(0)
    clamp_limit = float_(7.0)
    glu_alpha = float_(1.702)
    glu_bias = float_(1.0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        target = _target(n)
        _attributes(n)
        shape = n.shape("x")
        require_rank(shape, range(2, 9), "x")
        require_rank(n.shape("group_index"), 1, "group_index")
        _sums(n, shape)
        axis = None if shape is None else norm_axis(n.attr("activate_dim"), len(shape))
        last = n.attr("activate_dim") == -1 if shape is None else axis == len(shape) - 1
        if not last and shape is not None:
            if n.has("group_index"):
                n.fail("groups need the last axis", found=axis, expected="activate_dim -1")
            if n.attr("quant_mode") == "dynamic":
                n.fail("dynamic needs the last axis", found=axis, expected="activate_dim -1")
        out = None if shape is None or axis is None else _halved(n, shape, axis)
        _quant(n, UNKNOWN if out is None else out[-1])
        return tensor_type(out, target), tensor_type(None if out is None else out[:-1], _F32)


def _target(n: InferNode) -> Attribute:
    row = BY_ENUM.get(n.attr("dst_type"))
    if row is None or row.name not in _TARGETS:
        found, expected = n.attr("dst_type"), ", ".join(_TARGETS)
        n.fail("dst_type is not supported", found=found, expected=expected)
    if row.name in _UNHELD:
        n.fail("values of this dtype are not computed", found=row.name, expected="int8", code=DTYPE)
    return row.type


def _attributes(n: InferNode) -> None:
    if n.attr("quant_mode") not in ("static", "dynamic"):
        expected = "static or dynamic"
        n.fail("quant_mode is not supported", found=n.attr("quant_mode"), expected=expected)
    if n.attr("round_mode") != "rint":
        n.fail("round_mode is not supported", found=n.attr("round_mode"), expected="rint")
    mode = n.attr("swiglu_mode")
    if mode not in range(4):
        n.fail("swiglu_mode is not supported", found=mode, expected="0 … 3")
    if mode == 1 and not n.attr("activate_left"):
        n.fail("swiglu_mode 1 has no halves", found="activate_left false", expected="true")
    if mode and not 0 < n.attr("clamp_limit") < float("inf"):
        n.fail("clamp_limit is not positive", found=n.attr("clamp_limit"), expected="above 0")


def _sums(n: InferNode, shape: Shape) -> None:
    """Check what makes numbers of int32 sums."""
    whole = ge_name(n.elem("x")) == "int32"
    if whole and not n.has("weight_scale"):
        n.fail("int32 needs weight_scale", found="none", expected="weight_scale")
    width = UNKNOWN if shape is None else shape[-1]
    for name in ("weight_scale", "bias"):
        _columns(n, name, width, "of x")
    given = n.shape("activation_scale")
    if given is not None and shape is not None:
        rows = shape[:-1] if len(given) < len(shape) else (*shape[:-1], 1)
        refine(given, rows, "activation_scale and the rows of x")


def _columns(n: InferNode, name: str, width: int, what: str) -> None:
    """Check a factor per column: [columns], or [groups, columns]; [1, columns] without groups."""
    given, groups = n.shape(name), n.shape("group_index")
    grouped = n.has("group_index")
    require_rank(given, (2,) if grouped else (1, 2), name)
    if given is None:
        return
    merge_dim(width, given[-1], f"columns {what} and {name}")
    if grouped and groups is not None:
        merge_dim(groups[0], given[0], f"group_index and rows of {name}")
    elif not grouped and len(given) == 2:
        merge_dim(1, given[0], f"one row and {name}")


def _quant(n: InferNode, width: int) -> None:
    """Check what makes codes of the products."""
    static = n.attr("quant_mode") == "static"
    if static and not n.has("quant_scale"):
        n.fail("static needs quant_scale", found="none", expected="quant_scale")
    if n.has("quant_offset") and not static:
        n.fail("quant_offset is for static", found="dynamic", expected="static")
    groups = n.shape("group_index")
    for name in ("quant_scale", "quant_offset"):
        given = n.shape(name)
        if given is None:
            continue
        if len(given) == 1 and n.has("group_index"):
            if groups is not None:
                merge_dim(groups[0], given[0], f"group_index and {name}")
        elif given != (1,):
            _columns(n, name, width, "of y")


def _halved(n: InferNode, shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
    if shape[axis] % 2 and shape[axis] != UNKNOWN:
        n.fail("the halves differ", found=shape[axis], expected="an even number")
    half = UNKNOWN if shape[axis] == UNKNOWN else shape[axis] // 2
    return (*shape[:axis], half, *shape[axis + 1 :])
