"""Pooling of images that also tells where each window's largest element is, and its gradient.

The attributes `ksize`, `strides`, `pads` and `dilation` hold 1, height, width, 1, whatever the
layout; the logical tensors are NCHW. Prototypes: the public headers; places and the limit of the
padding: PyTorch's max_pool2d_with_indices, which the headers refer to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import from_enum
from ge_dialect.infer.dims import UNKNOWN, refine, require_rank
from ge_dialect.infer.window import (
    require_at_least_zero,
    require_length,
    require_positive,
    window_output,
)
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, int_, ints, tin, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_INT32 = 3  # GE's number of the dtype


def _pooled(n: InferNode) -> tuple[int, ...]:
    """Shape of what pooling makes of x, after a check of all attributes."""
    shape = n.shape("x")
    require_rank(shape, 4, "x")
    lists = {}
    for name in ("ksize", "strides", "dilation", "pads"):
        lists[name] = values = n.attr(name)
        require_length(values, 4, name)
        (require_at_least_zero if name == "pads" else require_positive)(values, name)
        if any(v > 1 for v in (values[0], values[3])):
            n.fail(
                f"{name} must be 1 at both ends",
                found=list(values),
                expected="1, height, width, 1",
            )
    if n.attr("dtype") != _INT32:
        n.fail("dtype of argmax is not supported", found=n.attr("dtype"), expected=_INT32)
    shape = (UNKNOWN,) * 4 if shape is None else shape
    out = []
    for size, kernel, stride, dilation, pad in zip(
        shape[2:], *(lists[k][1:3] for k in ("ksize", "strides", "dilation", "pads")), strict=True
    ):
        if 2 * pad > kernel:
            n.fail("padding is more than half a window", found=pad, expected=f"≤ {kernel // 2}")
        out.append(window_output(size, kernel, stride, pad, pad, dilation, n.attr("ceil_mode")))
    return (*shape[:2], *out)


@ge_op
class MaxPoolWithArgmaxV1(GeOp):
    """Largest element of each window and its place row·width + column, the first of equals.

    NaN is the largest (assumed); a window that sees padding only gives minus infinity and the place
    -1. Without layout argmax is int32: the uint16 form, a mask of bits, is the device's own.
    """

    name = "ge.MaxPoolWithArgmaxV1"
    TYPES: ClassVar = {"T": "float16, float32"}

    x = tin("T")
    y = tout("T")
    argmax = tout("int32")
    ksize = ints()
    strides = ints()
    pads = ints()
    dtype = int_(_INT32)
    dilation = ints([1, 1, 1, 1])
    ceil_mode = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = _pooled(n)
        return (tensor_type(shape, n.elem("x")), tensor_type(shape, from_enum(_INT32)))


@ge_op
class MaxPoolGradWithArgmaxV1(GeOp):
    """Gradient of MaxPoolWithArgmaxV1 at x: each gradient is added at its place, -1 is nowhere."""

    name = "ge.MaxPoolGradWithArgmaxV1"
    TYPES: ClassVar = {"T": "float16, float32"}

    x = tin("T")
    grad = tin("T")
    argmax = tin("int32")
    y = tout("T")
    ksize = ints()
    strides = ints()
    pads = ints()
    dtype = int_(_INT32)
    dilation = ints([1, 1, 1, 1])
    ceil_mode = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = _pooled(n)
        known = n.shape("x")
        for name in ("grad", "argmax"):
            require_rank(n.shape(name), 4, name)
            shape = refine(shape, n.shape(name), f"shapes of {name} and of the pooled x")
        assert shape is not None
        lead = (*shape[:2], UNKNOWN, UNKNOWN)
        return (tensor_type(refine(known, lead, "x and its gradient"), n.elem("x")),)
