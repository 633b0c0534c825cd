"""Sub-graph operators, pass-through, ordering, printing, assertions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Attribute

from ge_dialect.dtypes import ge_name
from ge_dialect.infer.dims import widen
from ge_dialect.infer.errors import COUNT, DTYPE, SHAPE
from ge_dialect.ir.base import GeOp, ge_op
from ge_dialect.ir.effects import Effects
from ge_dialect.ir.fields import (
    dyn_any_in,
    dyn_any_out,
    dyn_tin,
    int_,
    string,
    subgraph,
    tin,
    tout,
)
from ge_dialect.ir.types import CtrlType, RefType, elem_of, shape_of, tensor_type

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode


def merge_types(
    n: InferNode, a: Sequence[Attribute], b: Sequence[Attribute], what: str
) -> list[Attribute]:
    """Types that hold whichever of two paths is taken; an error where none does."""
    if len(a) != len(b):
        n.fail(f"{what} differ in number", found=f"{len(a)} and {len(b)}", code=COUNT)
    out: list[Attribute] = []
    for i, (x, y) in enumerate(zip(a, b, strict=True)):
        if x is y or x == y:
            out.append(x if isinstance(x, RefType) else tensor_type(shape_of(x), elem_of(x)))
            continue
        if isinstance(x, RefType) or isinstance(y, RefType):
            n.fail(f"{what} differ in place {i}", found=f"{x} and {y}", code=SHAPE)
        if elem_of(x) != elem_of(y):
            n.fail(
                f"{what} differ in dtype in place {i}",
                found=f"{ge_name(elem_of(x))} and {ge_name(elem_of(y))}",
                expected="one dtype",
                code=DTYPE,
            )
        out.append(tensor_type(widen(shape_of(x), shape_of(y)), elem_of(x)))
    return out


def _check_condition(n: InferNode, shape: tuple[int, ...] | None, what: str) -> None:
    # GE takes any tensor; a non-scalar holds when it has elements
    if shape is not None and -1 not in shape and shape not in ((), (1,)):
        n.fail(f"{what} must be a scalar", found=shape, expected="one element", code=SHAPE)


@ge_op
class If(GeOp):
    """Runs `then_branch` where the scalar condition is not zero, else `else_branch`.

    The bodies take `input`; a result has the type both bodies give it, with dims in which they
    differ unknown.
    """

    name = "ge.If"
    EFFECTS: ClassVar = Effects.UNKNOWN

    cond = tin("ANY")
    input = dyn_any_in("ANY")
    output = dyn_any_out("ANY")
    then_branch = subgraph()
    else_branch = subgraph()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        _check_condition(n, n.shape("cond"), "the condition")
        then, other = n.body_results(0), n.body_results(1)
        if then is None or other is None:
            return n.declared
        return merge_types(n, then, other, "the results of the branches")

    @classmethod
    def ge_body_types(cls, operand_types: Sequence[Attribute], index: int) -> Sequence[Attribute]:
        return [t for t in operand_types[1:] if not isinstance(t, CtrlType)]


@ge_op
class While(GeOp):
    """Runs `body` on its own results as long as `cond` gives a scalar that is not zero.

    Both bodies take `input`; the results are those of the last turn, or the inputs where there is
    none, so a dim that a turn changes is unknown.
    """

    name = "ge.While"
    EFFECTS: ClassVar = Effects.UNKNOWN

    input = dyn_any_in("ANY")
    output = dyn_any_out("ANY")
    parallel_iterations = int_(10)
    cond = subgraph()
    body = subgraph()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        given = n.types("input")
        condition, turn = n.body_results(0), n.body_results(1)
        if condition is not None:
            if len(condition) != 1:
                n.fail(
                    "the condition body must give one result",
                    found=len(condition),
                    expected=1,
                    code=COUNT,
                )
            _check_condition(n, shape_of(condition[0]), "the result of the condition body")
        if turn is None:
            return n.declared or [
                t if isinstance(t, RefType) else tensor_type(shape_of(t), elem_of(t)) for t in given
            ]
        return merge_types(n, given, turn, "the inputs and the results of the body")


@ge_op
class PartitionedCall(GeOp):
    """Calls the body `f` on its inputs; a unit of partitioning, or of a fused operator."""

    name = "ge.PartitionedCall"
    EFFECTS: ClassVar = Effects.UNKNOWN

    args = dyn_any_in("ANY")
    output = dyn_any_out("ANY")
    config = string("")
    config_proto = string("")
    executor_type = string("")
    f = subgraph()

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        results = n.body_results(0)
        return n.declared if results is None else results


@ge_op
class Identity(GeOp):
    """y is x."""

    name = "ge.Identity"
    TYPES: ClassVar = {"T": "ANY"}

    x = tin("T")
    y = tout("T")

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        return (n.logical("x"),)


@ge_op
class Assert(GeOp):
    """Ends the run with an error where the condition is false.

    The error shows the first `summarize` elements of each input, all of them where it is negative.
    """

    name = "ge.Assert"
    EFFECTS: ClassVar = Effects.io("stdout")

    input_condition = tin("bool")
    input_data = dyn_tin("ANY")
    summarize = int_(3)

    @classmethod
    def ge_infer(cls, n: InferNode) -> Sequence[Attribute]:
        shape = n.shape("input_condition")
        if shape not in ((), (1,), (-1,), None):
            found = list(shape)
            n.fail("the condition must hold one value", found=found, expected="[]", code=SHAPE)
        return ()


@ge_op
class NoOp(GeOp):
    """Computes nothing: a place where control edges meet."""

    name = "ge.NoOp"


@ge_op
class Print(GeOp):
    """Prints its inputs, in the order of the graph's effects."""

    name = "ge.Print"
    EFFECTS: ClassVar = Effects.io("stdout")

    x = dyn_tin("ANY")
