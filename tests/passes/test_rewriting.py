"""The pattern driver: order of visits, revisits, budget, preconditions, remarks, limits."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from ge_dialect.ir.build import build
from ge_dialect.ir.reader import parse_module
from passes.context import PassContext
from passes.rewriting import Pattern, apply_patterns, producer

CHAIN = """
ge.graph @g(%x: tensor<4xf32>) {
  %a = ge.Relu(%x) : tensor<4xf32>
  %b = ge.Abs(%a) : tensor<4xf32>
  %c = ge.Neg(%b) : tensor<4xf32>
  %d = ge.Abs(%c) : tensor<4xf32>
  ge.NetOutput(%d)
}
"""
NESTED = """
ge.graph @g(%x: tensor<4xf32>) {
  %a = ge.Relu(%x) : tensor<4xf32>
  %b = ge.PartitionedCall(%a) : tensor<4xf32> f(%v) {
    %c = ge.Abs(%v) : tensor<4xf32>
    ge.NetOutput(%c)
  }
  %d = ge.Neg(%b) : tensor<4xf32>
  ge.NetOutput(%d)
}
"""


def names(module: Any) -> list[str]:
    return [op.name[3:] for op in module.walk() if op.name.startswith("ge.") and op.results]


class Visit(Pattern):
    """Writes down what it sees; a list is no state that rewrites depend on."""

    name = "visit"

    def __init__(self, seen: list[str]) -> None:
        self.seen = seen

    def match_and_rewrite(self, op: Any, rw: Any) -> None:
        self.seen.append(op.ge_type + ("*" if rw.after_graphs else ""))


class Become(Pattern):
    """Turns one operator into another."""

    def __init__(self, old: str, new: str) -> None:
        self.root = (old,)  # type: ignore[misc]
        self.new = new

    def match_and_rewrite(self, op: Any, rw: Any) -> None:
        new = build(self.new, [op.operands[0]], result_types=[op.results[0].type])
        rw.replace(op, new)


def test_visits_forward_and_nodes_with_graphs_twice():
    seen: list[str] = []
    module = parse_module(NESTED)
    report = apply_patterns(module, [Visit(seen)], PassContext())
    assert seen == [
        "Relu", "PartitionedCall", "Abs", "NetOutput", "PartitionedCall*", "Neg", "NetOutput",
    ]  # fmt: skip
    assert not report.changed


def test_the_report_lists_the_nodes_that_the_sweep_began_with():
    class Ends(Visit):
        root: ClassVar = ("PartitionedCall", "Abs")

    module = parse_module(NESTED)
    report = apply_patterns(module, [Ends([])], PassContext())
    assert report.roots is not None
    assert [op.name for op in report.roots] == ["ge.PartitionedCall", "ge.Abs"]
    assert report.seeds == 3  # the node with a graph is looked at twice
    assert apply_patterns(module, [Ends([])], PassContext(driver="ge")).roots is None


def test_patterns_are_indexed_by_root():
    seen: list[str] = []

    class Abs(Visit):
        root: ClassVar = ("Abs",)

    apply_patterns(parse_module(CHAIN), [Abs(seen)], PassContext())
    assert seen == ["Abs", "Abs"]


def test_new_nodes_and_users_are_visited_again():
    seen: list[str] = []
    module = parse_module(CHAIN)
    report = apply_patterns(module, [Become("Abs", "Exp"), Visit(seen)], PassContext())
    assert report == {"Become": 2}
    # a new node comes next, then producers that lost a use; pending ops are visited once
    assert " ".join(seen) == "Relu Exp Relu Neg Exp Neg NetOutput"
    assert names(module) == ["Relu", "Exp", "Neg", "Exp"]


def test_the_last_user_of_a_value_is_visited_when_another_one_goes():
    class OnlyUser(Pattern):
        root: ClassVar = ("Neg",)

        def match_and_rewrite(self, op: Any, rw: Any) -> None:
            if rw.when(producer(op).results[0].has_one_use(), "other users"):
                rw.replace(op, build("Exp", [op.operands[0]], result_types=[op.results[0].type]))

    class DropDead(Pattern):
        root: ClassVar = ("Abs",)

        def match_and_rewrite(self, op: Any, rw: Any) -> None:
            if op.results[0].first_use is None:
                rw.erase(op)

    module = parse_module(
        """
        ge.graph @g(%x: tensor<4xf32>) {
          %a = ge.Relu(%x) : tensor<4xf32>
          %b = ge.Neg(%a) : tensor<4xf32>
          %c = ge.Abs(%a) : tensor<4xf32>
          ge.NetOutput(%b)
        }
        """
    )
    report = apply_patterns(module, [OnlyUser(), DropDead()], PassContext())
    assert report == {"OnlyUser": 1, "DropDead": 1}
    assert not report.missed, "the reason of the first visit no longer holds"


def test_a_budget_ends_a_loop_and_names_who_kept_changing():
    ctx = PassContext()
    ctx.pass_name = "ping-pong"
    module = parse_module(CHAIN)
    patterns = [Become("Abs", "Exp"), Become("Exp", "Abs")]
    patterns[0].name, patterns[1].name = "ping", "pong"  # type: ignore[misc]
    report = apply_patterns(module, patterns, ctx, max_rewrites=50)
    assert report.exhausted
    assert sum(report.values()) == 50
    (problem,) = ctx.sink.errors
    assert problem.code == "GX-414"
    assert "ping-pong" in problem.message
    assert "ping (" in problem.found
    assert "pong (" in problem.found
    assert "b" in problem.found, "the node is named"
    from ge_dialect.ir.verifier import verify

    assert not verify(module)


def test_the_default_budget_is_finite():
    ctx = PassContext()
    report = apply_patterns(parse_module(CHAIN), [Become("Abs", "Exp"), Become("Exp", "Abs")], ctx)
    assert report.exhausted
    assert ctx.sink.has_errors


class Picky(Pattern):
    root: ClassVar = ("Abs",)
    name = "picky"

    def match_and_rewrite(self, op: Any, rw: Any) -> None:
        if rw.when(producer(op).name == "ge.Neg", "not behind a Neg"):
            rw.replace(op, build("Exp", [op.operands[0]], result_types=[op.results[0].type]))


def test_preconditions_give_remarks():
    ctx = PassContext(remarks_enabled=True)
    report = apply_patterns(parse_module(CHAIN), [Picky()], ctx)
    assert report == {"picky": 1}
    assert report.missed == {("picky", "not behind a Neg"): 1}
    remarks = [(d.category, d.message, d.node) for d in ctx.sink.diagnostics]
    assert remarks == [
        ("applied", "picky applied", "d"),
        ("missed", "picky missed: not behind a Neg", "b"),
    ]


def test_a_precondition_can_be_switched_off_to_show_it_is_needed():
    ignored = frozenset({("picky", "not behind a Neg")})
    report = apply_patterns(parse_module(CHAIN), [Picky()], PassContext(), ignored=ignored)
    assert report == {"picky": 2}


@pytest.mark.parametrize("limit", [0, 1, 2, None])
def test_the_rewrite_limit_of_a_run(limit):
    ctx = PassContext(rewrite_limit=limit)
    report = apply_patterns(parse_module(CHAIN), [Become("Abs", "Exp")], ctx)
    assert report["Become"] == (2 if limit is None else limit)


def test_an_inserted_node_with_graphs_is_swept_like_a_seeded_one():
    class Wrap(Pattern):
        root: ClassVar = ("Neg",)

        def match_and_rewrite(self, op: Any, rw: Any) -> None:
            from ge_dialect.ir.build import body

            type_ = op.results[0].type
            region = body([type_])
            inner = build("Abs", [region.block.args[0]], name="inner")
            region.block.add_ops([inner, build("NetOutput", [[inner.results[0]]])])
            call = build(
                "PartitionedCall", [[op.operands[0]]], result_types=[type_], regions=[region]
            )
            rw.replace(op, call)

    seen: list[str] = []
    module = parse_module(NESTED)
    apply_patterns(module, [Wrap(), Visit(seen)], PassContext())
    first = "Relu PartitionedCall Abs NetOutput PartitionedCall*"
    inserted = "PartitionedCall Abs NetOutput PartitionedCall*"
    assert " ".join(seen) == f"{first} {inserted} PartitionedCall NetOutput"


def test_problems_of_a_node_are_reported_unless_a_later_visit_finds_none():
    class Complain(Pattern):
        root: ClassVar = ("Neg",)

        def match_and_rewrite(self, op: Any, rw: Any) -> None:
            if producer(op).name == "ge.Abs":
                rw.report("GX-221", "behind an Abs", found=1, expected=2)

    ctx = PassContext()
    apply_patterns(parse_module(CHAIN), [Complain()], ctx)
    (problem,) = ctx.sink.errors
    assert (problem.message, problem.found, problem.node) == ("behind an Abs", "1", "c")

    class Late(Pattern):
        """Turns the Abs before the Neg into an Exp, once the Neg was seen."""

        root: ClassVar = ("Neg",)

        def match_and_rewrite(self, op: Any, rw: Any) -> None:
            first = producer(op)
            if first.name == "ge.Abs":
                new = build("Exp", [first.operands[0]], result_types=[first.results[0].type])
                rw.replace(first, new)

    ctx = PassContext()
    apply_patterns(parse_module(CHAIN), [Complain(), Late()], ctx)
    assert not ctx.sink.errors


def test_names_origins_and_control_follow_a_replacement():
    module = parse_module(
        """
        ge.graph @g(%x: tensor<4xf32>) {
          %p = ge.Print(%x) : !ge.ctrl
          %a, %a_done = ge.Abs(%x) after(%p) : tensor<4xf32>, !ge.ctrl loc("a"("source"))
          ge.Print(%x) after(%a_done)
          ge.NetOutput(%a)
        }
        """
    )
    apply_patterns(module, [Become("Abs", "Exp")], PassContext())
    new = next(op for op in module.walk() if op.name == "ge.Exp")
    assert new.ge_node_name == "a"
    assert new.ge_origins == ("source",)
    assert [v.owner.name for v in new.ge_control_operands] == ["ge.Print"]
    assert [u.operation.name for u in new.results[-1].uses] == ["ge.Print"]
