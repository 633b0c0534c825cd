"""Each engine claims the nodes which its library supports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ge_dialect.ir.base import GeOp, get_str, set_str
from ge_dialect.ir.graph import walk_graphs
from ge_dialect.target.engines import (
    AICORE,
    AICPU,
    ENGINES,
    claiming_engine,
    engine_refusal,
    refusals,
)
from passes.base import Contract, Pass, PassResult

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from passes.context import PassContext


@dataclass(frozen=True)
class EngineClaim(Pass):
    """Write into ``ge.engine`` which engine claims a node.

    Engines are asked cheapest first: GE_LOCAL for nodes without a task, RTS for copies, AI Core by
    its operator library (types and dtypes; layouts do not exist yet), AI CPU for every operator
    with semantics. An engine given by the user is kept if it takes the node. Engines named in
    ``exclude`` are not asked (GE's ``ge.exec.exclude_engines``). All nodes that no engine takes are
    reported at once; a remark says why a node is not the AI Core's.

    Before::

        ge.graph @g(%x: tensor<8xf32>) {
          %d = ge.Data(%x) {index = 0} : tensor<8xf32>
          %a = ge.Relu(%d) : tensor<8xf32>
          ge.NetOutput(%a)
        }

    After::

        ge.graph @g(%x: tensor<8xf32>) {
          %d = ge.Data(%x) {index = 0, ge.engine = "DNN_VM_GE_LOCAL"} : tensor<8xf32>
          %a = ge.Relu(%d) {ge.engine = "AIcoreEngine"} : tensor<8xf32>
          ge.NetOutput(%a) {ge.engine = "DNN_VM_GE_LOCAL"}
        }
    """

    name: ClassVar[str] = "engine-claim"
    stage: ClassVar[str] = "format"
    contract: ClassVar[Contract] = Contract(
        establishes=("engines-claimed",), preserves=("op-census", "origin-map")
    )

    exclude: tuple[str, ...] = ()

    def run(self, module: ModuleOp, ctx: PassContext) -> PassResult:
        counters: Counter[str] = Counter()
        unknown = sorted(set(self.exclude) - set(ENGINES))
        if unknown:
            ctx.sink.error(
                "GX-404",
                "unknown engine in exclude",
                found=", ".join(unknown),
                expected=", ".join(ENGINES),
            )
            return PassResult(False)
        for block in walk_graphs(module):
            for op in block.ops:
                if isinstance(op, GeOp):
                    place(op, ctx, counters, layouts=False, exclude=self.exclude)
        return PassResult.from_counters(counters)


def place(
    op: GeOp,
    ctx: PassContext,
    counters: Counter[str],
    *,
    layouts: bool,
    exclude: Sequence[str] = (),
) -> None:
    """Give a node its engine, or report why none takes it. Counts changes by engine."""
    given = get_str(op, "ge.engine")
    if given is not None:
        reason = engine_refusal(op, given, layouts=layouts)
        if ctx.remarks_enabled:
            said = "is kept" if reason is None else f"does not take it any more: {reason}"
            kind = "analysis" if reason is None else "missed"
            ctx.remark(f"{given} {said}", op=op, category=kind, reason=reason)
        if reason is None:
            return
        if not layouts:
            ctx.sink.error(
                "GX-503",
                f"{op.name}: the given engine {given} does not take this node",
                op=op,
                found=reason,
                hint="remove ge.engine to let the compiler choose",
            )
            return
    engine = claiming_engine(op, layouts=layouts, exclude=exclude)
    if engine is None:
        why = "; ".join(f"{e}: {r}" for e, r in refusals(op, layouts=layouts).items())
        ctx.sink.error("GX-503", f"no engine takes {op.name}", op=op, found=why)
        return
    set_str(op, "ge.engine", engine)
    counters[engine] += 1
    if ctx.remarks_enabled:
        _explain(op, engine, ctx, layouts)


def _explain(op: GeOp, engine: str, ctx: PassContext, layouts: bool) -> None:
    """Remarks: the engine of a node, and for a fall-back why the AI Core does not take it."""
    refused = refusals(op, layouts=layouts)
    if engine == AICPU and AICORE in refused:
        reason = refused[AICORE]
        ctx.remark(f"{AICORE} {reason}", op=op, category="missed", reason=reason)
    asked = [f"{e} {refused[e]}" for e in ENGINES[: ENGINES.index(engine)] if e in refused]
    ctx.remark(f"placed on {engine}", op=op, category="applied", held=tuple(asked) or None)
