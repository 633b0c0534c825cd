"""Names of what is written and read: ten times as many take ten times as long."""

from __future__ import annotations

from xdsl.dialects.builtin import f32
from xdsl.ir import Block

from ge_dialect.diagnostics import DiagnosticSink
from ge_dialect.exporters.ge_graph import BlockView
from ge_dialect.exporters.onnx import _unique
from ge_dialect.exporters.onnx_tensor import Tensors
from ge_dialect.exporters.onnx_values import Shared
from ge_dialect.importers.ge_graphs import symbol
from ge_dialect.ir.build import build
from ge_dialect.ir.taken_names import TakenNames
from ge_dialect.ir.types import tensor_type
from ge_dialect.weights.store import WeightStore
from tests.growth import IN_PROPORTION, growth

T = tensor_type([2], f32)


def alike(n: int) -> Block:
    """A block of nodes without a name."""
    block = Block(arg_types=[T])
    relu = type(build("Relu", [block.args[0]]))
    block.add_ops(relu.create(operands=[block.args[0]], result_types=[T]) for _ in range(n))
    return block


BLOCKS = {n: alike(n) for n in (300, 3000)}


def test_nodes_without_names_in_a_dump() -> None:
    view = BlockView(BLOCKS[300], None, ["x"])
    assert list(view.names.values())[-1] == "Relu_299"
    assert growth(lambda n: BlockView(BLOCKS[n], None, ["x"]), 300) < IN_PROPORTION


def test_edges_back_in_a_dump() -> None:
    def run(n: int) -> None:
        view = BlockView(BLOCKS[n], None, ["x"])
        for i in range(n):
            assert view.written_name(f"loop{i}") == f"loop{i}"

    assert growth(run, 300) < IN_PROPORTION


def test_graphs_of_one_name() -> None:
    def run(n: int) -> None:
        taken = TakenNames()
        assert [symbol("a b", taken) for _ in range(n)][-1] == f"a_b_{n - 1}"

    assert growth(run, 300) < IN_PROPORTION


def test_outputs_of_an_onnx_model() -> None:
    def run(n: int) -> None:
        names = [f"x{i}" for i in range(n)]
        store = WeightStore()
        shared = Shared(18, store, DiagnosticSink(), Tensors(store))
        shared.names.update(names)
        found = _unique(shared, ["y", *names[1:]] * 2, [None, *names[1:]] * 2, names)
        assert (found[n - 1], found[n], found[-1]) == (f"x{n - 1}", "y_1", f"x{n - 1}_1")

    assert growth(run, 300) < IN_PROPORTION
