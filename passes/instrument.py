"""Instruments: what watches a pipeline run without being part of any pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ge_dialect.diagnostics import Diagnostic
    from passes.pipeline import PassItem


@dataclass(frozen=True, slots=True)
class PassRun:
    """One run of one pass: its text with options, the stage it ran in and what it did."""

    name: str
    text: str
    stage: str | None
    changed: bool
    counters: Mapping[str, int] = field(default_factory=dict[str, int])
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """Plain data for the JSON report."""
        data: dict[str, Any] = {"pass": self.text, "changed": self.changed}
        if self.stage:
            data["stage"] = self.stage
        if self.counters:
            data["counters"] = dict(sorted(self.counters.items()))
        data["seconds"] = round(self.seconds, 6)
        return data


class Instrument:
    """Base of instruments: override what you need; every hook does nothing by default.

    The module may be read in a hook, never changed.
    """

    def begin(self, module: ModuleOp) -> None:
        """Before the first pass."""

    def should_run(self, item: PassItem, module: ModuleOp) -> bool:
        """Whether the pass may run; one False is enough to skip it."""
        return True

    def before_pass(self, item: PassItem, module: ModuleOp) -> None:
        """Before a pass."""

    def after_pass(self, run: PassRun, module: ModuleOp) -> None:
        """After a pass, before the IR is verified."""

    def before_stage(self, stage: str, module: ModuleOp) -> None:
        """Before a stage."""

    def after_stage(self, stage: str, module: ModuleOp) -> None:
        """After a stage."""

    def judge(self, where: str, name: str, module: ModuleOp) -> Sequence[Diagnostic]:
        """Errors in what the passes made of the module; any ends the run with exit status 4.

        Called with "pass" after a pass that changed the module and verifies, with "stage" after a
        stage, with "end" at the end of the run.
        """
        return ()

    def options(self) -> Mapping[str, Any]:
        """What a reproducer must say so that this instrument finds the same (JSON-able)."""
        return {}

    def failed(self, item: PassItem | None, module: ModuleOp, error: BaseException) -> None:
        """A pass (or, with None, something around the passes) failed."""

    def end(self, module: ModuleOp) -> None:
        """After the last pass of a run without errors."""

    def close(self) -> None:
        """Last of all, however the run ended."""


class Statistics(Instrument):
    """Sums the counters of every pass and writes them when asked."""

    def __init__(self) -> None:
        self.counters: dict[str, Counter[str]] = {}
        self.runs: Counter[str] = Counter()
        self.changes: Counter[str] = Counter()

    def after_pass(self, run: PassRun, module: ModuleOp) -> None:
        """Add up one run."""
        self.runs[run.name] += 1
        self.changes[run.name] += run.changed
        self.counters.setdefault(run.name, Counter()).update(run.counters)

    def render(self) -> str:
        """The report as text, passes in the order they first ran."""
        rule = "===" + "-" * 73 + "==="
        lines = [rule, "... Pass statistics report ...".center(79).rstrip(), rule]
        for name, counters in self.counters.items():
            lines.append(f"'{name}' ran {self.runs[name]}, changed {self.changes[name]}")
            lines += [f"  (S) {n:6d} {key}" for key, n in sorted(counters.items())]
        return "\n".join(lines) + "\n"


class SnapshotWriter:
    """Text of the module for printing and dumping, in the form the user asked for."""

    def __init__(self, *, generic: bool = False, debuginfo: bool = False, graph: str | None = None):
        self.generic = generic
        self.debuginfo = debuginfo
        self.graph = graph

    def text(self, module: ModuleOp) -> str:
        """The module, or only its graph of the wanted name ("" when there is none)."""
        from ge_dialect.ir.printer import print_module

        text = print_module(module, generic=self.generic, debuginfo=self.debuginfo)
        if self.graph is not None:
            from passes.graph_text import only_graph

            text = only_graph(text, self.graph)
        return text if text.endswith("\n") or not text else text + "\n"


def write_banner(stream: IO[str], text: str) -> None:
    """MLIR's line above a printed module."""
    stream.write(f"// -----// {text} //----- //\n")
