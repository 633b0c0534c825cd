"""Today's models: golden values against ONNX's reference evaluator, and what a compile costs.

Golden BERT-base (one sample, 128 tokens) is to be at least 2 times as fast as ONNX's reference
evaluator, and to take at most 1.8 times as long as its matrix products alone: numpy's product of
the very operands that the run multiplies. CPU time, one BLAS thread, best of several, interleaved.
With ``--check`` the exit status says whether these figures hold; other models are for information.

    OPENBLAS_NUM_THREADS=1 python benchmarks/bench_models.py --check
    OPENBLAS_NUM_THREADS=1 python benchmarks/bench_models.py vit-base gpt2-base llama-base
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from typing import Any

from measure import best

from ge_dialect.tools.arguments import number

#: Golden is to be this many times as fast as the reference evaluator, for CHECKED.
FASTER = 2.0
#: And to take at most this many times as long as its matrix products.
PRODUCTS = 1.8
CHECKED = "bert-base"
ROUNDS = 5


def once(work: Callable[[], Any]) -> tuple[Any, float]:
    """Result and CPU seconds of one call."""
    start = time.process_time()
    result = work()
    return result, time.process_time() - start


def product_operands(model: Any, inputs: Any) -> list[tuple[Any, Any]]:
    """Pairs of arrays that a golden run multiplies as matrices, in order."""
    import numpy as np

    from ge_dialect.api import evaluate

    found: list[tuple[Any, Any]] = []
    flags = {
        "MatMulV2": ("transpose_x1", "transpose_x2"),
        "BatchMatMulV2": ("adj_x1", "adj_x2"),
    }

    def around(op: Any, name: str, args: list[Any], run: Callable[[list[Any]], Any]) -> Any:
        if op.ge_type in flags:
            turned = [op.ge_attr(flag) for flag in flags[op.ge_type]]
            pair = [
                np.swapaxes(a, -1, -2) if t else a for a, t in zip(args[:2], turned, strict=True)
            ]
            found.append((pair[0], pair[1]))
        return run(args)

    evaluate(model, inputs, around=around)
    return found


def measure(name: str, rounds: int) -> tuple[float, float]:
    """Print what one model costs; reference over golden, and golden over products."""
    import numpy as np

    from ge_dialect.api import evaluate
    from ge_dialect.importers.onnx import import_onnx
    from ge_dialect.importers.onnx_models import example_of
    from ge_dialect.importers.onnx_reference import reference_evaluator
    from runtime.api import compile_default, simulate
    from runtime.loaded import load_model

    example = example_of(name)
    proto, inputs = example.proto, example.inputs()
    model, importing = once(lambda: import_onnx(proto))
    compiled, compiling = once(lambda: compile_default(model))
    loaded = load_model(compiled.module, compiled.weights)
    timed = load_model(compiled.module, values=False)
    reference = reference_evaluator(proto)
    pairs = product_operands(model, inputs)
    works: list[Callable[[], object]] = [
        lambda: reference.run(None, inputs),
        lambda: evaluate(model, inputs),
        lambda: [np.matmul(a, b) for a, b in pairs],
        lambda: loaded.run(inputs),
    ]
    theirs, golden, products, simulated = best(works, rounds)
    nodes = sum(1 for _ in model.graphs[0].body.ops)
    kernels = sum(1 for _ in loaded.model.kernels())
    eager = simulate(model, None, mode="eager", values=False)
    run = timed.run()
    faster, over = theirs / golden, golden / max(products, 1e-9)
    print(f"{name}: {nodes} nodes, {kernels} kernels")
    print(f"  reference evaluator {theirs:8.3f} s")
    print(f"  golden              {golden:8.3f} s  {faster:5.2f} x as fast as the reference")
    print(f"  its products        {products:8.3f} s  golden takes {over:4.2f} x as long")
    print(f"  simulated           {simulated:8.3f} s  {theirs / simulated:5.2f} x the reference")
    print(f"  import              {importing:8.3f} s  {importing / nodes * 1e6:5.0f} us a node")
    print(f"  compile             {compiling:8.3f} s  {compiling / nodes * 1e6:5.0f} us a node")
    print(
        f"  on the device: {run.latency_ns / 1000:.0f} us as a loaded graph, "
        f"{eager.latency_ns / 1000:.0f} us op by op"
    )
    return faster, over


def main() -> int:
    """Measure, and with --check compare with what must hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("models", nargs="*", default=[CHECKED], help="as in ge-translate model:…")
    parser.add_argument("--check", action="store_true", help="fail where a figure is missed")
    parser.add_argument("--rounds", type=number, default=ROUNDS)
    options = parser.parse_args()
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(name, "1")  # takes effect because numpy is not loaded yet
    missed = False
    for name in options.models:
        faster, over = measure(name, options.rounds)
        if name == CHECKED and (faster < FASTER or over > PRODUCTS):
            print(f"missed: wanted at least {FASTER:g} x the reference, at most {PRODUCTS:g} x")
            missed = True
    return int(missed and options.check)


if __name__ == "__main__":
    sys.exit(main())
