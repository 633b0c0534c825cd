"""Random numbers: counter-based, keyed by the seeds and the node's stable id."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import expand_spec, ge_name
from ge_dialect.infer.dims import UNKNOWN, show
from ge_dialect.infer.errors import DTYPE, RANK
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.effects import Effects
from ge_dialect.ir.fields import int_, tin, tout, type_
from ge_dialect.ir.types import tensor_type
from ge_dialect.ops._bases import REAL

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


def _of_shape(n: InferNode) -> Sequence[Attribute]:
    elem = n.attr("dtype")
    if elem not in expand_spec(REAL):
        n.fail("dtype is no real float", found=ge_name(elem), expected=REAL, code=DTYPE)
    length, dims = n.vector_length("shape"), n.ints("shape")
    if dims is None:
        return (tensor_type(None if length is None else (-1,) * length, elem),)
    if any(d < 0 for d in dims):
        n.fail("shape has a negative entry", found=list(dims), expected="sizes ≥ 0")
    return (tensor_type(dims, elem),)


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
        return _of_shape(n)


@ge_op
class RandomStandardNormal(GeOp):
    """Normally distributed numbers of mean 0 and deviation 1, of shape `shape`."""

    name = "ge.RandomStandardNormal"
    EFFECTS: ClassVar = Effects.RANDOM

    shape = tin("IndexNumberType")
    y = tout(REAL)
    dtype = type_()
    seed = int_(0)
    seed2 = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _of_shape(n)


@ge_op
class Multinomial(GeOp):
    """`num_samples` class numbers per row of `logits`, each drawn with its softmax probability."""

    name = "ge.Multinomial"
    EFFECTS: ClassVar = Effects.RANDOM

    logits = tin("float16, float32, float64")
    num_samples = tin("int32")
    y = tout("int32, int64")
    dtype = type_("int64")
    seed = int_(0)
    seed2 = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        elem, shape = n.attr("dtype"), n.shape("logits")
        if elem not in expand_spec("int32, int64"):
            n.fail(
                "dtype is no index type", found=ge_name(elem), expected="int32, int64", code=DTYPE
            )
        if shape is not None and (len(shape) != 2 or shape[1] == 0):
            n.fail(
                "logits must hold rows of classes", found=show(shape), expected="rank 2", code=RANK
            )
        count = n.scalar("num_samples")
        if count is not None and count < 0:
            n.fail("num_samples must not be negative", found=count, expected="≥ 0")
        rows = UNKNOWN if shape is None else shape[0]
        return (tensor_type((rows, UNKNOWN if count is None else count), elem),)
