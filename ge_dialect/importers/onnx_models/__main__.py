"""Writes an example model as an ONNX file, and inputs for it.

python -m ge_dialect.importers.onnx_models bert-base -o bert.onnx --inputs bert.npz
"""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence

from ge_dialect.tools.arguments import ToolParser, count, nonempty, one_on_stdout
from ge_dialect.tools.common import atomic_write, check_outputs, refuse_terminal, run_tool


def build_parser() -> ToolParser:
    """The command line."""
    from ge_dialect.importers.onnx_models import MODELS

    parser = ToolParser(
        prog="python -m ge_dialect.importers.onnx_models",
        description="Write an example model as an ONNX file.",
        examples=(
            "python -m ge_dialect.importers.onnx_models bert-base -o bert.onnx --inputs bert.npz",
            "python -m ge_dialect.importers.onnx_models llama:layers=1,half --seed 3",
        ),
    )
    known = ", ".join(MODELS)
    add = parser.add_argument
    add("model", help=f"one of {known}; bert-base:dynamic,half,batch=2 and the like")
    add("-o", "--output", type=nonempty, metavar="FILE", help="default: NAME.onnx; - is stdout")
    add("--inputs", type=nonempty, metavar="FILE", help="write inputs too, as an .npz file")
    add("--seed", type=count, default=0, metavar="N", help="of weights and inputs (0)")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Write the model; the exit status of the tools."""
    return run_tool(_main, argv)


def _main(argv: Sequence[str]) -> int:
    from ge_dialect.importers.onnx_models import example_of

    parser = build_parser()
    options = parser.parse_args(argv)
    one_on_stdout(parser, [("--output", options.output), ("--inputs", options.inputs)])
    for path, what in ((options.output, "an ONNX model"), (options.inputs, "an .npz file")):
        if path is not None:
            refuse_terminal(path, what)
    check_outputs((options.output, options.inputs))
    example = example_of(options.model, seed=options.seed)
    atomic_write(options.output or f"{example.name}.onnx", example.proto.SerializeToString())
    if options.inputs:
        import numpy as np

        stream = io.BytesIO()
        np.savez(stream, **example.inputs(options.seed))  # type: ignore[arg-type]
        atomic_write(options.inputs, stream.getvalue())
    return 0


if __name__ == "__main__":
    sys.exit(main())
