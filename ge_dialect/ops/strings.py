"""Strings: their lengths, and printing them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import to_xdsl
from ge_dialect.infer.dims import show
from ge_dialect.infer.errors import SHAPE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.effects import Effects
from ge_dialect.ir.fields import string, tin, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


@ge_op
class StringLength(GeOp):
    """The length of each string: in bytes of UTF-8 (unit BYTE), or in characters (UTF8_CHAR).

    GE's CondPass makes a condition of a string by it.
    """

    name = "ge.StringLength"

    x = tin("string")
    y = tout("int32")
    unit = string("BYTE")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if n.attr("unit") not in ("BYTE", "UTF8_CHAR"):
            n.fail("unit is not supported", found=n.attr("unit"), expected="BYTE, UTF8_CHAR")
        return (tensor_type(n.shape("x"), to_xdsl("int32")),)


@ge_op
class PrintV2(GeOp):
    """Prints a string, in the order of the graph's effects; `output_stream` says where to."""

    name = "ge.PrintV2"
    EFFECTS: ClassVar = Effects.io("stdout")

    x = tin("string")
    output_stream = string("stderr")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = n.shape("x")
        if shape is not None and any(d not in (1, -1) for d in shape):
            n.fail("x must be one string", found=show(shape), expected="one element", code=SHAPE)
        return ()
