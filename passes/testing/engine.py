"""The generator: one engine, whatever answers its questions (see `choices`).

A graph is made step by step. A step is a node of some operator (`rules`), something with effects
or bodies (`rules_state`), or a structure of several nodes (`structure`). What is left over at the
end, the values nobody reads, are the outputs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from ge_dialect.ir.effects import EffectKind
from ge_dialect.ops.registry import op_class, op_names, op_state
from ge_dialect.semantics.registry import ROUTING, has_semantics
from passes.testing import (
    rules_index,
    rules_norm,
    rules_shape,
    rules_state,
    rules_templates,
    rules_vision,
    rules_window,
    structure,
)
from passes.testing.choices import Choices
from passes.testing.knobs import Knobs
from passes.testing.rules import make
from passes.testing.rules_templates import TEMPLATES
from passes.testing.scope import Palette, Pending, Scope, Value
from passes.testing.spec import GraphSpec
from passes.testing.tables import literal

Maker = Callable[[Scope], Pending | None]

#: Made where they are needed, by no step of their own.
IMPLIED = frozenset({"Const", "Constant", "Data", "RefData", "NetOutput", "Variable"})
_SUBGRAPHS = {
    "If": rules_state.if_,
    "While": rules_state.while_,
    "PartitionedCall": rules_state.partitioned_call,
    "For": rules_state.for_,
    "StatelessWhile": rules_state.stateless_while,
    **{op: partial(rules_state.choice, op=op) for op in ("Case", "StatelessCase", "StatelessIf")},
    **{
        op: partial(rules_state.call, op=op)
        for op in ("StatefulPartitionedCall", "AscBackend", "FusedAscBackend", "SuperKernel")
    },
}
#: They need a second rank, which a graph by itself has not.
UNPAIRED = frozenset({"HcomSend", "HcomReceive"})
#: A graph in which its condition is false has no values to compare.
ENDING = frozenset({"Assert"})
#: They take text only, and generated values are numbers.
TEXTUAL = frozenset({"PrintV2", "StringLength"})
#: They come in groups (a Switch with its Merge, a loop with its frame) that no step makes; passes
#: keep away from what they decide, which tests/passes/test_gated.py shows.
UNMADE = UNPAIRED | ENDING | TEXTUAL | ROUTING
_WRITES = ("Assign", "AssignAdd", "AssignSub", "ScatterUpdate")
_STRUCTURES: tuple[Maker, ...] = (
    structure.chain,
    structure.diamond,
    structure.residual,
    structure.fan_out,
    structure.inverse_pair,
    structure.twice,
)
#: The simplest operators come first, so that a front that shrinks ends there.
_FIRST = ("Relu", "Neg", "Add", "Sub", "Mul")
_TRIES = 4
_HINTED = (rules_index, rules_norm, rules_shape, rules_templates, rules_vision, rules_window)


def generated_ops(knobs: Knobs) -> list[str]:
    """Operators that get steps of their own under these knobs."""
    named = knobs.ops if knobs.ops is not None else [t for t in op_names() if has_semantics(t)]
    chosen = [t for t in named if t not in IMPLIED | UNMADE and t not in knobs.exclude]
    return [*(t for t in _FIRST if t in chosen), *(t for t in chosen if t not in _FIRST)]


@lru_cache(maxsize=256)
def _kinds(knobs: Knobs, operators: int) -> tuple[tuple[Maker, ...], tuple[Maker, ...]]:
    """Makers of steps, as often as their weight says; those for bodies at the depth limit, too.

    operators: `op_state()`, so that a newly registered one is seen.
    """
    ops = generated_ops(knobs)
    special = {
        *_SUBGRAPHS,
        *_WRITES,
        "Read",
        "RefIdentity",
        "Print",
        "NoOp",
        "TransData",
        "Reinterpret",
    }
    kind = {op: op_class(op).EFFECTS.kind for op in ops if op not in special}
    plain: list[Maker] = [partial(_node, op) for op, k in kind.items() if k is EffectKind.PURE]
    drawing: list[Maker] = [partial(_node, op) for op, k in kind.items() if k is EffectKind.RANDOM]
    total = max(len(plain), 20)

    def share(weight: float, makers: list[Maker]) -> list[Maker]:
        if weight <= 0.0 or not makers:
            return []
        return [m for m in makers for _ in range(max(1, round(weight * total / len(makers))))]

    def having(names: tuple[str, ...], maker: Callable[[str], Maker]) -> list[Maker]:
        return [maker(n) for n in names if n in ops]

    out = list(plain)
    out += share(knobs.structures, list(_STRUCTURES))
    out += share(knobs.duplicates, [structure.duplicate])
    states: list[Maker] = having(("Read", "Read"), lambda _: rules_state.read)
    states += having(_WRITES, lambda n: partial(_write, n))
    states += having(("RefIdentity",), lambda _: rules_state.rename)
    states += [
        partial(_touch, op) for op in ops if kind.get(op) is EffectKind.STATE and op in TEMPLATES
    ]
    out += share(knobs.refs, states)
    out += share(knobs.io, having(("Print",), lambda _: rules_state.print_))
    out += share(knobs.io / 2, [partial(_communicate, op) for op in ops if _communicates(op)])
    out += share(knobs.random, drawing)
    out += share(knobs.control / 10, having(("NoOp",), lambda _: rules_state.no_op))
    out += share(knobs.layouts, having(("TransData",), lambda _: structure.trans_data))
    out += having(("Reinterpret",), lambda _: structure.reinterpret)
    out += share(knobs.data_dependent, [structure.on_loose])
    innermost = tuple(out)
    out += share(knobs.subgraphs, having(tuple(_SUBGRAPHS), lambda n: partial(_with_bodies, n)))
    return tuple(out), innermost


def _node(op: str, scope: Scope) -> Pending | None:
    return make(scope, op)


def _write(op: str, scope: Scope) -> Pending | None:
    return rules_state.write(scope, op)


def _communicates(op: str) -> bool:
    return op_class(op).EFFECTS.channel == "hccl"


def _communicate(op: str, scope: Scope) -> Pending | None:
    return rules_state.communicate(scope, op)


def _touch(op: str, scope: Scope) -> Pending | None:
    return rules_state.touch(scope, op)


def _with_bodies(op: str, scope: Scope) -> Pending | None:
    return _SUBGRAPHS[op](scope, _another)


def _another(scope: Scope) -> Pending | None:
    """One more step; another kind where one is not possible here."""
    kinds, innermost = scope.palette.kinds
    if scope.depth >= scope.knobs.max_depth:
        kinds = innermost
    for _ in range(_TRIES):
        step = kinds[scope.source.choose(len(kinds))](scope)
        if step is not None:
            return step
    return None


def generate(source: Choices, knobs: Knobs) -> GraphSpec:
    """A graph made of the answers of `source`."""
    scope = Scope(source, knobs, Palette(source, knobs, _kinds(knobs, op_state())))
    count = 0

    def one_more() -> bool:
        nonlocal count
        if not source.more(count, knobs.min_ops, knobs.max_ops):
            return False
        count += 1
        before = len(scope.steps)
        step = _another(scope)
        if step is not None and source.flag(knobs.control):
            _wait(scope, step, before)
        return True

    while source.span(one_more):
        pass
    return scope.finish(_outputs(scope), _end_waits(scope))


def _wait(scope: Scope, step: Pending, before: int) -> None:
    """Let a node wait for one that stands before it."""
    tasks = [s for s in scope.steps[:before] if s.has_task and s not in step.after]
    if tasks and step.has_task:
        step.after.append(tasks[scope.source.index(len(tasks))])


def _end_waits(scope: Scope) -> list[Pending]:
    """Effects the end of the graph waits for, now and then."""
    effects = [s for s in scope.steps if s.op in (*_WRITES, "Print", "NoOp", "If")]
    if effects and scope.flag(0.5):
        return [effects[-1]]
    return []


def _outputs(scope: Scope) -> list[Value]:
    """What nobody reads, but for some dead values; and inner values and inputs, now and then."""
    knobs = scope.knobs
    for value in list(scope.laid_out):
        if not value.uses:
            structure.to_plain(scope, value)
    made = [*scope.values, *scope.loose]
    sinks = [v for v in made if not v.uses and v.maker is not None and v.maker.has_task]
    if knobs.dead > 0.0 and len(sinks) > 1:
        alive = [v for v in sinks if not scope.flag(knobs.dead)]
        sinks = alive or sinks[-1:]
    inner = [v for v in scope.values if v.uses and v.maker is not None]
    if inner and scope.flag(knobs.extra_outputs):
        sinks.append(scope.choose_value(inner))
    entered = [v for v in scope.values if v.maker is None or v.maker.op == "Data"]
    if entered and scope.flag(knobs.passthrough):
        sinks.append(scope.choose_value(entered))
    if not sinks:
        sinks.append(scope.values[-1] if scope.values else _something(scope))
    return sinks


def _something(scope: Scope) -> Value:
    return scope.constant(literal((), "float32", 0))
