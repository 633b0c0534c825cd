"""Activations: elementwise ones, and softmax."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import to_xdsl
from ge_dialect.infer.broadcast import broadcast_shapes, broadcast_to
from ge_dialect.infer.dims import merge_dim, norm_axes, norm_axis
from ge_dialect.infer.errors import ATTR, SHAPE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, float_, int_, ints, string, tin, tout
from ge_dialect.ir.types import tensor_type
from ge_dialect.ops._bases import REAL, UNARY, Unary

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


_F16, _F32 = to_xdsl("float16"), to_xdsl("float32")


def _check_axes(n: InferNode, shape: tuple[int, ...] | None) -> None:
    axes = n.attr("axes")
    if not axes:
        n.fail("axes is empty", found=[], expected="at least one axis", code=ATTR)
    if shape is not None:
        # a scalar is normalised as a vector of one element
        norm_axes(axes, max(len(shape), 1))


@ge_op
class Elu(Unary):
    """scale·x where x > 0, else scale·alpha·(exp(input_scale·x) - 1)."""

    name = "ge.Elu"
    TYPES: ClassVar = {"T": REAL}

    alpha = float_(1.0)
    scale = float_(1.0)
    input_scale = float_(1.0)


@ge_op
class Gelu(Unary):
    """x·Φ(x) in its tanh approximation."""

    name = "ge.Gelu"
    TYPES: ClassVar = {"T": REAL}


@ge_op
class GeluV2(Unary):
    """x·Φ(x); `approximate` is "none" (erf) or "tanh"."""

    name = "ge.GeluV2"
    TYPES: ClassVar = {"T": REAL}

    approximate = string("none")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if n.attr("approximate") not in ("none", "tanh"):
            n.fail("unknown approximation", found=n.attr("approximate"), expected="none or tanh")
        return (n.logical("x"),)


@ge_op
class HardSigmoid(GeOp):
    """min(max(alpha·x + beta, 0), 1)."""

    name = "ge.HardSigmoid"
    TYPES: ClassVar = {"T": REAL + ", int32"}
    input_x = tin("T")
    output_y = tout("T")
    alpha = float_(0.16666666)
    beta = float_(0.5)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (n.logical("input_x"),)


@ge_op
class HardSwish(Unary):
    """x·min(max(x + 3, 0), 6) / 6."""

    name = "ge.HardSwish"
    TYPES: ClassVar = {"T": REAL}


@ge_op
class LeakyRelu(Unary):
    """x where x > 0, else negative_slope·x."""

    name = "ge.LeakyRelu"
    TYPES: ClassVar = {"T": REAL}

    negative_slope = float_(0.0)


@ge_op
class LogSoftmaxV2(GeOp):
    """log of the softmax over all of `axes` together."""

    name = "ge.LogSoftmaxV2"
    TYPES: ClassVar = {"T": REAL}
    logits = tin("T")
    logsoftmax = tout("T")
    axes = ints([-1])

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        _check_axes(n, n.shape("logits"))
        return (n.logical("logits"),)


@ge_op
class Mish(Unary):
    """x·tanh(log(1 + exp(x)))."""

    name = "ge.Mish"
    TYPES: ClassVar = {"T": REAL}


@ge_op
class PRelu(GeOp):
    """x where x > 0, else weight·x.

    A weight of rank 1 holds one slope, or one per channel (axis 1 of x; axis 0 of a vector); a
    weight of another rank stretches to x.
    """

    name = "ge.PRelu"
    TYPES: ClassVar = {"T": REAL}
    x = tin("T")
    weight = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, weight = n.shape("x"), n.shape("weight")
        if shape is None or weight is None or weight in ((), (1,), (-1,)):
            return (n.logical("x"),)
        if len(weight) == 1:
            axis = min(1, len(shape) - 1)
            if axis < 0:
                n.fail("a scalar has no channels", found=weight, expected="one slope")
            merge_dim(shape[axis], weight[0], "channels of x and weight")
        else:
            broadcast_to(weight, shape)
        return (n.logical("x"),)


@ge_op
class Relu(Unary):
    """max(x, 0)."""

    name = "ge.Relu"
    TYPES: ClassVar = {"T": "RealNumberType, qint8"}


@ge_op
class Relu6(Unary):
    """min(max(x, 0), 6)."""

    name = "ge.Relu6"
    TYPES: ClassVar = {"T": "RealNumberType"}


@ge_op
class Selu(Unary):
    """1.0507·x where x > 0, else 1.0507·1.67326·(exp(x) - 1)."""

    name = "ge.Selu"
    TYPES: ClassVar = {"T": REAL}


@ge_op
class Sigmoid(Unary):
    """1 / (1 + exp(-x))."""

    name = "ge.Sigmoid"
    TYPES: ClassVar = {"T": UNARY}


@ge_op
class SoftmaxV2(GeOp):
    """exp(x) normalised to sum 1 over all of `axes` together.

    `half_to_float` gives a float32 result for a float16 x.
    """

    name = "ge.SoftmaxV2"
    TYPES: ClassVar = {"T": REAL, "R": REAL}
    x = tin("T")
    y = tout("R")
    axes = ints([-1])
    half_to_float = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, elem = n.shape("x"), n.elem("x")
        _check_axes(n, shape)
        if n.attr("half_to_float"):
            if elem != _F16:
                n.fail("half_to_float needs a float16 input", found=elem, expected="f16", code=ATTR)
            elem = _F32
        return (tensor_type(shape, elem),)


@ge_op
class Softplus(Unary):
    """log(1 + exp(x))."""

    name = "ge.Softplus"
    TYPES: ClassVar = {"T": REAL}


@ge_op
class Softsign(Unary):
    """x / (1 + |x|)."""

    name = "ge.Softsign"
    TYPES: ClassVar = {"T": REAL}


@ge_op
class Swish(Unary):
    """x·sigmoid(scale·x)."""

    name = "ge.Swish"
    TYPES: ClassVar = {"T": REAL}

    scale = float_(1.0)


@ge_op
class Tanh(Unary):
    """Hyperbolic tangent."""

    name = "ge.Tanh"
    TYPES: ClassVar = {"T": UNARY}


@ge_op
class SwiGlu(GeOp):
    """a·sigmoid(a)·b of the halves a and b of x along `dim`."""

    name = "ge.SwiGlu"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    x = tin("T")
    y = tout("T")
    dim = int_(-1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = n.shape("x")
        if shape is None:
            return (tensor_type(None, n.elem("x")),)
        axis = norm_axis(n.attr("dim"), len(shape), "dim")
        if shape[axis] % 2 and shape[axis] >= 0:
            n.fail("x has no halves along dim", found=shape[axis], expected="even", code=SHAPE)
        half = shape[axis] // 2 if shape[axis] >= 0 else -1
        return (tensor_type((*shape[:axis], half, *shape[axis + 1 :]), n.elem("x")),)


@ge_op
class ReluGrad(GeOp):
    """gradients where features are positive, else 0."""

    name = "ge.ReluGrad"
    TYPES: ClassVar = {"T": "RealNumberType"}

    gradients = tin("T")
    features = tin("T")
    backprops = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = broadcast_shapes(n.shape("gradients"), n.shape("features"))
        return (tensor_type(shape, n.elem("gradients")),)
