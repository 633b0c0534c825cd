"""Decisions in the source of a pass are found, shown to a probe, and put back."""

from __future__ import annotations

from contextlib import suppress

import pytest

from passes.probe import Coverage
from passes.registry import PASSES
from passes.testing.decisions import Decisions, modules_of
from passes.testing.graphs import examples_of
from passes.testing.properties.base import run_on
from passes.testing.properties.subjects import make_subject


def test_decisions_of_a_pass():
    places = Decisions(modules_of("prune")).places
    assert ("_Sweep.block", "droppable(op, memo)") in places
    assert ("_kept", "name in attributes") in places
    # explanations are no decisions, nor is what patterns say through `when`
    assert not any("remarks_enabled" in text for _, text in places)
    assert not any("rw.when" in text for _, text in Decisions(modules_of("cast-remove")).places)


def test_code_is_put_back():
    from passes.stage1 import prune

    before = prune._kept.__code__
    with suppress(RuntimeError), Decisions(modules_of("prune")):
        assert prune._kept.__code__ is not before
        raise RuntimeError
    assert prune._kept.__code__ is before
    assert not hasattr(prune, "__decide__")


def test_a_probe_sees_and_answers():
    class Never(Coverage):
        def judge(self, pattern, reason, holds):
            super().judge(pattern, reason, holds)
            return False if reason == "droppable(op, memo)" else holds

    subject = make_subject("prune")
    spec = examples_of(subject)[0]
    with Decisions(modules_of("prune")) as decisions:
        assert run_on(spec.build(), subject).changed
        decisions.probe = Coverage()
        assert run_on(spec.build(), subject).changed
        assert decisions.probe.held["_Sweep.block", "droppable(op, memo)"] == 1
        decisions.probe = Never()
        assert not run_on(spec.build(), subject).changed


@pytest.mark.parametrize("name", PASSES)
def test_every_pass_has_its_modules(name):
    assert modules_of(name)[0].__name__ == PASSES[name].partition(":")[0]
