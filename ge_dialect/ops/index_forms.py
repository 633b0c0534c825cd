"""Reading and writing by index as frameworks do: advanced indexing, strides, parts and stitches.

Sources: torch's index, index_put, index_add, as_strided, searchsorted, unique_consecutive and
embedding_dense_backward; TensorFlow's StridedSliceGrad, DynamicPartition and DynamicStitch; the
prototypes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import ge_name, to_xdsl
from ge_dialect.infer.broadcast import broadcast_all, broadcast_to
from ge_dialect.infer.dims import UNKNOWN, norm_axis, refine, require_rank, show
from ge_dialect.infer.errors import COUNT, DTYPE, LENGTH, SHAPE
from ge_dialect.infer.joining import MOST_PARTS
from ge_dialect.infer.slicing import strided_slice_shape
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, dyn_tin, dyn_tout, int_, ints, opt_tin, tin, tout, type_
from ge_dialect.ir.types import elem_of, shape_of, tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_INDEX = "IndexNumberType"
_NUMBERS = "BasicType, bool"
_I32, _I64 = to_xdsl("int32"), to_xdsl("int64")
_MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
Shape = tuple[int, ...] | None


def _indexed(n: InferNode, mask: Sequence[int] | None) -> Shape:
    """Shape of x[i, :, j …] with an index where the mask has a 1, broadcast together."""
    shape, count = n.shape("x"), len(n.types("indices"))
    common = broadcast_all(*n.shapes("indices")) if count else ()
    if mask is None or shape is None:
        return None
    if len(mask) > len(shape) or sum(1 for m in mask if m) != count or not count:
        n.fail(
            "there is not one index per axis marked",
            found=f"{count} indices, marks {list(mask)}",
            expected=f"marks of up to {len(shape)} axes",
            code=COUNT,
        )
    if common is None:
        return None
    places = [i for i, m in enumerate(mask) if m]
    kept = [d for i, d in enumerate(shape) if i not in places]
    first = places[0] if places[-1] - places[0] == len(places) - 1 else 0
    return (*kept[:first], *common, *kept[first:])


@ge_op
class Index(GeOp):
    """x at index tensors that broadcast together, one for each axis that indexed_sizes marks.

    Axes without one stay whole. The dims of the indices stand where the indexed axes stood, in
    front where those are apart. Negative indices count from the end (assumed).
    """

    name = "ge.Index"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    indexed_sizes = tin("int64")
    indexed_strides = tin("int64")
    indices = dyn_tin(_INDEX)
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        require_rank(n.shape("indexed_sizes"), 1, "indexed_sizes")
        return (tensor_type(_indexed(n, n.ints("indexed_sizes")), n.elem("x")),)


@ge_op
class IndexByTensor(GeOp):
    """Index with its marks as the attribute indices_mask; none marks the first axes."""

    name = "ge.IndexByTensor"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    indices = dyn_tin("int64, int32")
    y = tout("T")
    indices_mask = ints([])

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        mask = n.attr("indices_mask") or (1,) * len(n.types("indices"))
        return (tensor_type(_indexed(n, mask), n.elem("x")),)


@ge_op
class IndexPutV2(GeOp):
    """x with `value` written, or added with `accumulate`, where Index would read.

    value stretches to what Index gives. Of several values for one place the last one stays
    (assumed). GE writes x in place; here the result is a new value.
    """

    name = "ge.IndexPutV2"
    TYPES: ClassVar = {"T": _NUMBERS}

    x = tin("T")
    value = tin("T")
    indexed_sizes = tin("int64")
    indexed_strides = tin("int64")
    indices = dyn_tin(_INDEX)
    x_ = tout("T", name="x")
    accumulate = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        require_rank(n.shape("indexed_sizes"), 1, "indexed_sizes")
        read = _indexed(n, n.ints("indexed_sizes"))
        if read is not None:
            broadcast_to(n.shape("value"), read)
        return (n.logical("x"),)


@ge_op
class InplaceIndexAdd(GeOp):
    """var with alpha · updates added to its slices along `axis` at `indices`, one by one.

    GE writes var in place; here the result is a new value. Without alpha it is 1.
    """

    name = "ge.InplaceIndexAdd"
    TYPES: ClassVar = {"T": "FLOAT, float64, int8, int16, int32, int64, uint8"}

    var = tin("T")
    indices = tin(_INDEX)
    updates = tin("T")
    alpha = opt_tin("T")
    var_ = tout("T", name="var")
    axis = int_()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, indices = n.shape("var"), n.shape("indices")
        require_rank(indices, 1, "indices")
        if n.shape("alpha") not in (None, (), (1,), (UNKNOWN,)):
            n.fail("alpha must hold one number", found=show(n.shape("alpha")),
                   expected="one element", code=SHAPE)  # fmt: skip
        if shape is not None:
            axis = norm_axis(n.attr("axis"), len(shape))
            count = UNKNOWN if indices is None else indices[0]
            want = (*shape[:axis], count, *shape[axis + 1 :])
            refine(n.shape("updates"), want, "updates and the slices of var")
        return (n.logical("var"),)


@ge_op
class StridedSliceGrad(GeOp):
    """Zeros of shape `shape` with dy where StridedSlice by the same bounds and masks would read."""

    name = "ge.StridedSliceGrad"
    TYPES: ClassVar = {"T": _NUMBERS}

    shape = tin(_INDEX)
    begin = tin(_INDEX)
    end = tin(_INDEX)
    strides = tin(_INDEX)
    dy = tin("T")
    output = tout("T")
    begin_mask = int_(0)
    end_mask = int_(0)
    ellipsis_mask = int_(0)
    new_axis_mask = int_(0)
    shrink_axis_mask = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        found = (n.vector_length(name) for name in ("begin", "end", "strides"))
        lengths = {length for length in found if length is not None}
        if len(lengths) > 1:
            n.fail("begin, end and strides differ in length", found=sorted(lengths),
                   expected="equal lengths", code=LENGTH)  # fmt: skip
        masks = [n.attr(name) for name in _MASKS]
        if any(m < 0 for m in masks):
            n.fail("a mask is negative", found=masks, expected="bit masks")
        rank, dims = n.vector_length("shape"), n.ints("shape")
        if dims is not None and any(d < 0 for d in dims):
            n.fail("shape has a negative entry", found=list(dims), expected="≥ 0")
        begin, end, strides = (n.ints(name) for name in ("begin", "end", "strides"))
        if dims is not None and begin is not None and end is not None and strides is not None:
            read = strided_slice_shape(tuple(dims), begin, end, strides, *masks)
            refine(n.shape("dy"), read, "dy and the slice")
        out: Shape = None if rank is None else (UNKNOWN,) * rank
        return (tensor_type(out if dims is None else tuple(dims), n.elem("dy")),)


@ge_op
class SearchSorted(GeOp):
    """Where each value would be put into its row of sorted_sequence [… , N], to keep it sorted.

    Before equal elements, behind them with `right`. sorted_sequence is one row for all, or has the
    leading dims of values; sorter gives the order in which a row that is not sorted, is. Of a row
    that is in no order, the elements that would stand before the value are counted.
    """

    name = "ge.SearchSorted"
    TYPES: ClassVar = {"T": "SignedDataType, float16, float32, uint8"}

    sorted_sequence = tin("T")
    values = tin("T")
    sorter = opt_tin("int64")
    out = tout(_INDEX)
    dtype = type_("int64")
    right = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        rows, values = n.shape("sorted_sequence"), n.shape("values")
        if n.attr("dtype") not in (_I32, _I64):
            n.fail("dtype is no index type", found=ge_name(n.attr("dtype")),
                   expected="int32, int64", code=DTYPE)  # fmt: skip
        require_rank(rows, range(1, 64), "sorted_sequence")
        if rows is not None and values is not None and len(rows) > 1:
            lead = rows[:-1]
            refine(lead, values[:-1] if values else (), "leading dims of the rows and the values")
        if n.has("sorter"):
            refine(n.shape("sorter"), rows, "shapes of sorted_sequence and sorter")
        return (tensor_type(values, n.attr("dtype")),)


@ge_op
class AsStrided(GeOp):
    """y[i …] is the element of x, read as one row, at storage_offset + the sum of i · stride."""

    name = "ge.AsStrided"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    size = tin(_INDEX)
    stride = tin(_INDEX)
    storage_offset = tin(_INDEX)
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (tensor_type(_strided(n, "x", "size", "stride", "storage_offset"), n.elem("x")),)


def _strided(n: InferNode, name: str, size: str, stride: str, offset: str) -> Shape:
    """Shape of a strided view, an error where it leaves the tensor."""
    rank, steps = n.vector_length(size), n.vector_length(stride)
    if rank is not None and steps is not None and rank != steps:
        n.fail(f"{size} and {stride} differ in length", found=f"{rank} and {steps}",
               expected="equal", code=LENGTH)  # fmt: skip
    sizes, strides, start, shape = n.ints(size), n.ints(stride), n.scalar(offset), n.shape(name)
    if sizes is None:
        return None if rank is None else (UNKNOWN,) * rank
    if any(d < 0 for d in sizes):
        n.fail(f"{size} has a negative entry", found=list(sizes), expected="≥ 0")
    if strides is not None and start is not None and shape is not None and -1 not in shape:
        whole, last = 1, start
        for d in shape:
            whole *= d
        for d, s in zip(sizes, strides, strict=True):
            last += (d - 1) * s
        if min((start, *strides)) < 0 or (0 not in sizes and last >= whole):
            n.fail(f"the view leaves {name}", found=last, expected=f"below {whole}", code=SHAPE)
    return tuple(sizes)


@ge_op
class ViewCopy(GeOp):
    """dst with a strided view of it taken from a strided view of src of the same size.

    Both views as in AsStrided. GE writes dst in place; here the result is a new value.
    """

    name = "ge.ViewCopy"
    TYPES: ClassVar = {"T": "ANY"}

    dst = tin("T")
    dst_size = tin(_INDEX)
    dst_stride = tin(_INDEX)
    dst_storage_offset = tin(_INDEX)
    src = tin("T")
    src_size = tin(_INDEX)
    src_stride = tin(_INDEX)
    src_storage_offset = tin(_INDEX)
    dst_ = tout("T", name="dst")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        views = [
            _strided(n, s, f"{s}_size", f"{s}_stride", f"{s}_storage_offset")
            for s in ("dst", "src")
        ]
        refine(views[0], views[1], "sizes of the two views")
        return (n.logical("dst"),)


@ge_op
class EmbeddingDenseGrad(GeOp):
    """Row i of the result [num_weights, D] is the sum of the rows of grad whose index is i.

    Rows of padding_idx count nothing; with scale_grad_by_freq the sums become means.
    """

    name = "ge.EmbeddingDenseGrad"
    TYPES: ClassVar = {"T": "FLOAT"}  # beyond float32 assumed

    grad = tin("T")
    indices = tin(_INDEX)
    y = tout("T")
    num_weights = int_()
    padding_idx = int_(-1)
    scale_grad_by_freq = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, indices, count = n.shape("grad"), n.shape("indices"), n.attr("num_weights")
        require_rank(shape, range(1, 64), "grad")
        if count < 1:
            n.fail("num_weights must be positive", found=count, expected="≥ 1")
        if shape is not None:
            refine(indices, shape[:-1], "indices and the rows of grad")
        return (tensor_type((count, UNKNOWN if shape is None else shape[-1]), n.elem("grad")),)


@ge_op
class DynamicPartition(GeOp):
    """Slices of x in num_partitions groups: that of number `partitions` says, in order.

    partitions has the leading dims of x; how many slices a group has, follows from it.
    """

    name = "ge.DynamicPartition"
    TYPES: ClassVar = {"T": _NUMBERS}

    x = tin("T")
    partitions = tin("int32")
    y = dyn_tout("T")
    num_partitions = int_(1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, lead, count = n.shape("x"), n.shape("partitions"), n.attr("num_partitions")
        if not 1 <= count <= MOST_PARTS:
            expected = f"1 … {MOST_PARTS}"
            n.fail("num_partitions is out of range", found=count, expected=expected)
        out: Shape = None
        if shape is not None and lead is not None:
            if len(lead) > len(shape):
                n.fail("partitions has more axes than x", found=show(lead), expected=show(shape),
                       code=SHAPE)  # fmt: skip
            refine(shape[: len(lead)], lead, "partitions and the leading dims of x")
            out = (UNKNOWN, *shape[len(lead) :])
        return [tensor_type(out, n.elem("x"))] * count


@ge_op
class DynamicStitch(GeOp):
    """y[indices[m][i …]] = x[m][i …] for all m, of which a later one wins.

    x[m] has the leading dims of indices[m]; y has a slice for each number up to the largest index,
    0 where none was named.
    """

    name = "ge.DynamicStitch"
    TYPES: ClassVar = {"T": _NUMBERS}

    indices = dyn_tin("int32")
    x = dyn_tin("T")
    y = tout("T")
    N = int_(1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        places, parts = n.types("indices"), n.types("x")
        if len(places) != len(parts) or len(parts) != n.attr("N") or not parts:
            n.fail("there is not one part per list of indices", code=COUNT,
                   found=f"{len(places)} and {len(parts)}", expected=n.attr("N"))  # fmt: skip
        rest: Shape = None
        for place, part in zip(places, parts, strict=True):
            lead, shape = shape_of(place), shape_of(part)
            if lead is None or shape is None:
                continue
            if len(lead) > len(shape):
                n.fail("indices have more axes than x", found=show(lead), expected=show(shape),
                       code=SHAPE)  # fmt: skip
            refine(lead, shape[: len(lead)], "indices and the leading dims of x")
            rest = refine(rest, shape[len(lead) :], "slices of the parts")
        out = None if rest is None else (UNKNOWN, *rest)
        return (tensor_type(out, elem_of(parts[0])),)


@ge_op
class UniqueConsecutive(GeOp):
    """x without repetitions of the element (along `axis`: slice) before.

    idx says for each element of x (slice) where it is in y, count how often each of y was there;
    both are empty where not asked for (assumed). axis 1000 takes x as one row.
    """

    name = "ge.UniqueConsecutive"
    TYPES: ClassVar = {"T": _NUMBERS}

    x = tin("T")
    y = tout("T")
    idx = tout(_INDEX)
    count = tout(_INDEX)
    return_idx = bool_(False)
    return_counts = bool_(False)
    axis = int_(1000)
    out_idx = type_("int64")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, axis, index = n.shape("x"), n.attr("axis"), n.attr("out_idx")
        if index not in (_I32, _I64):
            n.fail("out_idx is no index type", found=ge_name(index), expected="int32, int64",
                   code=DTYPE)  # fmt: skip
        out: Shape = (UNKNOWN,)
        places: Shape = shape
        if axis != 1000:
            out = places = None
            if shape is not None:
                axis = norm_axis(axis, len(shape))
                out = (*shape[:axis], UNKNOWN, *shape[axis + 1 :])
                places = (shape[axis],)
        places = places if n.attr("return_idx") else (0,)
        counts = (UNKNOWN,) if n.attr("return_counts") else (0,)
        return (
            tensor_type(out, n.elem("x")),
            tensor_type(places, index),
            tensor_type(counts, index),
        )
