"""Intervals of expressions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TypeAlias

from passes.shapes.expr import Atom, Expr

#: Smallest and largest value, both included; the ends may be infinite.
Range: TypeAlias = tuple[int | float, int | float]
INF = math.inf
#: What any size is.
ANY_SIZE: Range = (0, INF)
_ANY: Range = (-INF, INF)


def _times(a: int | float, b: int | float) -> int | float:
    return 0 if a == 0 or b == 0 else a * b


def times(a: Range, b: Range) -> Range:
    """Products of one value of each."""
    ends = [_times(x, y) for x in a for y in b]
    return min(ends), max(ends)


def union(a: Range, b: Range) -> Range:
    """The smallest interval that holds both."""
    return min(a[0], b[0]), max(a[1], b[1])


def meet(a: Range, b: Range) -> Range:
    """What both hold; the first where they have nothing in common."""
    low, high = max(a[0], b[0]), min(a[1], b[1])
    return (low, high) if low <= high else a


def range_of(e: Expr, ranges: Mapping[str, Range], depth: int = 3) -> Range:
    """An interval that holds every value of `e` for symbols within `ranges`.

    Minima and maxima that enter `e` linearly (at most `depth` of them) are taken case by case, so
    that what they share with the rest of `e` cancels.
    """
    if len(e.terms) > 1:
        shared = next((a for a in e.terms[0][0] if all(a in m for m, _ in e.terms)), None)
        if shared is not None:
            rest = Expr({_without(m, shared): c for m, c in e.terms})
            return times(_of_atom(shared, ranges), range_of(rest, ranges, depth))
    if depth and len(e.terms) > 1:
        for monomial, factor in e.terms:
            if len(monomial) == 1 and monomial[0].kind in ("min", "max"):
                atom = monomial[0]
                rest = e - Expr({monomial: factor})
                if atom in rest.atoms():
                    continue
                cases = [range_of(rest + a * factor, ranges, depth - 1) for a in atom.args]
                lows, highs = [c[0] for c in cases], [c[1] for c in cases]
                if (atom.kind == "min") == (factor > 0):
                    return min(lows), min(highs)
                return max(lows), max(highs)
    low: int | float = 0
    high: int | float = 0
    for monomial, factor in e.terms:
        part: Range = (factor, factor)
        for atom in monomial:
            part = times(part, _of_atom(atom, ranges))
        low, high = low + part[0], high + part[1]
    return low, high


def _without(monomial: tuple[Atom, ...], atom: Atom) -> tuple[Atom, ...]:
    at = monomial.index(atom)
    return monomial[:at] + monomial[at + 1 :]


def _of_atom(atom: Atom, ranges: Mapping[str, Range]) -> Range:
    if atom.kind == "symbol":
        return ranges.get(atom.name, _ANY)
    args = [range_of(a, ranges) for a in atom.args]
    if atom.kind == "floordiv":
        return _quotient(*args)
    lows, highs = [a[0] for a in args], [a[1] for a in args]
    if atom.kind == "min":
        return min(lows), min(highs)
    if atom.kind == "max":
        return max(lows), max(highs)
    firm = [a for a in args if a[0] > 1]  # never 1, so the result is just this
    if firm:
        return max(a[0] for a in firm), min(a[1] for a in firm)
    return min(lows), max(highs)


def size_range(e: Expr, ranges: Mapping[str, Range]) -> Range:
    """The interval of a size: that of its expression, without what is below zero."""
    return meet(range_of(e, ranges), ANY_SIZE)


def _quotient(a: Range, b: Range) -> Range:
    if b[0] <= 0:
        return _ANY

    def divide(x: int | float, y: int | float) -> int | float:
        if math.isinf(x):
            return x
        return (0 if x >= 0 else -1) if math.isinf(y) else x // y

    ends = [divide(x, y) for x in a for y in b]
    return min(ends), max(ends)


def show_range(r: Range) -> str:
    """A range as text: `[1, 8]`, `[0, inf]`."""
    return f"[{r[0]}, {r[1]}]"
