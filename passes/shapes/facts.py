"""What every run of a graph that works fulfils, and what follows from it for sizes."""

from __future__ import annotations

from collections.abc import Iterable

from passes.shapes.expr import Atom, Expr
from passes.shapes.ranges import INF, Range, range_of
from passes.shapes.tracing import Choice, narrow, solutions


class Facts:
    """Facts about the symbols of one graph, as they are learned.

    ranges: per symbol; facts narrow them. texts: the equations that were learned.
    """

    def __init__(self, ranges: dict[str, Range]) -> None:
        self.ranges = ranges
        self.texts: list[str] = []
        self._same: dict[Atom, Expr] = {}

    def put_into(self, e: Expr) -> Expr:
        """An expression with everything learned so far put in."""
        learned = e.atoms() & self._same.keys()
        if not learned:
            return e
        self._settle(learned)
        return e.substitute(self._same)

    def _settle(self, atoms: Iterable[Atom]) -> None:
        """Put into what these atoms are what was learned since of the atoms in that."""
        same = self._same
        stack = list(atoms)
        begun = set(stack)
        while stack:
            inner = [a for a in same[stack[-1]].atoms() if a in same]
            stale = [a for a in inner if a not in begun and any(b in same for b in same[a].atoms())]
            if stale:
                stack += stale
                begun.update(stale)
                continue
            atom = stack.pop()
            if inner:
                same[atom] = same[atom].substitute(same)

    def learn(self, fact: Choice) -> None:
        """Use what every run that works fulfils."""
        difference = self.put_into(fact.difference)
        if difference.value is not None:
            return
        if fact.relation == "==" and fact.holds:
            self._unify(difference)
            return
        signs = {0} if fact.relation == "==" else {-1}
        signs = signs if fact.holds else {-1, 0, 1} - signs
        self._narrow(difference, signs)

    def _narrow(self, difference: Expr, signs: set[int]) -> None:
        if difference.terms and difference.terms[0][1] < 0:
            difference, signs = -difference, {-s for s in signs}
        if difference.value is None:
            narrow(self.ranges, difference, frozenset(signs))

    def _unify(self, difference: Expr) -> None:
        found = solutions(difference)
        # what stays is the better name: one that the user gave, then one of an input
        found.sort(key=lambda s: _esteem(s[0]))
        for atom, value in found:
            low, high = range_of(Expr({(atom,): 1}), self.ranges)
            first, last = range_of(value, self.ranges)
            if low > last or high < first:
                continue
            # what takes the place of the atom keeps to its range
            if low != -INF:
                self._narrow(value - int(low), {0, 1})
            if high != INF:
                self._narrow(value - int(high), {-1, 0})
            self._same[atom] = value
            self.texts.append(f"{atom.text} = {value}")
            return


def _esteem(atom: Atom) -> int:
    """How much an atom is worth keeping: the name that a user gave most."""
    if atom.kind != "symbol":
        return 1
    return 0 if atom.name.startswith("?") else 2 if "[" in atom.name else 3
