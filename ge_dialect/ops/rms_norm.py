"""Root-mean-square normalisation fused with a sum, a cast or quantisation, and its gradient.

Public documents: aclnnAddRmsNormCast, aclnnAddRmsNormQuant, aclnnRmsNormGrad.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import to_xdsl
from ge_dialect.infer.dims import UNKNOWN, refine
from ge_dialect.infer.errors import SHAPE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, float_, int_, opt_tin, tin, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_F32, _I8 = to_xdsl("float32"), to_xdsl("int8")
Shape = tuple[int, ...] | None


def _kept(n: InferNode, shape: Shape) -> Shape:
    """Shape of rstd; gamma tells how many dims are normalised."""
    gamma = n.shape("gamma")
    if shape is None or gamma is None:
        return None
    if not 1 <= len(gamma) <= len(shape):
        n.fail(
            "gamma does not fit x",
            found=f"rank {len(gamma)}",
            expected=f"rank 1 … {len(shape)}",
            code=SHAPE,
        )
    first = len(shape) - len(gamma)
    refine(shape[first:], gamma, "gamma and the last dims of x")
    return (*shape[:first], *(1,) * len(gamma))


def _sum(n: InferNode) -> Shape:
    return refine(n.shape("x1"), n.shape("x2"), "shapes of x1 and x2")


@ge_op
class AddRmsNormCast(GeOp):
    """AddRmsNorm whose result comes in float32 (y1) and in the dtype of x (y2)."""

    name = "ge.AddRmsNormCast"
    TYPES: ClassVar = {"T": "float16, bfloat16"}

    x1 = tin("T")
    x2 = tin("T")
    gamma = tin("T")
    y1 = tout("float32")
    y2 = tout("T")
    rstd = tout("float32")
    x = tout("T")
    epsilon = float_(1e-06)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = _sum(n)
        plain = tensor_type(shape, n.elem("x1"))
        rstd = tensor_type(_kept(n, shape), _F32)
        return (tensor_type(shape, _F32), plain, rstd, plain)


@ge_op
class AddRmsNormQuant(GeOp):
    """round(y / scales + zero_points) of y = AddRmsNorm(x1, x2) + beta, for two sets of scales.

    With div_mode false y is multiplied by the scales. Scales and zero points have the shape of
    gamma. Without scales2, y2 is zero (assumed). The result saturates to int8.
    """

    name = "ge.AddRmsNormQuant"
    TYPES: ClassVar = {"T": "FLOAT"}

    x1 = tin("T")
    x2 = tin("T")
    gamma = tin("T")
    scales1 = tin("FLOAT")
    scales2 = opt_tin("FLOAT")
    zero_points1 = opt_tin("FLOAT, int32")
    zero_points2 = opt_tin("FLOAT, int32")
    beta = opt_tin("T")
    y1 = tout("int8, float8_e4m3fn, float8_e5m2, hifloat8")
    y2 = tout("int8, float8_e4m3fn, float8_e5m2, hifloat8")
    x = tout("T")
    axis = int_(-1)
    epsilon = float_(1e-06)
    div_mode = bool_(True)
    dst_type = int_(2)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = _sum(n)
        _kept(n, shape)
        for name in ("scales1", "scales2", "zero_points1", "zero_points2", "beta"):
            if n.has(name) and n.shape(name) not in ((1,), (UNKNOWN,)):  # which may be 1
                refine(n.shape("gamma"), n.shape(name), f"shapes of gamma and {name}")
        if n.attr("axis") != -1:
            n.fail("axis is not supported", found=n.attr("axis"), expected=-1)
        if n.attr("dst_type") != 2:
            n.fail("dst_type is not supported", found=n.attr("dst_type"), expected="2 (int8)")
        quantised = tensor_type(shape, _I8)
        return (quantised, quantised, tensor_type(shape, n.elem("x1")))


@ge_op
class RmsNormGrad(GeOp):
    """Gradients of RmsNorm with respect to x and gamma.

    With n = x · rstd and g = dy · gamma: dx = rstd · (g - n · mean(g · n)), and dgamma is the sum
    of dy · n over the axes that gamma has not.
    """

    name = "ge.RmsNormGrad"
    TYPES: ClassVar = {"T1": "FLOAT", "T2": "FLOAT"}

    dy = tin("T1")
    x = tin("T1")
    rstd = tin("float32")
    gamma = tin("T2")
    dx = tout("T1")
    dgamma = tout("float32")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = refine(n.shape("dy"), n.shape("x"), "shapes of dy and x")
        kept, gamma, rstd = _kept(n, shape), n.shape("gamma"), n.shape("rstd")
        if kept is not None and rstd is not None:
            if len(rstd) == len(kept) - len(gamma or ()):
                kept = kept[: len(rstd)]  # without the ones
            refine(kept, rstd, "rstd and the rows of x")
        return (tensor_type(shape, n.elem("dy")), tensor_type(gamma, _F32))
