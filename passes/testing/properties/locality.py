"""Locality: two graphs side by side become what each becomes alone.

Equal nodes may be shared between the two (constants): what is compared is which nodes there are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from passes.testing.properties.base import Property, Trial
from passes.testing.properties.canonical import Numbers
from passes.testing.spec import Arg, GraphSpec, Step, Text, result_count


def beside(a: GraphSpec, b: GraphSpec) -> GraphSpec:
    """One graph that holds both; inputs and outputs of `b` follow those of `a`."""
    inputs = len(a.inputs) + len(b.inputs)
    made = sum(result_count(s) for s in a.steps)

    def left(v: int) -> int:
        return v if v < len(a.inputs) else v + len(b.inputs)

    def right(v: int) -> int:
        return v + len(a.inputs) if v < len(b.inputs) else v - len(b.inputs) + inputs + made

    def moved(arg: Arg, f: Callable[[int], int]) -> Arg:
        if arg is None:
            return None
        return tuple(map(f, arg)) if isinstance(arg, tuple) else f(arg)

    taken = {s.label(i) for i, s in enumerate(a.steps)}
    steps = [
        replace(s, args=tuple(moved(x, left) for x in s.args), name=s.label(i))
        for i, s in enumerate(a.steps)
    ]
    for i, s in enumerate(b.steps):
        name = s.label(i)
        while name in taken:
            name += "_b"
        taken.add(name)
        attrs = s.attrs
        if s.op in ("Data", "RefData"):
            attrs = tuple((n, v) for n, v in attrs if n != "index")
            attrs += (("index", s.attr("index", 0) + len(a.inputs)),)
        steps.append(
            replace(
                s,
                args=tuple(moved(x, right) for x in s.args),
                after=tuple(n + len(a.steps) for n in s.after),
                attrs=attrs,
                name=name,
            )
        )
    named = tuple(replace(x, name=None) for x in (*a.inputs, *b.inputs))
    return replace(
        a,
        inputs=named,
        steps=tuple(steps),
        outputs=(*map(left, a.outputs), *map(right, b.outputs)),
        after=(*a.after, *(n + len(a.steps) for n in b.after)),
        weights=(*a.weights, *b.weights),
    )


def own_weights(spec: GraphSpec) -> GraphSpec:
    """The graph with other names of weights, so that they do not meet those of another."""
    if not spec.weights:
        return spec
    names = {old: f"p_{old}" for old, _ in spec.weights}

    def of(graph: GraphSpec) -> GraphSpec:
        return replace(graph, steps=tuple(step(s) for s in graph.steps))

    def step(s: Step) -> Step:
        attrs = tuple((n, text(v) if isinstance(v, Text) else v) for n, v in s.attrs)
        return replace(s, attrs=attrs, bodies=tuple(of(b) for b in s.bodies))

    def text(held: Text) -> Text:
        found = held.text
        for old, new in names.items():
            found = found.replace(f'"{old}"', f'"{new}"')
        return Text(found)

    return replace(of(spec), weights=tuple((names[n], v) for n, v in spec.weights))


def _local(t: Trial) -> str | None:
    if t.partner is None or not t.is_graph:
        return None
    other = own_weights(t.partner)
    alone = t.run(other)
    both = t.run(beside(t.spec, other))
    if alone.error is not None:
        return None
    if both.error is not None:
        return f"fails beside another graph: {both.error.diagnostics[0].message}"
    second, whole = GraphSpec.from_model(alone.model), GraphSpec.from_model(both.model)
    numbers = Numbers()
    a = numbers.shape(t.result_spec)
    b = numbers.shape(second, len(t.spec.inputs))
    c = numbers.shape(whole)
    if c.outputs != [*a.outputs, *b.outputs]:
        at = next(i for i, (x, y) in enumerate(zip(c.outputs, [*a.outputs, *b.outputs],
                                                   strict=True)) if x != y)  # fmt: skip
        whose = "its own" if at < len(a.outputs) else "the other's"
        return f"beside another graph output {at} ({whose}) is computed in another way"
    odd = set(c.nodes) ^ (set(a.nodes) | set(b.nodes))
    if odd:
        ops = [o for x in (c, a, b) for o, n in zip(x.ops, x.nodes, strict=True) if n in odd]
        return f"beside another graph there are other nodes: {', '.join(ops[:6])}"
    return None


LOCALITY = Property(
    "locality", "two graphs side by side become what each becomes alone", _local,
    waivable=True, share=2,
)  # fmt: skip
