"""The command line of ``python -m passes.testing.check``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ge_dialect.diagnostics import ExitCode, user_error
from ge_dialect.tools.arguments import (
    ToolParser,
    add_load,
    count,
    forbid_company,
    given,
    need_company,
    nonempty,
)
from ge_dialect.tools.common import make_folder
from passes.testing.check import check_pass, fails_on
from passes.testing.graphs import PROFILES
from passes.testing.properties import BY_NAME
from passes.testing.spec import GraphSpec

if TYPE_CHECKING:
    import argparse


def arguments() -> ToolParser:
    """The parser of the command line."""
    parser = ToolParser(
        prog="python -m passes.testing.check",
        description="Hold a pass or pipeline to all properties on examples, patterns and\n"
        "generated graphs; with GRAPH, on that graph alone, which is how a failure is shown again.",
    )
    add = parser.add_argument
    add("graph", nargs="?", metavar="GRAPH", help="a module as text; without it, graphs are made")
    add("--pipeline", required=True, type=nonempty, help="a pass or a pipeline")
    add("--property", choices=list(BY_NAME), action="append", metavar="NAME", help="only this one")
    add(
        "--profile",
        choices=list(PROFILES),
        metavar="NAME",
        help="quick, default or nightly: how many graphs",
    )
    add("--seed", type=count, default=0, help="of graphs and inputs (0)")
    add("--inputs", type=nonempty, help="values of the inputs of GRAPH (.npz)")
    add("--beside", type=nonempty, help="the other graph of 'locality' (a spec as JSON)")
    add("--folder", type=nonempty, help="where reproducers go (default: a temporary folder)")
    add_load(add)
    return parser


def run(argv: Sequence[str] | None = None) -> int:
    """Check one property on one graph, or a whole pass where no graph is given."""
    parser = arguments()
    args = parser.parse_args(argv)
    local = args.graph and "locality" in (args.property or BY_NAME)
    need_company(
        parser,
        (
            ("--inputs", args.inputs, args.graph, "GRAPH"),
            ("--beside", args.beside, local, "GRAPH and the property 'locality'"),
        ),
    )
    if args.graph:
        forbid_company(parser, "GRAPH", given(parser, args, "profile", "folder"))
    if args.folder:
        make_folder(args.folder)  # known to be there before long work
    from passes.plugins import loaded_for

    with loaded_for(args.load):
        return _run(args)


def _run(args: argparse.Namespace) -> int:
    if args.graph is None:
        report = check_pass(
            args.pipeline,
            profile=args.profile or "default",
            seed=args.seed,
            properties=args.property,
            folder=args.folder,
        )
        sys.stdout.write(f"{report}\n")
        return 0 if report.ok else ExitCode.MISCOMPARE
    from ge_dialect.api import load, pick_graph

    model = load(args.graph)
    beside = None if args.beside is None else _read_spec(args.beside)
    inputs = _read_inputs(pick_graph(model), args.inputs) if args.inputs else None
    status = 0
    for name in args.property or list(BY_NAME):
        said = fails_on(
            model, args.pipeline, BY_NAME[name], inputs=inputs, seed=args.seed, partner=beside
        )
        if said is not None:
            sys.stdout.write(f"property '{name}' fails: {said}\n")
            status = ExitCode.MISCOMPARE
    if not status:
        sys.stdout.write("holds\n")
    return status


def _read_spec(path: str) -> GraphSpec:
    """The graph spec of a file. Raises `GeError` GX-001 where it holds none."""
    from ge_dialect.tools.common import decode_text, read_input

    try:
        return GraphSpec.from_json(decode_text(read_input(path), path))
    except ValueError as error:
        raise user_error(
            "GX-001",
            f"--beside: {path!r} is no graph spec",
            found=str(error),
            expected="the .beside.json that a failure of 'locality' leaves",
        ) from None


def _read_inputs(graph: Any, path: str) -> list[Any]:
    """Values of a graph's inputs, in order. Raises `GeError` GX-611, and GX-602 for one missing."""
    from ge_dialect.dtypes import numpy_dtype
    from ge_dialect.ir.types import elem_of
    from ge_dialect.tools.npz import read_npz

    held = read_npz(path, "GX-611")
    missing = [name for name in graph.arg_names() if name not in held]
    if missing:
        raise user_error(
            "GX-602",
            f"{path!r} has no value for {', '.join(map(repr, missing))}",
            found=", ".join(held) or "nothing",
            expected=", ".join(graph.arg_names()),
        )
    return [
        held[name].astype(numpy_dtype(elem_of(arg.type)))
        for name, arg in zip(graph.arg_names(), graph.args, strict=True)
    ]
