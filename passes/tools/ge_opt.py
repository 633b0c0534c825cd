"""`ge-opt`: runs passes on textual IR.

This module parses the command line only; it imports neither xDSL nor numpy.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import NoReturn

from ge_dialect.tools.arguments import (
    ToolParser,
    add_load,
    amount,
    count,
    forbid_company,
    given,
    names,
    need_company,
    nonempty,
    one_on_stdout,
)
from ge_dialect.tools.common import run_tool

_VERIFY = ("each", "stage", "ends", "off")
_VALIDATE = ("each", "stage", "ends")
_EXAMPLES = (
    "ge-opt net.mlir --pipeline=ge-default --dump-dir=stages --timing -o net.rt.mlir",
    "ge-opt net.mlir -p 'prepare,fix(cse,prune){max=4}' --print-ir-after-change",
    "cat net.mlir | ge-opt - -p cse --statistics | ge-run - --golden --random-inputs 0",
)


#: What `mlir-opt` (and GE's `atc`) have as options, and what does it here.
_HABITS = {
    "canonicalize": "say --pipeline=prepare,cse; the stages prepare and stage1 canonicalize",
    "soc_version": "say --soc NAME",
    "load-pass-plugin": "--load FILE.py takes passes in",
    "load-dialect-plugin": "--load FILE.py takes operators in",
}


class OptParser(ToolParser):
    """The parser of `ge-opt`, which knows what MLIR users type by habit."""

    def error(self, message: str) -> NoReturn:
        """Report wrong usage, with the nearest option or pass."""
        self.exit(2, f"ge-opt: error: GX-008: {message}\n{_hint(self, message)}")


def _hint(parser: argparse.ArgumentParser, message: str) -> str:
    lead = "unrecognized arguments: "
    flag = message.partition(lead)[2].split(" ")[0].split("=")[0]
    if flag.startswith("-"):
        from passes.registry import canonical_name, did_you_mean

        name = flag.lstrip("-")
        if name in _HABITS:
            return f"  hint: {_HABITS[name]}\n"
        if canonical_name(name):
            return f"  hint: passes are named in a pipeline: --pipeline={name}\n"
        near = did_you_mean(flag, [s for s in parser._option_string_actions if s != "-h"])
        if near:
            return f"  hint: {near}\n"
    return "  hint: ge-opt --help lists the options\n"


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """One line an option, whatever the width of the terminal."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=34, width=100)


def build_parser() -> OptParser:
    """The command line of `ge-opt`."""
    parser = OptParser(
        prog="ge-opt",
        description="Run passes on IR of the ge dialect.",
        usage="ge-opt [INPUT] [-p PIPELINE] [-o OUTPUT] [options]",
        examples=_EXAMPLES,
        add_help=False,
    )
    parser.formatter_class = _Formatter
    add = parser.add_argument_group("input and output").add_argument
    add("input", nargs="?", default="-", metavar="INPUT", help="IR or a GE dump; - is stdin")
    add(
        "-o",
        "--output",
        type=nonempty,
        default="-",
        metavar="FILE",
        help="result; - is stdout (default)",
    )
    add(
        "--weights",
        type=nonempty,
        metavar="DIR",
        help="weight folder (default: the one the input names)",
    )
    add("--split-input-file", action="store_true", help="parts between lines '// -----' run alone")
    add("--allow-unregistered-dialect", action="store_true", help="accept unknown operations")
    add("--soc", type=nonempty, metavar="NAME", help="SoC to compile for (default: 910B2)")

    add = parser.add_argument_group("pipeline").add_argument
    add(
        "-p",
        "--pipeline",
        action="append",
        metavar="TEXT",
        help="passes, stages, named pipelines, @file",
    )
    add(
        "--start-at",
        type=nonempty,
        metavar="STAGE",
        help="skip what comes before (default pipeline: ge-default)",
    )
    add("--stop-after", type=nonempty, metavar="STAGE", help="skip what comes after")
    add_load(add)
    add("--disable-pass", action="append", default=[], type=names, metavar="P,P", help="leave out")
    add("--enable-pass", action="append", default=[], type=names, metavar="P,P", help="put in")
    add("--dump-pass-pipeline", action="store_true", help="canonical pipeline text on stderr")

    add = parser.add_argument_group("checking").add_argument
    add("--verify", choices=_VERIFY, default="each", help="when to check the IR (default: each)")
    add("--verify-diagnostics", action="store_true", help="compare with expected-error comments")
    add("--verify-contract", action="store_true", help="hold passes to what they say and promise")
    add("--validate", choices=_VALIDATE, help="compare golden values, when (off unless given)")
    add(
        "--validate-inputs",
        type=nonempty,
        metavar="FILE",
        help=".npz of input values to compare on",
    )
    add("--validate-seed", type=count, metavar="N", help="seed of drawn input values")
    add("--max-steps", type=count, metavar="N", help="after which a loop does not end (0: never)")

    add = parser.add_argument_group("printing (to stderr) and dumping").add_argument
    add("--print-ir-before", type=names, default=[], metavar="P,P", help="IR before these passes")
    add("--print-ir-after", type=names, default=[], metavar="P,P", help="IR after these passes")
    add("--print-ir-before-all", action="store_true", help="before every pass")
    add("--print-ir-after-all", action="store_true", help="after every pass")
    add("--print-ir-after-change", action="store_true", help="after each pass that changed it")
    add("--print-ir-diff", action="store_true", help="what each pass changed, node by node")
    add("--print-ir-graph", type=nonempty, metavar="NAME", help="only this graph")
    add(
        "--dump-dir",
        type=nonempty,
        metavar="DIR",
        help="numbered files: input and each stage, GE's names",
    )
    add("--dump-each", action="store_true", help="with --dump-dir: also after each changing pass")
    add(
        "--dump-ge",
        type=nonempty,
        metavar="DIR",
        help="the same as GE's dumps: ge_proto_*.txt, ge_onnx_*.pbtxt",
    )
    add(
        "--dump-ge-level",
        type=count,
        choices=(1, 2, 3),
        help="1 with bytes of constants (default), 2 without, 3 small",
    )
    add(
        "--dump-ge-filter",
        type=nonempty,
        metavar="A|B",
        help="only dumps whose stage name holds one of these",
    )
    add("--dump-ge-format", type=names, metavar="F,F", help="ge-proto, ge-onnx (default: both)")
    add("--print-op-generic", action="store_true", help="generic form")
    add("--print-debuginfo", action="store_true", help="locations, node names and origins")

    add = parser.add_argument_group("explaining (to stderr)").add_argument
    add(
        "--remarks",
        metavar="FILTER",
        help="applied,missed,analysis,all; passes; /regex/; node:GLOB",
    )
    add(
        "--remarks-json",
        type=nonempty,
        metavar="FILE",
        help="the same remarks (without --remarks: all) as JSON",
    )
    add(
        "--why",
        type=nonempty,
        metavar="NODE",
        action="append",
        default=[],
        help="all decisions about a node",
    )
    add(
        "--fusion-report",
        type=nonempty,
        metavar="FILE",
        help="matched, effected by pass, as GE; -: a table",
    )
    add(
        "--trace-pattern",
        type=nonempty,
        metavar="NAME",
        help="steps of the patterns of that name (or glob)",
    )
    add("--driver", choices=("default", "ge"), default="default", help="ge: GE's order of visits")
    add("--diff-dump", nargs=2, metavar=("A", "B"), help="what differs; status 4 where anything")
    add(
        "--diff-json",
        type=nonempty,
        metavar="FILE",
        help="with --diff-dump: the same as JSON; - is stdout",
    )

    add = parser.add_argument_group("measuring and failures").add_argument
    add("--timing", nargs="?", const="tree", choices=("tree", "list"), help="time by stage, pass")
    add("--statistics", action="store_true", help="counters of the passes")
    add(
        "--json-report",
        type=nonempty,
        metavar="FILE",
        help="passes, counters, times and diagnostics as JSON",
    )

    add(
        "--reproducer-dir",
        type=nonempty,
        metavar="DIR",
        help="where reproducers go (default: temporary folder)",
    )
    add(
        "--rewrite-limit",
        type=count,
        metavar="N",
        help="stop rewriting after N rewrites (bisection)",
    )
    add("--run-reproducer", action="store_true", help="take pipeline and options from the input")
    add("--bisect", action="store_true", help="find the first bad pass and rewrite")
    add("--pass-timeout", type=amount, metavar="SECONDS", help="for a pass (600; 0: no limit)")

    add = parser.add_argument_group("information").add_argument
    add("-h", "--help", action="help", help="this text")
    add("--version", action="store_true", help="version")
    add("--list-passes", action="store_true", help="passes by stage, with their options")
    add("--list-pipelines", action="store_true", help="stages and named pipelines")
    add("--list-plugins", action="store_true", help="what plug-ins bring, and what is wrong")
    add("--show-dialects", action="store_true", help="dialects, operators of plug-ins")
    return parser


#: Spellings of mlir-opt, and what they are here.
_MLIR_FLAGS = {
    "--pass-pipeline": "--pipeline",
    "--print-ir-change": "--print-ir-after-change",
    "--mlir-pass-statistics": "--statistics",
    "--mlir-print-ir-tree-dir": "--dump-dir",
    "--mlir-timing-display": "--timing",
    "--verify-each": "--verify=each",
    "--no-verify-each": "--verify=off",
}


def translate_flags(argv: Sequence[str]) -> list[str]:
    """Arguments with MLIR's options (``--mlir-print-ir-after-all``, ...) in our spelling."""
    out: list[str] = []
    for argument in argv:
        flag, equals, value = argument.partition("=")
        if flag in ("--verify-each", "--verify-diagnostics") and equals:
            if flag == "--verify-each":
                word = {"false": "off", "0": "off", "true": "each", "1": "each"}
                out.append(f"--verify={word.get(value.lower(), value)}")
                continue
            argument = flag  # the level after = does not matter here
        elif flag in _MLIR_FLAGS:
            argument = _MLIR_FLAGS[flag] + equals + value
        elif flag.startswith(("--mlir-print-", "--mlir-timing")):
            argument = "--" + argument[len("--mlir-") :]
        # Without this, argparse would take an input that follows for the way to display.
        out.append("--timing=tree" if argument == "--timing" else argument)
    return out


def run(argv: Sequence[str]) -> int:
    """Parse arguments and do the work."""
    parser = build_parser()
    args = parser.parse_args(translate_flags(argv))
    args.disable_pass = [n for some in args.disable_pass for n in some]
    args.enable_pass = [n for some in args.enable_pass for n in some]
    lists = (args.list_passes, args.list_pipelines, args.list_plugins, args.show_dialects)
    if args.version or any(lists):
        from passes.tools import opt_info

        return opt_info.show(args)
    _check_company(parser, args)
    if args.diff_dump:
        from passes.tools import opt_diff

        return opt_diff.run(args)
    args.dump_ge_level = args.dump_ge_level or 1
    args.validate_seed = args.validate_seed or 0
    from passes.tools.opt_run import OptRun

    return OptRun(args).run()


#: Options that print the IR while passes run.
_PRINTS = (
    *("print_ir_before", "print_ir_after", "print_ir_before_all", "print_ir_after_all"),
    *("print_ir_after_change", "print_ir_diff"),
)
#: Options that watch or explain a run; `--bisect` makes many runs and reports about all of them.
_OF_ONE_RUN = (
    *(*_PRINTS, "dump_dir", "dump_ge", "remarks", "remarks_json", "why", "fusion_report"),
    *("trace_pattern", "statistics", "verify_diagnostics", "print_op_generic", "print_debuginfo"),
)
#: Options that do nothing where no pass runs.
_OF_PASSES = (
    *("verify_contract", "validate", "validate_inputs", "bisect", "rewrite_limit", "driver"),
    *("fusion_report", "trace_pattern", "pass_timeout", "reproducer_dir"),
)


def _check_company(parser: ToolParser, args: argparse.Namespace) -> None:
    """Refuse options that would do nothing in the company of the others, or without any."""
    prints = any(was for _, was in given(parser, args, *_PRINTS))
    validates = args.validate or args.validate_inputs or args.bisect or args.run_reproducer
    validating = "--validate, --validate-inputs, --bisect"
    need_company(
        parser,
        (
            ("--dump-each", args.dump_each, args.dump_dir or args.dump_ge, "--dump-dir, --dump-ge"),
            ("--dump-ge-level", args.dump_ge_level, args.dump_ge, "--dump-ge"),
            ("--dump-ge-filter", args.dump_ge_filter, args.dump_ge, "--dump-ge"),
            ("--dump-ge-format", args.dump_ge_format, args.dump_ge, "--dump-ge"),
            ("--diff-json", args.diff_json, args.diff_dump, "--diff-dump"),
            (
                "--print-ir-graph",
                args.print_ir_graph,
                prints or args.dump_dir,
                "--print-ir-after-all, --dump-dir or the like",
            ),
            ("--validate-seed", args.validate_seed is not None, validates, validating),
            ("--max-steps", args.max_steps is not None, validates, validating),
        ),
    )
    if not (args.pipeline or args.start_at or args.stop_after or args.run_reproducer):
        of_passes = given(parser, args, *_PRINTS, *_OF_PASSES)
        need_company(parser, [(flag, was, False, "--pipeline") for flag, was in of_passes])
    if args.run_reproducer:
        if args.pipeline:
            parser.error("--run-reproducer takes the pipeline from the input; drop --pipeline")
        taken = ("start_at", "stop_after", "reproducer_dir")
        forbid_company(parser, "--run-reproducer", given(parser, args, *taken))
    if args.diff_dump:
        others = {a.dest for a in parser._actions} - {"help", "diff_dump", "diff_json", "load"}
        forbid_company(parser, "--diff-dump", given(parser, args, *sorted(others)))
    if args.bisect:
        forbid_company(parser, "--bisect", given(parser, args, *_OF_ONE_RUN))
    one_on_stdout(
        parser,
        (
            ("-o", args.output),
            ("--json-report", args.json_report),
            ("--remarks-json", args.remarks_json),
        ),
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of the console script."""
    return run_tool(run, argv, packages=("ge_dialect", "passes"))


if __name__ == "__main__":
    sys.exit(main())
