"""Further operators that run graphs of their own, and what chooses among them.

StatelessIf, StatelessCase and StatelessWhile promise that their bodies touch no state; they mean
the same. Sources: TensorFlow's operators of the same names; the prototypes; GE's multi-batch form
for MapIndex. A fused operator (AscBackend, FusedAscBackend, SuperKernel) keeps the nodes it was
made of as its body: that is what it means.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import to_xdsl
from ge_dialect.infer.dims import UNKNOWN, merge_dim, require_rank
from ge_dialect.infer.errors import COUNT, SHAPE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.effects import Effects
from ge_dialect.ir.fields import (
    dyn_any_in,
    dyn_any_out,
    dyn_tin,
    int_,
    ints,
    opt_tin,
    string,
    subgraph,
    subgraphs,
    tin,
    tout,
)
from ge_dialect.ir.types import CtrlType, elem_of, shape_of, tensor_type
from ge_dialect.ops.control_flow import If, PartitionedCall, While, merge_types

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


def _data(operand_types: Sequence[Attribute], first: int) -> list[Attribute]:
    return [t for t in operand_types[first:] if not isinstance(t, CtrlType)]


@ge_op
class StatelessIf(GeOp):
    """If, of bodies without state."""

    name = "ge.StatelessIf"
    EFFECTS: ClassVar = Effects.UNKNOWN

    cond = tin("ANY")
    input = dyn_any_in("ANY")
    output = dyn_any_out("ANY")
    then_branch = subgraph()
    else_branch = subgraph()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return If.ge_infer(n)

    @classmethod
    def ge_body_types(cls, operand_types: Sequence[Attribute], index: int) -> Sequence[Attribute]:
        return _data(operand_types, 1)


class _Case(GeOp):
    """Runs one of its branches; the results have types that hold whichever runs."""

    branch_index = tin("int32")
    input = dyn_any_in("ANY")
    output = dyn_any_out("ANY")
    branches = subgraphs()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = n.shape("branch_index")
        if shape not in ((), (1,), (UNKNOWN,), None):
            n.fail("branch_index must be a scalar", found=shape, expected="one element", code=SHAPE)
        if n.op is None or not n.op.regions:
            return n.declared
        merged: Sequence[Attribute] | None = None
        for i in range(len(n.op.regions)):
            results = n.body_results(i)
            if results is None:
                return n.declared
            merged = results if merged is None else merge_types(n, merged, results, "the branches")
        assert merged is not None
        return merge_types(n, merged, merged, "the branches")

    @classmethod
    def ge_body_types(cls, operand_types: Sequence[Attribute], index: int) -> Sequence[Attribute]:
        return _data(operand_types, 1)


@ge_op
class Case(_Case):
    """Runs branch number branch_index on `input`, the last one for a number that has none."""

    name = "ge.Case"
    EFFECTS: ClassVar = Effects.UNKNOWN


@ge_op
class StatelessCase(_Case):
    """Case, of branches without state."""

    name = "ge.StatelessCase"
    EFFECTS: ClassVar = Effects.UNKNOWN


@ge_op
class StatelessWhile(GeOp):
    """While, of bodies without state."""

    name = "ge.StatelessWhile"
    EFFECTS: ClassVar = Effects.UNKNOWN

    input = dyn_any_in("ANY")
    output = dyn_any_out("ANY")
    parallel_iterations = int_(10)
    cond = subgraph()
    body = subgraph()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return While.ge_infer(n)


@ge_op
class For(GeOp):
    """Runs `body` on the counter and its own results, for start, start + delta … before limit.

    The first turn takes `input`; the results are those of the last turn, or the inputs where there
    is none. A delta of 0 is an error.
    """

    name = "ge.For"
    EFFECTS: ClassVar = Effects.UNKNOWN

    start = tin("int32")
    limit = tin("int32")
    delta = tin("int32")
    input = dyn_any_in("ANY")
    output = dyn_any_out("ANY")
    body = subgraph()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        for name in ("start", "limit", "delta"):
            if n.shape(name) not in ((), (1,), (UNKNOWN,), None):
                n.fail(f"{name} must be a scalar", found=n.shape(name), expected="one element",
                       code=SHAPE)  # fmt: skip
        if n.scalar("delta") == 0:
            n.fail("delta must not be zero", found=0, expected="≠ 0")
        turn, given = n.body_results(0), n.types("input")
        if turn is None:
            return n.declared or merge_types(n, given, given, "the inputs")
        return merge_types(n, given, turn, "the inputs and the results of the body")

    @classmethod
    def ge_body_types(cls, operand_types: Sequence[Attribute], index: int) -> Sequence[Attribute]:
        return [tensor_type((), elem_of(operand_types[0])), *_data(operand_types, 3)]


@ge_op
class StatefulPartitionedCall(GeOp):
    """PartitionedCall of a body that may hold state."""

    name = "ge.StatefulPartitionedCall"
    EFFECTS: ClassVar = Effects.UNKNOWN

    args = dyn_any_in("ANY")
    output = dyn_any_out("ANY")
    config = string("")
    config_proto = string("")
    executor_type = string("")
    f = subgraph()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return PartitionedCall.ge_infer(n)


@ge_op
class ControlTrigger(GeOp):
    """Computes nothing: a place where control edges meet."""

    name = "ge.ControlTrigger"


class _Fused(GeOp):
    """A kernel in the place of the nodes in its body."""

    body = subgraph()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        results = n.body_results(0)
        return n.declared if results is None else results


@ge_op
class AscBackend(_Fused):
    """A kernel that was generated for the nodes in its body."""

    name = "ge.AscBackend"
    EFFECTS: ClassVar = Effects.UNKNOWN

    inputs_ = dyn_any_in("ANY", name="inputs")
    outputs_ = dyn_any_out("ANY", name="outputs")


@ge_op
class FusedAscBackend(_Fused):
    """Several AscBackend nodes as one kernel; its body holds them."""

    name = "ge.FusedAscBackend"
    EFFECTS: ClassVar = Effects.UNKNOWN

    inputs_ = dyn_any_in("ANY", name="inputs")
    outputs_ = dyn_any_out("ANY", name="outputs")


@ge_op
class SuperKernel(_Fused):
    """Several AI Core kernels as one launch; its body holds the nodes it stands for."""

    name = "ge.SuperKernel"
    EFFECTS: ClassVar = Effects.UNKNOWN

    x = dyn_any_in("ANY")
    y = dyn_any_out("ANY")


@ge_op
class MapIndex(GeOp):
    """Which row of data_seq, a table with rows as long as x, is equal to x; -1 for none.

    The first one counts. With level_index the result is its entry of that number.
    """

    name = "ge.MapIndex"
    TYPES: ClassVar = {"T": "int32"}

    x = tin("T")
    data_seq = tin("T")
    level_index = opt_tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        for name in ("x", "data_seq", "level_index"):
            require_rank(n.shape(name), 1, name)
        size, whole = n.vector_length("x"), n.vector_length("data_seq")
        if size is not None and (size == 0 or (whole is not None and whole % size)):
            n.fail("data_seq holds no whole rows", found=whole, expected=f"a multiple of {size}",
                   code=SHAPE)  # fmt: skip
        levels = n.vector_length("level_index") if n.has("level_index") else None
        if size and whole is not None and levels is not None and levels != whole // size:
            n.fail("level_index has not one entry per row", found=levels, expected=whole // size,
                   code=COUNT)  # fmt: skip
        return (tensor_type((), to_xdsl("int32")),)


def shapes_listed(info: Sequence[int]) -> list[Sequence[int]] | None:
    """The shapes of a list that has each shape's rank before its dims; None for no such list."""
    shapes: list[Sequence[int]] = []
    at = 0
    while at < len(info):
        rank = info[at]
        if rank < 0 or at + 1 + rank > len(info):
            return None
        shapes.append(info[at + 1 : at + 1 + rank])
        at += 1 + rank
    return shapes


@ge_op
class GetDynamicDims(GeOp):
    """The numbers of all inputs, each of which is a shape, that stand where its dim is unknown.

    shape_info lists what is known of each input: a rank and so many dims, -1 for an unknown one.
    """

    name = "ge.GetDynamicDims"
    TYPES: ClassVar = {"T": "IndexNumberType"}

    input = dyn_tin("T")
    dims = tout("T")
    shape_info = ints()
    N = int_()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        info = n.attr("shape_info")
        shapes = shapes_listed(info)
        if shapes is None:
            n.fail("shape_info is no list of shapes", found=list(info), expected="ranks and dims")
        given = n.types("input")
        if not len(given) == n.attr("N") == len(shapes) or not given:
            found = f"{len(given)} inputs, N {n.attr('N')}, {len(shapes)} shapes"
            n.fail("the numbers of inputs differ", found=found, expected="the same", code=COUNT)
        for i, (type_, shape) in enumerate(zip(given, shapes, strict=True)):
            have = shape_of(type_)
            require_rank(have, 1, f"input {i}")
            if have is not None:
                merge_dim(have[0], len(shape), f"length of input {i} and rank")
        unknown = sum(d == -1 for shape in shapes for d in shape)
        return (tensor_type((unknown,), n.elem("input")),)
