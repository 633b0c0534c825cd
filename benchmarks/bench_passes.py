"""Speed of passes on a generated graph, against stock xDSL, and on ten times as many nodes.

Prints ratios of CPU times measured in one run. Against stock xDSL: best of several, interleaved.
Growth with ten times the nodes: every pass in a process of its own, the median of several ratios,
each of two runs close in time. With ``--check`` the exit status says whether the checked ones hold;
those marked ``-`` are only shown.

    python benchmarks/bench_passes.py --check
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from growth import LARGE, SMALL, Growths, Make, Work, cpu, is_checked, maker, measured, run_pass

from ge_dialect.tools.arguments import number

#: What must hold: ours at least this many times as fast as stock xDSL.
WANTED = {"cse": 1.5, "dead code": 3.0, "fusion patterns": 2.0}
#: What must hold: at most this many times as long on ten times as many nodes.
LINEAR = 12.0


def best(rounds: int, make: Make, *works: Work) -> list[float]:
    """Best time of each work, interleaved."""
    times = [float("inf")] * len(works)
    for _ in range(rounds):
        for i, work in enumerate(works):
            times[i] = min(times[i], cpu(work, make))
    return times


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
            checked = is_checked(measure, name)
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
        failed |= _linearity(measured(args.rounds, args.large))
    return int(failed and args.check)


if __name__ == "__main__":
    sys.exit(main())
