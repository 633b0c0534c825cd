"""Graphs with many inputs are made and changed in time in proportion."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from xdsl.dialects.builtin import ArrayAttr, StringAttr, f32

from ge_dialect.api import Model
from ge_dialect.ir.graph import SYMBOLS, GraphOp, module_graphs, new_graph
from ge_dialect.ir.reader import parse_module
from ge_dialect.ir.types import tensor_type
from passes.context import PassContext
from passes.prepare.func_to_graph import FuncToGraph
from passes.testing.reduce.table import build_graph, read_model
from passes.testing.spec import GraphSpec
from tests.growth import IN_PROPORTION, growth

T = "tensor<?x?xf32>"


def names(n: int) -> list[str]:
    """Names that are no SSA names: all are written down as attributes."""
    return [f"a/{i}:0" for i in range(n)]


def model(n: int) -> Model:
    args = ", ".join(
        f'%x{i}: {T} {{ge.name = "{name}", ge.symbols = ["n", ""]}}'
        for i, name in enumerate(names(n))
    )
    lines = "\n".join(f"%r{i} = ge.Relu(%x{i}) : {T}" for i in range(n))
    outputs = ", ".join(f"%r{i}" for i in range(n))
    return Model(parse_module(f"ge.graph @g({args}) {{\n{lines}\nge.NetOutput({outputs})\n}}\n"))


def top(made: Model) -> GraphOp:
    (graph,) = made.graphs
    return graph


def made(n: int) -> Callable[[], GraphOp]:
    return lambda: new_graph("g", [tensor_type([-1, -1], f32)] * n, names(n))


def from_function(n: int) -> Callable[[], GraphOp]:
    args = ", ".join(
        f'%x{i}: {T} {{ge.name = "{name}", ge.symbols = ["n", ""]}}'
        for i, name in enumerate(names(n))
    )
    module = parse_module(f"func.func @f({args}) -> {T} {{\n  func.return %x0 : {T}\n}}\n")

    def run() -> GraphOp:
        copy = module.clone()
        FuncToGraph().run(copy, PassContext())
        (graph,) = module_graphs(copy)
        return graph

    return run


def from_table(n: int) -> Callable[[], GraphOp]:
    (graph,) = read_model(model(n)).graphs
    return lambda: build_graph(graph)


def from_spec(n: int) -> Callable[[], GraphOp]:
    spec = GraphSpec.from_model(model(n))
    return lambda: top(spec.build())


WAYS = [made, from_function, from_table, from_spec]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_ten_times_the_inputs_take_ten_times_as_long(
    way: Callable[[int], Callable[[], GraphOp]],
) -> None:
    ways = {n: way(n) for n in (100, 1000)}
    assert growth(lambda n: ways[n](), 100) < IN_PROPORTION


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_names_and_symbols_arrive(way: Callable[[int], Callable[[], GraphOp]]) -> None:
    graph = way(3)()
    assert graph.arg_names()[:3] == names(3)
    held = None if way is made else ArrayAttr([StringAttr("n"), StringAttr("")])
    assert [a.get(SYMBOLS) for a in graph.all_arg_attributes()[:3]] == [held] * 3


def test_attributes_of_all_arguments() -> None:
    graph = made(2)()
    graph.set_all_arg_attributes([{}, {"ge.name": StringAttr("b")}])
    assert graph.all_arg_attributes() == [{}, {"ge.name": StringAttr("b")}]
    graph.set_arg_attributes(0, {"ge.name": StringAttr("a")})
    assert graph.arg_names() == ["a", "b"]
    graph.all_arg_attributes()[0].clear()
    assert graph.arg_names() == ["a", "b"]
    with pytest.raises(ValueError, match="2 arguments, attributes of 1"):
        graph.set_all_arg_attributes([{}])
    graph.set_all_arg_attributes([{}, {}])
    assert graph.arg_attrs is None
