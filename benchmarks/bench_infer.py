"""Speed of type inference over whole graphs: microseconds an operator, and linearity.

Three graphs of 10,000 operators: residual towers with all types known, the same with results of
unknown shape, and a GPT-2 as exported with dynamic dims, whose shapes are computed by its own
nodes. CPU time of `infer-shape`, best of several. With ``--check`` the exit status says whether
the figures of the project hold.

    python benchmarks/bench_infer.py --check
"""

from __future__ import annotations

import argparse
import gc
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from graphgen import graph_text

from ge_dialect.tools.arguments import number

#: Microseconds an operator, at most.
WANTED = 30.0
#: time(20k) / time(2k), at most.
LINEAR = 12.0
ROUNDS = 5


def towers(ops: int) -> str:
    """Residual towers with all types."""
    return graph_text(ops)


def open_towers(ops: int) -> str:
    """The towers without layouts, results of unknown rank."""
    text = re.sub(r", #ge\.layout<\w+>", "", graph_text(ops))
    lines = [
        re.sub(r" : tensor<[^>]*>", " : tensor<*xf16>", line) if " = ge." in line else line
        for line in text.splitlines()
    ]
    return "\n".join(lines) + "\n"


def exported(ops: int) -> str:
    """A decoder with dynamic dims; about `ops` operators."""
    from ge_dialect.importers.onnx import import_onnx
    from ge_dialect.importers.onnx_models import example_model

    def made(layers: int) -> Any:
        sizes: dict[str, Any] = {"layers": layers, "width": 16, "heads": 2, "vocabulary": 9}
        return import_onnx(example_model("gpt2", dynamic=True, **sizes).proto)

    few, more = (sum(1 for _ in made(n).graphs[0].body.ops) for n in (1, 2))
    return made(1 + round((ops - few) / (more - few))).text()


GRAPHS: dict[str, Callable[[int], str]] = {
    "towers, types known": towers,
    "towers, ranks unknown": open_towers,
    "exported decoder": exported,
}


def inference(text: str, rounds: int) -> tuple[float, int]:
    """Best CPU seconds of inference on fresh modules, and the number of operators."""
    from ge_dialect.ir.reader import parse_module
    from passes.context import PassContext
    from passes.registry import pass_class

    run = pass_class("infer-shape")().run
    least, count = float("inf"), 0
    for _ in range(rounds):
        module = parse_module(text)
        count = sum(1 for _ in module.walk()) - 2
        gc.collect()
        gc.disable()
        try:
            start = time.process_time()
            run(module, PassContext())
            least = min(least, time.process_time() - start)
        finally:
            gc.enable()
    return least, count


def main() -> int:
    """Measure, print a table, and with --check compare with what must hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--ops", type=number, default=10_000)
    parser.add_argument("--rounds", type=number, default=ROUNDS)
    parser.add_argument("--check", action="store_true", help="exit 1 when a figure does not hold")
    parser.add_argument("--skip-linear", action="store_true")
    options = parser.parse_args()
    failed = False
    print(f"{'':24} {'ops':>6} {'us/op':>7} (at most {WANTED:g})  20k/2k (at most {LINEAR:g})")
    for name, make in GRAPHS.items():
        seconds, count = inference(make(options.ops), options.rounds)
        each = seconds / count * 1e6
        failed |= each > WANTED
        row = f"{name:24} {count:6} {each:7.1f}"
        if not options.skip_linear:
            (small, few), (large, many) = (
                inference(make(n), options.rounds) for n in (2_000, 20_000)
            )
            ratio = large / small * (10 * few / many)  # the counts are only about 1 to 10
            failed |= ratio > LINEAR
            row += f" {ratio:17.1f}"
        print(row, flush=True)
    return int(failed and options.check)


if __name__ == "__main__":
    sys.exit(main())
