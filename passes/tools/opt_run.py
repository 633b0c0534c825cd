"""The work of `ge-opt`: read, run, print, for each part of the input."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import traceback
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from ge_dialect.diagnostics import Diagnostic, DiagnosticSink, ExitCode, GeError, user_error
from ge_dialect.tools import common
from ge_dialect.tools.progress import Progress
from ge_dialect.tools.screen import Screen
from passes.asked import not_held
from passes.context import DEFAULT_SOC, PassContext
from passes.instrument import Instrument, PassRun, SnapshotWriter, Statistics
from passes.manager import RunOptions, RunReport, run_pipeline
from passes.pipeline import Pipeline, parse_pipeline
from passes.plugins import loaded_for, recorded
from passes.printing import DumpDir, PrintFilter, PrintIR
from passes.registry import canonical_name, unknown_pass
from passes.repro import Reproducer, parse_reproducer
from passes.split import join_output, split_input
from passes.stages import DEFAULT_PIPELINE
from passes.timing import TimingTree
from passes.tools.opt_explain import Explaining
from passes.tools.opt_weights import dump_weights, find_weights, place_weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.dialects.builtin import ModuleOp

    from ge_dialect.api import Model
    from passes.pipeline import PassItem

#: Show progress on a terminal only when a run takes longer than this many seconds.
_PROGRESS_AFTER = 1.0
#: Seconds a pass may take unless the user says otherwise; a run ends even where a pass does not.
PASS_TIMEOUT = 600.0


class OptRun:
    """One call of the tool."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.filename = common.input_name(args.input)
        self.timing = TimingTree()
        self.statistics = Statistics()
        self.reports: list[RunReport] = []
        self.diagnostics: list[Diagnostic] = []
        self.screen = Screen()
        self.loads = ExitStack()
        self.has_graph = args.print_ir_graph is None

    def run(self) -> int:
        """Do everything and return the exit status."""
        args = self.args
        status = int(ExitCode.INTERNAL)
        try:
            self.loads.enter_context(loaded_for(args.load))
            self._check_arguments()
            status = self._run()
        except GeError as error:
            status = error.exit_code
            self._report(error.diagnostics)
            self._debug(error)
        finally:
            where = args.json_report
            self.screen.end("--json-report FILE lists all" if not where else f"all in {where}")
            # A report is most useful when something went wrong.
            if args.json_report:
                status = self._write_report(status)
            self.loads.close()
        if args.statistics:
            sys.stderr.write(self.statistics.render())
        if args.timing:
            sys.stderr.write(self.timing.render(args.timing))
        return status

    # --- before the run ---

    def _check_arguments(self) -> None:
        args = self.args
        for flag, names in (
            ("--print-ir-before", args.print_ir_before),
            ("--print-ir-after", args.print_ir_after),
            ("--disable-pass", args.disable_pass),
            ("--enable-pass", args.enable_pass),
        ):
            for i, name in enumerate(names):
                own = canonical_name(name)
                if own is None:
                    raise unknown_pass(name, flag)
                names[i] = own
        self.explaining = Explaining(args)
        outputs = (args.output, args.remarks_json, args.fusion_report, args.diff_json)
        common.check_outputs(outputs)
        folders = {os.path.realpath(f) for f in (args.dump_dir, args.dump_ge) if f}
        for name in (*outputs, args.json_report):
            if name and name != "-" and os.path.realpath(name) in folders:
                args.json_report = None  # nothing is written there
                raise user_error("GX-002", f"{name!r} would be a file and the folder of the dumps")
        try:
            common.check_outputs((*outputs, args.json_report))
            # Only the result may replace the input.
            reports = (*outputs[1:], args.json_report)
            common.check_outputs(reports, (args.input, args.validate_inputs))
        except GeError:
            args.json_report = None  # it has no place of its own, so nothing is written there
            raise
        self.pipeline = self._pipeline()
        if args.soc:
            from ge_dialect.target.soc_file import load_soc

            load_soc(args.soc)  # a wrong name or file is said at once

    def _pipeline(self) -> Pipeline:
        args = self.args
        texts: list[str] = args.pipeline or []
        if not texts and (args.start_at or args.stop_after):
            texts = [DEFAULT_PIPELINE]
        items = [item for text in texts for item in parse_pipeline(text).items]
        return Pipeline(tuple(items)).between(args.start_at, args.stop_after)

    # --- the run ---

    def _run(self) -> int:
        args = self.args
        data = common.read_input(args.input)
        if b"\0" in data[:4096]:
            raise user_error(
                "GX-003",
                "the input is binary, not IR text",
                location=f"{self.filename}:1:1",
                hint="ge-translate imports ONNX models",
            )
        text = common.decode_text(data, self.filename)
        if text.startswith("\ufeff"):
            text = text[1:]
        if not text.strip():
            raise user_error(
                "GX-009",
                "the input is empty",
                location=f"{self.filename}:1:1",
                expected="a module or a ge.graph",
            )
        repro = None
        if args.run_reproducer:
            repro = parse_reproducer(text, self.filename)
            self._adopt(repro)
        self._warn_of_absent()
        if args.dump_pass_pipeline:
            sys.stderr.write(f"Pass pipeline: {self.pipeline}\n")
        outputs: list[str] = []
        worst = 0
        parts = split_input(text) if args.split_input_file else [text]
        for number, part in enumerate(parts):
            status, output = self._part(part, number if len(parts) > 1 else None)
            worst = max(worst, status)
            if output is not None:
                outputs.append(output)
        if not worst and not self.has_graph:
            raise user_error("GX-011", f"no part has a graph called {args.print_ir_graph!r}")
        if not worst:
            for diagnostic in self.explaining.unanswered():
                self._show(diagnostic)
        self.explaining.write(str(self.pipeline))
        if worst:
            return worst  # an output appears whole or not at all
        with self.timing.scope("Output"):
            common.atomic_write(args.output, join_output(outputs))
        return 0

    def _adopt(self, repro: Reproducer) -> None:
        """Take pipeline and options from a reproducer, except what the command line gave."""
        args, options = self.args, repro.options
        self.loads.enter_context(loaded_for(recorded(options.get("load", ()))))
        try:
            self.pipeline = parse_pipeline(repro.pipeline, f"{self.filename} (pipeline)")
        except GeError as error:
            packages = sorted(set(map(str, dict(options.get("plugins", {})).values())))
            if packages:
                hint = f"it was written with {', '.join(packages)} installed"
                found = [replace(d, hint=hint) for d in error.diagnostics]
                raise GeError(found, error.exit_code) from error
            raise
        args.allow_unregistered_dialect = True  # what stands in it was allowed
        if options.get("verify") in ("each", "stage", "ends", "off"):
            args.verify = options["verify"]
        args.soc = args.soc or options.get("soc")
        if options.get("validate") in ("each", "stage", "ends") and args.validate is None:
            args.validate = options["validate"]
            inputs = options.get("validate_inputs")
            args.validate_inputs = args.validate_inputs or (inputs and str(inputs))
            args.validate_seed = args.validate_seed or options.get("validate_seed") or 0
            args.max_steps = options.get("max_steps") if args.max_steps is None else args.max_steps
        if options.get("driver") == "ge":
            args.driver = "ge"
        for name, kind in (("pass_timeout", float), ("rewrite_limit", int)):
            if getattr(args, name) is None and isinstance(options.get(name), int | float):
                setattr(args, name, kind(options[name]))
        held = {item.name for item in self.pipeline.passes()}
        args.enable_pass = args.enable_pass or [
            n for n in options.get("enable", ()) if canonical_name(n) in held
        ]
        weights = options.get("weights")
        if args.weights is None and isinstance(weights, str) and os.path.isdir(weights):
            args.weights = weights

    def _warn_of_absent(self) -> None:
        """Warn of passes to print around that the pipeline does not hold."""
        args = self.args
        held = {i.name for i in self.pipeline.joined(args.enable_pass).passes()}
        for flag, names in (
            ("--print-ir-before", args.print_ir_before),
            ("--print-ir-after", args.print_ir_after),
        ):
            for name in dict.fromkeys(names):
                if name not in held:
                    self._show(not_held(flag, name, self.pipeline))

    def _look_for_graph(self, module: ModuleOp, alone: bool) -> None:
        """See to the graph that is to be printed; of several parts one has to have it."""
        from ge_dialect.api import Model, pick_graph

        try:
            pick_graph(Model(module), self.args.print_ir_graph)
            self.has_graph = True
        except GeError:
            if alone:
                raise

    def _part(self, text: str, number: int | None) -> tuple[int, str | None]:
        """Status and output of one part of the input."""
        args = self.args
        sink = DiagnosticSink(on_emit=None if args.verify_diagnostics else self._show)
        status, output, failed = 0, None, ()
        try:
            output = self._process(text, number, sink)
        except GeError as error:
            status, failed = error.exit_code, error.diagnostics
            self._debug(error)
        if not args.verify_diagnostics:
            # Errors that a pass reported were shown as they came.
            self._report([d for d in failed if d not in sink.diagnostics])
            return status, output
        produced = list(dict.fromkeys([*sink.diagnostics, *failed]))
        return self._compare(text, produced), output

    def _compare(self, text: str, produced: list[Diagnostic]) -> int:
        from passes.verify_diagnostics import compare

        problems = compare(text, self.filename, produced)
        self._report(problems)
        return ExitCode.USER if problems else 0

    def _process(self, text: str, number: int | None, sink: DiagnosticSink) -> str:
        args = self.args
        with self.timing.scope("Import"):
            from ge_dialect.ir.context import make_context
            from ge_dialect.ir.printer import print_module
            from ge_dialect.ir.reader import parse_module
        with self.timing.scope("Parser"):
            ir_context = make_context(args.allow_unregistered_dialect)
            dumped = self._from_dump(text, sink)
            if dumped is None:
                module = parse_module(text, ir_context, self.filename)
            else:
                module, text = dumped.module, dumped.text()
        if args.print_ir_graph is not None:
            self._look_for_graph(module, number is None)
        ctx = PassContext(
            sink=sink,
            soc_name=args.soc or DEFAULT_SOC,
            rewrite_limit=args.rewrite_limit,
            remarks_enabled=args.verify_diagnostics,
        )
        watch = self.explaining.prepare(ctx, self.pipeline)
        find_weights(module, args.input, args.weights, ctx)
        if dumped is not None and args.weights is None:
            ctx.weights = dumped.weights
        options = RunOptions(
            verify=args.verify,
            disable=args.disable_pass,
            enable=args.enable_pass,
            check_contract=args.verify_contract,
            reproducer=not args.run_reproducer,
            reproducer_dir=args.reproducer_dir,
            source=text,
            pass_timeout=PASS_TIMEOUT if args.pass_timeout is None else args.pass_timeout,
        )
        if args.bisect:
            from passes.tools.opt_bisect import bisect_text

            return bisect_text(text, self.filename, self.pipeline, ctx, options, args)
        validate = self._validate(ctx)
        folder = self._dump_folder(number)
        try:
            report = run_pipeline(
                module,
                self.pipeline,
                ctx=ctx,
                instruments=[
                    *self._instruments(folder),
                    *self._ge_dumps(ctx, number),
                    *([watch] if watch else []),
                    *validate,
                ],
                timing=self.timing,
                options=options,
            )
        finally:
            if folder:
                dump_weights(module, folder, ctx)
            self.explaining.finish(ctx, watch)
        self.reports.append(report)
        with self.timing.scope("Output"):
            label = "" if number is None else f"-{number}"
            place_weights(module, args.output, ctx, label)
            return print_module(
                module, generic=args.print_op_generic, debuginfo=args.print_debuginfo
            )

    def _from_dump(self, text: str, sink: DiagnosticSink) -> Model | None:
        """The model where the input is a dump of GE."""
        from ge_dialect.importers.ge_sniff import dump_kind

        kind = dump_kind(text)
        if kind is None:
            return None
        from ge_dialect.importers.ge_dump import import_dump

        return import_dump(text, label=self.filename, kind=kind, sink=sink)

    def _validate(self, ctx: PassContext) -> list[Instrument]:
        """The instrument that compares values, where asked for."""
        args = self.args
        if args.validate is None and args.validate_inputs is None:
            return []
        from passes.validate import Validate, load_inputs

        path = args.validate_inputs
        inputs = None if path is None else load_inputs(path)
        when = args.validate or "each"
        return [
            Validate(
                when,
                ctx,
                inputs=inputs,
                inputs_path=path,
                seed=args.validate_seed,
                max_steps=args.max_steps,
            )
        ]

    def _ge_dumps(self, ctx: PassContext, number: int | None) -> list[Instrument]:
        """The instrument that writes GE's dumps, where asked for."""
        args = self.args
        if args.dump_ge is None:
            return []
        from passes.dump_ge import FORMATS, DumpGe

        formats = tuple(args.dump_ge_format or FORMATS)
        unknown = [f for f in formats if f not in FORMATS]
        if unknown:
            raise user_error(
                "GX-008",
                f"--dump-ge-format: there is no format {unknown[0]!r}",
                expected=", ".join(FORMATS),
                exit_code=ExitCode.USAGE,
            )
        folder = args.dump_ge if number is None else os.path.join(args.dump_ge, f"part{number:02d}")
        wanted = tuple(p for p in (args.dump_ge_filter or "").split("|") if p)
        level, each = args.dump_ge_level, args.dump_each
        return [DumpGe(folder, ctx, level=level, formats=formats, wanted=wanted, each=each)]

    def _dump_folder(self, number: int | None) -> str | None:
        """Where the dumps of a part go."""
        if number is None or self.args.dump_dir is None:
            return self.args.dump_dir
        return os.path.join(self.args.dump_dir, f"part{number:02d}")

    def _instruments(self, dump_folder: str | None) -> list[Instrument]:
        args = self.args
        writer = SnapshotWriter(
            generic=args.print_op_generic,
            debuginfo=args.print_debuginfo,
            graph=args.print_ir_graph,
        )
        instruments: list[Instrument] = [self.statistics]
        what = PrintFilter(
            before=args.print_ir_before,
            after=args.print_ir_after,
            before_all=args.print_ir_before_all,
            after_all=args.print_ir_after_all,
            on_change=args.print_ir_after_change,
            diff=args.print_ir_diff,
        )
        if what.active:
            instruments.append(PrintIR(what, sys.stderr, writer))
        if dump_folder:
            instruments.append(DumpDir(dump_folder, writer, each=args.dump_each))
        if sys.stderr.isatty():
            instruments.append(_ShowProgress(sum(1 for _ in self.pipeline.passes())))
        return instruments

    # --- talking ---

    def _show(self, diagnostic: Diagnostic) -> None:
        """Print a diagnostic as it comes, unless it is a remark nobody asked for.

        Of the parts of an input, the first says what is wrong with the command line.
        """
        if diagnostic.code == "GX-416" and diagnostic in self.diagnostics:
            return
        self.diagnostics.append(diagnostic)
        if diagnostic.severity != "remark":
            self.screen.show([diagnostic])
        elif self.explaining.filter.accepts(diagnostic):
            common.render_diagnostics([diagnostic])

    def _report(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics += diagnostics
        self.screen.show(diagnostics)

    def _debug(self, error: GeError) -> None:
        if error.__cause__ is not None and os.environ.get(common.DEBUG_VARIABLE):
            traceback.print_exception(error.__cause__)

    def _write_report(self, status: int) -> int:
        """Write the report; the exit status of the tool."""
        data = {
            "tool": "ge-opt",
            "version": 1,
            "input": self.filename,
            "exit_status": status,
            "pipeline": str(getattr(self, "pipeline", "")),
            "parts": [r.to_json() for r in self.reports],
            "diagnostics": [d.to_json() for d in self.diagnostics],
            "timing": self.timing.finish().to_json(),
        }
        try:
            common.atomic_write(self.args.json_report, json.dumps(data, indent=1) + "\n")
        except GeError as error:
            common.render_diagnostics(error.diagnostics)
            return status or error.exit_code
        return status


class _ShowProgress(Instrument):
    """A progress line on a terminal, once a run has taken a while."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.done = 0
        self.start = time.monotonic()
        self.bar: Progress | None = None

    def before_pass(self, item: PassItem, module: ModuleOp) -> None:
        """Name the running pass."""
        if self.bar is None and time.monotonic() - self.start > _PROGRESS_AFTER:
            self.bar = Progress("passes", self.total)
            self.bar.__enter__()
            self.bar.advance(self.done)

    def after_pass(self, run: PassRun, module: ModuleOp) -> None:
        """Count the pass."""
        self.done += 1
        if self.bar is not None:
            self.bar.advance()

    def close(self) -> None:
        """Take the line away, also after Ctrl-C."""
        if self.bar is not None:
            self.bar.__exit__(None, None, None)
            self.bar = None
