"""Running sums and products along an axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.dims import norm_axis
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, tin, tout

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


class _Running(GeOp):
    """y has the shape and dtype of x."""

    x = tin("T")
    axis = tin("IndexNumberType")
    y = tout("T")
    exclusive = bool_(False)
    reverse = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, axis = n.shape("x"), n.scalar("axis")
        if shape is not None and axis is not None:
            norm_axis(axis, len(shape))
        return (n.logical("x"),)


@ge_op
class Cumsum(_Running):
    """Running sum along `axis`; `exclusive` leaves out the element itself, `reverse` runs back."""

    name = "ge.Cumsum"
    TYPES: ClassVar = {"T": "RealNumberType, complex128, complex64"}


@ge_op
class Cumprod(_Running):
    """Running product along `axis`; `exclusive` leaves out the element, `reverse` runs back."""

    name = "ge.Cumprod"
    TYPES: ClassVar = {"T": "NumberType"}
