"""Limits of a golden run: bytes of one array, and steps.

A budget counts within its block, for whatever evaluates there: graphs, folded nodes, recipes of
weights. Before a node runs, its results are announced by their types: by the declared ones where
they are static, else by those that the operator's own rule gives for the very arrays the node
reads. Arrays that a formula makes on the way are announced (`claim`) where they may be larger than
what goes in and comes out. So what is too large is refused before it is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from math import prod
from typing import Any


@dataclass(frozen=True)
class Budget:
    """What a golden run may use.

    array_bytes: of any one array, results and intermediate ones alike; None: what memory holds.
    steps: nodes run and bodies entered, each as often as it happens, so that a loop ends; None:
    no limit.
    """

    array_bytes: int | None = None
    steps: int | None = 1_000_000


#: Counts where nobody gives another: loops of small nodes end, after seconds.
DEFAULT = Budget()

_active: ContextVar[Budget | None] = ContextVar("budget", default=None)


class OverBudget(Exception):
    """An array would be larger than the budget allows; the evaluator adds the node."""

    def __init__(self, size: int, limit: int) -> None:
        super().__init__(f"an array of {size} bytes, {limit} allowed")
        self.size = size
        self.limit = limit


@contextmanager
def limited(budget: Budget) -> Iterator[None]:
    """The budget counts in the block, in this thread."""
    token = _active.set(budget)
    try:
        yield
    finally:
        _active.reset(token)


def current() -> Budget:
    """The budget that counts here."""
    return _active.get() or DEFAULT


def with_steps(most: int | None) -> Budget:
    """The budget that counts here, with a number of steps as options say it: 0 for no limit, None
    for the one it has."""
    return current() if most is None else replace(current(), steps=most or None)


def claim(shape: Sequence[int], itemsize: int) -> None:
    """Announce an array that is about to be made; OverBudget where it is too large.

    shape: its dims, itemsize: bytes of an element.
    """
    budget = _active.get()
    if budget is None or budget.array_bytes is None:
        return
    size = prod(max(int(n), 0) for n in shape) * itemsize
    if size > budget.array_bytes:
        raise OverBudget(size, budget.array_bytes)


def claim_results(out_types: Sequence[Any], infer: Callable[[], Sequence[Any]]) -> None:
    """Announce the results of a node.

    out_types: as declared (xDSL types). infer: gives them for the arrays at hand; asked where a
    declared one leaves its size open. What stays open then is known by the data alone.
    """
    budget = _active.get()
    if budget is None or budget.array_bytes is None:
        return
    from ge_dialect.ir.types import num_elements

    if any(num_elements(t) is None for t in out_types):
        out_types = infer()
    for type_ in out_types:
        size = bytes_of(type_)
        if size is not None and size > budget.array_bytes:
            raise OverBudget(size, budget.array_bytes)


def bytes_of(type_: Any) -> int | None:
    """Bytes of a value of a type (a ref: of what it holds), as numpy holds it; None where its size
    is open, or its elements have none of their own."""
    from ge_dialect.dtypes import bits
    from ge_dialect.ir.types import elem_of, num_elements

    count = num_elements(type_)
    if count is None:
        return None
    try:
        return count * max(bits(elem_of(type_)) // 8, 1)
    except ValueError:
        return None


__all__ = [
    "DEFAULT",
    "Budget",
    "OverBudget",
    "bytes_of",
    "claim",
    "claim_results",
    "current",
    "limited",
    "with_steps",
]
