"""Names of what is written and read: ten times as many take ten times as long."""

from __future__ import annotations

import time
from collections.abc import Callable

from xdsl.dialects.builtin import f32
from xdsl.ir import Block

from ge_dialect.diagnostics import DiagnosticSink
from ge_dialect.exporters.ge_graph import BlockView
from ge_dialect.exporters.onnx import _unique
from ge_dialect.exporters.onnx_tensor import Tensors
from ge_dialect.exporters.onnx_values import Shared
from ge_dialect.held import COLLECTOR
from ge_dialect.importers.ge_graphs import symbol
from ge_dialect.ir.build import build
from ge_dialect.ir.taken_names import TakenNames
from ge_dialect.ir.types import tensor_type
from ge_dialect.weights.store import WeightStore

T = tensor_type([2], f32)


def in_proportion(run: Callable[[int], object], size: int) -> bool:
    """Whether ten times the size takes about ten times as long; with the square it would be 100."""

    def seconds(n: int) -> float:
        with COLLECTOR.held():  # it would look at all that other tests have made
            start = time.process_time()
            run(n)
            return time.process_time() - start

    seconds(size)
    small, large = (min(seconds(n) for _ in range(3)) for n in (size, 10 * size))
    return large < 25 * small


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
    assert in_proportion(lambda n: BlockView(BLOCKS[n], None, ["x"]), 300)


def test_edges_back_in_a_dump() -> None:
    def run(n: int) -> None:
        view = BlockView(BLOCKS[n], None, ["x"])
        for i in range(n):
            assert view.written_name(f"loop{i}") == f"loop{i}"

    assert in_proportion(run, 300)


def test_graphs_of_one_name() -> None:
    def run(n: int) -> None:
        taken = TakenNames()
        assert [symbol("a b", taken) for _ in range(n)][-1] == f"a_b_{n - 1}"

    assert in_proportion(run, 300)


def test_outputs_of_an_onnx_model() -> None:
    def run(n: int) -> None:
        names = [f"x{i}" for i in range(n)]
        store = WeightStore()
        shared = Shared(18, store, DiagnosticSink(), Tensors(store))
        shared.names.update(names)
        found = _unique(shared, ["y", *names[1:]] * 2, [None, *names[1:]] * 2, names)
        assert (found[n - 1], found[n], found[-1]) == (f"x{n - 1}", "y_1", f"x{n - 1}_1")

    assert in_proportion(run, 300)
