"""The driver: runs a pipeline on a module, watched by instruments."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from ge_dialect.diagnostics import Diagnostic, ExitCode, GeError, user_error
from ge_dialect.held import COLLECTOR
from passes.asked import check_options, own_names, without_effect
from passes.context import PassContext
from passes.guard import PassTimeout, global_state_kept, raised_at, time_limit
from passes.instrument import Instrument, PassRun
from passes.misfits import Misfits
from passes.pipeline import (
    GroupItem,
    Item,
    NamedItem,
    PassItem,
    Pipeline,
    as_pipeline,
    is_left_out,
)
from passes.repro import Reproducer, origin_options, write_reproducer

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from passes.base import Pass
    from passes.pipeline import PipelineLike
    from passes.timing import TimingTree

VerifyMode = Literal["each", "stage", "ends", "off"]
VERIFY_MODES: tuple[VerifyMode, ...] = ("each", "stage", "ends", "off")


@dataclass
class RunOptions:
    """How a pipeline is run.

    verify: check the IR after each pass, after each stage, at both ends, or never.
    start_at / stop_after: run only that part of the pipeline (stages, or top-level passes).
    disable: passes to leave out. enable: passes which named pipelines leave out by default; one
    that the pipeline does not hold joins its stage there.
    check_contract: compare what every pass did with what it said (changed or not) and promised
    (properties it establishes, no more operations). Costs a print and two probes for each pass.
    reproducer: write one when a pass fails; `reproducer_dir` is its folder (None: the system's
    temporary one). source: the text the module was read from, for the reproducer.
    pass_timeout: seconds a pass may take (None: no limit); kept in the main thread only.
    """

    verify: VerifyMode = "each"
    start_at: str | None = None
    stop_after: str | None = None
    disable: Collection[str] = ()
    enable: Collection[str] = ()
    check_contract: bool = False
    reproducer: bool = True
    reproducer_dir: str | None = None
    source: str | None = None
    pass_timeout: float | None = None


@dataclass
class RunReport:
    """What a run did. `module` is the module that was given, changed in place."""

    module: ModuleOp
    pipeline: str
    runs: list[PassRun] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    @property
    def changed(self) -> bool:
        """Whether any pass changed the module."""
        return any(r.changed for r in self.runs)

    def counters(self) -> dict[str, Counter[str]]:
        """Counters summed by pass name."""
        total: dict[str, Counter[str]] = {}
        for run in self.runs:
            total.setdefault(run.name, Counter()).update(run.counters)
        return total

    def to_json(self) -> dict[str, Any]:
        """Plain data for the JSON report."""
        return {
            "pipeline": self.pipeline,
            "changed": self.changed,
            "passes": [r.to_json() for r in self.runs],
        }


def run_pipeline(
    target: Any,
    pipeline: PipelineLike,
    *,
    ctx: PassContext | None = None,
    instruments: Sequence[Instrument] = (),
    timing: TimingTree | None = None,
    options: RunOptions | None = None,
    **settings: Any,
) -> RunReport:
    """Run `pipeline` on `target` (a module, or a model: module with weights), in place.

    `settings` are fields of `RunOptions`. Raises `GeError` for anything that goes wrong: bad
    pipeline text or order of passes (usage, before anything ran), errors reported by a pass (user),
    IR that does not verify (3) and exceptions in a pass (internal); each names the pass.
    The garbage collector is suspended during the run and put back on every path.
    """
    chosen = options or RunOptions(**settings)
    if chosen.verify not in VERIFY_MODES:
        raise ValueError(f"verify must be one of {', '.join(VERIFY_MODES)}")
    context = ctx or PassContext()
    module = target
    if hasattr(target, "weights") and hasattr(target, "module"):
        module = target.module
        if not context.has_weights:
            context.weights = target.weights
    if getattr(module, "name", None) != "builtin.module":
        from ge_dialect.api import as_model

        as_model(target)  # says what is wrong
    parsed = as_pipeline(pipeline).between(chosen.start_at, chosen.stop_after)
    return _Run(module, parsed, context, instruments, timing, chosen).run()


class _Run:
    """State of one run."""

    def __init__(
        self,
        module: ModuleOp,
        pipeline: Pipeline,
        ctx: PassContext,
        instruments: Sequence[Instrument],
        timing: TimingTree | None,
        options: RunOptions,
    ) -> None:
        self.module = module
        self.pipeline = pipeline
        self.ctx = ctx
        self.instruments = tuple(instruments)
        self.timing = timing
        self.options = options
        self.disable: frozenset[str] = frozenset()
        self.enable: frozenset[str] = frozenset()
        self.report = RunReport(module, str(pipeline))
        self.done: list[str] = []
        self.stage: str | None = None
        self.inside_named = 0
        self.source = ""
        self.last: PassItem | None = None
        self.rewrite_limit = ctx.rewrite_limit
        self.misfits = Misfits(ctx)

    def run(self) -> RunReport:
        first = len(self.ctx.sink.diagnostics)
        self.disable, self.enable = own_names(self.options.disable, self.options.enable)
        self.pipeline = self.pipeline.joined(sorted(self.enable))
        check_options(self.pipeline.passes())
        for warning in without_effect(self.pipeline, self.disable, self.enable):
            self.ctx.sink.emit(warning)
        with COLLECTOR.held():
            try:
                self._run_all()
            finally:
                self.ctx.sink.pass_name = None
                self.ctx.pass_name = ""
                self.report.diagnostics = self.ctx.sink.diagnostics[first:]
                for instrument in self.instruments:
                    instrument.close()
        return self.report

    def _run_all(self) -> None:
        from passes.properties import check_order

        if self.options.verify != "off":
            self.misfits.begin(self.module)
            self._verify(None)
        check_order(self.pipeline.running(self.disable, self.enable), self.module)
        self._keep_source()
        self.ctx.analyses.invalidate()  # the module may have changed since an earlier run
        for instrument in self.instruments:
            instrument.begin(self.module)
        self._items(self.pipeline.items)
        if self.options.verify in ("ends", "stage") and self.report.runs:
            self._verify(self.last)
        self._judge("end", "", self.last)
        for instrument in self.instruments:
            instrument.end(self.module)

    def _keep_source(self) -> None:
        """Remember the IR before the first pass; afterwards it is gone."""
        if not self.options.reproducer or self.options.source is not None:
            return
        if not self.pipeline.items:
            return
        from ge_dialect.ir.printer import print_module

        try:
            self.source = print_module(self.module, debuginfo=True)
        except Exception:  # such a module cannot be reproduced from text
            self.source = ""

    # --- items ---

    def _items(self, items: Sequence[Item]) -> bool:
        changed = False
        for item in items:
            if isinstance(item, PassItem):
                changed |= self._pass(item)
            elif isinstance(item, NamedItem):
                changed |= self._named(item)
            elif item.rounds is not None:
                changed |= self._fix(item, item.rounds)
            else:
                with self._timed(item.label or "group"):
                    changed |= self._items(item.items)
        return changed

    def _named(self, item: NamedItem) -> bool:
        from passes.stages import STAGE_NAMES

        is_stage = item.name in STAGE_NAMES
        outer = self.stage
        self.inside_named += 1
        if is_stage:
            self.stage = item.name
            for instrument in self.instruments:
                instrument.before_stage(item.name, self.module)
        ran = len(self.report.runs)
        with self._timed(item.name):
            changed = self._items(item.items)
            if is_stage and self.options.verify == "stage" and len(self.report.runs) > ran:
                self._verify(self.last)
            if is_stage and len(self.report.runs) > ran:
                self._judge("stage", item.name, self.last)
        self.inside_named -= 1
        if is_stage:
            for instrument in self.instruments:
                instrument.after_stage(item.name, self.module)
            self.stage = outer
        return changed

    def _fix(self, item: GroupItem, rounds: int) -> bool:
        changed = False
        first = 0
        for _ in range(rounds):
            first = len(self.report.runs)
            with self._timed("fix"):
                if not self._items(item.items):
                    return changed
            changed = True
        busy = dict.fromkeys(r.name for r in self.report.runs[first:] if r.changed)
        self.ctx.sink.warning(
            "GX-408",
            f"{Pipeline((item,))} still changed the IR in round {rounds}",
            found=f"changes by {', '.join(busy)}",
            hint="raise max, or look for passes which undo each other",
        )
        return changed

    def _pass(self, item: PassItem) -> bool:
        if is_left_out(item, self.inside_named > 0, self.disable, self.enable):
            return False
        if not all([i.should_run(item, self.module) for i in self.instruments]):
            return False
        if self.options.verify != "off" and "graph" in item.cls.contract.destroys:
            found = self.misfits.before_lowering(self.module)
            if found:
                self._fail(None, GeError(found, ExitCode.VERIFY))
        text = str(item)
        self.last = item
        self.done.append(text)
        for instrument in self.instruments:
            instrument.before_pass(item, self.module)
        before = _Look(self.module) if self.options.check_contract else None
        sink = self.ctx.sink
        sink.pass_name = self.ctx.pass_name = item.name
        errors = len(sink.errors)
        start = time.perf_counter()
        with self._timed(item.name):
            result = self._guarded(item)
            seconds = time.perf_counter() - start
            if before is not None:
                self._check_contract(item, before, result.changed)
            if result.changed:
                self.ctx.analyses.invalidate(item.cls.contract.preserves)
            run = PassRun(item.name, text, self.stage, result.changed, result.counters, seconds)
            self.report.runs.append(run)
            for instrument in self.instruments:
                instrument.after_pass(run, self.module)
            if len(sink.errors) > errors:
                self._fail(item, GeError(sink.errors[errors:], ExitCode.USER))
            if self.options.verify == "each":
                self._verify(item)
            if result.changed:
                self._judge("pass", item.name, item)
        sink.pass_name = None
        self.ctx.pass_name = ""
        return result.changed

    def _guarded(self, item: PassItem) -> Any:
        try:
            with global_state_kept(), time_limit(self.options.pass_timeout):
                result = item.build().run(self.module, self.ctx)
            if not hasattr(result, "changed"):
                raise TypeError(f"run() returned {type(result).__name__}, not a PassResult")
            return result
        except GeError as error:
            self._fail(item, _named_by(error, item.name))
        except PassTimeout:
            self._fail(item, self._too_slow(item))
        except (Exception, SystemExit) as error:  # a pass must not end the process either
            self._fail(item, self._crash(item, error))

    # --- failures ---

    def _judge(self, where: str, name: str, item: PassItem | None) -> None:
        """Ask the instruments whether the result is right; what they say ends the run."""
        for instrument in self.instruments:
            if type(instrument).judge is Instrument.judge:
                continue
            with self._timed(f"(I) {type(instrument).__name__.lower()}"):
                found = instrument.judge(where, name, self.module)
            if not found:
                continue
            head, *rest = found
            label = name or "pipeline"
            hint = self._reproduce(head.message, label, instrument.options())
            blamed = name if where == "pass" else None
            head = replace(head, hint=hint or head.hint, pass_name=blamed)
            self._fail(item, GeError([head, *rest], ExitCode.MISCOMPARE))

    def _too_slow(self, item: PassItem) -> GeError:
        limit = self.options.pass_timeout
        what = f"pass '{item.name}' took longer than {limit:g} s"
        return user_error(
            "GX-442",
            what,
            hint=self._reproduce(what, item.name, {"pass_timeout": limit}),
            pass_name=item.name,
            exit_code=ExitCode.INTERNAL,
        )

    def _fail(self, item: PassItem | None, error: GeError) -> None:
        """Tell the instruments, then raise."""
        for instrument in self.instruments:
            instrument.failed(item, self.module, error)
        raise error from error.__cause__

    def _crash(self, item: PassItem, error: BaseException) -> GeError:
        from ge_dialect.plugins.journal import fault

        what = f"pass '{item.name}' raised {fault(error)}"
        failure = user_error(
            "GX-406",
            what,
            found=raised_at(error),
            hint=self._reproduce(what, item.name),
            pass_name=item.name,
            exit_code=ExitCode.INTERNAL,
        )
        failure.__cause__ = error
        return failure

    def _reproduce(
        self, what: str, label: str, more: Mapping[str, Any] | None = None
    ) -> str | None:
        if not self.options.reproducer:
            return None
        ir = self.source if self.options.source is None else self.options.source
        if not ir:
            return None
        options: dict[str, Any] = {"verify": self.options.verify, **(more or {})}
        if self.ctx.driver != "default":
            options["driver"] = self.ctx.driver
        if self.rewrite_limit is not None:
            options["rewrite_limit"] = self.rewrite_limit
        if self.ctx.weights_path:
            options["weights"] = self.ctx.weights_path
        if self.enable:
            options["enable"] = sorted(self.enable)
        if self.ctx.soc_name:
            options["soc"] = self.ctx.soc_name
        options |= origin_options(self.done)
        reproducer = Reproducer(ir, ",".join(self.done), what, options)
        folder = self.options.reproducer_dir
        path = write_reproducer(reproducer, label, folder)
        if path is None:
            return f"no reproducer could be written to {folder or 'the folder for such files'!r}"
        return f"ge-opt --run-reproducer {path}"

    def _verify(self, item: PassItem | None) -> None:
        from ge_dialect.ir.verifier import verify

        with self._timed("(V) verify"):
            try:
                found = [d for d in verify(self.module) if d.severity == "error"]
                if not found:
                    given, found = self.misfits.look(self.module)
                    item, found = (None, given) if given else (item, found)
            except Exception as error:  # IR so broken that the verifier stumbles over it
                found = [Diagnostic("GX-407", f"the verifier failed: {error}"[:300])]
        if not found:
            return
        if item is None:
            self._fail(None, GeError(found, ExitCode.VERIFY))
            return
        name = item.name
        what, blamed = f"the IR does not verify after pass '{name}'", name
        if self.options.verify != "each":  # an earlier pass may have broken it
            what, blamed = f"the IR does not verify after the passes up to '{name}'", None
        head = Diagnostic(
            "GX-407",
            what,
            hint=self._reproduce(what, name),
            expected=None if blamed else "--verify=each, to see which pass broke it",
            pass_name=blamed,
        )
        self._fail(item, GeError([head, *found], ExitCode.VERIFY))

    # --- helpers ---

    def _check_contract(self, item: PassItem, before: _Look, said: bool) -> None:
        """Hold a pass to what it said and promised."""
        from passes.properties import PROPERTIES

        after = _Look(self.module)
        contract = item.cls.contract
        if said and after.text == before.text:
            self._break(item, "GX-409", "reported a change it did not make")
        if not said and after.text != before.text:
            self._break(item, "GX-409", "changed the IR and reported no change")
        if contract.reads_only and after.text != before.text:
            self._break(item, "GX-411", "changed the IR, and its contract says it only reads")
        if after.count > before.count and not contract.grows:
            grown = f"{before.count} operations before, {after.count} after"
            self._break(item, "GX-411", "added operations against its contract", found=grown)
        for name in contract.establishes:
            if name in PROPERTIES and not PROPERTIES[name].holds(self.module):
                doc = PROPERTIES[name].doc
                self._break(item, "GX-415", f"did not establish '{name}'", expected=doc)
        if said:
            kept = contract.preserves
            for name in self.ctx.analyses.broken_promises(kept, self.module, self.ctx):
                self._break(item, "GX-425", f"did not preserve the analysis '{name}'")

    def _break(self, item: PassItem, code: str, what: str, **fields: Any) -> None:
        message = f"pass '{item.name}' {what}"
        error = user_error(
            code, message, pass_name=item.name, exit_code=ExitCode.INTERNAL, **fields
        )
        self._fail(item, error)

    def _timed(self, name: str) -> AbstractContextManager[None]:
        return self.timing.scope(name) if self.timing is not None else nullcontext()


class _Look:
    """Text and number of operations of a module at one moment."""

    def __init__(self, module: ModuleOp) -> None:
        from ge_dialect.ir.printer import print_module

        self.text = print_module(module, debuginfo=True)
        self.count = sum(1 for _ in module.walk())


def _named_by(error: GeError, name: str) -> GeError:
    """The error with the pass's name in each diagnostic that lacks one."""
    named = [d if d.pass_name else replace(d, pass_name=name) for d in error.diagnostics]
    renamed = GeError(named, error.exit_code)
    renamed.__cause__ = error
    return renamed


def run_pass(target: Any, a_pass: Pass | type[Pass], **settings: Any) -> RunReport:
    """Run one pass; as `run_pipeline`."""
    return run_pipeline(target, a_pass, **settings)
