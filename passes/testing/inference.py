"""Mutation of shape and dtype inference: every decision of an operator's rule is taken otherwise.

The oracle is golden semantics. A mutant is killed when it gives a value a type that the value of a
run contradicts, when it refuses a graph that runs, when it crashes, or when it lets a graph pass
that golden semantics refuse. A mutant that only knows less of a type is no fault and not counted.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from xdsl.ir import Attribute

from ge_dialect.diagnostics import GeError
from ge_dialect.dtypes import numpy_dtype
from ge_dialect.infer.errors import InferError
from ge_dialect.ir.attributes import RefType
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.types import elem_of, shape_of
from ge_dialect.ops.registry import op_class, op_names
from ge_dialect.semantics.registry import has_semantics
from passes.probe import Probe
from passes.rewriting import Pattern
from passes.testing.decisions import Decisions
from passes.testing.draft import Draft
from passes.testing.inputs import input_sets
from passes.testing.knobs import PROFILES
from passes.testing.limits import kit_limits
from passes.testing.mutate import MUTATORS, mutator_names
from passes.testing.mutation import How, Mutant, Mutated, Verdict
from passes.testing.observe import observe
from passes.testing.seeded import random_spec
from passes.testing.shared import is_small
from passes.testing.spec import GraphSpec

#: How a mutant ends that goes on where it should have refused.
_CRASHES = (
    *(ValueError, KeyError, IndexError, TypeError, AttributeError),
    *(AssertionError, ArithmeticError, RecursionError, MemoryError),
)


@dataclass(frozen=True)
class _Graph:
    """A graph without types. types: what inference gives, None where it refuses; values: by node
    name, from a golden run."""

    spec: GraphSpec
    types: dict[str, list[Attribute]] | None
    values: dict[str, list[Any]]
    seen: frozenset[tuple[str, str]]


def families() -> dict[str, list[str]]:
    """Modules of operators, with those of their operators that have golden semantics."""
    found: dict[str, list[str]] = {}
    for name in op_names():
        module = op_class(name).__module__
        if has_semantics(name) and module.startswith("ge_dialect.ops.") and ".tail" not in module:
            found.setdefault(module, []).append(name)
    return found


def mutate_inference(module: str, ops: Sequence[str], seeds: int = 4) -> list[Verdict]:
    """Verdicts on the decisions of a module of operators, on `seeds` graphs for each of `ops` and
    as many changed ones; `changes` says that a type became wrong or a refusal another."""
    decisions = Decisions([import_module(module)])
    with kit_limits(), decisions:
        graphs = list(_graphs(decisions, ops, seeds))
        own = {key for g in graphs for key in g.seen}
        hows: tuple[How, ...] = ("drop", "never")
        met = [key for key in decisions.places if key in own]
        mutants = [Mutant(module, *key, how) for key in met for how in hows]
        return [_judged(m, graphs, decisions) for m in mutants]


def _graphs(decisions: Decisions, ops: Sequence[str], seeds: int) -> Iterator[_Graph]:
    rng = random.Random(0)
    knobs = PROFILES["pure"].but(min_ops=1, max_ops=3, layouts=0.0, attrs=0.6)
    for op in ops:
        for seed in range(seeds):
            spec = random_spec(seed, knobs.but(ops=(op,)))
            if op not in spec.op_types() or not is_small(spec):
                continue
            for made in (spec, _changed(spec, rng)):
                found = None if made is None else _true(decisions, made.retyped())
                if found is not None:
                    yield found


def _changed(spec: GraphSpec, rng: random.Random) -> GraphSpec | None:
    """The spec after a change that may make it no graph."""
    draft = Draft(spec)
    try:
        return draft.spec() if MUTATORS[rng.choice(mutator_names())](draft, rng) else None
    except KeyError:
        return None


class _Seen(Probe):
    """The decisions that were met."""

    def __init__(self) -> None:
        self.keys: set[tuple[str, str]] = set()

    def judge(self, pattern: Pattern, reason: str, holds: bool) -> bool:
        self.keys.add((pattern.label, reason))
        return holds


def _true(decisions: Decisions, spec: GraphSpec) -> _Graph | None:
    """What true inference makes of a graph; None where golden semantics do not run it."""
    decisions.probe = seen = _Seen()
    try:
        types = _types(spec)
    except (ValueError, KeyError, IndexError):
        return None  # no graph at all
    finally:
        decisions.probe = None
    values = _run(spec) if types is not None else {}
    return None if values is None else _Graph(spec, types, values, frozenset(seen.keys))


def _types(spec: GraphSpec) -> dict[str, list[Attribute]] | None:
    """Inferred types of the results of all nodes, by name; None where inference refuses."""
    try:
        graph = spec.build().graphs[0]
    except InferError:
        return None
    return {
        op.ge_node_name or "": [r.type for r in op.ge_data_results]
        for op in graph.body.ops
        if isinstance(op, GeOp)
    }


def _run(spec: GraphSpec) -> dict[str, list[Any]] | None:
    """Values of all nodes, by name; None where golden semantics refuse."""
    inputs = list(input_sets(spec, 0, ("exact",))[0].values())
    try:
        return observe(spec.build(), inputs, keep="all").values
    except (GeError, InferError):
        return None


def _judged(mutant: Mutant, graphs: Sequence[_Graph], decisions: Decisions) -> Verdict:
    changes = False
    for graph in graphs:
        if (mutant.pattern, mutant.reason) not in graph.seen:
            continue
        decisions.probe = Mutated(mutant)
        try:
            types = _types(graph.spec)
        except _CRASHES:
            return Verdict(mutant, True, "crash", graph.spec)
        finally:
            decisions.probe = None
        if types == graph.types:
            continue
        if graph.types is None:
            changes = True
            if _run_under(mutant, graph.spec, decisions) is None:
                return Verdict(mutant, True, "accepted", graph.spec)
        elif types is None:
            return Verdict(mutant, True, "refused", graph.spec)
        else:
            wrong = [n for n, held in graph.values.items() if not _fit(types.get(n, []), held)]
            if wrong:
                return Verdict(mutant, True, "values", graph.spec)
    return Verdict(mutant, changes, None)


def _run_under(mutant: Mutant, spec: GraphSpec, decisions: Decisions) -> Any:
    decisions.probe = Mutated(mutant)
    try:
        return _run(spec)
    except _CRASHES:
        return None
    finally:
        decisions.probe = None


def _fit(types: Sequence[Attribute], values: Sequence[Any]) -> bool:
    """Whether values are of types, unknown dims aside."""
    for type_, value in zip(types, values, strict=False):
        dims = shape_of(type_)
        if isinstance(type_, RefType) or not hasattr(value, "shape") or dims is None:
            continue
        if len(dims) != len(value.shape):
            return False
        if any(d not in (-1, n) for d, n in zip(dims, value.shape, strict=True)):
            return False
        if value.dtype != object and numpy_dtype(elem_of(type_)) != value.dtype:
            return False
    return True


__all__ = ["families", "mutate_inference"]
