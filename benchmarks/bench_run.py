"""Speed of golden and simulated runs of ResNet-50 against ONNX's own reference evaluator.

Prints ratios measured in one run: CPU time, one BLAS thread, best of several, interleaved. With
``--check`` the exit status says whether the figures of the project hold.

    OPENBLAS_NUM_THREADS=1 python benchmarks/bench_run.py --check
"""

from __future__ import annotations

import argparse
import os
import sys

from measure import best

from ge_dialect.tools.arguments import number

#: A run is to be at least this many times as fast as the reference evaluator.
WANTED = 4.0
ROUNDS = 5


def main() -> int:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--check", action="store_true", help="fail where a figure is missed")
    arguments.add_argument("--rounds", type=number, default=ROUNDS)
    options = arguments.parse_args()
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(name, "1")  # takes effect because numpy is not loaded yet

    import onnx
    from onnx.reference import ReferenceEvaluator

    from ge_dialect.api import evaluate
    from ge_dialect.importers.onnx import import_onnx
    from ge_dialect.importers.onnx_random import light_model_path, randomize_weights
    from runtime.api import compile_default
    from runtime.inputs import random_inputs
    from runtime.loaded import load_model

    proto = randomize_weights(onnx.load(light_model_path("resnet50")), 0)
    model = import_onnx(proto)
    compiled = compile_default(model)
    loaded = load_model(compiled.module, compiled.weights)
    timed = load_model(compiled.module, values=False)
    inputs = random_inputs(loaded.input_specs, 0)
    reference = ReferenceEvaluator(proto)
    works = (
        lambda: reference.run(None, inputs),
        lambda: evaluate(model, inputs),
        lambda: loaded.run(inputs),
        timed.run,
        lambda: load_model(compiled.module, compiled.weights),
    )
    theirs, golden, simulated, times, load = best(works, options.rounds)
    tasks = len(timed.run().timeline.tasks)
    print(f"reference evaluator  {theirs:7.3f} s")
    rows = (("golden", golden), ("simulated", simulated))
    for name, seconds in rows:
        print(f"{name:<20} {seconds:7.3f} s  {theirs / seconds:5.1f} x (wanted {WANTED:g} x)")
    print(f"{'simulated load':<20} {load:7.3f} s")
    print(f"{'times only':<20} {times:7.4f} s  {tasks / times:,.0f} tasks/s")
    missed = [name for name, seconds in rows if theirs / seconds < WANTED]
    if missed and options.check:
        print("missed: " + ", ".join(missed))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
