"""The work of `ge-opt --diff-dump`."""

from __future__ import annotations

import argparse
import json
import sys

from ge_dialect.diagnostics import Diagnostic, DiagnosticSink, ExitCode
from ge_dialect.tools import common


def run(args: argparse.Namespace) -> int:
    """Compare two files; the differences go to stdout, or as JSON to `--diff-json`."""
    from passes.dump_diff import diff_files

    if args.diff_json:
        common.check_outputs((args.diff_json,), args.diff_dump)
    found = diff_files(*args.diff_dump, sink=DiagnosticSink(on_emit=_show))
    if args.diff_json:
        common.atomic_write(args.diff_json, json.dumps(found.to_json(), indent=1) + "\n")
    if args.diff_json != "-":
        sys.stdout.write(found.render())
    return 0 if found.equal else ExitCode.MISCOMPARE


def _show(diagnostic: Diagnostic) -> None:
    if diagnostic.severity != "error":  # errors are shown once, at the end
        common.render_diagnostics([diagnostic])
