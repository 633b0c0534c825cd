"""Shape and dtype inference over whole graphs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ge_dialect.infer.dims import refine, show
from ge_dialect.infer.errors import InferError
from ge_dialect.infer.node import infer_op
from ge_dialect.ir.attributes import RefType
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.types import elem_of, layout_of, ref_type, shape_of, tensor_type
from passes.base import Contract, Pass, PassResult
from passes.rewriting import Pattern, PatternRewriter, apply_patterns
from passes.values import KnownValues

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute

    from passes.context import PassContext

_NO_RULE = GeOp.ge_infer.__func__


class InferTypes(Pattern):
    """Give the results of a node, and the arguments of its graphs, their inferred types."""

    name: ClassVar[str] = "infer-types"
    of_gated: ClassVar[bool] = True

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        if not isinstance(op, GeOp):
            return
        if op.regions and not rw.after_graphs:
            _enter_graphs(op, rw)
            return
        if op.name == "ge.NetOutput":
            # a later change inside a graph: its node was through already
            owner = op.parent_op()
            if isinstance(owner, GeOp) and owner in rw.left_graphs:
                _infer_results(owner, rw)
            return
        _infer_results(op, rw)


def _infer_results(op: GeOp, rw: PatternRewriter) -> None:
    ruled = type(op).ge_infer.__func__ is not _NO_RULE
    if not rw.candidate(ruled, "the operator has no rule"):
        return
    assert rw.values is not None
    try:
        inferred = infer_op(op, rw.values.array)
    except InferError as error:
        rw.report(error.code, error.message, found=error.found, expected=error.expected)
        return
    declared = op.ge_data_results
    if len(inferred) != len(declared):
        rw.report(
            "GX-226",
            "the number of results does not fit",
            found=len(declared),
            expected=len(inferred),
        )
        return
    for result, found in zip(declared, inferred, strict=True):
        old = result.type
        if found is old:
            continue
        new = merged_type(old, found)
        if new is None:
            new = _with_layout_of(old, found)
            if not op.regions and not any(v in rw.retyped for v in op.operands):
                rw.ctx.sink.warning(
                    "GX-430",
                    f"the recorded type of result {result.index} contradicts the operator's "
                    "rule and was replaced",
                    op=op,
                    found=_show(old),
                    expected=_show(new),
                )
        if rw.candidate(new != old, "the recorded type says as much"):
            rw.set_result_type(result, new)
            if rw.ctx.remarks_enabled:
                rw.ctx.remark(
                    f"result {result.index} is {_show(new)}, was {_show(old)}",
                    op=op,
                    category="analysis",
                )
    if not op.regions:  # the rule would say the same again
        rw.settled()


def _enter_graphs(op: GeOp, rw: PatternRewriter) -> None:
    """Graph arguments have the types of what is passed to them."""
    operand_types = [v.type for v in op.ge_data_operands]
    for index, region in enumerate(op.regions):
        block = region.blocks.first
        if block is None:
            continue
        wanted = type(op).ge_body_types(operand_types, index)
        if len(wanted) != len(block.args):
            rw.report(
                "GX-226",
                f"graph {index} takes another number of arguments than are passed",
                found=len(block.args),
                expected=len(wanted),
            )
            continue
        for arg, new in zip(block.args, wanted, strict=True):
            if arg.type is not new and arg.type != new:
                rw.set_result_type(arg, new)


def merged_type(declared: Attribute, inferred: Attribute) -> Attribute | None:
    """What both know of a type, in the declared layout; None where they contradict each other."""
    if isinstance(declared, RefType) != isinstance(inferred, RefType):
        return None
    if elem_of(declared) != elem_of(inferred):
        return None
    try:
        shape = refine(shape_of(inferred), shape_of(declared))
    except InferError:
        return None
    if shape == shape_of(declared):
        return declared
    return _rebuild(declared, shape, elem_of(declared))


def _with_layout_of(declared: Attribute, inferred: Attribute) -> Attribute:
    if isinstance(declared, RefType) != isinstance(inferred, RefType):
        return inferred
    return _rebuild(declared, shape_of(inferred), elem_of(inferred))


def _rebuild(declared: Attribute, shape: tuple[int, ...] | None, elem: Attribute) -> Attribute:
    layout = layout_of(declared) if shape is not None else None
    tensor = tensor_type(shape, elem, layout)
    return ref_type(tensor) if isinstance(declared, RefType) else tensor


def _show(type_: Attribute) -> str:
    return f"{show(shape_of(type_))} of {elem_of(type_)}"


@dataclass(frozen=True)
class InferShape(Pass):
    """Infer the types of all results from those of the graph inputs, in one forward sweep.

    Graphs inside nodes take the types of what is passed to them and give theirs to the node's
    results. Shapes that depend on values use constants (weights up to 4096 elements included),
    ``Shape``, ``Size`` and ``Rank`` of known types and integer arithmetic on those. Recorded and
    inferred types are joined, so nothing known is lost; where they contradict each other the
    inferred one wins, with a warning if the node's inputs did not change. Layouts are kept. An
    operator that refuses its inputs is an error, reported for all nodes at once. By itself it is
    not part of a stage: `infer-shape-for-preprocess` contains it.

    Before::

        ge.graph @g(%x: tensor<2x8xf32>) {
          %s = ge.Const() {value = dense<[4, 4]> : tensor<2xi64>} : tensor<2xi64>
          %y = ge.Reshape(%x, %s) : tensor<*xf32>
          %z = ge.Relu(%y) : tensor<*xf32>
          ge.NetOutput(%z)
        }

    After::

        ge.graph @g(%x: tensor<2x8xf32>) {
          %s = ge.Const() {value = dense<[4, 4]> : tensor<2xi64>} : tensor<2xi64>
          %y = ge.Reshape(%x, %s) : tensor<4x4xf32>
          %z = ge.Relu(%y) : tensor<4x4xf32>
          ge.NetOutput(%z)
        }
    """

    name: ClassVar[str] = "infer-shape"
    stage: ClassVar[str] = "prepare"
    contract: ClassVar[Contract] = Contract(values="exact", preserves=("op-census", "origin-map"))

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        report = apply_patterns(
            module, [InferTypes()], ctx, values=KnownValues(lambda: ctx.weights), announce=False
        )
        return PassResult.from_counters(report)
