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


def _known_target(n: InferNode) -> Attribute:
    """The dtype dst_type names, whose largest number must be known."""
    target = _target(n)
    if ge_name(target) == "hifloat8":
        n.fail("hifloat8 has no largest number here", found="hifloat8", expected="int8", code=DTYPE)
    return target


def _smooth(n: InferNode, shape: tuple[int, ...] | None) -> None:
    """Check x, and the factors of its columns: the same for all rows, or for each group of rows."""
    require_rank(shape, range(1, 64), "x")
    smooth, groups = n.shape("smooth_scales"), n.shape("group_index")
    grouped = n.has("group_index")
    if grouped and not n.has("smooth_scales"):
        n.fail("group_index tells smooth_scales apart", found="none", expected="smooth_scales")
    require_rank(groups, 1, "group_index")
    require_rank(smooth, 2 if grouped else 1, "smooth_scales")
    if smooth is None:
        return
    merge_dim(UNKNOWN if shape is None else shape[-1], smooth[-1], "x and smooth_scales")
    if groups is not None:
        merge_dim(groups[0], smooth[0], "group_index and rows of smooth_scales")


@ge_op
class DynamicQuant(GeOp):
    """round(x / scale) with scale = the largest magnitude along the last axis over that of y.

    `smooth_scales` multiplies x first; with group_index, the ends of groups of rows, it has a row
    per group. A row of zeros has the scale 0 and stays zero. int8 reaches to 127, int4 to 7, the
    narrow floats to their largest number.
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
        _smooth(n, shape)
        rows = None if shape is None else shape[:-1]
        return (tensor_type(shape, _known_target(n)), tensor_type(rows, _F32))


@ge_op
class DynamicQuantV2(GeOp):
    """round(x / scale + offset), with scale and offset so that a row's range fills that of y.

    scale is (max - min) over the width of y's range (255 for int8, 15 for int4, twice the largest
    number of a narrow float) and offset that largest number less max / scale. `is_symmetrical`
    does as DynamicQuant does, with the offset 0. A row whose numbers are all equal has the scale 0
    and becomes 0. `quant_mode` "pertensor" takes all rows as one.

    smooth_scales multiplies x first. With group_index, the ends of groups of rows, it has a row
    per group.
    """

    name = "ge.DynamicQuantV2"
    TYPES: ClassVar = {"T": "float16, bfloat16"}

    x = tin("T")
    smooth_scales = opt_tin("T")
    group_index = opt_tin("int32")
    y = tout(_TARGETS)
    scale = tout("float32")
    offset = tout("float32")
    dst_type = int_(2)
    is_symmetrical = bool_(False)
    quant_mode = string("pertoken")
    dst_type_max = float_(0.0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, mode = n.shape("x"), n.attr("quant_mode")
        _smooth(n, shape)
        target = _known_target(n)
        if n.attr("dst_type_max"):
            n.fail("dst_type_max is for hifloat8", found=n.attr("dst_type_max"), expected=0)
        if mode not in ("pertoken", "pertensor"):
            n.fail("quant_mode is not supported", found=mode, expected="pertoken or pertensor")
        rows = (1,) if mode == "pertensor" else None if shape is None else shape[:-1]
        return (tensor_type(shape, target), tensor_type(rows, _F32), tensor_type(rows, _F32))
