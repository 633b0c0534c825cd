"""normalize-io on graphs with many inputs: the time is in proportion, and Data stand right."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from xdsl.dialects.builtin import ModuleOp

from ge_dialect.ir.base import GeOp
from ge_dialect.ir.graph import module_graphs
from ge_dialect.ir.names import node_name
from ge_dialect.ir.private import redirect_each
from ge_dialect.ir.reader import parse_module
from ge_dialect.ir.verifier import verify
from passes.context import PassContext
from passes.prepare.normalize_io import NormalizeIo
from tests.growth import IN_PROPORTION, growth

T = "tensor<8xf16>"


def graph(n: int, lines: list[str], outputs: list[str]) -> str:
    args = ", ".join(f"%x{i}: {T}" for i in range(n))
    return "\n".join(
        [f"ge.graph @g({args}) {{", *lines, f"ge.NetOutput({', '.join(outputs)})", "}"]
    )


def no_data(n: int) -> str:
    return graph(n, [f"%r{i} = ge.Relu(%x{i}) : {T}" for i in range(n)], [f"%r{n - 1}"])


def one_reader(n: int) -> str:
    xs = [f"%x{i}" for i in range(n)]
    return graph(n, [f"%s = ge.AddN([{', '.join(xs)}]) {{N = {n}}} : {T}"], [*xs, "%s"])


def data_at_start(n: int) -> str:
    data = [f"%d{i} = ge.Data(%x{i}) {{index = {i}}} : {T}" for i in range(n)]
    return graph(n, [*data, *(f"%r{i} = ge.Relu(%d{i}) : {T}" for i in range(n))], ["%r0"])


def data_among_nodes(n: int) -> str:
    lines = [f"%d{i} = ge.Data(%x{i}) {{index = 0}} : {T}\n%r{i} = ge.Relu(%d{i}) : {T}"
             for i in reversed(range(n))]  # fmt: skip
    return graph(n, lines, ["%r0"])


def data_behind_readers(n: int) -> str:
    lines = [f"%r{i} = ge.Relu(%x{i}) : {T}" for i in range(n)]
    lines += [f"%d{i} = ge.Data(%x{i}) {{index = {i}}} : {T}" for i in reversed(range(n))]
    return graph(n, lines, [f"%d{i}" for i in range(n)])


def two_data_each(n: int) -> str:
    lines = [f'%d{i} = ge.Data(%x{i}) {{index = 0}} : {T} loc("{"da"[k]}{i}")' for k in (0, 1)
             for i in range(n)]  # fmt: skip
    lines = [line.replace("%d", f"%d{i // n}_") for i, line in enumerate(lines)]
    return graph(n, [*lines, *(f"%r{i} = ge.Relu(%d1_{i}) : {T}" for i in range(n))], ["%r0"])


def merged_and_made(n: int) -> str:
    lines = [f"%d{k}_{i} = ge.Data(%x{i}) {{index = 0}} : {T}" for k in (0, 1)
             for i in range(0, n, 2)]  # fmt: skip
    return graph(n, lines, ["%d0_0", "%d1_0"])


SHAPES = [no_data, one_reader, data_at_start, data_among_nodes, data_behind_readers,
          two_data_each, merged_and_made]  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_ten_times_the_inputs_take_ten_times_as_long(shape: Callable[[int], str]) -> None:
    def run(module: ModuleOp) -> None:
        NormalizeIo().run(module, PassContext())

    assert growth(run, 100, lambda n: parse_module(shape(n))) < IN_PROPORTION


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_each_argument_is_read_by_its_data_alone(shape: Callable[[int], str]) -> None:
    module = parse_module(shape(9))
    NormalizeIo().run(module, PassContext())
    assert not verify(module)
    for arg in module_graphs(module)[0].args:
        (use,) = arg.uses
        assert isinstance(use.operation, GeOp)
        assert use.operation.ge_type == "Data"
        assert use.operation.ge_attr("index") == arg.index
    assert not NormalizeIo().run(module, PassContext()).changed


def order_of(text: str) -> list[str | None]:
    module = parse_module(text)
    assert not verify(module)
    NormalizeIo().run(module, PassContext())
    assert not verify(module)
    return [node_name(op) for op in module_graphs(module)[0].body.ops]


def test_data_stand_in_the_order_of_the_arguments() -> None:
    assert order_of(no_data(3)) == ["x0", "x1", "x2", "r0", "r1", "r2", "NetOutput"]
    assert order_of(data_behind_readers(3)) == ["d0", "d1", "d2", "r0", "r1", "r2", "NetOutput"]


def test_data_that_stand_before_their_readers_stay() -> None:
    assert order_of(data_among_nodes(3)) == ["d2", "r2", "d1", "r1", "d0", "r0", "NetOutput"]


def test_new_data_come_behind_those_at_the_start() -> None:
    lines = [
        f"%d = ge.Data(%x1) {{index = 1}} : {T}",
        f"%a = ge.Relu(%x0) : {T}",
        f"%b = ge.Relu(%x2) : {T}",
        f"%e = ge.Data(%x2) {{index = 2}} : {T}",
    ]
    assert order_of(graph(3, lines, ["%a", "%b", "%d", "%e"])) == [
        "d", "x0", "e", "a", "b", "NetOutput",
    ]  # fmt: skip


def test_new_data_come_before_a_node_that_waits_in_place_of_one_that_is_merged() -> None:
    lines = [f"%d = ge.Data(%x0) {{index = 0}} : {T}"]
    waits = [f"%p{i}_done" for i in range(9)]
    lines += [f"%p{i}, {w} = ge.Relu(%d) : {T}, !ge.ctrl" for i, w in enumerate(waits)]
    lines += [f"%e, %e_done = ge.Data(%x0) after({', '.join(waits)}) : {T}, !ge.ctrl"]
    lines += [f"%r{i} = ge.Abs(%e) : {T}" for i in range(9)]
    found = order_of(graph(2, lines, ["%r0", "%x1"]))
    ps, rs = [f"p{i}" for i in range(9)], [f"r{i}" for i in range(9)]
    assert found == ["d", "x1", *ps, "NoOp", *rs, "NetOutput"]


def test_a_label_that_a_node_has_gets_a_number() -> None:
    lines = [f'%a = ge.Relu(%x0) : {T} loc("x1")', f'%b = ge.Relu(%x1) : {T} loc("x1_1")']
    assert order_of(graph(2, lines, ["%a", "%b"])) == ["x0", "x1_2", "x1", "x1_1", "NetOutput"]


def test_uses_are_redirected_as_one_by_one() -> None:
    texts = [one_reader(4), one_reader(4)]
    batch, single = (module_graphs(parse_module(t))[0] for t in texts)
    for owner in (batch, single):
        moves = [(use, owner.args[0]) for arg in list(owner.args)[1:] for use in arg.uses]
        if owner is batch:
            redirect_each(moves)
        else:
            for use, value in moves:
                use.operation.operands[use.index] = value
    shown = [
        [[(use.operation.name, use.index) for use in arg.uses] for arg in owner.args]
        for owner in (batch, single)
    ]
    assert shown[0] == shown[1]
    assert len(shown[0][0]) == 8
    assert [list(map(len, shown[0]))] == [[8, 0, 0, 0]]
    for op in batch.body.ops:
        assert all(v is batch.args[0] for v in op.operands[:4])
