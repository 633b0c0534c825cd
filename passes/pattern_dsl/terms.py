"""The terms of a pattern: what an op and the values around it must look like.

Terms are plain immutable data, so that they can be printed, exported and turned into graphs. A
method such as `single_use` gives a copy with one more clause. A clause has the reason that is given
when it fails, made from the term's name unless one is passed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Operation, OpResult, SSAValue

from ge_dialect.containers import is_list, is_tuple
from ge_dialect.dtypes import ge_name
from ge_dialect.ir.attributes import LayoutAttr
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.control import control_result
from ge_dialect.ir.types import elem_of, is_static, layout_of, shape_of
from passes.folding import constant_op

T = TypeVar("T", bound="Term")

#: What a clause looks at: an op and the result it was reached by, or a value (then op is None).
Subject = tuple[Any, Any]


@dataclass(frozen=True, eq=False)
class Clause:
    """One condition on one term.

    check: called with the op (None for a value term) and the value. kind and data describe it for
    printing and export: ``("attr", (name, value))``, ``("single-use", None)``, ...
    """

    check: Callable[[Any, Any], Any]
    reason: str
    kind: str = "native"
    data: Any = None


@dataclass(frozen=True, eq=False)
class Condition:
    """One condition on a whole match, see `when`."""

    check: Callable[[Any], Any]
    reason: str


def when(check: Callable[[Any], Any], reason: str) -> Condition:
    """A condition on a match: `check` gets the match, `reason` says what is wrong if it is false.

    The reason names the condition in remarks, traces and tests, so it must be unique in its rule.
    """
    return Condition(check, reason)


@dataclass(frozen=True, eq=False)
class Term:
    """A value of the graph, with conditions. `name` is what it is called in the match."""

    name: str | None = None
    clauses: tuple[Clause, ...] = ()

    def named(self: T, name: str) -> T:
        """The term, captured under a name; the same name twice must be the same thing."""
        return replace(self, name=name)

    @property
    def label(self) -> str:
        """What reasons call the term."""
        return self.name or "a value"

    def _with(
        self: T, check: Callable[[Any, Any], object], reason: str, kind: str, data: Any = None
    ) -> T:
        return replace(self, clauses=(*self.clauses, Clause(check, reason, kind, data)))

    def where(self: T, check: Callable[[Any], Any], reason: str) -> T:
        """Any condition on the op (for a value: on the value) alone."""
        return self._with(lambda op, v: check(v if op is None else op), reason, "native")

    def dtype(self: T, *names: str, reason: str | None = None) -> T:
        """The element type is one of GE's names ("float16")."""
        said = reason or f"the dtype of {self.label} is not {_either(names)}"
        return self._with(
            lambda op, v: ge_name(elem_of(v.type)) in names, said, "dtype", tuple(names)
        )

    def rank(self: T, *ranks: int, reason: str | None = None) -> T:
        """The number of axes is known and one of these."""
        said = reason or f"the rank of {self.label} is not {_either(ranks)}"
        return self._with(
            lambda op, v: (s := shape_of(v.type)) is not None and len(s) in ranks,
            said,
            "rank",
            tuple(ranks),
        )

    def shape(self: T, *dims: int | None, reason: str | None = None) -> T:
        """The shape has these dimensions; None stands for any."""
        shown = "x".join("_" if d is None else str(d) for d in dims)
        said = reason or f"the shape of {self.label} is not {shown}"

        def fits(op: Any, value: Any) -> bool:
            found = shape_of(value.type)
            return (
                found is not None
                and len(found) == len(dims)
                and all(w is None or f == w for f, w in zip(found, dims, strict=True))
            )

        return self._with(fits, said, "shape", tuple(dims))

    def static(self: T, reason: str | None = None) -> T:
        """All dimensions are known."""
        said = reason or f"the shape of {self.label} is not known"
        return self._with(lambda op, v: is_static(v.type), said, "static")

    def layout(self: T, *formats: str | None, reason: str | None = None) -> T:
        """The storage format is one of these; None stands for no particular layout."""
        shown = _either(["none" if f is None else f for f in formats])
        said = reason or f"the layout of {self.label} is not {shown}"

        def fits(op: Any, value: Any) -> bool:
            found: LayoutAttr | None = layout_of(value.type)
            return (None if found is None else found.format) in formats

        return self._with(fits, said, "layout", tuple(formats))

    def single_use(self: T, reason: str | None = None) -> T:
        """One op reads the value, once (a graph output is a use)."""
        said = reason or f"{self.label} has other users"
        return self._with(lambda op, v: v.has_one_use(), said, "single-use")


@dataclass(frozen=True, eq=False)
class Value(Term):
    """Any value."""

    def constant(self, reason: str | None = None) -> Value:
        """The value comes from a Const; unlike with `const`, a failure is a missed rewrite."""
        said = reason or f"{self.label} is no constant"
        return self._with(lambda op, v: constant_op(v) is not None, said, "constant")


@dataclass(frozen=True, eq=False)
class Const(Term):
    """The value of a Const."""

    @property
    def label(self) -> str:
        """What reasons call the term."""
        return self.name or "the constant"

    def filled_with(self, number: float, reason: str | None = None) -> Const:
        """All elements of the (inline) constant are this number."""
        said = reason or f"{self.label} is not {number:g} everywhere"
        return self._with(lambda op, v: holds_only(v, number), said, "filled", number)


@dataclass(frozen=True, eq=False)
class Values(Term):
    """All values of a dynamic input, captured as a tuple."""


@dataclass(frozen=True, eq=False)
class Optional(Term):
    """An optional input that is not connected, or fits `term`. The capture is None when absent."""

    term: Term = field(default_factory=Value)


@dataclass(frozen=True, eq=False)
class Absent(Term):
    """An optional input that is not connected; with a `reason`, a connected one is a miss."""

    reason: str | None = None


@dataclass(frozen=True, eq=False)
class AnyOf(Term):
    """A value that fits one of several terms, tried in order."""

    terms: tuple[Term, ...] = ()


@dataclass(frozen=True, eq=False)
class Node(Term):
    """The result of an op of one of `types`, whose inputs fit.

    inputs: by name or position; those left out may be anything. result: which result. swaps:
    whether the first two inputs may change places. absorbed: the op has no other purpose (its
    result is used once, its other results never, nothing waits for it), and goes when the rule
    applies. guards: conditions that belong to the shape.
    """

    types: tuple[str, ...] = ()
    inputs: tuple[tuple[str | int, Term], ...] = ()
    result: int = 0
    swaps: bool = False
    absorbed: bool = False
    guards: tuple[Clause, ...] = ()

    @property
    def label(self) -> str:
        """What reasons call the term."""
        return self.name or f"the {_either(self.types)}"

    def only(self, check: Callable[[Any], Any], reason: str) -> Node:
        """Part of the shape: an op for which `check` is false is no candidate (and no miss)."""
        guard = Clause(lambda op, v: check(op), reason, "only")
        return replace(self, guards=(*self.guards, guard))

    def commutative(self) -> Node:
        """The first two inputs may come in either order."""
        return replace(self, swaps=True)

    def output(self, index: int) -> Node:
        """The op is reached by another result than the first."""
        return replace(self, result=index)

    def attr(self, _name: str | None = None, _value: Any = None, **values: Any) -> Node:
        """Attributes have these values (Python values; a callable gets the value and judges it).

        ``attr(axis=1)``, ``attr("axis", 1)``, ``attr("axis", lambda a: a >= 0)``.
        """
        given = {**({} if _name is None else {_name: _value}), **values}
        out = self
        for name, wanted in given.items():
            out = out._attr(name, wanted, None)
        return out

    def attr_is(self, name: str, wanted: Any, reason: str) -> Node:
        """One attribute, as `attr`, with the reason of a failure."""
        return self._attr(name, wanted, reason)

    def _attr(self, name: str, wanted: Any, reason: str | None) -> Node:
        if callable(wanted):
            said = reason or f"{name} of {self.label} does not fit"
            return self._with(lambda op, v: wanted(op.ge_attr(name)), said, "native")
        plain = _plain(wanted)
        said = reason or f"{name} of {self.label} is not {_shown(plain)}"
        return self._with(
            lambda op, v: _plain(op.ge_attr(name)) == plain, said, "attr", (name, plain)
        )

    def absorb(self, users: str | None = None, waits: str | None = None) -> Node:
        """The op goes with the rewrite: nothing else reads its results or waits for it.

        users, waits: the reasons given when something else does.
        """
        said = users or f"the result of {self.label} has other users"
        out = self._with(_read_once, said, "single-use")
        said = waits or f"another node waits for {self.label}"
        out = out._with(lambda op, v: not _is_awaited(op), said, "unawaited")
        return replace(out, absorbed=True)

    def not_awaited(self, reason: str | None = None) -> Node:
        """No control edge starts at the op."""
        said = reason or f"another node waits for {self.label}"
        return self._with(lambda op, v: not _is_awaited(op), said, "unawaited")


def value(name: str | None = None) -> Value:
    """Any value, captured under `name`."""
    return Value(name)


def const(name: str | None = None) -> Const:
    """The value of a Const."""
    return Const(name)


def values(name: str | None = None) -> Values:
    """All values of a dynamic input, captured as a tuple."""
    return Values(name)


def optional(term: Term) -> Optional:
    """An optional input: not connected, or as `term` says."""
    return Optional(term.name, (), term)


def absent(reason: str | None = None) -> Absent:
    """An optional input that is not connected."""
    return Absent(None, (), reason)


def any_of(*terms: Term) -> AnyOf:
    """One of several terms; the first that leads to a match counts."""
    return AnyOf(None, (), terms)


def node(*parts: str | Term, **inputs: Term) -> Node:
    """An op: its types, then its inputs by position or (as keywords) by name.

    ``node("Add", x, node("Neg", y))``; ``node("Conv2D", "DepthwiseConv2D", filter=const("w"))``.
    """
    types = tuple(p for p in parts if isinstance(p, str))
    positional = [p for p in parts if isinstance(p, Term)]
    if not types:
        raise ValueError("a node needs at least one operator type")
    if any(isinstance(p, str) for p in parts[len(types) :]):
        raise ValueError("operator types come before inputs")
    given = (*enumerate(positional), *inputs.items())
    return Node(None, (), types, given)


def terms_of(term: Term) -> Iterator[Term]:
    """A term and all terms inside it, outermost first."""
    yield term
    inner: list[Term] = []
    if isinstance(term, Node):
        inner = [t for _, t in term.inputs]
    elif isinstance(term, Optional):
        inner = [term.term]
    elif isinstance(term, AnyOf):
        inner = list(term.terms)
    for t in inner:
        yield from terms_of(t)


# --------------------------------------------------------------------------------------- facts


def holds_only(value_: SSAValue, number: float) -> bool:
    """Whether a value is an inline constant all of whose elements are `number`."""
    held = getattr(constant_op(value_), "properties", {}).get("value")
    if not isinstance(held, DenseIntOrFPElementsAttr):
        return False
    return all(v == number for v in held.get_values())


def _read_once(op: Operation, value_: OpResult) -> bool:
    if not value_.has_one_use():
        return False
    done = control_result(op)
    return all(r is value_ or r is done or r.first_use is None for r in op.results)


def _is_awaited(op: Operation) -> bool:
    done = control_result(op)
    return done is not None and done.first_use is not None


def _plain(held: Any) -> Any:
    return tuple(_plain(v) for v in held) if is_list(held) or is_tuple(held) else held


def _shown(held: Any) -> str:
    return str(list(held)) if is_tuple(held) else str(held)


def _either(options: Sequence[Any]) -> str:
    return " or ".join(str(o) for o in options)


def is_ge(op: Any) -> bool:
    """Whether an op is one of ours."""
    return isinstance(op, GeOp)
