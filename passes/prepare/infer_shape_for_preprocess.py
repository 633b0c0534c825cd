"""GE's prepare sweep: dead branches, inference and folding, node by node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

from passes.base import AtLeast, Contract, Pass, PassResult
from passes.folding import MAX_BYTES, Folder
from passes.prepare.cond_remove import TakeBranch
from passes.prepare.constant_folding import FoldConstant, fold_result
from passes.prepare.infer_shape import InferTypes
from passes.rewriting import apply_patterns
from passes.values import KnownValues

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from passes.context import PassContext


@dataclass(frozen=True)
class InferShapeForPreprocess(Pass):
    """Remove dead branches, infer types and fold constants in one sweep.

    At each node the three see what they did at the nodes before it: a shape computed from a shape
    is folded, the Reshape that reads it gets its type from the constant, and an If whose condition
    becomes known is replaced before its graphs are looked at. The parts are `cond-remove`,
    `infer-shape` and `constant-folding`.

    Before::

        ge.graph @g(%x: tensor<2x8xf32>) {
          %s = ge.Shape(%x) : tensor<2xi32>
          %two = ge.Const() {value = dense<2> : tensor<i32>} : tensor<i32>
          %t = ge.Mul(%s, %two) : tensor<2xi32>
          %f = ge.Const() {value = dense<1.0> : tensor<f32>} : tensor<f32>
          %b = ge.BroadcastTo(%f, %t) : tensor<?x?xf32>
          %r = ge.Relu(%b) : tensor<?x?xf32>
          ge.NetOutput(%r, %x)
        }

    After::

        ge.graph @g(%x: tensor<2x8xf32>) {
          %r = ge.Const() {value = dense<1.0> : tensor<4x16xf32>} : tensor<4x16xf32>
          ge.NetOutput(%r, %x)
        }
    """

    max_bytes: Annotated[int, AtLeast(0)] = MAX_BYTES

    name: ClassVar[str] = "infer-shape-for-preprocess"
    stage: ClassVar[str] = "prepare"
    contract: ClassVar[Contract] = Contract(values="exact", grows=True)

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        patterns = [
            TakeBranch(),
            InferTypes(),
            FoldConstant(Folder(lambda: ctx.weights, self.max_bytes)),
        ]
        report = apply_patterns(module, patterns, ctx, values=KnownValues(lambda: ctx.weights))
        return fold_result(report)
