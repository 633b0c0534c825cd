"""Removal of conditionals whose condition is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ge_dialect.ir.build import build
from ge_dialect.ir.control import control_inputs
from passes.base import Contract, Pass, PassResult
from passes.rewriting import Pattern, PatternRewriter, apply_patterns
from passes.values import KnownValues

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from passes.context import PassContext

_CASES = ("Case", "StatelessCase")


class TakeBranch(Pattern):
    """Replace a conditional with a known condition by a call of the graph it takes."""

    name: ClassVar[str] = "take-branch"
    root: ClassVar[tuple[str, ...]] = ("If", "StatelessIf", *_CASES)

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        if rw.after_graphs:
            return
        assert rw.values is not None
        value = rw.values.array(op.operands[0])
        if not rw.when(value is not None, "the condition is not known"):
            return
        number = _condition(value)
        if not rw.when(number is not None, "the condition is no clear number"):
            return
        assert number is not None
        if not rw.when(number >= 0, "the condition is negative"):
            return
        if op.ge_type in _CASES:
            taken = min(number, len(op.regions) - 1)
        else:
            taken = 0 if number else 1
        region = op.regions[taken]
        op.detach_region(region)
        call = build(
            "PartitionedCall",
            [list(op.ge_data_operands[1:])],
            result_types=[r.type for r in op.ge_data_results],
            control=control_inputs(op),
            regions=[region],
        )
        rw.replace(op, call)


def _condition(value: Any) -> int | None:
    """The condition as GE reads it, truncated; None where that would turn a true one into zero.

    Anything but a single element is true when it has elements.
    """
    if value.size != 1:
        return int(value.size > 0)
    item = value.reshape(-1)[0]
    try:
        number = int(item)
    except (ValueError, OverflowError):  # NaN, infinity, a string
        return None
    return None if number == 0 and bool(item != 0) else number


@dataclass(frozen=True)
class CondRemove(Pass):
    """Replace If and Case nodes whose condition is known by the graph they take.

    The graph becomes the body of a PartitionedCall, the others go. If takes ``then_branch`` for
    anything but zero; Case takes the last graph for an index beyond it. As in GE, a negative
    condition is left alone.

    Before::

        ge.graph @g(%x: tensor<4xf32>) {
          %c = ge.Const() {value = dense<true> : tensor<i1>} : tensor<i1>
          %y = ge.If(%c, [%x]) : tensor<4xf32> then_branch(%a) {
            %r = ge.Relu(%a) : tensor<4xf32>
            ge.NetOutput(%r)
          } else_branch(%a) {
            ge.NetOutput(%a)
          }
          ge.NetOutput(%y)
        }

    After::

        ge.graph @g(%x: tensor<4xf32>) {
          %c = ge.Const() {value = dense<true> : tensor<i1>} : tensor<i1>
          %y = ge.PartitionedCall(%x) : tensor<4xf32> f(%a) {
            %r = ge.Relu(%a) : tensor<4xf32>
            ge.NetOutput(%r)
          }
          ge.NetOutput(%y)
        }
    """

    name: ClassVar[str] = "cond-remove"
    stage: ClassVar[str] = "prepare"
    contract: ClassVar[Contract] = Contract(values="exact")

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        report = apply_patterns(
            module, [TakeBranch()], ctx, values=KnownValues(lambda: ctx.weights)
        )
        return PassResult.from_counters(report)
