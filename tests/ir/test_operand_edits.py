"""Edits of single operands give what writing all of them anew gives, at the cost of the edit."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence

import pytest
from xdsl.dialects import test as stock
from xdsl.dialects.builtin import f32
from xdsl.ir import Block, Operation, SSAValue

from ge_dialect.api import parse
from ge_dialect.held import COLLECTOR
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.build import build, module
from ge_dialect.ir.control import (
    add_control,
    control_inputs,
    control_of,
    control_result,
    data_inputs,
    not_read,
    replace_control,
    set_control,
)
from ge_dialect.ir.graph import new_graph
from ge_dialect.ir.printer_tables import segment_sizes
from ge_dialect.ir.private import (
    append_operands,
    drop_operand,
    is_tidy,
    move_uses,
    operands_of,
    reads,
    set_last_operands,
    set_operand,
)
from ge_dialect.ir.rewriter import Rewriter
from ge_dialect.ir.types import tensor_type
from ge_dialect.ir.verifier import verify
from passes import run_pipeline

T4 = tensor_type((4,), f32)


def check_uses(block: Block) -> None:
    """Operands, uses, lists of uses and sizes of segments agree, as xDSL's public API sees them."""
    seen: dict[SSAValue, set[tuple[Operation, int]]] = {}
    for op in block.ops:
        for index, value in enumerate(op.operands):
            seen.setdefault(value, set()).add((op, index))
        if isinstance(op, GeOp) and not type(op).ge_table().fixed:
            assert op.ge_control_operands == control_inputs(op)
            sizes = segment_sizes(op.properties["operandSegmentSizes"])
            assert sizes is not None
            assert sum(sizes) == len(op.operands)
    for value in [*block.args, *(r for op in block.ops for r in op.results)]:
        uses = [(u.operation, u.index) for u in value.uses]
        assert len(uses) == len(set(uses))
        assert set(uses) == seen.get(value, set())
        back = None
        for use in value.uses:
            assert use._prev_use is back
            back = use


def sources(count: int) -> tuple[Block, list[GeOp]]:
    graph = new_graph("g", [T4], ["x"])
    ops = [
        build("Relu", [graph.body.args[0]], result_types=[T4], name=f"r{i}") for i in range(count)
    ]
    graph.body.add_ops(ops)
    module([graph])
    return graph.body, ops


def reader(rng: random.Random, block: Block, ops: Sequence[Operation], kind: str) -> GeOp:
    """A node that reads some of the nodes and waits for some, not always tidily."""
    values = [o.results[0] for o in ops]
    waits = [control_of(o) for o in rng.choices(ops, k=rng.randrange(12))]
    if kind == "NoOp":
        op = build("NoOp", [], control=waits)
    elif kind == "Add":
        op = build("Add", rng.choices(values, k=2), result_types=[T4], control=waits)
    else:
        many = rng.choices(values, k=rng.randint(1, 12))
        op = build("AddN", [many], {"N": len(many)}, result_types=[T4], control=waits)
    block.add_op(op)
    return op


@pytest.mark.parametrize("seed", range(30))
def test_single_edits_are_those_of_a_list(seed: int) -> None:
    rng = random.Random(seed)
    block, ops = sources(6)
    node = stock.TestOp.create()  # no operator: nothing counts its operands
    block.add_op(node)
    values = [v for o in ops for v in (o.results[0], control_of(o))]
    model: list[SSAValue] = []
    for _ in range(60):
        kind = rng.choice(["append", "drop", "set", "last", "move"])
        if kind == "append":
            new = rng.choices(values, k=rng.randrange(4))
            append_operands(node, new)
            model += new
        elif kind == "drop" and model:
            index = rng.randrange(len(model))
            drop_operand(node, index)
            del model[index]
        elif kind == "set" and model:
            index = rng.randrange(len(model))
            model[index] = rng.choice(values)
            set_operand(node, index, model[index])
        elif kind == "last":
            start, new = rng.randint(0, len(model)), rng.sample(values, 3)
            set_last_operands(node, start, new)
            model[start:] = new
        elif kind == "move":
            old, new = rng.sample(values, 2)
            move_uses(old, new)
            model = [new if v is old else v for v in model]
        assert list(node.operands) == model
        assert [u.index for u in node._operand_uses] == list(range(len(model)))
        for index, value in enumerate(model):
            assert any(u.operation is node and u.index == index for u in value.uses)
            assert reads(node, value.owner)
        for maker in ops:
            assert reads(node, maker) == any(v.owner is maker for v in model)
            assert sum(1 for r in maker.results for u in r.uses) == sum(
                v.owner is maker for v in model
            )


@pytest.mark.parametrize("kind", ["NoOp", "Add", "AddN"])
@pytest.mark.parametrize("seed", range(20))
def test_edits_of_control_edges_are_those_of_all_edges(seed: int, kind: str) -> None:
    rng = random.Random(seed)
    block, ops = sources(10)
    op = reader(rng, block, ops, kind)
    for _ in range(40):
        data, waits = data_inputs(op), control_inputs(op)
        new = [control_of(o) for o in rng.choices(ops, k=rng.choice([0, 1, 2, 9]))]
        edit = rng.choice(["add", "replace", "set", "data"])
        if edit == "add":
            have = {v.owner for v in (*data, *waits)}
            want = [*waits, *(c for c in dict.fromkeys(new) if c.owner not in have)]
            assert not_read(op, [c.owner for c in new]) == [c.owner for c in want[len(waits) :]]
            assert add_control(op, new) == (len(want) > len(waits))
        elif edit == "replace" and waits:
            gone = rng.choice(waits)
            new = [c for c in new if c is not gone]
            want = tidied(data, [*(c for c in waits if c is not gone), *new])
            replace_control(next(u for u in gone.uses if u.operation is op), new)
        elif edit == "set":
            want = tidied(data, new)
            set_control(op, new)
        elif edit == "data" and data:
            index, want = rng.randrange(len(data)), list(waits)
            value = rng.choice(ops).results[0]
            data = (*data[:index], value, *data[index + 1 :])
            set_operand(op, index, value)
        else:
            continue
        assert data_inputs(op) == data
        assert list(control_inputs(op)) == want
        if is_tidy(op):
            assert want == tidied(data, want)
        check_uses(block)


def tidied(data: Sequence[SSAValue], controls: Sequence[SSAValue]) -> list[SSAValue]:
    """The control values, of each maker the first, without those whose maker the node reads."""
    have = {v.owner for v in data}
    kept: list[SSAValue] = []
    for c in controls:
        if c.owner not in have:
            have.add(c.owner)
            kept.append(c)
    return kept


@pytest.mark.parametrize("seed", range(100))
def test_what_is_taken_for_tidy_is(seed: int) -> None:
    rng = random.Random(seed)
    block, ops = sources(12)
    for _ in range(20):
        ops.append(reader(rng, block, ops[:], rng.choice(["Add", "AddN"])))
    block.add_op(build("NetOutput", [[ops[-1].results[0]]], control=[control_of(o) for o in ops]))
    rewriter, known = Rewriter(), 0
    for op in ops[:-1]:
        if rng.random() < 0.5:
            rewriter.replace_by_value(op, [rng.choice(data_inputs(op))])
        for node in block.ops:
            waits = list(control_inputs(node))
            known += is_tidy(node) and len(waits) > 1
            assert not is_tidy(node) or waits == tidied(data_inputs(node), waits)
    assert known
    check_uses(block)


def test_a_stand_in_that_is_waited_for_makes_an_edge_superfluous() -> None:
    """Which goes with the next edit, as if all edges were written."""
    block, (a, b, c) = sources(3)
    d = build("Abs", [a.results[0]], result_types=[T4], control=[control_of(b)])
    set_control(d, [control_of(b), control_of(c)])
    block.add_op(d)
    assert is_tidy(d)
    Rewriter().replace_by_value(a, [b.results[0]])
    assert not is_tidy(d)
    assert [v.owner for v in operands_of(d)] == [b, b, c]
    Rewriter().erase(c)
    assert [v.owner for v in operands_of(d)] == [b]


def test_new_edges_are_known_to_the_order() -> None:
    """A node that `replace_control` makes wait for an effect carries order."""
    block, (a, b) = sources(2)
    p = build("Print", [[a.results[0]]], control=[], name="p")
    c = build("Abs", [a.results[0]], result_types=[T4], control=[control_of(b)])
    d = build("Relu", [c.results[0]], result_types=[T4])
    block.add_ops([p, c, d])
    rewriter = Rewriter()
    assert not rewriter.order(block).carries(d)
    done = control_result(b)
    assert done is not None
    rewriter.replace_control(next(iter(done.uses)), [control_of(p)])
    assert rewriter.changes == 1
    assert [v.owner for v in control_inputs(c)] == [p]
    assert rewriter.order(block).carries(c)
    assert rewriter.order(block).carries(d)


@pytest.mark.parametrize("kind", ["new node", "value"])
def test_what_reads_an_effect_after_a_replacement_is_known_to_the_order(kind: str) -> None:
    """The node before did not carry order: it has no task, or came after nothing."""
    block, (a,) = sources(1)
    p = build("Print", [[a.results[0]]], name="p")
    o = build("Opaque", [[]], {"type": "M"}, result_types=[T4], name="o")
    waits = [control_of(p)] if kind == "new node" else []
    d = build("Data", [block.args[0]], {"index": 0}, result_types=[T4], control=waits)
    e = build("Relu", [d.results[0]], result_types=[T4], name="e")
    f = build("Abs", [e.results[0]], result_types=[T4], name="f")
    g = build("Relu", [a.results[0]], result_types=[T4], control=[control_of(d)], name="g")
    block.add_ops([p, o, d, e, f, g])
    rewriter = Rewriter()
    assert not any(rewriter.order(block).carries(n) for n in (d, e, f, g))
    if kind == "new node":
        rewriter.replace(d, build("Abs", [a.results[0]], result_types=[T4]))
    else:
        rewriter.replace_by_value(d, [o.results[0]])
    assert rewriter.order(block).carries(e)
    assert rewriter.order(block).carries(f)
    assert rewriter.order(block).carries(g) == bool(control_inputs(g))
    check_uses(block)


def test_what_a_constant_in_place_of_a_node_waits_for_is_awaited_itself() -> None:
    """A constant has no task: its readers do not come after what it waits for."""
    block, (a,) = sources(1)
    p = build("Print", [[a.results[0]]], name="p")
    d = build("Data", [block.args[0]], {"index": 0}, result_types=[T4], control=[control_of(p)])
    b = build("Relu", [a.results[0]], result_types=[T4], control=[control_of(p)], name="b")
    q = build("Print", [[b.results[0]]], name="q")
    block.add_ops([p, d, b, q])
    Rewriter().replace_by_value(b, [d.results[0]])
    assert [v.owner for v in operands_of(q)] == [d, p]
    check_uses(block)


@pytest.mark.parametrize("new", [False, True], ids=["no node", "a node beside it"])
def test_users_of_a_value_that_no_new_node_makes_wait_themselves(new: bool) -> None:
    """They came after all that the node before came after, be it through another operand."""
    block, (a,) = sources(1)
    p = build("Print", [[a.results[0]]], name="p")
    x, y = (build("Opaque", [[]], {"type": "M"}, result_types=[T4], name=n) for n in "xy")
    both = [x.results[0], y.results[0]]
    n = build("IdentityN", [both], result_types=[T4, T4], control=[control_of(p)], name="n")
    q, r = (build("Print", [[value]]) for value in n.ge_data_results)
    block.add_ops([p, x, y, n, q, r])
    others = [build("Abs", [both[0]], result_types=[T4])] if new else []
    Rewriter().replace(n, others, both)
    assert [v.owner for v in operands_of(q)] == [x, p, y]
    assert [v.owner for v in operands_of(r)] == [y, p, x]
    check_uses(block)


def test_many_users_of_many_values_wait_through_one_node() -> None:
    block, _ = sources(1)
    made = [build("Opaque", [[]], {"type": "M"}, result_types=[T4], name=f"o{i}") for i in range(9)]
    values = [o.results[0] for o in made]
    n = build("IdentityN", [values], result_types=[T4] * 9, name="n")
    users = [build("Relu", [r], result_types=[T4]) for r in n.ge_data_results]
    block.add_ops([*made, n, *users])
    Rewriter().replace_by_value(n, values)
    (join,) = [op for op in block.ops if op.name == "ge.NoOp"]
    assert [v.owner for v in operands_of(join)] == made
    assert [[v.owner for v in operands_of(u)] for u in users] == [[o, join] for o in made]


# ------------------------------------------------------------------------------------- growth


def spent(make: Callable[[int], Callable[[], object]], count: int) -> float:
    """CPU seconds of what `make` prepares, per case: the least of three."""
    found: list[float] = []
    for _ in range(3):
        run = make(count)
        with COLLECTOR.held():  # it would look at all that other tests have made
            start = time.process_time()
            run()
            found.append(time.process_time() - start)
    return min(found) / count


def text(body: str, end: str) -> str:
    return f"ge.graph @g(%x: tensor<4xf32>) {{\n{body}  ge.NetOutput({end})\n}}\n"


def awaited(count: int, node: str) -> str:
    """One node waits for all the others."""
    t = "tensor<4xf32>"
    lines = "".join(f"  %r{i}, %d{i} = {node.format(i=i)} : {t}, !ge.ctrl\n" for i in range(count))
    waits = ", ".join(f"%d{i}" for i in range(count))
    return text(f"{lines}  %z = ge.Abs(%x) after({waits}) : {t}\n", "%z")


def merging(count: int) -> Callable[[], object]:
    model = parse(awaited(count, "ge.Exp(%x)"))
    return lambda: run_pipeline(model, "common-subexpression-elimination")


def removing(count: int) -> Callable[[], object]:
    model = parse(awaited(count, "ge.Identity(%x)"))
    return lambda: run_pipeline(model, "identity-remove")


def constants(count: int) -> Callable[[], object]:
    model = parse(awaited(count, "ge.Const() {{value = dense<{i}.0> : tensor<4xf32>}}"))
    return lambda: run_pipeline(model, "useless-control-out-remove")


def adding_edges(count: int) -> Callable[[], object]:
    block, ops = sources(count)
    end = build("NoOp", [])
    block.add_op(end)
    rewriter = Rewriter()

    def run() -> None:
        for op in ops:
            rewriter.add_control(end, [op])

    return run


def prints(count: int) -> tuple[Block, list[GeOp], GeOp]:
    """Effects whose order one node with many operands keeps through what it reads."""
    graph = new_graph("g", [T4], ["x"])
    x = graph.body.args[0]
    ops = [
        build("Opaque", [[x]], {"type": "T"}, result_types=[T4], name=f"o{i}") for i in range(count)
    ]
    many = build("AddN", [[o.results[0] for o in ops]], {"N": count}, result_types=[T4])
    graph.body.add_ops([*ops, many])
    module([graph])
    return graph.body, ops, many


def new_operands(count: int) -> Callable[[], object]:
    block, _, many = prints(count)
    rewriter = Rewriter()

    def run() -> None:
        for index in range(count):
            rewriter.set_operand(many, index, block.args[0])

    return run


def stand_ins(count: int) -> Callable[[], object]:
    """Nodes for which one with many operands, behind effects, stands in."""
    block, ops, many = prints(count)
    copies = [
        build("Identity", [many.results[0]], result_types=[T4], control=[control_of(ops[i])])
        for i in range(count)
    ]
    block.add_ops(copies)
    rewriter = Rewriter()

    def run() -> None:
        for op in copies:
            rewriter.replace_by_value(op, [many.results[0]])

    return run


CASES = {
    case.__name__: case
    for case in (merging, removing, constants, adding_edges, new_operands, stand_ins)
}


@pytest.mark.parametrize("case", CASES)
def test_cost_of_an_edit_does_not_grow_with_the_node(case: str) -> None:
    make = CASES[case]
    spent(make, 20)
    small, large = spent(make, 100), spent(make, 1500)
    assert large < 4 * small  # tuples are copied and places renumbered, which is little per operand


def test_a_value_that_one_node_reads_often_moves_in_proportion() -> None:
    def moving(count: int) -> Callable[[], object]:
        block, (a, b) = sources(2)
        many = build("AddN", [[b.results[0]] * count], {"N": count}, result_types=[T4])
        block.add_op(many)
        return lambda: move_uses(b.results[0], a.results[0])

    spent(moving, 100)
    small, large = spent(moving, 500), spent(moving, 20_000)
    assert large < 10 * small  # many uses do not fit into a cache; the square would be 40 times


def test_merged_nodes_are_awaited_once_and_in_place() -> None:
    t = "tensor<4xf32>"
    model = parse(
        text(
            f"  %a, %ad = ge.Exp(%x) : {t}, !ge.ctrl\n"
            f"  %b, %bd = ge.Relu(%x) : {t}, !ge.ctrl\n"
            f"  %c, %cd = ge.Exp(%x) : {t}, !ge.ctrl\n"
            f"  %d, %dd = ge.Relu(%x) : {t}, !ge.ctrl\n"
            f"  %y = ge.Abs(%x) after(%dd, %cd, %bd, %ad) : {t}\n"
            f"  %z = ge.Abs(%b) after(%cd, %dd) : {t}\n",
            "%y, %z, %d",
        )
    )
    run_pipeline(model, "common-subexpression-elimination")
    assert "%y = ge.Abs(%x) after(%bd, %ad)" in model.text()
    assert "ge.Abs(%b) after(%ad)" in model.text()
    assert not verify(model.module)
