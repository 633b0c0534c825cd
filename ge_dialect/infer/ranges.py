"""Lengths of arithmetic sequences."""

from __future__ import annotations

import math
from typing import Any


def range_length(start: Any, limit: Any, delta: Any, closed: bool) -> int | None:
    """Number of elements of a Range of three numbers; None where it is not finite."""

    def plain(value: Any) -> int | float:
        item = value.item() if hasattr(value, "item") else value
        return item if isinstance(item, int) else float(item)

    first, last, step = plain(start), plain(limit), plain(delta)
    if all(isinstance(v, int) for v in (first, last, step)):
        assert isinstance(step, int)
        assert isinstance(first, int)
        assert isinstance(last, int)
        count = (last - first) // step + 1 if closed else -((first - last) // step)
        return max(count, 0)
    ratio = (last - first) / step
    if not math.isfinite(ratio) or ratio > 2**40:
        return None
    return max(math.floor(ratio) + 1 if closed else math.ceil(ratio), 0)
