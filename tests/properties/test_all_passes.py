"""Every registered pass and named pipeline is held to all properties, without anyone asking."""

from __future__ import annotations

import pytest

from passes.registry import PASSES, pass_class
from passes.stages import named_items, pipeline_names
from passes.testing.check import check_pass
from passes.testing.properties import BY_NAME, WAIVABLE
from passes.testing.properties.subjects import make_subject, named_subjects

SUBJECTS = named_subjects()
#: Named pipelines that run nothing yet.
EMPTY = ("format-prepare", "subgraph")
#: Passes that only look, or for which the quick profile has no work.
QUIET_WHEN_QUICK = ("infer-shape",)


def simulated(model, inputs):
    """Values of a compiled model, from the simulated device."""
    from runtime.api import simulate

    return simulate(model, list(inputs)).outputs


def check(name: str, profile: str) -> None:
    report = check_pass(name, profile=profile, executor=simulated)
    report.raise_if_failed()
    assert report.graphs > 10, report
    if not (profile == "quick" and name in QUIET_WHEN_QUICK):
        assert report.changed, f"no graph made {name} do anything"


@pytest.mark.parametrize("name", SUBJECTS)
def test_properties(name: str) -> None:
    check(name, "quick")


# Too long for the full tier: some graphs that the kit makes of others are large.
@pytest.mark.nightly
@pytest.mark.parametrize("name", SUBJECTS)
def test_properties_on_many_graphs(name: str) -> None:
    check(name, "default")


@pytest.mark.nightly
@pytest.mark.parametrize("name", SUBJECTS)
def test_properties_on_very_many_graphs(name: str) -> None:
    check(name, "nightly")


def test_nothing_is_left_out() -> None:
    """A pass or pipeline without a check would be found here."""
    missing = set(PASSES) - set(SUBJECTS)
    missing |= {n for n in pipeline_names() if named_items(n)} - set(SUBJECTS) - set(EMPTY)
    assert not missing


@pytest.mark.parametrize("name", SUBJECTS)
def test_waived_properties_have_reasons(name: str) -> None:
    waives = make_subject(name).waives
    for prop, reason in waives.items():
        assert prop in BY_NAME, f"{name} waives '{prop}', which is no property"
        assert prop in WAIVABLE, f"'{prop}' is a matter of correctness and cannot be waived"
        assert len(reason.split()) >= 4, f"{name}: say why '{prop}' does not hold"


@pytest.mark.parametrize("name", sorted(PASSES))
def test_reasons_stand_on_the_page(name: str) -> None:
    from passes.docgen import page_text

    text = page_text()
    for prop, reason in pass_class(name).waives.items():
        assert f"- Not {prop}: {reason}" in text
