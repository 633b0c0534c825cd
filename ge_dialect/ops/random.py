"""Random numbers: counter-based, keyed by the seeds and the node's stable id."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import expand_spec, ge_name
from ge_dialect.infer.errors import DTYPE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.effects import Effects
from ge_dialect.ir.fields import int_, tin, tout, type_
from ge_dialect.ir.types import tensor_type
from ge_dialect.ops._bases import REAL

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


@ge_op
class RandomUniform(GeOp):
    """Uniform numbers in [0, 1) of shape `shape` and dtype `dtype`."""

    name = "ge.RandomUniform"
    EFFECTS: ClassVar = Effects.RANDOM

    shape = tin("IndexNumberType")
    y = tout(REAL)
    dtype = type_()
    seed = int_(0)
    seed2 = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        elem = n.attr("dtype")
        if elem not in expand_spec(REAL):
            n.fail("dtype is no real float", found=ge_name(elem), expected=REAL, code=DTYPE)
        length, dims = n.vector_length("shape"), n.ints("shape")
        if dims is None:
            return (tensor_type(None if length is None else (-1,) * length, elem),)
        if any(d < 0 for d in dims):
            n.fail("shape has a negative entry", found=list(dims), expected="sizes ≥ 0")
        return (tensor_type(dims, elem),)
