"""Shapes of graphs on which passes once took the square of the nodes, or more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from xdsl.dialects.builtin import ModuleOp

from ge_dialect.ir.graph import module_graphs
from ge_dialect.ir.names import node_name
from ge_dialect.ir.reader import parse_module
from passes.build.topological_order import TopologicalOrder
from passes.context import PassContext
from passes.ge_driver import GeSweep, NodePass
from passes.registry import pass_class
from tests.growth import IN_PROPORTION, growth

T = "tensor<8xf16>"


def growth_of_pass(
    text: Callable[[int], str], name: str, size: int, *, times: int = 10, driver: str = "default"
) -> float:
    """How many times as long a pass takes on so many times the nodes."""

    def run(case: tuple[ModuleOp, PassContext]) -> None:
        module, ctx = case
        pass_class(name)().run(module, ctx)
        assert not ctx.sink.has_errors

    return growth(
        run, size, lambda n: (parse_module(text(n)), PassContext(driver=driver)), times=times
    )


# --- the pattern driver ---


def nested(depth: int) -> str:
    """Many nodes in the innermost of graphs in graphs."""
    text = "".join(f"%q{i} = ge.Exp(%a{depth}) : {T}\n" for i in range(2000))
    text += "ge.NetOutput(%q0)\n"
    for i in reversed(range(depth)):
        call = f"%r = ge.PartitionedCall(%a{i}) : {T} f(%a{i + 1})"
        text = f"{call} {{\n{text}}}\nge.NetOutput(%r)\n"
    return f"ge.graph @g(%a0: {T}) {{\n{text}}}\n"


def test_nodes_of_inner_graphs_cost_what_others_cost():
    """However deep they lie."""

    def run(module: ModuleOp) -> None:
        pass_class("no-use-reshape-remove")().run(module, PassContext())

    assert growth(run, 1, lambda depth: parse_module(nested(depth)), times=95) < 5


# --- orders ---


def hung(n: int) -> str:
    """Nodes that hang on constants, all with the same reader."""
    nodes = "".join(
        f"  %c{i} = ge.Const() {{value = dense<{i}.0> : {T}}} : {T}\n"
        f"  %e{i} = ge.Exp(%c{i}) : {T}\n"
        for i in range(n)
    )
    reads = ", ".join(f"%e{i}" for i in range(n))
    return (
        f"ge.graph @g(%x: {T}) {{\n{nodes}  %y = ge.Relu(%x) : {T}\n"
        f"  %z = ge.AddN([{reads}, %y]) {{N = {n + 1}}} : {T}\n  ge.NetOutput(%z)\n}}\n"
    )


def test_many_nodes_are_delayed_to_one_reader():
    """Each is put before those that were put there already."""
    module = parse_module(hung(4))
    TopologicalOrder(mode="rdfs").run(module, PassContext())
    (graph,) = module_graphs(module)
    names = [node_name(op) for op in graph.body.ops]
    assert names == ["c0", "c1", "c2", "c3", "y", "e3", "e2", "e1", "e0", "z", "NetOutput"]


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
    assert growth_of_pass(text, "identity-remove", 100, driver="ge") < IN_PROPORTION


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
    assert growth_of_pass(doubled, "infer-shape", 8, times=2) < IN_PROPORTION


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
    assert growth_of_pass(sizes, name, 20) < IN_PROPORTION


# --- symbolic shapes ---


def folded(n: int, op: str) -> str:
    """One value made of n inputs of sizes that are not known, one by one."""
    axis = "  %axis = ge.Const() {value = dense<0> : tensor<i32>} : tensor<i32>\n"
    step = {
        "Add": "ge.Add(%r{0}, %x{0})",
        "ConcatV2": "ge.ConcatV2([%r{0}, %x{0}], %axis) {{N = 2}}",
    }[op]
    chain = "".join(f"  %r{i + 1} = {step.format(i)} : tensor<?xf16>\n" for i in range(n))
    inputs = "".join(f", %x{i}: tensor<?xf16>" for i in range(n))
    return f"ge.graph @g(%r0: tensor<?xf16>{inputs}) {{\n{axis}{chain}  ge.NetOutput(%r{n})\n}}\n"


@pytest.mark.parametrize("op", ["Add", "ConcatV2"])
def test_expressions_do_not_grow_with_the_graph(op):
    """A sum or a broadcast of ever more sizes becomes a size of its own."""
    text = {n: folded(n, op) for n in (20, 200)}
    assert growth_of_pass(text.__getitem__, "print-shape-analysis", 20) < IN_PROPORTION


def test_a_sum_of_many_sizes_is_opaque():
    module, ctx = parse_module(folded(70, "ConcatV2")), PassContext(remarks_enabled=True)
    pass_class("print-shape-analysis")().run(module, ctx)
    said = {d.node: d.message for d in ctx.sink.diagnostics if d.node is not None}
    sizes = [f"x{i}[0]" for i in range(63)]
    assert said["r63"] == f"is [{' + '.join(sorted(['r0[0]', *sizes]))}] within [64, inf]"
    assert said["r64"] == "is [?r64[0]] within [65, inf]"
    assert said["r65"] == "is [?r64[0] + x64[0]] within [66, inf]"


def joined(n: int) -> str:
    """The sizes of every two inputs must agree, so that all of them are one."""
    pairs = "".join(
        f"  %r{i} = ge.AddN([%x{i}, %x{i + 1}]) {{N = 2}} : tensor<?xf16>\n" for i in range(n)
    )
    inputs = ", ".join(f"%x{i}: tensor<?xf16>" for i in range(n + 1))
    results = ", ".join(f"%r{i}" for i in range(n))
    return f"ge.graph @g({inputs}) {{\n{pairs}  ge.NetOutput({results})\n}}\n"


def test_facts_reach_everything_learned_before():
    """x0 is x1, then x1 is x2 ...: in the end the sizes of all results are that of the last."""
    module, ctx = parse_module(joined(40)), PassContext(remarks_enabled=True)
    pass_class("print-shape-analysis")().run(module, ctx)
    ends = {d.message for d in ctx.sink.diagnostics if d.node is not None}
    assert len(ends) == 1
    facts = [d.message for d in ctx.sink.diagnostics if "it works only" in d.message]
    assert len(facts) == 40


def test_many_facts_are_learned_in_proportion():
    module = {n: joined(n) for n in (20, 200, 2000)}
    assert growth_of_pass(module.__getitem__, "print-shape-analysis", 20) < IN_PROPORTION


@pytest.mark.parametrize("op", ["Add", "Maximum"])
def test_long_chains_of_sizes_need_no_deep_stack(op):
    chain = "".join(f"  %s{i + 1} = ge.{op}(%s{i}, %s0) : tensor<2xi32>\n" for i in range(2000))
    module = parse_module(
        f"ge.graph @g(%x: tensor<?x8xf16>) {{\n  %s0 = ge.Shape(%x) : tensor<2xi32>\n{chain}"
        "  %v = ge.Const() {value = dense<1.0> : tensor<f16>} : tensor<f16>\n"
        "  %r = ge.Fill(%s2000, %v) : tensor<?x?xf16>\n  ge.NetOutput(%r)\n}\n"
    )
    ctx = PassContext(remarks_enabled=True)
    pass_class("print-shape-analysis")().run(module, ctx)
    said = {d.node: d.message for d in ctx.sink.diagnostics}
    wanted = {"Add": "is [2001*x[0], 16008] within", "Maximum": "is [x[0], 8] within"}
    assert said["r"].startswith(wanted[op])
