"""What counts as a failure, for reduction and bisection.

An oracle first sees the unreduced case (`start`) and notes how it fails; later `check` says whether
a smaller case fails in the same way, so that reduction does not slip to another fault.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ge_dialect.api import Model
from ge_dialect.diagnostics import ExitCode, GeError, user_error
from passes.context import DEFAULT_SOC, PassContext
from passes.manager import RunOptions, VerifyMode, run_pipeline
from passes.pipeline import Pipeline
from passes.testing.compare import Bounds, f64_bound, weakest
from passes.testing.observe import Difference, Executor, first_difference, observe

#: Seconds a pass may take in a trial, so that a trial ends.
TRIAL_SECONDS = 20.0


@dataclass(frozen=True)
class Setting:
    """How passes run in trials: the SoC they compile for, and the driver of patterns."""

    soc_name: str = DEFAULT_SOC
    driver: str = "default"

    def context(self, weights: Any) -> PassContext:
        """A new context."""
        return PassContext(weights=weights, soc_name=self.soc_name, driver=self.driver)

    def arguments(self) -> list[str]:
        """The same as arguments of `ge-opt`."""
        out = [f"--soc={self.soc_name}"] if self.soc_name != DEFAULT_SOC else []
        return out + ([f"--driver={self.driver}"] if self.driver != "default" else [])


@dataclass
class Trial:
    """One case: `make()` gives a new model each time; inputs are arrays in order."""

    make: Callable[[], Model]
    pipeline: Pipeline
    inputs: list[Any] = field(default_factory=list)
    setting: Setting = Setting()


class Oracle:
    """Base of oracles; `needs_inputs` says whether a trial must have input values, `max_steps` how
    long a golden run of it may be (as for `Validate`)."""

    name = "failure"
    needs_inputs = False
    max_steps: int | None = None

    def signature(self, trial: Trial) -> Any:
        """How the case fails, None where it does not."""
        raise NotImplementedError

    def start(self, trial: Trial) -> bool:
        """See the unreduced case; False where it does not fail."""
        self.expected = self.signature(trial)
        return self.expected is not None

    def check(self, trial: Trial) -> bool:
        """Whether a case fails as the unreduced one did."""
        found = self.signature(trial)
        return found is not None and found == self.expected

    def arguments(self) -> list[str]:
        """Arguments of `ge-opt`, besides file and pipeline, with which the failure shows."""
        return []

    def describe(self) -> str:
        """The failure in a few words."""
        return self.name


def run_trial(
    trial: Trial, *, verify: VerifyMode = "each", timeout: float | None = None
) -> tuple[Model, GeError | None, PassContext]:
    """Run the pipeline on a new model: the model, the error if any, and the context.

    timeout: seconds a pass may take, `TRIAL_SECONDS` by default.
    """
    model = trial.make()
    ctx = trial.setting.context(model.weights)
    limit = TRIAL_SECONDS if timeout is None else timeout
    options = RunOptions(verify=verify, reproducer=False, pass_timeout=limit)
    try:
        run_pipeline(model, trial.pipeline, ctx=ctx, options=options)
    except GeError as error:
        return model, error, ctx
    return model, None, ctx


def promise_of(pipeline: Pipeline) -> str:
    """What the passes of a pipeline promise together about values."""
    return weakest([item.cls.contract.values for item in pipeline.running((), ())])


class ValueOracle(Oracle):
    """The pipeline changes a value by more than its passes' contracts allow."""

    name = "value"
    needs_inputs = True

    def __init__(
        self,
        *,
        executor: Executor | None = None,
        promise: str | None = None,
        max_steps: int | None = None,
    ) -> None:
        self.executor = executor
        self.promise = promise
        self.max_steps = max_steps
        self.last: Difference | None = None

    def difference(self, trial: Trial) -> Difference | None:
        """The first difference; None too where the case cannot be evaluated."""
        from ge_dialect.semantics.budget import limited, with_steps
        from passes.testing.compare import Mismatch

        budget = with_steps(self.max_steps)
        try:
            with limited(budget):
                before = observe(trial.make(), trial.inputs)
        except GeError:
            return None
        model, error, _ = run_trial(trial, verify="off")
        if error is not None:
            return None
        try:
            with limited(budget):
                after = observe(model, trial.inputs, executor=self.executor)
        except GeError as failure:
            if failure.diagnostics[0].code == "GX-440":
                raise
            what = Mismatch("kind", "values", failure.diagnostics[0].message)
            return Difference("run", failure.diagnostics[0].node or "?", what)
        promise = self.promise or promise_of(trial.pipeline)

        def bounds() -> Bounds:
            with limited(budget):
                return f64_bound(trial.make(), trial.inputs, dtype=_dtype(promise))

        return first_difference(before, after, promise, bounds)

    def signature(self, trial: Trial) -> Any:
        self.last = found = self.difference(trial)
        if found is None:
            return None
        what = found.mismatch.what
        return (found.kind, "number" if what in ("value", "nan", "inf") else what)

    def arguments(self) -> list[str]:
        steps = [] if self.max_steps is None else [f"--max-steps={self.max_steps}"]
        return ["--validate=ends", *steps]

    def describe(self) -> str:
        return f"values differ: {self.last}" if self.last else "values differ"


class VerifyOracle(Oracle):
    """The IR does not verify after a pass. The pass and the first code stay the same."""

    name = "verify"

    def signature(self, trial: Trial) -> Any:
        _, error, _ = run_trial(trial)
        if error is None or error.exit_code != ExitCode.VERIFY:
            return None
        self.error = error
        codes = [d.code for d in error.diagnostics]
        return (error.diagnostics[0].pass_name, *codes[1:2])

    def describe(self) -> str:
        return str(self.error.diagnostics[-1].message) if hasattr(self, "error") else self.name


class CrashOracle(Oracle):
    """A pass raises an exception: the same pass, the same class of exception, the same place."""

    name = "crash"

    def signature(self, trial: Trial) -> Any:
        _, error, _ = run_trial(trial, verify="off")
        if error is None or error.diagnostics[0].code != "GX-406":
            return None
        first = error.diagnostics[0]
        self.said = first.message
        kind = type(error.__cause__).__name__
        return (first.pass_name, kind, first.found if kind != "RecursionError" else None)

    def describe(self) -> str:
        return getattr(self, "said", self.name)


class DiagnosticOracle(Oracle):
    """A diagnostic of a given code is reported, as an error or otherwise."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.name = f"diagnostic={code}"

    def signature(self, trial: Trial) -> Any:
        _, error, ctx = run_trial(trial)
        found = [*ctx.sink.diagnostics, *(error.diagnostics if error is not None else ())]
        return self.code if any(d.code == self.code for d in found) else None


class TimeoutOracle(Oracle):
    """A pass takes longer than some seconds."""

    name = "timeout"

    def __init__(self, seconds: float = 5.0) -> None:
        self.seconds = seconds

    def signature(self, trial: Trial) -> Any:
        _, error, _ = run_trial(trial, verify="off", timeout=self.seconds)
        if error is None or error.diagnostics[0].code != "GX-442":
            return None
        return error.diagnostics[0].pass_name

    def arguments(self) -> list[str]:
        return [f"--pass-timeout={self.seconds:g}"]

    def describe(self) -> str:
        return f"a pass takes longer than {self.seconds:g} s"


class CommandOracle(Oracle):
    """A shell command that gets the case as a file succeeds (status 0).

    ``{}`` in the command stands for the file's path (appended where missing), ``{pipeline}`` for
    the pipeline's text. A command that outlives `seconds` does not succeed.
    """

    name = "test"

    def __init__(self, command: str, *, seconds: float = 60.0, folder: str | None = None) -> None:
        self.command = command if "{}" in command else command + " {}"
        self.seconds = seconds
        self.folder = folder

    def signature(self, trial: Trial) -> Any:
        from ge_dialect.api import save

        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            path = os.path.join(folder, "case.mlir")
            save(trial.make(), path)
            return True if self.run(path, trial.pipeline) == 0 else None

    def run(self, path: str, pipeline: Pipeline) -> int:
        """Status of the command on a file."""
        try:
            done = subprocess.run(
                self.shell_line(path, pipeline),
                shell=True,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=self.seconds,
            )
        except subprocess.TimeoutExpired:
            return -1
        return done.returncode

    def shell_line(self, path: str, pipeline: Pipeline) -> str:
        """The command with its placeholders filled."""
        import shlex

        line = self.command.replace("{pipeline}", shlex.quote(str(pipeline)))
        return line.replace("{}", shlex.quote(path))

    def describe(self) -> str:
        return f"the command succeeds: {self.command}"


class FunctionOracle(Oracle):
    """Any function of a model and a pipeline (and inputs, where it takes three arguments)."""

    name = "function"

    def __init__(self, function: Callable[..., bool]) -> None:
        import inspect

        self.function = function
        try:
            count = len(inspect.signature(function).parameters)
        except (TypeError, ValueError):
            count = 2
        self.needs_inputs = count >= 3

    def signature(self, trial: Trial) -> Any:
        given: list[Any] = [trial.make(), trial.pipeline]
        if self.needs_inputs:
            given.append(trial.inputs)
        return True if self.function(*given) else None


FailsLike = str | Oracle | Callable[..., bool]
_KINDS: Mapping[str, Callable[[], Oracle]] = {
    "value": ValueOracle,
    "verify": VerifyOracle,
    "crash": CrashOracle,
    "timeout": TimeoutOracle,
}


def as_oracle(fails: FailsLike) -> Oracle:
    """An oracle from its text ("value", "verify", "crash", "timeout", "diagnostic=CODE"), from a
    function, or itself. GeError (usage) for text that names none."""
    if isinstance(fails, Oracle):
        return fails
    if not isinstance(fails, str):
        return FunctionOracle(fails)
    kind, _, value = fails.partition("=")
    if kind == "diagnostic" and re.fullmatch(r"[A-Z]+-?\d+", value):
        return DiagnosticOracle(value)
    if kind == "timeout" and (seconds := _seconds(value)):
        return TimeoutOracle(seconds)
    if kind in _KINDS and not value:
        return _KINDS[kind]()
    raise user_error(
        "GX-008",
        f"no way of failing is called '{fails}'",
        expected="value, verify, crash, timeout, timeout=SECONDS or diagnostic=CODE",
        exit_code=ExitCode.USAGE,
    )


def _seconds(text: str) -> float | None:
    """A finite number of seconds above 0, None for other text."""
    import argparse

    from ge_dialect.tools.arguments import positive

    try:
        return positive(text)
    except argparse.ArgumentTypeError:
        return None


def _dtype(promise: str) -> str | None:
    from passes.testing.compare import precision_dtype

    return precision_dtype(promise)
