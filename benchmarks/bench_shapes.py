"""Growth with ten times the nodes on graphs that are wide in one way each.

For each shape of `shapes.py`: CPU time of reading, verifying, every pass of ge-default where it
stands there, and printing, on a small and on a ten times as large graph; best of several. Prints
the steps that grow most. A step whose time grows with the square of the graph takes up to a hundred
times as long. With ``--check`` the exit status says whether every step stays under the limit.

    python benchmarks/bench_shapes.py --check
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

from growth import apart, uncollected
from shapes import SHAPES

from ge_dialect.tools.arguments import number

#: What must hold: at most this many times as long on ten times as many nodes. A large graph does
#: not fit into a processor's caches, so linear steps take up to 15 times as long.
LIMIT = 25.0
#: Shorter steps are not judged, in seconds on the large graph.
SHORT = 0.002


class Step(NamedTuple):
    """CPU seconds of one step on the small and on the large graph."""

    name: str
    small: float
    large: float

    @property
    def growth(self) -> float:
        """How many times as long it takes on the large graph."""
        return self.large / self.small

    @property
    def judged(self) -> bool:
        """Whether it takes long enough to be judged."""
        return self.large >= SHORT


def _steps(text: str) -> Iterator[tuple[str, float]]:
    """Name and CPU seconds of each step from text to compiled text."""
    from ge_dialect.ir.printer import print_module
    from ge_dialect.ir.reader import parse_module
    from ge_dialect.ir.verifier import verify_or_raise
    from passes.context import PassContext
    from passes.pipeline import parse_pipeline

    start = time.process_time()
    module: Any = parse_module(text)
    yield "read", time.process_time() - start
    start = time.process_time()
    verify_or_raise(module)
    yield "verify", time.process_time() - start
    for at, item in enumerate(parse_pipeline("ge-default").passes()):
        instance, ctx = item.build(), PassContext()
        start = time.process_time()
        instance.run(module, ctx)
        yield f"{at} {item.name}", time.process_time() - start
        ctx.sink.raise_if_errors()
    start = time.process_time()
    print_module(module)
    yield "print", time.process_time() - start


def times(shape: str, n: int) -> dict[str, float]:
    """CPU seconds of every step on one graph of that shape."""
    import numpy  # noqa: F401  # a pass may need it for the large graph only

    for _ in _steps(SHAPES[shape](10)):  # imports what is needed
        pass
    with uncollected():
        return dict(_steps(SHAPES[shape](n)))


def steps(shape: str, small: int, rounds: int) -> list[Step]:
    """Every step on graphs with `small` and ten times as many nodes, each in a fresh process.

    In one process, the parts of a graph that was read before are found in tables, up to their size.
    """
    best: list[dict[str, float]] = [{}, {}]
    for _ in range(rounds):
        for found, n in zip(best, (small, 10 * small), strict=True):
            for name, spent in apart(times, shape, n).items():
                found[name] = min(spent, found.get(name, spent))
    return [Step(name, best[0][name], large) for name, large in best[1].items()]


def main() -> int:
    """Measure, print the steps that grow most, and with --check compare with the limit."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--nodes", type=number, default=300, help="of the small graph")
    parser.add_argument("--rounds", type=number, default=3)
    parser.add_argument("--shape", choices=SHAPES, action="append", help="only this one")
    parser.add_argument(
        "--check", action="store_true", help="exit 1 when a checked figure does not hold"
    )
    args = parser.parse_args()
    small = args.nodes
    print(f"{small} to {10 * small} nodes: the two steps of each shape that grow most")
    print(f"{'shape':14} {'step':34} {'small us/n':>11} {'large us/n':>11} {'growth':>7}")
    failed = False
    for shape in args.shape or SHAPES:
        judged = [s for s in steps(shape, small, args.rounds) if s.judged]
        for step in sorted(judged, key=lambda s: -s.growth)[:2]:
            failed |= step.growth > LIMIT
            us = step.small / small * 1e6, step.large / small * 1e5
            print(f"{shape:14} {step.name:34} {us[0]:11.2f} {us[1]:11.2f} {step.growth:6.1f}x")
    return int(failed and args.check)


if __name__ == "__main__":
    sys.exit(main())
