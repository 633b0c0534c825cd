"""Graphs as a Hypothesis strategy.

Answers are integers of fixed ranges, drawn only where one is asked for: a choice is scaled, a
reference is clipped to the newest value. Each step is a span of its own, its "one more" included.
So removing a span, or lowering a number, always gives a graph again and leaves the other steps
alone; shrinking ends at a few nodes. Values of the strategy are specs; the module is built in the
test.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ge_dialect.diagnostics import user_error
from passes.testing.engine import generate
from passes.testing.knobs import PROFILES, Knobs, named_profile
from passes.testing.spec import GraphSpec

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

#: Choices are drawn below this and scaled.
_RANGE = 1024
#: References beyond the newest value are clipped to it.
FARTHEST = 15
#: A step follows unless 0 is drawn below this; the mean number of steps follows.
_GO_ON = 11


class DrawnChoices:
    """Answers drawn by Hypothesis; see `passes.testing.choices.Choices`."""

    def __init__(self, draw: Callable[[Any], Any]) -> None:
        self._draw = draw
        self._number, self._reference, self._go_on, self._in_span = _strategies()

    def choose(self, n: int) -> int:
        """See `Choices`."""
        return 0 if n == 1 else self._draw(self._number) * n // _RANGE

    def index(self, n: int) -> int:
        """See `Choices`."""
        return 0 if n == 1 else min(self._draw(self._reference), n - 1)

    def flag(self, share: float) -> bool:
        """See `Choices`."""
        return share > 0.0 and self._draw(self._number) >= _RANGE * (1.0 - share)

    def more(self, done: int, low: int, high: int) -> bool:
        """See `Choices`."""
        return done < high and (done < low or self._draw(self._go_on) > 0)

    def inside(self, done: int, high: int) -> bool:
        """See `Choices`."""
        return done < high and self._draw(self._number) >= _RANGE // 2

    def span(self, make: Callable[[], bool]) -> bool:
        """See `Choices`: what `make` draws is removed together."""
        return self._draw(self._in_span(self, make))

    def drawing(self, draw: Callable[[Any], Any], make: Callable[[], bool]) -> bool:
        """Run `make` with answers drawn by `draw`."""
        outer, self._draw = self._draw, draw
        try:
            return make()
        finally:
            self._draw = outer


@lru_cache(maxsize=1)
def _strategies() -> tuple[Any, Any, Any, Any]:
    """Made once: choices, references, "one more", and a span."""
    from hypothesis import strategies as st

    @st.composite
    def in_span(draw: Any, choices: DrawnChoices, make: Callable[[], bool]) -> bool:
        return choices.drawing(draw, make)

    number, reference = st.integers(0, _RANGE - 1), st.integers(0, FARTHEST)
    return number, reference, st.integers(0, _GO_ON), in_span


def specs(knobs: Knobs | str = "default") -> SearchStrategy[GraphSpec]:
    """A strategy of graphs with `knobs.min_ops` to `knobs.max_ops` steps.

    knobs: or the name of a profile. Raises GeError (usage) where Hypothesis is not installed.
    """
    try:
        from hypothesis import strategies as st
    except ImportError:
        raise user_error(
            "GX-007",
            "generating graphs with Hypothesis needs the package hypothesis",
            hint="pip install 'ge-opt[test]'",
        ) from None
    chosen = named_profile(PROFILES, knobs)

    @st.composite
    def graphs(draw: Callable[[Any], Any]) -> GraphSpec:
        return generate(DrawnChoices(draw), chosen)

    return graphs()
