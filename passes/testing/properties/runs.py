"""The pass ends, and says truthfully what it did; the same graph always gives the same result."""

from __future__ import annotations

from ge_dialect.ir.printer import print_module
from passes.testing.properties.base import Property, Trial, run_on


def _ends(t: Trial) -> str | None:
    return t.after.fault


def _truthful(t: Trial) -> str | None:
    differs = t.after.text != t.before_text
    if differs and not t.after.changed:
        return "the IR changed, but no change was reported"
    if t.after.changed and not differs:
        return "a change was reported, but the IR is the same"
    return None


def _deterministic(t: Trial) -> str | None:
    again = t.run()
    if again.fault or again.text != t.after.text:
        return f"a second run gives another result: {first_line(t.after.text, again.text)}"
    return None


def _idempotent(t: Trial) -> str | None:
    if not t.is_graph:
        return None
    model = t.result_spec.build()
    text = print_module(model.module, debuginfo=True)
    again = run_on(model, t.subject)
    if again.error is not None:
        return f"run on its own result it fails: {again.error.diagnostics[0].message}"
    if again.text != text:
        return f"run on its own result it changes it: {first_line(text, again.text)}"
    return None


def first_line(a: str, b: str) -> str:
    """The first line in which two texts differ."""
    left, right = a.splitlines(), b.splitlines()
    for x, y in zip(left, right, strict=False):
        if x != y:
            return f"'{x.strip()}' against '{y.strip()}'"
    longer = left if len(left) > len(right) else right
    return f"'{longer[min(len(left), len(right))].strip()}' is only in one of them"


ENDS = Property("ends", "raises nothing, settles within its budget, ends in time", _ends)
CHANGED = Property("changed", "reports a change exactly when the IR changed", _truthful)
DETERMINISM = Property(
    "determinism", "two runs on one graph give the same text", _deterministic, share=2
)
IDEMPOTENCE = Property(
    "idempotence", "a second run changes nothing", _idempotent, waivable=True, of_change=True
)
