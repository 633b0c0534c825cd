"""The rewriter's policy for order, names, origins and attributes, case by case."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import f32
from xdsl.ir import Operation

from ge_dialect.ir.base import GeOp
from ge_dialect.ir.build import build, graph
from ge_dialect.ir.control import control_inputs, control_of, control_result
from ge_dialect.ir.dense import make_dense
from ge_dialect.ir.names import node_name, origins
from ge_dialect.ir.rewriter import JOIN_LIMIT, Rewriter
from ge_dialect.ir.types import tensor_type

T = tensor_type([4], f32)
_ONES = make_dense(T, b"\0\0\x80\x3f" * 4)


class Net:
    """A small graph under construction."""

    def __init__(self) -> None:
        self.graph, self.block = graph("g", [T], ["x"])
        self.x = self.block.args[0]

    def add(self, op_type: str, inputs=(), *, name: str, control=()) -> GeOp:
        op = build(op_type, inputs, name=name, control=control)
        self.block.add_op(op)
        return op

    def names(self) -> list[str | None]:
        return [node_name(op) for op in self.block.ops]


def waits_for(op: Operation) -> set[str | None]:
    return {node_name(c.owner) for c in control_inputs(op)}


def test_the_last_new_node_takes_the_name_and_all_take_the_origins() -> None:
    net = Net()
    a = net.add("Relu", [net.x], name="a")
    out = net.add("NetOutput", [[a.results[0]]], name="out")
    first = build("Abs", [net.x])
    second = build("Neg", [first.results[0]])
    a.attributes["ge.engine"] = build("NoOp").attributes.get("x") or _str("AIcoreEngine")
    Rewriter().replace(a, [first, second])
    assert net.names() == ["a_Abs", "a", "out"]
    assert origins(first) == ("a",)
    assert origins(second) == ("a",)
    assert first.attributes["ge.engine"] == _str("AIcoreEngine")
    assert out.operands[0] is second.results[0]


def _str(text: str):
    from ge_dialect.ir.kinds import string_to_attr

    return string_to_attr(text)


def test_fusion_merges_origins() -> None:
    net = Net()
    a = net.add("Relu", [net.x], name="conv")
    b = net.add("Abs", [a.results[0]], name="bn")
    net.add("NetOutput", [[b.results[0]]], name="out")
    fused = build("Neg", [net.x])
    rw = Rewriter()
    rw.replace(b, fused, merged=[a])
    rw.erase(a)
    assert net.names() == ["bn", "out"]
    assert origins(fused) == ("bn", "conv")


def test_attributes_go_to_the_node_that_takes_over_and_placement_to_those_with_a_task() -> None:
    net = Net()
    a = net.add("Relu", [net.x], name="a")
    net.add("NetOutput", [[a.results[0]]], name="out")
    for name in ("ge.engine", "ge.stream_label", "ge.scope", "my.note", "ge.attr.old"):
        a.attributes[name] = _str("AIcoreEngine")
    a.attributes["ge.offset"] = _str("arena[0]")
    const = build("Const", [], {"value": _ONES}, result_types=[T])
    first = build("Abs", [net.x])
    second = build("Add", [first.results[0], const.results[0]])
    Rewriter().replace(a, [const, first, second])
    assert set(second.attributes) == {
        "ge.engine", "ge.stream_label", "ge.scope", "my.note", "ge.attr.old",
    }  # fmt: skip
    assert set(first.attributes) == {"ge.engine", "ge.stream_label", "ge.scope"}
    assert const.attributes == {
        "ge.engine": _str("DNN_VM_GE_LOCAL"),
        "ge.scope": _str("AIcoreEngine"),
    }


def test_a_constant_in_place_of_a_node_keeps_foreign_attributes_and_has_no_engine() -> None:
    net = Net()
    a = net.add("Relu", [net.x], name="a")
    net.add("NetOutput", [[a.results[0]]], name="out")
    a.attributes |= {"ge.engine": _str("AIcoreEngine"), "my.note": _str("kept")}
    const = build("Const", [], {"value": _ONES}, result_types=[T])
    Rewriter().replace(a, const)
    assert const.attributes == {"ge.engine": _str("DNN_VM_GE_LOCAL"), "my.note": _str("kept")}


def test_a_merge_follows_every_policy() -> None:
    net = Net()
    a = net.add("Relu", [net.x], name="a")
    b = net.add("Relu", [net.x], name="b")
    net.add("NetOutput", [[a.results[0], b.results[0]]], name="out")
    a.attributes |= {
        "ge.engine": _str("AIcoreEngine"),
        "ge.stream": _str("0"),
        "my.note": _str("a"),
    }
    b.attributes |= {"ge.engine": _str("AIcoreEngine"), "ge.offset": _str("arena[0]")}
    b.attributes |= {"ge.stream": _str("1"), "my.note": _str("b"), "my.other": _str("b")}
    Rewriter().replace_by_value(b, [a.results[0]], merge_into=a)
    assert origins(a) == ("a", "b")
    assert a.attributes == {
        "ge.engine": _str("AIcoreEngine"), "ge.stream": _str("0"), "my.note": _str("a"),
        "my.other": _str("b"),
    }  # fmt: skip


def test_users_do_not_wait_for_what_the_node_that_stands_in_waits_for() -> None:
    net = Net()
    log = net.add("Print", [[net.x]], name="log")
    a = net.add("Relu", [net.x], name="a", control=[control_of(log)])
    b = net.add("Relu", [net.x], name="b", control=[control_of(log)])
    user = net.add("Abs", [b.results[0]], name="user")
    after = net.add("Print", [[net.x]], name="after", control=[control_of(b)])
    net.add("NetOutput", [[a.results[0], user.results[0]]], name="out")
    Rewriter().replace_by_value(b, [a.results[0]])
    assert waits_for(user) == set()  # it reads a, which waits for log
    assert waits_for(after) == {"log"}


def test_control_users_wait_for_the_tail_and_roots_inherit() -> None:
    net = Net()
    p = net.add("Print", [[net.x]], name="p")
    a = net.add("Relu", [net.x], name="a", control=[p])
    q = net.add("Print", [[net.x]], name="q", control=[a])
    net.add("NetOutput", [[a.results[0]]], name="out")
    first = build("Abs", [net.x])
    second = build("Neg", [first.results[0]])
    Rewriter().replace(a, [first, second])
    assert waits_for(first) == {"p"}
    assert waits_for(second) == set()
    assert waits_for(q) == {"a"}


def test_order_through_a_folded_node_is_kept() -> None:
    """p -> a (control), a -> y (data), y -> q: folding y must not let q run before p."""
    net = Net()
    p = net.add("Print", [[net.x]], name="p")
    a = net.add("Relu", [net.x], name="a", control=[p])
    y = net.add("Abs", [a.results[0]], name="y")
    q = net.add("Print", [[y.results[0]]], name="q")
    out = net.add("NetOutput", [[net.x]], name="out")
    c = net.add("Relu", [net.x], name="other")
    c.detach()
    net.block.insert_op_before(c, p)
    Rewriter().replace_by_value(y, [c.results[0]])
    assert waits_for(q) == {"a"}
    assert out.parent is net.block


def test_an_erased_node_hands_its_edges_to_its_users() -> None:
    net = Net()
    p = net.add("Print", [[net.x]], name="p")
    n = net.add("NoOp", [], name="n", control=[p])
    q = net.add("Print", [[net.x]], name="q", control=[n])
    net.add("NetOutput", [[net.x]], name="out")
    Rewriter().erase(n)
    assert waits_for(q) == {"p"}
    assert net.names() == ["p", "q", "out"]


def test_many_edges_are_joined_through_one_node() -> None:
    net = Net()
    sources = [net.add("Print", [[net.x]], name=f"p{i}") for i in range(12)]
    n = net.add("NoOp", [], name="n", control=sources)
    users = [net.add("Print", [[net.x]], name=f"q{i}", control=[n]) for i in range(12)]
    net.add("NetOutput", [[net.x]], name="out")
    assert len(sources) * len(users) > JOIN_LIMIT
    Rewriter().erase(n)
    joins = {c.owner for u in users for c in control_inputs(u)}
    assert len(joins) == 1
    (join,) = joins
    assert isinstance(join, GeOp)
    assert join.ge_type == "NoOp"
    assert {node_name(c.owner) for c in control_inputs(join)} == {f"p{i}" for i in range(12)}


def test_set_operand_keeps_the_order_that_came_with_the_old_value() -> None:
    net = Net()
    p = net.add("Print", [[net.x]], name="p")
    a = net.add("Relu", [net.x], name="a", control=[p])
    q = net.add("Print", [[a.results[0]]], name="q")
    net.add("NetOutput", [[net.x]], name="out")
    Rewriter().set_operand(q, 0, net.x)
    assert waits_for(q) == {"a"}


def test_a_node_that_waits_since_its_operand_changed_carries_order() -> None:
    net = Net()
    p = net.add("Print", [[net.x]], name="p")
    a = net.add("Relu", [net.x], name="a", control=[p])
    b = net.add("Abs", [a.results[0]], name="b")
    q = net.add("Print", [[b.results[0]]], name="q")
    net.add("NetOutput", [[net.x]], name="out")
    rewriter = Rewriter()
    rewriter.set_operand(b, 0, net.x)
    rewriter.set_operand(q, 0, net.x)
    assert waits_for(b) == {"a"}
    assert waits_for(q) == {"b"}


def test_order_through_a_new_operand_is_kept_when_that_goes() -> None:
    net = Net()
    p = net.add("Print", [[net.x]], name="p")
    a = net.add("Relu", [net.x], name="a", control=[p])
    b = net.add("Abs", [net.x], name="b")
    q = net.add("Print", [[b.results[0]]], name="q")
    net.add("NetOutput", [[net.x]], name="out")
    rewriter = Rewriter()
    rewriter.set_operand(b, 0, a.results[0])
    rewriter.set_operand(q, 0, net.x)
    assert waits_for(q) == {"b"}


def test_order_is_kept_that_came_with_the_edge_of_a_constant() -> None:
    """A constant does not carry order; who waits in its place does."""
    net = Net()
    p = net.add("Print", [[net.x]], name="p")
    c = build("Const", [], {"value": _ONES}, name="c", control=[p])
    other = build("Const", [], {"value": _ONES}, name="other")
    net.block.add_ops([c, other])
    a = net.add("Relu", [c.results[0]], name="a")
    b = net.add("Abs", [a.results[0]], name="b")
    q = net.add("Print", [[b.results[0]]], name="q")
    net.add("NetOutput", [[net.x]], name="out")
    rewriter = Rewriter()
    rewriter.replace_by_value(c, [other.results[0]])
    rewriter.replace_by_value(b, [other.results[0]])
    assert waits_for(a) == {"p"}
    assert waits_for(q) == {"a"}


def test_order_is_not_looked_up_for_values_that_carry_none(monkeypatch) -> None:
    """Rerouting the readers of an argument to its Data must not read the whole graph."""
    net = Net()
    data = net.add("Data", [net.x], name="data")
    a = net.add("Relu", [net.x], name="a")
    net.add("NetOutput", [[a.results[0]]], name="out")
    monkeypatch.setattr(Rewriter, "order", lambda *_: pytest.fail("the order was looked up"))
    rewriter = Rewriter()
    rewriter.set_operand(a, 0, data.results[0])
    assert a.operands[0] is data.results[0]
    assert rewriter.changes == 1


def test_unused_control_results_go_away() -> None:
    net = Net()
    a = net.add("Relu", [net.x], name="a")
    n = net.add("NoOp", [], name="n", control=[a])
    net.add("NetOutput", [[a.results[0]]], name="out")
    assert control_result(a) is not None
    Rewriter().erase(n)
    assert control_result(a) is None
    assert control_of(a) is not None
