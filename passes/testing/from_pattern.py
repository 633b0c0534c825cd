"""Graphs on which a pattern fires, and near misses, from the examples of its author.

The search starts from graphs the pattern is known to rewrite and changes them a little, again and
again. Where the pattern still fires, the graph is a positive; where it does not any more, a near
miss, filed under the condition that failed. Graphs that fail a condition not seen before are
changed further, so that conditions hidden behind others are reached.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from ge_dialect.api import parse
from ge_dialect.diagnostics import GeError
from ge_dialect.dtypes import ge_name
from ge_dialect.ir.types import elem_of, shape_of
from ge_dialect.ops.registry import has_op
from ge_dialect.semantics.registry import has_semantics
from passes.base import Pass
from passes.context import PassContext
from passes.examples import pass_examples
from passes.manager import run_pipeline
from passes.registry import PASSES, pass_class
from passes.remarks import remarks_in
from passes.rewriting import Pattern, apply_patterns
from passes.testing.knobs import Knobs
from passes.testing.mutate import checked, each_mutant, mutant, runs_golden
from passes.testing.seeded import random_spec
from passes.testing.spec import GraphSpec, Text
from passes.testing.tables import literal
from passes.testing.type_text import type_of

_WEIGHT = re.compile(r'#ge\.weight<"([^"\\]*)">')
#: Share of tries that are random graphs; they meet what no small change of an example does.
_RANDOM_SHARE = 0.3
_COMPANIONS = ("Relu", "Add", "Mul", "Neg", "Cast", "TransposeD", "Reshape")
#: How many instances of a declared shape are used, and how often one is tried for.
_INSTANCES, _DRAWS = 12, 60
#: The reason of a near miss that fails no condition: the graph has another shape.
NO_MATCH = "the graph has another shape"


@dataclass(frozen=True)
class Outcome:
    """What a pattern (or pass) did to a graph: how often it fired, and which conditions failed."""

    fired: int
    missed: frozenset[str]


@dataclass
class PatternSpecs:
    """Graphs for one pattern. near_misses: by the condition that failed."""

    positives: list[GraphSpec] = field(default_factory=list)
    near_misses: dict[str, list[GraphSpec]] = field(default_factory=dict)
    tried: int = 0

    def __iter__(self) -> Iterator[list[GraphSpec]]:
        yield self.positives
        yield [spec for specs in self.near_misses.values() for spec in specs]

    @property
    def reasons(self) -> set[str]:
        """The conditions that failed on some graph."""
        return set(self.near_misses) - {NO_MATCH}


class Target:
    """A pattern or pass that graphs are made for, and how it is run on one.

    of: a Pattern class or instance, a Pass class or instance, or a pass name. inside: the pass that
    runs the pattern, where it is not in the pattern's own module.
    """

    def __init__(self, of: Any, inside: Any = None) -> None:
        self.label: str | None = None
        self._pattern: Pattern | None = None
        if isinstance(of, str):
            of = pass_class(of)
        if isinstance(of, Pass) or (isinstance(of, type) and issubclass(of, Pass)):
            self._pass: Pass | None = of() if isinstance(of, type) else of
        else:
            self._pattern = of() if isinstance(of, type) else of
            assert self._pattern is not None
            self.label = self._pattern.label
            owner = inside if inside is not None else owner_of(type(self._pattern))
            self._pass = owner() if isinstance(owner, type) else owner

    def examples(self) -> list[tuple[GraphSpec, str]]:
        """Known graphs, each with the pipeline that must run before.

        They come from the classmethod `examples()` of the pattern (IR texts or specs), from the
        docstring of its pass, and from the shape of a pattern in the pattern language; for a pass
        that shows no example, from the shapes of the rules in its module.
        """
        found: list[tuple[GraphSpec, str]] = []
        given: Callable[[], Iterable[GraphSpec | str]] | None = getattr(
            self._pattern, "examples", None
        ) or getattr(self._pass, "examples", None)
        items = given() if callable(given) else ()
        for item in items:
            found.append((item if isinstance(item, GraphSpec) else _read(item), ""))
        if self._pass is not None:
            for example in pass_examples(type(self._pass)):
                name = type(self._pass).name
                before = example.pipeline.removesuffix(name).rstrip(", ")
                if example.pipeline.endswith(name):
                    found.append((_read(example.before), before))
        shapes = self._shapes(bool(found))
        if shapes:
            from passes.testing.from_shape import shape_instance

            before = found[0][1] if found else ""
            for wanted in shapes:
                made = (shape_instance(wanted, seed) for seed in range(_DRAWS))
                fit = (spec for spec in made if spec is not None)
                found += [(spec, before) for spec in islice(fit, _INSTANCES)]
        return found

    def _shapes(self, has_examples: bool) -> list[Any]:
        """Declared shapes: of the pattern, or of the rules beside a pass that shows no example."""
        if self._pattern is not None:
            shape = getattr(self._pattern, "shape", None)
            return [] if shape is None else [shape]
        module = sys.modules.get(type(self._pass).__module__)
        if has_examples or module is None:
            return []
        from passes.pattern_dsl.text import rules_in

        return [rule.shape for rule in rules_in(module)]

    def knobs(self, examples: Sequence[GraphSpec]) -> Knobs:
        """What random graphs for this target are made of: its roots, and what its examples hold."""
        roots = self._pattern.root if self._pattern is not None else ()
        ops = {*roots, *(t for spec in examples for t in spec.op_types()), *_COMPANIONS}
        ops = {t for t in ops if has_op(t) and has_semantics(t)}
        return Knobs(
            ops=tuple(sorted(ops)), min_ops=2, max_ops=8, structures=0.5, constants=0.7, attrs=0.5
        )

    def run(self, spec: GraphSpec, before: str = "") -> Outcome:
        """Build the graph and run the pass (or pattern) on it, after the pipeline `before`."""
        model = spec.build()
        if before:
            run_pipeline(model, before, reproducer=False)
        ctx = PassContext(weights=model.weights, remarks_enabled=True)
        if self._pass is None:
            assert self._pattern is not None
            report = apply_patterns(model.module, [self._pattern], ctx)
            refused = frozenset(why for (label, why) in report.missed if label == self.label)
            return Outcome(report[self._pattern.label], refused)
        result = self._pass.run(model.module, ctx)
        fired = 0
        missed: set[str] = set()
        for remark in remarks_in(ctx.sink.diagnostics):
            if self.label is not None and remark.pattern != self.label:
                continue
            if remark.category == "applied":
                fired += 1
            elif remark.category == "missed" and remark.reason is not None:
                missed.add(remark.reason)
        if self.label is None:
            fired = int(result.changed)
        elif not fired:
            fired = result.counters.get(self.label, 0)
        return Outcome(fired, frozenset(missed))


def owner_of(pattern: type[Pattern]) -> type[Pass] | None:
    """The registered pass in the module of a pattern; None where there is none."""
    for name, target in PASSES.items():
        if target.partition(":")[0] == pattern.__module__:
            return pass_class(name)
    return None


def _read(text: str) -> GraphSpec:
    return with_weight_bytes(GraphSpec.from_model(parse(text)))


def with_weight_bytes(spec: GraphSpec) -> GraphSpec:
    """The spec with small numbers for each weight that its constants name and nobody gave.

    Variances and the like must not be negative, so all are positive.
    """
    held = dict(spec.weights)
    for step in spec.walk():
        value = step.attr("value")
        name = _WEIGHT.fullmatch(value.text) if isinstance(value, Text) else None
        if name is None or name[1] in held or not step.types:
            continue
        type_ = type_of(step.types[0])
        dims = shape_of(type_)
        if dims is not None and -1 not in dims:
            held[name[1]] = literal(dims, ge_name(elem_of(type_)), -1)
    return replace(spec, weights=tuple(held.items()))


def pattern_specs(
    of: Any,
    seed: int = 0,
    *,
    inside: Any = None,
    examples: Iterable[GraphSpec | str] = (),
    tries: int = 600,
    per_reason: int = 3,
    positives: int = 10,
) -> PatternSpecs:
    """Positives and near misses of a pattern (or pass).

    of, inside: see `Target`. examples: more graphs to start from. tries: how many changes are
    tried; per_reason and positives: how many graphs are kept. All graphs returned verify and are
    run by golden semantics. The same seed gives the same graphs.
    """
    target = Target(of, inside)
    found = PatternSpecs()
    seeds: list[tuple[GraphSpec, str]] = []
    given = [(e if isinstance(e, GraphSpec) else _read(e), "") for e in examples]
    for spec, before in [*given, *target.examples()]:
        valid = checked(spec)
        if valid is not None:
            seeds.append((valid, before))
            _file(target, valid, before, found, per_reason, positives)
    if not seeds:
        return found
    rng = random.Random(seed)
    frontier = list(seeds)
    knobs = target.knobs([spec for spec, _ in seeds])
    for made, before in islice(_each_change(seeds, rng), tries // 2):
        found.tried += 1
        if _file(target, made, before, found, per_reason, positives):
            frontier.append((made, before))
    while found.tried < tries:
        found.tried += 1
        near = rng.random() >= _RANDOM_SHARE
        if not near:
            made, before = random_spec(rng.randrange(1 << 30), knobs), seeds[0][1]
        else:
            spec, before = rng.choice(seeds if rng.random() < 0.4 else frontier)
            changed = mutant(spec, rng, 1 if rng.random() < 0.75 else 2, evaluate=False)
            if changed is None or changed.op_count > 4 * spec.op_count + 12:
                continue
            made = changed
        if _file(target, made, before, found, per_reason, positives, near=near):
            frontier.append((made, before))
    return found


def _each_change(
    seeds: Sequence[tuple[GraphSpec, str]], rng: random.Random
) -> Iterator[tuple[GraphSpec, str]]:
    """All single changes of the known graphs, one graph after the other."""
    for spec, before in seeds:
        for made in each_mutant(spec, rng, evaluate=False):
            yield made, before


def _file(
    target: Target,
    spec: GraphSpec,
    before: str,
    found: PatternSpecs,
    per_reason: int,
    positives: int,
    near: bool = True,
) -> bool:
    """Sort a graph in; whether it is worth changing further. near: made by changing a positive.

    Only what would be kept is evaluated: most changes say nothing new.
    """
    try:
        outcome = target.run(spec, before)
    except GeError:
        return False
    except (Exception, SystemExit):
        outcome = Outcome(1, frozenset())  # a fault of the pass, for those who look for faults
    unmatched = (NO_MATCH,) if near and not outcome.fired else ()
    reasons = outcome.missed or unmatched
    full = all(len(found.near_misses.get(r, ())) >= per_reason for r in reasons)
    if full and (not outcome.fired or len(found.positives) >= positives):
        return bool(outcome.fired)
    if not runs_golden(spec):
        return False
    news = False
    for reason in reasons:
        kept = found.near_misses.setdefault(reason, [])
        news = news or (not kept and reason != NO_MATCH)
        if len(kept) < per_reason and spec not in kept:
            kept.append(spec)
    if outcome.fired:
        news = True
        if len(found.positives) < positives and spec not in found.positives:
            found.positives.append(spec)
    return news
