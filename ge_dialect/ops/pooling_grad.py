"""Gradients of pooling, with SAME or VALID padding as in the forward operator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.dims import Shape, refine, require_rank
from ge_dialect.infer.errors import LENGTH
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, ints, string, tin, tout
from ge_dialect.ir.types import shape_of, tensor_type
from ge_dialect.ops._bases import REAL
from ge_dialect.ops.pooling import pool_by_padding

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


def _check(n: InferNode, data: Shape, gradients: Sequence[str]) -> None:
    """The gradients have the shape of what pooling makes of the data."""
    (made,) = pool_by_padding(n, data, n.elem(gradients[0]))
    for name in gradients:
        require_rank(n.shape(name), 4, name)
        refine(n.shape(name), shape_of(made), f"shapes of {name} and of the pooled data")


@ge_op
class AvgPoolGrad(GeOp):
    """Gradient of AvgPool: each window's gradient, shared out evenly over its data elements."""

    name = "ge.AvgPoolGrad"
    TYPES: ClassVar = {"T": REAL}

    orig_input_shape = tin("int32")
    input_grad = tin("T")
    out_grad = tout("T")
    ksize = ints()
    strides = ints()
    padding = string()
    data_format = string("NHWC")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        length, sizes = n.vector_length("orig_input_shape"), n.ints("orig_input_shape")
        if length not in (None, 4):
            what = "orig_input_shape has the wrong number of entries"
            n.fail(what, found=length, expected=4, code=LENGTH)
        if sizes is not None and any(s < 0 for s in sizes):
            n.fail("a size is negative", found=list(sizes), expected="≥ 0")
        grad = n.shape("input_grad")
        shape = (-1,) * 4 if sizes is None else tuple(sizes)
        _check(n, shape, ("input_grad",))
        if sizes is None and grad is not None:
            channel = 1 if n.attr("data_format") == "NCHW" else 3
            shape = tuple(grad[a] if a in (0, channel) else -1 for a in range(4))
        return (tensor_type(shape, n.elem("input_grad")),)


@ge_op
class MaxPoolGrad(GeOp):
    """Gradient of MaxPool at x1: a window's gradient goes to its largest element, the first of
    equals; x2 = MaxPool(x1) is not needed."""

    name = "ge.MaxPoolGrad"
    TYPES: ClassVar = {"T": "RealNumberType"}

    x1 = tin("T")
    x2 = tin("T")
    grad = tin("T")
    y = tout("T")
    ksize = ints()
    strides = ints()
    padding = string()
    data_format = string("NHWC")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        require_rank(n.shape("x1"), 4, "x1")
        _check(n, n.shape("x1"), ("x2", "grad"))
        return (n.logical("x1"),)


@ge_op
class MaxPoolGradWithArgmax(GeOp):
    """Gradient of MaxPoolWithArgmax at x: each gradient is added at the place argmax names.

    Places count with channels last, images apart unless `include_batch_in_index`.
    """

    name = "ge.MaxPoolGradWithArgmax"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    x = tin("T")
    grad = tin("T")
    argmax = tin("IndexNumberType")
    y = tout("T")
    ksize = ints()
    strides = ints()
    padding = string()
    include_batch_in_index = bool_(False)
    data_format = string("NHWC")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        require_rank(n.shape("x"), 4, "x")
        _check(n, n.shape("x"), ("grad", "argmax"))
        return (n.logical("x"),)
