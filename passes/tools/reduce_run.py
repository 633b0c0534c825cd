"""The work of `ge-reduce`: read, find out how it fails, reduce, write, say what was done."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from ge_dialect.diagnostics import user_error
from ge_dialect.tools import common
from ge_dialect.tools.progress import Progress


def reduce_file(args: argparse.Namespace) -> int:
    """Do everything and return the exit status."""
    from passes.plugins import loaded_for

    with ExitStack() as loads:
        loads.enter_context(loaded_for(args.load))
        return _reduce(args, loads)


def _reduce(args: argparse.Namespace, loads: ExitStack) -> int:
    from ge_dialect.target.soc_file import load_soc
    from passes.context import DEFAULT_SOC
    from passes.pipeline import Pipeline, parse_pipeline
    from passes.testing.reduce import Budget, Setting, reduce
    from passes.testing.reduce.passlist import flattened

    output = args.output or _default_output(args.input)
    common.check_writable(output)
    model, texts, options = _read(args, loads)
    pipeline = Pipeline(tuple(i for t in texts for i in parse_pipeline(t).items))
    if enable := [str(n) for n in options.get("enable", ())]:
        pipeline = Pipeline(tuple(flattened(pipeline.items, enable=enable)))
    soc = args.soc or options.get("soc") or DEFAULT_SOC
    load_soc(soc)
    setting = Setting(soc, options.get("driver", "default"))
    inputs = _inputs(args, options, model)
    oracle = _oracle(args, options, model, pipeline, setting)
    progress = Progress("reducing")
    with progress:
        small = reduce(
            model,
            pipeline,
            oracle,
            inputs=inputs,
            budget=Budget(args.max_time, args.max_trials),
            setting=setting,
            seed=args.seed or (options.get("validate_seed") or 0),
            on_progress=lambda phase, ops, trials: progress.step(
                f"{phase}: {ops} ops, {trials} trials"
            ),
            interruptible=True,
        )
    _write(small, output, sum(1 for _ in pipeline.passes()))
    return common.EXIT_INTERRUPTED if "interrupted" in small.steps else 0


def _read(args: argparse.Namespace, loads: ExitStack) -> tuple[Any, list[str], dict[str, Any]]:
    """The model, pipeline texts, and options of a reproducer; what it needs stays loaded."""
    from ge_dialect.api import Model, load_data, open_weights
    from ge_dialect.importers.sniff import sniff_kind
    from ge_dialect.ir.context import make_context
    from ge_dialect.ir.reader import parse_module
    from passes.plugins import loaded_for, recorded
    from passes.repro import is_reproducer, parse_reproducer

    name = common.input_name(args.input)
    data = common.read_input(args.input)
    texts: list[str] = args.pipeline or []
    if sniff_kind(data, name) != "mlir":
        return load_data(data, args.input, weights=args.weights), texts, {}
    text = common.decode_text(data, name)
    options: dict[str, Any] = {}
    whole = is_reproducer(text)
    if whole:
        repro = parse_reproducer(text, name)
        options, texts = dict(repro.options), texts or [repro.pipeline]
        loads.enter_context(loaded_for(recorded(options.get("load", ()))))
    # operations of unknown dialects stand in a reproducer only where they were allowed
    module = parse_module(text, make_context(allow_unregistered=whole), filename=name)
    folder = args.weights or options.get("weights")
    return Model(module, open_weights(module, args.input, folder)), texts, options


def _default_output(path: str) -> str:
    return "reduced.mlir" if path == "-" else f"{Path(path).stem}.reduced.mlir"


def _inputs(args: argparse.Namespace, options: dict[str, Any], model: Any) -> dict[str, Any] | None:
    path = args.inputs or options.get("validate_inputs")
    if not path:
        return None
    from passes.validate import load_inputs

    arrays = load_inputs(path)
    known = {name for graph in model.graphs for name in graph.arg_names()}
    if unknown := [name for name in arrays if name not in known]:
        raise user_error(
            "GX-602",
            f"unknown inputs: {', '.join(unknown)}",
            found=path,
            expected=", ".join(sorted(known)) or "none",
        )
    return arrays


def _oracle(
    args: argparse.Namespace, options: dict[str, Any], model: Any, pipeline: Any, setting: Any
) -> Any:
    """How the case fails, by the arguments, else by a run."""
    from passes.testing.reduce import CommandOracle, TimeoutOracle, ValueOracle, as_oracle, oracles

    oracles.TRIAL_SECONDS = args.timeout
    if args.test is not None:
        return CommandOracle(args.test, seconds=args.timeout)
    if not pipeline.items:
        raise user_error(
            "GX-008",
            "no pipeline is given",
            expected="--pipeline, a reproducer of ge-opt, or --test",
            exit_code=common.EXIT_USAGE,
        )
    steps = options.get("max_steps") if args.max_steps is None else args.max_steps
    if args.fails is not None:
        if args.fails == "value":
            return ValueOracle(max_steps=steps)
        if args.fails == "timeout":
            return TimeoutOracle(options.get("pass_timeout") or args.timeout)
        return as_oracle(args.fails)
    return _detected(options, model, pipeline, args.timeout, setting, steps)


def _detected(
    options: dict[str, Any],
    model: Any,
    pipeline: Any,
    timeout: float,
    setting: Any,
    max_steps: int | None,
) -> Any:
    from ge_dialect.diagnostics import ExitCode
    from ge_dialect.ir.copying import copy_module
    from passes.testing.reduce import (
        CrashOracle,
        DiagnosticOracle,
        TimeoutOracle,
        Trial,
        ValueOracle,
        VerifyOracle,
    )
    from passes.testing.reduce.oracles import run_trial

    def make() -> Any:
        return type(model)(copy_module(model.module), model.weights)

    limit = float(options.get("pass_timeout") or timeout)
    _, error, _ = run_trial(Trial(make, pipeline, [], setting), timeout=limit)
    if error is None:
        return ValueOracle(max_steps=max_steps)
    first = error.diagnostics[0]
    if error.exit_code == ExitCode.USAGE:
        raise error
    if first.code == "GX-442":
        return TimeoutOracle(limit)
    if first.code == "GX-406":
        return CrashOracle()
    if error.exit_code == ExitCode.VERIFY and first.code == "GX-407":
        return VerifyOracle()
    return DiagnosticOracle(first.code)


def _write(small: Any, output: str, passes_before: int) -> None:
    """Write the files; the report goes to stdout, or to stderr where stdout takes the graph."""
    command = small.save(output)
    stream = sys.stderr if output == "-" else sys.stdout
    after = sum(1 for _ in small.pipeline.passes())
    lines = [f"reduced: {small.ops_before} -> {small.ops} ops"]
    lines[0] += f", {passes_before} -> {after} passes" if passes_before else ""
    lines[0] += f", {small.trials} trials" + ("" if small.complete else " (not finished)")
    lines += [f"  {step}" for step in small.steps]
    lines.append(f"failure: {small.failure}")
    if passes_before:
        lines.append(f"pipeline: {small.pipeline}")
    if output != "-":
        lines.append(f"wrote: {output}")
    lines.append(f"reproduce: {command}")
    stream.write("\n".join(lines) + "\n")
