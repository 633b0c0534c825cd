"""`simulate`: run a model on the simulated device."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ge_dialect.diagnostics import user_error

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import SSAValue

    from ge_dialect.api import Model
    from ge_dialect.keep import Keep
    from ge_dialect.target.soc_file import SoC
    from ge_dialect.weights.store import WeightStore
    from passes.context import PassContext
    from runtime.inputs import Inputs, InputSpec
    from runtime.result import RunResult

MODES = ("graph", "eager")


def simulate(
    model: Model | ModuleOp | str | os.PathLike[str],
    inputs: Inputs | None = None,
    *,
    mode: str = "graph",
    weights: WeightStore | None = None,
    soc: SoC | str | None = None,
    schedule: str | None = None,
    values: bool = True,
    keep: Keep = None,
    seed: int = 0,
    random_inputs: int | None = None,
    host_queue: int = 1,
    max_steps: int | None = None,
) -> RunResult:
    """Run a model on the simulated device and return values and times.

    model: a `Model`, a module or a file; a `ge.graph` is compiled with `ge-default` first in mode
    "graph" and run node by node in mode "eager". inputs: arrays by name or in order, or
    `random_inputs=SEED` to draw them. soc: a `SoC`, a name or a TOML file; None for what the
    model was compiled for, else Ascend910B2. schedule: "nominal" or "adversarial:SEED".
    values: False for times only, which needs neither inputs nor weights. keep: "all", or the names
    of nodes whose values are wanted. seed: of random operators. host_queue: 0, 1 or 2, the host
    pipeline of eager mode. max_steps: rounds of one loop in eager mode, 0 for no limit; None for
    50,000.

    Raises `GeError`: GX-255 (a name to keep that no node has), GX-602, GX-603 (inputs), GX-604
    (weights), GX-601 (kernels), GX-606 (deadlock) and whatever loading and compiling raise.
    """
    if mode not in MODES:
        raise ValueError(f"mode is {mode!r}, expected one of {MODES}")
    if host_queue not in (0, 1, 2):
        raise ValueError(f"host_queue is {host_queue!r}, expected 0, 1 or 2")
    from runtime.scheduler import parse_schedule

    whole = as_model(model, weights)
    chip = load_chip(soc)
    order = parse_schedule(schedule)
    if mode == "eager":
        from ge_dialect.api import pick_graph
        from runtime.eager import EagerExecutor

        if is_compiled(whole.module):
            raise user_error(
                "GX-614",
                "a compiled model cannot run op by op",
                found="rt.model",
                expected="ge.graph",
                hint="run it without --mode eager, or give the graph it was compiled from",
            )
        executor = EagerExecutor(whole.weights, chip, values, host_queue, seed, max_steps)
        graph = pick_graph(_inferred(whole))
        if values and random_inputs is not None:
            inputs = _drawn(executor.input_specs(graph), random_inputs)
        return executor.run(graph, inputs, keep=keep)
    from runtime.loaded import load_model

    if not is_compiled(whole.module):
        whole = compile_default(whole, chip)
    loaded = load_model(whole.module, whole.weights, soc=chip, values=values)
    if values and random_inputs is not None:
        inputs = _drawn(loaded.input_specs, random_inputs)
    return loaded.run(inputs, schedule=order, keep=keep, seed=seed)


def as_model(
    model: Model | ModuleOp | str | os.PathLike[str], weights: WeightStore | None = None
) -> Model:
    """A `Model` of whatever `simulate` accepts."""
    from ge_dialect import api

    if isinstance(model, str | os.PathLike):
        model = api.load(model)
    whole = api.as_model(model)
    return whole if weights is None else api.Model(whole.module, weights)


def load_chip(soc: SoC | str | None) -> SoC | None:
    """The SoC of a name or TOML path; None stays."""
    from ge_dialect.target.soc_file import load_soc

    return load_soc(soc) if isinstance(soc, str) else soc


def is_compiled(module: ModuleOp) -> bool:
    """Whether a module holds an `rt.model`."""
    return any(op.name == "rt.model" for op in module.body.block.ops)


def compile_default(model: Model, soc: SoC | None = None) -> Model:
    """A copy of the model, compiled with `ge-default`."""
    from ge_dialect.api import Model
    from ge_dialect.ir.copying import copy_module
    from passes import PassContext, run_pipeline

    copy = Model(copy_module(model.module), model.weights)
    context = PassContext() if soc is None else soc_context(soc)
    run_pipeline(copy, "ge-default", ctx=context, verify="ends", reproducer=False)
    return copy


def _inferred(model: Model) -> Model:
    """The model; a copy with inferred types where inputs are static and other values are not."""
    from ge_dialect.api import Model
    from ge_dialect.ir.copying import copy_module
    from ge_dialect.ir.types import is_static, is_tensor
    from passes import run_pipeline

    def is_open(value: SSAValue) -> bool:
        return is_tensor(value.type) and not is_static(value.type)

    if any(is_open(a) for g in model.graphs for a in g.args) or not any(
        is_open(r) for g in model.graphs for op in g.walk() for r in op.results
    ):
        return model
    copy = Model(copy_module(model.module), model.weights)
    run_pipeline(copy, "infer-shape", verify="off", reproducer=False)
    return copy


def soc_context(soc: SoC) -> PassContext:
    """A pass context that compiles for a given device."""
    from passes.context import PassContext

    context = PassContext(soc_name=soc.name)
    context._soc = soc
    return context


def _drawn(specs: list[InputSpec], seed: int) -> Any:
    from runtime.inputs import random_inputs

    return random_inputs(specs, seed)
