"""What `ge-run` does once its command line is read."""

from __future__ import annotations

import io
import os
import sys
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np

from ge_dialect.api import Model, evaluate, pick_graph
from ge_dialect.diagnostics import Diagnostic, ExitCode, GeError, user_error
from ge_dialect.ir.copying import copy_module
from ge_dialect.semantics.budget import Budget, limited, with_steps
from ge_dialect.semantics.compare import relative_error
from ge_dialect.semantics.context import Ref
from ge_dialect.tools.common import (
    atomic_write,
    check_outputs,
    render_diagnostics,
)
from ge_dialect.tools.npz import read_npz
from ge_dialect.tools.progress import Progress
from runtime.api import compile_default, is_compiled, load_chip, simulate
from runtime.inputs import InputSpec, graph_specs, model_specs, random_inputs
from runtime.memory import LayoutCache, free_bytes, host_memory
from runtime.op_summary import op_statistic_csv, op_summary_csv, task_time_csv
from runtime.report import summary
from runtime.result import RunResult
from runtime.tools.run_source import read_model
from runtime.trace import trace_json

if TYPE_CHECKING:
    import argparse

Arrays = dict[str, np.ndarray]
#: Bytes of a name in a zip archive, less those of ".npy".
_LONGEST_NAME = 65_531


def run_model(options: argparse.Namespace) -> int:
    """Load, run and report; the exit status."""
    try:
        return _run(options)
    except MemoryError:
        raise host_memory() from None


def _run(options: argparse.Namespace) -> int:
    check_outputs(_files(options), (options.model, options.inputs))
    with Progress("reading") as progress:
        model = read_model(options)
        specs = _specs(model, options.graph)
        inputs = _inputs(options, specs)
        if options.golden:
            progress.step("evaluating")
            return _golden(options, model, inputs)
        compiled = model
        if options.mode == "graph" and not is_compiled(model.module):
            progress.step("compiling")
            compiled = compile_default(_only(model, options.graph), load_chip(options.soc))
        if options.sanitize and is_compiled(compiled.module):
            _sanitize(compiled)
        progress.step("running")
        result = _simulate(options, compiled, inputs)
        wanted = None
        if options.check is not None:
            progress.step("checking")
            wanted = _expected(options, model, inputs)
    _write_reports(options, result)
    _show_printed(options, result.printed)
    _say(options, summary(result))
    if options.check is not None and wanted is not None:
        return _compare(options, result, wanted)
    return ExitCode.OK


def _simulate(options: argparse.Namespace, model: Model, inputs: Arrays | None) -> RunResult:
    return simulate(
        model if options.graph is None else _only(model, options.graph),
        inputs,
        mode=options.mode,
        soc=options.soc,
        schedule=options.schedule,
        values=not options.time_only,
        keep="all" if options.values else None,
        seed=options.seed,
        host_queue=options.host_queue,
        max_steps=options.max_steps,
    )


def _sanitize(model: Model) -> None:
    from ge_dialect.rt.view import read_model
    from runtime.sanitizer import find_races

    races = find_races(read_model(model.module, check=False))
    if races:
        raise GeError([r.diagnostic() for r in races])


# --- reading ---


def _only(model: Model, name: str | None) -> Model:
    """The model with just the graph of that name."""
    if name is None:
        return model
    chosen = pick_graph(model, name)
    module = copy_module(model.module)
    for op in list(module.body.block.ops):
        if op.name == "ge.graph" and op.sym_name.data != chosen.sym_name.data:  # type: ignore[attr-defined]
            op.detach()
    return Model(module, model.weights)


def _specs(model: Model, graph: str | None) -> list[InputSpec]:
    if is_compiled(model.module):
        from ge_dialect.rt.view import read_model

        return model_specs(read_model(model.module, check=False), LayoutCache())
    return graph_specs(pick_graph(model, graph), LayoutCache())


def _inputs(options: argparse.Namespace, specs: Sequence[InputSpec]) -> Arrays | None:
    if options.time_only:
        return None
    if options.inputs:
        return read_arrays(options.inputs, specs)
    if options.random_inputs is not None:
        return random_inputs(specs, options.random_inputs)
    if specs:
        listed = ", ".join(f"{s.name}: {list(s.shape)} {s.dtype}" for s in specs)
        raise user_error(
            "GX-602",
            "the model has inputs and none were given",
            expected=listed,
            hint="say --inputs FILE.npz, --random-inputs SEED, or --time-only",
        )
    return {}


def read_arrays(path: str, specs: Sequence[InputSpec] = ()) -> Arrays:
    """The arrays of an .npz file; raw bytes become the dtype `specs` expect (numpy has no bf16).

    Raises `GeError` GX-611 for a file that is no .npz.
    """
    arrays = read_npz(path, "GX-611")
    for spec in specs:
        array = arrays.get(spec.name)
        if array is None or spec.dtype.isbuiltin == 1:
            continue
        if array.dtype.kind == "V" and array.dtype.names is None:
            if array.dtype.itemsize == spec.dtype.itemsize:
                arrays[spec.name] = array.view(spec.dtype)
    return arrays


# --- golden ---


def _budget(options: argparse.Namespace) -> Budget:
    """What a golden run may use: the memory there is, and the steps that are asked for."""
    return replace(with_steps(options.max_steps), array_bytes=free_bytes())


def _golden(options: argparse.Namespace, model: Model, inputs: Arrays | None) -> int:
    if is_compiled(model.module):
        raise user_error(
            "GX-614",
            "a compiled model has no golden semantics",
            found="rt.model",
            expected="ge.graph",
        )
    keep = "all" if options.values else None
    with limited(_budget(options)):
        result = evaluate(model, inputs or {}, graph=options.graph, keep=keep, seed=options.seed)
    outputs = dict(zip(result.output_names, _held(result.outputs), strict=True))
    _show_printed(options, result.state.printed)
    if options.outputs:
        write_arrays(options.outputs, outputs)
    if options.values:
        write_arrays(options.values, _flat(result.values))
    _say(options, "".join(_describe(n, a) for n, a in outputs.items()))
    return ExitCode.OK


def _describe(name: str, array: Any) -> str:
    array = np.asarray(array)
    line = f"{name}: {'x'.join(map(str, array.shape)) or 'scalar'} {array.dtype}"
    if array.size and array.dtype.kind not in "OUSV":
        with np.errstate(all="ignore"):  # signalling NaN, sums beyond any number
            wide = np.abs(array) if array.dtype.kind == "c" else array
            wide = wide.astype(np.float64)
            numbers = wide[~np.isnan(wide)]
            mean = numbers.mean() if numbers.size else 0.0
        if numbers.size:
            line += f", from {numbers.min():.6g} to {numbers.max():.6g}, mean {mean:.6g}"
        if numbers.size < array.size:
            line += f", {array.size - numbers.size} of {array.size} values NaN"
    return line + "\n"


def _expected(options: argparse.Namespace, model: Model, inputs: Arrays | None) -> list[Any]:
    if is_compiled(model.module):
        raise user_error(
            "GX-614",
            "--check needs the graph the model was compiled from",
            found="rt.model",
            expected="ge.graph",
        )
    with limited(_budget(options)):
        result = evaluate(model, inputs or {}, graph=options.graph, seed=options.seed)
    return _held(result.outputs)


def _held(outputs: Sequence[Any]) -> list[Any]:
    """Arrays of golden outputs: of a variable, what it holds at the end."""
    return [o.value if isinstance(o, Ref) else o for o in outputs]


def _compare(options: argparse.Namespace, result: RunResult, wanted: list[Any]) -> int:
    problems = []
    worst = 0.0
    odd = [0, 0, 0]  # NaN, infinite, all
    for name, got, want in zip(result.output_names, result.outputs, wanted, strict=True):
        error = relative_error(got, np.asarray(want))
        worst = max(worst, error)
        if not error <= options.check:
            problems.append(
                Diagnostic(
                    "GX-615",
                    f"output '{name}' differs from golden semantics",
                    found=f"largest error {error:.3g} of the largest magnitude",
                    expected=f"at most {options.check:g}",
                )
            )
        counted = _not_finite(got)
        odd = [a + b for a, b in zip(odd, (*counted, got.size), strict=True)]
        if got.size and sum(counted) == got.size:
            _warn_of_nothing(name, counted[0], got.size)
    if problems:
        raise GeError(problems, exit_code=ExitCode.MISCOMPARE)
    text = f"values agree with golden semantics: largest error {worst:.3g}"
    for count, what in zip(odd, ("NaN", "infinite"), strict=False):
        text += f", {count} of {odd[2]} values {what} in both" if count else ""
    _say(options, text + "\n")
    return ExitCode.OK


def _not_finite(array: Any) -> tuple[int, int]:
    """How many values of an array are NaN, and how many infinite."""
    array = np.asarray(array)
    if array.dtype.kind in "OUSbiu":
        return 0, 0
    with np.errstate(invalid="ignore"):  # a signalling NaN
        wide = array if array.dtype.kind == "c" else array.astype(np.float64)
    return int(np.isnan(wide).sum()), int(np.isinf(wide).sum())


def _warn_of_nothing(name: str, nans: int, size: int) -> None:
    """Two outputs without a finite value agree, and that says little."""
    what = "is NaN" if nans == size else "is NaN or infinite"
    render_diagnostics(
        [
            Diagnostic(
                "GX-618",
                f"output '{name}' holds no finite value: no error could be measured",
                "warning",
                found=f"each of {size} values {what}, in the run and by golden semantics",
                hint="--values FILE shows the node where it begins; give other --inputs",
            )
        ]
    )


# --- writing ---


def _files(options: argparse.Namespace) -> list[str]:
    names = ("outputs", "values", "trace", "op_summary", "op_statistic", "task_time")
    return [path for name in names if (path := getattr(options, name)) is not None]


def _write_reports(options: argparse.Namespace, result: RunResult) -> None:
    line = result.timeline
    for path, make in (
        (options.trace, trace_json),
        (options.op_summary, op_summary_csv),
        (options.op_statistic, op_statistic_csv),
        (options.task_time, task_time_csv),
    ):
        if path is not None:
            atomic_write(path, make(line))
    if options.outputs:
        named = zip(result.output_names, result.outputs, strict=True)
        write_arrays(options.outputs, dict(named))
    if options.values:
        write_arrays(options.values, _flat(result.values))


def _flat(values: Mapping[str, Sequence[Any]]) -> Arrays:
    """One array per name; further results of a node are "node:1" and so on."""
    arrays: Arrays = {}
    for name, results in values.items():
        for i, value in enumerate(results):
            arrays[name if i == 0 else f"{name}:{i}"] = np.asarray(value)
    return arrays


def write_arrays(path: str | os.PathLike[str], arrays: Mapping[str, Any]) -> None:
    """Write an .npz whose bytes depend on the arrays only, whole or not at all."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, array in arrays.items():
            if "\0" in name or len(name.encode()) > _LONGEST_NAME:
                raise user_error(
                    "GX-619",
                    "an .npz cannot hold a value of that name",
                    node=name,
                    expected=f"at most {_LONGEST_NAME} bytes, none of them zero",
                )
            entry = io.BytesIO()
            np.save(entry, np.asarray(array), allow_pickle=False)
            # A fixed date: the default is the time of writing.
            info = zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0))
            archive.writestr(info, entry.getvalue())
    atomic_write(path, buffer.getvalue())


def _show_printed(options: argparse.Namespace, printed: Iterable[tuple[str, str]]) -> None:
    """What the graph's own Print nodes printed: an effect of the run, which no option turns off."""
    for _, text in printed:
        _stream(options).write(text.rstrip("\n") + "\n")


def _say(options: argparse.Namespace, text: str) -> None:
    """Print to stdout, or to stderr when stdout carries a result."""
    if text and not options.quiet:
        _stream(options).write(text)


def _stream(options: argparse.Namespace) -> TextIO:
    return sys.stderr if "-" in _files(options) else sys.stdout
