"""Writes by index: a copy of a tensor with elements or slices replaced or combined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import ge_name
from ge_dialect.infer.dims import UNKNOWN, merge_dim, norm_axis, refine, show
from ge_dialect.infer.errors import DTYPE, RANK, SHAPE, SIZE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.effects import Effects
from ge_dialect.ir.fields import bool_, int_, ref_in, ref_out, string, tin, tout
from ge_dialect.ir.types import ref_type, tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_INDEX = "IndexNumberType"
REDUCTIONS = ("none", "add", "mul", "max", "min")


@ge_op
class ScatterElements(GeOp):
    """A copy of data with `updates` written along `axis` at `indices`, which have one shape.

    y[…, indices[p], …] = updates[p] for every place p, the index standing at `axis`. With a
    `reduction` (add, mul, max, min) the update is combined with what stands there. Of several
    updates of one element the last wins. Negative indices count from the end (assumed).
    """

    name = "ge.ScatterElements"
    TYPES: ClassVar = {"T": "ANY"}

    data = tin("T")
    indices = tin(_INDEX)
    updates = tin("T")
    y = tout("T")
    axis = int_(0)
    reduction = string("none")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        reduction = n.attr("reduction")
        if reduction not in REDUCTIONS:
            n.fail("unknown reduction", found=reduction, expected=", ".join(REDUCTIONS))
        if reduction != "none" and ge_name(n.elem("data")).startswith("string"):
            n.fail("strings are not reduced", found=reduction, expected="none", code=DTYPE)
        data = n.shape("data")
        places = refine(n.shape("indices"), n.shape("updates"), "shapes of indices and updates")
        if data is not None:
            if not data:
                n.fail("a scalar has no axis", found="scalar", expected="rank ≥ 1", code=RANK)
            axis = norm_axis(n.attr("axis"), len(data))
            if places is not None:
                check_places(n, data, places, axis, "indices")
        return (tensor_type(data, n.elem("data")),)


def check_places(
    n: InferNode, data: Sequence[int], places: Sequence[int], axis: int, what: str
) -> None:
    """Indices have the rank of the data and are nowhere larger, except along `axis`."""
    if len(places) != len(data):
        n.fail(
            f"{what} has the wrong rank",
            found=f"{show(tuple(places))} for {show(tuple(data))}",
            expected="equal ranks",
            code=RANK,
        )
    for i, (have, limit) in enumerate(zip(places, data, strict=True)):
        if i != axis and have >= 0 and limit >= 0 and have > limit:
            n.fail(
                f"{what} is larger than the tensor it points into",
                found=f"{have} on axis {i} of size {limit}",
                expected=f"at most {limit}",
                code=SIZE,
            )


def slices_shape(
    n: InferNode, whole: tuple[int, ...] | None, indices: tuple[int, ...] | None, what: str
) -> tuple[int, ...] | None:
    """Shape of the slices that tuples along the last axis of `indices` pick; None where unknown."""
    if indices is None:
        return None
    if not indices:
        n.fail(f"{what} must have an axis", found="scalar", expected="rank ≥ 1", code=RANK)
    depth = indices[-1]
    if whole is None or depth < 0:
        return None
    if not 1 <= depth <= len(whole):
        n.fail(
            f"{what} has tuples that do not fit the rank",
            found=depth,
            expected=f"1 … {len(whole)}",
            code=SHAPE,
        )
    return (*indices[:-1], *whole[depth:])


@ge_op
class ScatterNd(GeOp):
    """Zeros of shape `shape` with the slices x added at the index tuples in `indices`.

    Tuples lie along the last axis of `indices`; slices of one place are summed. An index outside
    the shape is an error.
    """

    name = "ge.ScatterNd"
    TYPES: ClassVar = {"T": "BasicType"}

    indices = tin(_INDEX)
    x = tin("T")
    shape = tin(_INDEX)
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        length, dims = n.vector_length("shape"), n.ints("shape")
        if dims is None:
            return (tensor_type(None if length is None else (-1,) * length, n.elem("x")),)
        if any(d < 0 for d in dims):
            n.fail("shape has a negative entry", found=list(dims), expected="sizes ≥ 0")
        refine(slices_shape(n, dims, n.shape("indices"), "indices"), n.shape("x"), "slices and x")
        return (tensor_type(dims, n.elem("x")),)


@ge_op
class TensorScatterUpdate(GeOp):
    """A copy of x with the slices `updates` at the index tuples in `indices`.

    Tuples lie along the last axis of `indices`. Of several slices of one place the last wins. An
    index outside x is an error.
    """

    name = "ge.TensorScatterUpdate"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    indices = tin(_INDEX)
    updates = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = n.shape("x")
        slices = slices_shape(n, shape, n.shape("indices"), "indices")
        refine(slices, n.shape("updates"), "slices and updates")
        return (tensor_type(shape, n.elem("x")),)


@ge_op
class ReverseSequence(GeOp):
    """x with the first `seq_lengths[b]` elements along `seq_dim` reversed, for b on `batch_dim`.

    What stands behind them stays. The prototype is not in the public data (assumed).
    """

    name = "ge.ReverseSequence"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    seq_lengths = tin(_INDEX)
    y = tout("T")
    seq_dim = int_()
    batch_dim = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, lengths = n.shape("x"), n.shape("seq_lengths")
        if lengths is not None and len(lengths) != 1:
            n.fail(
                "seq_lengths must be a vector", found=show(lengths), expected="rank 1", code=RANK
            )
        if shape is not None:
            batch = norm_axis(n.attr("batch_dim"), len(shape), "batch_dim")
            if norm_axis(n.attr("seq_dim"), len(shape), "seq_dim") == batch:
                n.fail("seq_dim is batch_dim", found=batch, expected="two axes")
            if lengths is not None:
                both = merge_dim(shape[batch], lengths[0], "batch of x and seq_lengths")
                shape = (*shape[:batch], both, *shape[batch + 1 :])
        return (tensor_type(shape, n.elem("x")),)


@ge_op
class ScatterUpdate(GeOp):
    """Rows of var replaced: var[indices] = updates. Of several writes to a row the last wins.

    An index outside the variable is an error.
    """

    name = "ge.ScatterUpdate"
    TYPES: ClassVar = {"T": "ANY"}
    EFFECTS: ClassVar = Effects.writes("var", reads=("var",))

    var = ref_in("T")
    indices = tin(_INDEX)
    updates = tin("T")
    var_ = ref_out("T", name="var")
    use_locking = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, indices = n.shape("var"), n.shape("indices")
        if shape == ():
            n.fail("a scalar has no rows", found="scalar", expected="rank ≥ 1", code=RANK)
        if shape is not None and indices is not None:
            refine((*indices, *shape[1:]), n.shape("updates"), "rows and updates")
        return (ref_type(tensor_type(shape, n.elem("var"))),)


@ge_op
class UnsortedSegmentSum(GeOp):
    """Row i is the sum of the slices of x whose `segment_ids` is i; a negative id counts nowhere.

    The ids have the first axes of x; an id beyond `num_segments` is an error.
    """

    name = "ge.UnsortedSegmentSum"
    TYPES: ClassVar = {"T": "NumberType"}

    x = tin("T")
    segment_ids = tin(_INDEX)
    num_segments = tin(_INDEX)
    y = tout("T")
    is_preprocessed = bool_(False)
    check_ids = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, ids, count = n.shape("x"), n.shape("segment_ids"), n.scalar("num_segments")
        if count is not None and count < 0:
            n.fail("num_segments must not be negative", found=count, expected="≥ 0")
        if shape is None or ids is None:
            return (tensor_type(None, n.elem("x")),)
        if len(ids) > len(shape):
            n.fail(
                "segment_ids has more axes than x",
                found=f"{show(ids)} for {show(shape)}",
                expected=f"at most rank {len(shape)}",
                code=RANK,
            )
        refine(shape[: len(ids)], ids, "first axes of x and segment_ids")
        rows = UNKNOWN if count is None else count
        return (tensor_type((rows, *shape[len(ids) :]), n.elem("x")),)
