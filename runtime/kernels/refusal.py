"""What a kernel raises where the values it is given are to blame, not the kernel."""

from __future__ import annotations

import numpy as np


class Refusal(ValueError):
    """The values of a call are none the operator takes.

    Becomes a diagnostic of that code which names the node; `found`, `expected` and `hint` are its
    phrases. Message, code and `expected` are those of the golden function's refusal.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "GX-240",
        found: object = None,
        expected: object = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.found = None if found is None else str(found)
        self.expected = None if expected is None else str(expected)
        self.hint = hint


def refuse_where(
    condition: object, message: str, *, found: object = None, expected: object = None
) -> None:
    """`Refusal` of a form that is not carried out, where the condition holds."""
    if condition:
        raise Refusal(message, found=found, expected=expected)


def need_absent(given: object, name: str) -> None:
    """`Refusal` where an input that GE reserves is connected."""
    if given is not None:
        raise Refusal(f"{name} is reserved by GE and has no meaning", expected="not connected")


def check_indices(
    indices: np.ndarray, size: int, *, negative: bool = True, choice: bool = False
) -> None:
    """`Refusal` of an index outside an axis of `size`, by its smallest and largest.

    negative: whether they may count from the end; choice: whether an attribute of the operator says
    so.
    """
    if not indices.size:
        return
    low, high, least = int(indices.min()), int(indices.max()), -size if negative else 0
    if least <= low and high < size:
        return
    raise Refusal(
        "an index lies outside the axis",
        found=low if low < least else high,
        expected=f"{least} … {size - 1}" if size else "none: the axis is empty",
        hint="set negative_index_support" if choice and -size <= low < least else None,
    )


def counted(
    indices: np.ndarray, size: int, *, negative: bool = True, choice: bool = False
) -> np.ndarray:
    """Indices counted from the front (int64), after `check_indices`."""
    check_indices(indices, size, negative=negative, choice=choice)
    wide = indices.astype(np.int64)
    return np.where(wide < 0, wide + size, wide) if negative else wide
