"""Pooling over 3-D volumes; `pads` are front, back, top, bottom, left, right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import from_enum
from ge_dialect.infer.dims import require_rank
from ge_dialect.infer.window import (
    require_at_least_zero,
    require_length,
    require_positive,
    same_output,
    spatial_axes,
    window_output,
)
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, int_, ints, string, tin, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_FORMATS = ("NCDHW", "NDHWC")


def _per_axis(n: InferNode, name: str, spatial: Sequence[int]) -> list[int]:
    """Entries of an attribute along the spatial axes; it has five, three, or one for all."""
    values = n.attr(name)
    require_length(values, (1, 3, 5), name)
    require_positive(values, name)
    if len(values) == 1:
        return [values[0]] * 3
    if len(values) == 3:
        return list(values)
    if any(v != 1 for i, v in enumerate(values) if i not in spatial):
        n.fail(
            f"{name} must be 1 along batch and channels",
            found=list(values),
            expected=f"entries other than 1 only in places {spatial}",
        )
    return [values[a] for a in spatial]


def _shape(n: InferNode, mode: str, dilated: str | None, *, ceil_mode: bool) -> tuple[int, ...]:
    """Shape of the result; mode SAME, VALID or CALCULATED, `dilated` the attribute of dilations."""
    shape = n.shape("x")
    require_rank(shape, 5, "x")
    spatial = spatial_axes(n.attr("data_format"), _FORMATS)
    kernel, strides = _per_axis(n, "ksize", spatial), _per_axis(n, "strides", spatial)
    dilation = _per_axis(n, dilated, spatial) if dilated else [1, 1, 1]
    pads = n.attr("pads")
    require_length(pads, (1, 3, 6), "pads")
    require_at_least_zero(pads, "pads")
    if mode not in ("SAME", "VALID", "CALCULATED"):
        n.fail("unknown padding", found=mode, expected="CALCULATED, SAME or VALID")
    pads = pads * 6 if len(pads) == 1 else pads
    if len(pads) == 3:
        pads = [p for p in pads for _ in (0, 1)]
    out = list(shape if shape is not None else (-1,) * 5)
    for k, axis in enumerate(spatial):
        before, after = (pads[2 * k], pads[2 * k + 1]) if mode == "CALCULATED" else (0, 0)
        if mode == "SAME":
            out[axis] = same_output(out[axis], strides[k])
            continue
        if max(before, after) > (kernel[k] - 1) * dilation[k]:
            n.fail(
                "a window would see padding only",
                found=f"pads {list(pads)} with ksize {kernel}",
                expected="pads smaller than the window",
            )
        out[axis] = window_output(
            out[axis],
            kernel[k],
            strides[k],
            before,
            after,
            dilation[k],
            ceil_mode and mode != "VALID",
        )
    return tuple(out)


@ge_op
class MaxPool3D(GeOp):
    """Largest element of each window; padding is ignored, not zero.

    `padding` is SAME, VALID, or CALCULATED with `pads`, where `ceil_mode` 1 keeps a last window
    that reaches beyond the padded volume, unless it would start in the padding behind it.
    """

    name = "ge.MaxPool3D"
    TYPES: ClassVar = {"T": "FLOAT, float64, int8, uint8"}  # the 8-bit ones: host engine

    x = tin("T")
    y = tout("T")
    ksize = ints()
    strides = ints()
    padding = string()
    pads = ints([0, 0, 0, 0, 0, 0])
    dilation = ints([1, 1, 1, 1, 1])
    ceil_mode = int_(0)
    data_format = string("NDHWC")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        ceil_mode = n.attr("ceil_mode")
        if ceil_mode not in (0, 1):
            n.fail("ceil_mode is no switch", found=ceil_mode, expected="0 or 1")
        shape = _shape(n, n.attr("padding"), "dilation", ceil_mode=bool(ceil_mode))
        return (tensor_type(shape, n.elem("x")),)


@ge_op
class MaxPool3DWithArgmaxV2(GeOp):
    """Largest element of each window and its place, the first of equals; NaN is the largest.

    argmax counts within one volume: (d·height + h)·width + w. Its dtype has GE's number `dtype`.
    The prototype is not in the public data (assumed).
    """

    name = "ge.MaxPool3DWithArgmaxV2"
    TYPES: ClassVar = {"T": "FLOAT, float64, int8, uint8"}  # beyond FLOAT: host engine

    x = tin("T")
    y = tout("T")
    argmax = tout("IndexNumberType")
    ksize = ints()
    strides = ints()
    pads = ints([0, 0, 0, 0, 0, 0])
    dilation = ints([1, 1, 1, 1, 1])
    ceil_mode = bool_(False)
    data_format = string("NCDHW")
    dtype = int_(3)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        number = n.attr("dtype")
        if number not in (3, 9):
            n.fail("dtype of argmax is not supported", found=number, expected="3 or 9")
        shape = _shape(n, "CALCULATED", "dilation", ceil_mode=n.attr("ceil_mode"))
        return (tensor_type(shape, n.elem("x")), tensor_type(shape, from_enum(number)))


@ge_op
class AvgPool3D(GeOp):
    """Mean of each window.

    `count_include_pad`: the padding counts in the divisor (never what `ceil_mode` adds);
    `divisor_override` other than 0 is the divisor.
    """

    name = "ge.AvgPool3D"
    TYPES: ClassVar = {"T": "FLOAT, float64"}  # float64 is assumed

    x = tin("T")
    y = tout("T")
    ksize = ints()
    strides = ints()
    pads = ints()
    ceil_mode = bool_(False)
    count_include_pad = bool_(True)
    divisor_override = int_(0)
    data_format = string("NDHWC")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if n.attr("divisor_override") < 0:
            n.fail("divisor_override is negative", found=n.attr("divisor_override"), expected="≥ 0")
        shape = _shape(n, "CALCULATED", None, ceil_mode=n.attr("ceil_mode"))
        return (tensor_type(shape, n.elem("x")),)
