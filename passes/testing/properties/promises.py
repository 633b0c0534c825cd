"""The contract's own promises: grows, establishes, what is not destroyed, analyses kept."""

from __future__ import annotations

from passes.context import PassContext
from passes.properties import PROPERTIES
from passes.testing.properties.base import Property, Trial, run_on


def _grows(t: Trial) -> str | None:
    if t.subject.contract.reads_only and t.after.changed:
        return "it changed the graph, and the contract says it only reads"
    if t.subject.contract.grows or not t.is_graph:
        return None
    before = sum(1 for _ in t.before.module.walk())
    after = sum(1 for _ in t.after.model.module.walk())
    if after > before:
        return f"{after} operations, {before} before, and the contract says it never adds any"
    return None


def _establishes(t: Trial) -> str | None:
    module = t.after.model.module
    for name in t.subject.contract.establishes:
        if name in PROPERTIES and not PROPERTIES[name].holds(module):
            return f"'{name}' does not hold ({PROPERTIES[name].doc})"
    return None


def _keeps(t: Trial) -> str | None:
    gone = t.subject.contract.destroys
    for name, held in PROPERTIES.items():
        if name in gone or "graph" in gone:
            continue
        if held.holds(t.before.module) and not held.holds(t.after.model.module):
            return f"'{name}' held before and is not declared as destroyed ({held.doc})"
    return None


def _analyses(t: Trial) -> str | None:
    kept = t.subject.contract.preserves
    if not kept:
        return None
    model = t.spec.build()
    run = run_on(model, t.subject)
    if run.error is not None:
        return None
    ctx = PassContext(weights=model.weights)
    fresh = PassContext(weights=model.weights)
    first = t.spec.build()
    for name in kept:
        held = ctx.analysis(name, first.module)
        now = fresh.analysis(name, model.module)
        if repr(held) != repr(now):
            return f"analysis '{name}' is said to be preserved and gives another result"
    return None


GROWS = Property("grows", "adds operations only where the contract says so", _grows, of_change=True)
ESTABLISHES = Property("establishes", "what the contract establishes holds", _establishes)
KEEPS = Property(
    "keeps", "properties of the IR not declared as destroyed still hold", _keeps, of_change=True
)
PRESERVES = Property(
    "preserves", "analyses said to be preserved give the same", _analyses, share=2, of_change=True
)
