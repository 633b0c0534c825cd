"""Folding of nodes whose inputs are constants."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from ge_dialect.ir.narrow import is_dense
from passes.base import AtLeast, Contract, Pass, PassResult
from passes.effects import is_pinned
from passes.folding import MAX_BYTES, Folder, Refusal, constant_op, foldable_class, make_const
from passes.rewriting import Pattern, PatternRewriter, apply_patterns, defining_op
from passes.values import shape_data

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import SSAValue

    from ge_dialect.ir.base import GeOp
    from passes.context import PassContext

#: Operators of an input's type alone.
_SHAPE_OPS = frozenset({"ge.Shape", "ge.Size", "ge.Rank"})


@dataclass(frozen=True)
class FoldConstant(Pattern):
    """Replace a node on constants by constants."""

    folder: Folder = field(default_factory=Folder)
    name: ClassVar[str] = "fold-constant"

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        if not rw.candidate(foldable_class(op.__class__), "the operator may have an effect"):
            return
        inputs = op.ge_data_operands
        held: Any
        if op.name in _SHAPE_OPS:
            array = shape_data(op)
            if not rw.when(array is not None, "the shape of the input is not known"):
                return
            from ge_dialect.ir.dense import dense_from_numpy

            held = [dense_from_numpy(array)]
        else:
            for value in inputs:
                known = constant_op(value) is not None
                if not rw.candidate(known, "an input is no constant", defining_op(value)):
                    return
            if not inputs:
                return
            rw.involves(*map(constant_op, inputs))
            held = None
        if not rw.when(not is_pinned(op), "the node is marked no_need_constant_folding"):
            return
        if held is None:
            held = self.folder.fold(op)
            if isinstance(held, Refusal):
                rw.missed(held.reason)
                return
        new: list[GeOp] = []
        values: list[SSAValue | None] = []
        for attr, result in zip(held, op.ge_data_results, strict=True):
            if result.first_use is None and len(held) > 1:
                values.append(None)
                continue
            const = make_const(attr, _type_for(attr, result.type))
            new.append(const)
            values.append(const.results[0])
        rw.replace(op, new, values)
        for value in dict.fromkeys(inputs):
            const = constant_op(value)
            if const is not None and all(r.first_use is None for r in const.results):
                rw.erase(const)


def _type_for(attr: Any, recorded: Any) -> Any:
    """The recorded type, or that of the literal where evaluation knows more."""
    from ge_dialect.ir.types import is_static, tensor_type

    if is_dense(attr) and not is_static(recorded):
        return tensor_type(attr.get_shape(), attr.get_element_type())
    return recorded


@dataclass(frozen=True)
class ConstantFolding(Pass):
    """Replace nodes whose inputs are all constants by constants.

    Shape, Size and Rank of tensors of known shape count as such nodes. A result is written inline
    if it has at most 64 elements and every step to it is exact (moves, integer arithmetic,
    elementwise + - * / sqrt); otherwise it is a recipe ``#ge.weight<...>`` that is evaluated when
    the bytes are needed. A result of more than ``max-bytes`` bytes that is larger than its inputs
    stays a node, which the statistics and a remark say. Nodes with effects, random nodes and nodes
    marked ``no_need_constant_folding`` are never folded. What a folded node waited for, its users
    wait for.

    Before::

        ge.graph @g(%x: tensor<2xi32>) {
          %a = ge.Const() {value = dense<[1, 2]> : tensor<2xi32>} : tensor<2xi32>
          %b = ge.Add(%a, %a) : tensor<2xi32>
          %w = ge.Const() {value = #ge.weight<"w">} : tensor<64x64xf32>
          %c = ge.Cast(%w) {dst_type = 1} : tensor<64x64xf16>
          %y = ge.Mul(%x, %b) : tensor<2xi32>
          ge.NetOutput(%y, %c)
        }

    After::

        ge.graph @g(%x: tensor<2xi32>) {
          %b = ge.Const() {value = dense<[2, 4]> : tensor<2xi32>} : tensor<2xi32>
          %c = ge.Const() {value = #ge.weight<cast("w", f16)>} : tensor<64x64xf16>
          %y = ge.Mul(%x, %b) : tensor<2xi32>
          ge.NetOutput(%y, %c)
        }
    """

    max_bytes: Annotated[int, AtLeast(0)] = MAX_BYTES

    name: ClassVar[str] = "constant-folding"
    stage: ClassVar[str] = "prepare"
    #: a node with several results becomes as many constants
    contract: ClassVar[Contract] = Contract(values="exact", grows=True)

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        report = apply_patterns(
            module, [FoldConstant(Folder(lambda: ctx.weights, self.max_bytes))], ctx
        )
        return fold_result(report)


def fold_result(report: Any) -> PassResult:
    """Result of a sweep, with the number of nodes the size limit held back."""
    counters = dict(report)
    held_back = sum(
        n
        for (_, reason), n in report.missed.items()
        if reason == "the result is larger than max-bytes"
    )
    if held_back:
        counters["above max-bytes"] = held_back
    return PassResult(bool(report), counters)
