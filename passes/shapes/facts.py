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
        #: Which fact an atom comes from, and how many facts were put into what it is.
        self._number: dict[Atom, int] = {}
        self._seen: dict[Atom, int] = {}

    def put_into(self, e: Expr) -> Expr:
        """An expression with everything learned so far put in."""
        learned = e.atoms() & self._same.keys()
        if not learned:
            return e
        self._settle(learned)
        return e.substitute(self._same)

    def _settle(self, atoms: Iterable[Atom]) -> None:
        """Put into what these atoms are what was learned since of the atoms in that.

        Each fact goes once into those before it, also where putting in others brings its atom up,
        and never into itself or a later one, which that may bring up too.
        """
        same, number, seen = self._same, self._number, self._seen
        now = len(self.texts)
        put: dict[Atom, set[Atom]] = {}
        stack = list(atoms)
        while stack:
            atom = stack[-1]
            done = put.setdefault(atom, set())
            found = same[atom].atoms() - done
            later = [a for a in found if number.get(a, -1) >= seen[atom]]
            if seen[atom] == now or not later:
                seen[atom] = now
                stack.pop()
            elif stale := [a for a in later if seen[a] < now]:
                stack += stale
            else:
                same[atom] = same[atom].substitute({a: same[a] for a in later})
                done.update(later)

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
            self._number[atom] = len(self.texts)
            self._seen[atom] = len(self.texts) + 1
            self.texts.append(f"{atom.text} = {value}")
            return


def _esteem(atom: Atom) -> int:
    """How much an atom is worth keeping: the name that a user gave most."""
    if atom.kind != "symbol":
        return 1
    return 0 if atom.name.startswith("?") else 2 if "[" in atom.name else 3
