"""Random numbers from keys that are inputs, and further draws.

An operator with key and counter, or with seed and offset, as inputs gives the same numbers for the
same inputs: it is pure. StatelessRandomUniformV2 and StatelessRandomNormalV2 give TensorFlow's
numbers (Philox 4x32-10 in its block order); the numbers of the others are this project's, of the
distribution their documents state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import expand_spec, ge_name, to_xdsl
from ge_dialect.infer.dims import UNKNOWN, require_rank
from ge_dialect.infer.errors import DTYPE, RANK
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.effects import Effects
from ge_dialect.ir.fields import bool_, int_, opt_tin, tin, tout, type_
from ge_dialect.ir.types import tensor_type
from ge_dialect.ops.random import mask_bytes

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_INDEX = "IndexNumberType"
_FLOATS = "FLOAT, float64"
_SEED = "int32, int64"


def _dims(n: InferNode) -> tuple[int, ...] | None:
    """Sizes that the input `shape` tells, as far as they are known."""
    length, dims = n.vector_length("shape"), n.ints("shape")
    if dims is None:
        return None if length is None else (UNKNOWN,) * length
    if any(d < 0 for d in dims):
        n.fail("shape has a negative entry", found=list(dims), expected="sizes ≥ 0")
    return tuple(dims)


def _float(n: InferNode, allowed: str = _FLOATS) -> Attribute:
    elem = n.attr("dtype")
    if elem not in expand_spec(allowed):
        n.fail("dtype is not supported", found=ge_name(elem), expected=allowed, code=DTYPE)
    return elem


class _Keyed(GeOp):
    """Numbers of shape `shape` that follow from a key and a counter."""

    shape = tin(_INDEX)
    key = tin("uint64")
    counter = tin("uint64")
    alg = tin("int32")
    y = tout(_FLOATS)
    dtype = type_("float32")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        for name, size in (("key", 1), ("counter", 2)):
            require_rank(n.shape(name), 1, name)
            length = n.vector_length(name)
            if length is not None and length != size:
                n.fail(f"{name} has the wrong length", found=length, expected=size)
        alg = n.scalar("alg")
        if alg is not None and alg not in (1, 3):
            n.fail("the algorithm is not supported", found=alg, expected="1 (Philox) or 3 (auto)")
        return (tensor_type(_dims(n), _float(n)),)


@ge_op
class StatelessRandomUniformV2(_Keyed):
    """Uniform numbers in [0, 1) of shape `shape`, TensorFlow's for this key and counter."""

    name = "ge.StatelessRandomUniformV2"


@ge_op
class StatelessRandomNormalV2(_Keyed):
    """Normal numbers of mean 0 and deviation 1, TensorFlow's for this key and counter."""

    name = "ge.StatelessRandomNormalV2"


@ge_op
class StatelessBernoulli(GeOp):
    """Numbers 1 with probability `prob`, else 0, of shape `shape`; by seed and offset."""

    name = "ge.StatelessBernoulli"

    shape = tin(_INDEX)
    prob = tin(_FLOATS)
    seed = tin(_SEED)
    offset = tin(_SEED)
    y = tout("RealNumberType, bool")
    dtype = type_("float32")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        for name in ("prob", "seed", "offset"):
            n.one_value(name)
        return (tensor_type(_dims(n), _float(n, "RealNumberType, bool")),)


@ge_op
class StatelessBernoulliV2(GeOp):
    """Numbers 1, each with the probability at its place of x, else 0; by seed and offset.

    Seed -1 with offset 0, by which GE takes a seed from outside, is a key like any other: what is
    drawn can be drawn again. Without `dtype` the result has that of x.
    """

    name = "ge.StatelessBernoulliV2"

    x = tin("float16, float32, float64")
    seed = tin("int64")
    offset = tin("int64")
    y = tout("RealNumberType, bool")
    dtype = type_(opt=True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        for name in ("seed", "offset"):
            n.one_value(name)
        given = n.attr("dtype") is not None
        elem = _float(n, "RealNumberType, bool") if given else n.elem("x")
        return (tensor_type(n.shape("x"), elem),)


@ge_op
class StatelessDropOutGenMask(GeOp):
    """The mask of DropOutGenMask, by seed, seed1 and offset."""

    name = "ge.StatelessDropOutGenMask"

    shape = tin(_INDEX)
    prob = tin("FLOAT")
    seed = tin(_SEED)
    seed1 = tin(_SEED)
    offset = opt_tin("int64")
    y = tout("uint8")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        for name in ("prob", "seed", "seed1", "offset"):
            n.one_value(name)
        dims, size = _dims(n), UNKNOWN
        if dims is not None and -1 not in dims:
            size = mask_bytes(dims)
        return (tensor_type((size,), to_xdsl("uint8")),)


@ge_op
class StatelessRandperm(GeOp):
    """The numbers 0 … n - 1 in an order that follows from seed and offset."""

    name = "ge.StatelessRandperm"

    n_ = tin("int64", name="n")
    seed = tin("int64")
    offset = tin("int64")
    y = tout("int64, int32, int16, uint8, int8, float32, float16, float64, bfloat16")
    layout = int_(0)
    dtype = type_("int64")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        for name in ("seed", "offset"):
            n.one_value(name)
        count = n.scalar("n")
        if count is not None and count < 0:
            n.fail("n must not be negative", found=count, expected="≥ 0")
        elem = _float(n, "int64, int32, int16, uint8, int8, float32, float16, float64, bfloat16")
        return (tensor_type((UNKNOWN if count is None else count,), elem),)


@ge_op
class MultinomialWithReplacement(GeOp):
    """`numsamples` classes per row of weights x ([classes] or [rows, classes]).

    With `replacement` each is drawn by the weights anew, without it each class at most once, by the
    weights of those left.
    """

    name = "ge.MultinomialWithReplacement"

    x = tin("float16, float32, float64")
    seed = tin("int64")
    offset = tin("int64")
    y = tout("int64")
    numsamples = int_()
    replacement = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, count = n.shape("x"), n.attr("numsamples")
        for name in ("seed", "offset"):
            n.one_value(name)
        require_rank(shape, (1, 2), "x")
        classes = UNKNOWN if shape is None else shape[-1]
        if classes == 0:
            n.fail("x holds no classes", found=0, expected="≥ 1", code=RANK)
        if count < 1 or (not n.attr("replacement") and 0 <= classes < count):
            most = classes if not n.attr("replacement") else "…"
            n.fail("numsamples is no number of draws", found=count, expected=f"1 … {most}")
        out = None if shape is None else (*shape[:-1], count)
        return (tensor_type(out, to_xdsl("int64")),)


@ge_op
class TruncatedNormal(GeOp):
    """Normal numbers of mean 0 and deviation 1, those beyond two deviations drawn again."""

    name = "ge.TruncatedNormal"
    EFFECTS: ClassVar = Effects.RANDOM

    shape = tin(_INDEX)
    y = tout(_FLOATS)
    seed = int_(0)
    seed2 = int_(0)
    dtype = type_("float32")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (tensor_type(_dims(n), _float(n)),)


@ge_op
class RandomShuffle(GeOp):
    """The slices of x along axis 0 in a random order."""

    name = "ge.RandomShuffle"
    TYPES: ClassVar = {"T": "BasicType, bool"}
    EFFECTS: ClassVar = Effects.RANDOM

    x = tin("T")
    y = tout("T")
    seed = int_(0)
    seed2 = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        require_rank(n.shape("x"), range(1, 64), "x")
        return (n.logical("x"),)
