"""All small graphs: every answer to every question of the generator, up to a number of steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from passes.testing.choices import OdometerChoices
from passes.testing.engine import generate
from passes.testing.knobs import PROFILES, Knobs
from passes.testing.spec import GraphSpec

#: Few operators of several kinds: unary, commutative and not, and one that moves data.
DEFAULT_OPS = ("Relu", "Neg", "Add", "Sub")


def all_specs(
    max_ops: int,
    ops: Sequence[str] = DEFAULT_OPS,
    *,
    knobs: Knobs | None = None,
    limit: int | None = None,
) -> Iterator[GraphSpec]:
    """Every graph of one to `max_ops` steps over `ops`, each once.

    By default values are float32 vectors, inputs are two at most, and attributes are required
    ones; `knobs` (best made from the profile "exhaustive") allow more, at the price of many more
    graphs. limit: stop after so many.
    """
    base = PROFILES["exhaustive"] if knobs is None else knobs
    seen: set[GraphSpec] = set()
    for count in range(1, max_ops + 1):
        sized = base.but(ops=tuple(ops), min_ops=count, max_ops=count)
        for spec in _of_size(sized):
            if spec.steps and spec not in seen:
                seen.add(spec)
                yield spec
                if limit is not None and len(seen) >= limit:
                    return


def _of_size(knobs: Knobs) -> Iterator[GraphSpec]:
    """All graphs of a number of steps, those that begin differently in turn."""
    probe = OdometerChoices()
    generate(probe, knobs)
    sources = [OdometerChoices(first) for first in range(probe.first_bound)]
    while sources:
        for source in list(sources):
            yield generate(source, knobs)
            if not source.advance():
                sources.remove(source)
