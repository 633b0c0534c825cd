"""Removal of control edges that start at constants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ge_dialect.ir.control import (
    control_inputs,
    control_result,
    drop_control_result,
    first_uses,
)
from passes.base import Contract, Pass, PassResult
from passes.rewriting import Pattern, PatternRewriter, apply_patterns

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from passes.context import PassContext


class DropConstControl(Pattern):
    """Remove the control edges out of a constant; those into it move to the ops that wait."""

    root: ClassVar[tuple[str, ...]] = ("Const", "Constant")

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        done = control_result(op)
        if not rw.candidate(done is not None, "nothing waits for it"):
            return
        assert done is not None
        # in a circle, which only unverified IR has, the constant may wait for itself
        inherited = [c for c in control_inputs(op) if c is not done]
        for use in first_uses(done):
            rw.replace_control(use, inherited)
        drop_control_result(op)
        rw.notify_modified(op)


@dataclass(frozen=True)
class UselessControlOutRemove(Pass):
    """Remove control edges out of constants, which are ready from the start.

    What a constant itself waited for is handed to the ops that waited for the constant, so no
    order between effects is lost.

    Before::

        ge.graph @g(%x: tensor<2xf32>) {
          %c, %ready = ge.Const() {value = dense<1.0> : tensor<2xf32>} : tensor<2xf32>, !ge.ctrl
          %y = ge.Relu(%x) after(%ready) : tensor<2xf32>
          ge.NetOutput(%y, %c)
        }

    After::

        ge.graph @g(%x: tensor<2xf32>) {
          %c = ge.Const() {value = dense<1.0> : tensor<2xf32>} : tensor<2xf32>
          %y = ge.Relu(%x) : tensor<2xf32>
          ge.NetOutput(%y, %c)
        }
    """

    name: ClassVar[str] = "useless-control-out-remove"
    stage: ClassVar[str] = "stage1"
    contract: ClassVar[Contract] = Contract(values="exact")

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        report = apply_patterns(module, [DropConstControl()], ctx)
        return PassResult.from_counters(report)
