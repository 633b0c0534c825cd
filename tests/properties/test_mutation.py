"""Every condition of every registered pattern guards something that the kit sees.

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
from passes.registry import PASSES
from passes.testing.cases import cases_in, read_cases
from passes.testing.mutation import (
    Mutant,
    Mutated,
    corpus_of,
    declared_reasons,
    fires,
    judge_mutant,
    mutate_pass,
    passes_with_patterns,
    score,
)
from passes.testing.properties.subjects import make_subject

HERE = Path(__file__).parent
CASES = cases_in(HERE / "cases")
KNOWN = tomllib.loads((HERE / "surviving_mutants.toml").read_text(encoding="utf-8"))
LEAST = 0.95
EACH = [(name, case) for name, cases in CASES.items() for case in cases]


@cache
def judged(name: str):
    return mutate_pass(name, cases=CASES.get(name, ()))


@pytest.mark.parametrize(
    ("name", "case"), EACH, ids=[f"{name}-{i}" for i, (name, _) in enumerate(EACH)]
)
def test_cases_are_what_they_say(name, case):
    assert not verify(case.spec.build().module)
    seen = Coverage()
    assert fires(case.spec, make_subject(name, probe=seen), case.pattern) == case.fires, str(case)
    assert case.fires or (case.pattern, case.reason) in seen.failed, str(case)


def test_cases_belong_to_passes():
    assert not set(CASES) - set(PASSES)
    with pytest.raises(ValueError, match="PATTERN fires"):
        read_cases("ge.graph @g() { ge.NetOutput() }")


def test_lists_have_reasons_and_name_what_exists():
    entries = [*KNOWN.get("survivor", ()), *KNOWN.get("never_fails", ())]
    for entry in entries:
        assert entry["pass"] in PASSES
        assert len(entry["why"].split()) >= 5, entry
    keys = [(e["pass"], e["pattern"], e["reason"], e.get("how")) for e in entries]
    assert len(keys) == len(set(keys))


@pytest.mark.full
def test_mutants_are_killed():
    verdicts = [v for name in passes_with_patterns() for v in judged(name)[1]]
    killed, counted = score(verdicts)
    survivors = sorted(str(v.mutant) for v in verdicts if v.survives)
    shown = "\n".join(survivors)
    sys.stdout.write(f"\n{killed} of {counted} mutants killed; survivors:\n{shown}\n")
    known = {
        f"{e['pass']}/{e['pattern']}: {e['how']} '{e['reason']}'" for e in KNOWN.get("survivor", ())
    }
    assert not set(survivors) - known, "unexplained survivors"
    assert counted > 120
    assert killed >= LEAST * counted


@pytest.mark.full
@pytest.mark.parametrize("name", passes_with_patterns())
def test_patterns_fire_and_conditions_fail(name):
    coverage = judged(name)[0].coverage
    assert not set(coverage.patterns) - set(coverage.fired), "a pattern never fires"
    known = {(e["pattern"], e["reason"]) for e in KNOWN.get("never_fails", ()) if e["pass"] == name}
    assert not set(coverage.held) - set(coverage.failed) - known
    assert not set(coverage.failed) - set(coverage.held), "a condition that never holds"


@pytest.mark.full
@pytest.mark.parametrize("name", passes_with_patterns())
def test_every_declared_condition_is_met(name):
    """Also those that no graph reaches, as far as the source says their reasons."""
    corpus = judged(name)[0]
    written = declared_reasons([import_module(PASSES[name].partition(":")[0])])
    assert not written - {reason for _, reason in corpus.coverage.conditions}


def test_a_mutant_is_found_and_one_that_changes_nothing_is_not():
    """The machinery itself: dropping a needed condition is noticed."""
    from passes.testing.graphs import Profile

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
