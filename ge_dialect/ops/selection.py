"""Elements by a condition or a pattern: coordinates, masks, triangles, one-hot, sequences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import ge_name, to_xdsl
from ge_dialect.infer.broadcast import broadcast_shapes
from ge_dialect.infer.dims import UNKNOWN, norm_axes, norm_axis, show
from ge_dialect.infer.errors import DTYPE, RANK
from ge_dialect.infer.ranges import range_length
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, int_, tin, tout, type_
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_INDEX = "IndexNumberType"
_INT32, _INT64 = to_xdsl("int32"), to_xdsl("int64")


def _found(shape: tuple[int, ...] | None) -> int:
    """How many elements may be found: none in an empty tensor, else unknown."""
    return 0 if shape is not None and 0 in shape else UNKNOWN


@ge_op
class Where(GeOp):
    """Coordinates of the true elements, a row each, in row-major order."""

    name = "ge.Where"

    x = tin("RealNumberType, bool")  # wider than the headers: TensorFlow's takes any number
    y = tout("int64")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = n.shape("x")
        rank = UNKNOWN if shape is None else len(shape)
        return (tensor_type((_found(shape), rank), _INT64),)


@ge_op
class NonZero(GeOp):
    """Coordinates of the elements that are not zero, in row-major order: a row each, or, with
    `transpose`, a column each.
    """

    name = "ge.NonZero"

    x = tin("RealNumberType, bool")
    y = tout(_INDEX)
    transpose = bool_(False)
    dtype = type_("int64")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        elem = n.attr("dtype")
        if elem not in (_INT32, _INT64):
            found = ge_name(elem)
            n.fail("dtype is no index type", found=found, expected="int32 or int64", code=DTYPE)
        shape = n.shape("x")
        dims = (_found(shape), UNKNOWN if shape is None else len(shape))
        return (tensor_type(dims[::-1] if n.attr("transpose") else dims, elem),)


@ge_op
class MaskedSelect(GeOp):
    """The elements of x where `mask` is true, as a vector; the two broadcast."""

    name = "ge.MaskedSelect"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    mask = tin("bool")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = broadcast_shapes(n.shape("x"), n.shape("mask"))
        return (tensor_type((_found(shape),), n.elem("x")),)


@ge_op
class MaskedFill(GeOp):
    """x with `value` where `mask` is true; the mask broadcasts with x."""

    name = "ge.MaskedFill"
    TYPES: ClassVar = {"T": "FLOAT, bool, int8, int32, int64"}

    x = tin("T")
    mask = tin("bool")
    value = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        n.one_value("value")
        shape = broadcast_shapes(n.shape("x"), n.shape("mask"))
        return (tensor_type(shape, n.elem("x")),)


@ge_op
class OneHot(GeOp):
    """`on_value` where the position along the new axis is the index, `off_value` elsewhere.

    The new axis of size `depth` stands at `axis`, -1 for the last. An index outside 0 … depth - 1
    gives off everywhere.
    """

    name = "ge.OneHot"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("int32, int64, uint8")
    depth = tin(_INDEX)
    on_value = tin("T")
    off_value = tin("T")
    y = tout("T")
    axis = int_(-1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        for name in ("depth", "on_value", "off_value"):
            n.one_value(name)
        shape, depth = n.shape("x"), n.scalar("depth")
        if depth is not None and depth < 0:
            n.fail("depth must not be negative", found=depth, expected="≥ 0")
        if shape is None:
            return (tensor_type(None, n.elem("on_value")),)
        axis = norm_axis(n.attr("axis"), len(shape) + 1)
        size = UNKNOWN if depth is None else depth
        return (tensor_type((*shape[:axis], size, *shape[axis:]), n.elem("on_value")),)


@ge_op
class Range(GeOp):
    """start, start + delta, … up to but not including `limit`; with `is_closed` including it."""

    name = "ge.Range"
    TYPES: ClassVar = {"T": "FLOAT, float64, int32, int64, int16"}  # int16: assumed, for ONNX

    start = tin("T")
    limit = tin("T")
    delta = tin("T")
    y = tout("T")
    is_closed = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        values = []
        for name in ("start", "limit", "delta"):
            n.one_value(name)
            value = n.const(name)
            values.append(None if value is None or value.size != 1 else value.reshape(-1)[0])
        elem = n.elem("start")
        if values[2] is not None and values[2] == 0:
            n.fail("delta must not be zero", found=0, expected="≠ 0")
        if any(v is None for v in values):
            return (tensor_type((UNKNOWN,), elem),)
        start, limit, delta = values
        count = range_length(start, limit, delta, n.attr("is_closed"))
        if count is None:
            n.fail(
                "the range has no sensible length",
                found=" ".join(str(v) for v in values),
                expected="finite numbers",
            )
        return (tensor_type((count,), elem),)


class _Triangle(GeOp):
    """x with zeros on one side of a diagonal of its last two axes."""

    x = tin("T")
    y = tout("T")
    diagonal = int_(0)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = n.shape("x")
        if shape is not None and len(shape) < 2:
            n.fail("x must be a matrix or more", found=show(shape), expected="rank ≥ 2", code=RANK)
        return (n.logical("x"),)


@ge_op
class Tril(_Triangle):
    """x with zeros above a diagonal of its last two axes; `diagonal` k lies k to the right."""

    name = "ge.Tril"
    TYPES: ClassVar = {"T": "BasicType, bool"}


@ge_op
class Triu(_Triangle):
    """x with zeros below a diagonal of its last two axes; `diagonal` k lies k to the right."""

    name = "ge.Triu"
    TYPES: ClassVar = {"T": "BasicType, bool"}


@ge_op
class ReverseV2(GeOp):
    """x with the order along each axis in `axis` reversed."""

    name = "ge.ReverseV2"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    axis = tin(_INDEX)
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, axes = n.shape("x"), n.ints("axis")
        n.vector_length("axis")
        if shape is not None and axes is not None:
            norm_axes(axes, len(shape), "axis")
        return (n.logical("x"),)
