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


class _TruthByInput(GeOp):
    """A reduction to bool; an empty `axes` keeps x."""

    x = tin("bool, FLOAT")
    axes = tin("IndexNumberType")
    y = tout("bool")
    keep_dims = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return by_input(n, BOOL, True)


class _TruthByAttribute(GeOp):
    """A reduction to bool; an empty `axes` means all."""

    x = tin("bool")
    y = tout("bool")
    axes = ints()
    keep_dims = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _reduced(n, BOOL, n.attr("axes"), False)


class _ByInput(GeOp):
    """A reduction in the dtype of x over the input `axes`."""

    x = tin("T")
    axes = tin("IndexNumberType")
    y = tout("T")
    keep_dims = bool_(False)
    noop_with_empty_axes = bool_(True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return by_input(n, n.elem("x"), n.attr("noop_with_empty_axes"))


class _ByAttribute(GeOp):
    """A reduction in the dtype of x over the attribute `axes`; an empty one means all."""

    x = tin("T")
    y = tout("T")
    axes = ints()
    keep_dims = bool_(False)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return _reduced(n, n.elem("x"), n.attr("axes"), False)


@ge_op
class ReduceAll(_TruthByInput):
    """And over `axes`."""

    name = "ge.ReduceAll"


@ge_op
class ReduceAllD(_TruthByAttribute):
    """And over `axes`, an attribute."""

    name = "ge.ReduceAllD"


@ge_op
class ReduceAny(_TruthByInput):
    """Or over `axes`."""

    name = "ge.ReduceAny"


@ge_op
class ReduceAnyD(_TruthByAttribute):
    """Or over `axes`, an attribute."""

    name = "ge.ReduceAnyD"


@ge_op
class ReduceLogSumExp(_ByInput):
    """Logarithm of the sum of the exponentials over `axes`, without overflow."""

    name = "ge.ReduceLogSumExp"
    TYPES: ClassVar = {"T": "FLOAT"}

    keep_dims = bool_(False)  # again, for the order
    noop_with_empty_axes = bool_(False)


@ge_op
class ReduceMax(_ByInput):
    """Largest element over `axes`."""

    name = "ge.ReduceMax"
    TYPES: ClassVar = {"T": "NumberType"}

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        need_order(n, "x")
        return super().ge_infer(n)


@ge_op
class ReduceMaxD(_ByAttribute):
    """Largest element over `axes`, an attribute."""

    name = "ge.ReduceMaxD"
    TYPES: ClassVar = {"T": "NumberType"}  # wider than the headers: assumed

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        need_order(n, "x")
        return super().ge_infer(n)


@ge_op
class ReduceMean(_ByInput):
    """Mean over `axes`."""

    name = "ge.ReduceMean"
    TYPES: ClassVar = {"T": "NumberType"}


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
class ReduceMin(_ByInput):
    """Smallest element over `axes`."""

    name = "ge.ReduceMin"
    TYPES: ClassVar = {"T": "NumberType"}

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        need_order(n, "x")
        return super().ge_infer(n)


@ge_op
class ReduceMinD(_ByAttribute):
    """Smallest element over `axes`, an attribute."""

    name = "ge.ReduceMinD"
    TYPES: ClassVar = {"T": "NumberType"}  # wider than the headers: assumed

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        need_order(n, "x")
        return super().ge_infer(n)


@ge_op
class ReduceProd(_ByInput):
    """Product over `axes`."""

    name = "ge.ReduceProd"
    TYPES: ClassVar = {"T": "NumberType"}


@ge_op
class ReduceProdD(_ByAttribute):
    """Product over `axes`, an attribute."""

    name = "ge.ReduceProdD"
    TYPES: ClassVar = {"T": "NumberType"}  # wider than the headers: assumed


@ge_op
class ReduceSum(_ByInput):
    """Sum over `axes`."""

    name = "ge.ReduceSum"
    TYPES: ClassVar = {"T": "NumberType"}


@ge_op
class ReduceSumD(_ByAttribute):
    """Sum over `axes`, an attribute."""

    name = "ge.ReduceSumD"
    TYPES: ClassVar = {"T": "NumberType"}  # wider than the headers: assumed
