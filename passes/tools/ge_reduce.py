"""`ge-reduce`: shrinks a failing graph and pipeline to a small pair that fails the same way.

This module parses the command line only; it imports neither xDSL nor numpy.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from ge_dialect.tools.arguments import (
    ToolParser,
    add_load,
    count,
    forbid_company,
    given,
    nonempty,
    number,
    positive,
)
from ge_dialect.tools.common import run_tool

_EXAMPLES = (
    "ge-reduce bad.mlir -p prepare,fuse --fails value -o small.mlir",
    "ge-reduce ge-opt-cse-1a2b3c4d.mlir                  # a reproducer knows its pipeline",
    "ge-reduce bad.mlir -p ge-default --fails diagnostic=GX-510",
    "ge-reduce bad.mlir --test '! ge-opt {} -p cse --validate=ends'",
)


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """One line an option, whatever the width of the terminal."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=96)


def build_parser() -> ToolParser:
    """The command line of `ge-reduce`."""
    parser = ToolParser(
        prog="ge-reduce",
        description="Shrink a failing graph and pipeline to a small pair that fails the same way.",
        usage="ge-reduce INPUT [-p PIPELINE] [--fails KIND | --test CMD] [-o OUTPUT] [options]",
        examples=_EXAMPLES,
        add_help=False,
    )
    parser.formatter_class = _Formatter
    add = parser.add_argument_group("input and output").add_argument
    add("input", metavar="INPUT", help="IR text, ONNX, or a reproducer of ge-opt; - is stdin")
    add(
        "-o",
        "--output",
        type=nonempty,
        metavar="FILE",
        help="small graph (default: <INPUT>.reduced.mlir)",
    )
    add(
        "--weights",
        type=nonempty,
        metavar="DIR",
        help="weight folder (default: the one the input names)",
    )
    add(
        "--inputs",
        type=nonempty,
        metavar="FILE",
        help=".npz of input values that show a wrong value",
    )
    add("--soc", type=nonempty, metavar="NAME", help="SoC to compile for (default: 910B2)")
    add_load(add)

    add = parser.add_argument_group("the failure").add_argument
    add(
        "-p", "--pipeline", action="append", metavar="TEXT", help="passes, stages, pipelines, @file"
    )
    add(
        "--fails",
        metavar="KIND",
        help="value, verify, crash, timeout, diagnostic=CODE (default: see)",
    )
    add(
        "--test",
        type=nonempty,
        metavar="CMD",
        help="fails when this command succeeds; {} is the file",
    )
    add("--timeout", type=positive, default=20.0, metavar="SECONDS", help="for a pass or CMD (20)")
    add("--seed", type=count, default=0, metavar="N", help="seed of drawn input values")
    add("--max-steps", type=count, metavar="N", help="after which a loop does not end (0: never)")

    add = parser.add_argument_group("effort").add_argument
    add("--max-time", type=positive, default=600.0, metavar="SECONDS", help="in all (600)")
    add("--max-trials", type=number, default=20_000, metavar="N", help="runs in all (20000)")

    add = parser.add_argument_group("information").add_argument
    add("-h", "--help", action="help", help="this text")
    add("--version", action="store_true", help="version")
    return parser


def run(argv: Sequence[str]) -> int:
    """Parse arguments and do the work."""
    parser = build_parser()
    if "--version" in argv:
        from importlib.metadata import version

        sys.stdout.write(f"ge-reduce {version('ge-opt')}\n")
        return 0
    args = parser.parse_args(argv)
    if args.fails is not None and args.test is not None:
        parser.error("--fails and --test exclude each other")
    drawn = given(parser, args, "inputs", "seed", "max_steps")
    if args.test is not None:
        forbid_company(parser, "--test", drawn)
    elif args.fails is not None and args.fails != "value":
        forbid_company(parser, f"--fails {args.fails}", drawn)
    from passes.tools.reduce_run import reduce_file

    return reduce_file(args)


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of the console script."""
    return run_tool(run, argv, packages=("ge_dialect", "passes"))


if __name__ == "__main__":
    sys.exit(main())
