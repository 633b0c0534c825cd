"""Graphs from seeds: for long runs, without the cost of shrinking."""

from __future__ import annotations

from collections.abc import Iterator

from passes.testing.choices import RandomChoices
from passes.testing.engine import generate
from passes.testing.knobs import PROFILES, Knobs, named_profile
from passes.testing.spec import GraphSpec

DEFAULT = PROFILES["default"]


def random_spec(seed: int, knobs: Knobs | str = DEFAULT) -> GraphSpec:
    """The graph of a seed: always the same one for the same seed, knobs and library.

    knobs: or the name of a profile.
    """
    knobs = named_profile(PROFILES, knobs)
    return generate(RandomChoices(seed, knobs.chains), knobs)


def random_specs(seed: int, count: int, knobs: Knobs | str = DEFAULT) -> Iterator[GraphSpec]:
    """The graphs of `count` seeds from `seed` on."""
    for i in range(seed, seed + count):
        yield random_spec(i, knobs)
