"""Mutation of passes: every condition is answered otherwise in turn, and the kit must notice.

Conditions are the preconditions of patterns, which are dropped (taken as true) and negated, and
the other decisions in the source of a pass (`passes.testing.decisions`), which are taken as true
("drop") and as false ("never"). A mutant counts when it changes the result on some graph. It is
killed when a property fails there, when an example of the pass comes out otherwise than documented,
or when a pattern does on a given case (`passes.testing.cases`) what it must not. Those that live on
say that a condition guards nothing anyone sees: a policy, or a condition that others imply.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from passes.pipeline import as_pipeline
from passes.probe import Coverage
from passes.registry import PASSES
from passes.rewriting import Pattern
from passes.testing.cases import Case
from passes.testing.check import as_subject_gets, judge
from passes.testing.decisions import Decisions, modules_of
from passes.testing.graphs import Profile, examples_of, graphs_for
from passes.testing.limits import kit_limits
from passes.testing.observe import Executor
from passes.testing.properties import BY_NAME, Subject, Trial
from passes.testing.properties.base import Run, run_on
from passes.testing.properties.subjects import make_subject
from passes.testing.shared import is_small
from passes.testing.spec import GraphSpec

How = Literal["drop", "negate", "never"]
#: What judges a mutant, the likeliest first. Metamorphic properties hold for mutants, too.
JUDGES = (
    *("ends", "verifies", "signature", "types", "values", "pins", "bound", "order", "effects"),
    *("plan", "grows", "establishes", "changed"),
)
KINDS = ("ordinary", "special", "exact", "extreme", "zeros")
#: Graphs that a mutant changes and that are judged, and graphs looked at to find them.
MOST = 24
#: A mutant may loop for ever; no pass takes this long on graphs of this size.
SECONDS = 4.0
_REASONED = ("when", "candidate", "fits", "where", "only", "static")
CORPUS = Profile("mutation", 60, 10, 20, 20, 1, 500, 400, 0, 1, 0.0)


@dataclass(frozen=True)
class Mutant:
    """One condition, by pass, pattern label (or function) and reason (or text), changed in one
    way."""

    pass_name: str
    pattern: str
    reason: str
    how: How

    def __str__(self) -> str:
        return f"{self.pass_name}/{self.pattern}: {self.how} '{self.reason}'"


@dataclass(frozen=True)
class Verdict:
    """changes: whether the mutant changed a result on some graph. killed_by: the property, or
    "example" or "case"; None where nothing noticed. graph: the one that killed it, or the smallest
    on which the result changed."""

    mutant: Mutant
    changes: bool
    killed_by: str | None
    graph: GraphSpec | None = None

    @property
    def survives(self) -> bool:
        """Whether it changes results and is not noticed."""
        return self.changes and self.killed_by is None


class Mutated(Coverage):
    """Answers one condition in another way."""

    def __init__(self, mutant: Mutant) -> None:
        super().__init__()
        self.mutant = mutant

    def judge(self, pattern: Pattern, reason: str, holds: bool) -> bool:
        if reason == self.mutant.reason and pattern.label == self.mutant.pattern:
            how = self.mutant.how
            return not holds if how == "negate" else how == "drop"
        return holds


@dataclass
class Entry:
    """A graph of a corpus, with what the true pass makes of it.

    trial: the graph before the pass. text: the result. failed, held: the conditions that did.
    """

    trial: Trial
    text: str
    failed: frozenset[tuple[str, str]]
    held: frozenset[tuple[str, str]]


def _trial_of(subject: Subject, entry: Entry) -> Trial:
    """A trial of a mutant; the graph before the pass is the same for all."""
    base = entry.trial
    trial = Trial(subject, base.spec, seed=base.seed, kinds=base.kinds)
    trial.before, trial.before_text = base.before, base.before_text
    return trial


@dataclass
class Corpus:
    """Graphs for the conditions of a pass.

    coverage: of the true pass on all of them. decisions: of its source, None where only patterns
    are looked at. cases: given graphs, whose patterns are known to fire or not.
    """

    subject: Subject
    decisions: Decisions | None
    cases: Sequence[Case]
    entries: list[Entry] = field(default_factory=list)
    coverage: Coverage = field(default_factory=Coverage)

    def where(self, key: tuple[str, str], how: How) -> list[Entry]:
        """Graphs on which a mutant may do something else, the likeliest first."""
        found: list[Entry] = []
        if how != "never":
            found += [e for e in self.entries if key in e.failed]
        if how != "drop":
            found += [e for e in self.entries if key in e.held and e not in found]
        return found


def passes_with_patterns() -> list[str]:
    """Registered passes that rewrite by patterns, found by running their examples."""
    out: list[str] = []
    for name in PASSES:
        seen = Coverage()
        subject = make_subject(name, probe=seen)
        for spec in examples_of(subject):
            run_on(spec.build(), subject)
        if seen.patterns:
            out.append(name)
    return out


def corpus_of(
    name: str,
    profile: Profile = CORPUS,
    seed: int = 0,
    *,
    cases: Sequence[Case] = (),
    graphs: Sequence[GraphSpec] = (),
    source: bool = False,
    executor: Executor | None = None,
) -> Corpus:
    """The graphs mutants of a pass, or of a pipeline as a whole, are judged on, with what the true
    pass makes of them.

    cases and graphs of one's own come first. source: whether decisions in its source count, too.
    executor: see `Subject`.
    """
    subject = make_subject(name, executor=executor)
    held = dict.fromkeys(m for i in subject.pipeline.passes() for m in modules_of(i.name))
    decisions = Decisions(list(held)) if source else None
    corpus = Corpus(subject, decisions, cases)
    total = corpus.coverage
    with decisions or nullcontext():
        own = [*(case.spec for case in cases), *graphs]
        for number, spec in enumerate(_graphs(subject, profile, seed, own)):
            try:
                prefixed = as_subject_gets(subject, spec)
                if prefixed is None or not is_small(prefixed):
                    continue
                seen = Coverage()
                run = _watched(prefixed, subject, seen, decisions)
            except ValueError:
                continue
            if run.error is not None and run.fault is not None:
                continue
            total.add(seen)
            if not seen.held and not seen.failed:
                continue  # no condition was looked at
            trial = Trial(subject, prefixed, seed=number, kinds=KINDS)
            text = _result(run)
            corpus.entries.append(Entry(trial, text, frozenset(seen.failed), frozenset(seen.held)))
    return corpus


def _watched(
    spec: GraphSpec, subject: Subject, probe: Coverage, decisions: Decisions | None
) -> Run:
    """A run of the subject on a new build of a graph, under a probe."""
    if decisions is not None:
        decisions.probe = probe
    try:
        return run_on(spec.build(), replace(subject, probe=probe))
    finally:
        if decisions is not None:
            decisions.probe = None


def _result(run: Run) -> str:
    """What came out: the text, and what was refused."""
    if run.error is None:
        return run.text
    return "; ".join(sorted(f"{d.code} {d.message}" for d in run.error.diagnostics))


def _graphs(
    subject: Subject, profile: Profile, seed: int, own: Sequence[GraphSpec]
) -> Iterator[GraphSpec]:
    """Given graphs, near misses of every condition, then what a check would look at."""
    from passes.testing.from_pattern import pattern_specs

    yield from own
    for item in subject.pipeline.passes():
        if item.cls.contract.requires:
            continue  # its examples are no graphs as they come
        found = pattern_specs(
            item.name, seed + 11, tries=2 * profile.tries, per_reason=8, positives=16
        )
        for specs in found:
            yield from specs
    for _, spec, _ in graphs_for(subject, profile, seed):
        yield spec


def mutants_of_pass(name: str, corpus: Corpus) -> list[Mutant]:
    """All mutants of the conditions that were met."""
    own = set(() if corpus.decisions is None else corpus.decisions.places)
    found: list[Mutant] = []
    for key in corpus.coverage.conditions:
        hows: tuple[How, ...] = ("drop", "never") if key in own else ("drop", "negate")
        found += [Mutant(name, *key, how) for how in hows]
    return found


def judge_mutant(mutant: Mutant, corpus: Corpus) -> Verdict:
    """Run a mutant on the graphs where it may do something else, until it is killed."""
    with corpus.decisions or nullcontext():
        if corpus.decisions is not None:
            corpus.decisions.probe = Mutated(mutant)
        try:
            return _judged(mutant, corpus)
        finally:
            if corpus.decisions is not None:
                corpus.decisions.probe = None


def _judged(mutant: Mutant, corpus: Corpus) -> Verdict:
    subject = replace(corpus.subject, probe=Mutated(mutant), seconds=SECONDS)
    smallest: GraphSpec | None = None
    tried = 0
    for entry in corpus.where((mutant.pattern, mutant.reason), mutant.how):
        trial = _trial_of(subject, entry)
        if _result(trial.after) == entry.text:
            continue
        tried += 1
        if tried > MOST:
            break
        spec = trial.spec
        for prop in JUDGES:
            if judge(BY_NAME[prop], trial) is not None:
                return Verdict(mutant, True, prop, spec)
            if prop == "ends" and trial.after.error is not None:
                return Verdict(mutant, True, "diagnostic", spec)
        if smallest is None or spec.op_count < smallest.op_count:
            smallest = spec
    if _example_fails(subject):
        return Verdict(mutant, True, "example", smallest)
    for case in corpus.cases:
        if case.fault(subject, Mutated(mutant)) is not None:
            return Verdict(mutant, True, "case", case.spec)
    return Verdict(mutant, smallest is not None, None, smallest)


def _example_fails(subject: Subject) -> bool:
    """Whether the example in the docstring of a pass comes out as something else."""
    from ge_dialect.api import Model
    from ge_dialect.diagnostics import GeError
    from ge_dialect.ir.printer import print_module
    from ge_dialect.ir.reader import parse_module
    from passes.examples import pass_examples

    held = [e for item in subject.pipeline.passes() for e in pass_examples(item.cls)]
    for example in held:
        try:
            model = Model(parse_module(example.before))
            run = run_on(model, replace(subject, pipeline=as_pipeline(example.pipeline)))
            expected = print_module(parse_module(example.after))
        except GeError:
            continue
        if run.error is not None or print_module(run.model.module) != expected:
            return True
    return False


def mutate_pass(
    name: str, profile: Profile = CORPUS, seed: int = 0, **more: Any
) -> tuple[Corpus, list[Verdict]]:
    """Judge all mutants of a pass. more: see `corpus_of`."""
    with kit_limits():
        corpus = corpus_of(name, profile, seed, **more)
        return corpus, [judge_mutant(m, corpus) for m in mutants_of_pass(name, corpus)]


def score(verdicts: Iterable[Verdict]) -> tuple[int, int]:
    """Numbers of mutants killed, and of those that change a result."""
    counted = [v for v in verdicts if v.changes]
    return sum(v.killed_by is not None for v in counted), len(counted)


def declared_reasons(modules: Sequence[Any]) -> set[str]:
    """Reasons written as literals in ``when(…)`` and clauses of modules, for the coverage gate."""
    import ast
    import inspect

    out: set[str] = set()
    for module in modules:
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if not isinstance(node, ast.Call):
                continue
            called = node.func
            label = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if label in _REASONED and node.args:
                last = node.args[0] if label == "static" else node.args[min(1, len(node.args) - 1)]
                if isinstance(last, ast.Constant) and isinstance(last.value, str):
                    out.add(last.value)
    return out


__all__ = [
    "Corpus",
    "Entry",
    "Mutant",
    "Mutated",
    "Verdict",
    "corpus_of",
    "declared_reasons",
    "judge_mutant",
    "mutants_of_pass",
    "mutate_pass",
    "passes_with_patterns",
    "score",
]
