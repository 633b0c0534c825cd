"""Speed of passes on a generated graph, against stock xDSL, and on ten times as many nodes.

Prints ratios of CPU times measured in one run. Against stock xDSL: best of several, interleaved.
Growth with ten times the nodes: the median of several ratios, each of two runs close in time. With
``--check`` the exit status says whether the checked ones hold; those marked ``-`` are only shown.

    python benchmarks/bench_passes.py --check
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from graphgen import graph_text

from ge_dialect.tools.arguments import number

#: What must hold: ours at least this many times as fast as stock xDSL.
WANTED = {"cse": 1.5, "dead code": 3.0, "fusion patterns": 2.0}
#: What must hold: at most this many times as long on ten times as many nodes.
LINEAR = 12.0
SMALL, LARGE = 2_000, 20_000
#: us per node below which time depends on caches first, see `is_checked`.
CHEAP = 2.0
CONTROL = "(walk over the nodes, no work)"
#: Larger than the caches of the machines that this runs on.
_FILLER = bytearray(96 << 20)

Work = Callable[[Any], object]


@contextmanager
def uncollected() -> Iterator[None]:
    """No collection of garbage inside.

    It is collected before, and before the module is built: afterwards it would decide which parts
    of the module are in the caches.
    """
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def timed(work: Work, module: Any, *, cold: bool = False) -> float:
    """CPU seconds of `work`; cold: with nothing of the module in the processor's caches."""
    if cold:
        bytes(_FILLER)
    start = time.process_time()
    work(module)
    return time.process_time() - start


def cpu(work: Work, make: Callable[[], Any], *, cold: bool = False) -> float:
    """CPU seconds of `work` on a fresh module; building it is not counted."""
    with uncollected():
        return timed(work, make(), cold=cold)


def best(rounds: int, make: Callable[[], Any], *works: Work) -> list[float]:
    """Best time of each work, interleaved."""
    times = [float("inf")] * len(works)
    for _ in range(rounds):
        for i, work in enumerate(works):
            times[i] = min(times[i], cpu(work, make))
    return times


def maker(ops: int) -> Callable[[], Any]:
    """A function that gives fresh copies of the generated graph."""
    from ge_dialect.ir.reader import parse_module

    text = graph_text(ops)
    return lambda: parse_module(text)


def run_pass(name: str) -> Work:
    """Our pass of that name as a function of a module."""
    from passes.context import PassContext
    from passes.registry import pass_class

    instance = pass_class(name)()
    return lambda module: instance.run(module, PassContext())


# ------------------------------------------------------------------ stock xDSL on our modules


def stock_cse(module: Any) -> None:
    """xDSL's common-subexpression elimination."""
    from xdsl.transforms.common_subexpression_elimination import cse

    cse(module)


def stock_dce(module: Any) -> None:
    """xDSL's dead-code elimination."""
    from xdsl.transforms.dead_code_elimination import region_dce

    for graph in module.ops:
        region_dce(graph.regions[0])


def walk(module: Any) -> object:
    """No pass: looks at every node and does nothing. Linear by construction, so it is a control."""
    from ge_dialect.ir.graph import module_graphs
    from ge_dialect.ir.private import nodes_of

    return sum(1 for graph in module_graphs(module) for _ in nodes_of(graph.body))


#: Passes that are timed where they stand in ge-default, each on what the one before it left.
LATE = [
    "engine-claim", "heavy-format-propagation", "trans-node-merge", "engine-placement",
    "topological-order", "stream-assignment", "event-insertion", "memory-plan", "lower-to-rt",
]  # fmt: skip


class _Growth:
    """Times of one pass at two sizes, round by round."""

    def __init__(self) -> None:
        self.small: list[float] = []
        self.large: list[float] = []

    @property
    def ratio(self) -> float:
        """The median over the rounds: a lucky one at either size does not count."""
        return median([b / a for a, b in zip(self.small, self.large, strict=True)])


def _grown(
    sizes: tuple[int, int],
    rounds: int,
    early: dict[str, Work],
    late: dict[str, Work],
    *,
    cold: bool = False,
) -> dict[str, _Growth]:
    """The growth of every pass: the early ones on the graph as it was read, the late ones in turn.

    A ratio is taken of two runs close in time: of one pass, or of all the late ones.
    """
    small, large = (maker(size) for size in sizes)
    found: dict[str, _Growth] = {}
    for name, work in early.items():
        growth = found[name] = _Growth()
        for _ in range(rounds):
            growth.small.append(cpu(work, small, cold=cold))
            growth.large.append(cpu(work, large, cold=cold))
    for _ in range(rounds):
        for name, spent in _in_turn(late, small, cold).items():
            found.setdefault(name, _Growth()).small.append(spent)
        for name, spent in _in_turn(late, large, cold).items():
            found[name].large.append(spent)
    return found


def _in_turn(works: dict[str, Work], make: Callable[[], Any], cold: bool) -> dict[str, float]:
    """Seconds of each on what the ones before it left."""
    with uncollected():
        module = make()
        return {name: timed(work, module, cold=cold) for name, work in works.items()}


def run_as_users_do(name: str) -> Work:
    """The pass through `run_pipeline`: it verifies, and keeps a text to reproduce failures from."""
    from passes import run_pipeline

    return lambda module: run_pipeline(module, name)


Growths = dict[str, _Growth]


def _measured(rounds: int, large: bool) -> dict[str, Growths]:
    """The growth of every pass, by what is measured.

    used: as users run it. cold: the pass by itself, with empty caches at both sizes. alone: the
    pass by itself, caches as they are. A graph of 2,000 nodes fits into caches where one of 20,000
    does not, so a walk over the nodes that does nothing (the first row) takes 12 to 15 times as
    long on ten times the nodes; a pass that does little more than this walk cannot take less.
    """
    from passes.registry import PASSES

    firsts = ("passes.prepare", "passes.fuse", "passes.stage1")
    early = [name for name, target in PASSES.items() if target.startswith(firsts)]
    used = [{name: run_as_users_do(name) for name in group} for group in (early, LATE)]
    alone = [{name: run_pass(name) for name in group} for group in (early, LATE)]
    alone[0] = {CONTROL: walk} | alone[0]
    sizes = (SMALL, LARGE)
    found = {
        "used": _grown(sizes, rounds, used[0], used[1]),
        "cold": _grown(sizes, rounds, alone[0], alone[1], cold=True),
        "alone": _grown(sizes, rounds, alone[0], alone[1]),
    }
    if large:
        found["200k/20k"] = _grown((LARGE, 10 * LARGE), 2, alone[0], alone[1])
    return found


def is_checked(measure: str, name: str, micros: float) -> bool:
    """Whether a ratio must hold; micros: us per node that the pass takes alone on the small graph.

    Alone, passes below CHEAP are not checked: they would be measured against the caches.
    """
    if name == CONTROL:
        return False
    return measure in ("used", "cold") or (measure == "alone" and micros >= CHEAP)


def _linearity(found: dict[str, Growths]) -> bool:
    """Print how every pass grows with ten times the nodes; True when one ratio is too high."""
    print("ten times the nodes: median of the ratios, at most", LINEAR)
    print(f"{'':34} {'2k us/op':>9} {'20k us/op':>9}" + "".join(f" {t:>9}" for t in found))
    failed = False
    for name, alone in found["alone"].items():
        small, large = min(alone.small) / SMALL * 1e6, min(alone.large) / LARGE * 1e6
        line = f"{name:34} {small:9.2f} {large:9.2f}"
        for measure, growths in found.items():
            growth = growths.get(name)
            if growth is None:
                line += f" {'':>9}"
                continue
            checked = is_checked(measure, name, small)
            failed |= checked and growth.ratio > LINEAR
            line += f" {growth.ratio:7.1f}x" + (" " if checked else "-")
        print(line)
    print("- not checked")
    return failed


def _against_stock(ops: int, rounds: int) -> bool:
    """Print our times beside those of stock xDSL; True when a ratio is too low."""
    from fusions import run_ours, run_stock

    pairs: dict[str, tuple[Work, Work]] = {
        "cse": (run_pass("common-subexpression-elimination"), stock_cse),
        "dead code": (run_pass("prune"), stock_dce),
        "fusion patterns": (run_ours, run_stock),
    }
    make = maker(ops)
    print(f"{ops} ops, CPU time, best of {rounds}, interleaved")
    print(f"{'':20} {'ours us/op':>11} {'xdsl us/op':>11} {'ratio':>7} {'wanted':>7}")
    failed = False
    for name, (mine, stock) in pairs.items():
        a, b = best(rounds, make, mine, stock)
        ratio = b / a
        failed |= ratio < WANTED[name]
        scale = 1e6 / ops
        print(f"{name:20} {a * scale:11.2f} {b * scale:11.2f} {ratio:6.1f}x {WANTED[name]:6.1f}x")
    return failed


def main() -> int:
    """Measure, print two tables, and with --check compare with what must hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--ops", type=number, default=10_000)
    parser.add_argument("--rounds", type=number, default=5)
    parser.add_argument(
        "--check", action="store_true", help="exit 1 when a checked figure does not hold"
    )
    parser.add_argument("--skip-linear", action="store_true", help="only the ratios to stock xDSL")
    parser.add_argument("--large", action="store_true", help="ratios of 200k to 20k nodes, too")
    args = parser.parse_args()
    failed = _against_stock(args.ops, args.rounds)
    if not args.skip_linear:
        failed |= _linearity(_measured(args.rounds, args.large))
    return int(failed and args.check)


if __name__ == "__main__":
    sys.exit(main())
