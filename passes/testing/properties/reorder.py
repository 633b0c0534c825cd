"""Independence of textual order: another legal order of the same graph gives the same graph."""

from __future__ import annotations

import random
from dataclasses import replace

from passes.testing.properties.base import Property, Trial
from passes.testing.properties.canonical import Numbers, difference
from passes.testing.spec import Arg, GraphSpec, Step, result_count


def reordered(spec: GraphSpec, seed: int) -> GraphSpec:
    """The graph in a random other topological order; node names stay."""
    rng = random.Random(seed)
    counts = [result_count(s) for s in spec.steps]
    maker: dict[int, int] = {}
    first: list[int] = []
    n = len(spec.inputs)
    for i, count in enumerate(counts):
        first.append(n)
        for k in range(count):
            maker[n + k] = i
        n += count
    needs = [{maker[v] for v in s.operands() if v in maker} | set(s.after) for s in spec.steps]
    order: list[int] = []
    left = set(range(len(spec.steps)))
    while left:
        ready = sorted(i for i in left if needs[i].isdisjoint(left))
        chosen = rng.choice(ready)
        order.append(chosen)
        left.discard(chosen)
    place = {old: new for new, old in enumerate(order)}
    value = {i: i for i in range(len(spec.inputs))}
    n = len(spec.inputs)
    for old in order:
        for k in range(counts[old]):
            value[first[old] + k] = n + k
        n += counts[old]

    def moved(arg: Arg) -> Arg:
        if arg is None:
            return None
        return tuple(value[a] for a in arg) if isinstance(arg, tuple) else value[arg]

    steps: list[Step] = []
    for old in order:
        step = spec.steps[old]
        steps.append(
            replace(
                step,
                args=tuple(moved(a) for a in step.args),
                after=tuple(place[a] for a in step.after),
                name=step.label(old),
                bodies=tuple(reordered(b, seed + 1) for b in step.bodies),
            )
        )
    return replace(
        spec,
        steps=tuple(steps),
        outputs=tuple(value[o] for o in spec.outputs),
        after=tuple(place[a] for a in spec.after),
    )


def _order(t: Trial) -> str | None:
    if not t.is_graph:
        return None
    spec = reordered(t.spec, t.seed)
    if spec.steps == t.spec.steps:
        return None
    run = t.run(spec)
    if run.error is not None:
        return f"fails in another order: {run.error.diagnostics[0].message}"
    other = GraphSpec.from_model(run.model)
    numbers = Numbers()
    a, b = numbers.shape(t.result_spec), numbers.shape(other)
    found = difference(a, b)
    return None if found is None else f"in another order of nodes the result differs: {found}"


TEXTUAL_ORDER = Property(
    "textual-order",
    "the result does not depend on which topological order the text has",
    _order,
    waivable=True,
    share=2,
)
