"""Operators of ours for what ONNX has and GE has not; they run on the host's engine (AI CPU)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import to_xdsl
from ge_dialect.infer.dims import UNKNOWN, norm_axis, product, show
from ge_dialect.infer.errors import LENGTH, RANK
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, floats, int_, ints, string, tin, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_INT64 = to_xdsl("int64")


@ge_op
class HostUnique(GeOp):
    """The distinct elements of x (or slices along `axis`), with three maps. No operator of GE.

    indices: first place of each in x; inverse_indices: where each element of x went; counts: how
    often each occurs. In rising order, or, without `sorted`, in order of first occurrence. Without
    `axis` x is flattened.
    """

    name = "ge.HostUnique"
    TYPES: ClassVar = {"T": "RealNumberType, bool"}

    x = tin("T")
    y = tout("T")
    indices = tout("int64")
    inverse_indices = tout("int64")
    counts = tout("int64")
    sorted = bool_(True)
    axis = int_(opt=True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, axis = n.shape("x"), n.attr("axis")
        index, size = tensor_type((UNKNOWN,), _INT64), UNKNOWN
        if axis is None:
            size = UNKNOWN if shape is None else product(shape)
            out: tuple[int, ...] | None = (UNKNOWN,)
        elif shape is None:
            out = None
        else:
            place = norm_axis(axis, len(shape))
            if 0 in (*shape[:place], *shape[place + 1 :]):
                n.fail("empty slices cannot be told apart", found=show(shape), expected="sizes ≥ 1")
            size = shape[place]
            out = (*shape[:place], UNKNOWN, *shape[place + 1 :])
        return tensor_type(out, n.elem("x")), index, tensor_type((size,), _INT64), index


@ge_op
class HostTfIdfVectorizer(GeOp):
    """How often n-grams of a pool occur in the rows of x, plain or weighted. No operator of GE.

    `pool_int64s` lists the n-grams: those of length 1 first, then of length 2, …;
    `ngram_counts[i]` is where those of length i + 1 start. An n-gram takes every (s + 1)-th
    element for s in 0 … `max_skip_count`; those of length 1 are counted once. Entry
    `ngram_indexes[g]` of the row is the count of the g-th (TF), 1 where it occurs (IDF), or the
    count (TFIDF), times `weights[g]` for the last two.
    """

    name = "ge.HostTfIdfVectorizer"

    x = tin("int32, int64")
    y = tout("float32")
    mode = string()
    min_gram_length = int_()
    max_gram_length = int_()
    max_skip_count = int_()
    ngram_counts = ints()
    ngram_indexes = ints()
    pool_int64s = ints()
    weights = floats([])

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, mode, places = n.shape("x"), n.attr("mode"), n.attr("ngram_indexes")
        if mode not in ("TF", "IDF", "TFIDF"):
            n.fail("unknown mode", found=mode, expected="TF, IDF or TFIDF")
        low, high, skip = (
            n.attr(a) for a in ("min_gram_length", "max_gram_length", "max_skip_count")
        )
        if not 1 <= low <= high or skip < 0:
            n.fail(
                "the gram lengths are not valid", found=(low, high, skip), expected="1 ≤ min ≤ max"
            )
        starts, pool = n.attr("ngram_counts"), n.attr("pool_int64s")
        if not starts or len(starts) < high or list(starts) != sorted(starts) or starts[0] != 0:
            n.fail("ngram_counts is not valid", found=starts, expected=f"{high} rising starts")
        ends = (*starts[1:], len(pool))
        grams = 0
        for length, (start, end) in enumerate(zip(starts, ends, strict=True), 1):
            if not start <= end <= len(pool) or (end - start) % length:
                n.fail("the pool does not hold whole n-grams", found=end - start, expected=length)
            parts = [tuple(pool[i : i + length]) for i in range(start, end, length)]
            if len(set(parts)) != len(parts):
                n.fail("an n-gram stands twice in the pool", found=list(parts), expected="once")
            grams += len(parts)
        if len(places) != grams or min(places, default=0) < 0:
            n.fail("ngram_indexes is not valid", found=len(places), expected=grams, code=LENGTH)
        if n.attr("weights") and len(n.attr("weights")) != grams:
            n.fail(
                "weights has the wrong length",
                found=len(n.attr("weights")),
                expected=grams,
                code=LENGTH,
            )
        if shape is None:
            return (tensor_type(None, to_xdsl("float32")),)
        if len(shape) not in (1, 2):
            n.fail("x must be a row or rows", found=show(shape), expected="rank 1 or 2", code=RANK)
        return (tensor_type((*shape[:-1], max(places, default=-1) + 1), to_xdsl("float32")),)
