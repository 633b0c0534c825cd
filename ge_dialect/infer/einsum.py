"""Equations of Einsum as terms."""

from __future__ import annotations

from collections import Counter
from typing import NoReturn

from ge_dialect.infer.errors import ATTR, COUNT, InferError


def _bad(equation: str, why: str) -> NoReturn:
    raise InferError(
        f"the equation is not valid: {why}", found=equation, expected="like ij,jk->ik", code=ATTR
    )


def terms(term: str) -> list[str]:
    """The letters of a term; `...` is one entry."""
    out: list[str] = []
    rest = term
    while rest:
        size = 3 if rest.startswith("...") else 1
        out.append(rest[:size])
        rest = rest[size:]
    return out


def split_equation(equation: str, count: int) -> tuple[list[str], str]:
    """The terms of `count` inputs and the term of the result, spaces removed.

    Without an arrow the result has the dots, then the letters that occur once, in order.
    """
    text = "".join(equation.split())
    left, arrow, right = text.partition("->")
    inputs = left.split(",")
    for term in (*inputs, right):
        parts = terms(term)
        if any(p != "..." and not (p.isascii() and p.isalpha()) for p in parts):
            _bad(equation, f"{term!r} holds something else than letters and ...")
        if parts.count("...") > 1:
            _bad(equation, f"{term!r} has dots twice")
    if len(inputs) != count:
        raise InferError(
            "the equation has another number of terms",
            found=len(inputs),
            expected=count,
            code=COUNT,
        )
    seen = Counter(p for term in inputs for p in terms(term))
    if not arrow:
        letters = sorted(p for p, times in seen.items() if times == 1 and p != "...")
        return inputs, ("..." if "..." in seen else "") + "".join(letters)
    wanted = terms(right)
    if len(set(wanted)) != len(wanted):
        _bad(equation, "the result has a letter twice")
    if any(p not in seen for p in wanted):
        _bad(equation, "the result has a letter that no input has")
    if "..." in seen and "..." not in wanted:
        _bad(equation, "the result lacks the dots of the inputs")
    return inputs, right
