"""Writes an example model as an ONNX file, and inputs for it.

python -m ge_dialect.importers.onnx_models bert-base -o bert.onnx --inputs bert.npz
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from ge_dialect.tools.arguments import count


def build_parser() -> argparse.ArgumentParser:
    """The command line."""
    from ge_dialect.importers.onnx_models import MODELS

    parser = argparse.ArgumentParser(
        prog="python -m ge_dialect.importers.onnx_models",
        description="Write an example model as an ONNX file.",
    )
    known = ", ".join(MODELS)
    parser.add_argument(
        "model", help=f"one of {known}; bert-base:dynamic,half,batch=2 and the like"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="default: NAME.onnx")
    parser.add_argument("--inputs", metavar="FILE", help="write inputs too, as an .npz file")
    parser.add_argument("--seed", type=count, default=0, help="of weights and inputs")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Write the model; 0, or 1 with a diagnostic."""
    from ge_dialect.diagnostics import GeError
    from ge_dialect.importers.onnx_models import example_of

    options = build_parser().parse_args(argv)
    try:
        example = example_of(options.model, seed=options.seed)
        data = example.proto.SerializeToString()
    except GeError as error:
        print(error, file=sys.stderr)
        return int(error.exit_code)
    output = Path(options.output or f"{example.name}.onnx")
    output.write_bytes(data)
    if options.inputs:
        import numpy as np

        np.savez(options.inputs, **example.inputs(options.seed))  # type: ignore[arg-type]
    return 0


if __name__ == "__main__":
    sys.exit(main())
