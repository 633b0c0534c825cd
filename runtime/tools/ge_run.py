"""`ge-run`: runs a model on the simulated device, or by its golden semantics.

This module parses the command line only; it imports neither xDSL nor numpy.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence

from ge_dialect.tools.arguments import (
    ToolParser,
    add_load,
    amount,
    count,
    forbid_company,
    given,
    need_company,
    nonempty,
    one_on_stdout,
)
from ge_dialect.tools.common import refuse_terminal, run_tool

_EXAMPLES = (
    "ge-run net.rt.mlir --random-inputs 0",
    "ge-run net.mlir --random-inputs 0 --mode eager --trace trace.json",
    "ge-run net.mlir --golden --inputs in.npz --outputs out.npz",
    "ge-run net.mlir --random-inputs 0 --check 1e-3",
    "ge-opt net.mlir -p ge-default | ge-run - --weights net.weights --random-inputs 0",
)


def build_parser() -> ToolParser:
    """The command line of `ge-run`."""
    parser = ToolParser(
        prog="ge-run",
        description=(
            "Run a model on a simulated Ascend device. A ge.graph is compiled with ge-default\n"
            "first, unless --golden or --mode eager is given."
        ),
        usage="ge-run MODEL [--random-inputs SEED | --inputs FILE.npz] [options]",
        examples=_EXAMPLES,
        add_help=False,
    )
    add = parser.add_argument_group("model").add_argument
    add("model", metavar="MODEL", help="IR (ge.graph or rt.model), ONNX or a GE dump; - is stdin")
    add(
        "--weights",
        type=nonempty,
        metavar="DIR",
        help="weight folder, where it is not the one the text names",
    )
    add_load(add)
    add("--graph", type=nonempty, metavar="NAME", help="which ge.graph, where there are several")

    add = parser.add_argument_group("inputs and outputs").add_argument
    add("--inputs", type=nonempty, metavar="FILE", help=".npz with one array per input")
    add("--random-inputs", metavar="SEED", type=count, help="draw the inputs from a seed")
    add(
        "--input-shape",
        type=nonempty,
        metavar="SHAPES",
        help='sizes of open dims, "ids:2,128;x:1,3"',
    )
    add("--outputs", type=nonempty, metavar="FILE", help="write the results as .npz")
    add("--values", type=nonempty, metavar="FILE", help="write the value of every node as .npz")
    add("--check", metavar="TOL", type=amount, help="compare with golden semantics; status 4")

    add = parser.add_argument_group("how to run").add_argument
    add("--mode", choices=("graph", "eager"), default="graph", help="loaded graph, or op by op")
    add("--golden", action="store_true", help="evaluate golden semantics, no device")
    add("--sanitize", action="store_true", help="refuse a compiled model with races, name them")
    add("--time-only", action="store_true", help="times without values: no inputs, no weights")
    add("--max-steps", metavar="N", type=count, help="after which a loop does not end (0: never)")
    add("--seed", metavar="N", type=count, default=0, help="seed of random operators (0)")

    add = parser.add_argument_group("device").add_argument
    add(
        "--soc",
        type=nonempty,
        metavar="NAME",
        help="Ascend910B2 or a .toml file; default: the model's",
    )
    add(
        "--schedule",
        type=nonempty,
        metavar="KIND",
        help="nominal, or adversarial:SEED for another legal order",
    )
    add("--host-queue", metavar="N", type=count, choices=(0, 1, 2), help="eager host: 0-2 (1)")

    add = parser.add_argument_group("reports").add_argument
    add("--trace", type=nonempty, metavar="FILE", help="Chrome trace JSON, opens in Perfetto")
    add("--op-summary", type=nonempty, metavar="FILE", help="one line per kernel, msprof's columns")
    add("--op-statistic", type=nonempty, metavar="FILE", help="one line per operator type")
    add("--task-time", type=nonempty, metavar="FILE", help="one line per task, events included")
    add("-q", "--quiet", action="store_true", help="print no summary")

    add = parser.add_argument_group("information").add_argument
    add("-h", "--help", action="help", help="show this and exit")
    add("--version", action="store_true", help="show the version and exit")
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the tool on arguments; exit status."""
    if "--version" in argv:
        from importlib.metadata import version

        sys.stdout.write(f"ge-run {version('ge-opt')}\n")
        return 0
    parser = build_parser()
    options = parser.parse_args(argv)
    if options.inputs and options.random_inputs is not None:
        parser.error("--inputs and --random-inputs exclude each other")
    if options.model == "-" and options.inputs == "-":
        parser.error("the model and --inputs cannot both come from standard input")
    if options.golden and options.mode == "eager":
        parser.error("--golden and --mode eager exclude each other")
    if options.golden and options.check is not None:
        parser.error("--check compares a simulated run with golden semantics; drop --golden")
    _check_company(parser, options)
    options.host_queue = 1 if options.host_queue is None else options.host_queue
    for path in (options.outputs, options.values):
        if path is not None:
            refuse_terminal(path, "an .npz file")
    from passes.plugins import loaded_for
    from runtime.tools.run_model import run_model

    with loaded_for(options.load):
        return run_model(options)


def _check_company(parser: ToolParser, options: Namespace) -> None:
    """Refuse options that would do nothing in the company of the others."""
    reports = (options.trace, options.op_summary, options.op_statistic, options.task_time)
    if options.golden and any(path is not None for path in reports):
        parser.error("--golden runs on no device: there are no times to report")
    files = ("outputs", "values", "trace", "op_summary", "op_statistic", "task_time")
    named = [("--" + name.replace("_", "-"), getattr(options, name)) for name in files]
    one_on_stdout(parser, named)
    written = options.outputs is not None or options.values is not None
    if options.time_only and (options.golden or options.check is not None or written):
        parser.error("--time-only gives no values to compare or write")
    if options.golden:
        device = ("soc", "schedule", "sanitize", "host_queue")
        forbid_company(parser, "--golden", given(parser, options, *device))
    if options.mode == "eager":
        loaded = ("schedule", "sanitize")
        forbid_company(parser, "--mode eager", given(parser, options, *loaded))
    if options.time_only:
        values = ("inputs", "random_inputs", "seed")
        forbid_company(parser, "--time-only", given(parser, options, *values))
    eager = options.mode == "eager"
    loops = eager or options.golden or options.check is not None
    need_company(
        parser,
        (
            ("--host-queue", options.host_queue is not None, eager, "--mode eager"),
            (
                "--max-steps",
                options.max_steps is not None,
                loops,
                "--golden, --check, --mode eager",
            ),
        ),
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point."""
    return run_tool(run, argv, packages=("ge_dialect", "passes", "runtime"))


if __name__ == "__main__":
    sys.exit(main())
