"""Small changes of a graph: the steps from a graph a pattern rewrites to one it must not touch.

Each mutator gets a draft and a random generator, changes the draft in place and says whether it
did. The result need not be a graph: `mutant` builds, verifies and, where asked, evaluates it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from math import prod
from typing import Any

from ge_dialect.dtypes import ge_name
from ge_dialect.infer.errors import InferError
from ge_dialect.ir.attributes import RefType
from ge_dialect.ir.types import elem_of, shape_of
from ge_dialect.ir.verifier import verify
from passes.testing.choices import OdometerChoices
from passes.testing.domains import with_guessed_domains
from passes.testing.draft import Draft, Node, Tok
from passes.testing.inputs import evaluates, input_dims, input_sets
from passes.testing.limits import refused, too_large
from passes.testing.spec import ANY, Domain, GraphSpec, Input
from passes.testing.tables import literal
from passes.testing.type_text import type_of

Mutator = Callable[[Draft, random.Random], bool]
MUTATORS: dict[str, Mutator] = {}


def mutator(fn: Mutator) -> Mutator:
    """Decorator: adds a mutator under its name."""
    MUTATORS[fn.__name__] = fn
    return fn


def mutant(
    spec: GraphSpec, rng: random.Random, times: int = 1, *, evaluate: bool = True
) -> GraphSpec | None:
    """The spec after some random changes, its types inferred anew; None where it is no graph.

    evaluate: refuse graphs that golden semantics do not run either.
    """
    names = mutator_names()
    return _mutated(spec, [names[rng.randrange(len(names))] for _ in range(times)], rng, evaluate)


def mutator_names() -> list[str]:
    """All mutators."""
    import_module("passes.testing.mutate_nodes")  # adds its mutators

    return list(MUTATORS)


def _mutated(
    spec: GraphSpec, names: Sequence[str], rng: random.Random, evaluate: bool
) -> GraphSpec | None:
    draft = Draft(spec)
    try:
        for name in names:
            if not MUTATORS[name](draft, rng):
                return None
        found = checked(draft.spec().retyped())
    except KeyError:
        return None  # something reads a value that comes later
    if found is None or (evaluate and not runs_golden(found)):
        return None
    return found


def each_mutant(
    spec: GraphSpec, rng: random.Random, limit: int = 40, *, evaluate: bool = True
) -> Iterator[GraphSpec]:
    """What the mutators, in turn, make of the spec: of each one all where that is at most `limit`
    graphs, else as many random ones."""
    runs = [_mutants_of(name, spec, rng, limit, evaluate) for name in mutator_names()]
    while runs:
        for run in list(runs):
            try:
                made = next(run)
            except StopIteration:
                runs.remove(run)
            else:
                if made is not None and made != spec:
                    yield made


def _mutants_of(
    name: str, spec: GraphSpec, rng: random.Random, limit: int, evaluate: bool
) -> Iterator[GraphSpec | None]:
    ways = _ways(name, spec, limit)
    source = OdometerChoices()
    chosen = ScriptedRandom(source) if ways <= limit else rng
    for _ in range(min(ways, limit)):
        yield _mutated(spec, [name], chosen, evaluate)
        source.advance()


def _ways(name: str, spec: GraphSpec, limit: int) -> int:
    """How many changes a mutator can make, counted up to `limit` + 1."""
    source = OdometerChoices()
    chosen = ScriptedRandom(source)
    MUTATORS[name](Draft(spec), chosen)
    ways = 1
    while ways <= limit and source.advance():
        MUTATORS[name](Draft(spec), chosen)
        ways += 1
    return ways


class ScriptedRandom(random.Random):
    """A generator whose answers are those of an odometer, so that all of them are met."""

    def __init__(self, source: OdometerChoices) -> None:
        super().__init__(0)
        self._source = source

    def random(self) -> float:
        """Near 0 or near 1."""
        return (0.0, 0.999)[self._source.choose(2)]

    def choice(self, seq: Any) -> Any:
        """One of a sequence."""
        return seq[self._source.choose(len(seq))]

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """A number below `start`."""
        return self._source.choose(start)

    def sample(self, population: Any, k: int, **more: Any) -> list[Any]:
        """`k` of a sequence, in some order."""
        left = list(population)
        return [left.pop(self._source.choose(len(left))) for _ in range(k)]

    def shuffle(self, x: Any) -> None:
        """Some order."""
        x[:] = self.sample(x, len(x))


def checked(spec: GraphSpec) -> GraphSpec | None:
    """The spec with its types recorded; None where it is no valid graph, or too large a one."""
    try:
        model = spec.build()
    except (ValueError, InferError):
        return None
    if verify(model.module):
        return None
    found = GraphSpec.from_model(model)
    if too_large(found):
        refused("graph")
        return None
    inputs = tuple(
        replace(new, dims=old.dims, domain=_fitting(old))
        for new, old in zip(found.inputs, spec.inputs, strict=True)
    )
    return with_guessed_domains(replace(found, inputs=inputs))


def _fitting(given: Input) -> Domain:
    """The domain of an input, unless its values no longer fill the shape."""
    if given.domain[0] == "fixed" and prod(input_dims(given)) != len(given.domain) - 1:
        return ANY
    return given.domain


def runs_golden(spec: GraphSpec) -> bool:
    """Whether golden semantics run the graph on exact inputs."""
    return evaluates(spec, input_sets(spec, 0, ("exact",))[0])


# ---------------------------------------------------------------------------------------- edges


def _pick_tensor(toks: list[Tok], rng: random.Random) -> Tok | None:
    found = [t for t in toks if t.type and not isinstance(type_of(t.type), RefType)]
    return rng.choice(found) if found else None


@mutator
def more_users(draft: Draft, rng: random.Random) -> bool:
    """An inner value is read once more, by a node of its own."""
    tok = _pick_tensor(draft.inner(), rng)
    if tok is None:
        return False
    new = draft.insert(len(draft.nodes), "Identity", [tok], (tok.type,))
    draft.outputs.append(new.results[0])
    return True


@mutator
def inner_output(draft: Draft, rng: random.Random) -> bool:
    """An inner value (or an input) is an output too."""
    tok = _pick_tensor([*draft.inner(), *(t for _, t in draft.inputs)], rng)
    if tok is None:
        return False
    draft.outputs.append(tok)
    return True


@mutator
def swap_operands(draft: Draft, rng: random.Random) -> bool:
    """Two inputs of a node change places."""
    found = [n for n in draft.nodes if len(list(n.slots())) >= 2]
    if not found:
        return False
    node = rng.choice(found)
    (i, k, a), (j, m, b) = rng.sample(list(node.slots()), 2)
    node.put(i, k, b)
    node.put(j, m, a)
    return True


@mutator
def other_operand(draft: Draft, rng: random.Random) -> bool:
    """A node reads another value of the same type, or a fresh input."""
    found = [(n, s) for n in draft.nodes for s in n.slots()]
    if not found:
        return False
    node, (i, k, tok) = rng.choice(found)
    same = [t for t in draft.before(node) if t.type == tok.type and t is not tok]
    if not same or rng.random() < 0.4:
        node.put(i, k, draft.input(tok.type))
    else:
        node.put(i, k, rng.choice(same))
    return True


@mutator
def no_constant(draft: Draft, rng: random.Random) -> bool:
    """A constant becomes an input of the graph."""
    found = [n for n in draft.nodes if n.step.op in ("Const", "Constant")]
    if not found:
        return False
    node = rng.choice(found)
    draft.replace_value(node.results[0], draft.input(node.results[0].type))
    draft.remove(node)
    return True


@mutator
def constant_input(draft: Draft, rng: random.Random) -> bool:
    """An input that a node reads becomes a constant."""
    found = [(i, t) for i, t in draft.inputs if draft.uses(t)]
    if not found:
        return False
    given, tok = rng.choice(found)
    type_ = type_of(given.type)
    dims = shape_of(type_)
    if isinstance(type_, RefType) or dims is None or -1 in dims or prod(dims) > 64:
        return False
    held = literal(dims, ge_name(elem_of(type_)), rng.randrange(4))
    draft.replace_value(tok, draft.constant(held, given.type))
    return True


@mutator
def bypass(draft: Draft, rng: random.Random) -> bool:
    """A node goes; what read it reads its first input."""
    found = [n for n in draft.nodes if n.results and any(True for _ in n.slots())]
    if not found:
        return False
    node = rng.choice(found)
    source = next(t for _, _, t in node.slots())
    draft.replace_value(node.results[0], source, but=node)
    if any(draft.uses(r) or r in draft.outputs for r in node.results):
        return False
    draft.remove(node)
    return True


@mutator
def between(draft: Draft, rng: random.Random) -> bool:
    """A node that changes nothing much stands on an edge."""
    found = [(n, s) for n in draft.nodes for s in n.slots() if s[2].type]
    if not found:
        return False
    node, (i, k, tok) = rng.choice(found)
    if isinstance(type_of(tok.type), RefType):
        return False
    op = rng.choice(("Identity", "Relu", "Neg", "Abs"))
    new = draft.insert(draft.nodes.index(node), op, [tok], (tok.type,))
    node.put(i, k, new.results[0])
    return True


@mutator
def twice(draft: Draft, rng: random.Random) -> bool:
    """A node stands there twice; one of its users reads the copy."""
    found = [n for n in draft.nodes if n.results and not n.step.bodies]
    if not found:
        return False
    node = rng.choice(found)
    copy = Node(
        replace(node.step, name=None), [list(a) if isinstance(a, list) else a for a in node.args]
    )
    copy.results = [Tok(t.type, copy) for t in node.results]
    draft.nodes.insert(draft.nodes.index(node) + 1, copy)
    uses = draft.uses(node.results[0])
    if uses and rng.random() < 0.7:
        user, i, k = rng.choice(uses)
        user.put(i, k, copy.results[0])
    else:
        draft.outputs.append(copy.results[0])
    return True


@mutator
def shared(draft: Draft, rng: random.Random) -> bool:
    """One value is read where two of its type were."""
    toks = draft.inner() + [t for _, t in draft.inputs]
    pairs = [(a, b) for a in toks for b in toks if a is not b and a.type and a.type == b.type]
    if not pairs:
        return False
    a, b = rng.choice(pairs)
    draft.replace_value(b, a, but=a.node)
    return True


@mutator
def order(draft: Draft, rng: random.Random) -> bool:
    """A control edge: another node, the end, or a node behind waits for an inner one."""
    found = [n for n in draft.nodes if n.step.op not in ("Const", "Constant", "Data", "Variable")]
    if not found:
        return False
    node = rng.choice(found)
    kind = rng.randrange(4)
    if kind == 0:
        draft.after.append(node)
    elif kind == 1:
        place = draft.nodes.index(node)
        draft.insert(place, "NoOp", [], ())
        node.after.append(draft.nodes[place])
    elif kind == 2:
        # everything waits for what reads an input of its own
        tok = draft.input("2xf32")
        draft.insert(0, "Print", [[tok]], ())
        node.after.append(draft.nodes[0])
    else:
        draft.insert(len(draft.nodes), "NoOp", [], ())
        draft.nodes[-1].after.append(node)
        draft.after.append(draft.nodes[-1])
    return True
