"""Kernel of contractions by an equation, on ND."""

from __future__ import annotations

import numpy as np

from runtime.kernels.registry import Call, kernel
from runtime.kernels.views import logical, store, wide

_SPARE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def _letters(equation: str, ranks: list[int]) -> tuple[list[str], str]:
    """Terms with letters of their own in place of dots, aligned at the right."""
    text = equation.replace(" ", "")
    left, arrow, right = text.partition("->")
    inputs = left.split(",")
    spare = [c for c in _SPARE if c not in text]
    spread = [
        rank - len(t.replace("...", "")) if "..." in t else 0
        for t, rank in zip(inputs, ranks, strict=True)
    ]
    dots = spare[: max(spread)]
    full = [
        t.replace("...", "".join(dots[len(dots) - n :]))
        for t, n in zip(inputs, spread, strict=True)
    ]
    if not arrow:
        used = "".join(inputs).replace(".", "")
        right = "..." + "".join(sorted(c for c in set(used) if used.count(c) == 1))
    return full, right.replace("...", "".join(dots))


def _spread(x: np.ndarray, term: str, order: str) -> np.ndarray:
    """The operand with one axis per letter of `order`, size 1 where it has no such letter."""
    while len(set(term)) != len(term):
        letter = next(c for c in term if term.count(c) > 1)
        i = term.index(letter)
        j = term.index(letter, i + 1)
        x = np.diagonal(x, axis1=i, axis2=j)  # the new axis comes last
        term = term[:i] + term[i + 1 : j] + term[j + 1 :] + letter
    x = x.transpose([term.index(c) for c in order if c in term])
    return x.reshape(
        [x.shape[[d for d in order if d in term].index(c)] if c in term else 1 for c in order]
    )


@kernel("Einsum")
def einsum(call: Call) -> None:
    """Products over all letters, then sums over those that do not stay."""
    operands = [wide(logical(v)) for v in call.many(0)]
    terms, result = _letters(str(call.attrs["equation"]), [x.ndim for x in operands])
    summed = sorted(set("".join(terms)) - set(result))
    order = result + "".join(summed)
    total = _spread(operands[0], terms[0], order)
    for x, term in zip(operands[1:], terms[1:], strict=True):
        total = total * _spread(x, term, order)
    sizes = {}
    for x, term in zip(operands, terms, strict=True):
        for size, letter in zip(x.shape, term, strict=True):
            sizes[letter] = size if sizes.get(letter, 1) == 1 else sizes[letter]
    total = np.broadcast_to(total, [sizes[c] for c in order])
    axes = tuple(range(len(result), len(order)))
    store(call.outs[0], total.sum(axis=axes) if axes else total)
