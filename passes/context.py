"""What a running pass sees besides the module."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ge_dialect.diagnostics import DiagnosticSink, op_place
from passes.analysis import AnalysisCache
from passes.remarks import CODES_OF_KINDS, Remark

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Operation

    from passes.attempts import Tracer
    from passes.probe import Probe

DEFAULT_SOC = "910B2"


class PassContext:
    """Services of one pipeline run.

    sink: where diagnostics and remarks go. weights: the module's weight store, or None;
    weights_path: the folder it is opened from on first use.
    options: named knobs of the whole run (GE spelling, e.g. ``ge.oo.level``).
    soc_name: the SoC to compile for. rewrite_limit: how many rewrites the run may still apply
    (None: no limit); bisection lowers it. remarks_enabled: whether remarks are worth their cost;
    near_misses: also those of ops that only have the type a pattern starts from. tracer: shows the
    steps of chosen patterns. driver: "default", or "ge" for GE's own order of visits.
    """

    def __init__(
        self,
        *,
        sink: DiagnosticSink | None = None,
        weights: Any = None,
        weights_path: str | None = None,
        options: Mapping[str, Any] | None = None,
        soc_name: str = DEFAULT_SOC,
        rewrite_limit: int | None = None,
        remarks_enabled: bool = False,
        near_misses: bool = False,
        tracer: Tracer | None = None,
        driver: str = "default",
    ) -> None:
        self.sink = sink if sink is not None else DiagnosticSink()
        self.weights_path = weights_path
        self.options: Mapping[str, Any] = options if options is not None else {}
        self.soc_name = soc_name
        self.rewrite_limit = rewrite_limit
        self.remarks_enabled = remarks_enabled or near_misses
        self.near_misses = near_misses
        self.tracer = tracer
        self.driver = driver
        #: watches the patterns of the run; tests use it, see `passes.probe`
        self.probe: Probe | None = None
        self.analyses = AnalysisCache()
        self.pass_name = ""
        self._weights = weights
        self._soc: Any = None
        self._ir_context: Any = None

    @property
    def weights(self) -> Any:
        """The module's weight store, opened from `weights_path` on first use; None without one."""
        if self._weights is None and self.weights_path is not None:
            from ge_dialect.weights import WeightStore

            self._weights = WeightStore.open(self.weights_path)
        return self._weights

    @weights.setter
    def weights(self, store: Any) -> None:
        self._weights = store

    @property
    def has_weights(self) -> bool:
        """Whether there is a weight store, without opening it."""
        return self._weights is not None or self.weights_path is not None

    @property
    def weights_opened(self) -> bool:
        """Whether the weight store is in memory, so that a pass may have added to it."""
        return self._weights is not None

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
        """Report a remark: `category` is "applied", "missed", "analysis" or "unmatched".

        fields: those of `passes.remarks.Remark`; location, node and origins come from `op`.
        """
        location = node = None
        if op is not None:
            from ge_dialect.ir.names import origins, recorded_origins

            location, node = op_place(op)
            if fields.get("origins") is None and recorded_origins(op):
                fields["origins"] = origins(op)
        if fields.get("involved") is not None:
            fields["involved"] = tuple(n for n in fields["involved"] if n is not None) or None
        fields.setdefault("location", location)
        fields.setdefault("node", node)
        code = code or CODES_OF_KINDS.get(category, "GX-422")
        self.sink.emit(Remark(code, message, "remark", category=category, **fields))

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
