"""Speed of the graph generators: graphs made, built and verified per second of CPU time.

The graphs have 5 to 12 nodes in the mean and no sub-graphs. With ``--check`` the exit status says
whether the figures of the project hold.

    python benchmarks/bench_kit.py --check
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable
from typing import Any

from ge_dialect.tools.arguments import number

#: Graphs per second that must be reached.
WANTED = {"seeded": 300.0, "hypothesis": 100.0}
#: Steps drawn, so that graphs have 5 to 12 nodes (constants and structures come on top).
STEPS: dict[str, Any] = {"min_ops": 4, "max_ops": 7}


def seeded(count: int, round_: int) -> tuple[int, int]:
    """Graphs of seeds; returns their number and that of their nodes."""
    from ge_dialect.ir.verifier import verify
    from passes.testing import Knobs, random_spec

    knobs = Knobs(subgraphs=0.0, **STEPS)
    nodes = 0
    for seed in range(round_ * count, (round_ + 1) * count):
        spec = random_spec(seed, knobs)
        if verify(spec.build().module):
            raise AssertionError(f"seed {seed} gives no valid graph")
        nodes += spec.op_count
    return count, nodes


def drawn(count: int, round_: int) -> tuple[int, int]:
    """Graphs of Hypothesis; returns their number and that of their nodes."""
    from hypothesis import HealthCheck, Phase, given, seed, settings

    from ge_dialect.ir.verifier import verify
    from passes.testing import Knobs, specs

    made = nodes = 0

    @seed(round_)
    @settings(
        max_examples=count,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=tuple(HealthCheck.__members__.values()),
    )
    @given(specs(Knobs(subgraphs=0.0, **STEPS)))
    def run(spec):
        nonlocal made, nodes
        made, nodes = made + 1, nodes + spec.op_count
        if verify(spec.build().module):
            raise AssertionError(str(spec))

    run()
    return made, nodes


def rate(
    run: Callable[[int, int], tuple[int, int]], count: int, rounds: int
) -> tuple[float, float]:
    """Best rate of several rounds in graphs per second, and nodes per graph."""
    run(min(count, 50), 1000)  # classes and hints are loaded once
    found, size = 0.0, 0.0
    for i in range(rounds):
        gc.collect()
        start = time.process_time()
        made, nodes = run(count, i)
        found = max(found, made / (time.process_time() - start))
        size = nodes / made
    return found, size


def main(argv: list[str] | None = None) -> int:
    """Print a table; with --check, 1 where a figure is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--check", action="store_true", help="fail where a figure is missed")
    parser.add_argument("--count", type=number, default=300, help="graphs per round")
    parser.add_argument("--rounds", type=number, default=3, help="rounds; the best one counts")
    options = parser.parse_args(argv)
    missed = False
    print(f"{'front':12} {'graphs/s':>9} {'wanted':>7} {'nodes':>6}")
    for name, run in (("seeded", seeded), ("hypothesis", drawn)):
        found, size = rate(run, options.count, options.rounds)
        missed = missed or found < WANTED[name]
        print(f"{name:12} {found:9.0f} {WANTED[name]:7.0f} {size:6.1f}")
    return 1 if options.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
