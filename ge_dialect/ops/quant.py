"""Quantisation as Ascend does it: floats are multiplied by a scale, not divided.

Rounding is to nearest even for Round and rint; results saturate. hifloat8 has no numpy dtype and is
carried, not computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import BY_ENUM, ge_name, to_xdsl
from ge_dialect.infer.broadcast import broadcast_to
from ge_dialect.infer.dims import UNKNOWN, merge_dim, norm_axis, require_rank
from ge_dialect.infer.errors import DTYPE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, float_, int_, opt_tin, string, tin, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

ROUND_MODES = ("round", "rint", "floor", "ceil", "trunc", "hybrid")
_F32 = to_xdsl("float32")
_TARGETS = "int4, int8, float8_e4m3fn, float8_e5m2, hifloat8"


def _elem(n: InferNode, attribute: str, allowed: Sequence[str]) -> Attribute:
    """Element type named by a number; an error for one that is not allowed."""
    number = n.attr(attribute)
    row = BY_ENUM.get(number)
    if row is None or row.name not in allowed:
        n.fail(f"{attribute} is not supported", found=number, expected=", ".join(allowed))
    return row.type


def _target(n: InferNode) -> Attribute:
    return _elem(n, "dst_type", [t.strip() for t in _TARGETS.split(",")])


def _round_mode(n: InferNode) -> None:
    mode = n.attr("round_mode")
    if mode.lower() not in ROUND_MODES:
        n.fail("round_mode is not supported", found=mode, expected=", ".join(ROUND_MODES))


@ge_op
class AscendQuant(GeOp):
    """round(x · scale + offset), saturated to the dtype with GE's number dst_type.

    `sqrt_mode`: the scale counts twice.
    """

    name = "ge.AscendQuant"

    x = tin("float16, float32")
    y = tout(_TARGETS)
    scale = float_()
    offset = float_()
    sqrt_mode = bool_(False)
    round_mode = string("Round")
    dst_type = int_(2)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        _round_mode(n)
        return (tensor_type(n.shape("x"), _target(n)),)


@ge_op
class AscendQuantV2(GeOp):
    """round(x · scale + offset) with tensors; vectors lie along `axis`, scalars serve all."""

    name = "ge.AscendQuantV2"
    TYPES: ClassVar = {"T": "FLOAT"}

    x = tin("T")
    scale = tin("T")
    offset = opt_tin("T")
    y = tout(_TARGETS)
    sqrt_mode = bool_(False)
    round_mode = string("round")
    dst_type = int_(2)
    axis = int_(-1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        _round_mode(n)
        shape = n.shape("x")
        if shape is not None:
            axis = norm_axis(n.attr("axis"), len(shape))
            for name in ("scale", "offset"):
                given = n.shape(name)
                if given is None or given in ((), (1,)):
                    continue
                if len(given) == 1:
                    merge_dim(shape[axis], given[0], f"x along axis and {name}")
                else:
                    broadcast_to(given, shape)
        return (tensor_type(shape, _target(n)),)


@ge_op
class AscendAntiQuant(GeOp):
    """(x + offset) · scale as float32 or, with dtype 1, float16; `sqrt_mode` scales twice."""

    name = "ge.AscendAntiQuant"

    x = tin("int8, float8_e4m3fn, float8_e5m2, hifloat8")
    y = tout("float16, float32")
    scale = float_()
    offset = float_()
    dtype = int_(0)
    sqrt_mode = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (tensor_type(n.shape("x"), _elem(n, "dtype", ("float32", "float16"))),)


@ge_op
class AscendAntiQuantV2(GeOp):
    """(x + offset) · scale with tensors that broadcast to x."""

    name = "ge.AscendAntiQuantV2"
    TYPES: ClassVar = {"T": "bfloat16, float32"}

    x = tin("int4, int8, float8_e4m3fn, float8_e5m2, hifloat8")
    scale = tin("T")
    offset = opt_tin("T")
    y = tout("float16, bfloat16")
    dst_type = int_(1)
    sqrt_mode = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = n.shape("x")
        if shape is not None:
            for name in ("scale", "offset"):
                if n.shape(name) not in (None, (), (1,), (UNKNOWN,)):
                    broadcast_to(n.shape(name), shape)
        return (tensor_type(shape, _elem(n, "dst_type", ("float16", "bfloat16"))),)


@ge_op
class AscendDequant(GeOp):
    """int32 sums times deq_scale, which serves all or lies along axis 1, with relu on demand.

    A uint64 scale holds a float32 in its low half (assumed). `dtype` 0 gives float32, 1 float16.
    """

    name = "ge.AscendDequant"

    x = tin("int32")
    deq_scale = tin("float16, uint64")
    y = tout("float16, float32")
    sqrt_mode = bool_(False)
    relu_flag = bool_(False)
    dtype = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, scale = n.shape("x"), n.shape("deq_scale")
        require_rank(scale, (0, 1), "deq_scale")
        if shape is not None and scale not in (None, (), (1,), (UNKNOWN,)):
            require_rank(shape, range(2, 64), "x")
            merge_dim(shape[1], scale[0], "x along axis 1 and deq_scale")
        return (tensor_type(shape, _elem(n, "dtype", ("float32", "float16"))),)


@ge_op
class DynamicQuant(GeOp):
    """round(x / scale) with scale = the largest magnitude along the last axis over that of y.

    `smooth_scales` multiplies x first. A row of zeros has the scale 0 and stays zero. int8 reaches
    to 127, int4 to 7, the narrow floats to their largest number.
    """

    name = "ge.DynamicQuant"
    TYPES: ClassVar = {"T": "float16, bfloat16"}

    x = tin("T")
    smooth_scales = opt_tin("T")
    group_index = opt_tin("int32")
    y = tout(_TARGETS)
    scale = tout("float32")
    dst_type = int_(2)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = n.shape("x")
        require_rank(shape, range(1, 64), "x")
        if n.has("group_index"):
            n.fail("group_index is not supported", found="connected", expected="not connected")
        smooth = n.shape("smooth_scales")
        if smooth is not None:
            require_rank(smooth, 1, "smooth_scales")
            merge_dim(UNKNOWN if shape is None else shape[-1], smooth[0], "x and smooth_scales")
        target = _target(n)
        if ge_name(target) == "hifloat8":
            n.fail(
                "hifloat8 has no largest number here", found="hifloat8", expected="int8", code=DTYPE
            )
        rows = None if shape is None else shape[:-1]
        return (tensor_type(shape, target), tensor_type(rows, _F32))
