"""What is learned of sizes is put into what was learned before, each fact once."""

from __future__ import annotations

from itertools import permutations

import pytest

from passes.shapes.expr import Expr, maximum, symbol
from passes.shapes.facts import Facts
from passes.shapes.ranges import INF, Range
from passes.shapes.tracing import Choice

SIZE: Range = (0, INF)


def learned(*pairs: tuple[Expr, Expr]) -> Facts:
    """Facts from sizes that are equal, learned in this order."""
    names = {n for pair in pairs for e in pair for n in e.symbols()}
    facts = Facts(dict.fromkeys(sorted(names), SIZE))
    for one, other in pairs:
        facts.learn(Choice(one - other, "==", True))
    return facts


def test_an_atom_that_comes_up_in_what_it_is_stays():
    """Once t is known to be S, the third fact speaks of the quotient that the first one is of."""
    a, t, size = symbol("?a[0]"), symbol("?t[0]"), symbol("S")
    facts = learned((size // 3, maximum([a, symbol("b")])), (t, size), (a, t // 3 + 1))
    asked = [str(facts.put_into(a * 2)) for _ in range(3)]
    assert asked == ["2*floordiv(S, 3) + 2"] * 3


def test_an_atom_that_others_bring_up_is_put_in():
    a, t, size = symbol("?a[0]"), symbol("?t[0]"), symbol("S")
    facts = learned((a, t // 3 + 2), (size // 3, symbol("b") - 3), (t, size))
    assert [str(facts.put_into(a)) for _ in range(2)] == ["b - 1"] * 2


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_everything_in_a_sum_is_put_in_to_the_end(order: tuple[int, ...]):
    """v0 = v1 + 1, v1 = v2 + 1 ... in any order, and then all are asked for at once."""
    values = [symbol(f"?v{i}[0]") for i in range(4)] + [symbol("n")]
    facts = learned(*[(values[i], values[i + 1] + 1) for i in order])
    total = sum([values[i] for i in order], values[4])
    assert str(facts.put_into(total)) == "5*n + 10"
