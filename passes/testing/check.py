"""`check_pass`: hold a pass to all properties on examples, patterns and generated graphs.

    report = check_pass(MyPass())
    print(report)

From a shell, ``python -m passes.testing.check --pipeline=P`` does the same; with ``CASE.mlir`` and
``--property=NAME`` it checks one property on one graph, which is how a failure is shown again.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ge_dialect.diagnostics import GeError
from ge_dialect.ops.registry import op_state
from passes.probe import Coverage
from passes.testing.graphs import PROFILES, Profile, graphs_for, mutants_of, partners_for
from passes.testing.knobs import by_name, named_profile
from passes.testing.limits import counted, kit_limits
from passes.testing.properties import ALL, BY_NAME, Property, Subject, Trial
from passes.testing.properties.base import run_on
from passes.testing.properties.subjects import make_subject, needs
from passes.testing.shared import is_small, is_sound
from passes.testing.spec import GraphSpec

if TYPE_CHECKING:
    from passes.testing.observe import Executor


@dataclass
class Failure:
    """A property that does not hold. spec: the first graph that shows it; `small`: the report of
    the smallest one found, with what reproduces it; ops: its number of nodes, None where not
    reduced."""

    prop: str
    message: str
    spec: GraphSpec
    origin: str
    small: str = ""
    ops: int | None = None
    command: str = ""

    def __str__(self) -> str:
        head = f"property '{self.prop}' fails: {self.message}\n(on {self.origin})"
        return f"{head}\n{self.small or self.spec}"


@dataclass
class CheckReport:
    """What was checked, and what failed.

    graphs: how many graphs; changed: how many the pass changed; refused: how many it rejected with
    a diagnostic; skipped: how many were wrong from the start, or refused by what must run before.
    rejected: how many graphs, mutants on the way included, were beyond the limits of the kit
    (`passes.testing.limits`), and are not among `graphs`; unvalued: of how many no value could be
    compared, as golden semantics refuse all inputs drawn. checked: graphs by property. coverage: of
    patterns and their conditions. folder: where the cases of failures were written.
    """

    subject: str
    profile: str
    graphs: int = 0
    changed: int = 0
    refused: int = 0
    skipped: int = 0
    rejected: int = 0
    unvalued: int = 0
    seconds: float = 0.0
    checked: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    waived: Mapping[str, str] = field(default_factory=dict[str, str])
    coverage: Coverage = field(default_factory=Coverage)
    folder: str | None = None

    @property
    def ok(self) -> bool:
        """Whether everything held."""
        return not self.failures

    def raise_if_failed(self) -> None:
        """AssertionError with the whole report where something failed."""
        if self.failures:
            raise AssertionError(str(self))

    def __str__(self) -> str:
        lines = [
            f"{self.subject}: {'ok' if self.ok else 'FAILED'} on {self.graphs} graphs "
            f"(changed {self.changed}, refused {self.refused}), profile {self.profile}"
        ]
        if self.rejected or self.unvalued:
            lines.append(
                f"beside them {self.rejected} beyond the limits of size; "
                f"{self.unvalued} whose values golden semantics refuse"
            )
        if self.coverage.fired:
            fired = ", ".join(f"{n} {k}x" for n, k in sorted(self.coverage.fired.items()))
            lines.append(f"patterns: {fired}")
        lines += [f"not claimed: {name}: {reason}" for name, reason in self.waived.items()]
        lines += [str(f) for f in self.failures]
        if self.folder is not None:
            lines.append(f"cases are in {self.folder}")
        return "\n".join(lines)


def check_pass(
    what: Any,
    *,
    profile: str | Profile = "default",
    seed: int = 0,
    graphs: Iterable[GraphSpec] = (),
    properties: Sequence[str] | None = None,
    executor: Executor | None = None,
    reduce: bool = True,
    stop_at_first: bool = False,
    folder: str | None = None,
    coverage: Coverage | None = None,
) -> CheckReport:
    """Check a pass (object, class or name), or a pipeline's text, on generated graphs.

    profile: "quick", "default" or "nightly", or a `Profile`. graphs: of your own, checked first.
    properties: names, by default all that the pass does not waive. executor: runs results that are
    no `ge.graph` any more; without it their values are not compared. reduce: make failing graphs
    small. folder: where the cases of failures are written, by default a new temporary one; there is
    none where nothing failed. Never raises for what it finds: see `CheckReport.raise_if_failed`.
    ValueError says which names there are where a profile or a property has none of them.
    """
    chosen = named_profile(PROFILES, profile)
    seen = coverage if coverage is not None else Coverage()
    subject = make_subject(what, executor=executor, probe=seen)
    names = [p.name for p in ALL] if properties is None else list(properties)
    waived = _waived(subject)
    active = [by_name("property", BY_NAME, n) for n in names if n not in waived]
    report = CheckReport(subject.name, chosen.name, waived=waived, coverage=seen)
    start = time.process_time()
    partners = partners_for(subject, chosen, seed)
    given = [("a graph given", g, True) for g in graphs]
    #: graphs the subject did something to; they are changed a little and tried again
    fruitful: list[GraphSpec] = []
    stream = _chain(
        given, graphs_for(subject, chosen, seed), mutants_of(fruitful, chosen.mutants, seed)
    )
    failed: set[str] = set()
    with kit_limits(), counted() as tally:
        for number, (origin, spec, always) in enumerate(stream):
            prefixed = as_subject_gets(subject, spec)
            if prefixed is None:
                report.skipped += 1
                continue
            # of the graph, not of its place: what golden runs give is shared with other passes
            mark = seed + zlib.crc32(origin.encode())
            trial = Trial(
                subject,
                prefixed,
                seed=mark,
                kinds=_kinds(subject, chosen.input_kinds, mark),
                partner=partners[number % len(partners)] if partners else None,
            )
            if not is_small(prefixed) or _is_costly(trial):
                report.rejected += 1
                continue
            report.graphs += 1
            if trial.after.changed or trial.after.fault is not None:
                silent = _is_unvalued(trial)
                report.unvalued += silent
                if not silent:
                    fruitful.append(spec)
            for prop, message in _wrong(trial, active, failed, report, number, always):
                failed.add(prop.name)
                failure = Failure(prop.name, message, prefixed, origin)
                report.failures.append(failure)
                if reduce:
                    _reduce(failure, trial, prop, chosen, report, folder)
            if len(report.failures) >= (1 if stop_at_first else 4):
                break
    report.rejected += tally["graph"]
    report.seconds = time.process_time() - start
    return report


def check_pipeline(name: str, **settings: Any) -> CheckReport:
    """Check a named pipeline, a stage or pipeline text as a whole; as `check_pass`."""
    return check_pass(name, **settings)


def _chain(*parts: Iterable[Any]) -> Iterable[Any]:
    for part in parts:
        yield from part


def _waived(subject: Subject) -> dict[str, str]:
    unknown = [n for n in subject.waives if n not in BY_NAME or not BY_NAME[n].waivable]
    if unknown:
        raise ValueError(f"{subject.name}: '{unknown[0]}' cannot be waived")
    return dict(subject.waives)


def as_subject_gets(subject: Subject, spec: GraphSpec) -> GraphSpec | None:
    """The graph as the subject gets it; None where it is wrong or the passes before refuse it."""
    if not is_sound(spec, op_state()):
        return None
    if not subject.prefix.items:
        return spec
    run = run_on(spec.build(), subject, subject.prefix)
    if run.error is not None:
        return None
    found = GraphSpec.from_model(run.model)
    # a model does not hold what its inputs are run with
    pairs = zip(found.inputs, spec.inputs, strict=True)
    inputs = tuple(replace(new, dims=old.dims, domain=old.domain) for new, old in pairs)
    return replace(found, inputs=inputs)


def _is_costly(trial: Trial) -> bool:
    """Whether a graph that the subject changes runs on no inputs within the limits of the kit."""
    unchanged = trial.after.error is not None or trial.is_unchanged
    return not unchanged and _is_unvalued(trial) and trial.golden.over


def _is_unvalued(trial: Trial) -> bool:
    """Whether golden semantics refuse all inputs drawn."""
    return all(trial.observed(inputs) is None for inputs in trial.input_sets)


def _kinds(subject: Subject, count: int, number: int) -> tuple[str, ...]:
    """That many kinds of inputs, in turn."""
    promise = subject.contract.values
    kinds: tuple[str, ...] = ("exact", "special", "ordinary", "extreme", "zeros")
    if promise == "reassociates":
        kinds = ("ordinary", "exact", "special", "extreme")
    elif promise != "exact":
        kinds = ("fp16", "ordinary", "special")
    if "lowered" in subject.contract.establishes:
        # what kernels make of NaN and infinities is a matter of their own tests
        kinds = ("ordinary", "exact", "zeros", "fp16")
    return tuple(kinds[(number + i) % len(kinds)] for i in range(min(count, len(kinds))))


def _wrong(
    trial: Trial,
    active: Sequence[Property],
    failed: set[str],
    report: CheckReport,
    number: int,
    always: bool,
) -> list[tuple[Property, str]]:
    """Properties that do not hold on a graph."""
    found: list[tuple[Property, str]] = []
    after = trial.after
    if after.error is None:
        report.changed += after.changed
    else:
        report.refused += after.fault is None
    for prop in active:
        if prop.name in failed or not (always or number % prop.share == 0):
            continue
        report.checked[prop.name] += 1
        message = judge(prop, trial)
        if message is not None:
            found.append((prop, message))
            if prop.name in ("ends", "verifies"):
                break  # nothing can be said of what is no graph
        if prop.name == "ends" and after.error is not None:
            break
    return found


def judge(prop: Property, trial: Trial) -> str | None:
    """What is wrong, None where the property holds. A result so broken that looking at it raises
    is wrong, too."""
    if prop.name != "ends" and trial.after.error is not None:
        return None
    if prop.of_change and trial.is_unchanged:
        return None
    try:
        return prop.check(trial)
    except GeError as error:
        return f"the result cannot be looked at: {error.diagnostics[0].message}"
    except (ValueError, KeyError, AttributeError, TypeError, AssertionError, IndexError) as error:
        trial.before.graphs  # noqa: B018  the graph itself must be sound
        return f"the result cannot be looked at: {type(error).__name__}: {error}"


# ------------------------------------------------------------------------------------ reduction


def _reduce(
    failure: Failure,
    trial: Trial,
    prop: Property,
    profile: Profile,
    report: CheckReport,
    folder: str | None,
) -> None:
    """Make the graph of a failure small and say how to show it."""
    from passes.testing.reduce import Budget, reduce

    subject, shown = trial.subject, trial.shown
    last = [failure.message]

    required = set(needs(subject.pipeline))

    def fails(model: Any, pipeline: Any, inputs: Any = None) -> bool:
        if set(needs(pipeline)) - required:
            return False  # a pass without what it rests on fails in its own way
        message = fails_on(
            model,
            pipeline,
            prop,
            inputs=inputs,
            seed=trial.seed,
            kinds=trial.kinds,
            partner=trial.partner,
            subject=subject,
        )
        if message is not None:
            last[0] = message
        return message is not None

    with_inputs = shown is not None

    def fails_on_any(model: Any, pipeline: Any) -> bool:
        return fails(model, pipeline)

    oracle: Callable[..., bool] = fails if with_inputs else fails_on_any
    try:
        small = reduce(
            trial.spec.build(),
            subject.pipeline,
            oracle,
            inputs=shown,
            budget=Budget(seconds=profile.reduce_seconds),
        )
    except (GeError, ValueError) as error:
        failure.small = f"{trial.spec}\n(not reduced: {error})"
        return
    fails(small.model, small.pipeline, list(small.inputs.values()) if with_inputs else None)
    failure.message = last[0]
    failure.ops = small.ops
    small.failure = f"{prop.name}: {last[0]}"
    if report.folder is None:
        report.folder = folder or tempfile.mkdtemp(prefix="ge-check-")
    failure.command = _save(small, prop, report.folder, trial)
    body = str(small).rsplit("\nreproduce: ", 1)[0]
    failure.small = f"{body}\nreproduce: {failure.command}"


def fails_on(
    model: Any,
    pipeline: Any,
    prop: Property,
    *,
    inputs: Sequence[Any] | None = None,
    seed: int = 0,
    kinds: Sequence[str] = ("exact", "special"),
    partner: GraphSpec | None = None,
    subject: Subject | None = None,
) -> str | None:
    """What is wrong with a pipeline on one model by one property, None where nothing is.

    subject: whose contract and executor count where the pipeline is part of its own.
    """
    from ge_dialect.ir.verifier import verify

    if any(d.severity == "error" for d in verify(model.module)):
        return None
    found = make_subject(pipeline)
    if subject is not None:
        found = replace(found, executor=subject.executor, soc=subject.soc)
        if subject.pipeline == found.pipeline:
            found = replace(subject, probe=None)
    trial = Trial(
        found,
        GraphSpec.from_model(model),
        seed=seed,
        kinds=kinds,
        inputs=inputs,
        partner=partner,
    )
    with kit_limits():
        return judge(prop, trial)


def _save(small: Any, prop: Property, folder: str, trial: Trial) -> str:
    """Write the small case and return the command that shows it."""
    import shlex

    from passes.testing.reduce.result import load_arguments

    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"{trial.subject.name}-{prop.name}.mlir".replace(",", "+"))
    small.save(path)
    words = [
        *("python", "-m", "passes.testing.check", path, f"--pipeline={small.pipeline}"),
        f"--property={prop.name}",
        f"--seed={trial.seed}",
        *load_arguments(small.pipeline),
    ]
    if small.needs_inputs:
        words.append(f"--inputs={path.removesuffix('.mlir')}.npz")
    if prop.name == "locality" and trial.partner is not None:
        beside = path.removesuffix(".mlir") + ".beside.json"
        with open(beside, "w", encoding="utf-8") as out:
            out.write(trial.partner.to_json())
        words.append(f"--beside={beside}")
    return " ".join(map(shlex.quote, words))


def main(argv: Sequence[str] | None = None) -> int:
    """The shell's way in: errors are diagnostics, the exit status says what was found."""
    from ge_dialect.tools.common import run_tool
    from passes.testing.command import run

    return run_tool(run, argv, packages=("ge_dialect", "passes"))


if __name__ == "__main__":
    sys.exit(main())
