"""Transposes that only move axes of size 1 become changes of shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ge_dialect.ir.types import layout_of, shape_of
from passes.base import Contract, Pass, PassResult
from passes.pattern_dsl import Match, node, rule, value, when
from passes.rewriting import apply_patterns
from passes.stage1.transop_symmetry_elimination import permutation
from passes.values import KnownValues

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from passes.context import PassContext


def _axes(m: Match) -> Any:
    return permutation(m.root, m.rw.values)


def _ones(m: Match) -> list[int]:
    return [a for a, d in enumerate(shape_of(m.x.type) or ()) if d == 1]


def _keeps_order(m: Match) -> bool:
    kept = [a for a in _axes(m) if a not in _ones(m)]
    return kept == sorted(kept)


def _reshaped(m: Match) -> Any:
    """Squeeze of the axes of size 1, then Unsqueeze at their new places."""
    axes, ones = _axes(m), _ones(m)
    squeezed = m.build("Squeeze", [m.x], {"axis": ones})
    places = [i for i, a in enumerate(axes) if a in ones]
    types = [m.root.results[0].type]
    return m.build("Unsqueeze", [squeezed.results[0]], {"axes": places}, result_types=types)


#: A transpose whose other axes stay in order moves nothing in memory.
RESHAPE_TRANSPOSE = rule(
    "reshape-transpose",
    node("Permute", "Transpose", "TransposeD", value("x")),
    _reshaped,
    when(lambda m: _axes(m) is not None, "the permutation is not known"),
    when(lambda m: _ones(m), "no axis is known to have size 1"),
    when(_keeps_order, "axes of another size change places"),
    when(
        lambda m: layout_of(m.x.type) is None and layout_of(m.root.results[0].type) is None,
        "a layout says how it is stored",
    ),
)


@dataclass(frozen=True)
class Dim1TransposeToSqueeze(Pass):
    """Turn transposes that only move axes of size 1 into Squeeze and Unsqueeze.

    Both have no task: the result lies where the input does.

    Before::

        ge.graph @g(%x: tensor<2x3x4x1xf32>) {
          %t = ge.TransposeD(%x) {perm = [0, 3, 1, 2]} : tensor<2x1x3x4xf32>
          %y = ge.Relu(%t) : tensor<2x1x3x4xf32>
          ge.NetOutput(%y)
        }

    After::

        ge.graph @g(%x: tensor<2x3x4x1xf32>) {
          %t_Squeeze = ge.Squeeze(%x) {axis = [3]} : tensor<2x3x4xf32> loc("t_Squeeze"("t"))
          %t = ge.Unsqueeze(%t_Squeeze) {axes = [1]} : tensor<2x1x3x4xf32>
          %y = ge.Relu(%t) : tensor<2x1x3x4xf32>
          ge.NetOutput(%y)
        }
    """

    name: ClassVar[str] = "dim1-transpose-to-squeeze"
    stage: ClassVar[str] = "stage1"
    contract: ClassVar[Contract] = Contract(values="exact", grows=True)

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        values = KnownValues(lambda: ctx.weights)
        report = apply_patterns(module, [RESHAPE_TRANSPOSE], ctx, values=values)
        return PassResult.from_counters(report)
