"""Which graphs a pass is checked on: its own examples, its patterns, and generated ones.

A pass says by itself what it is about: its patterns name the operators they start from, and its
source names others. Most generated graphs are made of those operators and a few neutral ones, so
that the pass finds work.
"""

from __future__ import annotations

import inspect
import random
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from types import ModuleType
from typing import Any

from ge_dialect.containers import is_tuple
from ge_dialect.ops.registry import op_state
from passes.base import Pass
from passes.effects import PIN_ATTRIBUTES
from passes.testing.exhaustive import all_specs
from passes.testing.from_pattern import PatternSpecs, pattern_specs, with_weight_bytes
from passes.testing.knobs import PROFILES as KNOBS
from passes.testing.knobs import Knobs
from passes.testing.properties.base import Subject, run_on
from passes.testing.seeded import random_spec
from passes.testing.spec import GraphSpec, Input, Literal, Step, Text


@dataclass(frozen=True)
class Profile:
    """How much is checked.

    focused, plain, effects: generated graphs of the pass's own operators, of any, and with many
    effects; exhaustive: of all small graphs, this many; patterns: seeds per pattern, tries: changes
    tried for each; most: graphs from patterns at most; mutants: of graphs the pass changed.
    input_kinds: kinds of inputs per graph that the pass changes. reduce_seconds: per failure.
    """

    name: str
    focused: int
    plain: int
    effects: int
    exhaustive: int
    patterns: int
    tries: int
    most: int
    mutants: int
    input_kinds: int
    reduce_seconds: float


PROFILES: dict[str, Profile] = {
    "quick": Profile("quick", 8, 3, 3, 4, 1, 100, 16, 6, 1, 10.0),
    "default": Profile("default", 180, 40, 40, 60, 3, 600, 200, 100, 3, 20.0),
    "nightly": Profile("nightly", 4000, 1500, 1000, 4000, 40, 2000, 6000, 4000, 5, 120.0),
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
        for i, spec in enumerate(all_specs(2, ops, limit=profile.exhaustive)):
            yield f"graph {i} of all of {', '.join(ops)}", spec, False
    effects = _with_effects(focus)
    plans: tuple[tuple[str, Callable[[int], Knobs], int], ...] = (
        ("a graph of the pass's operators", lambda i: _focused(focus, i), profile.focused),
        ("a graph with effects", lambda i: effects, profile.effects),
        ("a random graph", lambda i: KNOBS["default"], profile.plain),
    )
    # what kernels make of NaN and infinities is a matter of their own tests
    tame = {"special": 0.0} if "lowered" in subject.contract.establishes else {}
    for label, knobs, count in plans:
        for i in range(count):
            number = seed * 1_000_003 + i
            spec = varied(random_spec(number, knobs(i).but(**tame)), number)
            yield f"{label}, seed {number}", spec, False


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

    out: list[GraphSpec] = []
    for item in subject.pipeline.passes():
        try:
            for example in pass_examples(item.cls):
                out.append(with_weight_bytes(GraphSpec.from_model(parse(example.before))))
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
            text = ""  # no file: the patterns alone say what it is about
        for word in re.findall(r"\b(?:ge\.)?([A-Z]\w+)\b", " ".join(_strings(text))):
            if word in known:
                out.setdefault(word, None)
    return tuple(out)


def _strings(text: str) -> list[str]:
    return re.findall(r"\"([^\"\n]*)\"|'([^'\n]*)'", text) and [
        a or b for a, b in re.findall(r"\"([^\"\n]*)\"|'([^'\n]*)'", text)
    ]


def _many_passes(module: ModuleType) -> bool:
    found = [c for c in vars(module).values() if isinstance(c, type) and issubclass(c, Pass)]
    return sum(c.__module__ == module.__name__ for c in found) > 1


def _related_source(cls: type, module: ModuleType) -> str:
    """The source of a class and of the classes and functions of its module it names."""
    out: list[str] = []
    todo = [cls.__name__]
    seen: set[str] = set()
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


def _focused(focus: tuple[str, ...], number: int = 0) -> Knobs:
    """Knobs for the operators of a pass. In turn: with neutral ones around, only themselves in
    chains, with constants, and with attributes that are not the default."""
    base = KNOBS["default"].but(max_ops=8, structures=0.3, constants=0.5, duplicates=0.1)
    if not focus:
        return base
    kind = number % 4
    alone = base.but(ops=focus, min_ops=2, structures=0.1, attrs=0.6, dynamic=0.05, zero_size=0.02)
    if kind == 1:  # all axes of one size, so that no shape tells them apart
        return alone.but(chains=0.9, max_ops=6, dims=(2,), max_rank=3, rank0=0.0)
    if kind == 2:  # vectors only, so that everything fits everything
        few = ("float32", "float32", "int32")
        return alone.but(
            constants=0.8, max_inputs=2, max_ops=6, dims=(3,), max_rank=1, rank0=0.0, dtypes=few
        )
    if kind == 3:
        return alone.but(chains=0.8, dims=(2,), max_rank=3, dtypes=("float32",))
    return base.but(ops=tuple(dict.fromkeys([*focus, *_NEUTRAL])))


def _with_effects(focus: tuple[str, ...]) -> Knobs:
    base = KNOBS["effects"]
    if not focus:
        return base
    ops = dict.fromkeys([*focus, *_NEUTRAL, *_EFFECTS, "If", "PartitionedCall"])
    return base.but(ops=tuple(ops), max_ops=10, structures=0.2, duplicates=0.1)


def mutants_of(found: list[GraphSpec], count: int, seed: int) -> Iterator[Named]:
    """Changed copies of graphs in a list that may grow meanwhile; the latest come first."""
    from passes.testing.mutate import mutant

    rng = random.Random(seed)
    made = 0
    for _ in range(3 * count):
        if not found or made >= count:
            return
        origin = found[-1 - min(int(rng.expovariate(0.3)), len(found) - 1)]
        spec = mutant(origin, rng, 1 if rng.random() < 0.7 else 2)
        if spec is not None and spec.op_count <= 16 and _weights_fit(spec):
            made += 1
            yield f"a changed copy of a graph the pass rewrites, number {made}", spec, False


_WEIGHT = re.compile(r'#ge\.weight<"([^"]*)">')


def _weights_fit(spec: GraphSpec) -> bool:
    """Whether constants have the types of the weights they name."""
    from ge_dialect.dtypes import to_xdsl

    held = dict(spec.weights)
    for step in spec.walk():
        value = step.attr("value")
        match = _WEIGHT.fullmatch(value.text) if isinstance(value, Text) else None
        if match is None or match.group(1) not in held or not step.types:
            continue
        weight = held[match.group(1)]
        text = "".join(f"{d}x" for d in weight.shape) + str(to_xdsl(weight.dtype))
        if step.types[0].split(",")[0] != text:
            return False
    return True


def varied(spec: GraphSpec, seed: int) -> GraphSpec:
    """The graph with what random choices seldom give: a constant of one number, values that come
    from outside, an output twice, a node marked to stay."""
    rng = random.Random(seed)
    for _ in range(rng.randrange(3)):
        spec = _freed(spec, rng)
    if rng.random() < 0.5:
        spec = _joined(spec, rng)
    if rng.random() < 0.3:
        spec = _alike(spec, rng)
    if rng.random() < 0.4:
        spec = _nearly_twice(spec, rng)
    steps = list(spec.steps)
    constants = [i for i, s in enumerate(steps) if _literal(s) is not None]
    if constants and rng.random() < 0.6:
        for i in constants if rng.random() < 0.3 else [rng.choice(constants)]:
            held = _literal(steps[i])
            assert held is not None
            made = _filled(held, rng.choice((None, None, 0, 0, 1, 1, -1, 1.0001, 3333.3, 1e-6)))
            attrs = tuple((n, made if v is held else v) for n, v in steps[i].attrs)
            steps[i] = replace(steps[i], attrs=attrs)
    outputs = spec.outputs
    if rng.random() < 0.15:
        outputs = (*outputs, rng.choice(outputs))
    if rng.random() < 0.15 and steps:
        i = rng.randrange(len(steps))
        if steps[i].op not in ("Data", "RefData", "Variable", "Const", "Constant"):
            steps[i] = replace(steps[i], extra=(*steps[i].extra, (PIN_ATTRIBUTES[0], "true")))
    return replace(spec, steps=tuple(steps), outputs=outputs)


def _freed(spec: GraphSpec, rng: random.Random) -> GraphSpec:
    """The graph with one float operand read from a new input: what was constant is open now."""
    from passes.testing.mutate import checked

    types = spec.value_types()
    places = [
        (i, k, arg)
        for i, step in enumerate(spec.steps)
        for k, arg in enumerate(step.args)
        if isinstance(arg, int) and _FLOAT.search(types[arg]) and not types[arg].startswith("&")
    ]
    if not places or any(s.types is None for s in spec.steps):
        return spec
    at, slot, value = rng.choice(places)
    count = len(spec.inputs)

    def shifted(v: int) -> int:
        return v if v < count else v + 1

    steps: list[Step] = []
    for i, step in enumerate(spec.steps):
        args = tuple(
            tuple(map(shifted, a)) if isinstance(a, tuple) else None if a is None else shifted(a)
            for a in step.args
        )
        if i == at:
            args = (*args[:slot], count, *args[slot + 1 :])
        steps.append(replace(step, args=args))
    inputs = (*spec.inputs, Input(types[value], dims=_dims_of(spec, value)))
    made = replace(
        spec, inputs=inputs, steps=tuple(steps), outputs=tuple(map(shifted, spec.outputs))
    )
    # where inference needs the value, as for scales, any other would give another size
    found = checked(made.retyped())
    return spec if found is None or found.value_types() != made.value_types() else made


def _joined(spec: GraphSpec, rng: random.Random) -> GraphSpec:
    """The graph with one more output: a copy of some node, reading all results of another one in
    any order."""
    from passes.testing.mutate import checked

    first = spec.first_results()
    sources = [i for i, s in enumerate(spec.steps) if len(s.types or ()) > 1 and not s.bodies]
    readers = [s for s in spec.steps if len(s.operands()) > 1 and s.types and not s.bodies]
    readers = [s for s in readers if not any(t.startswith("&") for t in s.types or ())]
    if not sources or not readers:
        return spec
    a, step = rng.choice(sources), rng.choice(readers)
    results = range(first[a], first[a] + len(spec.steps[a].types or ()))
    args = tuple(
        tuple(rng.sample(results, len(results)))
        if isinstance(arg, tuple)
        else None
        if arg is None
        else rng.choice(results)
        for arg in step.args
    )
    attrs = tuple((n, len(results) if n == "N" else v) for n, v in step.attrs)
    new = replace(step, args=args, attrs=attrs, name=None, after=())
    made = replace(spec, steps=(*spec.steps, new), outputs=(*spec.outputs, len(spec.value_types())))
    return checked(made.retyped()) or spec


def _nearly_twice(spec: GraphSpec, rng: random.Random) -> GraphSpec:
    """The graph with one more output: a copy of some node with one attribute changed."""
    from ge_dialect.ops.registry import op_class
    from passes.testing.mutate import checked

    candidates: list[tuple[Step, str, Any]] = []
    for step in spec.steps:
        if step.bodies or not op_class(step.op).EFFECTS.is_pure or not step.args:
            continue
        table = op_class(step.op).ge_table()
        for name, held in table.attrs.items():
            value = step.attr(name, None)
            if value is None and name in table.defaults:
                value = held.kind.to_python(table.defaults[name])
            if isinstance(value, bool | int | float) or is_tuple(value):
                candidates.append((step, name, value))
    if not candidates:
        return spec
    step, name, value = rng.choice(candidates)
    attrs = (*((n, v) for n, v in step.attrs if n != name), (name, _other(value, rng)))
    new = replace(step, attrs=attrs, name=None, after=())
    made = replace(spec, steps=(*spec.steps, new), outputs=(*spec.outputs, len(spec.value_types())))
    return checked(made.retyped()) or spec


def _other(value: Any, rng: random.Random) -> Any:
    """Another value of an attribute."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-1, 1))
    if isinstance(value, float):
        return value * 2 + 1
    held = list(value)
    if len(held) > 1 and rng.random() < 0.7:
        rng.shuffle(held)
    elif held and not isinstance(held[0], str):
        at = rng.randrange(len(held))
        held[at] = _other(held[at], rng)
    return tuple(held)


def _alike(spec: GraphSpec, rng: random.Random) -> GraphSpec:
    """The graph with the attributes of one node put on another of its operator."""
    from passes.testing.mutate import checked

    pairs = [
        (a, b)
        for a, s in enumerate(spec.steps)
        for b, t in enumerate(spec.steps)
        if a != b and s.op == t.op and s.attrs != t.attrs and s.op not in ("Const", "Data")
    ]
    if not pairs:
        return spec
    a, b = rng.choice(pairs)
    steps = list(spec.steps)
    steps[b] = replace(steps[b], attrs=steps[a].attrs)
    return checked(replace(spec, steps=tuple(steps)).retyped()) or spec


_FLOAT = re.compile(r"(^|x)(f16|f32|f64|bf16)$")


def _dims_of(spec: GraphSpec, value: int) -> tuple[int, ...] | None:
    """Sizes an input is run with where its type leaves them open."""
    return spec.inputs[value].dims if value < len(spec.inputs) else None


def _literal(step: Step) -> Literal | None:
    """The value of a constant of floats; integers may say something of a shape."""
    if step.op not in ("Const", "Constant"):
        return None
    held = step.attr("value")
    floats = ("float16", "float32", "float64", "bfloat16")
    return held if isinstance(held, Literal) and held.dtype in floats else None


def _filled(held: Literal, number: float | None) -> Literal:
    """The constant with one number everywhere, or (None) with what it has moved by 0.7."""
    import numpy as np

    array = held.array()
    with np.errstate(all="ignore"):
        made = (
            np.full(array.shape, number) if number is not None else array.astype(np.float64) + 0.7
        )
        return Literal(held.dtype, held.shape, made.astype(array.dtype).tobytes())


@lru_cache(maxsize=256)
def _specs_of(cls: type[Pass], seed: int, tries: int, operators: int) -> PatternSpecs:
    """Graphs for a pass, made once for it and for the pipelines that hold it."""
    return pattern_specs(cls, seed, tries=tries)


def _pattern_graphs(subject: Subject, profile: Profile, seed: int) -> Iterator[Named]:
    """Graphs on which the subject's patterns fire, and near misses."""
    count = 0
    # passes that need others before them get graphs from the default flow instead
    items = {i.name: i for i in subject.pipeline.passes() if not i.cls.contract.requires}
    for number in range(profile.patterns):
        for name, item in items.items():
            made = _specs_of(item.cls, seed + number, profile.tries, op_state())
            for label, specs in zip(("a graph for a pattern", "a near miss"), made, strict=False):
                for spec in specs:
                    count += 1
                    yield f"{label} of {name}, number {count}", spec, False
                    if count >= profile.most:
                        return


__all__ = ["PROFILES", "Profile", "examples_of", "focus_of", "graphs_for", "partners_for"]
