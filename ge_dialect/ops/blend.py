"""Elementwise operators that do several steps at once, and parts of complex numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import ge_name, to_xdsl
from ge_dialect.infer.broadcast import broadcast_shapes, stretched
from ge_dialect.infer.dims import merge_dim, norm_axis, refine
from ge_dialect.infer.errors import COUNT, DTYPE, SHAPE
from ge_dialect.infer.promote import promote
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, dyn_tin, float_, floats, int_, opt_tin, tin, tout, type_
from ge_dialect.ir.types import tensor_type
from ge_dialect.ops._bases import REAL, Binary, Unary

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_COMPLEX = {"float32": to_xdsl("complex64"), "float64": to_xdsl("complex128")}
_PARTS = {"complex64": to_xdsl("float32"), "complex128": to_xdsl("float64")}
_AXPY = (
    "float16, float32, float64, bfloat16, uint8, int8, uint16, int16, int32, int64, complex64, "
    "complex128, complex32"
)


@ge_op
class Addcdiv(GeOp):
    """input_data + value·x1 / x2; a quotient of integers is truncated toward zero (assumed)."""

    name = "ge.Addcdiv"
    TYPES: ClassVar = {"T": REAL + ", int64", "V": REAL + ", int32, int64"}

    input_data = tin("T")
    x1 = tin("T")
    x2 = tin("T")
    value = tin("V")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return stretched(n, "input_data", "x1", "x2", "value")


@ge_op
class Addcmul(GeOp):
    """input_data + value·x1·x2."""

    name = "ge.Addcmul"
    TYPES: ClassVar = {"T": REAL + ", int8, int32, int64, uint8"}

    input_data = tin("T")
    x1 = tin("T")
    x2 = tin("T")
    value = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return stretched(n, "input_data", "x1", "x2", "value")


def _scaled_sum(n: InferNode) -> Sequence[Attribute]:
    elem = promote(n.elem("x1"), n.elem("x2"))
    if n.has("alpha"):
        shape = n.shape("alpha")
        if shape is not None and shape not in ((), (1,), (-1,)):
            n.fail("alpha must hold one value", found=list(shape), expected="1 element", code=SHAPE)
        elem = promote(elem, n.elem("alpha"))
    return (tensor_type(broadcast_shapes(n.shape("x1"), n.shape("x2")), elem),)


@ge_op
class AxpyV2(GeOp):
    """x1 + alpha·x2 with a tensor of one element as factor, in the dtype all meet in."""

    name = "ge.AxpyV2"
    TYPES: ClassVar = {"T1": _AXPY, "T2": _AXPY, "T3": _AXPY, "T4": _AXPY}

    x1 = tin("T1")
    x2 = tin("T2")
    alpha = tin("T3")
    y = tout("T4")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _scaled_sum(n)


@ge_op
class Sxpy(GeOp):
    """x1 - alpha·x2, with a factor of 1 where it is absent, in the dtype all meet in."""

    name = "ge.Sxpy"
    TYPES: ClassVar = {"T1": _AXPY, "T2": _AXPY, "T3": _AXPY, "T4": _AXPY}

    x1 = tin("T1")
    x2 = tin("T2")
    alpha = opt_tin("T3")
    y = tout("T4")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _scaled_sum(n)


def _along(n: InferNode, name: str, blob: str) -> tuple[int, ...] | None:
    """The shape of x, checked against a parameter whose dims are those of x from `axis` on."""
    shape, given = n.shape("x"), n.shape(name)
    axes = n.attr("num_axes")
    if axes < -1:
        n.fail("num_axes must be at least -1", found=axes, expected="≥ -1")
    if shape is None:
        return None
    first = norm_axis(n.attr("axis"), len(shape))
    if given is None:
        return shape
    if n.attr(blob) and axes == 0 and given not in ((), (1,), (-1,)):
        n.fail(f"{name} must hold one value", found=list(given), expected="1 element", code=SHAPE)
    if given in ((), (1,)):
        return shape
    count = len(given)
    if n.attr(blob) and axes != 0:
        count = len(shape) - first if axes == -1 else axes
    if given == (-1,):
        return shape  # may be one value
    if count != len(given) or first + count > len(shape):
        expected = f"{count} axes from {first} on"
        n.fail(f"{name} does not fit the axes of x", found=list(given), expected=expected)
    out = list(shape)
    for k, d in enumerate(given, first):
        if d != 1:
            out[k] = merge_dim(shape[k], d, f"x and {name}")
    return tuple(out)


@ge_op
class Bias(GeOp):
    """x + bias (Caffe's), whose dims are those of x from `axis` on.

    With `bias_from_blob` there are `num_axes` of them, -1 for all that are left, 0 for one value.
    """

    name = "ge.Bias"
    TYPES: ClassVar = {"T": REAL}  # beyond float16 and float32 assumed

    x = tin("T")
    bias = tin("T")
    y = tout("T")
    axis = int_(1)
    num_axes = int_(1)
    bias_from_blob = bool_(True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (tensor_type(_along(n, "bias", "bias_from_blob"), n.elem("x")),)


@ge_op
class ClipByValueV2(GeOp):
    """min(max(x, clip_value_min), clip_value_max), where all three stretch."""

    name = "ge.ClipByValueV2"
    TYPES: ClassVar = {"T": "RealNumberType"}

    x = tin("T")
    clip_value_min = tin("T")
    clip_value_max = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return stretched(n, "x", "clip_value_min", "clip_value_max")


@ge_op
class Complex(GeOp):
    """real + i·imag."""

    name = "ge.Complex"
    TYPES: ClassVar = {"T": "float32, float64"}

    real = tin("T")
    imag = tin("T")
    out = tout("complex64, complex128")
    Tout = type_("complex64")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        elem = _COMPLEX.get(ge_name(n.elem("real")))
        if elem is None or n.attr("Tout") != elem:
            n.fail("Tout does not fit", found=n.attr("Tout"), expected=elem, code=DTYPE)
        return (tensor_type(broadcast_shapes(n.shape("real"), n.shape("imag")), elem),)


class _Part(GeOp):
    """A part of a complex number."""

    input = tin("complex64, complex128")
    output = tout("float32, float64")
    Tout = type_("float32")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        elem = _PARTS.get(ge_name(n.elem("input")))
        if elem is None or n.attr("Tout") != elem:
            n.fail("Tout does not fit", found=n.attr("Tout"), expected=elem, code=DTYPE)
        return (tensor_type(n.shape("input"), elem),)


@ge_op
class Real(_Part):
    """The real part."""

    name = "ge.Real"


@ge_op
class Imag(_Part):
    """The imaginary part."""

    name = "ge.Imag"


@ge_op
class Eltwise(GeOp):
    """Of N tensors of one shape the product (`mode` 0), the sum (1) or the largest (2).

    A sum has `coeff` as factors, where there are any.
    """

    name = "ge.Eltwise"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    x = dyn_tin("T")
    y = tout("T")
    N = int_()
    mode = int_(1)
    coeff = floats([])

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        given, coeff = n.shapes("x"), n.attr("coeff")
        if len(given) != n.attr("N") or not given:
            message = "N is not the number of inputs"
            n.fail(message, found=n.attr("N"), expected=len(given), code=COUNT)
        if n.attr("mode") not in (0, 1, 2):
            n.fail("mode is not supported", found=n.attr("mode"), expected="0, 1 or 2")
        if coeff and len(coeff) != len(given):
            n.fail("coeff does not fit", found=len(coeff), expected=f"0 or {len(given)} factors")
        shape = given[0]
        for other in given[1:]:
            shape = refine(shape, other, "shapes of the inputs")
        return (tensor_type(shape, n.elem("x")),)


@ge_op
class FusedMulAddN(GeOp):
    """x1·x3 + x2, where x3 holds one value."""

    name = "ge.FusedMulAddN"
    TYPES: ClassVar = {"T": REAL + ", int16, int32"}  # float64 is assumed

    x1 = tin("T")
    x2 = tin("T")
    x3 = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        given = n.shape("x3")
        if given is not None and any(d not in (1, -1) for d in given):
            n.fail("x3 must hold one value", found=list(given), expected="1 element", code=SHAPE)
        shape = refine(n.shape("x1"), n.shape("x2"), "shapes of x1 and x2")
        return (tensor_type(shape, n.elem("x1")),)


@ge_op
class Lerp(GeOp):
    """start + weight·(end - start)."""

    name = "ge.Lerp"
    TYPES: ClassVar = {"T": REAL}  # float64 is assumed

    start = tin("T")
    end = tin("T")
    weight = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return stretched(n, "start", "end", "weight")


@ge_op
class Power(Unary):
    """(shift + scale·x)**power (Caffe's)."""

    name = "ge.Power"
    TYPES: ClassVar = {"T": REAL}  # beyond float16 and float32 assumed

    power = float_(1.0)
    scale = float_(1.0)
    shift = float_(0.0)


@ge_op
class Scale(GeOp):
    """x·scale + bias (Caffe's), whose dims are those of x from `axis` on; see Bias."""

    name = "ge.Scale"
    TYPES: ClassVar = {"T": REAL}  # beyond float16 and float32 assumed

    x = tin("T")
    scale = tin("T")
    bias = opt_tin("T")
    y = tout("T")
    axis = int_(1)
    num_axes = int_(1)
    scale_from_blob = bool_(True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = _along(n, "scale", "scale_from_blob")
        if n.has("bias"):
            refine(n.shape("scale"), n.shape("bias"), "shapes of scale and bias")
        return (tensor_type(shape, n.elem("x")),)


@ge_op
class Trunc(GeOp):
    """Rounds toward zero; integers stay."""

    name = "ge.Trunc"
    TYPES: ClassVar = {"T": REAL + ", int8, int32, uint8"}

    input_x = tin("T")
    output_y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (n.logical("input_x"),)


@ge_op
class Xlogy(Binary):
    """x1·log(x2), and 0 where x1 is 0, whatever x2 is."""

    name = "ge.Xlogy"
    TYPES: ClassVar = {"T": REAL + ", complex64, complex128"}
