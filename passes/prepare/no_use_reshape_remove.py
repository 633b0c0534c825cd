"""Removal of reshapes that change nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from passes.base import Contract, Pass, PassResult
from passes.effects import is_pinned
from passes.pattern_dsl import node, rule, value
from passes.rewriting import apply_patterns

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from passes.context import PassContext


_RESHAPES = (
    "ExpandDims", "Flatten", "FlattenV2", "Reshape", "Squeeze", "SqueezeV2", "SqueezeV3",
    "Unsqueeze", "UnsqueezeV2", "UnsqueezeV3",
)  # fmt: skip
_X = value("x")

#: Users of a reshape to the same static shape read its input; a constant shape goes with it.
DROP_RESHAPE = rule(
    "drop-reshape",
    node(*_RESHAPES, _X)
    .only(lambda op: op.operands[0].type == op.results[0].type, "it changes the type")
    .static("the shape is not known")
    .where(lambda op: not is_pinned(op), "the node is marked no_need_constant_folding"),
    _X,
)


@dataclass(frozen=True)
class NoUseReshapeRemove(Pass):
    """Remove Reshape, Flatten, Squeeze and Unsqueeze nodes that leave a static shape as it is.

    Before::

        ge.graph @g(%x: tensor<2x4xf32>) {
          %s = ge.Const() {value = dense<[2, 4]> : tensor<2xi64>} : tensor<2xi64>
          %r = ge.Reshape(%x, %s) : tensor<2x4xf32>
          %y = ge.Relu(%r) : tensor<2x4xf32>
          ge.NetOutput(%y)
        }

    After::

        ge.graph @g(%x: tensor<2x4xf32>) {
          %y = ge.Relu(%x) : tensor<2x4xf32>
          ge.NetOutput(%y)
        }
    """

    name: ClassVar[str] = "no-use-reshape-remove"
    stage: ClassVar[str] = "prepare"
    contract: ClassVar[Contract] = Contract(values="exact")

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        return PassResult.from_counters(apply_patterns(module, [DROP_RESHAPE], ctx))
