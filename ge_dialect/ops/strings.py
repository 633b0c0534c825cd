"""Strings: what is known of them without looking at their contents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Attribute

from ge_dialect.dtypes import to_xdsl
from ge_dialect.ir.base import GeOp, ge_op
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
