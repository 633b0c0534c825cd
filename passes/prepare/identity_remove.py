"""Removal of identities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ge_dialect.ir.graph import GraphOp
from passes.base import Contract, Pass, PassResult
from passes.effects import is_pinned
from passes.pattern_dsl import DslPattern, Match, node, when
from passes.rewriting import apply_patterns, defining_op

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from passes.context import PassContext


def _keeps_types(op: Any) -> bool:
    inputs, results = op.ge_data_operands, op.ge_data_results
    return len(inputs) == len(results) and all(
        a.type == b.type for a, b in zip(inputs, results, strict=True)
    )


def _separates_body_ends(op: Any) -> bool:
    """Whether the node is all that stands between an input and an output of a nested graph.

    GE keeps such an identity: without it both ends would be one buffer.
    """
    block = op.parent
    if block is None or isinstance(block.parent_op(), GraphOp):
        return False
    if not any(u.operation.name == "ge.NetOutput" for r in op.ge_data_results for u in r.uses):
        return False
    for value in op.ge_data_operands:
        producer = defining_op(value)
        if producer is None or producer.name == "ge.Data":
            return True
    return False


class DropIdentity(DslPattern):
    """Users of an identity read its input instead."""

    name: ClassVar[str] = "drop-identity"
    shape: ClassVar = node("Identity", "IdentityN")
    conditions: ClassVar = (
        when(lambda m: _keeps_types(m.root), "input and output types differ"),
        when(lambda m: not is_pinned(m.root), "the node is marked no_need_constant_folding"),
        when(
            lambda m: not _separates_body_ends(m.root),
            "it separates an input and output of a body",
        ),
    )

    def replace(self, m: Match) -> Any:
        """The inputs."""
        return list(m.root.ge_data_operands)


@dataclass(frozen=True)
class IdentityRemove(Pass):
    """Remove Identity and IdentityN nodes.

    Kept are nodes marked ``no_need_constant_folding``, nodes whose type changes on the way, and an
    identity that is all that stands between an input and an output of a nested graph.

    Before::

        ge.graph @g(%x: tensor<4xf32>) {
          %i = ge.Identity(%x) : tensor<4xf32>
          %y = ge.Relu(%i) : tensor<4xf32>
          ge.NetOutput(%y)
        }

    After::

        ge.graph @g(%x: tensor<4xf32>) {
          %y = ge.Relu(%x) : tensor<4xf32>
          ge.NetOutput(%y)
        }
    """

    name: ClassVar[str] = "identity-remove"
    stage: ClassVar[str] = "prepare"
    contract: ClassVar[Contract] = Contract(values="exact")

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        return PassResult.from_counters(apply_patterns(module, [DropIdentity()], ctx))
