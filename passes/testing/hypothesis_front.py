"""Graphs as a Hypothesis strategy.

What is drawn is a flat list of steps, each a fixed number of small integers, decoded with clipped
references (see `TapeChoices`): removing a step or lowering a number always gives a graph again, so
shrinking ends at a few nodes. Values of the strategy are specs; the module is built in the test.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ge_dialect.diagnostics import user_error
from passes.testing.choices import TAPE_RANGE, TapeChoices
from passes.testing.engine import generate
from passes.testing.knobs import PROFILES, Knobs
from passes.testing.spec import GraphSpec

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

#: Numbers per step: references, and other choices. What a rule asks beyond them is answered by 0.
REFERENCES = 3
CHOICES = 10
#: Numbers for the whole graph: shapes, and what is decided at the end.
HEADER = 16
#: References beyond the newest value are clipped to it.
FARTHEST = 15


def specs(knobs: Knobs | str = "default") -> SearchStrategy[GraphSpec]:
    """A strategy of graphs with `knobs.min_ops` to `knobs.max_ops` steps.

    knobs: or the name of a profile. Raises GeError (usage) where Hypothesis is not installed.
    """
    try:
        from hypothesis import strategies as st
    except ImportError:
        raise user_error(
            "GX-010",
            "generating graphs with Hypothesis needs the package hypothesis",
            hint="pip install 'ge-opt[test]'",
        ) from None
    chosen = PROFILES[knobs] if isinstance(knobs, str) else knobs
    number = st.integers(0, TAPE_RANGE - 1)
    step = st.tuples(
        st.tuples(*[st.integers(0, FARTHEST)] * REFERENCES), st.tuples(*[number] * CHOICES)
    )
    header = st.tuples(*[number] * HEADER)
    steps = st.lists(step, min_size=chosen.min_ops, max_size=chosen.max_ops)
    return st.builds(lambda h, s: generate(TapeChoices(h, s), chosen), header, steps)
