"""Reading, building and saving large models: ten times as much takes about ten times as long."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ge_dialect.held import COLLECTOR
from ge_dialect.importers.onnx_graph import in_order
from ge_dialect.weights.store import WeightStore

onnx = pytest.importorskip("onnx", reason="needs the extra ge-opt[onnx]")
if TYPE_CHECKING:
    from onnx import NodeProto


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
    assert in_proportion(lambda n: in_order(nodes[n], made[n]), 200)


# --- weights ---


def test_a_part_of_many_weights_is_saved(tmp_path: Path) -> None:
    stores = {n: WeightStore() for n in (300, 3000)}
    for n, store in stores.items():
        for i in range(n):
            store.declare(f"w{i}", "float32", (2,))
        store.save(tmp_path / "whole")
        stores[n] = WeightStore.open(tmp_path / "whole")
        stores[n].folder = None
    assert in_proportion(lambda n: stores[n].save(tmp_path / "w", keep=stores[n].names()), 300)


def test_what_is_kept_may_come_one_by_one(tmp_path: Path) -> None:
    store = WeightStore({name: np.zeros(2) for name in "abcd"})
    store.save(tmp_path / "w", keep=iter("dbx"))
    assert WeightStore.open(tmp_path / "w").names() == ["b", "d"]
