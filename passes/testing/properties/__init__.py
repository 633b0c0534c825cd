"""Properties that every pass is held to, one concept a module."""

from __future__ import annotations

from passes.testing.properties.base import Property, Run, Subject, Trial, run_on, subject_of
from passes.testing.properties.ir import ROUND_TRIP, SIGNATURE, TYPES, VERIFIES
from passes.testing.properties.locality import LOCALITY
from passes.testing.properties.marks import BOUND, FOREIGN, PINS
from passes.testing.properties.order import EFFECTS, ORDER
from passes.testing.properties.plan import PLAN
from passes.testing.properties.promises import ESTABLISHES, GROWS, KEEPS, PRESERVES
from passes.testing.properties.rename import NAMES
from passes.testing.properties.reorder import TEXTUAL_ORDER
from passes.testing.properties.runs import CHANGED, DETERMINISM, ENDS, IDEMPOTENCE
from passes.testing.properties.values import VALUES

#: In the order they are checked; what comes later may rely on what came before.
ALL: tuple[Property, ...] = (
    ENDS,
    VERIFIES,
    SIGNATURE,
    TYPES,
    VALUES,
    EFFECTS,
    ORDER,
    PINS,
    BOUND,
    PLAN,
    CHANGED,
    GROWS,
    ESTABLISHES,
    KEEPS,
    PRESERVES,
    DETERMINISM,
    ROUND_TRIP,
    IDEMPOTENCE,
    NAMES,
    TEXTUAL_ORDER,
    LOCALITY,
    FOREIGN,
)
BY_NAME: dict[str, Property] = {p.name: p for p in ALL}
WAIVABLE = tuple(p.name for p in ALL if p.waivable)

__all__ = ["ALL", "BY_NAME", "WAIVABLE", "Property", "Run", "Subject", "Trial", "run_on",
           "subject_of"]  # fmt: skip
