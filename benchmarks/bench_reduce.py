"""Reduction of failing graphs of 2,000 operators, in process.

Each case is reduced with an oracle that takes 100 ms a trial besides running the case, or with the
built-in oracles. Prints wall seconds, trials and what is left; with ``--check`` the exit status
says whether every case came below 60 s and as small as wanted.

    python benchmarks/bench_reduce.py --check
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

sys.path.insert(0, str(Path(__file__).parent))

from graphgen import graph_text

from passes.base import Pass, PassResult

OPS = 2000
#: What must hold.
SECONDS = 60.0
ORACLE_SECONDS = 0.1
KINDS = ("Add", "Maximum", "Minimum", "Neg", "Tanh", "Abs")


@dataclass(frozen=True)
class Swaps(Pass):
    """Swaps the operands of each Sub that reads a Relu."""

    name: ClassVar[str] = "bench-swaps"

    def run(self, module: Any, ctx: Any) -> PassResult:
        changed = False
        for op in module.walk():
            if op.name == "ge.Sub" and op.operands[1].owner.name == "ge.Relu":
                op.operands = tuple(reversed(op.operands))
                changed = True
        return PassResult(changed)


@dataclass(frozen=True)
class Raises(Pass):
    """Raises at the last Relu of a Sub of an Add with 512 channels."""

    name: ClassVar[str] = "bench-raises"

    def run(self, module: Any, ctx: Any) -> PassResult:
        for op in module.walk():
            chain, at = [], op
            while at is not None and len(chain) < 3:
                chain.append(at.name)
                at = getattr(at.operands[0], "op", None) if at.operands else None
            if chain == ["ge.Relu", "ge.Sub", "ge.Add"] and op.results[0].type.get_shape()[1] > 256:
                raise IndexError("planted")
        return PassResult(False)


def elementwise(special: dict[int, str], seed: int = 0) -> Any:
    """A graph of elementwise nodes; `special` gives lines of its own by place."""
    from ge_dialect.api import parse

    rng = random.Random(seed)
    values, lines = ["x", "y"], []
    for i in range(OPS):
        line = special.get(i)
        if line is None:
            kind = rng.choice(KINDS)
            two = KINDS.index(kind) < 3
            operands = [f"%{rng.choice(values[-9:])}" for _ in range(1 + two)]
            line = f"%v{i} = ge.{kind}({', '.join(operands)})"
        lines.append(f"  {line} : tensor<8x16xf32>")
        values.append(line[1:].split(" ")[0])
    outputs = ", ".join(
        f"%{v}" for v in [*values[-3:], *(t[1:].split()[0] for t in special.values())]
    )
    head = "ge.graph @g(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) {\n"
    return parse(head + "\n".join(lines) + f"\n  ge.NetOutput({outputs})\n}}")


def holds(*wanted: str) -> Callable[[Any, Any], bool]:
    """An oracle of 100 ms: the graph has operators of these types."""

    def oracle(model: Any, pipeline: Any) -> bool:
        time.sleep(ORACLE_SECONDS)
        names = {op.name for op in model.module.walk()}
        return all(f"ge.{w}" in names for w in wanted)

    return oracle


def cases() -> list[tuple[str, Any, Any, Any, int]]:
    """Name, model, pipeline, failure and the size wanted."""
    from ge_dialect.api import parse

    near = {1000: "%m0 = ge.Relu(%x)", 1004: "%m1 = ge.Sub(%y, %m0)"}
    far = {40: "%m0 = ge.Relu(%x)", 1960: "%m1 = ge.Sub(%y, %m0)"}
    spread = {250: "%m0 = ge.Relu(%x)", 800: "%m1 = ge.Erf(%y)", 1500: "%m2 = ge.Sin(%x)",
              1990: "%m3 = ge.Cos(%y)"}  # fmt: skip
    before = "common-subexpression-elimination,prune,identity-remove"
    passes = [before, Swaps(), "prune"]
    return [
        ("values, two near nodes", elementwise(near), passes, "value", 2),
        ("values, two far nodes", elementwise(far), passes, "value", 2),
        ("100 ms oracle, one node", elementwise(near), "", holds("Sub"), 1),
        (
            "100 ms oracle, four nodes",
            elementwise(spread),
            "",
            holds("Relu", "Erf", "Sin", "Cos"),
            4,
        ),
        ("crash, three nodes, layouts", parse(graph_text(OPS)), ["prune", Raises()], "crash", 3),
    ]


def main() -> int:
    """Run all cases; 1 where a figure does not hold."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="exit 1 where a figure does not hold")
    args = parser.parse_args()
    from passes.pipeline import as_pipeline
    from passes.testing.reduce import reduce

    missed = False
    for name, model, pipeline, fails, wanted in cases():
        start = time.perf_counter()
        small = reduce(model, as_pipeline(pipeline), fails)
        seconds = time.perf_counter() - start
        good = seconds < SECONDS and small.ops <= wanted and small.complete
        missed |= not good
        verdict = "" if good else f"   MISSED (wanted {wanted} ops in {SECONDS:g} s)"
        print(
            f"{name:30} {small.ops_before:5} -> {small.ops} ops  {seconds:6.1f} s  "
            f"{small.trials:4} trials{verdict}"
        )
    return 1 if args.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
