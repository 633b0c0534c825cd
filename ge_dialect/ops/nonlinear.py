"""Rarer activations: gates, thresholds and one-hot maxima."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.dims import norm_axis
from ge_dialect.infer.errors import SHAPE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, float_, int_, opt_tin, tin, tout
from ge_dialect.ir.types import tensor_type
from ge_dialect.ops._bases import REAL, Unary

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


def _halved(n: InferNode) -> Attribute:
    """Type of one half of x along `dim`."""
    shape = n.shape("x")
    if shape is None:
        return tensor_type(None, n.elem("x"))
    axis = norm_axis(n.attr("dim"), len(shape), "dim")
    size = shape[axis]
    if size >= 0 and size % 2:
        n.fail("x has no halves along dim", found=size, expected="even", code=SHAPE)
    half = size // 2 if size >= 0 else -1
    return tensor_type((*shape[:axis], half, *shape[axis + 1 :]), n.elem("x"))


@ge_op
class Celu(Unary):
    """alpha3·x where x ≥ 0, else alpha1·(exp(x / alpha2) - 1)."""

    name = "ge.Celu"
    TYPES: ClassVar = {"T": REAL}  # bfloat16 and float64 are assumed

    alpha1 = float_(1.0)
    alpha2 = float_(1.0)
    alpha3 = float_(1.0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if not n.attr("alpha2"):
            n.fail("alpha2 must not be 0", found=0.0, expected="another number")
        return (n.logical("x"),)


@ge_op
class CeluV2(Unary):
    """max(x, 0) + min(alpha·(exp(x / alpha) - 1), 0)."""

    name = "ge.CeluV2"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    alpha = float_(1.0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if not n.attr("alpha"):
            n.fail("alpha must not be 0", found=0.0, expected="another number")
        return (n.logical("x"),)


@ge_op
class FastGelu(Unary):
    """x·sigmoid(1.702·x), a cheap form of Gelu."""

    name = "ge.FastGelu"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed


@ge_op
class GLU(GeOp):
    """a·sigmoid(b) of the halves a and b of x along `dim`."""

    name = "ge.GLU"
    TYPES: ClassVar = {"T": REAL}  # bfloat16 and float64 are assumed

    x = tin("T")
    y = tout("T")
    dim = int_(-1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (_halved(n),)


@ge_op
class GeGluV2(GeOp):
    """y = a·gelu and gelu = Gelu(b) of the halves a and b of x along `dim`.

    `activate_left` exchanges the halves. `approximate` 1 takes the tanh form, 0 erf.
    """

    name = "ge.GeGluV2"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    x = tin("T")
    y = tout("T")
    gelu = tout("T")
    dim = int_(-1)
    approximate = int_(1)
    activate_left = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if n.attr("approximate") not in (0, 1):
            n.fail("unknown approximation", found=n.attr("approximate"), expected="0 or 1")
        half = _halved(n)
        return (half, half)


@ge_op
class HardMax(Unary):
    """1 at the largest element along `axis`, the first of equals, and 0 elsewhere."""

    name = "ge.HardMax"
    TYPES: ClassVar = {"T": REAL}  # beyond float16 and float32 assumed

    axis = int_(-1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = n.shape("x")
        if shape is not None:
            norm_axis(n.attr("axis"), max(len(shape), 1))
        return (n.logical("x"),)


@ge_op
class LogSigmoid(Unary):
    """log(sigmoid(x)) = -log(1 + exp(-x))."""

    name = "ge.LogSigmoid"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed


@ge_op
class Shrink(GeOp):
    """x - bias above lambd, x + bias below -lambd, 0 between."""

    name = "ge.Shrink"
    TYPES: ClassVar = {"T": REAL}  # beyond float16 and float32 assumed

    input_x = tin("T")
    output_y = tout("T")
    lambd = float_(0.5)
    bias = float_(0.0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (n.logical("input_x"),)


@ge_op
class Threshold(Unary):
    """1 where x is greater than `threshold`, else 0 (Caffe)."""

    name = "ge.Threshold"
    TYPES: ClassVar = {"T": "RealNumberType"}

    threshold = float_(0.0)


@ge_op
class ThresholdV2(GeOp):
    """x where it is greater than `threshold`, else `value`, 0 where that is absent."""

    name = "ge.ThresholdV2"
    TYPES: ClassVar = {"T": "RealNumberType"}

    x = tin("T")
    threshold = tin("T")
    value = opt_tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        for name in ("threshold", "value"):
            shape = n.shape(name)
            if shape is not None and shape not in ((), (1,), (-1,)):
                n.fail(f"{name} must hold one value", found=list(shape), expected="1 element")
        return (n.logical("x"),)


@ge_op
class ThresholdedRelu(Unary):
    """x where it is greater than alpha, else 0."""

    name = "ge.ThresholdedRelu"
    TYPES: ClassVar = {"T": REAL}  # beyond float16 and float32 assumed

    alpha = float_(1.0)
