"""Which graphs a pass is checked on: its own examples, its patterns, and generated ones.

A pass says by itself what it is about: its patterns name the operators they start from, and its
source names others. Most generated graphs are made of those operators and a few neutral ones, so
that the pass finds work.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from passes.testing.exhaustive import all_specs
from passes.testing.knobs import PROFILES as KNOBS
from passes.testing.knobs import Knobs
from passes.testing.properties.base import Subject, run_on
from passes.testing.seeded import random_spec
from passes.testing.spec import GraphSpec


@dataclass(frozen=True)
class Profile:
    """How much is checked.

    focused, plain, effects: generated graphs of the pass's own operators, of any, and with many
    effects; exhaustive: of all small graphs, this many; patterns: seeds per pattern; most: graphs
    from patterns at most. input_kinds: kinds of inputs per graph. reduce_seconds: per failure.
    """

    name: str
    focused: int
    plain: int
    effects: int
    exhaustive: int
    patterns: int
    most: int
    input_kinds: int
    reduce_seconds: float


PROFILES: dict[str, Profile] = {
    "quick": Profile("quick", 8, 3, 3, 4, 1, 16, 1, 10.0),
    "default": Profile("default", 150, 40, 40, 60, 3, 200, 2, 20.0),
    "nightly": Profile("nightly", 4000, 1500, 1000, 4000, 40, 6000, 3, 120.0),
}

#: What stands between and around the operators a pass is about.
_NEUTRAL = ("Relu", "Neg", "Add", "Mul", "Identity")
_EFFECTS = ("Print", "Read", "Assign", "AssignAdd", "NoOp")
_STATEFUL = dict.fromkeys(("subgraphs", "refs", "io", "random", "ref_inputs"), 0.0)

Named = tuple[str, GraphSpec, bool]


def graphs_for(subject: Subject, profile: Profile, seed: int = 0) -> Iterator[Named]:
    """Graphs with where they come from, and whether all properties are checked on them."""
    for spec in examples_of(subject):
        yield "the example of the pass", spec, True
    yield from _pattern_graphs(subject, profile, seed)
    focus = focus_of(subject)
    small = [op for op in focus if _small(op)][:4]
    if small:
        ops = tuple(dict.fromkeys([*small, "Relu", "Sub"]))
        for spec in all_specs(2, ops, limit=profile.exhaustive):
            yield "an exhaustively generated graph", spec, False
    plans = (
        ("a graph of the pass's operators", _focused(focus), profile.focused),
        ("a graph with effects", _with_effects(focus), profile.effects),
        ("a random graph", KNOBS["default"], profile.plain),
    )
    for label, knobs, count in plans:
        for i in range(count):
            number = seed * 1_000_003 + i
            yield f"{label}, seed {number}", random_spec(number, knobs), False


def partners_for(subject: Subject, profile: Profile, seed: int = 0) -> list[GraphSpec]:
    """Graphs without effects to stand beside others; results in which the subject does something
    come first."""
    knobs = _focused(focus_of(subject)).but(**_STATEFUL)
    found = [random_spec(seed * 31 + 7_000_000 + i, knobs) for i in range(12)]
    out: list[GraphSpec] = []
    for spec in found:
        run = run_on(spec.build(), subject, subject.prefix)
        if run.error is None and run.model.graphs:
            out.append(GraphSpec.from_model(run.model))
        if len(out) == 4:
            break
    return out


def examples_of(subject: Subject) -> list[GraphSpec]:
    """The graphs of the examples in the docstrings of the subject's passes."""
    from ge_dialect.api import parse
    from ge_dialect.diagnostics import GeError
    from passes.examples import pass_examples

    out = []
    for item in subject.pipeline.passes():
        try:
            for example in pass_examples(item.cls):
                out.append(GraphSpec.from_model(parse(example.before)))
        except (GeError, ValueError):
            continue  # an example of something else than a graph
    return out


def focus_of(subject: Subject) -> tuple[str, ...]:
    """Operators the passes of a subject are about; empty where they name none."""
    from ge_dialect.ops.registry import op_names
    from ge_dialect.semantics.registry import has_semantics

    known = {n for n in op_names() if has_semantics(n)}
    out: dict[str, None] = {}
    for item in subject.pipeline.passes():
        module = sys.modules.get(item.cls.__module__)
        try:
            text = inspect.getsource(item.cls if module is None else module)
            if module is not None and _many_passes(module):
                text = _related_source(item.cls, module)
        except (OSError, TypeError):
            continue
        for word in re.findall(r"\b(?:ge\.)?([A-Z]\w+)\b", " ".join(_strings(text))):
            if word in known:
                out.setdefault(word, None)
    return tuple(out)


def _strings(text: str) -> list[str]:
    return re.findall(r"\"([^\"\n]*)\"|'([^'\n]*)'", text) and [
        a or b for a, b in re.findall(r"\"([^\"\n]*)\"|'([^'\n]*)'", text)
    ]


def _many_passes(module: Any) -> bool:
    from passes.base import Pass

    found = [
        c
        for c in vars(module).values()
        if inspect.isclass(c) and issubclass(c, Pass) and c.__module__ == module.__name__
    ]
    return len(found) > 1


def _related_source(cls: type, module: Any) -> str:
    """The source of a class and of the classes and functions of its module it names."""
    out, todo, seen = [], [cls.__name__], set()
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        held = getattr(module, name, None)
        if held is None or getattr(held, "__module__", None) != module.__name__:
            continue
        try:
            text = inspect.getsource(held)
        except (OSError, TypeError):
            continue
        out.append(text)
        todo += re.findall(r"\b[A-Za-z_]\w+\b", text)
    return "\n".join(out)


def _small(op: str) -> bool:
    """Whether an operator takes plain vectors and needs no attribute."""
    from ge_dialect.ir.base import REQUIRED
    from ge_dialect.ops.registry import op_class

    table = op_class(op).ge_table()
    return (
        1 <= len(table.inputs) <= 2
        and all(i.kind == REQUIRED and not i.is_ref for i in table.inputs)
        and not table.graphs
        and not any(a.required for a in table.attrs.values())
    )


def _focused(focus: tuple[str, ...]) -> Knobs:
    base = KNOBS["default"]
    if not focus:
        return base
    ops = dict.fromkeys([*focus, *_NEUTRAL])
    return base.but(ops=tuple(ops), max_ops=8, structures=0.3, constants=0.5, duplicates=0.1)


def _with_effects(focus: tuple[str, ...]) -> Knobs:
    base = KNOBS["effects"]
    if not focus:
        return base
    ops = dict.fromkeys([*focus, *_NEUTRAL, *_EFFECTS, "If", "PartitionedCall"])
    return base.but(ops=tuple(ops), max_ops=10, structures=0.2, duplicates=0.1)


def _pattern_graphs(subject: Subject, profile: Profile, seed: int) -> Iterator[Named]:
    """Graphs on which the subject's patterns fire, and near misses."""
    from passes.testing import from_pattern

    make = getattr(from_pattern, "pattern_specs", None)
    if make is None:
        return
    count = 0
    # passes that need others before them get graphs from the default flow instead
    items = {i.name: i for i in subject.pipeline.passes() if not i.cls.contract.requires}
    names = {name: item.cls if item.instance else name for name, item in items.items()}
    for number in range(profile.patterns):
        for name, target in names.items():
            for label, specs in zip(
                ("a graph for a pattern", "a near miss"), make(target, seed + number), strict=False
            ):
                for spec in specs:
                    yield f"{label} of {name}", spec, False
                    count += 1
                    if count >= profile.most:
                        return


__all__ = ["PROFILES", "Profile", "examples_of", "focus_of", "graphs_for", "partners_for"]
