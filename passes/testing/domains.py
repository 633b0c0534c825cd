"""What the integer inputs of a graph of unknown making may hold, guessed from their users."""

from __future__ import annotations

from dataclasses import replace

from ge_dialect.dtypes import ge_name
from ge_dialect.ir.types import elem_of, shape_of
from passes.testing.spec import ANY, Domain, GraphSpec, Step
from passes.testing.type_text import type_of

_SAME = ("Data", "Identity", "Cast", "Reshape", "Squeeze", "Unsqueeze", "ExpandDims")
#: The input that holds the shape of the first result.
_SHAPES = {"Reshape": 1, "BroadcastTo": 1, "Fill": 0, "RandomUniform": 0}


def with_guessed_domains(spec: GraphSpec) -> GraphSpec:
    """The spec with a domain for each integer input that indexes or says a shape."""
    guesses = _guesses(spec)
    inputs = tuple(
        replace(given, domain=guesses[i]) if given.domain == ANY and i in guesses else given
        for i, given in enumerate(spec.inputs)
    )
    return replace(spec, inputs=inputs)


def _guesses(spec: GraphSpec) -> dict[int, Domain]:
    types = spec.value_types()
    source: dict[int, int] = {}
    for i, given in enumerate(spec.inputs):
        type_ = type_of(given.type)
        if ge_name(elem_of(type_)) in ("int32", "int64"):
            source[i] = i
    out: dict[int, Domain] = {}
    firsts = spec.first_results()
    for step, first in zip(spec.steps, firsts, strict=True):
        origin = step.args[0] if step.args else None
        if step.op in _SAME and isinstance(origin, int) and origin in source:
            source[first] = source[origin]
            if step.op != "Reshape":
                continue
        for place, arg in enumerate(step.args):
            if not isinstance(arg, int) or arg not in source:
                continue
            found = _domain(step, place, types, first)
            if found is not None:
                out.setdefault(source[arg], found)
    return out


def _domain(step: Step, place: int, types: list[str], first: int) -> Domain | None:
    """What an input of a node must hold; None where any number will do."""
    if step.op in ("Gather", "GatherV2") and place == 1:
        table = step.args[0]
        dims = shape_of(type_of(types[table])) if isinstance(table, int) else None
        known = [d for d in dims or () if d > 0]
        return ("index", min(known, default=1))
    if _SHAPES.get(step.op) == place:
        dims = shape_of(type_of(types[first]))
        if dims is not None and -1 not in dims:
            return ("fixed", *dims)
    return None
