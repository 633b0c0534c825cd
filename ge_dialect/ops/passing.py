"""Operators that hand their input on: markers of frameworks, boundaries, copies, virtual joins.

Sources: the prototypes and TensorFlow's operators of the same names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.infer.dims import UNKNOWN, norm_axis
from ge_dialect.infer.errors import COUNT, DTYPE, LENGTH, SHAPE
from ge_dialect.infer.joining import MOST_PARTS, concat_shape
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.effects import Effects
from ge_dialect.ir.fields import (
    bool_,
    dyn_tin,
    dyn_tout,
    int_,
    ints,
    ref_in,
    ref_out,
    string,
    tin,
    tout,
)
from ge_dialect.ir.types import elem_of, ref_type, shape_of, tensor_type
from ge_dialect.ops._bases import Unary

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


@ge_op
class IdentityN(GeOp):
    """Each y is the x at its place."""

    name = "ge.IdentityN"

    x = dyn_tin("ANY")
    y = dyn_tout("ANY")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return [tensor_type(shape_of(t), elem_of(t)) for t in n.types("x")]


@ge_op
class StopGradient(Unary):
    """y is x; of meaning to automatic differentiation only."""

    name = "ge.StopGradient"
    TYPES: ClassVar = {"T": "ANY"}


@ge_op
class PreventGradient(Unary):
    """y is x; automatic differentiation stops here with `message`."""

    name = "ge.PreventGradient"
    TYPES: ClassVar = {"T": "ANY"}

    message = string("")


@ge_op
class GuaranteeConst(Unary):
    """y is x, of which the framework says that it never changes."""

    name = "ge.GuaranteeConst"
    TYPES: ClassVar = {"T": "ANY"}


@ge_op
class PlaceholderWithDefault(Unary):
    """y is x, a default that stands for an input which is not fed here; `shape` describes it."""

    name = "ge.PlaceholderWithDefault"
    TYPES: ClassVar = {"T": "ANY"}

    shape = ints([])


@ge_op
class PlaceHolder(Unary):
    """Where a value enters an engine's part of a graph: y is x."""

    name = "ge.PlaceHolder"
    TYPES: ClassVar = {"T": "ANY"}

    peerIndex = int_(0)
    parentId = string("")
    parentOpType = string("")
    anchorIndex = int_(0)


@ge_op
class End(Unary):
    """Where a value leaves an engine's part of a graph: y is x."""

    name = "ge.End"
    TYPES: ClassVar = {"T": "ANY"}

    peerIndex = int_(0)
    parentOpType = string("")


@ge_op
class MemcpyAsync(Unary):
    """A copy of x by a stream's task."""

    name = "ge.MemcpyAsync"
    TYPES: ClassVar = {"T": "ANY"}


@ge_op
class MemcpyAddrAsync(Unary):
    """A copy of x whose addresses are read when it runs."""

    name = "ge.MemcpyAddrAsync"
    TYPES: ClassVar = {"T": "ANY"}


@ge_op
class RefIdentity(GeOp):
    """The handle x itself: a further name of a variable."""

    name = "ge.RefIdentity"
    TYPES: ClassVar = {"T": "ANY"}
    EFFECTS: ClassVar = Effects.reads("x")  # so that it stays among writes in order

    x = ref_in("T")
    y = ref_out("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (ref_type(n.logical("x")),)


@ge_op
class PhonyConcat(GeOp):
    """x joined along axis concat_dim[0], by giving each its place in the result's memory.

    Several levels (longer lists) are carried, not inferred or evaluated.
    """

    name = "ge.PhonyConcat"

    x = dyn_tin("ANY")
    y = tout("ANY")
    concat_dim = ints()
    N = ints()
    keep_input_offset = bool_(True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        level = _level(n, "concat_dim", "N")
        types = n.types("x")
        if not types or {elem_of(t) for t in types} != {n.elem("x")}:
            n.fail(
                "inputs differ in dtype, or there are none",
                found=len(types),
                expected="one dtype",
                code=DTYPE,
            )
        if level is None:
            return n.declared or [tensor_type(None, n.elem("x"))]
        axis, count = level
        if count != len(types):
            n.fail("N is not the number of inputs", found=count, expected=len(types), code=COUNT)
        return (tensor_type(concat_shape([shape_of(t) for t in types], axis), n.elem("x")),)


@ge_op
class PhonySplit(GeOp):
    """num_split[0] equal parts of x along axis split_dim[0], as places in its memory.

    Several levels (longer lists) are carried, not inferred or evaluated.
    """

    name = "ge.PhonySplit"

    x = tin("ANY")
    y = dyn_tout("ANY")
    split_dim = ints()
    num_split = ints()
    keep_output_offset = bool_(True)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        level, shape = _level(n, "split_dim", "num_split"), n.shape("x")
        if level is None:
            count = 1
            for size in n.attr("num_split"):
                count *= size
            return n.declared or [tensor_type(None, n.elem("x"))] * count
        axis, size = level
        if shape is not None:
            axis = norm_axis(axis, len(shape), "split_dim")
            if shape[axis] >= 0 and shape[axis] % size:
                n.fail(
                    "an axis does not divide",
                    found=shape[axis],
                    expected=f"a multiple of {size}",
                    code=SHAPE,
                )
            part = UNKNOWN if shape[axis] < 0 else shape[axis] // size
            shape = (*shape[:axis], part, *shape[axis + 1 :])
        return [tensor_type(shape, n.elem("x"))] * size


def _level(n: InferNode, axes: str, counts: str) -> tuple[int, int] | None:
    """Axis and number of parts of the only level, None where there are several."""
    a, c = n.attr(axes), n.attr(counts)
    if len(a) != len(c) or not a:
        n.fail(
            f"{axes} and {counts} differ in length, or are empty",
            found=f"{len(a)} and {len(c)}",
            expected="equal",
            code=LENGTH,
        )
    if any(v < 1 for v in c):
        n.fail(f"{counts} must be positive", found=list(c), expected="≥ 1")
    if any(v > MOST_PARTS for v in c):
        n.fail(f"{counts} is out of range", found=list(c), expected=f"≤ {MOST_PARTS}")
    return (a[0], c[0]) if len(a) == 1 else None
