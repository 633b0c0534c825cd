"""Analyses: facts computed from a module, cached until a pass changes what they rest on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ge_dialect.diagnostics import ExitCode, user_error

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from passes.context import PassContext

#: name -> "module:function"; the function takes (module, ctx) and returns the result.
ANALYSES: dict[str, str] = {}


@dataclass
class AnalysisCache:
    """Results by analysis name for the module of one run."""

    _results: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    computed: dict[str, int] = field(default_factory=dict)

    def get(self, name: str, module: ModuleOp, ctx: PassContext) -> Any:
        """The cached result for `module`, or a new one."""
        hit = self._results.get(name)
        if hit is not None and hit[0] is module:
            return hit[1]
        target = ANALYSES.get(name)
        if target is None:
            raise user_error(
                "GX-402",
                f"no analysis is called '{name}'",
                expected=", ".join(sorted(ANALYSES)) or None,
                exit_code=ExitCode.INTERNAL,
            )
        where, _, attribute = target.partition(":")
        result = getattr(import_module(where), attribute)(module, ctx)
        self._results[name] = (module, result)
        self.computed[name] = self.computed.get(name, 0) + 1
        return result

    def invalidate(self, preserves: Iterable[str] = ()) -> None:
        """Drop all results but those named."""
        keep = set(preserves)
        for name in [n for n in self._results if n not in keep]:
            del self._results[name]
