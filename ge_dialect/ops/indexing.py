"""Slices and gathers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.dims import UNKNOWN, as_size, norm_axes, norm_axis
from ge_dialect.infer.errors import LENGTH, RANK
from ge_dialect.infer.slicing import gather_shape, slice_shape, strided_slice_shape
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, int_, ints, opt_tin, tin, tout
from ge_dialect.ir.types import tensor_type
from ge_dialect.ops.scatter import check_places, slices_shape

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_INDEX = "IndexNumberType"
_MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")


def _masks(n: InferNode) -> list[int]:
    out = [n.attr(name) for name in _MASKS]
    for name, mask in zip(_MASKS, out, strict=True):
        if mask < 0:
            n.fail(f"{name} must not be negative", found=mask, expected="a bit mask")
    return out


@ge_op
class Slice(GeOp):
    """The block of x that starts at `offsets` and has `size`; a size -1 reaches to the end."""

    name = "ge.Slice"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    offsets = tin(_INDEX)
    size = tin(_INDEX)
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = n.shape("x")
        for name in ("offsets", "size"):
            count = n.vector_length(name)
            if shape is not None and count is not None and count != len(shape):
                n.fail(
                    f"{name} has the wrong number of entries",
                    found=count,
                    expected=len(shape),
                    code=LENGTH,
                )
        out = slice_shape(shape, n.ints("offsets"), n.ints("size"))
        return (tensor_type(out, n.elem("x")),)


@ge_op
class SliceD(GeOp):
    """Slice with its block as attributes."""

    name = "ge.SliceD"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    y = tout("T")
    offsets = ints()
    size = ints()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        out = slice_shape(n.shape("x"), n.attr("offsets"), n.attr("size"))
        return (tensor_type(out, n.elem("x")),)


@ge_op
class StridedSlice(GeOp):
    """x[begin:end:strides] by TensorFlow's rule.

    Entry i handles the next axis, except where its bit is set: in `ellipsis_mask` it skips the
    axes nobody names, in `new_axis_mask` it inserts one of size 1, in `shrink_axis_mask` it takes
    the element at begin and drops the axis. Bits of `begin_mask` and `end_mask` mean open ends.
    """

    name = "ge.StridedSlice"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    begin = tin(_INDEX)
    end = tin(_INDEX)
    strides = tin(_INDEX)
    y = tout("T")
    begin_mask = int_(0)
    end_mask = int_(0)
    ellipsis_mask = int_(0)
    new_axis_mask = int_(0)
    shrink_axis_mask = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        names = ("begin", "end", "strides")
        counts = [n.vector_length(name) for name in names]
        known = {c for c in counts if c is not None}
        if len(known) > 1:
            n.fail(
                "begin, end and strides differ in length",
                found=counts,
                expected="equal lengths",
                code=LENGTH,
            )
        begin, end, strides = (n.ints(name) for name in names)
        masks = _masks(n)
        if begin is end is strides is None and known:
            # nothing but the number of entries is known: the rank follows from the masks
            length = known.pop()
            out = strided_slice_shape(n.shape("x"), None, None, (1,) * length, *masks)
            if out is not None:
                out = _forget(n, out, length, masks)
        else:
            out = strided_slice_shape(n.shape("x"), begin, end, strides, *masks)
        return (tensor_type(out, n.elem("x")),)


def _forget(
    n: InferNode, shape: tuple[int, ...], length: int, masks: Sequence[int]
) -> tuple[int, ...]:
    """Dims of axes that an unknown entry cuts are unknown, even with open ends (the stride)."""
    _, _, ellipsis_, new, shrink = masks
    given = n.shape("x") or ()
    used = sum(1 for i in range(length) if not (ellipsis_ | new) >> i & 1)
    out: list[int] = []
    axis = 0
    for i in range(length):
        if ellipsis_ >> i & 1:
            out.extend(given[axis : axis + len(given) - used])
            axis += len(given) - used
        elif new >> i & 1:
            out.append(1)
        else:
            if not shrink >> i & 1:
                out.append(-1)
            axis += 1
    out.extend(given[axis:])
    assert len(out) == len(shape)
    return tuple(out)


@ge_op
class StridedSliceD(GeOp):
    """StridedSlice with its bounds as attributes."""

    name = "ge.StridedSliceD"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    y = tout("T")
    begin = ints()
    end = ints()
    strides = ints()
    begin_mask = int_(0)
    end_mask = int_(0)
    ellipsis_mask = int_(0)
    new_axis_mask = int_(0)
    shrink_axis_mask = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        bounds = (n.attr("begin"), n.attr("end"), n.attr("strides"))
        out = strided_slice_shape(n.shape("x"), *bounds, *_masks(n))
        return (tensor_type(out, n.elem("x")),)


@ge_op
class Gather(GeOp):
    """Slices of x along axis `batch_dims` (0) at `indices`; the axes before are common.

    An index outside the axis is an error; negative ones count from the end only with
    `negative_index_support`.
    """

    name = "ge.Gather"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    indices = tin(_INDEX)
    y = tout("T")
    validate_indices = bool_(True)
    batch_dims = int_(0)
    is_preprocessed = bool_(False)
    negative_index_support = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        batch = n.attr("batch_dims")
        indices = n.shape("indices")
        if batch < 0 and indices is None:
            return (tensor_type(None, n.elem("x")),)
        axis = batch if batch >= 0 or indices is None else batch + len(indices)
        out = gather_shape(n.shape("x"), indices, axis, batch)
        return (tensor_type(out, n.elem("x")),)


@ge_op
class GatherV2(GeOp):
    """Slices of x along `axis` at `indices`; the first `batch_dims` axes are common.

    y has shape x[:axis] + indices[batch_dims:] + x[axis + 1:].
    """

    name = "ge.GatherV2"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    indices = tin(_INDEX)
    axis = tin(_INDEX)
    y = tout("T")
    batch_dims = int_(0)
    is_preprocessed = bool_(False)
    negative_index_support = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        axis = n.scalar("axis")
        out = gather_shape(n.shape("x"), n.shape("indices"), axis, n.attr("batch_dims"))
        return (tensor_type(out, n.elem("x")),)


@ge_op
class StridedSliceV2(GeOp):
    """x[begin:end:strides] on the axes named in `axes`, all others whole.

    Without `axes` entry i handles axis i and the masks mean what they do in StridedSlice; with
    them only `begin_mask` and `end_mask` may be set (assumed). Without `strides` they are 1.
    """

    name = "ge.StridedSliceV2"
    TYPES: ClassVar = {"T": "ANY"}  # the headers' list lost a group: assumed

    x = tin("T")
    begin = tin(_INDEX)
    end = tin(_INDEX)
    axes = opt_tin(_INDEX)
    strides = opt_tin(_INDEX)
    y = tout("T")
    begin_mask = int_(0)
    end_mask = int_(0)
    ellipsis_mask = int_(0)
    new_axis_mask = int_(0)
    shrink_axis_mask = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        names = [m for m in ("begin", "end", "axes", "strides") if n.has(m)]
        counts = [n.vector_length(name) for name in names]
        known = {c for c in counts if c is not None}
        if len(known) > 1:
            n.fail(
                f"{', '.join(names)} differ in length",
                found=counts,
                expected="equal lengths",
                code=LENGTH,
            )
        length = known.pop() if known else None
        masks, shape = _masks(n), n.shape("x")
        begin, end = n.ints("begin"), n.ints("end")
        strides = n.ints("strides") if n.has("strides") else (1,) * (length or 0)
        if length is None or shape is None:
            return (tensor_type(None, n.elem("x")),)
        if n.has("axes"):
            if any(masks[2:]):
                n.fail("only begin_mask and end_mask go with axes", found=masks[2:], expected="0")
            axes = n.ints("axes")
            if axes is None:
                return (tensor_type((UNKNOWN,) * len(shape), n.elem("x")),)
            axes = norm_axes(axes, len(shape))
            out = list(shape)
            for i, axis in enumerate(axes):
                out[axis] = _strided_entry(i, shape[axis], begin, end, strides, masks)
            return (tensor_type(tuple(out), n.elem("x")),)
        if strides is not None and 0 in strides:
            n.fail("strides must not be zero", found=list(strides), expected="≠ 0")
        if begin is end is strides is None:
            result = strided_slice_shape(shape, None, None, (1,) * length, *masks)
            assert result is not None
            return (tensor_type(_forget(n, result, length, masks), n.elem("x")),)
        return (tensor_type(strided_slice_shape(shape, begin, end, strides, *masks), n.elem("x")),)


def _strided_entry(
    i: int,
    dim: int,
    begin: Sequence[int] | None,
    end: Sequence[int] | None,
    strides: Sequence[int] | None,
    masks: Sequence[int],
) -> int:
    """Size of an axis of size `dim` after entry i of the slice, -1 where it cannot be known."""
    first, last, step = (None if v is None else (as_size(v[i]),) for v in (begin, end, strides))
    if first is last is step is None:
        return UNKNOWN
    out = strided_slice_shape((dim,), first, last, step, masks[0] >> i & 1, masks[1] >> i & 1)
    assert out is not None
    return out[0]


@ge_op
class GatherElements(GeOp):
    """y[…, i, …] = x[…, index[…, i, …], …] with the index standing at `dim`.

    `index` has the rank of x and is nowhere larger, except along `dim`; y has its shape. Negative
    indices count from the end (assumed).
    """

    name = "ge.GatherElements"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    index = tin(_INDEX)
    y = tout("T")
    dim = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, index = n.shape("x"), n.shape("index")
        if shape is not None:
            if not shape:
                n.fail("a scalar has no axis", found="scalar", expected="rank ≥ 1", code=RANK)
            axis = norm_axis(n.attr("dim"), len(shape), "dim")
            if index is None:
                index = (UNKNOWN,) * len(shape)
            check_places(n, shape, index, axis, "index")
        return (tensor_type(index, n.elem("x")),)


@ge_op
class GatherNd(GeOp):
    """The slices of x at the index tuples along the last axis of `indices`.

    y has shape indices[:-1] + x[k:] for tuples of length k. An index outside x is an error;
    negative ones count from the end only with `negative_index_support`.
    """

    name = "ge.GatherNd"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    indices = tin(_INDEX)
    y = tout("T")
    negative_index_support = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        out = slices_shape(n, n.shape("x"), n.shape("indices"), "indices")
        return (tensor_type(out, n.elem("x")),)
