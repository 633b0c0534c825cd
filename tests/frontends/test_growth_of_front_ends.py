"""Reading, building and saving large models: ten times as much takes about ten times as long."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from xdsl.dialects.builtin import f32

from ge_dialect.api import give_shapes
from ge_dialect.builder import Graph, ge
from ge_dialect.importers.ge_message import Msg
from ge_dialect.importers.ge_v1 import functionalise
from ge_dialect.importers.onnx import import_onnx
from ge_dialect.importers.onnx_graph import in_order
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.taken_names import TakenNames
from ge_dialect.ir.types import tensor_type
from ge_dialect.weights.store import WeightStore
from tests.growth import IN_PROPORTION, growth

onnx = pytest.importorskip("onnx", reason="needs the extra ge-opt[onnx]")
if TYPE_CHECKING:
    from onnx import NodeProto


# --- ONNX: nodes in any order ---


def node(reads: Sequence[str], gives: Sequence[str]) -> NodeProto:
    return onnx.helper.make_node("Sum", list(reads), list(gives))


def by_sweeps(nodes: list[NodeProto], made: set[str]) -> list[NodeProto]:
    """The definition: sweeps over the nodes, as long as one finds something."""
    ready: set[str] = set()
    out: list[NodeProto] = []
    while True:
        rest = []
        for n in nodes:
            if all(r in ready for r in n.input if r in made):
                out.append(n)
                ready.update(n.output)
            else:
                rest.append(n)
        if len(rest) == len(nodes):
            return out
        nodes = rest


@pytest.mark.parametrize("seed", range(40))
def test_the_order_is_that_of_sweeps(seed: int) -> None:
    draw = random.Random(seed)
    names = [f"v{i}" for i in range(12)]
    nodes = [
        node(draw.choices([*names[: i + draw.choice((0, 0, 1))], "x", ""], k=draw.randrange(4)),
             [names[i], *(["v3"] if draw.random() < 0.1 else [])])
        for i in range(12)
    ]  # fmt: skip
    draw.shuffle(nodes)
    made = {o for n in nodes for o in n.output}
    ordered, left = in_order(nodes, made)
    wanted = by_sweeps(nodes, made)
    assert [id(n) for n in ordered] == [id(n) for n in wanted]
    assert [id(n) for n in left] == [id(n) for n in nodes if n not in wanted]


def test_nodes_that_stand_backwards() -> None:
    nodes = {n: [node([f"v{i}"], [f"v{i + 1}"]) for i in reversed(range(n))] for n in (200, 2000)}
    made = {n: {f"v{i + 1}" for i in range(n)} for n in nodes}
    assert in_order(nodes[200], made[200]) == (nodes[200][::-1], [])
    assert growth(lambda n: in_order(nodes[n], made[n]), 200) < IN_PROPORTION


def test_inputs_with_names_of_dims() -> None:
    dims = {n: [f"x{i}" for i in range(n)] for n in (200, 2000)}
    models = {
        n: onnx.helper.make_model(
            onnx.helper.make_graph(
                [onnx.helper.make_node("Relu", ["x0"], ["y"])],
                "g",
                [onnx.helper.make_tensor_value_info(x, 1, (f"d{x}", 8)) for x in names],
                [onnx.helper.make_tensor_value_info("y", 1, None)],
            )
        )
        for n, names in dims.items()
    }

    def run(n: int) -> None:
        model = import_onnx(models[n])
        attributes = model.graphs[0].all_arg_attributes()
        assert str(attributes[7]["ge.symbols"]) == '["dx7", ""]'
        give_shapes(model, {x: (2, 8) for x in dims[n]})
        assert model.graphs[0].args[7].type == tensor_type([2, 8], f32)
        assert not any(model.graphs[0].all_arg_attributes())

    assert growth(run, 200) < IN_PROPORTION


# --- dumps: control flow of TensorFlow 1 ---


def op(name: str, type_: str, inputs: Sequence[str], outputs: int = 1) -> Msg:
    descs = [Msg("TensorDescriptor", -1) for _ in range(outputs)]
    return Msg(
        "OpDef", -1, {"name": name, "type": type_, "input": list(inputs), "output_desc": descs}
    )


def branches(n: int) -> Msg:
    """Branches one after the other; the one in the middle reads what it should not."""
    ops = [op("x", "Data", []), op("p", "Data", [])]
    last = "x:0"
    for i in range(n):
        ops.append(op(f"q{i}", "Not", ["p:0"]))
        ops.append(op(f"s{i}", "Switch", [last, f"q{i}:0"], 2))
        inside = "x:0" if i == n // 2 else f"s{i}:0"
        ops += [op(f"a{i}", "Relu", [inside]), op(f"m{i}", "Merge", [f"a{i}:0", f"s{i}:1"], 2)]
        last = f"m{i}:0"
    ops.append(op("end", "NetOutput", [f"m{i}:0" for i in range(n)]))
    return Msg("GraphDef", -1, {"name": "g", "op": ops})


def test_branches_of_a_dump() -> None:
    graphs = {n: branches(n) for n in (20, 40, 200)}
    out, made = functionalise(graphs[40], TakenNames())
    assert list(made)[:3] == ["m0/If/then", "m0/If/else", "m1/If/then"]
    types = [o.get("type") for o in out.many("op")]
    assert (types.count("If"), types.count("Merge"), len(made)) == (39, 1, 78)
    (end,) = [o for o in out.many("op") if o.get("name") == "end"]
    assert end.many("input")[19:22] == ["m19/If:0", "m20:0", "m21/If:0"]
    assert growth(lambda n: functionalise(graphs[n], TakenNames()), 20) < IN_PROPORTION


# --- builder ---


def test_inputs_of_a_built_graph() -> None:
    def run(n: int) -> None:
        g = Graph("g")
        inputs = [g.input(f"x{i}", (f"d{i}", 2)) for i in range(n)]
        assert inputs[7].name == "x7"
        g.output(inputs[7])
        (graph,) = g.model().graphs
        assert graph.arg_names() == [f"x{i}" for i in range(n)]
        assert str(graph.arg_attributes(7)["ge.symbols"]) == '["d7", ""]'

    assert growth(run, 200) < IN_PROPORTION


def test_names_of_inputs_that_look_alike() -> None:
    g = Graph("g")
    g.output(*(g.input(name, (2,)) for name in ("a b", "a_b", "a:b", "c")))
    assert g.model().graphs[0].arg_names() == ["a b", "a_b", "a:b", "c"]


def test_what_a_body_takes_from_outside() -> None:
    def run(n: int) -> None:
        g = Graph("g")
        x, c = g.input("x", (2,)), g.input("c", (), "bool")
        values = [ge.Relu(x) for _ in range(n)]
        (y,) = ge.If(c, then_branch=lambda: values[1:], else_branch=lambda: values[:-1])[:1]
        g.output(y)
        (graph,) = g.model().graphs
        branch = next(op for op in graph.body.ops if isinstance(op, GeOp) and op.regions)
        taken = [*values[1:], values[0]]  # in order of first use, the same for both bodies
        assert branch.ge_inputs("input") == tuple(v.ssa for v in taken)
        wanted = [*range(n - 1)], [n - 1, *range(n - 2)]
        for body, places in zip(branch.regions, wanted, strict=True):
            args, end = body.block.args, body.block.last_op
            assert end is not None
            assert list(end.operands) == [args[i] for i in places]
            assert [a.index for a in args] == [*range(n)]

    assert growth(run, 60) < IN_PROPORTION


# --- weights ---


def test_a_part_of_many_weights_is_saved(tmp_path: Path) -> None:
    stores = {n: WeightStore() for n in (300, 3000)}
    for n, store in stores.items():
        for i in range(n):
            store.declare(f"w{i}", "float32", (2,))
        store.save(tmp_path / "whole")
        stores[n] = WeightStore.open(tmp_path / "whole")
        stores[n].folder = None
    assert (
        growth(lambda n: stores[n].save(tmp_path / "w", keep=stores[n].names()), 300)
        < IN_PROPORTION
    )


def test_what_is_kept_may_come_one_by_one(tmp_path: Path) -> None:
    store = WeightStore({name: np.zeros(2) for name in "abcd"})
    store.save(tmp_path / "w", keep=iter("dbx"))
    assert WeightStore.open(tmp_path / "w").names() == ["b", "d"]
