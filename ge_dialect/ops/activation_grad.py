"""Gradients of activations: what a loss changes by when their inputs change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.broadcast import stretched
from ge_dialect.infer.dims import norm_axes, norm_axis, refine, show
from ge_dialect.infer.errors import SHAPE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, int_, ints, tin, tout
from ge_dialect.ir.types import tensor_type
from ge_dialect.ops._bases import REAL, UNARY

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


def _over_axes(n: InferNode, first: str, second: str, axes: str) -> Sequence[Attribute]:
    """One shape, of which some axes were normalised together."""
    shape = refine(n.shape(first), n.shape(second), f"shapes of {first} and {second}")
    if not n.attr(axes):
        n.fail(f"{axes} is empty", found=[], expected="at least one axis")
    if shape is not None:
        norm_axes(n.attr(axes), max(len(shape), 1))
    return (tensor_type(shape, n.elem(first)),)


@ge_op
class GeluGrad(GeOp):
    """dy times the derivative of Gelu (its tanh form) at x; y = Gelu(x) is not needed."""

    name = "ge.GeluGrad"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    dy = tin("T")
    x = tin("T")
    y = tin("T")
    z = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return stretched(n, "dy", "x", "y")


@ge_op
class LogSoftmaxGrad(GeOp):
    """grad - exp(x)·(sum of grad over `axis`), where x is the logarithm of a softmax."""

    name = "ge.LogSoftmaxGrad"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    grad = tin("T")
    x = tin("T")
    y = tout("T")
    axis = ints([-1])

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _over_axes(n, "grad", "x", "axis")


@ge_op
class SigmoidGrad(GeOp):
    """dy·y·(1 - y), where y is a sigmoid; real numbers are their own conjugates."""

    name = "ge.SigmoidGrad"
    TYPES: ClassVar = {"T": REAL}

    y = tin("T")
    dy = tin("T")
    z = tout("T")
    complex_conj = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return stretched(n, "y", "dy")


@ge_op
class SoftmaxGrad(GeOp):
    """softmax·(grad_softmax - sum of softmax·grad_softmax over `axes`)."""

    name = "ge.SoftmaxGrad"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    softmax = tin("T")
    grad_softmax = tin("T")
    grad_x = tout("T")
    axes = ints([-1])

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _over_axes(n, "softmax", "grad_softmax", "axes")


@ge_op
class SoftmaxGradExt(GeOp):
    """x2·x1·(grad - sum of x1·grad along axis `axes`): SoftmaxGrad and a scale in one.

    x2 is one number or has the shape of grad. This is the graph that GE's SoftmaxGradExtFusionPass
    replaces; without `keep_dims`, which it never has, the sum would not fit grad.
    """

    name = "ge.SoftmaxGradExt"
    TYPES: ClassVar = {"T": "FLOAT"}

    grad = tin("T")
    x1 = tin("T")
    x2 = tin("T")
    y = tout("T")
    axes = int_(1)
    keep_dims = bool_(True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if not n.attr("keep_dims"):
            n.fail("keep_dims is needed", found=False, expected=True)
        shape = refine(n.shape("grad"), n.shape("x1"), "shapes of grad and x1")
        scale = n.shape("x2")
        if shape is not None:
            norm_axis(n.attr("axes"), len(shape), "axes")
        if scale is not None and any(d not in (1, -1) for d in scale):
            shape = refine(shape, scale, "shapes of grad and x2")
        elif scale is not None and shape is not None and len(scale) > len(shape):
            n.fail("x2 has more axes than grad", found=show(scale), expected=show(shape),
                   code=SHAPE)  # fmt: skip
        return (tensor_type(shape, n.elem("grad")),)


@ge_op
class SwiGluGrad(GeOp):
    """Gradient of SwiGlu: y_grad has half the size of x along `dim`.

    With the halves a and b of x and s = sigmoid(a): y_grad·b·s·(1 + a·(1 - s)), then y_grad·a·s.
    """

    name = "ge.SwiGluGrad"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    y_grad = tin("T")
    x = tin("T")
    x_grad = tout("T")
    dim = int_(-1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, grad = n.shape("x"), n.shape("y_grad")
        if shape is None:
            return (tensor_type(None, n.elem("x")),)
        axis = norm_axis(n.attr("dim"), len(shape), "dim")
        size = shape[axis]
        if size >= 0 and size % 2:
            n.fail("x has no halves along dim", found=size, expected="even", code=SHAPE)
        half = (*shape[:axis], size // 2 if size >= 0 else -1, *shape[axis + 1 :])
        merged = refine(half, grad, "half of x and y_grad")
        assert merged is not None
        doubled = merged[axis] * 2 if merged[axis] >= 0 else -1
        out = (*merged[:axis], doubled, *merged[axis + 1 :])
        return (tensor_type(out, n.elem("x")),)


@ge_op
class TanhGrad(GeOp):
    """dy·(1 - y²), where y is a hyperbolic tangent; with `complex_conj` of the conjugate of y."""

    name = "ge.TanhGrad"
    TYPES: ClassVar = {"T": UNARY}

    y = tin("T")
    dy = tin("T")
    z = tout("T")
    complex_conj = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return stretched(n, "y", "dy")
