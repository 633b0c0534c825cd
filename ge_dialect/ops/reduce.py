"""Reductions. `X` takes its axes as an input, `XD` as an attribute.

What an empty list of axes means: with `noop_with_empty_axes` nothing is reduced, without it all
axes are. Operators that lack the attribute keep x in the input form, as TensorFlow does, and
reduce all axes in the attribute form (assumed).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.axes import reduce_shape
from ge_dialect.infer.promote import need_order
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.fields import bool_, ints, tin, tout
from ge_dialect.ir.types import tensor_type
from ge_dialect.ops._bases import BOOL

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


def _reduced(
    n: InferNode, elem: Attribute, axes: Sequence[int] | None, noop_if_empty: bool
) -> Sequence[Attribute]:
    shape, keep = n.shape("x"), n.attr("keep_dims")
    if axes is not None and not axes:
        if noop_if_empty:
            return (tensor_type(shape, elem),)
        axes = None if shape is None else range(len(shape))
        if axes is None and not keep:
            return (tensor_type((), elem),)
    return (tensor_type(reduce_shape(shape, axes, keep), elem),)


def by_input(n: InferNode, elem: Attribute, noop_if_empty: bool) -> Sequence[Attribute]:
    """The type of a reduction of x over the input `axes`."""
    count = n.vector_length("axes")
    axes = () if count == 0 else n.ints("axes")
    shape = n.shape("x")
    if axes is None and shape is not None and count is not None and not n.attr("keep_dims"):
        # distinct axes whose places are not known: the rank is
        if count > len(shape):
            reduce_shape(shape, range(count), False)
        return (tensor_type((-1,) * (len(shape) - count), elem),)
    return _reduced(n, elem, axes, noop_if_empty)


@ge_op
class ReduceAll(GeOp):
    """And over `axes`."""

    name = "ge.ReduceAll"

    x = tin("bool, FLOAT")
    axes = tin("IndexNumberType")
    y = tout("bool")
    keep_dims = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return by_input(n, BOOL, True)


@ge_op
class ReduceAllD(GeOp):
    """And over `axes`, an attribute."""

    name = "ge.ReduceAllD"

    x = tin("bool")
    y = tout("bool")
    axes = ints()
    keep_dims = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _reduced(n, BOOL, n.attr("axes"), False)


@ge_op
class ReduceAny(GeOp):
    """Or over `axes`."""

    name = "ge.ReduceAny"

    x = tin("bool, FLOAT")
    axes = tin("IndexNumberType")
    y = tout("bool")
    keep_dims = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return by_input(n, BOOL, True)


@ge_op
class ReduceAnyD(GeOp):
    """Or over `axes`, an attribute."""

    name = "ge.ReduceAnyD"

    x = tin("bool")
    y = tout("bool")
    axes = ints()
    keep_dims = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _reduced(n, BOOL, n.attr("axes"), False)


@ge_op
class ReduceLogSumExp(GeOp):
    """Logarithm of the sum of the exponentials over `axes`, without overflow."""

    name = "ge.ReduceLogSumExp"
    TYPES: ClassVar = {"T": "FLOAT"}

    x = tin("T")
    axes = tin("IndexNumberType")
    y = tout("T")
    keep_dims = bool_(False)
    noop_with_empty_axes = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return by_input(n, n.elem("x"), n.attr("noop_with_empty_axes"))


@ge_op
class ReduceMax(GeOp):
    """Largest element over `axes`."""

    name = "ge.ReduceMax"
    TYPES: ClassVar = {"T": "NumberType"}

    x = tin("T")
    axes = tin("IndexNumberType")
    y = tout("T")
    keep_dims = bool_(False)
    noop_with_empty_axes = bool_(True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        need_order(n, "x")
        return by_input(n, n.elem("x"), n.attr("noop_with_empty_axes"))


@ge_op
class ReduceMaxD(GeOp):
    """Largest element over `axes`, an attribute."""

    name = "ge.ReduceMaxD"
    TYPES: ClassVar = {"T": "NumberType"}  # wider than the headers: assumed

    x = tin("T")
    y = tout("T")
    axes = ints()
    keep_dims = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        need_order(n, "x")
        return _reduced(n, n.elem("x"), n.attr("axes"), False)


@ge_op
class ReduceMean(GeOp):
    """Mean over `axes`."""

    name = "ge.ReduceMean"
    TYPES: ClassVar = {"T": "NumberType"}

    x = tin("T")
    axes = tin("IndexNumberType")
    y = tout("T")
    keep_dims = bool_(False)
    noop_with_empty_axes = bool_(True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return by_input(n, n.elem("x"), n.attr("noop_with_empty_axes"))


@ge_op
class ReduceMeanD(GeOp):
    """Mean over `axes`, an attribute."""

    name = "ge.ReduceMeanD"
    TYPES: ClassVar = {"T": "NumberType"}  # wider than the headers: assumed

    x = tin("T")
    y = tout("T")
    axes = ints()
    keep_dims = bool_(False)
    noop_with_empty_axes = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _reduced(n, n.elem("x"), n.attr("axes"), n.attr("noop_with_empty_axes"))


@ge_op
class ReduceMin(GeOp):
    """Smallest element over `axes`."""

    name = "ge.ReduceMin"
    TYPES: ClassVar = {"T": "NumberType"}

    x = tin("T")
    axes = tin("IndexNumberType")
    y = tout("T")
    keep_dims = bool_(False)
    noop_with_empty_axes = bool_(True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        need_order(n, "x")
        return by_input(n, n.elem("x"), n.attr("noop_with_empty_axes"))


@ge_op
class ReduceMinD(GeOp):
    """Smallest element over `axes`, an attribute."""

    name = "ge.ReduceMinD"
    TYPES: ClassVar = {"T": "NumberType"}  # wider than the headers: assumed

    x = tin("T")
    y = tout("T")
    axes = ints()
    keep_dims = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        need_order(n, "x")
        return _reduced(n, n.elem("x"), n.attr("axes"), False)


@ge_op
class ReduceProd(GeOp):
    """Product over `axes`."""

    name = "ge.ReduceProd"
    TYPES: ClassVar = {"T": "NumberType"}

    x = tin("T")
    axes = tin("IndexNumberType")
    y = tout("T")
    keep_dims = bool_(False)
    noop_with_empty_axes = bool_(True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return by_input(n, n.elem("x"), n.attr("noop_with_empty_axes"))


@ge_op
class ReduceProdD(GeOp):
    """Product over `axes`, an attribute."""

    name = "ge.ReduceProdD"
    TYPES: ClassVar = {"T": "NumberType"}  # wider than the headers: assumed

    x = tin("T")
    y = tout("T")
    axes = ints()
    keep_dims = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _reduced(n, n.elem("x"), n.attr("axes"), False)


@ge_op
class ReduceSum(GeOp):
    """Sum over `axes`."""

    name = "ge.ReduceSum"
    TYPES: ClassVar = {"T": "NumberType"}

    x = tin("T")
    axes = tin("IndexNumberType")
    y = tout("T")
    keep_dims = bool_(False)
    noop_with_empty_axes = bool_(True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return by_input(n, n.elem("x"), n.attr("noop_with_empty_axes"))


@ge_op
class ReduceSumD(GeOp):
    """Sum over `axes`, an attribute."""

    name = "ge.ReduceSumD"
    TYPES: ClassVar = {"T": "NumberType"}  # wider than the headers: assumed

    x = tin("T")
    y = tout("T")
    axes = ints()
    keep_dims = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _reduced(n, n.elem("x"), n.attr("axes"), False)
