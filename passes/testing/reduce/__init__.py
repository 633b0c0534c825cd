"""Reduction of a failing graph and pipeline to a small pair that fails the same way.

from passes.testing.reduce import reduce
small = reduce(model, "prepare,fuse", "value")
print(small)
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ge_dialect.diagnostics import user_error
from passes.testing.reduce.oracles import (
    CommandOracle,
    CrashOracle,
    DiagnosticOracle,
    FailsLike,
    FunctionOracle,
    Oracle,
    Setting,
    TimeoutOracle,
    Trial,
    ValueOracle,
    VerifyOracle,
    as_oracle,
)
from passes.testing.reduce.result import Reduced
from passes.testing.reduce.session import Budget, Case, OutOfBudget, Session

if TYPE_CHECKING:
    from ge_dialect.api import Model
    from passes.pipeline import Pipeline, PipelineLike
    from passes.testing.reduce.table import Table

#: Kinds of input values that are tried to show a wrong value, in this order.
INPUT_KINDS = ("exact", "ordinary", "special", "zeros", "extreme")
#: Rounds of fine reduction; each works on what the others left.
_ROUNDS = 8
#: A trial may take this many seconds, or this many times as long as finding the failure did.
_TRIAL_SECONDS, _TRIAL_FACTOR = 10.0, 10.0


def reduce(
    model: Model,
    pipeline: PipelineLike,
    fails: FailsLike,
    *,
    inputs: Mapping[str, Any] | Sequence[Any] | None = None,
    budget: Budget | float | None = None,
    seed: int = 0,
    setting: Setting | None = None,
    on_progress: Callable[[str, int, int], None] | None = None,
    interruptible: bool = False,
) -> Reduced:
    """Shrink a graph and a pipeline as long as they fail in the same way.

    model: is not changed. fails: "value", "verify", "crash", "timeout", "diagnostic=CODE", an
    `Oracle`, or a function of (model, pipeline) or (model, pipeline, inputs) that says whether the
    case fails. inputs: values that show the failure (by name or in order); found by trying where
    not given. budget: a `Budget`, or seconds. setting: the
    SoC and the driver of patterns. on_progress: told phase, size and trials.
    interruptible: Ctrl-C ends the reduction with the best case so far instead of being raised.
    The result is the same for the same arguments unless time runs out. Raises GeError GX-443 where
    the case does not fail, or holds more than graphs.
    """
    from passes.pipeline import as_pipeline
    from passes.testing.reduce.passlist import PipelineShrinker
    from passes.testing.reduce.simplify import Simplifier
    from passes.testing.reduce.table import read_model

    oracle = as_oracle(fails)
    limit = Budget() if budget is None else budget
    if not isinstance(limit, Budget):
        limit = Budget(seconds=float(limit))
    parsed = as_pipeline(pipeline)
    try:
        table = read_model(model)
    except ValueError as error:
        raise user_error("GX-443", str(error), hint="reduce what comes before it") from None
    if not table.graphs:
        raise user_error("GX-443", "there is nothing to reduce: the input has no graph")
    start = time.monotonic()
    case = _failing_case(table, parsed, oracle, inputs, seed, setting or Setting())
    session = Session(case, oracle, limit, seed=seed, setting=setting, on_progress=on_progress)
    session.trial_seconds = max(_TRIAL_SECONDS, _TRIAL_FACTOR * (time.monotonic() - start))
    before = table.size()
    shrinker, passes = Simplifier(session), PipelineShrinker(session)
    complete, usual_inputs = True, False
    try:
        passes.run()
        shrinker.coarse()
        for _ in range(_ROUNDS):
            changed = passes.run()
            changed |= shrinker.fine()
            changed |= shrinker.simplify()
            if not changed and not passes.advance():
                break
        session.phase = "simplify inputs"
        usual_inputs = shrinker.values()
    except OutOfBudget as reason:
        session.note(f"stopped: {reason} used up")
        complete = False
    except KeyboardInterrupt:
        if not interruptible:
            raise
        session.note("interrupted")
        complete = False
    return _result(session, before, complete, usual_inputs)


def _result(session: Session, before: int, complete: bool, usual_inputs: bool) -> Reduced:
    best, oracle = session.best, session.oracle
    inputs: dict[str, Any] = {}
    needed = False
    if oracle.needs_inputs:
        ports = best.table.graphs[0].inputs
        values = best.input_values(session.seed)
        inputs = {p.name: v for p, v in zip(ports, values, strict=True)}
        needed = bool(inputs) and not usual_inputs
    arguments = [*oracle.arguments(), *session.setting.arguments()]
    if usual_inputs and session.seed and isinstance(oracle, ValueOracle):
        arguments.append(f"--validate-seed={session.seed}")
    oracle.signature(session.trial(best))  # for the description
    return Reduced(
        model=best.table.build(),
        pipeline=best.pipeline,
        inputs=inputs,
        steps=list(session.steps),
        failure=oracle.describe(),
        arguments=tuple(arguments),
        needs_inputs=needed,
        complete=complete,
        trials=session.trials,
        ops_before=before,
        test=oracle.command if isinstance(oracle, CommandOracle) else None,
    )


def _failing_case(
    table: Table,
    pipeline: Pipeline,
    oracle: Oracle,
    inputs: Mapping[str, Any] | Sequence[Any] | None,
    seed: int,
    setting: Setting,
) -> Case:
    """The case that starts the reduction: with inputs that show the failure."""
    if not oracle.needs_inputs:
        case = Case(table, pipeline)
        if oracle.start(Trial(table.build, pipeline, [], setting)):
            return case
        raise user_error(
            "GX-443",
            "there is nothing to reduce: the case does not fail",
            found=f"no failure of the kind '{oracle.name}'",
            hint="check --fails and the pipeline",
        )
    from dataclasses import replace

    tables = [table]
    if len(table.graphs) > 1:
        tables = [replace(table, graphs=(g,)) for g in table.graphs]
    for one in tables:
        for values in _input_sets(one, inputs, seed):
            case = Case(one, pipeline, values)
            trial = Trial(one.build, pipeline, case.input_values(seed), setting)
            if oracle.start(trial):
                recorded = _recorded(one, trial.inputs, oracle.max_steps)
                return replace(case, inputs={**recorded, **values})
    raise user_error(
        "GX-443",
        "there is nothing to reduce: no values that were tried show a difference",
        hint="give inputs that do, or check the pipeline",
    )


def _input_sets(
    table: Table, given: Mapping[str, Any] | Sequence[Any] | None, seed: int
) -> list[dict[str, Any]]:
    from ge_dialect.diagnostics import GeError
    from passes.testing.observe import drawn_inputs
    from passes.testing.reduce.table import build_graph

    names = [p.name for p in table.graphs[0].inputs]
    if given is not None:
        pairs = given.items() if isinstance(given, dict) else zip(names, given, strict=False)
        return [dict(pairs)]
    try:
        return drawn_inputs(build_graph(table.graphs[0]), seed, INPUT_KINDS)
    except (GeError, ValueError):
        return [{}]


def _recorded(table: Table, inputs: list[Any], max_steps: int | None) -> dict[str, Any]:
    """The values of all nodes by the names under which cuts make inputs of them."""
    import numpy as np

    from ge_dialect.api import evaluate
    from ge_dialect.diagnostics import GeError
    from ge_dialect.semantics.budget import with_steps

    try:
        budget = with_steps(max_steps)
        values = evaluate(table.build(), inputs, keep="all", budget=budget).values
    except GeError:
        return {}
    out: dict[str, Any] = {}
    for name, results in values.items():
        for i, value in enumerate(results):
            if isinstance(value, np.ndarray):
                out[name if i == 0 else f"{name}_{i}"] = value
    return out


class _CallableModule(ModuleType):
    """`passes.testing.reduce` is this package once it is imported, and the function before; calling
    either reduces."""

    def __call__(self, *args: Any, **kwargs: Any) -> Reduced:
        return reduce(*args, **kwargs)


sys.modules[__name__].__class__ = _CallableModule

__all__ = [
    "Budget",
    "CommandOracle",
    "CrashOracle",
    "DiagnosticOracle",
    "FunctionOracle",
    "Oracle",
    "Reduced",
    "Setting",
    "TimeoutOracle",
    "Trial",
    "ValueOracle",
    "VerifyOracle",
    "as_oracle",
    "reduce",
]
