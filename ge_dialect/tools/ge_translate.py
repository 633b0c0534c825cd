"""`ge-translate`: models of other formats become text of the `ge` dialect.

Only the command line is read here; numpy, xDSL and onnx are imported when there is work for them.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ge_dialect.tools.arguments import ToolParser, add_load, count, nonempty
from ge_dialect.tools.common import run_tool

if TYPE_CHECKING:
    from ge_dialect.api import Model
    from ge_dialect.diagnostics import Diagnostic, DiagnosticSink
    from ge_dialect.input_shapes import InputShapes

_TARGETS = ("mlir", "onnx", "ge-proto", "ge-onnx", "om-json")
_EXAMPLES = (
    "ge-translate model.onnx -o model.mlir",
    "ge-translate light:resnet50 --random-weights 0 -o r50.mlir",
    "ge-translate model:bert-base -o bert.mlir",
    "ge-translate ge_proto_00000012_graph_1_Build.txt -o build.mlir",
    "ge-translate build.mlir --to ge-onnx -o build.pbtxt",
    "ge-translate model.onnx --weights w | ge-opt - --weights w --pipeline=cse",
)


def build_parser() -> ToolParser:
    """The command line of `ge-translate`."""
    parser = ToolParser(
        prog="ge-translate",
        description="Translate a model (ONNX, a dump of GE, or our text) into our text or a dump.",
        usage="ge-translate INPUT [-o OUTPUT] [options]",
        examples=_EXAMPLES,
        add_help=False,
    )
    add = parser.add_argument_group("input and output").add_argument
    add(
        "input",
        metavar="INPUT",
        help="file, - for stdin, light:NAME (in the onnx package), or model:NAME (an example)",
    )
    add(
        "-o",
        "--output",
        type=nonempty,
        default="-",
        metavar="FILE",
        help="text, or ONNX for .onnx; - is stdout (default)",
    )
    add(
        "--weights",
        type=nonempty,
        metavar="DIR",
        help="folder for weights (default: OUTPUT with .weights)",
    )
    add("--input-weights", type=nonempty, metavar="DIR", help="where the weights of the input are")

    add = parser.add_argument_group("translation").add_argument
    add(
        "--to",
        choices=_TARGETS,
        metavar="KIND",
        help=", ".join(_TARGETS),
    )
    add("--opset", type=count, metavar="N", help="of --to onnx (default: the newest tested)")
    add(
        "--external-data",
        action="store_true",
        help="of --to onnx: large constants in OUTPUT.data",
    )
    add("--dump-level", type=count, choices=(1, 2, 3), help="of a dump: 1 with bytes")
    add("--name", type=nonempty, metavar="NAME", help="name of the graph (default: the model's)")
    add(
        "--input-shape",
        type=nonempty,
        metavar="SHAPES",
        help='for open dims of ONNX inputs: "ids:2,128;x:-1,3"',
    )
    add(
        "--random-weights", type=count, metavar="SEED", help="replace weights by scaled random ones"
    )
    add("--abstract-weights", action="store_true", help="keep types of weights and no bytes")
    add_load(add)
    add("--list-operators", action="store_true", help="ONNX operators that can be imported")

    add = parser.add_argument_group("printing").add_argument
    add("--print-op-generic", action="store_true", help="MLIR's generic form")
    add("--print-debuginfo", action="store_true", help="names, origins and locations")

    add = parser.add_argument_group("information").add_argument
    add("-h", "--help", action="help", help="show this and exit")
    add("--version", action="store_true", help="show the version and exit")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit status."""
    return run_tool(_main, argv, packages=("ge_dialect",))


def _main(argv: Sequence[str]) -> int:
    if "--version" in argv:
        from importlib.metadata import version

        print("ge-translate", version("ge-opt"))
        return 0
    parser = build_parser()
    if "--list-operators" in argv:
        return _list_operators()
    args = parser.parse_args(argv)
    from ge_dialect.diagnostics import DiagnosticSink
    from ge_dialect.plugins.loading import loading
    from ge_dialect.tools.common import check_writable, refuse_terminal
    from ge_dialect.tools.progress import Progress

    if args.to is None:
        args.to = "onnx" if args.output.endswith(".onnx") else "mlir"
    _check_target_options(args)
    if args.random_weights is not None and args.abstract_weights:
        parser.error("--random-weights and --abstract-weights exclude each other")
    if args.to == "onnx":
        refuse_terminal(args.output, "an ONNX model")
    check_writable(args.output)
    with loading(args.load), Progress("reading") as progress:
        model = _load(args, DiagnosticSink(on_emit=_show), progress)
        progress.step("writing")
        _save(model, args)
    return 0


def _check_target_options(args: Namespace) -> None:
    dump = args.to not in ("mlir", "onnx")
    given = (
        ("--opset", args.opset is not None, args.to == "onnx", "--to onnx"),
        ("--external-data", args.external_data, args.to == "onnx", "--to onnx"),
        ("--dump-level", args.dump_level is not None, dump, "a dump: --to ge-proto, …"),
        ("--print-op-generic", args.print_op_generic, args.to == "mlir", "--to mlir"),
        ("--print-debuginfo", args.print_debuginfo, args.to == "mlir", "--to mlir"),
        ("--weights", args.weights is not None, args.to == "mlir", "--to mlir"),
    )
    for flag, _, _, needed in [row for row in given if row[1] and not row[2]]:
        from ge_dialect.tools.common import tool_error

        raise tool_error("GX-008", f"{flag} needs {needed}", exit_code=2)


def _load(args: Namespace, sink: DiagnosticSink, progress: object) -> Model:
    from ge_dialect.importers.sniff import sniff_kind
    from ge_dialect.tools.common import decode_text, input_name, read_input
    from ge_dialect.tools.progress import Progress

    assert isinstance(progress, Progress)
    path = args.input
    if path.startswith("model:"):
        if args.input_weights is not None:
            from ge_dialect.tools.common import tool_error

            raise tool_error("GX-008", "--input-weights does nothing with model:", exit_code=2)
        progress.step("importing")
        return _load_example(args, sink)
    if path.startswith("light:"):
        from ge_dialect.importers.onnx_random import light_model_path

        path = str(light_model_path(path.removeprefix("light:")))
    data = read_input(path)
    name = input_name(path)
    kind = sniff_kind(data, name)
    if kind == "onnx":
        progress.step("importing")
        return _load_onnx(args, data, path, sink)
    from ge_dialect import api

    given = {
        "--random-weights": args.random_weights is not None,
        "--abstract-weights": args.abstract_weights,
        "--input-shape": args.input_shape is not None,
    }
    for flag in [flag for flag, used in given.items() if used]:
        from ge_dialect.tools.common import tool_error

        raise tool_error("GX-008", f"{flag} needs an ONNX model", exit_code=2)
    if kind != "mlir":
        if args.input_weights is not None:
            from ge_dialect.tools.common import tool_error

            raise tool_error("GX-008", "--input-weights does nothing with a dump", exit_code=2)
        from ge_dialect.importers.ge_dump import import_dump

        progress.step("importing")
        text = decode_text(data, name)
        return import_dump(text, label=name, kind=kind, name=args.name, sink=sink)
    model = api.parse(decode_text(data, name), filename=name)
    model.weights = api.open_weights(model.module, path, args.input_weights)
    if args.name is not None:
        _rename(model, args.name)
    return model


def _input_shapes(args: Namespace) -> InputShapes | None:
    from ge_dialect.input_shapes import parse_input_shapes

    return None if args.input_shape is None else parse_input_shapes(args.input_shape)


def _load_example(args: Namespace, sink: DiagnosticSink) -> Model:
    from ge_dialect.importers.onnx import import_onnx
    from ge_dialect.importers.onnx_models import example_of

    example = example_of(
        args.input.removeprefix("model:"),
        weights=not args.abstract_weights,
        seed=args.random_weights or 0,
    )
    return import_onnx(
        example.proto,
        name=args.name,
        sink=sink,
        label=args.input,
        abstract_weights=args.abstract_weights,
        input_shapes=_input_shapes(args),
    )


def _load_onnx(args: Namespace, data: bytes, path: str, sink: DiagnosticSink) -> Model:
    from pathlib import Path

    from ge_dialect.importers.onnx import import_onnx
    from ge_dialect.tools.common import input_name, require_package
    from ge_dialect.weights.index import side_folders

    require_package("onnx")
    folders = () if path == "-" else side_folders(path)
    if args.input_weights is not None:
        folders = (Path(args.input_weights),)
    source: object = data
    if args.random_weights is not None:
        from ge_dialect.importers.onnx_random import randomize_weights
        from ge_dialect.importers.onnx_reader import read_model

        source = randomize_weights(read_model(data, input_name(path)), args.random_weights)
    return import_onnx(
        source,
        name=args.name,
        sink=sink,
        folder=folders,
        label=input_name(path),
        abstract_weights=args.abstract_weights,
        input_shapes=_input_shapes(args),
    )


def _rename(model: Model, name: str) -> None:
    from xdsl.dialects.builtin import StringAttr

    from ge_dialect.api import pick_graph

    pick_graph(model).properties["sym_name"] = StringAttr(name)


def _save(model: Model, args: Namespace) -> None:
    from ge_dialect import api

    if args.to == "onnx":
        from ge_dialect.diagnostics import DiagnosticSink
        from ge_dialect.exporters.onnx import save_onnx
        from ge_dialect.ir.verifier import verify_or_raise

        verify_or_raise(model.module)  # rules of the exporter count on sound attributes
        save_onnx(
            model,
            args.output,
            opset=args.opset,
            sink=DiagnosticSink(on_emit=_show),
            external_data=args.external_data,
        )
        return
    if args.to != "mlir":
        from ge_dialect.exporters.ge_dump import export_dump
        from ge_dialect.tools.common import atomic_write

        atomic_write(args.output, export_dump(model, args.to, level=args.dump_level or 1))
        return
    api.save(
        model,
        args.output,
        weights=args.weights,
        generic=args.print_op_generic,
        debuginfo=args.print_debuginfo,
    )


def _list_operators() -> int:
    from ge_dialect.importers.onnx_rules import rule_table

    for op_type, revisions in rule_table().items():
        print(f"{op_type:24} since {', '.join(map(str, revisions))}")
    return 0


def _show(diagnostic: Diagnostic) -> None:
    if diagnostic.severity != "error":  # errors are shown once, at the end
        from ge_dialect.tools.common import render_diagnostics

        render_diagnostics([diagnostic])


if __name__ == "__main__":
    sys.exit(main())
