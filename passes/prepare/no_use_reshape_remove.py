"""Removal of reshapes that change nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ge_dialect.ir.types import is_static
from passes.base import Contract, Pass, PassResult
from passes.effects import is_pinned
from passes.folding import constant_op
from passes.rewriting import Pattern, PatternRewriter, apply_patterns

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from passes.context import PassContext


class DropReshape(Pattern):
    """Users of a reshape to the same static shape read its input."""

    name: ClassVar[str] = "drop-reshape"
    root: ClassVar[tuple[str, ...]] = (
        "ExpandDims", "Flatten", "FlattenV2", "Reshape", "Squeeze", "SqueezeV2", "SqueezeV3",
        "Unsqueeze", "UnsqueezeV2", "UnsqueezeV3",
    )  # fmt: skip

    def match_and_rewrite(self, op: Any, rw: PatternRewriter) -> None:
        source, result = op.operands[0], op.results[0]
        if not rw.candidate(source.type == result.type, "it changes the type"):
            return
        if not rw.when(is_static(source.type), "the shape is not known"):
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
        return PassResult.from_counters(apply_patterns(module, [DropReshape()], ctx))
