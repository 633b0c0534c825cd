"""Shapes of graphs on which passes once took the square of the nodes, or more."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

import pytest

from ge_dialect.held import COLLECTOR
from ge_dialect.ir.reader import parse_module
from passes.context import PassContext
from passes.ge_driver import GeSweep, NodePass
from passes.registry import pass_class

T = "tensor<8xf16>"


def in_proportion(
    text: Callable[[int], str], name: str, size: int, *, times: int = 10, driver: str = "default"
) -> bool:
    """Whether a pass takes about ten times as long on ten times the nodes."""

    def seconds(n: int) -> float:
        module, ctx = parse_module(text(n)), PassContext(driver=driver)
        a_pass = pass_class(name)()
        with COLLECTOR.held():  # it would look at all that other tests have made
            start = time.process_time()
            a_pass.run(module, ctx)
            spent = time.process_time() - start
        assert not ctx.sink.has_errors
        return spent

    seconds(size)
    small, large = (min(seconds(n) for _ in range(3)) for n in (size, times * size))
    return large < 25 * small


# --- GE's order of visits ---


def taps(n: int, *, backwards: bool = False) -> str:
    """A chain whose every value is a result of the graph."""
    chain = "".join(f"  %r{i + 1} = ge.Exp(%r{i}) : {T}\n" for i in range(n))
    ends = sorted(range(n + 1), reverse=backwards)
    results = ", ".join(f"%r{i}" for i in ends)
    return f"ge.graph @g(%r0: {T}) {{\n{chain}  ge.NetOutput({results})\n}}\n"


def taps_of_identities(n: int) -> str:
    """The same, where the inputs of the last node change all the time."""
    chain = "".join(
        f"  %q{i} = ge.Identity(%r{i}) : {T}\n  %r{i + 1} = ge.Exp(%q{i}) : {T}\n" for i in range(n)
    )
    results = ", ".join(f"%q{i}" for i in range(n))
    return f"ge.graph @g(%r0: {T}) {{\n{chain}  ge.NetOutput({results})\n}}\n"


@pytest.mark.parametrize(
    "text", [taps, lambda n: taps(n, backwards=True), taps_of_identities], ids=["in", "out", "same"]
)
def test_a_node_that_reads_many_is_offered_behind_each(text):
    assert in_proportion(text, "identity-remove", 100, driver="ge")


class _Restless(NodePass):
    """Asks for every node that was visited once more, as soon as there is another."""

    def __init__(self) -> None:
        self.asked: set[object] = set()

    def run(self, node, sweep):
        for other in [*sweep.visited[-2:-1], *sweep.visited[:1]]:
            if other not in self.asked:
                self.asked.add(other)
                sweep.revisit_now(other)
                sweep.revisit_now(other)


def test_visits_asked_for_at_once_come_once():
    module = parse_module(taps(4))
    (graph,) = module.ops
    sweep = GeSweep([_Restless()])
    sweep.run(graph.regions[0].block)
    assert set(Counter(sweep.visited).values()) == {2}


# --- values known at compile time ---


def doubled(n: int) -> str:
    """An unknown size that is multiplied by itself so many times: 2 ** n ways lead to it."""
    chain = "".join(f"  %s{i + 1} = ge.Mul(%s{i}, %s{i}) : tensor<2xi32>\n" for i in range(n))
    return (
        f"ge.graph @g(%x: tensor<?x8xf16>) {{\n  %s0 = ge.Shape(%x) : tensor<2xi32>\n{chain}"
        f"  %r = ge.Reshape(%x, %s{n}) : tensor<?x?xf16>\n  ge.NetOutput(%r)\n}}\n"
    )


def test_an_unknown_value_is_looked_at_once():
    assert in_proportion(doubled, "infer-shape", 8, times=2)


def sizes(n: int) -> str:
    """A chain of unknown sizes each of which shapes a tensor."""
    chain = "".join(
        f"  %s{i + 1} = ge.Maximum(%s{i}, %s0) : tensor<2xi32>\n"
        f"  %r{i} = ge.Reshape(%x, %s{i + 1}) : tensor<?x?xf16>\n"
        for i in range(n)
    )
    results = ", ".join(f"%r{i}" for i in range(n))
    return (
        f"ge.graph @g(%x: tensor<?x8xf16>) {{\n  %s0 = ge.Shape(%x) : tensor<2xi32>\n{chain}"
        f"  ge.NetOutput({results})\n}}\n"
    )


@pytest.mark.parametrize("name", ["infer-shape", "infer-shape-for-preprocess"])
def test_what_is_unknown_stays_so_while_nothing_changes(name):
    assert in_proportion(sizes, name, 20)
