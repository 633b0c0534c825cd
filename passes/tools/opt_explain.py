"""The explaining options of `ge-opt`: remarks, --why, --fusion-report, --trace-pattern."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ge_dialect.diagnostics import Diagnostic, GeError
from ge_dialect.tools import common
from passes.context import PassContext
from passes.pipeline import Pipeline
from passes.remarks import NOTHING, RemarkFilter, parse_filter, remarks_in, to_json
from passes.why import Explainer, Explanation, Said, fusion_result, fusion_table

if TYPE_CHECKING:
    from passes.attempts import Tracer


class Explaining:
    """What one call of the tool has to explain, and what it found."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        text = args.remarks
        self.filter: RemarkFilter = NOTHING if text is None else parse_filter(text)
        self._parts: list[list[Said]] = []
        self._said: list[Explanation] = []
        self._remarks: list[dict[str, Any]] = []
        self._tracer: Tracer | None = None
        if args.trace_pattern:
            from passes.attempts import Tracer

            self._tracer = Tracer(args.trace_pattern, sys.stderr)

    @property
    def wanted(self) -> bool:
        """Whether remarks have to be made at all."""
        args = self.args
        return bool(args.remarks is not None or args.why or args.remarks_json or args.fusion_report)

    def prepare(self, ctx: PassContext, pipeline: Pipeline) -> Explainer | None:
        """Switch on in the context what is needed; the instrument to run with."""
        args = self.args
        ctx.driver = args.driver
        ctx.tracer = self._tracer
        if not self.wanted:
            return None
        ctx.remarks_enabled = True
        ctx.near_misses = bool(args.why) or "unmatched" in self.filter.kinds
        runs = {i.name for i in pipeline.running(args.disable_pass, args.enable_pass)}
        left_out = dict.fromkeys(i.name for i in pipeline.passes() if i.name not in runs)
        return Explainer(ctx.sink, tuple(args.why), tuple(left_out))

    def finish(self, ctx: PassContext, watch: Explainer | None) -> None:
        """After a part ran, also when it failed: answer, and keep what goes to files."""
        if watch is None:
            return
        self._parts.append(watch.runs)
        self._remarks += to_json(
            r
            for r in remarks_in(ctx.sink.diagnostics)
            if self.args.remarks is None or self.filter.accepts(r)
        )
        if self.args.why and watch.started:
            try:
                found = watch.explanations()
            except GeError as error:
                if error.__context__ is None:
                    raise  # the run itself went well
                common.render_diagnostics(error.diagnostics)
                return
            self._said += found
            for answer in found:
                sys.stderr.write(answer.render())

    def unanswered(self) -> Iterator[Diagnostic]:
        """After all parts: warnings of what was asked and is not there."""
        silence = None if self._tracer is None else self._tracer.silence()
        if silence is not None:
            yield silence

    def write(self, pipeline: str) -> None:
        """Write the files, and the table that was asked for."""
        args = self.args
        if args.remarks_json:
            data = {"version": 1, "pipeline": pipeline, "remarks": self._remarks}
            if args.why:
                data["why"] = [e.to_json() for e in self._said]
            common.atomic_write(args.remarks_json, json.dumps(data, indent=1) + "\n")
        if args.fusion_report == "-":
            sys.stderr.write(fusion_table([said for part in self._parts for said in part]))
        elif args.fusion_report:
            text = json.dumps(fusion_result(self._parts), indent=4)
            common.atomic_write(args.fusion_report, text + "\n")
