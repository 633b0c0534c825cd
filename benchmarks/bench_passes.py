"""Speed of passes on a generated graph, against stock xDSL on the same module.

Prints ratios measured in one run: CPU time, best of several, ours and xDSL's interleaved. With
``--check`` the exit status says whether the figures of the project hold.

    python benchmarks/bench_passes.py --check
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from graphgen import graph_text

from ge_dialect.tools.arguments import number

#: What must hold: ours at least this many times as fast as stock xDSL.
WANTED = {"cse": 1.5, "dead code": 3.0, "fusion patterns": 2.0}
#: Time of each pass on ten times as many nodes.
LINEAR = 12.0
#: Below this many us per node a pass by itself is not checked plainly, see `_linearity`.
CHEAP = 2.0
CONTROL = "(walk over the nodes, no work)"
#: Larger than the caches of the machines that this runs on.
_FILLER = bytearray(96 << 20)

Work = Callable[[Any], object]


def cpu(work: Work, make: Callable[[], Any], *, cold: bool = False) -> float:
    """CPU seconds of `work` on a fresh module; building it is not counted.

    cold: with nothing of the module in the processor's caches. Garbage is collected before the
    module is built: afterwards it would decide which parts of it are in the caches.
    """
    gc.enable()
    gc.collect()
    gc.disable()
    try:
        module = make()
        if cold:
            bytes(_FILLER)
        start = time.process_time()
        work(module)
        return time.process_time() - start
    finally:
        gc.enable()


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


def fusions() -> tuple[Work, Work]:
    """The same ten rewrites for our driver and for xDSL's walker; one op in ten matches."""
    from xdsl.pattern_rewriter import (
        GreedyRewritePatternApplier,
        PatternRewriter,
        PatternRewriteWalker,
        RewritePattern,
    )

    from ge_dialect.ir import op_class
    from ge_dialect.ir.build import build
    from passes.context import PassContext
    from passes.rewriting import Pattern, apply_patterns, producer

    # (root, producer, replacement): the pair becomes one node when the producer is used once
    table = [
        ("Add", "Mul", "Maximum"), ("Sub", "Mul", "Minimum"), ("Mul", "Sigmoid", "Add"),
        ("Relu", "Mul", "Tanh"), ("Relu", "Add", "Abs"), ("Tanh", "Sigmoid", "Relu"),
        ("Sigmoid", "Tanh", "Relu"), ("Add", "Tanh", "Sub"), ("Sub", "Sigmoid", "Mul"),
        ("Mul", "Tanh", "Add"),
    ]  # fmt: skip

    def made(op: Any, first: Any, replacement: str) -> Any:
        cls = op_class(replacement)
        count = len(cls.ge_table().inputs)
        inputs = [*first.operands[:1], *op.operands[1:]][:count]
        while len(inputs) < count:
            inputs.append(inputs[0])
        return build(replacement, inputs, result_types=[op.results[0].type])

    def ours(root_: str, feeding: str, replacement: str) -> Any:
        wanted = f"ge.{feeding}"

        class Fuse(Pattern):
            root = (root_,)
            name = f"{root_}-{feeding}"

            def match_and_rewrite(self, op: Any, rw: Any) -> None:
                first = producer(op)
                if first is None or first.name != wanted:
                    return
                if not rw.when(first.results[0].has_one_use(), "the producer has other users"):
                    return
                rw.replace(op, made(op, first, replacement), merged=[first])
                rw.erase(first)

        return Fuse()

    def stock(root_: str, feeding: str, replacement: str) -> Any:
        cls, wanted = op_class(root_), f"ge.{feeding}"

        class Fuse(RewritePattern):
            def match_and_rewrite(self, op: Any, rewriter: PatternRewriter) -> None:
                if not isinstance(op, cls):
                    return
                first = op.operands[0].owner
                if getattr(first, "name", "") != wanted:
                    return
                if not first.results[0].has_one_use() or len(first.results) > 1:
                    return
                new = made(op, first, replacement)
                if len(op.results) > 1:
                    return
                rewriter.replace(op, new)
                rewriter.erase(first)

        return Fuse()

    mine = [ours(*row) for row in table]
    theirs = [stock(*row) for row in table]

    def run_ours(module: Any) -> object:
        return apply_patterns(module, mine, PassContext())

    def run_stock(module: Any) -> object:
        applier = GreedyRewritePatternApplier(theirs, dce_enabled=False)
        return PatternRewriteWalker(applier).rewrite_module(module)

    return run_ours, run_stock


def main() -> int:
    """Measure, print a table, and with --check compare with what must hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--ops", type=number, default=10_000)
    parser.add_argument("--rounds", type=number, default=5)
    parser.add_argument("--check", action="store_true", help="exit 1 when a figure does not hold")
    parser.add_argument("--skip-linear", action="store_true")
    parser.add_argument("--large", action="store_true", help="ratios of 200k to 20k nodes, too")
    args = parser.parse_args()
    failed = False
    make = maker(args.ops)
    ours, theirs = fusions()
    pairs = {
        "cse": (run_pass("common-subexpression-elimination"), stock_cse),
        "dead code": (run_pass("prune"), stock_dce),
        "fusion patterns": (ours, theirs),
    }
    print(f"{args.ops} ops, CPU time, best of {args.rounds}, interleaved")
    print(f"{'':20} {'ours us/op':>11} {'xdsl us/op':>11} {'ratio':>7} {'wanted':>7}")
    for name, (mine, stock) in pairs.items():
        a, b = best(args.rounds, make, mine, stock)
        ratio = b / a
        failed |= ratio < WANTED[name]
        scale = 1e6 / args.ops
        print(f"{name:20} {a * scale:11.2f} {b * scale:11.2f} {ratio:6.1f}x {WANTED[name]:6.1f}x")
    if not args.skip_linear:
        failed |= _linearity(args.rounds, args.large)
    return int(failed and args.check)


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

    Both sizes of a pass are timed one right after the other.
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
    gc.enable()
    gc.collect()
    gc.disable()
    module = make()
    times: dict[str, float] = {}
    for name, work in works.items():
        if cold:
            bytes(_FILLER)
        start = time.process_time()
        work(module)
        times[name] = time.process_time() - start
    gc.enable()
    return times


def run_as_users_do(name: str) -> Work:
    """The pass through `run_pipeline`, as ge-opt runs it: with verification and a reproducer."""
    from passes import run_pipeline

    return lambda module: run_pipeline(module, name)


def _linearity(rounds: int, large: bool) -> bool:
    """Print how every pass grows with ten times the nodes; True when one ratio is too high.

    Three measures. As users run it: through `run_pipeline`. Cold: the pass by itself, with empty
    caches at both sizes. Alone: the pass by itself, caches as they are. A graph of 2,000 nodes
    fits into caches where one of 20,000 does not, so a walk over the nodes that does nothing (the
    first row) takes 12 to 15 times as long on ten times the nodes; a pass that does little more
    than this walk cannot take less. Alone, only passes of at least CHEAP us per node are checked.
    """
    from passes.registry import PASSES

    firsts = ("passes.prepare", "passes.fuse", "passes.stage1")
    early = [name for name, target in PASSES.items() if target.startswith(firsts)]
    names = (early, LATE)
    alone = [{name: run_pass(name) for name in group} for group in names]
    used = [{name: run_as_users_do(name) for name in group} for group in names]
    alone[0] = {CONTROL: walk} | alone[0]
    sizes = (2_000, 20_000)
    shown = {
        "used": _grown(sizes, rounds, used[0], used[1]),
        "cold": _grown(sizes, rounds, alone[0], alone[1], cold=True),
        "alone": _grown(sizes, rounds, alone[0], alone[1]),
    }
    if large:
        shown["200k/20k"] = _grown((20_000, 200_000), 2, alone[0], alone[1])
    print("ten times the nodes: median of the ratios, at most", LINEAR)
    print(f"{'':34} {'2k us/op':>9} {'20k us/op':>9}" + "".join(f" {t:>9}" for t in shown))
    failed = False
    for name, growth in shown["alone"].items():
        small, large_ = min(growth.small) / 2e-3, min(growth.large) / 20e-3
        line = f"{name:34} {small:9.2f} {large_:9.2f}"
        for title, table in shown.items():
            if name not in table:
                line += f" {'':>9}"
                continue
            ratio = table[name].ratio
            checked = title in ("used", "cold") or (title == "alone" and small >= CHEAP)
            checked &= name != CONTROL
            failed |= checked and ratio > LINEAR
            line += f" {ratio:7.1f}x" + (" " if checked else "-")
        print(line)
    print("- not checked")
    return failed


if __name__ == "__main__":
    sys.exit(main())
