"""Whether the graph register takes every node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from passes.base import Contract, Pass, PassResult

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from passes.context import PassContext


@dataclass(frozen=True)
class LegalityCheck(Pass):
    """Report every node that no registered version of its operator takes; changes nothing.

    GE's checks, with its codes and arguments in the message: an unknown type, the IR definition of
    another version that cannot be recovered, inputs and outputs beyond the prototype, a required
    input or attribute that is missing. It is meant for dumps, whose nodes may come from other
    versions of GE, and is not part of a stage; `docs/register.md` has the rules.

    Before::

        ge.graph @g(%x: tensor<4xf32>) {
          %y = ge.Relu(%x) : tensor<4xf32>
          ge.NetOutput(%y)
        }

    After::

        ge.graph @g(%x: tensor<4xf32>) {
          %y = ge.Relu(%x) : tensor<4xf32>
          ge.NetOutput(%y)
        }
    """

    name: ClassVar[str] = "legality-check"
    stage: ClassVar[str] = "prepare"
    contract: ClassVar[Contract] = Contract(reads_only=True)

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        from ge_dialect.register import findings

        count = 0
        for op, found in findings(module):
            ctx.sink.error("GX-260", found.message, op=op, hint=found.entry.solution)
            count += 1
        return PassResult(False, {"illegal": count})
