"""Norms, deviations and other reductions that are more than one step. No axes mean all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import ge_name
from ge_dialect.infer.axes import reduce_shape
from ge_dialect.infer.broadcast import broadcast_to
from ge_dialect.infer.dims import norm_axes
from ge_dialect.infer.errors import DTYPE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, float_, int_, ints, tin, tout, type_
from ge_dialect.ir.types import tensor_type
from ge_dialect.ops._bases import REAL
from ge_dialect.ops.reduce import by_input

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_CAST = ("float16", "float32", "int8", "uint8")


def _reduced(n: InferNode, axes: str, keep: str) -> Attribute:
    """The type of x without the axes of an attribute."""
    shape, listed = n.shape("x"), n.attr(axes)
    if shape is not None:
        norm_axes(listed, len(shape))
        if not listed:
            listed = range(len(shape))
    elif not listed and not n.attr(keep):
        return tensor_type((), n.elem("x"))
    return tensor_type(reduce_shape(shape, listed or None, n.attr(keep)), n.elem("x"))


@ge_op
class LpNorm(GeOp):
    """The p-th root of the sum of |x|**p over `axes`, but at least epsilon (assumed).

    p 0 counts what is not 0; the largest and smallest 32-bit integer stand for infinity: the
    largest and the smallest magnitude.
    """

    name = "ge.LpNorm"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    x = tin("T")
    y = tout("T")
    p = int_(2)
    axes = ints([])
    keepdim = bool_(False)
    epsilon = float_(1e-12)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (_reduced(n, "axes", "keepdim"),)


@ge_op
class LpNormV2(GeOp):
    """LpNorm of any real order, also infinite ones."""

    name = "ge.LpNormV2"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    x = tin("T")
    y = tout("T")
    p = float_(2.0)
    axes = ints([])
    keepdim = bool_(False)
    epsilon = float_(1e-12)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if n.attr("p") != n.attr("p"):
            n.fail("p is no number", found="NaN", expected="a number")
        return (_reduced(n, "axes", "keepdim"),)


@ge_op
class ReduceLogSum(GeOp):
    """The logarithm of the sum over `axes`; no axes leave the logarithm alone."""

    name = "ge.ReduceLogSum"
    TYPES: ClassVar = {"T": REAL}  # beyond float16 and float32 assumed

    x = tin("T")
    axes = tin("IndexNumberType")
    y = tout("T")
    keep_dims = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return by_input(n, n.elem("x"), True)


@ge_op
class ReduceMeanWithCast(GeOp):
    """Mean over `axes` of x cast to `dtype` (float16, float32, int8 or uint8) where one is given.

    With `noop_with_empty_axes` no axes leave x as it is, cast.
    """

    name = "ge.ReduceMeanWithCast"
    TYPES: ClassVar = {"T1": "RealNumberType", "T3": "RealNumberType"}

    x = tin("T1")
    axes = tin("IndexNumberType")
    y = tout("T3")
    keep_dims = bool_(False)
    noop_with_empty_axes = bool_(True)
    dtype = type_(opt=True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        elem = n.attr("dtype")
        if elem is not None and ge_name(elem) not in _CAST:
            n.fail("dtype is not supported", found=elem, expected=", ".join(_CAST), code=DTYPE)
        return by_input(n, elem or n.elem("x"), n.attr("noop_with_empty_axes"))


@ge_op
class ReduceStdV2(GeOp):
    """Standard deviation and mean over `dim`; the variance divides by n - correction.

    The mean is given whatever is_mean_out says. Where n ≤ correction the divisor is 0.
    """

    name = "ge.ReduceStdV2"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    x = tin("T")
    std = tout("T")
    mean = tout("T")
    dim = ints([])
    correction = int_(1)
    keepdim = bool_(False)
    is_mean_out = bool_(True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        made = _reduced(n, "dim", "keepdim")
        return (made, made)


@ge_op
class ReduceStdWithMean(GeOp):
    """Standard deviation over `dim` about a mean that is given and stretches to x.

    The variance divides by n - correction, without `unbiased` by n. What `invert` and epsilon give
    is described in two ways, and not evaluated.
    """

    name = "ge.ReduceStdWithMean"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    x = tin("T")
    mean = tin("T")
    y = tout("T")
    dim = ints([])
    unbiased = bool_(True)
    keepdim = bool_(False)
    invert = bool_(False)
    epsilon = float_(0.001)
    correction = int_(1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        broadcast_to(n.shape("mean"), n.shape("x"))
        return (_reduced(n, "dim", "keepdim"),)


@ge_op
class SquareSumV1(GeOp):
    """Sum of squares over `axis`."""

    name = "ge.SquareSumV1"
    TYPES: ClassVar = {"T": REAL}  # beyond float16 and float32 assumed

    x = tin("T")
    y = tout("T")
    axis = ints()
    keep_dims = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (_reduced(n, "axis", "keep_dims"),)
