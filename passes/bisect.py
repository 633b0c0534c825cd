"""`--bisect`: the first bad pass of a failing run, and the first bad rewrite in it.

A run of the first n passes is good or bad; the smallest bad n is found by halving, and in the same
way the smallest number of rewrites of that pass with which the run is bad. That takes
log2(passes) + log2(rewrites) runs, and it finds *a* place where good turns into bad even where a
later pass hides the fault again.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ge_dialect.diagnostics import Diagnostic, DiagnosticSink, ExitCode, GeError
from passes.context import DEFAULT_SOC, PassContext
from passes.instrument import Instrument, PassRun
from passes.manager import RunOptions, run_pipeline
from passes.pipeline import as_pipeline

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ge_dialect.api import Model
    from passes.base import Contract
    from passes.pipeline import PassItem, Pipeline, PipelineLike
    from passes.testing.observe import Evaluated, Executor

#: Lines of IR shown before and after what a rewrite changed.
CONTEXT_LINES = 3
#: Lines of IR shown where nothing says which of them matter.
SHOWN_LINES = 40
_PLENTY = 1 << 40


@dataclass(frozen=True)
class Failure:
    """How a run fails: what counts as the same failure, words for it, and its exit status."""

    kind: str
    message: str
    exit_code: int = ExitCode.USER


@dataclass(frozen=True)
class Bisected:
    """The result.

    number: which pass run it is (1 is the first) of `total`. rewrite: the first bad rewrite of the
    pass (1 is the first) of `rewrites`; None where the failure does not depend on counted rewrites.
    pattern and node: what was rewritten, where. before and after: IR around the bad pass (or
    rewrite). runs: how many runs of (a part of) the pipeline it took.
    """

    failure: Failure
    pass_text: str
    pass_name: str
    stage: str | None
    number: int
    total: int
    rewrite: int | None
    rewrites: int
    pattern: str | None
    node: str | None
    before: str
    after: str | None
    runs: int

    def diff(self) -> str:
        """The lines that the pass (the rewrite) changed, with some around them."""
        if self.after is None:
            return ""
        lines = difflib.unified_diff(
            self.before.splitlines(), self.after.splitlines(), "before", "after",
            n=CONTEXT_LINES, lineterm="",
        )  # fmt: skip
        return "\n".join(lines)

    def render(self) -> str:
        """The report as text."""
        stage = f" of stage '{self.stage}'" if self.stage else ""
        out = [
            f"failure: {self.failure.message}",
            f"first bad pass: {self.pass_text} (pass {self.number} of {self.total}){stage}",
        ]
        if self.rewrite is not None:
            what = f": {self.pattern}" if self.pattern else ""
            where = f" at '{self.node}'" if self.node else ""
            out.append(f"first bad rewrite: {self.rewrite} of {self.rewrites}{what}{where}")
        elif self.rewrites:
            out.append("first bad rewrite: none; it fails with no rewrite of the pass applied")
        else:
            out.append("first bad rewrite: the pass counts no rewrites")
        out.append(f"runs: {self.runs}")
        shown = self.diff()
        if shown:
            out += ["", shown]
        elif self.after is None:
            lines = self.before.rstrip().splitlines()
            more = len(lines) - SHOWN_LINES
            out += ["", "IR before it:", *lines[:SHOWN_LINES]]
            if more > 0:
                out.append(f"... {more} more lines")
        return "\n".join(out) + "\n"


class _Counter(Instrument):
    """Lets only the first passes run, and sets the rewrite limit for the last of them."""

    def __init__(self, ctx: PassContext, limit: int | None, rewrites: int | None) -> None:
        self.ctx = ctx
        self.limit = limit
        self.rewrites = rewrites
        self.started: list[tuple[str, str]] = []
        self.stages: list[str | None] = []
        self.stage: str | None = None
        self.used = 0
        self.lowering: int | None = None
        self.broke_off = False

    def should_run(self, item: PassItem, module: ModuleOp) -> bool:
        """Whether the limit is not reached."""
        return self.limit is None or len(self.started) < self.limit

    def before_stage(self, stage: str, module: ModuleOp) -> None:
        """Note the stage."""
        self.stage = stage

    def after_stage(self, stage: str, module: ModuleOp) -> None:
        """Note that it is over."""
        self.stage = None

    def before_pass(self, item: PassItem, module: ModuleOp) -> None:
        """Count, and limit the last pass."""
        self.started.append((item.name, str(item)))
        self.stages.append(self.stage)
        if "graph" in item.cls.contract.destroys and self.lowering is None:
            self.lowering = len(self.started)
        if self.limit is not None and len(self.started) == self.limit:
            self.ctx.remarks_enabled = True
            self.ctx.rewrite_limit = _PLENTY if self.rewrites is None else self.rewrites

    def after_pass(self, run: PassRun, module: ModuleOp) -> None:
        """How many rewrites the last pass made."""
        self._take()

    def failed(self, item: PassItem | None, module: ModuleOp, error: BaseException) -> None:
        """The same for a pass that failed."""
        self.broke_off = True
        self._take()

    def _take(self) -> None:
        if self.ctx.rewrite_limit is not None and len(self.started) == self.limit:
            start = _PLENTY if self.rewrites is None else self.rewrites
            self.used = start - self.ctx.rewrite_limit


@dataclass
class _Probe:
    """One run: how it failed, what ran, and the module it left."""

    failure: Failure | None
    counter: _Counter
    module: Any
    sink: DiagnosticSink


class Bisection:
    """Runs parts of a pipeline on new copies of a model.

    make: gives a new model each time. inputs: values by input name (drawn from `seed` where not
    given). values: whether values are compared too. options: how passes run (time limit, disabled
    passes). soc_name, driver: as in `PassContext`. executor, max_steps: as for `Validate`.
    """

    def __init__(
        self,
        make: Callable[[], Model],
        pipeline: PipelineLike,
        *,
        values: bool = True,
        inputs: Mapping[str, Any] | None = None,
        seed: int = 0,
        soc_name: str = DEFAULT_SOC,
        driver: str = "default",
        options: RunOptions | None = None,
        executor: Executor | None = None,
        max_steps: int | None = None,
    ) -> None:
        self.make = make
        enable = () if options is None else sorted(options.enable)
        self.pipeline: Pipeline = as_pipeline(pipeline).joined(enable)
        self.values = values
        self.inputs = inputs
        self.seed = seed
        self.soc_name = soc_name
        self.driver = driver
        self.settings = replace(options or RunOptions(), reproducer=False)
        self.executor = executor
        self.max_steps = max_steps
        self.runs = 0
        self._sets: list[Evaluated] = []

    def run(self) -> Bisected | None:
        """The first bad pass and rewrite; None where nothing fails."""
        if self.values:
            self._evaluate()
        first = self._probe(None, verify=self.settings.verify)
        total = len(first.counter.started)
        failure = first.failure
        if failure is None and self.values and self.executor is None and first.counter.lowering:
            # values end where the graph ends
            total = first.counter.lowering - 1
            failure = self._probe(total).failure
        if failure is None or total == 0:
            return None
        number = self._search(0, total, lambda n: self._bad(failure, n))
        if not self._bad(failure, number):
            return None
        return self._describe(failure, number, total, first)

    def _describe(self, failure: Failure, number: int, total: int, first: _Probe) -> Bisected:
        whole = self._probe(number)
        # a pass that raises does so on the way to one more rewrite
        raised = whole.failure is not None and whole.counter.broke_off
        rewrites = whole.counter.used + (1 if raised and whole.counter.used else 0)
        rewrite: int | None = None
        if rewrites and not self._bad(failure, number, 0):
            rewrite = self._search(0, rewrites, lambda k: self._bad(failure, number, k))
        pattern = node = None
        if rewrite is None:
            before, after = self._probe(number - 1), whole
        else:
            before, after = self._probe(number, rewrite - 1), self._probe(number, rewrite)
            done = [d for d in after.sink.diagnostics if d.category == "applied"]
            if done:
                pattern, node = done[-1].message.removesuffix(" applied"), done[-1].node
        name, text = whole.counter.started[number - 1]
        said = whole.failure or failure
        return Bisected(
            said if said.kind == failure.kind else failure,
            text,
            name,
            whole.counter.stages[number - 1],
            number,
            len(first.counter.started),
            rewrite,
            rewrites,
            pattern,
            node,
            _text(before.module) or "",
            None if failure.kind in ("GX-406", "GX-442") else _text(after.module),
            self.runs,
        )

    @staticmethod
    def _search(good: int, bad: int, is_bad: Callable[[int], bool]) -> int:
        """The smallest bad number between a good one and a bad one."""
        while bad - good > 1:
            middle = (good + bad) // 2
            if is_bad(middle):
                bad = middle
            else:
                good = middle
        return bad

    def _bad(self, failure: Failure, number: int, rewrites: int | None = None) -> bool:
        found = self._probe(number, rewrites).failure
        return found is not None and found.kind == failure.kind

    # ---------------------------------------------------------------------------------- probing

    def _probe(
        self, limit: int | None, rewrites: int | None = None, *, verify: str = "off"
    ) -> _Probe:
        self.runs += 1
        model = self.make()
        sink = DiagnosticSink()
        ctx = PassContext(
            sink=sink, weights=model.weights, soc_name=self.soc_name, driver=self.driver
        )
        counter = _Counter(ctx, limit, rewrites)
        options = replace(self.settings, verify=verify)
        try:
            run_pipeline(
                model.module, self.pipeline, ctx=ctx, instruments=[counter], options=options
            )
        except GeError as error:
            if error.exit_code == ExitCode.USAGE:
                raise
            return _Probe(_of_error(error), counter, model.module, sink)
        failure = self._verify(model) if verify == "off" else None
        if failure is None and self.values:
            from ge_dialect.semantics.budget import limited, with_steps

            with limited(with_steps(self.max_steps)):
                failure = self._compare(model, counter)
        return _Probe(failure, counter, model.module, sink)

    @staticmethod
    def _verify(model: Model) -> Failure | None:
        from ge_dialect.ir.verifier import verify

        try:
            found = [d for d in verify(model.module) if d.severity == "error"]
        except Exception as error:  # IR so broken that the verifier stumbles over it
            found = [Diagnostic("GX-407", f"the verifier failed: {error}")]
        if not found:
            return None
        first = found[0]
        at = f" at '{first.node}'" if first.node else ""
        return Failure("verify", f"{first.code}: {first.message}{at}", ExitCode.VERIFY)

    def _evaluate(self) -> None:
        from ge_dialect.semantics.budget import limited, with_steps
        from passes.testing.observe import evaluated

        with limited(with_steps(self.max_steps)):
            self._sets = evaluated(self.make(), self.inputs, seed=self.seed)

    def _compare(self, model: Model, counter: _Counter) -> Failure | None:
        from passes.testing.compare import f64_bound, precision_dtype, weakest
        from passes.testing.observe import first_difference, observe

        if not model.graphs and self.executor is None:
            return None
        from passes.registry import pass_class

        contracts: list[Contract] = []
        for item in self.pipeline.passes():
            if any(item.name == name for name, _ in counter.started):
                contracts.append((item.cls if item.instance else pass_class(item.name)).contract)
        promise = weakest([c.values for c in contracts])
        for one in self._sets:
            name, values = one.graph, one.inputs
            try:
                after = observe(model, values, graph=name, keep="all", executor=self.executor)
            except GeError as error:
                said = error.diagnostics[0]
                return Failure("value", f"{said.code}: {said.message}", ExitCode.MISCOMPARE)

            def bounds(values: list[Any] = values, name: str = name) -> Any:
                dtype = precision_dtype(promise)
                return f64_bound(self.make(), values, dtype=dtype, graph=name, keep="all")

            found = first_difference(one.seen, after, promise, bounds)
            if found is not None:
                return Failure("value", f"values differ: {found}", ExitCode.MISCOMPARE)
        return None


def _of_error(error: GeError) -> Failure:
    first = error.diagnostics[0]
    if error.exit_code == ExitCode.VERIFY:
        shown = error.diagnostics[1] if len(error.diagnostics) > 1 else first
        at = f" at '{shown.node}'" if shown.node else ""
        return Failure("verify", f"{shown.code}: {shown.message}{at}", error.exit_code)
    return Failure(first.code, f"{first.code}: {first.message}", error.exit_code)


def _text(module: Any) -> str | None:
    from ge_dialect.ir.printer import print_module

    try:
        return print_module(module)
    except Exception:  # what a crash left behind may not print
        return None


def bisect(make: Callable[[], Model], pipeline: PipelineLike, **settings: Any) -> Bisected | None:
    """The first bad pass of a failing pipeline and the first bad rewrite in it.

    make: gives a new model each time; settings: as for `Bisection`. None where nothing fails.
    Raises GeError for a pipeline that cannot run at all and for graphs that cannot be evaluated.
    """
    return Bisection(make, pipeline, **settings).run()
