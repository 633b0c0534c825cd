"""Speed of reading, verifying and printing IR, against stock xDSL on the same text.

Names, locations and all checks are on. CPU time, best of several, ours and xDSL's interleaved in
one run; only ratios mean anything. With ``--check`` the exit status says whether the figures of
the project hold.

    python benchmarks/bench_ir.py --check
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from graphgen import VARIANTS, graph_text

from ge_dialect.tools.arguments import number

#: What must hold: ours at least this many times as fast as stock xDSL on the same text.
WANTED = {
    ("read", "repetitive"): 12.0,
    ("read", "mixed"): 12.0,
    ("read", "distinct"): 4.0,
    ("verify", "repetitive"): 5.0,
    ("print", "repetitive"): 4.0,
}
#: time(20k) / time(2k) of each.
LINEAR = 12.0


def cpu(work: Callable[[], Any]) -> float:
    """CPU seconds of one call, garbage of earlier calls collected first."""
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def best(rounds: int, *works: Callable[[], Any]) -> list[float]:
    """Best time of each work, interleaved."""
    times = [float("inf")] * len(works)
    for _ in range(rounds):
        for i, work in enumerate(works):
            times[i] = min(times[i], cpu(work))
    return times


def stock_read(text: str) -> Any:
    """xDSL's parser on our text, in a plain context with our dialect."""
    from xdsl.context import Context
    from xdsl.dialects.builtin import Builtin
    from xdsl.parser import Parser

    from ge_dialect.ir.stubs import stub_dialect

    ctx = Context()
    ctx.load_dialect(Builtin)
    ctx.register_dialect("ge", stub_dialect)
    return Parser(ctx, text).parse_module()


def stock_print(module: Any) -> str:
    """xDSL's printer in the custom form."""
    from xdsl.printer import Printer

    out = StringIO()
    Printer(out).print_op(module)
    return out.getvalue()


def measure(ops: int, variant: str, rounds: int) -> dict[str, tuple[float, float]]:
    """Times (ours, stock) in seconds of read, verify and print."""
    from ge_dialect.ir.printer import print_module
    from ge_dialect.ir.reader import parse_module
    from ge_dialect.ir.verifier import forget, verify

    text = graph_text(ops, variant)
    module = parse_module(text)
    assert print_module(module) == text
    assert not verify(module)

    def verify_afresh() -> None:
        forget()
        verify(module)

    read = best(rounds, lambda: parse_module(text), lambda: stock_read(text))
    check = best(rounds, verify_afresh, lambda: module.verify())
    write = best(rounds, lambda: print_module(module), lambda: stock_print(module))
    return {
        "read": (read[0], read[1]),
        "verify": (check[0], check[1]),
        "print": (write[0], write[1]),
    }


def scaling(rounds: int) -> dict[str, float]:
    """time(20k) / time(2k) of read, verify and print."""
    from ge_dialect.ir.printer import print_module
    from ge_dialect.ir.reader import parse_module
    from ge_dialect.ir.verifier import verify

    times: dict[str, list[float]] = {"read": [], "verify": [], "print": []}
    for ops in (2_000, 20_000):
        text = graph_text(ops)
        module = parse_module(text)
        got = best(
            rounds,
            lambda text=text: parse_module(text),
            lambda module=module: verify(module),
            lambda module=module: print_module(module),
        )
        for name, value in zip(times, got, strict=True):
            times[name].append(value)
    return {name: large / small for name, (small, large) in times.items()}


def main(argv: list[str] | None = None) -> int:
    """Print the table; with --check, 1 where a figure is missed."""
    args = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    args.add_argument("--check", action="store_true", help="exit status 1 if a figure is missed")
    args.add_argument("--ops", type=number, default=10_000, help="size of the graph")
    args.add_argument("--rounds", type=number, default=5, help="best of so many")
    given = args.parse_args(argv)

    missed = []
    print(f"{'':8}{'graph':12}{'us/op':>8}{'xDSL':>8}{'ratio':>8}{'wanted':>8}")
    for variant in VARIANTS:
        for what, (ours, stock) in measure(given.ops, variant, given.rounds).items():
            ratio = stock / ours
            wanted = WANTED.get((what, variant))
            if wanted is not None and ratio < wanted:
                missed.append(f"{what} {variant}: {ratio:.1f} < {wanted:g}")
            us = 1e6 / given.ops
            print(
                f"{what:8}{variant:12}{ours * us:8.1f}{stock * us:8.1f}{ratio:8.1f}"
                f"{f'{wanted:g}' if wanted else '':>8}",
                flush=True,
            )
    for what, ratio in scaling(given.rounds).items():
        print(f"{what:8}{'20k / 2k':12}{'':16}{ratio:8.1f}{f'<={LINEAR:g}':>8}")
        if ratio > LINEAR:
            missed.append(f"{what}: time(20k)/time(2k) = {ratio:.1f} > {LINEAR:g}")
    for line in missed:
        print(f"missed: {line}")
    return 1 if given.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
