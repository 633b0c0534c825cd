"""Objects made in batches are objects of their own."""

from __future__ import annotations

import copy
import gc
import pickle
import sys
import threading
import weakref
from collections.abc import Callable

import pytest
from xdsl.dialects.builtin import UNKNOWN_LOC, ModuleOp, StringAttr, UnitAttr, f32
from xdsl.ir import Block, Operation

from ge_dialect.ir.batches import Batch, together
from ge_dialect.ir.graph import module_graphs
from ge_dialect.ir.printer import print_module
from ge_dialect.ir.private import create_node
from ge_dialect.ir.reader import parse_module
from ge_dialect.ir.types import tensor_type
from ge_dialect.ops.registry import op_class

T = "tensor<4xf16>"


class Counted:
    """Counts how many of it were made."""

    made = 0

    def __init__(self) -> None:
        Counted.made += 1


def test_every_object_is_given_out_once():
    batch = Batch(Counted)
    with together():
        taken = [batch.take() for _ in range(1000)]
    taken += [batch.take() for _ in range(10)]
    assert len({id(one) for one in taken}) == 1010


@pytest.mark.parametrize("parts", [1, 3, 64, 1000])
def test_what_waits_is_never_more_than_what_was_taken(parts: int) -> None:
    Counted.made = 0
    batch = Batch(Counted, parts)
    with together():
        for taken in range(1, 1000):
            batch.take()
            assert taken <= Counted.made <= min(2 * taken, taken + max(64 // parts, 1))


def test_nothing_waits_when_nobody_reads():
    Counted.made = 0
    batch = Batch(Counted)
    for taken in range(1, 20):
        batch.take()
        assert Counted.made == taken
    with together(), together():
        for _ in range(100):
            batch.take()
    made = Counted.made
    batch.take()
    assert Counted.made == made + 1


def test_wide_nodes_leave_no_memory_behind() -> None:
    """Read again and again, nodes of many widths and of a great one take memory once."""
    wide = ", ".join(["%x"] * 3000)
    texts = [f"ge.graph @g(%x: {T}) {{\n  ge.NetOutput({wide})\n}}\n"]
    texts += [
        f"ge.graph @g(%x: {T}) {{\n  ge.NetOutput({', '.join(['%x'] * n)})\n}}\n"
        for n in range(1, 300)
    ]
    gc.collect()
    kept: list[int] = []
    for _ in range(3):
        for text in texts:
            parse_module(text)
        gc.collect()
        kept.append(len(gc.get_objects()))
    assert kept[-1] - kept[0] < 100


def test_nodes_share_nothing_that_can_change():
    t = tensor_type([4], f32)
    block = Block(arg_types=[t])
    given = {"ge.k": StringAttr("v")}
    nodes = [create_node(op_class("Relu"), [block.args[0]], [t], {}, given, UNKNOWN_LOC)]
    for _ in range(200):
        last = nodes[-1].results[0]
        nodes.append(create_node(op_class("Relu"), [last], [t], {}, given, UNKNOWN_LOC))
    block.add_ops(nodes)
    for i, node in enumerate(nodes):
        node.attributes["ge.i"] = StringAttr(str(i))
        node.properties["own"] = StringAttr(str(i))
    assert given == {"ge.k": StringAttr("v")}
    for i, node in enumerate(nodes):
        assert node.attributes == {"ge.k": StringAttr("v"), "ge.i": StringAttr(str(i))}
        assert node.properties == {"own": StringAttr(str(i))}
        assert node.results[0].op is node
        assert [use.operation for use in node.results[0].uses] == nodes[i + 1 : i + 2]


def chain(nodes: int, *, generic: bool = False) -> str:
    """The text of a chain of nodes of some classes that have equal attributes."""
    lines = [f"  %a0 = ge.Relu(%x) {{ge.k = 1}} : {T}"]
    for i in range(1, nodes):
        kind = ("Relu", "Exp", "Abs")[i % 3]
        lines.append(
            f"  %a{i} = ge.Add(%a{i - 1}, %a{i // 2}) {{ge.k = 1}} : {T}"
            if i % 4 == 0
            else f'  %a{i} = ge.{kind}(%a{i - 1}) {{ge.k = 1}} : {T} loc("n{i}"("p"))'
        )
    text = (
        f"ge.graph @g(%x: {T}) {{\n" + "\n".join(lines) + f"\n  ge.NetOutput(%a{nodes - 1})\n}}\n"
    )
    return print_module(parse_module(text), generic=True, debuginfo=True) if generic else text


def nodes_in(module: ModuleOp) -> list[Operation]:
    return list(module_graphs(module)[0].body.ops)


def check_parts(module: ModuleOp) -> None:
    """Every node has parts of its own, and they know the node."""
    nodes = nodes_in(module)
    for op in nodes:
        assert [result.op for result in op.results] == [op] * len(op.results)
        assert [result.index for result in op.results] == list(range(len(op.results)))
        for i, value in enumerate(op.operands):
            assert [use.operation for use in value.uses if use.operation is op and use.index == i]
        uses = [use for result in op.results for use in result.uses]
        assert [use._prev_use for use in uses] == [None, *uses][: len(uses)]
    dictionaries = [d for op in nodes for d in (op.attributes, op.properties)]
    assert len({id(d) for d in dictionaries}) == 2 * len(nodes)
    assert len({id(op.location) for op in nodes}) == len(nodes)


@pytest.mark.parametrize("generic", [False, True])
def test_what_is_changed_in_one_node_is_in_no_other_and_in_no_later_one(generic: bool) -> None:
    text = chain(40, generic=generic)
    module = parse_module(text)
    before = print_module(module, generic=True, debuginfo=True)
    for op in nodes_in(module)[::2]:
        op.attributes["ge.other"] = op.attributes.pop("ge.k", UnitAttr())
        op.properties["own"] = UnitAttr()
    changed = [("ge.other" in op.attributes, "own" in op.properties) for op in nodes_in(module)]
    assert changed == [(i % 2 == 0,) * 2 for i in range(41)]
    assert all("ge.k" in op.attributes for op in nodes_in(module)[1:40:2])
    assert print_module(parse_module(text), generic=True, debuginfo=True) == before


@pytest.mark.parametrize("collecting", [False, True])
@pytest.mark.parametrize("generic", [False, True])
def test_nothing_of_a_deleted_module_stays(generic: bool, collecting: bool) -> None:
    text = chain(100, generic=generic)
    was = gc.isenabled()
    (gc.enable if collecting else gc.disable)()
    try:
        module = parse_module(text)
        parts = [module, *nodes_in(module)]
        parts += [p for op in nodes_in(module) for p in (*op.results, op.location)]
        parts += [use for op in nodes_in(module) for r in op.results for use in r.uses]
        seen = [weakref.ref(part) for part in parts]
        del module, parts
        gc.collect()
        assert not [ref() for ref in seen if ref() is not None]
    finally:
        (gc.enable if was else gc.disable)()


def test_an_erased_node_does_not_stay() -> None:
    module = parse_module(chain(80))
    last = nodes_in(module)[-1]
    seen = weakref.ref(last)
    last.detach()
    last.erase()
    del last
    gc.collect()
    assert seen() is None
    assert len(nodes_in(module)) == 80
    assert not list(nodes_in(module)[-1].results[0].uses)


@pytest.mark.parametrize("generic", [False, True])
def test_reading_after_an_interrupted_one(generic: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    text = chain(60, generic=generic)
    want = print_module(parse_module(text), generic=True, debuginfo=True)
    take = Batch.take
    for last in (*range(1, 24), 97, 200):
        left = last

        def interrupted(batch: Batch[object]) -> object:
            nonlocal left
            left -= 1
            taken = take(batch)
            if not left:
                raise KeyboardInterrupt
            return taken

        with monkeypatch.context() as patch:
            patch.setattr(Batch, "take", interrupted)
            with pytest.raises(KeyboardInterrupt):
                parse_module(text)
        module = parse_module(text)
        check_parts(module)
        assert print_module(module, generic=True, debuginfo=True) == want


def test_threads_read_at_once() -> None:
    text = chain(60)
    found: list[ModuleOp] = []

    def read() -> None:
        found.extend(parse_module(text) for _ in range(6))

    interval, limit, collecting = sys.getswitchinterval(), sys.getrecursionlimit(), gc.isenabled()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=read) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert (sys.getrecursionlimit(), gc.isenabled()) == (limit, collecting)
    assert len(found) == 18
    want = print_module(parse_module(text), generic=True, debuginfo=True)
    for module in found:
        check_parts(module)
        assert print_module(module, generic=True, debuginfo=True) == want
    assert len({id(op.attributes) for module in found for op in nodes_in(module)}) == 18 * 61


@pytest.mark.parametrize(
    "copied",
    [lambda op: op.clone(), copy.deepcopy, lambda op: pickle.loads(pickle.dumps(op))],
    ids=["clone", "deepcopy", "pickle"],
)
def test_copies_share_nothing_that_can_change(copied: Callable[[ModuleOp], ModuleOp]) -> None:
    module = parse_module(chain(12))
    other = copied(module)
    check_parts(other)
    assert other.is_structurally_equivalent(module)
    before = print_module(module, generic=True, debuginfo=True)
    assert print_module(other, generic=True, debuginfo=True) == before
    for op in nodes_in(other):
        op.attributes["ge.other"] = UnitAttr()
        op.properties["own"] = UnitAttr()
    assert print_module(module, generic=True, debuginfo=True) == before
