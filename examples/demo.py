"""ResNet-50 from ONNX to values and time on a simulated Ascend 910B2, in one summary.

The topology is the one that the `onnx` package ships; its weights, constant generators there, are
replaced by seeded random ones, scaled so that activations keep their size. Values are compared
with ONNX's reference evaluator before the final Softmax, which would hide differences.
`make demo` runs it.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from onnx import ModelProto
    from xdsl.ir import Operation

    from ge_dialect import Model
    from runtime import RunResult

SEED = 0
#: Largest difference, relative to a value's largest element.
GOLDEN_TOLERANCE = 1e-4
DEVICE_TOLERANCE = 1e-3


def main() -> int:
    """Run the demo; 0 where all values agree, 4 where they do not."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", default="build/demo", help="folder for what the demo leaves")
    parser.add_argument("--model", default="resnet50", help="a light model of the onnx package")
    options = parser.parse_args()
    from ge_dialect.diagnostics import ExitCode, GeError

    try:
        good = demo(options.model, Path(options.out))
    except GeError as error:
        print(error, file=sys.stderr)
        return int(error.exit_code)
    return 0 if good else int(ExitCode.MISCOMPARE)


def demo(name: str, out: Path) -> bool:
    """Import, compile, run and compare one model; print the summary and say what was left where."""
    from ge_dialect import evaluate, save
    from ge_dialect.importers.onnx import import_onnx
    from ge_dialect.tools.progress import Progress
    from passes import run_pipeline
    from passes.instrument import SnapshotWriter
    from passes.printing import DumpDir
    from runtime import load_model, op_summary_csv, simulate, trace_json

    started = time.perf_counter()
    out.mkdir(parents=True, exist_ok=True)
    with Progress("demo", 6) as progress:
        proto = seeded_model(name)
        progress.step("import")
        model = import_onnx(proto, name=name)
        save(model, out / f"{name}.mlir")
        nodes = count_nodes(model.module)
        inputs = seeded_inputs(model)
        progress.step("ONNX reference")
        reference = reference_values(proto, inputs)
        progress.step("golden semantics")
        golden = evaluate(model, inputs, keep="all")
        progress.step("op by op")
        eager = simulate(model, inputs, mode="eager")
        progress.step("compile")
        dump = DumpDir(str(out / "stages"), SnapshotWriter())
        run_pipeline(model, "ge-default", instruments=[dump])
        save(model, out / f"{name}.rt.mlir")
        progress.step("loaded graph")
        graph = load_model(model.module, model.weights).run(inputs, keep="all")
    (out / "trace.json").write_text(trace_json(graph.timeline))
    (out / "op_summary.csv").write_text(op_summary_csv(graph.timeline))
    golden_error = compare(reference, node_values(proto, golden.values))
    device_error = compare(reference, node_values(proto, graph.values))
    good = golden_error.largest <= GOLDEN_TOLERANCE and device_error.largest <= DEVICE_TOLERANCE
    rows = summary_rows(name, nodes, eager, graph, golden_error, device_error)
    width = max(len(what) for what, _ in rows)
    print("\n".join(f"{what:<{width}}  {value}" for what, value in rows))
    print(f"{'took':<{width}}  {time.perf_counter() - started:.1f} s on this machine")
    print(f"\nLeft in {out}/:")
    for path, what in (
        (f"{name}.mlir", "the imported graph, weights beside it"),
        ("stages/", "the IR after each stage"),
        (f"{name}.rt.mlir", "the compiled model"),
        ("trace.json", "the timeline; open it at ui.perfetto.dev"),
        ("op_summary.csv", "one line per kernel, msprof's columns"),
    ):
        print(f"  {path:<18} {what}")
    if not good:
        print("\nValues differ by more than the tolerance.", file=sys.stderr)
    return good


@dataclass(frozen=True)
class Difference:
    """The largest difference over several values, relative to each value's largest element."""

    largest: float
    where: str
    compared: int


def seeded_model(name: str) -> ModelProto:
    """A light model with random weights."""
    import onnx

    from ge_dialect.importers.onnx_random import light_model_path, randomize_weights

    return randomize_weights(onnx.load(str(light_model_path(name))), SEED)


def seeded_inputs(model: Model) -> dict[str, np.ndarray]:
    """Standard normal inputs."""
    from ge_dialect.dtypes import numpy_dtype
    from ge_dialect.ir.types import elem_of, shape_of

    rng = np.random.default_rng(SEED)
    graph = model.graphs[0]
    return {
        name: rng.standard_normal(shape_of(arg.type)).astype(numpy_dtype(elem_of(arg.type)))
        for name, arg in zip(graph.arg_names(), graph.args, strict=True)
    }


def count_nodes(module: Operation) -> int:
    """Nodes that do something: constants, graph inputs and outputs are not counted."""
    skip = {"ge.Const", "ge.Data", "ge.NetOutput", "ge.graph", "builtin.module"}
    return sum(op.name not in skip for op in module.walk())


def reference_values(proto: ModelProto, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Every value of the model by ONNX's reference evaluator; the final Softmax is left out."""
    import onnx

    from ge_dialect.importers.onnx_reference import reference_evaluator

    whole = onnx.ModelProto()
    whole.CopyFrom(proto)
    known = {o.name for o in whole.graph.output}
    for node in whole.graph.node:
        if node.op_type != "Softmax" and node.output[0] not in known:
            whole.graph.output.append(onnx.ValueInfoProto(name=node.output[0]))
    values = reference_evaluator(whole).run(None, inputs)
    assert isinstance(values, list)  # a dictionary where intermediate values are asked for, too
    softmax = {node.output[0] for node in whole.graph.node if node.op_type == "Softmax"}
    names = [o.name for o in whole.graph.output]
    return {n: v for n, v in zip(names, values, strict=True) if n not in softmax}


def node_values(proto: ModelProto, by_node: dict[str, list[np.ndarray]]) -> dict[str, np.ndarray]:
    """Values by ONNX name, for the source nodes that are still there by name."""
    return {
        node.output[0]: by_node[node.name or node.output[0]][0]
        for node in proto.graph.node
        if by_node.get(node.name or node.output[0])
    }


def compare(expected: dict[str, np.ndarray], found: dict[str, np.ndarray]) -> Difference:
    """Largest `max|d| / max|ref|` over the values that both sides have in the same shape."""
    largest, where, compared = 0.0, "", 0
    for name, ref in expected.items():
        value = found.get(name)
        if value is None or value.shape != ref.shape or ref.size == 0:
            continue
        compared += 1
        scale = float(np.abs(ref).max()) or 1.0
        error = float(np.abs(value.astype(np.float64) - ref).max()) / scale
        if not error <= largest:  # NaN counts as the largest
            largest, where = error, name
    return Difference(largest, where, compared)


def summary_rows(
    name: str,
    nodes: int,
    eager: RunResult,
    graph: RunResult,
    golden_error: Difference,
    device_error: Difference,
) -> list[tuple[str, str]]:
    """The summary, line by line."""
    line = graph.timeline
    tasks = line.kernels()
    engines = sorted({t.task_type for t in tasks})
    memory = graph.memory
    over = memory.peak * 100 / memory.lower_bound - 100 if memory.lower_bound else 0.0
    return [
        ("model", f"{name} on a simulated {line.device}"),
        ("nodes", f"{nodes} imported, {len(tasks)} kernels after ge-default"),
        ("engines", ", ".join(f"{e} ({sum(t.task_type == e for t in tasks)})" for e in engines)),
        ("latency, op by op", f"{eager.latency_ns / 1000:.1f} us"),
        ("latency, loaded graph", f"{graph.latency_ns / 1000:.1f} us"),
        (
            "peak memory",
            f"{memory.peak / 2**20:.2f} MiB, {over:.1f} % above the lower bound "
            f"{memory.lower_bound / 2**20:.2f} MiB",
        ),
        ("largest error, golden", error_text(golden_error, GOLDEN_TOLERANCE)),
        ("largest error, device", error_text(device_error, DEVICE_TOLERANCE)),
    ]


def error_text(error: Difference, tolerance: float) -> str:
    """An error next to its tolerance."""
    return (
        f"{error.largest:.1e} of the largest element (tolerance {tolerance:.0e}, "
        f"{error.compared} values against ONNX's reference)"
    )


if __name__ == "__main__":
    sys.exit(main())
