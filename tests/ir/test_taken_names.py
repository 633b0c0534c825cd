"""Free names: what the plain definition gives, in steps that do not grow with those taken."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import f32
from xdsl.ir import Operation

from ge_dialect.builder import Graph, ge
from ge_dialect.diagnostics import GeError
from ge_dialect.ir.build import build, module
from ge_dialect.ir.graph import new_graph
from ge_dialect.ir.names import clear_location, node_name
from ge_dialect.ir.naming import name_missing
from ge_dialect.ir.outputs import output_names
from ge_dialect.ir.printer import print_module
from ge_dialect.ir.private import set_name_hint
from ge_dialect.ir.rewriter import Rewriter
from ge_dialect.ir.taken_names import TakenNames
from ge_dialect.ir.types import tensor_type
from ge_dialect.weights.store import WeightStore
from tests.growth import IN_PROPORTION, growth

T = tensor_type([2], f32)


def plain(taken: set[str], base: str) -> str:
    """The definition."""
    name, number = base, 0
    while name in taken:
        number += 1
        name = f"{base}_{number}"
    return name


BASES = ("a", "a_1", "a_1_1", "_", "", "a_0", "a_01", "a_٣", "a_-1", "a_" + "9" * 5000)
NAMES = st.one_of(
    st.sampled_from(BASES),
    st.builds(lambda b, n: f"{b}_{n}", st.sampled_from(BASES[:5]), st.integers(0, 6)),
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("fresh"), st.sampled_from(BASES)),
        st.tuples(st.sampled_from(("fresh", "free", "add", "discard")), NAMES),
    ),
    max_size=60,
)


@given(st.sets(NAMES, max_size=8), STEPS)
def test_the_first_that_is_free(given_names: set[str], steps: list[tuple[str, str]]) -> None:
    names, taken = TakenNames(given_names), set(given_names)
    for step, name in steps:
        if step in ("fresh", "free"):
            found = names.fresh(name) if step == "fresh" else names.free(name)
            assert found == plain(taken, name)
            if step == "fresh":
                taken.add(found)
        else:
            getattr(names, step)(name)
            getattr(taken, step)(name)
        assert (name in names) == (name in taken)
    assert len(names) == len(taken)
    assert names.held == taken


def test_update_takes_all() -> None:
    names = TakenNames(["a"])
    assert names.fresh("a") == "a_1"
    names.update(f"a_{i}" for i in (2, 3, 5))
    assert [names.fresh("a") for _ in range(2)] == ["a_4", "a_6"]
    assert names.free("b") == names.fresh("b") == "b"


# --------------------------------------------------------------------- where they come from


def test_a_call_of_the_builder_that_fails_takes_no_name() -> None:
    with Graph("g") as g:
        x = g.input("x", [2])
        ge.Relu(x)
        ge.Relu(x)
        with pytest.raises(GeError):
            ge.Relu(g.const([1, 2], "bool"))
        g.output(ge.Relu(x))
    names = [node_name(op) for op in g.module().walk() if op.name == "ge.Relu"]
    assert names == ["Relu", "Relu_1", "Relu_2"]


def test_a_name_of_the_rewriter_that_was_freed_is_given_again() -> None:
    block = new_graph("g", [T], ["x"]).body
    end = build("NetOutput", [[block.args[0]]], name="end")
    block.add_op(end)
    rw = Rewriter()

    def put() -> Operation:
        op = build("Relu", [block.args[0]])
        rw.insert_before(end, op)
        return op

    ops = [put() for _ in range(4)]
    rw.erase(ops[1])
    rw.erase(ops[2])
    assert [node_name(put()) for _ in range(3)] == ["Relu_1", "Relu_2", "Relu_4"]


def test_names_freed_by_replacing_are_found_without_a_new_count() -> None:
    """The heir of a node frees the name and takes it again; the next new node is one further."""
    block = new_graph("g", [T], ["x"]).body
    end = build("NetOutput", [[block.args[0]]], name="end")
    block.add_op(end)
    rw = Rewriter()
    for _ in range(3):
        rw.insert_before(end, build("Relu", [block.args[0]]))
    second = block.first_op.next_op  # type: ignore[union-attr]
    assert second is not None
    rw.replace(second, [build("Abs", [block.args[0]]), build("Exp", [block.args[0]])])
    rw.insert_before(end, build("Relu", [block.args[0]]))
    names = [node_name(op) for op in block.ops]
    assert names == ["Relu", "Relu_1_Abs", "Relu_1", "Relu_2", "Relu_3", "end"]


# --------------------------------------------------------------------------------- how it grows


def test_ten_times_the_names_take_ten_times_as_long() -> None:
    def run(n: int) -> None:
        names = TakenNames()
        for _ in range(n):
            names.fresh("Cast")
        assert f"Cast_{n - 1}" in names

    assert growth(run, 500) < IN_PROPORTION


def test_names_that_are_freed_and_taken_again_grow_no_faster() -> None:
    """Each step frees the first number, takes it again and takes one behind all."""

    def run(n: int) -> None:
        names = TakenNames(["Cast", *(f"Cast_{i}" for i in range(1, n))])
        for _ in range(n):
            names.discard("Cast_1")
            assert names.fresh("Cast") == "Cast_1"
            names.fresh("Cast")
        assert len(names) == 2 * n

    assert growth(run, 300) < IN_PROPORTION


def test_inserting_many_nodes_of_one_type() -> None:
    def run(n: int) -> None:
        block = new_graph("g", [T], ["x"]).body
        end = build("NetOutput", [[block.args[0]]], name="end")
        block.add_op(end)
        rw = Rewriter()
        relu = type(build("Relu", [block.args[0]]))
        for _ in range(n):
            rw.insert_before(end, relu.create(operands=[block.args[0]], result_types=[T]))

    assert growth(run, 300) < IN_PROPORTION


def test_many_outputs_of_one_node() -> None:
    def prepared(n: int) -> Any:
        graph = new_graph("g", [T], ["x"])
        op = build("Relu", [graph.body.args[0]], name="r")
        graph.body.add_ops([op, build("NetOutput", [[op.results[0]] * n], name="end")])
        return graph

    graphs = {n: prepared(n) for n in (300, 3000)}
    assert growth(lambda n: output_names(graphs[n]), 300) < IN_PROPORTION
    assert output_names(graphs[300])[298:] == ["r_298", "r_299"]


def nameless(n: int) -> Any:
    """A graph of nodes that all have the same hint and no name."""
    graph = new_graph("g", [T], ["x"])
    relu = type(build("Relu", [graph.body.args[0]]))
    ops = [relu.create(operands=[graph.body.args[0]], result_types=[T]) for _ in range(n)]
    for op in ops:
        set_name_hint(op.results[0], "v")
    graph.body.add_ops([*ops, build("NetOutput", [[op.results[0] for op in ops]], name="end")])
    return graph


def test_naming_many_nodes_of_one_hint() -> None:
    graphs = {n: nameless(n) for n in (300, 3000)}

    def run(n: int) -> None:
        for op in graphs[n].body.ops:
            clear_location(op)
        assert name_missing(graphs[n]) == n + 1

    assert growth(run, 300) < IN_PROPORTION


@pytest.mark.parametrize("generic", [False, True])
def test_printing_many_values_of_one_hint(generic: bool) -> None:
    modules = {n: module([nameless(n)]) for n in (300, 3000)}
    assert growth(lambda n: print_module(modules[n], generic=generic), 300) < IN_PROPORTION
    assert "%v_299" in print_module(modules[300], generic=generic)


def test_many_weights_of_one_name() -> None:
    def run(n: int) -> None:
        store = WeightStore()
        for _ in range(n):
            store.declare(store.unique_name("w"), "float16", (2,))
        assert store.names()[-1] == f"w_{n - 1}"

    assert growth(run, 300) < IN_PROPORTION
