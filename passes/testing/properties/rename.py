"""Independence of names: other names of nodes and inputs give the same graph."""

from __future__ import annotations

import random
from dataclasses import replace

from passes.testing.properties.base import Property, Trial
from passes.testing.properties.canonical import Numbers, difference
from passes.testing.spec import GraphSpec


def renamed(spec: GraphSpec, seed: int) -> GraphSpec:
    """The graph with random names, so that their order is another one too."""
    rng = random.Random(seed)
    taken: set[str] = set()

    def fresh(kind: str) -> str:
        while True:
            name = f"{rng.choice('qwzabm')}{kind}{rng.randrange(10**6)}"
            if name not in taken:
                taken.add(name)
                return name

    def of(graph: GraphSpec, *, top: bool) -> GraphSpec:
        steps = tuple(
            replace(s, name=fresh("n"), bodies=tuple(of(b, top=False) for b in s.bodies))
            for s in graph.steps
        )
        inputs = graph.inputs
        if top:
            inputs = tuple(replace(i, name=fresh("i")) for i in inputs)
        return replace(graph, steps=steps, inputs=inputs)

    return of(spec, top=True)


def _names(t: Trial) -> str | None:
    if not t.is_graph:
        return None
    run = t.run(renamed(t.spec, t.seed))
    if run.error is not None:
        return f"fails under other names: {run.error.diagnostics[0].message}"
    other = GraphSpec.from_model(run.model)
    numbers = Numbers()
    a, b = numbers.shape(t.result_spec), numbers.shape(other)
    found = difference(a, b)
    if found is None and a.nodes != b.nodes:
        found = "the nodes stand in another order"
    return None if found is None else f"under other names the result differs: {found}"


NAMES = Property("names", "the result does not depend on names", _names, waivable=True, share=2)
