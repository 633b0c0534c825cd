"""Every registered pass is held to all properties, without anyone asking; pipelines: see
`test_all_pipelines`."""

from __future__ import annotations

import pytest

from passes.registry import PASSES, pass_class
from passes.stages import named_items, pipeline_names
from passes.testing.properties import BY_NAME, WAIVABLE
from passes.testing.properties.subjects import make_subject, named_subjects

SUBJECTS = named_subjects()
PASS_NAMES = [n for n in SUBJECTS if n in PASSES]
#: Named pipelines that run nothing yet.
EMPTY = ("format-prepare", "subgraph")


@pytest.mark.parametrize("name", PASS_NAMES)
def test_properties(name: str, hold) -> None:
    hold(name, "quick")


@pytest.mark.full
@pytest.mark.parametrize("name", PASS_NAMES)
def test_properties_on_many_graphs(name: str, hold) -> None:
    hold(name, "default")


@pytest.mark.nightly
@pytest.mark.parametrize("name", PASS_NAMES)
def test_properties_on_very_many_graphs(name: str, hold) -> None:
    hold(name, "nightly")


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
