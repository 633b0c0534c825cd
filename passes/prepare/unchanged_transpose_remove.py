"""Removal of transposes that move no data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ge_dialect.ir.types import shape_of
from passes.base import Contract, Pass, PassResult
from passes.effects import is_pinned
from passes.folding import constant_op
from passes.rewriting import Pattern, PatternRewriter, apply_patterns
from passes.stage1.transop_symmetry_elimination import permutation
from passes.values import KnownValues

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from passes.context import PassContext


class DropTranspose(Pattern):
    """Users of a transpose that keeps all axes longer than 1 in place read its input."""

    name: ClassVar[str] = "drop-transpose"
    root: ClassVar[tuple[str, ...]] = ("Permute", "Transpose", "TransposeD")

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        source, result = op.operands[0], op.results[0]
        if not rw.candidate(source.type == result.type, "it changes the type"):
            return
        axes, dims = permutation(op, rw.values), shape_of(source.type)
        if not rw.when(axes is not None, "the permutation is not known"):
            return
        rank_fits = dims is not None and len(dims) == len(axes)
        if not rw.when(rank_fits, "the permutation does not fit the rank"):
            return
        kept = [a for a in axes if dims[a] != 1]
        if not rw.when(kept == sorted(kept), "axes longer than 1 change places"):
            return
        if not rw.when(not is_pinned(op), "the node is marked no_need_constant_folding"):
            return
        others = op.ge_data_operands[1:]
        rw.replace_by_value(op, [source])
        for value in others:
            const = constant_op(value)
            if const is not None and all(r.first_use is None for r in const.results):
                rw.erase(const)


@dataclass(frozen=True)
class UnchangedTransposeRemove(Pass):
    """Remove transposes that keep every axis longer than 1 in its place.

    Before::

        ge.graph @g(%x: tensor<2x1x1x4xf32>) {
          %t = ge.TransposeD(%x) {perm = [0, 2, 1, 3]} : tensor<2x1x1x4xf32>
          %y = ge.Relu(%t) : tensor<2x1x1x4xf32>
          ge.NetOutput(%y)
        }

    After::

        ge.graph @g(%x: tensor<2x1x1x4xf32>) {
          %y = ge.Relu(%x) : tensor<2x1x1x4xf32>
          ge.NetOutput(%y)
        }
    """

    name: ClassVar[str] = "unchanged-transpose-remove"
    stage: ClassVar[str] = "prepare"
    contract: ClassVar[Contract] = Contract(values="exact")

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        values = KnownValues(lambda: ctx.weights)
        report = apply_patterns(module, [DropTranspose()], ctx, values=values)
        return PassResult.from_counters(report)
