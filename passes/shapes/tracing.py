"""Running an inference rule on symbolic sizes.

A rule is Python code about integers. Here it gets `Size`s: objects that compute like integers and
carry an expression. Where the rule compares sizes and their ranges do not decide, the rule is run
once for either answer, and the results are joined: equal results, or those that a maximum, a
broadcast or a substitution explains, are one expression; others are a size of which only a range
is known. An answer with which the rule refuses the node cannot happen in a run that works; what
follows from that is a fact. A rule that needs the number itself cannot be traced (`Untraceable`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any, TypeAlias

from ge_dialect.infer.errors import InferError
from passes.shapes.expr import (
    MAX_PARTS,
    ONE,
    ZERO,
    Atom,
    Expr,
    broadcast,
    constant,
    maximum,
    minimum,
)
from passes.shapes.ranges import INF, Range, meet, range_of, union

#: A rule is run at most this often for one node.
MAX_RUNS = 160
#: Within a rule a sum may have more terms than one that is followed: its range is still of use.
_MOST_TERMS = 4 * MAX_PARTS
#: Ends of slices from here on mean "to the end".
_NO_LIMIT = 1 << 62
#: Denominators up to here are exact in products of sizes and floats.
_FINEST = 1 << 10


class Untraceable(Exception):
    """The rule needs a number where there is an expression, or asks too much."""


class Size:
    """A size in a rule that is being traced."""

    __slots__ = ("expr", "path")
    is_symbolic = True

    def __init__(self, expr: Expr, path: Path) -> None:
        self.expr = expr
        self.path = path

    def _new(self, e: Expr) -> Any:
        value = e.value
        if value is not None:
            return value
        if len(e.terms) > _MOST_TERMS:
            raise Untraceable("a size of too many parts")
        return Size(e, self.path)

    def __add__(self, other: Any) -> Any:
        return self._new(self.expr + expr_of(other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._new(self.expr - expr_of(other))

    def __rsub__(self, other: Any) -> Any:
        return self._new(expr_of(other) - self.expr)

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, float):
            top, by = other.as_integer_ratio()
            if by > _FINEST:
                raise Untraceable("a size times a number that is not short")
            return Scaled(self * top, by)
        return self._new(self.expr * expr_of(other))

    __rmul__ = __mul__

    def __neg__(self) -> Any:
        return self._new(-self.expr)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return -self if self < 0 else self

    def _quotient(self, a: Expr, b: Expr) -> Expr:
        if self.path.holds(b, "=="):
            raise ZeroDivisionError("division of a size by zero")
        return a // b

    def __floordiv__(self, other: Any) -> Any:
        return self._new(self._quotient(self.expr, expr_of(other)))

    def __rfloordiv__(self, other: Any) -> Any:
        return self._new(self._quotient(expr_of(other), self.expr))

    def __mod__(self, other: Any) -> Any:
        by = expr_of(other)
        return self._new(self.expr - self._quotient(self.expr, by) * by)

    def __rmod__(self, other: Any) -> Any:
        a = expr_of(other)
        return self._new(a - self._quotient(a, self.expr) * self.expr)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __lt__(self, other: Any) -> bool:
        return self.path.holds(self.expr - expr_of(other), "<")

    def __le__(self, other: Any) -> bool:
        return not self > other

    def __gt__(self, other: Any) -> bool:
        return self.path.holds(expr_of(other) - self.expr, "<")

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __eq__(self, other: object) -> bool:
        if other is None or not (isinstance(other, Size | int) or hasattr(other, "__index__")):
            return False
        return self.path.holds(self.expr - expr_of(other), "==")

    def __hash__(self) -> int:
        return hash(self.expr)

    def __bool__(self) -> bool:
        return not self.path.holds(self.expr, "==")

    def _refuse(self, *_: Any) -> Any:
        raise Untraceable(str(self.expr))

    def _whole(self) -> Any:
        return self

    __floor__ = __ceil__ = __trunc__ = __round__ = _whole
    __index__ = __int__ = __float__ = _refuse
    __truediv__ = __rtruediv__ = __pow__ = __rpow__ = __and__ = __or__ = __rshift__ = _refuse

    def __str__(self) -> str:
        return str(self.expr)

    __repr__ = __str__

    def slice_length(self, size: Any, begin: Any, end: Any, stride: int) -> Any:
        """Number of elements of [begin:end:stride] of an axis of `size`, by Python's rule."""
        if isinstance(stride, Size):
            raise Untraceable("a stride that is not known")
        path = self.path
        length = expr_of(size)
        low, high = (ZERO, length) if stride > 0 else (constant(-1), length - 1)

        def placed(at: Any, default: Expr) -> Expr:
            if at is None:
                return default
            e = expr_of(at)
            if path.holds(e, "<"):
                return path.maximum(e + length, low)
            return path.minimum(e, high)

        first = placed(begin, low if stride > 0 else high)
        last = placed(end, high if stride > 0 else low)
        span = last - first if stride > 0 else first - last
        step = abs(stride)
        return self._new(path.maximum((span + (step - 1)) // step, ZERO))


class Scaled:
    """A size times a fraction, on its way to a whole number."""

    def __init__(self, top: Any, by: int) -> None:
        self.top = top
        self.by = by

    def __floor__(self) -> Any:
        return self.top // self.by

    def __ceil__(self) -> Any:
        return -(-self.top // self.by)


def expr_of(value: Any) -> Expr:
    """The expression of a size or of a number."""
    if isinstance(value, Size):
        return value.expr
    return constant(value.__index__())


@dataclass(frozen=True)
class Choice:
    """An answer that ranges did not give: whether `difference` is 0 ("==") or below 0 ("<")."""

    difference: Expr
    relation: str
    holds: bool


class _Layer(MutableMapping[str, Range]):
    """Ranges on top of others, which stay as they are and are not copied."""

    def __init__(self, base: Mapping[str, Range]) -> None:
        self._base = base
        self._own: dict[str, Range] = {}

    def __getitem__(self, name: str) -> Range:
        found = self._own.get(name)
        return self._base[name] if found is None else found

    def get(self, name: str, default: Any = None) -> Any:
        """The range of a symbol; without `in` first, which `Mapping` would ask."""
        found = self._own.get(name)
        return self._base.get(name, default) if found is None else found

    def __setitem__(self, name: str, limits: Range) -> None:
        self._own[name] = limits

    def __delitem__(self, name: str) -> None:
        del self._own[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._base, **self._own})

    def __len__(self) -> int:
        return len({**self._base, **self._own})


class Path:
    """One run of a rule: what was decided so far, and what is known through that.

    ranges: those of the symbols, whatever is decided. schedule: answers to the first questions
    that ranges leave open; later ones are answered with no.
    """

    def __init__(self, ranges: Mapping[str, Range], schedule: Sequence[bool] = ()) -> None:
        self.base = ranges
        self.ranges = _Layer(ranges)
        self.schedule = schedule
        self.trace: list[Choice] = []
        self._signs: dict[Expr, frozenset[int]] = {}

    def minimum(self, a: Expr, b: Expr) -> Expr:
        """The smaller one; for all sizes, not only those of this path."""
        for x, y in ((a, b), (b, a)):
            if (x.value or 0) >= _NO_LIMIT or range_of(x - y, self.base)[0] >= 0:
                return y
        return minimum((a, b))

    def maximum(self, a: Expr, b: Expr) -> Expr:
        """The larger one; for all sizes, not only those of this path."""
        for x, y in ((a, b), (b, a)):
            if range_of(x - y, self.base)[0] >= 0:
                return x
        return maximum((a, b))

    def holds(self, difference: Expr, relation: str) -> bool:
        """Whether a difference of sizes is zero ("==") or negative ("<")."""
        value = difference.value
        if value is not None:
            return value == 0 if relation == "==" else value < 0
        if relation == "==" and len(difference.terms) == 1 and len(difference.terms[0][0]) > 1:
            atoms = set(difference.terms[0][0])
            parts = sorted((Expr({(a,): 1}) for a in atoms), key=str)
            return any(self.holds(p, "==") for p in parts)
        key, sign = _normal(difference)
        possible = self._possible(key)
        wanted = {0} if relation == "==" else {-sign}
        if possible <= wanted:
            return True
        if not possible & wanted:
            return False
        at = len(self.trace)
        if at >= len(self.schedule) + MAX_RUNS:
            raise Untraceable("too many cases")  # each choice is one more run at least
        answer = self.schedule[at] if at < len(self.schedule) else False
        self.trace.append(Choice(difference, relation, answer))
        self._learn(key, possible & wanted if answer else possible - wanted)
        return answer

    def _possible(self, key: Expr) -> frozenset[int]:
        low, high = range_of(key, self.ranges)
        signs = {s for s, on in ((-1, low < 0), (0, low <= 0 <= high), (1, high > 0)) if on}
        known = self._signs.get(key)
        return frozenset(signs if known is None else signs & known)

    def _learn(self, key: Expr, signs: frozenset[int]) -> None:
        self._signs[key] = signs
        narrow(self.ranges, key, signs)


def narrow(ranges: MutableMapping[str, Range], key: Expr, signs: frozenset[int]) -> None:
    """Make the range of a symbol say that factor * symbol + offset has one of these signs."""
    if len(key.terms) - (key.offset != 0) != 1 or len(key.terms[0][0]) != 1:
        return
    (atom,), factor = key.terms[0]
    if atom.kind != "symbol" or factor <= 0:
        return
    low, high = ranges.get(atom.name, (-INF, INF))
    at, uneven = divmod(-key.offset, factor)  # the sign changes at this value
    if signs == frozenset({-1, 1}):
        if not uneven:
            low, high = low + (low == at), high - (high == at)
    else:
        if -1 not in signs:
            low = max(low, at + 1 if uneven or 0 not in signs else at)
        if 1 not in signs:
            high = min(high, at if uneven or 0 in signs else at - 1)
    if low <= high:
        ranges[atom.name] = (low, high)


def _normal(difference: Expr) -> tuple[Expr, int]:
    """The difference up to a positive factor and its sign, and that sign."""
    factors = [c for _, c in difference.terms]
    common = gcd(*factors)
    sign = 1 if factors[0] > 0 else -1
    return Expr({m: c // common * sign for m, c in difference.terms}), sign


# ---------------------------------------------------------------------------------- outcomes


@dataclass(frozen=True)
class Vague:
    """A size of which only the range is known."""

    range: Range


#: One dim of a result: an expression and its range on the path, or only a range.
Dim: TypeAlias = "tuple[Expr, Range] | Vague"
#: Shapes of the results, None for an unknown rank; None as a whole where the rule refuses.
Outcome: TypeAlias = "list[tuple[Dim, ...] | None] | None"


@dataclass
class Traced:
    """What a rule says for all sizes, and the choices that every run that works makes."""

    shapes: Outcome
    facts: list[Choice]


def trace(rule: Callable[[Path], Any], ranges: Mapping[str, Range]) -> Traced:
    """Run `rule` (which gives shapes of sizes) on all paths and join what it says.

    Raises Untraceable where that is not possible.
    """
    runs = 0

    def once(schedule: Sequence[bool]) -> tuple[list[Choice], Outcome]:
        nonlocal runs
        runs += 1
        if runs > MAX_RUNS:
            raise Untraceable("too many cases")
        path = Path(ranges, schedule)
        try:
            shapes = rule(path)
            return path.trace, [_dims(s, path) for s in shapes]
        except (InferError, ZeroDivisionError):
            return path.trace, None

    def explore(schedule: list[bool]) -> Traced:
        choices, outcome = once(schedule)
        if runs + len(choices) - len(schedule) > MAX_RUNS:  # each is one more run at least
            raise Untraceable("too many cases")
        found = Traced(outcome, [])
        for at in range(len(choices) - 1, len(schedule) - 1, -1):
            other = explore([c.holds for c in choices[:at]] + [not choices[at].holds])
            yes, no = (found, other) if choices[at].holds else (other, found)
            found = _joined(choices[at], yes, no, ranges)
        return found

    return explore([])


def _dims(shape: Any, path: Path) -> tuple[Dim, ...] | None:
    if shape is None:
        return None
    out: list[Dim] = []
    for d in shape:
        e = expr_of(d)
        if (e.value or 0) < 0:
            out.append(Vague((0, INF)))
        else:
            out.append((e, meet(range_of(e, path.ranges), (0, INF))))
    return tuple(out)


def _joined(choice: Choice, yes: Traced, no: Traced, ranges: Mapping[str, Range]) -> Traced:
    if yes.shapes is None and no.shapes is None:
        return Traced(None, [])
    if yes.shapes is None or no.shapes is None:
        kept = no if yes.shapes is None else yes
        fact = Choice(choice.difference, choice.relation, yes.shapes is not None)
        return Traced(kept.shapes, [fact, *kept.facts])
    shapes: list[tuple[Dim, ...] | None] = []
    for a, b in zip(yes.shapes, no.shapes, strict=True):
        if a is None or b is None or len(a) != len(b):
            shapes.append(None)
        else:
            shapes.append(tuple([_one(choice, x, y, ranges) for x, y in zip(a, b, strict=True)]))
    return Traced(shapes, [f for f in yes.facts if f in no.facts])


def _one(choice: Choice, yes: Dim, no: Dim, ranges: Mapping[str, Range]) -> Dim:
    if isinstance(yes, Vague) or isinstance(no, Vague):
        # a rule that writes -1 for a size below zero
        if isinstance(yes, Vague) and not isinstance(no, Vague):
            if choice.relation == "<" and no[0].value is None:
                if _normal(choice.difference) == _normal(no[0]):
                    return no
        return Vague(union(_range(yes), _range(no)))
    both = union(yes[1], no[1])
    found = _explained(choice, yes[0], no[0])
    if found is not None:
        found = _stretched(found, ranges)
    return Vague(both) if found is None else (found, both)


def _range(dim: Dim) -> Range:
    return dim.range if isinstance(dim, Vague) else dim[1]


def _explained(choice: Choice, yes: Expr, no: Expr) -> Expr | None:
    """One expression that is `yes` where the choice holds and `no` where it does not."""
    if yes == no:
        return yes
    d = choice.difference
    if choice.relation == "<":
        apart = yes - no
        if apart == d:
            return minimum((yes, no))
        if apart == -d:
            return maximum((yes, no))
        return None
    for atom, value in solutions(d):
        put = {atom: value}
        if no.substitute(put) == yes.substitute(put):
            return no
    if d in (no - ONE, ONE - no):
        return broadcast((yes, no))  # broadcasting: `yes` counts where `no` is 1
    parts = _parts(no)
    others = set(parts)
    for one in parts:
        # equal sizes of a broadcast: either may be left out
        if one - d in others or one + d in others:
            if yes == broadcast([x for x in parts if x is not one]):
                return no
    return None


def _stretched(e: Expr, ranges: Mapping[str, Range]) -> Expr:
    """A broadcast without the sizes that are at least 1 and never above another one."""
    parts = list(_parts(e))
    composed = [p for p in parts if p.name is None]
    for a in list(parts):
        low, high = range_of(a, ranges)
        if len(parts) > 1 and low >= 1:
            # no other symbol says of one without limit that it is never above
            rivals = composed if high == INF and a.name is not None else parts
            if any(range_of(b - a, ranges)[0] >= 0 for b in rivals if b is not a):
                parts.remove(a)
                composed = [p for p in composed if p is not a]
    return broadcast(parts) if parts else e


def _parts(e: Expr) -> tuple[Expr, ...]:
    if len(e.terms) == 1 and len(e.terms[0][0]) == 1 and e.terms[0][0][0].kind == "broadcast":
        return e.terms[0][0][0].args
    return ()


def solutions(difference: Expr) -> list[tuple[Atom, Expr]]:
    """Atoms that `difference` == 0 gives, each with what it is: those that enter it once."""
    out: list[tuple[Atom, Expr]] = []
    for monomial, factor in difference.terms:
        if abs(factor) != 1 or len(monomial) != 1:
            continue
        rest = difference - Expr({monomial: factor})
        if monomial[0] not in rest.atoms():
            out.append((monomial[0], -rest if factor == 1 else rest))
    return out
