"""CPU times for the benchmarks."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence


def best(works: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """Best CPU seconds of each work, interleaved."""
    times = [float("inf")] * len(works)
    for _ in range(rounds):
        for i, work in enumerate(works):
            start = time.process_time()
            work()
            times[i] = min(times[i], time.process_time() - start)
    return times
