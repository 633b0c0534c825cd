"""What a running pass sees besides the module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ge_dialect.diagnostics import DiagnosticSink
from passes.analysis import AnalysisCache

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Operation

DEFAULT_SOC = "910B2"


@dataclass
class PassContext:
    """Services of one pipeline run.

    sink: where diagnostics and remarks go. weights: the module's weight store, or None;
    weights_path: the folder it was opened from, if any.
    options: named knobs of the whole run (GE spelling, e.g. ``ge.oo.level``).
    soc_name: the SoC to compile for. rewrite_limit: how many rewrites the run may still apply
    (None: no limit); bisection lowers it.
    """

    sink: DiagnosticSink = field(default_factory=DiagnosticSink)
    weights: Any = None
    weights_path: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    soc_name: str = DEFAULT_SOC
    analyses: AnalysisCache = field(default_factory=AnalysisCache)
    rewrite_limit: int | None = None
    pass_name: str = ""
    remarks_enabled: bool = False
    _soc: Any = None
    _ir_context: Any = None

    @property
    def soc(self) -> Any:
        """Description of the target SoC, loaded on first use."""
        if self._soc is None:
            from ge_dialect.target import load_soc

            self._soc = load_soc(self.soc_name)
        return self._soc

    @property
    def ir_context(self) -> Any:
        """An xDSL context with our dialects, made on first use."""
        if self._ir_context is None:
            from ge_dialect.ir import make_context

            self._ir_context = make_context()
        return self._ir_context

    def remark(
        self,
        message: str,
        *,
        op: Operation | None = None,
        category: str = "applied",
        code: str | None = None,
        **fields: Any,
    ) -> None:
        """Report a remark: `category` is "applied", "missed" or "analysis"."""
        if code is None:
            code = {"applied": "GX-420", "missed": "GX-421"}.get(category, "GX-422")
        self.sink.remark(code, message, op=op, category=category, **fields)

    def analysis(self, name: str, module: ModuleOp) -> Any:
        """Result of the named analysis on `module`, cached until a pass invalidates it."""
        return self.analyses.get(name, module, self)

    def take_rewrite(self) -> bool:
        """Ask to apply one more rewrite; False when the run's limit is used up."""
        if self.rewrite_limit is None:
            return True
        if self.rewrite_limit <= 0:
            return False
        self.rewrite_limit -= 1
        return True
