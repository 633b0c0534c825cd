"""A graph in another dtype."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ge_dialect.dtypes import ge_enum, to_xdsl
from passes.testing.spec import GraphSpec, Literal, Step


def recast(spec: GraphSpec, old: str, new: str) -> GraphSpec:
    """The same graph with every `old` dtype `new` ("float32" and "float16").

    Types are left to inference; what comes out need not be a graph (see `mutate.checked`).
    """
    inputs = tuple(replace(i, type=with_dtype(i.type, old, new)) for i in spec.inputs)
    steps = tuple(recast_step(s, old, new) for s in spec.steps)
    held = tuple((n, _recast_literal(w, old, new)) for n, w in spec.weights)
    return replace(spec, inputs=inputs, steps=steps, weights=held).retyped()


def recast_step(step: Step, old: str, new: str) -> Step:
    """A step with every `old` dtype in its constants, types and attributes `new`."""
    attrs: list[tuple[str, Any]] = []
    for name, value in step.attrs:
        if isinstance(value, Literal):
            value = _recast_literal(value, old, new)
        elif value == old:
            value = new
        elif name == "dst_type" and value == ge_enum(to_xdsl(old)):
            value = ge_enum(to_xdsl(new))
        attrs.append((name, value))
    types = step.types
    if types is not None:
        types = tuple(with_dtype(t, old, new) for t in types)
    bodies = tuple(
        replace(
            b,
            inputs=tuple(replace(i, type=with_dtype(i.type, old, new)) for i in b.inputs),
            steps=tuple(recast_step(s, old, new) for s in b.steps),
        )
        for b in step.bodies
    )
    return replace(step, attrs=tuple(attrs), types=types, bodies=bodies)


def _recast_literal(held: Literal, old: str, new: str) -> Literal:
    if held.dtype != old:
        return held
    import numpy as np

    from ge_dialect.dtypes import numpy_dtype

    with np.errstate(all="ignore"):
        return Literal.of(held.array().astype(numpy_dtype(to_xdsl(new))))


def with_dtype(type_: str, old: str, new: str) -> str:
    """A type of a spec with another element type; as it is where it has another one."""
    head, comma, tail = type_.partition(",")
    short, other = str(to_xdsl(old)), str(to_xdsl(new))
    lead = head.removesuffix(short)
    if lead == head or (lead and lead[-1] not in "x&"):
        return type_
    return lead + other + comma + tail
