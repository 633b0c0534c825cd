"""Shifts, and the same bytes as another dtype."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import bits, ge_name
from ge_dialect.infer.broadcast import broadcast_shapes
from ge_dialect.infer.dims import UNKNOWN, show
from ge_dialect.infer.errors import SHAPE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, tin, tout, type_
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


class _Shift(GeOp):
    x = tin("T")
    y = tin("T")
    z = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (tensor_type(broadcast_shapes(n.shape("x"), n.shape("y")), n.elem("x")),)


@ge_op
class LeftShift(_Shift):
    """x·2^y modulo the width of the dtype, with broadcast.

    A count that is negative, or the width or more, leaves nothing (assumed: GE leaves it open).
    The prototype is not in the public data (assumed).
    """

    name = "ge.LeftShift"
    TYPES: ClassVar = {"T": "IntegerDataType"}


@ge_op
class RightShift(_Shift):
    """x / 2^y rounded down, with broadcast.

    A count that is negative, or the width or more, leaves the sign (assumed: GE leaves it open).
    The prototype is not in the public data (assumed).
    """

    name = "ge.RightShift"
    TYPES: ClassVar = {"T": "IntegerDataType"}


_ANY_BITS = "BasicType, bool, float8_e5m2, float8_e4m3fn, float8_e8m0"  # fp8: assumed


@ge_op
class Bitcast(GeOp):
    """The bytes of x read as dtype `type`, least significant first.

    To a narrower dtype the parts of an element become a new last axis; to a wider one the last
    axis must hold the parts of one element and goes. With `keep_dim` the rank stays: the last axis
    grows or shrinks by the ratio (assumed).
    """

    name = "ge.Bitcast"

    x = tin(_ANY_BITS)
    y = tout(_ANY_BITS)
    type = type_()
    keep_dim = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        elem, given, shape = n.attr("type"), n.elem("x"), n.shape("x")
        old, new = bits(given), bits(elem)
        if old == new or shape is None:
            return (tensor_type(shape, elem),)
        if max(old, new) % min(old, new) or min(old, new) < 8:
            n.fail(
                "the sizes of the dtypes do not divide",
                found=f"{ge_name(given)} as {ge_name(elem)}",
                expected="whole bytes, one a multiple of the other",
            )
        ratio, keep = max(old, new) // min(old, new), n.attr("keep_dim")
        if new < old and not keep:
            return (tensor_type((*shape, ratio), elem),)
        last = shape[-1] if shape else 1
        if not shape or (new > old and last >= 0 and (last % ratio if keep else last != ratio)):
            n.fail(
                "the last axis does not hold whole elements",
                found=show(shape),
                expected=f"{ratio} parts each",
                code=SHAPE,
            )
        if not keep:
            return (tensor_type(shape[:-1], elem),)
        size = UNKNOWN if last < 0 else last * ratio if new < old else last // ratio
        return (tensor_type((*shape[:-1], size), elem),)
