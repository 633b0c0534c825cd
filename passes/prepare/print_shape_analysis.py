"""Remarks about dynamic shapes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from passes.base import Contract, Pass, PassResult

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from passes.context import PassContext


@dataclass(frozen=True)
class PrintShapeAnalysis(Pass):
    """Say of every value with unknown dims which expressions and ranges they are; change nothing.

    One remark per result, one per symbol of an input, one per fact that follows from the graph:
    the analyses `symbolic-shapes` and `shape-ranges` as text. `docs/shapes.md` explains them. It is
    not part of a stage.
    ``opaque-only`` leaves only results with a dim that no expression was found for.

    Before::

        ge.graph @g(%x: tensor<?x4xf32> {ge.symbols = ["n", ""]}) {
          %y = ge.Relu(%x) : tensor<?x4xf32>
          ge.NetOutput(%y)
        }

    After::

        ge.graph @g(%x: tensor<?x4xf32> {ge.symbols = ["n", ""]}) {
          %y = ge.Relu(%x) : tensor<?x4xf32>
          ge.NetOutput(%y)
        }
    """

    name: ClassVar[str] = "print-shape-analysis"
    stage: ClassVar[str] = "prepare"
    contract: ClassVar[Contract] = Contract(reads_only=True)

    opaque_only: bool = False

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        from ge_dialect.ir.graph import module_graphs
        from passes.shapes.ranges import show_range

        found = ctx.analysis("symbolic-shapes", module)
        counters = {"symbolic": 0, "opaque": 0}
        for graph in module_graphs(module):
            known = found.graphs[graph.sym_name.data]
            if not self.opaque_only:
                for name, limits in known.ranges.items():
                    if not name.startswith("?"):
                        _say(ctx, graph, f"{name} is in {show_range(limits)}")
                for fact in known.facts:
                    _say(ctx, graph, f"it works only for {fact}")
            for value, dims in known.shapes.items():
                op: Any = value.owner
                if not hasattr(op, "ge_data_results") or all(
                    e.value is not None for e in dims or ()
                ):
                    continue
                opaque = dims is None or any(n.startswith("?") for e in dims for n in e.symbols())
                counters["opaque" if opaque else "symbolic"] += 1
                if opaque or not self.opaque_only:
                    which = f"result {value.index} " if len(op.ge_data_results) > 1 else ""
                    _say(ctx, op, which + _shape_text(found, value, dims))
        return PassResult(False, counters)


def _say(ctx: PassContext, op: Any, text: str) -> None:
    if ctx.remarks_enabled:
        ctx.remark(text, op=op, category="analysis")


def _shape_text(found: Any, value: Any, dims: Any) -> str:
    """`is [n, 2*n + 1] within [1, 8], [3, 17]`."""
    from passes.shapes.ranges import show_range

    if dims is None:
        return "is of unknown rank"
    limits = [show_range(found.range(value, i)) for i, e in enumerate(dims) if e.value is None]
    return f"is [{', '.join(map(str, dims))}] within {', '.join(limits)}"
