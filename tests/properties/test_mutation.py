"""Every condition of every registered pass guards something that the kit sees.

Conditions are the preconditions that patterns state, and the other decisions in a pass's source.
`cases/` holds small graphs that a pattern must rewrite, or must leave alone for a reason it says.
`surviving_mutants.toml` lists mutants that change a result unnoticed, and conditions that nothing
makes fail, each with the reason; no precondition of a pattern is among them.
"""

from __future__ import annotations

import sys
import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from ge_dialect.ir.verifier import verify
from passes.probe import Coverage
from passes.registry import PASSES, pass_class
from passes.testing.cases import cases_in, read_cases
from passes.testing.graphs import Profile
from passes.testing.mutation import (
    Mutant,
    Mutated,
    corpus_of,
    declared_reasons,
    judge_mutant,
    mutate_pass,
    score,
)
from passes.testing.properties.subjects import make_subject

HERE = Path(__file__).parent
CASES = cases_in(HERE / "cases")
KNOWN = tomllib.loads((HERE / "surviving_mutants.toml").read_text(encoding="utf-8"))
LEAST = 0.95
EACH = [(name, case) for name, cases in CASES.items() for case in cases]


#: Passes of the stages before the build; the plans of a build show on the machine only.
EARLY = [n for n in PASSES if pass_class(n).stage not in ("stage2", "build")]


@cache
def judged(name: str):
    """The corpus of a pass, and verdicts on preconditions and on other decisions."""
    corpus, verdicts = mutate_pass(name, cases=CASES.get(name, ()), source=True)
    stated = [v for v in verdicts if v.mutant.pattern in corpus.coverage.patterns]
    return corpus, stated, [v for v in verdicts if v not in stated]


@pytest.mark.parametrize(
    ("name", "case"), EACH, ids=[f"{name}-{i}" for i, (name, _) in enumerate(EACH)]
)
def test_cases_are_what_they_say(name, case):
    assert not [d for d in verify(case.spec.build().module) if d.severity == "error"]
    seen = Coverage()
    assert case.fault(make_subject(name), seen) is None, case.text
    if case.reason is not None:
        assert (case.pattern, case.reason) in seen.failed, case.text


def test_cases_belong_to_passes():
    assert not set(CASES) - set(PASSES)
    with pytest.raises(ValueError, match="PATTERN fires"):
        read_cases("ge.graph @g() { ge.NetOutput() }")


def test_lists_have_reasons_and_name_what_exists():
    entries = [*KNOWN["survivor"], *KNOWN["never_fails"]]
    for entry in entries:
        assert entry["pass"] in PASSES
        assert len(entry["why"].split()) >= 5, entry
    keys = [(e["pass"], e["pattern"], e["reason"], e.get("how")) for e in entries]
    assert len(keys) == len(set(keys))


def unexplained(name, verdicts):
    known = {(e["pattern"], e["how"], e["reason"]) for e in KNOWN["survivor"] if e["pass"] == name}
    found = [v.mutant for v in verdicts if v.survives]
    return [str(m) for m in found if (m.pattern, m.how, m.reason) not in known]


@pytest.mark.full
@pytest.mark.parametrize("name", EARLY)
def test_survivors_are_known(name):
    """Of preconditions; of other decisions a few may show on new graphs, see below."""
    assert not unexplained(name, judged(name)[1])


@pytest.mark.nightly
@pytest.mark.parametrize("name", EARLY)
def test_survivors_are_known_on_many_graphs(name):
    many = Profile("many", 400, 80, 120, 200, 3, 1500, 1500, 0, 1, 0.0)
    verdicts = mutate_pass(name, many, 1, cases=CASES.get(name, ()), source=True)[1]
    assert not unexplained(name, verdicts)


@pytest.mark.full
@pytest.mark.parametrize(("what", "part", "least"), [("stated", 1, 130), ("other", 2, 250)])
def test_mutants_are_killed(what, part, least):
    """Preconditions that patterns state, and the other decisions of all passes."""
    killed, counted = score(v for name in EARLY for v in judged(name)[part])
    left = [line for name in EARLY for line in unexplained(name, judged(name)[part])]
    sys.stdout.write(f"\n{killed} of {counted} mutants of {what} conditions killed; left: {left}\n")
    assert counted >= least
    assert killed >= LEAST * counted


@pytest.mark.full
@pytest.mark.parametrize("name", EARLY)
def test_patterns_fire_and_conditions_fail(name):
    coverage = judged(name)[0].coverage
    assert not set(coverage.patterns) - set(coverage.fired), "a pattern never fires"
    known = {(e["pattern"], e["reason"]) for e in KNOWN["never_fails"] if e["pass"] == name}
    held = {key for key in coverage.held if key[0] in coverage.patterns}
    failed = {key for key in coverage.failed if key[0] in coverage.patterns}
    assert not held - failed - known
    assert not failed - held, "a condition that never holds"


@pytest.mark.full
@pytest.mark.parametrize("name", EARLY)
def test_every_declared_condition_is_met(name):
    """Also those that no graph reaches, as far as the source says their reasons."""
    corpus = judged(name)[0]
    written = declared_reasons([import_module(PASSES[name].partition(":")[0])])
    assert not written - {reason for _, reason in corpus.coverage.conditions}


def test_a_mutant_is_found_and_one_that_changes_nothing_is_not():
    """The machinery itself: dropping a needed condition is noticed."""
    small = Profile("test", 20, 0, 0, 0, 1, 200, 100, 0, 1, 0.0)
    corpus = corpus_of("cast-remove", small)
    lossy = Mutant("cast-remove", "drop-cast", "the first cast loses values", "drop")
    assert judge_mutant(lossy, corpus).killed_by is not None
    unknown = Mutant("cast-remove", "drop-cast", "no such condition", "drop")
    assert not judge_mutant(unknown, corpus).changes
    assert isinstance(Mutated(lossy), Coverage)


def test_declared_conditions_are_read_from_the_source():
    found = declared_reasons([import_module("passes.stage1.cast_remove")])
    assert "the first cast loses values" in found
