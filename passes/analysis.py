"""Analyses: facts computed from a module, cached until a pass changes what they rest on.

A pass that changes the module drops every result except those its contract preserves. An analysis
that asks for another one rests on it, and goes with it. With ``check_contract`` the driver computes
preserved results again and compares, so a contract cannot promise too much.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ge_dialect.diagnostics import ExitCode, user_error
from ge_dialect.plugins import journal

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ge_dialect.target.origin_formats import OriginFormats
    from passes.context import PassContext

#: name -> "module:function"; the function takes (module, ctx) and returns the result.
ANALYSES: dict[str, str] = {
    "op-census": "passes.analysis:op_census",
    "origin-formats": "passes.analysis:origin_formats",
    "origin-map": "passes.analysis:origin_map",
    "shape-ranges": "passes.shapes.symbolic:shape_ranges",
    "symbolic-shapes": "passes.shapes.symbolic:symbolic_shapes",
}


def register_analysis(name: str, target: str | Callable[..., Any]) -> None:
    """Make an analysis known: "module:function", or a function of a module.

    The result must be comparable with ``==``. ValueError where the name is taken.
    """
    where = target if isinstance(target, str) else f"{target.__module__}:{target.__qualname__}"
    if ANALYSES.get(name, where) != where:
        raise ValueError(f"analysis name '{name}' is taken by {ANALYSES[name]}")
    if name not in ANALYSES:
        foreign = None if isinstance(target, str) else target
        journal.note("analysis", name, foreign, lambda: ANALYSES.pop(name, None))
    ANALYSES[name] = where


@dataclass
class AnalysisCache:
    """Results by analysis name for the module of one run.

    computed: how often each was computed. rests_on: the analyses each one asked for.
    """

    _results: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    computed: dict[str, int] = field(default_factory=dict)
    rests_on: dict[str, set[str]] = field(default_factory=dict)
    _running: list[str] = field(default_factory=list)

    def get(self, name: str, module: ModuleOp, ctx: PassContext) -> Any:
        """The cached result for `module`, or a new one; `GeError` GX-402 for an unknown name."""
        for outer in self._running:
            self.rests_on.setdefault(outer, set()).add(name)
        hit = self._results.get(name)
        if hit is not None and hit[0] is module:
            return hit[1]
        if name in self._running:
            chain = " -> ".join([*self._running, name])
            raise user_error(
                "GX-417", f"analyses need each other: {chain}", exit_code=ExitCode.INTERNAL
            )
        self.rests_on.pop(name, None)
        result = self._compute(name, module, ctx)
        self._results[name] = (module, result)
        self.computed[name] = self.computed.get(name, 0) + 1
        return result

    def _compute(self, name: str, module: ModuleOp, ctx: PassContext) -> Any:
        target = ANALYSES.get(name)
        if target is None:
            raise user_error(
                "GX-402",
                f"no analysis is called '{name}'",
                expected=", ".join(sorted(ANALYSES)) or None,
                exit_code=ExitCode.INTERNAL,
            )
        where, _, attribute = target.partition(":")
        function = getattr(import_module(where), attribute)
        self._running.append(name)
        try:
            return function(module, ctx)
        finally:
            self._running.pop()

    def cached(self) -> tuple[str, ...]:
        """Names of the results at hand."""
        return tuple(self._results)

    def invalidate(self, preserves: Iterable[str] = ()) -> None:
        """Drop all results but those named that rest on nothing dropped."""
        keep = set(preserves)
        while True:
            broken = {n for n in keep if not self.rests_on.get(n, set()) <= keep}
            if not broken:
                break
            keep -= broken
        for name in [n for n in self._results if n not in keep]:
            del self._results[name]

    def broken_promises(
        self, preserves: Iterable[str], module: ModuleOp, ctx: PassContext
    ) -> list[str]:
        """Which of the preserved results at hand are not what they would be now."""
        wrong: list[str] = []
        for name in preserves:
            hit = self._results.get(name)
            if hit is None or hit[0] is not module:
                continue
            fresh = AnalysisCache()
            held, ctx.analyses = ctx.analyses, fresh
            try:
                if fresh.get(name, module, ctx) != hit[1]:
                    wrong.append(name)
            finally:
                ctx.analyses = held
        return wrong


# ------------------------------------------------------------------------------- what there is


def op_census(module: ModuleOp, ctx: PassContext) -> dict[str, int]:
    """Number of nodes by operator name, all graphs together."""
    from ge_dialect.ir.graph import walk_graphs

    return dict(Counter(op.name for block in walk_graphs(module) for op in block.ops))


def origin_formats(module: ModuleOp, ctx: PassContext) -> OriginFormats:
    """Axis order of every tensor of which something says it: `result.of(value)`."""
    from ge_dialect.target.origin_formats import OriginFormats

    return OriginFormats(module)


def origin_map(module: ModuleOp, ctx: PassContext) -> dict[str, tuple[str, ...]]:
    """Source node name -> names of the nodes that stand for it now, in graph order."""
    from ge_dialect.ir.graph import walk_graphs
    from ge_dialect.ir.names import node_name, origins

    out: dict[str, tuple[str, ...]] = {}
    for block in walk_graphs(module):
        for op in block.ops:
            name = node_name(op)
            if name is not None:
                for source in origins(op):
                    out[source] = (*out.get(source, ()), name)
    return out
