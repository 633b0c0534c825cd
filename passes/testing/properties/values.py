"""Values, prints and variables stay what they were, as far as the contract promises."""

from __future__ import annotations

from ge_dialect.diagnostics import GeError
from passes.guard import PassTimeout, time_limit
from passes.testing.compare import Bounds, per_tensor, precision_dtype
from passes.testing.observe import first_difference, observe
from passes.testing.properties.base import Property, Trial


def _values(t: Trial) -> str | None:
    if not t.is_graph and t.subject.executor is None:
        return None
    promise = t.subject.contract.values
    if not t.is_graph and promise == "exact":
        promise = "reassociates"  # kernels of a device have other formulas: per tensor, see below
    for inputs in t.input_sets:
        before = t.observed(inputs)
        if before is None:
            continue
        try:
            with time_limit(t.subject.seconds):
                after = observe(t.after.model, inputs, executor=t.subject.executor)
        except GeError as error:
            t.shown = inputs
            return f"the result cannot be run: {error.diagnostics[0].message}"
        except PassTimeout:
            t.shown = inputs
            return f"the result runs longer than {t.subject.seconds:g} s"

        def bounds(inputs: list[object] = inputs) -> Bounds | None:
            if not t.is_graph:
                return None
            return t.bounds(inputs, precision_dtype(promise))

        found = first_difference(before, after, promise, bounds)
        if found is not None and not t.is_graph:
            # where terms cancel, the largest value says little of the rounding behind it
            found = first_difference(
                before,
                after,
                promise,
                lambda inputs=inputs: per_tensor(t.bounds(inputs, None)),
            )
        if found is not None:
            t.shown = inputs
            return str(found)
    return None


VALUES = Property(
    "values",
    "outputs, prints and variables are those of the graph before, as promised",
    _values,
    of_change=True,
)
