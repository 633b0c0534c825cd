"""Random numbers: counter-based, keyed by the seeds and the node's stable id."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import expand_spec, ge_name, to_xdsl
from ge_dialect.infer.dims import UNKNOWN, merge_dim, product, show
from ge_dialect.infer.errors import DTYPE, RANK
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.effects import Effects
from ge_dialect.ir.fields import bool_, float_, int_, tin, tout, type_
from ge_dialect.ir.types import tensor_type
from ge_dialect.ops._bases import REAL

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


def _shaped(n: InferNode, elem: Attribute) -> Sequence[Attribute]:
    length, dims = n.vector_length("shape"), n.ints("shape")
    if dims is None:
        return (tensor_type(None if length is None else (-1,) * length, elem),)
    if any(d < 0 for d in dims):
        n.fail("shape has a negative entry", found=list(dims), expected="sizes ≥ 0")
    return (tensor_type(dims, elem),)


class _OfShape(GeOp):
    """Numbers of shape `shape` and dtype `dtype`."""

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
        return _shaped(n, elem)


@ge_op
class RandomUniform(_OfShape):
    """Uniform numbers in [0, 1) of shape `shape` and dtype `dtype`."""

    name = "ge.RandomUniform"
    EFFECTS: ClassVar = Effects.RANDOM


@ge_op
class RandomStandardNormal(_OfShape):
    """Normally distributed numbers of mean 0 and deviation 1, of shape `shape`."""

    name = "ge.RandomStandardNormal"
    EFFECTS: ClassVar = Effects.RANDOM


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


@ge_op
class RandomUniformInt(GeOp):
    """Integers of shape `shape`, equally likely in min … max - 1."""

    name = "ge.RandomUniformInt"
    TYPES: ClassVar = {"T": "IndexNumberType"}
    EFFECTS: ClassVar = Effects.RANDOM

    shape = tin("IndexNumberType")
    min = tin("T")
    max = tin("T")
    y = tout("T")
    seed = int_(0)
    seed2 = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        low, high = n.scalar("min"), n.scalar("max")
        if low is not None and high is not None and low >= high:
            n.fail("min must be below max", found=f"{low} and {high}", expected="min < max")
        return _shaped(n, n.elem("min"))


@ge_op
class DropOutGenMask(GeOp):
    """A mask of one bit per element of a tensor of shape `shape`, each set with probability `prob`.

    Elements in row-major order take the bits of a byte from the lowest on; the number of bits is
    rounded up to a multiple of 128.
    """

    name = "ge.DropOutGenMask"
    EFFECTS: ClassVar = Effects.RANDOM

    shape = tin("IndexNumberType")
    prob = tin("float16, float32")
    y = tout("uint8")
    seed = int_(0)
    seed2 = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        n.one_value("prob")
        n.vector_length("shape")
        dims, size = n.ints("shape"), UNKNOWN
        if dims is not None:
            if any(d < 0 for d in dims):
                n.fail("shape has a negative entry", found=list(dims), expected="sizes ≥ 0")
            size = mask_bytes(dims)
        return (tensor_type((size,), to_xdsl("uint8")),)


def _masked(n: InferNode, *, bits: bool, whole: bool) -> Sequence[Attribute]:
    """x, of which each element has a bit of the mask, or a whole byte."""
    shape, mask = n.shape("x"), n.shape("mask")
    if mask is not None and len(mask) != 1:
        n.fail("mask must be a vector", found=show(mask), expected="rank 1", code=RANK)
    if shape is not None and -1 not in shape and mask is not None:
        size = mask_bytes(shape)
        if whole and (not bits or mask[0] == 8 * size):
            size *= 8
        merge_dim(size, mask[0], "bytes of the mask and elements of x")
    return (n.logical("x"),)


@ge_op
class DropOutDoMask(GeOp):
    """x / keep_prob where the element's bit of `mask` is set, 0 elsewhere; see DropOutGenMask."""

    name = "ge.DropOutDoMask"
    TYPES: ClassVar = {"T": "FLOAT"}

    x = tin("T")
    mask = tin("uint8")
    keep_prob = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        n.one_value("keep_prob")
        return _masked(n, bits=True, whole=False)


@ge_op
class DropOutDoMaskV3D(GeOp):
    """x / keep_prob where an element is kept, 0 elsewhere.

    The mask has a byte (0: dropped) for each element of x, their number rounded up to a multiple of
    128, or, as uint8, a bit for each, see DropOutGenMask: public documents of different devices
    have one or the other, and its length tells which.
    """

    name = "ge.DropOutDoMaskV3D"
    TYPES: ClassVar = {"T": "FLOAT"}

    x = tin("T")
    mask = tin("bool, uint8")
    y = tout("T")
    keep_prob = float_()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        if not 0 < n.attr("keep_prob") <= 1:
            n.fail("keep_prob is no share", found=n.attr("keep_prob"), expected="0 … 1, not 0")
        return _masked(n, bits=n.elem("mask") != to_xdsl("bool"), whole=True)


class _DropOut(GeOp):
    """What both spellings share."""

    x = tin("float32")
    y = tout("float32")
    dropout_ratio = float_(0.5)
    scale_train = bool_(True)
    alpha = float_(1.0)
    beta = float_(0.0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        ratio = n.attr("dropout_ratio")
        if not 0 <= ratio <= 1:
            n.fail("dropout_ratio is no share", found=ratio, expected="0 … 1")
        for name, plain in (("alpha", 1.0), ("beta", 0.0)):
            if n.attr(name) != plain:
                n.fail(f"{name} is not supported", found=n.attr(name), expected=plain)
        return (n.logical("x"),)


@ge_op
class Dropout(_DropOut):
    """Each element of x, or 0 with probability dropout_ratio, drawn anew in every run.

    With `scale_train` what is kept is divided by 1 - dropout_ratio, so that means stay; a ratio of
    1 keeps nothing. There is no seed: numbers are keyed by the run's seed and the node. What alpha
    and beta other than 1 and 0 mean is not public. Dropout of inference is no node of this kind but
    the identity: GE's DropOutPass removes it.
    """

    name = "ge.Dropout"
    EFFECTS: ClassVar = Effects.RANDOM


@ge_op
class DropOut(_DropOut):
    """Dropout under the name that GE's pass DropOutPass and some graphs have for it."""

    name = "ge.DropOut"
    EFFECTS: ClassVar = Effects.RANDOM


def mask_bytes(shape: Sequence[int]) -> int:
    """Bytes of a dropout mask for a tensor of this shape: bits in whole blocks of 128."""
    return -(-product(shape) // 128) * 16
