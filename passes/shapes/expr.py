"""Exact integer expressions in canonical form.

An expression is a polynomial with integer coefficients over atoms; an atom is a symbol, a floor
division that does not come out even, or a minimum, maximum or broadcast of expressions. Equal
polynomials over equal atoms are equal objects by ``==``; ceiling division is a floor division with
another numerator, so the two spellings of one size meet.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

Monomial = tuple["Atom", ...]
#: Polynomials are divided by polynomials in at most this many steps.
_MAX_STEPS = 32
#: A size of more terms, or of more symbols and functions, is not followed as an expression.
MAX_PARTS = 64


class Atom:
    """A symbol (`kind` "symbol", `name`) or a function of expressions (`kind`, `args`)."""

    __slots__ = ("_hash", "args", "kind", "name", "text")

    def __init__(self, kind: str, name: str = "", args: tuple[Expr, ...] = ()) -> None:
        self.kind = kind
        self.name = name
        self.args = args
        self.text = name if kind == "symbol" else _call_text(kind, args)
        self._hash = hash((kind, name, args))

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Atom)
            and self._hash == other._hash
            and self.kind == other.kind
            and self.name == other.name
            and self.args == other.args
        )

    def __hash__(self) -> int:
        return self._hash


class Expr:
    """A polynomial over atoms. Immutable; compare with ``==``, print with `str`.

    Build with `symbol`, `constant`, the operators ``+ - * //``, `ceildiv`, `minimum`, `maximum`
    and `broadcast`.
    """

    __slots__ = ("_atoms", "_hash", "terms")

    def __init__(self, terms: Mapping[Monomial, int]) -> None:
        kept = [(m, c) for m, c in terms.items() if c]
        kept.sort(key=lambda t: (-len(t[0]), [a.text for a in t[0]]))
        self.terms = tuple(kept)
        self._hash = hash(self.terms)
        self._atoms: frozenset[Atom] | None = None

    @property
    def value(self) -> int | None:
        """The integer that the expression is, None where it depends on a symbol."""
        if not self.terms:
            return 0
        if len(self.terms) == 1 and not self.terms[0][0]:
            return self.terms[0][1]
        return None

    @property
    def offset(self) -> int:
        """The constant term."""
        return self.terms[-1][1] if self.terms and not self.terms[-1][0] else 0

    @property
    def name(self) -> str | None:
        """The symbol's name where the expression is just a symbol."""
        if len(self.terms) == 1:
            monomial, factor = self.terms[0]
            if factor == 1 and len(monomial) == 1 and monomial[0].kind == "symbol":
                return monomial[0].name
        return None

    def symbols(self) -> frozenset[str]:
        """Names of the symbols in it."""
        return frozenset([a.name for a in self.atoms() if a.kind == "symbol"])

    def atoms(self) -> frozenset[Atom]:
        """All atoms in it, those within atoms included."""
        if self._atoms is None:
            out: set[Atom] = set()
            for monomial, _ in self.terms:
                for atom in monomial:
                    out.add(atom)
                    for arg in atom.args:
                        out |= arg.atoms()
            self._atoms = frozenset(out)
        return self._atoms

    @property
    def is_long(self) -> bool:
        """Whether it has more parts than are worth following."""
        return len(self.terms) > MAX_PARTS or len(self.atoms()) > MAX_PARTS

    def substitute(self, values: Mapping[Atom, Expr]) -> Expr:
        """The expression with atoms replaced, in canonical form."""
        if not values or not self.atoms() & values.keys():
            return self
        total = ZERO
        for monomial, factor in self.terms:
            part = constant(factor)
            for atom in monomial:
                part = part * _replace(atom, values)
            total = total + part
        return total

    def evaluate(self, sizes: Mapping[str, int]) -> int:
        """The number it is for these sizes; KeyError for a symbol without one."""
        total = 0
        for monomial, factor in self.terms:
            for atom in monomial:
                factor *= _evaluate(atom, sizes)
            total += factor
        return total

    def __add__(self, other: Expr | int) -> Expr:
        terms = dict(self.terms)
        for monomial, factor in as_expr(other).terms:
            terms[monomial] = terms.get(monomial, 0) + factor
        return Expr(terms)

    __radd__ = __add__

    def __neg__(self) -> Expr:
        return Expr({m: -c for m, c in self.terms})

    def __sub__(self, other: Expr | int) -> Expr:
        return self + -as_expr(other)

    def __rsub__(self, other: Expr | int) -> Expr:
        return as_expr(other) - self

    def __mul__(self, other: Expr | int) -> Expr:
        terms: dict[Monomial, int] = {}
        for a, x in self.terms:
            for b, y in as_expr(other).terms:
                both = _sorted((*a, *b))
                terms[both] = terms.get(both, 0) + x * y
        return Expr(terms)

    __rmul__ = __mul__

    def __floordiv__(self, other: Expr | int) -> Expr:
        return _floordiv(self, as_expr(other))

    def __rfloordiv__(self, other: Expr | int) -> Expr:
        return _floordiv(as_expr(other), self)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, int):
            return self.value == other
        return self is other or (
            isinstance(other, Expr) and self._hash == other._hash and self.terms == other.terms
        )

    def __hash__(self) -> int:
        value = self.value
        return self._hash if value is None else hash(value)

    def __str__(self) -> str:
        if not self.terms:
            return "0"
        parts: list[str] = []
        for monomial, factor in self.terms:
            factors = [a.text for a in monomial]
            if abs(factor) != 1 or not monomial:
                factors.insert(0, str(abs(factor)))
            sign = (" - " if factor < 0 else " + ") if parts else ("-" if factor < 0 else "")
            parts.append(sign + "*".join(factors))
        return "".join(parts)

    __repr__ = __str__


def constant(value: int) -> Expr:
    """An integer as an expression."""
    return Expr({(): int(value)})


def symbol(name: str) -> Expr:
    """The symbol of that name."""
    return Expr({(Atom("symbol", name),): 1})


def as_expr(value: Any) -> Expr:
    """`value` itself, or the constant that an integer is."""
    return value if isinstance(value, Expr) else constant(value)


def ceildiv(a: Expr, b: Expr | int) -> Expr:
    """The quotient, rounded up."""
    return -(-a // b)


def minimum(args: Iterable[Expr]) -> Expr:
    """The smallest."""
    return _extreme("min", args)


def maximum(args: Iterable[Expr]) -> Expr:
    """The largest."""
    return _extreme("max", args)


def broadcast(args: Iterable[Expr]) -> Expr:
    """The size that sizes broadcast to: that of those other than 1, which agree."""
    flat = _flatten("broadcast", args)
    kept = {a for a in flat if a != 1}
    known = [a for a in kept if a.value is not None]
    if known:
        return known[0]  # all others are 1 or the same
    # a against min(a, b, ...): equal, or a is 1, or the minimum is 1 and the parts are at least 1
    for a in list(kept):
        for one in _only(a, "min"):
            if a in kept and one in kept and all(x == one or (x.value or 0) > 0 for x in _args(a)):
                kept.discard(a)
    if not kept:
        return ONE
    return next(iter(kept)) if len(kept) == 1 else _call("broadcast", kept)


# ------------------------------------------------------------------------------------ inside


def _replace(atom: Atom, values: Mapping[Atom, Expr]) -> Expr:
    found = values.get(atom)
    if found is not None:
        return found
    if atom.kind == "symbol":
        return Expr({(atom,): 1})
    args = [a.substitute(values) for a in atom.args]
    if atom.kind == "floordiv":
        return args[0] // args[1]
    return {"min": minimum, "max": maximum, "broadcast": broadcast}[atom.kind](args)


def _evaluate(atom: Atom, sizes: Mapping[str, int]) -> int:
    if atom.kind == "symbol":
        return sizes[atom.name]
    args = [a.evaluate(sizes) for a in atom.args]
    if atom.kind == "floordiv":
        return args[0] // args[1]
    if atom.kind == "broadcast":
        return next((a for a in args if a != 1), 1)
    return min(args) if atom.kind == "min" else max(args)


def _sorted(monomial: Iterable[Atom]) -> Monomial:
    return tuple(sorted(monomial, key=lambda a: a.text))


def _call(kind: str, args: Iterable[Expr]) -> Expr:
    return Expr({(Atom(kind, args=tuple(sorted(args, key=str))),): 1})


def _args(e: Expr) -> tuple[Expr, ...]:
    return e.terms[0][0][0].args


def _only(e: Expr, kind: str) -> tuple[Expr, ...]:
    """Arguments where `e` is one call of that kind, else nothing."""
    if len(e.terms) == 1:
        monomial, factor = e.terms[0]
        if factor == 1 and len(monomial) == 1 and monomial[0].kind == kind:
            return monomial[0].args
    return ()


def _flatten(kind: str, args: Iterable[Expr]) -> list[Expr]:
    return [x for a in args for x in (_only(a, kind) or (a,))]


def _extreme(kind: str, args: Iterable[Expr]) -> Expr:
    wanted = -1 if kind == "min" else 1
    kept: list[Expr] = []
    for a in _flatten(kind, args):
        apart = [(b, (a - b).value) for b in kept]
        if any(d is not None and d * wanted <= 0 for _, d in apart):
            continue
        kept = [b for b, d in apart if d is None]
        kept.append(a)
    other = "max" if kind == "min" else "min"
    # min(a, max(a, b)) is a
    kept = [a for a in kept if not any(b in _only(a, other) for b in kept)]
    return kept[0] if len(kept) == 1 else _call(kind, kept)


def _floordiv(a: Expr, b: Expr) -> Expr:
    divisor = b.value
    if divisor is None:
        exact = _divide(a, b)
        if exact is not None:
            return exact
        return Expr({(Atom("floordiv", args=(a, b)),): 1})
    if divisor == 0:
        raise ZeroDivisionError("division of a size by zero")
    if divisor < 0:
        a, divisor = -a, -divisor
    even = {m: c // divisor for m, c in a.terms if not m or c % divisor == 0}
    rest = {m: c for m, c in a.terms if m and c % divisor}
    if not rest:
        return Expr(even)
    spare = a.offset % divisor
    common = math.gcd(divisor, *rest.values())
    divisor //= common
    spare //= common
    rest = {m: c // common for m, c in rest.items()}
    odd = Expr(rest)
    inner = _only(odd, "floordiv")
    if divisor == 1:
        return Expr(even) + odd
    if inner and (inner[1].value or 0) > 0:
        return Expr(even) + (inner[0] + spare * inner[1]) // (inner[1] * divisor)
    sign = 1
    if odd.terms[0][1] < 0:
        sign, odd, spare = -1, -odd, divisor - 1 - spare
    atom = Atom("floordiv", args=(odd + spare, constant(divisor)))
    return Expr(even) + Expr({(atom,): sign})


def _divide(a: Expr, b: Expr) -> Expr | None:
    """The quotient where the division comes out even as one of polynomials."""
    out = ZERO
    lead, by = b.terms[0]
    for _ in range(_MAX_STEPS):
        if not a.terms:
            return out
        monomial, factor = a.terms[0]
        left = list(monomial)
        for atom in lead:
            if atom not in left:
                return None
            left.remove(atom)
        if factor % by:
            return None
        step = Expr({tuple(left): factor // by})
        out = out + step
        a = a - step * b
    return None


def _call_text(kind: str, args: tuple[Expr, ...]) -> str:
    if kind != "floordiv":
        return f"{kind}({', '.join(map(str, args))})"
    top, by = args
    divisor = by.value
    if divisor is not None and top.offset == divisor - 1:
        return f"ceildiv({top - top.offset}, {divisor})"
    return f"floordiv({top}, {by})"


ZERO = constant(0)
ONE = constant(1)
