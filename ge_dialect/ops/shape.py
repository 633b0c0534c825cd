"""Operators that change or ask for a shape, and transposes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import BY_ENUM, to_xdsl
from ge_dialect.infer.axes import squeeze_shape, transpose_shape, unsqueeze_shape
from ge_dialect.infer.reshape import flatten_shape, reshape_shape
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import int_, ints, opt_tin, tin, tout
from ge_dialect.ir.types import tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_INT32, _INT64 = to_xdsl("int32"), to_xdsl("int64")
_INDEX = "IndexNumberType"


def _index_elem(n: InferNode) -> Attribute:
    """The dtype numbered by the attribute `dtype`: int32 or int64."""
    row = BY_ENUM.get(n.attr("dtype"))
    if row is None or row.type not in (_INT32, _INT64):
        n.fail("dtype is no index type", found=n.attr("dtype"), expected="3 (int32) or 9 (int64)")
    return row.type


@ge_op
class Reshape(GeOp):
    """x with its elements in another shape.

    An entry -1 of `shape` is what remains, 0 copies the input's dim at that place. `axis` and
    `num_axes` restrict the change to a range of axes of x.
    """

    name = "ge.Reshape"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    shape = tin(_INDEX)
    y = tout("T")
    axis = int_(0)
    num_axes = int_(-1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        length = n.vector_length("shape")
        target = n.ints("shape")
        out = reshape_shape(n.shape("x"), target, length, n.attr("axis"), n.attr("num_axes"))
        return (tensor_type(out, n.elem("x")),)


@ge_op
class Squeeze(GeOp):
    """x without the axes in `axis`, which have size 1; without all of size 1 if none is given."""

    name = "ge.Squeeze"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    y = tout("T")
    axis = ints([])

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (tensor_type(squeeze_shape(n.shape("x"), n.attr("axis")), n.elem("x")),)


@ge_op
class SqueezeV3(GeOp):
    """Squeeze with the axes as an optional input."""

    name = "ge.SqueezeV3"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    axes = opt_tin(_INDEX)  # int32 is assumed
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, elem = n.shape("x"), n.elem("x")
        axes: tuple[int, ...] | None = ()
        count = n.vector_length("axes") if n.has("axes") else 0
        if count != 0:
            axes = n.ints("axes")
            if axes is None and shape is not None and count is not None:
                return (tensor_type((-1,) * max(len(shape) - count, 0), elem),)
        return (tensor_type(squeeze_shape(shape, axes), elem),)


@ge_op
class Unsqueeze(GeOp):
    """x with axes of size 1 at the places `axes` of the result."""

    name = "ge.Unsqueeze"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    y = tout("T")
    axes = ints([])

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (tensor_type(unsqueeze_shape(n.shape("x"), n.attr("axes")), n.elem("x")),)


@ge_op
class UnsqueezeV3(GeOp):
    """Unsqueeze with the axes as an input."""

    name = "ge.UnsqueezeV3"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    axes = tin(_INDEX)  # int32 is assumed
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = n.shape("x")
        count, axes = n.vector_length("axes"), n.ints("axes")
        if axes is None and shape is not None and count is not None:
            return (tensor_type((-1,) * (len(shape) + count), n.elem("x")),)
        return (tensor_type(unsqueeze_shape(shape, axes), n.elem("x")),)


@ge_op
class ExpandDims(GeOp):
    """x with one axis of size 1 at place `axis` of the result."""

    name = "ge.ExpandDims"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    axis = tin(_INDEX)
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, axis = n.shape("x"), n.scalar("axis")
        if axis is None:
            out = None if shape is None else (-1,) * (len(shape) + 1)
        else:
            out = unsqueeze_shape(shape, (axis,))
        return (tensor_type(out, n.elem("x")),)


@ge_op
class Flatten(GeOp):
    """x as a matrix: axes before `axis`, and the rest; axis may be the rank (one column)."""

    name = "ge.Flatten"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    y = tout("T")
    axis = int_(1)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (tensor_type(flatten_shape(n.shape("x"), n.attr("axis")), n.elem("x")),)


@ge_op
class Shape(GeOp):
    """The shape of x as a vector of the dtype numbered `dtype`."""

    name = "ge.Shape"

    x = tin("ANY")
    y = tout(_INDEX)
    dtype = int_(3)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = n.shape("x")
        return (tensor_type((-1 if shape is None else len(shape),), _index_elem(n)),)


@ge_op
class Size(GeOp):
    """The number of elements of x as a scalar of the dtype numbered `dtype`."""

    name = "ge.Size"

    x = tin("ANY")
    y = tout(_INDEX)
    dtype = int_(3)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (tensor_type((), _index_elem(n)),)


@ge_op
class Rank(GeOp):
    """The number of axes of x as an int32 scalar."""

    name = "ge.Rank"

    x = tin("ANY")
    y = tout("int32")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (tensor_type((), _INT32),)


@ge_op
class Transpose(GeOp):
    """x with its axes in the order `perm`: axis i of y is axis perm[i] of x."""

    name = "ge.Transpose"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    perm = tin(_INDEX)
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape, length = n.shape("x"), n.vector_length("perm")
        if shape is not None and length not in (None, len(shape)) and n.ints("perm") is None:
            message = "perm is no permutation of the axes"
            n.fail(message, found=f"{length} entries", expected=f"{len(shape)}", code="GX-222")
        if shape is None and n.ints("perm") is None and length is not None:
            return (tensor_type((-1,) * length, n.elem("x")),)
        return (tensor_type(transpose_shape(shape, n.ints("perm")), n.elem("x")),)


@ge_op
class TransposeD(GeOp):
    """x with its axes in the order `perm`, an attribute."""

    name = "ge.TransposeD"
    TYPES: ClassVar = {"T": "ANY"}  # wider than the headers: assumed

    x = tin("T")
    y = tout("T")
    perm = ints()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (tensor_type(transpose_shape(n.shape("x"), n.attr("perm")), n.elem("x")),)
