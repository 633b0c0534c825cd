"""Removal of transposes that move no data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ge_dialect.ir.types import shape_of
from passes.base import Contract, Pass, PassResult
from passes.effects import is_pinned
from passes.pattern_dsl import Match, node, rule, value, when
from passes.rewriting import apply_patterns
from passes.stage1.transop_symmetry_elimination import permutation
from passes.values import KnownValues

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from passes.context import PassContext


_X = value("x")

#: Users of a transpose that keeps all axes longer than 1 in place read its input.
DROP_TRANSPOSE = rule(
    "drop-transpose",
    node("Permute", "Transpose", "TransposeD", _X).only(
        lambda op: op.operands[0].type == op.results[0].type, "it changes the type"
    ),
    _X,
    when(lambda m: _axes(m) is not None, "the permutation is not known"),
    when(
        lambda m: len(shape_of(m.x.type) or ()) == len(_axes(m)),
        "the permutation does not fit the rank",
    ),
    when(lambda m: _keeps_order(m), "axes longer than 1 change places"),
    when(lambda m: not is_pinned(m.root), "the node is marked no_need_constant_folding"),
)


def _axes(m: Match) -> Any:
    return permutation(m.root, m.rw.values)


def _keeps_order(m: Match) -> bool:
    dims = shape_of(m.x.type) or ()
    kept = [a for a in _axes(m) if dims[a] != 1]
    return kept == sorted(kept)


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
        report = apply_patterns(module, [DROP_TRANSPOSE], ctx, values=values)
        return PassResult.from_counters(report)
