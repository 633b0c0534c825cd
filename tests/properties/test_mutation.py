"""Every condition of every registered pattern guards something that the kit sees.

`surviving_mutants.toml` lists mutants that change a result unnoticed, and conditions that nothing
generated makes fail, each with the reason. `expected_rewrites.json` holds small graphs which
patterns must rewrite ("rewritten"), and which they leave alone as a documented policy ("declined").
"""

from __future__ import annotations

import json
import sys
import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from passes.probe import Coverage
from passes.registry import PASSES, pass_class
from passes.testing.mutation import (
    Mutated,
    declared_reasons,
    fires,
    mutate_pass,
    passes_with_patterns,
    score,
)
from passes.testing.properties.subjects import make_subject
from passes.testing.spec import GraphSpec

HERE = Path(__file__).parent
KNOWN = tomllib.loads((HERE / "surviving_mutants.toml").read_text(encoding="utf-8"))
EXPECTED = json.loads((HERE / "expected_rewrites.json").read_text(encoding="utf-8"))
LEAST = 0.95


def listed(kind: str, name: str) -> dict[str, list[GraphSpec]]:
    found = EXPECTED[kind].get(name, {})
    return {p: [GraphSpec.from_json(json.dumps(g)) for g in graphs] for p, graphs in found.items()}


@cache
def judged(name: str):
    return mutate_pass(name, expected=listed("rewritten", name), declined=listed("declined", name))


CASES = [(k, name, p) for k in EXPECTED for name in EXPECTED[k] for p in EXPECTED[k][name]]


@pytest.mark.parametrize(("kind", "name", "pattern"), CASES, ids=["-".join(c) for c in CASES])
def test_expected_rewrites(kind, name, pattern):
    for spec in listed(kind, name)[pattern]:
        fired = fires(spec, make_subject(name, probe=Coverage()), pattern)
        assert fired == (kind == "rewritten"), str(spec)


def test_lists_have_reasons_and_name_what_exists():
    entries = [*KNOWN["survivor"], *KNOWN["never_fails"]]
    for entry in entries:
        assert entry["pass"] in PASSES
        assert len(entry["why"].split()) >= 5, entry
        module = pass_class(entry["pass"]).__module__
        assert module
    keys = [(e["pass"], e["pattern"], e["reason"], e.get("how")) for e in entries]
    assert len(keys) == len(set(keys))


@pytest.mark.full
def test_mutants_are_killed():
    names = passes_with_patterns()
    verdicts = [v for name in names for v in judged(name)[1]]
    killed, counted = score(verdicts)
    survivors = sorted(str(v.mutant) for v in verdicts if v.survives)
    shown = "\n".join(survivors)
    sys.stdout.write(f"\n{killed} of {counted} mutants killed; survivors:\n{shown}\n")
    known = {f"{e['pass']}/{e['pattern']}: {e['how']} '{e['reason']}'" for e in KNOWN["survivor"]}
    assert not set(survivors) - known, "unexplained survivors"
    assert counted > 60
    assert killed >= LEAST * counted


@pytest.mark.full
@pytest.mark.parametrize("name", passes_with_patterns())
def test_patterns_fire_and_conditions_fail(name):
    coverage = judged(name)[0].coverage
    assert not set(coverage.patterns) - set(coverage.fired), "a pattern never fires"
    known = {(e["pattern"], e["reason"]) for e in KNOWN["never_fails"] if e["pass"] == name}
    assert not set(coverage.held) - set(coverage.failed) - known


def test_a_mutant_is_found_and_one_that_changes_nothing_is_not():
    """The machinery itself: dropping a needed condition is noticed."""
    from passes.testing.graphs import Profile
    from passes.testing.mutation import Mutant, corpus_of, judge_mutant

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
