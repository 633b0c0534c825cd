"""Order: positions of extremes, the largest elements, sorting, distinct values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import BY_ENUM, ge_name, to_xdsl
from ge_dialect.infer.dims import UNKNOWN, norm_axis, show
from ge_dialect.infer.errors import DTYPE, RANK, SIZE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, int_, tin, tout, type_
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_INDEX = "IndexNumberType"
_INT32, _INT64 = to_xdsl("int32"), to_xdsl("int64")


def _index_elem(n: InferNode, name: str) -> Attribute:
    """The dtype of positions that an attribute names: int32 or int64."""
    elem = n.attr(name)
    if isinstance(elem, int):
        found = BY_ENUM.get(elem)
        elem = None if found is None else found.type
    if elem not in (_INT32, _INT64):
        found = n.attr(name) if elem is None else ge_name(elem)
        n.fail(f"{name} is no index type", found=found, expected="int32 or int64", code=DTYPE)
    return elem


class _Extreme(GeOp):
    """The position of an extreme element along `dimension`, which disappears."""

    x = tin("NumberType")
    dimension = tin(_INDEX)
    y = tout(_INDEX)
    dtype = type_("int64")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        elem, shape, axis = _index_elem(n, "dtype"), n.shape("x"), n.scalar("dimension")
        if shape is None:
            return (tensor_type(None, elem),)
        if not shape:
            n.fail("a scalar has no axis", found="scalar", expected="rank ≥ 1", code=RANK)
        if axis is None:
            return (tensor_type((UNKNOWN,) * (len(shape) - 1), elem),)
        axis = norm_axis(axis, len(shape), "dimension")
        if shape[axis] == 0:
            n.fail(
                "an empty axis has no extreme", found=show(shape), expected="size ≥ 1", code=SIZE
            )
        return (tensor_type((*shape[:axis], *shape[axis + 1 :]), elem),)


@ge_op
class ArgMaxV2(_Extreme):
    """Position of the largest element along `dimension`, which disappears; of equals the first.

    A NaN counts as larger than everything.
    """

    name = "ge.ArgMaxV2"


@ge_op
class ArgMin(_Extreme):
    """Position of the smallest element along `dimension`, which disappears; of equals the first.

    A NaN counts as smaller than everything.
    """

    name = "ge.ArgMin"


class _ExtremeWithValue(GeOp):
    """The first position of an extreme element along `dimension`, and the element."""

    x = tin("T")
    indice = tout(_INDEX)
    values = tout("T")
    dimension = int_()
    keep_dims = bool_(False)
    indice_dtype = type_("int32")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        elem, shape = _index_elem(n, "indice_dtype"), n.shape("x")
        if shape is None:
            return tensor_type(None, elem), tensor_type(None, n.elem("x"))
        if not shape:
            n.fail("a scalar has no axis", found="scalar", expected="rank ≥ 1", code=RANK)
        axis = norm_axis(n.attr("dimension"), len(shape), "dimension")
        if shape[axis] == 0:
            n.fail(
                "an empty axis has no extreme", found=show(shape), expected="size ≥ 1", code=SIZE
            )
        kept = (1,) if n.attr("keep_dims") else ()
        out = (*shape[:axis], *kept, *shape[axis + 1 :])
        return tensor_type(out, elem), tensor_type(out, n.elem("x"))


@ge_op
class ArgMaxWithValue(_ExtremeWithValue):
    """First position of the largest element along `dimension`, and the element."""

    name = "ge.ArgMaxWithValue"
    TYPES: ClassVar = {"T": "FLOAT, IndexNumberType"}


@ge_op
class ArgMinWithValue(_ExtremeWithValue):
    """First position of the smallest element along `dimension`, and the element."""

    name = "ge.ArgMinWithValue"
    TYPES: ClassVar = {"T": "FLOAT, IndexNumberType"}


def _top(n: InferNode, elem: Attribute) -> Sequence[Attribute]:
    shape, k = n.shape("x"), n.scalar("k")
    if k is not None and k < 0:
        n.fail("k must not be negative", found=k, expected="≥ 0")
    if shape is None:
        return tensor_type(None, n.elem("x")), tensor_type(None, elem)
    if not shape:
        n.fail("a scalar has no axis", found="scalar", expected="rank ≥ 1", code=RANK)
    axis = norm_axis(n.attr("dim"), len(shape), "dim")
    if k is not None and 0 <= shape[axis] < k:
        n.fail(
            "k is larger than the axis",
            found=f"{k} of {shape[axis]}",
            expected=f"at most {shape[axis]}",
            code=SIZE,
        )
    out = (*shape[:axis], UNKNOWN if k is None else k, *shape[axis + 1 :])
    return tensor_type(out, n.elem("x")), tensor_type(out, elem)


@ge_op
class TopK(GeOp):
    """The k largest (or smallest) elements along `dim` and their positions, in order.

    Of equal elements the first comes first; a NaN counts as larger than everything. With `sorted`
    false GE leaves the order open; here it is the same.
    """

    name = "ge.TopK"
    TYPES: ClassVar = {"T": "RealNumberType"}

    x = tin("T")
    k = tin("int32")
    values = tout("T")
    indices = tout("int32")
    sorted = bool_(True)
    largest = bool_(True)
    dim = int_(-1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _top(n, _INT32)


@ge_op
class TopKV2(GeOp):
    """TopK with positions of dtype `indices_dtype` (GE's number: 3 int32, 9 int64)."""

    name = "ge.TopKV2"
    TYPES: ClassVar = {"T": "RealNumberType"}

    x = tin("T")
    k = tin(_INDEX)
    values = tout("T")
    indices = tout(_INDEX)
    sorted = bool_(True)
    dim = int_(-1)
    largest = bool_(True)
    indices_dtype = int_(3)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _top(n, _index_elem(n, "indices_dtype"))


@ge_op
class Sort(GeOp):
    """x in order along `axis`, and where each element came from.

    Equal elements keep their order, whatever `stable` says; a NaN counts as larger than everything.
    """

    name = "ge.Sort"
    TYPES: ClassVar = {"T": "RealNumberType"}

    x = tin("T")
    y1 = tout("T")
    y2 = tout(_INDEX)
    axis = int_(-1)
    descending = bool_(False)
    stable = bool_(False)
    y2_dtype = type_("int32")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, elem = n.shape("x"), _index_elem(n, "y2_dtype")
        if shape is not None:
            norm_axis(n.attr("axis"), len(shape))
        return tensor_type(shape, n.elem("x")), tensor_type(shape, elem)


def _vector_size(n: InferNode) -> int:
    """Number of elements of the vector x, -1 where unknown; an error for another rank."""
    shape = n.shape("x")
    if shape is None:
        return UNKNOWN
    if len(shape) != 1:
        n.fail("x must be a vector", found=show(shape), expected="rank 1", code=RANK)
    return shape[0]


@ge_op
class Unique(GeOp):
    """The distinct values of a vector in order of first occurrence, and where each x went."""

    name = "ge.Unique"
    TYPES: ClassVar = {"T": "RealNumberType"}

    x = tin("T")
    y = tout("T")
    idx = tout(_INDEX)
    out_idx = type_("int32")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        elem, size = _index_elem(n, "out_idx"), _vector_size(n)
        return tensor_type((0 if size == 0 else UNKNOWN,), n.elem("x")), tensor_type((size,), elem)


@ge_op
class UniqueWithCountsAndSorting(GeOp):
    """The distinct elements of x as a vector, where each x went, and how often each occurs.

    In rising order (a NaN is the largest and like no other), or that of first occurrence where not
    `sorted`. What is not asked for is empty, as in PyTorch's function (assumed).
    """

    name = "ge.UniqueWithCountsAndSorting"
    TYPES: ClassVar = {"T": "RealNumberType"}

    x = tin("T")
    y = tout("T")
    indices = tout(_INDEX)
    counts = tout(_INDEX)
    return_inverse = bool_(False)
    return_counts = bool_(False)
    sorted = bool_(True)
    out_idx = type_("int64")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        elem, shape = _index_elem(n, "out_idx"), n.shape("x")
        found = 0 if shape is not None and 0 in shape else UNKNOWN
        return (
            tensor_type((found,), n.elem("x")),
            tensor_type(shape if n.attr("return_inverse") else (0,), elem),
            tensor_type((found if n.attr("return_counts") else 0,), elem),
        )


@ge_op
class UniqueWithCounts(GeOp):
    """Unique, and how often each value occurs."""

    name = "ge.UniqueWithCounts"
    TYPES: ClassVar = {"T": "RealNumberType"}

    x = tin("T")
    y = tout("T")
    idx = tout(_INDEX)
    count = tout(_INDEX)
    out_idx = type_()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        elem, size = _index_elem(n, "out_idx"), _vector_size(n)
        found = 0 if size == 0 else UNKNOWN
        return (
            tensor_type((found,), n.elem("x")),
            tensor_type((size,), elem),
            tensor_type((found,), elem),
        )
