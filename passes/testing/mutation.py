"""Mutation of patterns: every precondition is dropped and negated in turn, and the kit must notice.

A mutant is a pass whose pattern takes one condition as true (dropped) or as its opposite (negated).
It counts when it changes the result on some graph. It is killed when a property fails there, or
when the example of the pass no longer comes out as documented. Those that live on say that a
condition guards nothing that the properties see: a policy, or a condition that others imply.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from passes.pipeline import as_pipeline
from passes.probe import Coverage
from passes.registry import PASSES, pass_class
from passes.rewriting import Pattern
from passes.testing.check import judge
from passes.testing.graphs import Profile, examples_of, graphs_for
from passes.testing.properties import BY_NAME, Subject, Trial
from passes.testing.properties.base import run_on
from passes.testing.properties.subjects import make_subject
from passes.testing.spec import GraphSpec

How = Literal["drop", "negate"]
#: What judges a mutant, the likeliest first. Metamorphic properties hold for mutants, too.
JUDGES = (
    *("ends", "verifies", "signature", "types", "values", "pins", "bound", "order", "effects"),
    "grows",
)
KINDS = ("ordinary", "special", "exact", "extreme", "zeros")
#: Graphs per mutant, and graphs looked at to find them.
MOST = 24
CORPUS = Profile("mutation", 60, 10, 20, 20, 1, 500, 400, 0, 1, 0.0)


@dataclass(frozen=True)
class Mutant:
    """One condition, by pass, pattern label and reason, changed in one way."""

    pass_name: str
    pattern: str
    reason: str
    how: How

    def __str__(self) -> str:
        return f"{self.pass_name}/{self.pattern}: {self.how} '{self.reason}'"


@dataclass(frozen=True)
class Verdict:
    """changes: whether the mutant changed a result on some graph. killed_by: the property, or
    "example"; None where nothing noticed. graph: the first on which the result changed."""

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
            return True if self.mutant.how == "drop" else not holds
        return holds


@dataclass
class Corpus:
    """Graphs for the patterns of a pass; failed and held: conditions by graph, on the true pass."""

    subject: Subject
    specs: list[GraphSpec]
    texts: list[str]
    failed: list[set[tuple[str, str]]]
    held: list[set[tuple[str, str]]]
    coverage: Coverage

    def where(self, key: tuple[str, str], how: How) -> list[int]:
        """Indices of graphs on which a mutant may do something else."""
        found = [i for i, f in enumerate(self.failed) if key in f]
        if how == "negate":
            found += [i for i, h in enumerate(self.held) if key in h and i not in found]
        return found[:MOST]


def passes_with_patterns() -> list[str]:
    """Registered passes that rewrite by patterns, found by running their examples."""
    out = []
    for name in PASSES:
        seen = Coverage()
        subject = make_subject(name, probe=seen)
        for spec in examples_of(subject):
            run_on(spec.build(), subject)
        if seen.patterns:
            out.append(name)
    return out


def corpus_of(name: str, profile: Profile = CORPUS, seed: int = 0) -> Corpus:
    """The graphs mutants of a pass are judged on, with what the true pass makes of them."""
    total = Coverage()
    subject = make_subject(name)
    corpus = Corpus(subject, [], [], [], [], total)
    for spec in _graphs(subject, profile, seed):
        seen = Coverage()
        try:
            run = run_on(spec.build(), replace(subject, probe=seen))
        except ValueError:
            continue
        if run.error is not None:
            continue
        for label, pattern in seen.patterns.items():
            total.patterns.setdefault(label, pattern)
        total.fired += seen.fired
        total.held += seen.held
        total.failed += seen.failed
        if not seen.held and not seen.failed:
            continue  # no condition was looked at
        corpus.specs.append(spec)
        corpus.texts.append(run.text)
        corpus.failed.append(set(seen.failed))
        corpus.held.append(set(seen.held))
    return corpus


def _graphs(subject: Subject, profile: Profile, seed: int) -> Iterator[GraphSpec]:
    """Near misses of every condition first, then what a check would look at."""
    from passes.testing.from_pattern import pattern_specs

    for item in subject.pipeline.passes():
        found = pattern_specs(
            item.name, seed + 11, tries=2 * profile.tries, per_reason=8, positives=16
        )
        for specs in found:
            yield from specs
    for _, spec, _ in graphs_for(subject, profile, seed):
        yield spec


def mutants_of_pass(name: str, coverage: Coverage) -> list[Mutant]:
    """All mutants of the conditions that were met."""
    hows: tuple[How, ...] = ("drop", "negate")
    return [Mutant(name, p, r, how) for p, r in coverage.conditions for how in hows]


def judge_mutant(
    mutant: Mutant,
    corpus: Corpus,
    expected: Sequence[GraphSpec] = (),
    declined: Sequence[GraphSpec] = (),
) -> Verdict:
    """Run a mutant on the graphs where it may do something else, until it is killed.

    expected: graphs on which the pattern must rewrite something; declined: on which it must not.
    """
    subject = replace(corpus.subject, probe=Mutated(mutant))
    smallest: GraphSpec | None = None
    first: GraphSpec | None = None
    for index in corpus.where((mutant.pattern, mutant.reason), mutant.how):
        spec = corpus.specs[index]
        trial = Trial(subject, spec, seed=index, kinds=KINDS)
        if trial.after.error is None and trial.after.text == corpus.texts[index]:
            continue
        first = first or spec
        if smallest is None or spec.op_count < smallest.op_count:
            smallest = spec
        for prop in JUDGES:
            if judge(BY_NAME[prop], trial) is not None:
                return Verdict(mutant, True, prop, spec)
            if prop == "ends" and trial.after.error is not None:
                return Verdict(mutant, True, "diagnostic", spec)
    if _example_fails(mutant, subject):
        return Verdict(mutant, True, "example", first)
    for spec in expected:
        if not fires(spec, replace(subject, probe=Mutated(mutant)), mutant.pattern):
            return Verdict(mutant, True, "expected", spec)
    for spec in declined:
        if fires(spec, replace(subject, probe=Mutated(mutant)), mutant.pattern):
            return Verdict(mutant, True, "declined", spec)
    return Verdict(mutant, first is not None, None, smallest)


def fires(spec: GraphSpec, subject: Subject, pattern: str) -> bool:
    """Whether a pattern of a subject rewrites something in a graph; its probe counts."""
    probe = subject.probe
    assert isinstance(probe, Coverage)
    before = probe.fired[pattern]
    run_on(spec.build(), subject)
    return probe.fired[pattern] > before


def _example_fails(mutant: Mutant, subject: Subject) -> bool:
    """Whether the example in the docstring of the pass comes out as something else."""
    from ge_dialect.diagnostics import GeError
    from ge_dialect.ir.printer import print_module
    from ge_dialect.ir.reader import parse_module
    from passes.examples import pass_examples

    for example in pass_examples(pass_class(mutant.pass_name)):
        from ge_dialect.api import Model

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
    name: str,
    profile: Profile = CORPUS,
    seed: int = 0,
    expected: Mapping[str, Sequence[GraphSpec]] | None = None,
    declined: Mapping[str, Sequence[GraphSpec]] | None = None,
) -> tuple[Corpus, list[Verdict]]:
    """Judge all mutants of a pass. expected, declined: see `judge_mutant`, by pattern label."""
    corpus = corpus_of(name, profile, seed)
    do, dont = expected or {}, declined or {}
    found = [
        judge_mutant(m, corpus, do.get(m.pattern, ()), dont.get(m.pattern, ()))
        for m in mutants_of_pass(name, corpus.coverage)
    ]
    return corpus, found


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
            if label in ("when", "where", "static") and node.args:
                last = node.args[0] if label == "static" else node.args[min(1, len(node.args) - 1)]
                if isinstance(last, ast.Constant) and isinstance(last.value, str):
                    out.add(last.value)
    return out


__all__ = [
    "Corpus",
    "Mutant",
    "Mutated",
    "Verdict",
    "corpus_of",
    "declared_reasons",
    "fires",
    "judge_mutant",
    "mutants_of_pass",
    "mutate_pass",
    "passes_with_patterns",
    "score",
]
