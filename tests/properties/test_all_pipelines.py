"""Every named pipeline is held to all properties as a whole, without anyone asking."""

from __future__ import annotations

import pytest

from passes.registry import PASSES
from passes.testing.properties.subjects import named_subjects

PIPELINES = [n for n in named_subjects() if n not in PASSES]


@pytest.mark.parametrize("name", PIPELINES)
def test_properties(name: str, hold) -> None:
    hold(name, "quick")


@pytest.mark.full
@pytest.mark.parametrize("name", PIPELINES)
def test_properties_on_many_graphs(name: str, hold) -> None:
    hold(name, "default")


@pytest.mark.nightly
@pytest.mark.parametrize("name", PIPELINES)
def test_properties_on_very_many_graphs(name: str, hold) -> None:
    hold(name, "nightly")
