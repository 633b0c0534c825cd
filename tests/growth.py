"""How the time of something grows with its size."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from ge_dialect.held import COLLECTOR

#: What takes time in proportion grows less than this with ten times the size: large cases do not
#: fit into a processor's caches. What takes the square of the time grows a hundredfold.
IN_PROPORTION = 25.0


def seconds(run: Callable[[], object]) -> float:
    """CPU seconds of a call."""
    with COLLECTOR.held():  # it would look at all that other tests have made
        start = time.process_time()
        run()
        return time.process_time() - start


def growth(
    run: Callable[[Any], object],
    size: int,
    prepare: Callable[[int], Any] | None = None,
    *,
    times: int = 10,
) -> float:
    """How many times as long `run` takes on a case so many times as large; best of three each.

    prepare: makes the case of a size, which is not timed; without it `run` is given the size.
    """

    def once(n: int) -> float:
        case = n if prepare is None else prepare(n)
        return seconds(lambda: run(case))

    once(size)  # imports what is needed
    small, large = (min(once(n) for _ in range(3)) for n in (size, times * size))
    return large / small
