"""GE's order of visits: the published behaviour of its node-pass engine, case by case.

The numbers in the names are those of the list of behavioural scenarios of GE's pass engine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from ge_dialect.diagnostics import ExitCode, GeError
from ge_dialect.ir.build import build
from ge_dialect.ir.printer import print_module
from ge_dialect.ir.reader import parse_module
from ge_dialect.ir.rewriter import Rewriter
from ge_dialect.ir.verifier import verify
from passes import run_pipeline
from passes.context import PassContext
from passes.examples import pass_examples
from passes.ge_driver import GeSweep, NodePass, run_graph_passes
from passes.registry import pass_class, pass_names
from passes.rewriting import Pattern, apply_patterns

T = "tensor<2x2xf32>"
#: data1, const1 -> add1 -> reshape1, as in GE's own tests; the graph has no NetOutput there.
FOUR = f"""
ge.graph @g(%x: {T}) {{
  %data1 = ge.Data(%x) {{index = 0}} : {T}
  %const1 = ge.Const() {{value = dense<1.0> : {T}}} : {T}
  %add1 = ge.Add(%data1, %const1) : {T}
  %reshape1 = ge.Relu(%add1) : {T}
  ge.NetOutput(%reshape1)
}}
"""
NESTED = """
ge.graph @g(%x: tensor<4xf32>) {
  %a = ge.Relu(%x) : tensor<4xf32>
  %b = ge.PartitionedCall(%a) : tensor<4xf32> f(%v) {
    %c = ge.Abs(%v) : tensor<4xf32>
    ge.NetOutput(%c)
  }
  %d = ge.PartitionedCall(%b) : tensor<4xf32> f(%v) {
    %e = ge.Abs(%v) : tensor<4xf32>
    ge.NetOutput(%e)
  }
  ge.NetOutput(%d)
}
"""


def four() -> Any:
    """The four nodes alone."""
    block = parse_module(FOUR).body.block.first_op.body
    end = block.last_op
    end.detach()
    end.drop_all_references()
    return block


def named(block: Any, name: str) -> Any:
    return next((op for op in block.ops if op.ge_node_name == name), None)


class Script(NodePass):
    """Does at named nodes what the test says."""

    def __init__(self, **actions: Callable[[GeSweep], None]) -> None:
        self.actions = actions
        self.left: Callable[[GeSweep], None] | None = None
        self.finish: Callable[[Any], Any] | None = None

    def run(self, node: Any, sweep: GeSweep) -> None:
        action = self.actions.get(node.ge_node_name)
        if action is not None:
            action(sweep)

    def on_suspended_left(self, sweep: GeSweep) -> None:
        if self.left is not None:
            self.left(sweep)

    def on_finish_graph(self, block: Any, sweep: GeSweep) -> Any:
        return self.finish(block) if self.finish is not None else ()


def visits(block: Any, script: Script) -> list[str]:
    sweep = GeSweep([script])
    sweep.run(block)
    return [op.ge_node_name for op in sweep.visited]


def test_scenario_1_a_pass_without_effect_visits_every_node_once():
    assert visits(four(), Script()) == ["data1", "const1", "add1", "reshape1"]


def test_scenario_2_a_revisit_of_a_node_to_come_is_no_second_visit():
    block = four()
    script = Script(data1=lambda s: s.revisit(named(block, "add1")))
    assert visits(block, script) == ["data1", "const1", "add1", "reshape1"]


def test_scenario_3_a_revisit_comes_after_the_sweep_and_once():
    block = four()
    asked: list[int] = []

    def again(sweep: GeSweep) -> None:
        asked.append(1)
        sweep.revisit(named(block, "data1"))

    expected = ["data1", "const1", "add1", "reshape1", "data1"]
    assert visits(block, Script(add1=again)) == expected
    assert visits(block, Script(add1=again, reshape1=again)) == expected
    assert len(asked) == 3


def test_scenario_4_an_immediate_revisit_comes_next():
    block = four()
    script = Script(add1=lambda s: s.revisit_now(named(block, "data1")))
    assert visits(block, script) == ["data1", "const1", "add1", "data1", "reshape1"]


def test_scenario_4_an_immediate_revisit_of_a_node_to_come_adds_none():
    block = four()
    script = Script(add1=lambda s: s.revisit_now(named(block, "reshape1")))
    assert visits(block, script) == ["data1", "const1", "add1", "reshape1"]


def test_scenario_5_a_deleted_successor_is_never_visited():
    text = FOUR.replace(
        "  ge.NetOutput",
        f"  %other = ge.Abs(%add1) : {T}\n  %both = ge.Add(%other, %late) : {T}\n  ge.NetOutput",
    ).replace("  %add1", f"  %late = ge.Data(%x) {{index = 1}} : {T}\n  %add1")
    block = parse_module(text).body.block.first_op.body
    end = block.last_op
    end.detach()
    end.drop_all_references()
    script = Script(add1=lambda s: Rewriter().erase(named(block, "reshape1")))
    seen = visits(block, script)
    assert "reshape1" not in seen
    assert seen == ["data1", "const1", "late", "add1", "other", "both"]


def test_scenario_5_users_wait_for_their_remaining_inputs():
    block = four()
    data, const = named(block, "data1"), named(block, "const1")

    def drop_add(sweep: GeSweep) -> None:
        add = named(block, "add1")
        if add is not None:
            Rewriter().replace_by_value(add, [data.results[0]])

    assert visits(block, Script(data1=drop_add)) == ["data1", "const1", "reshape1"]
    assert const.parent is block


def test_scenario_7_a_pass_after_the_graph_that_never_ends_is_cut_off():
    block = four()
    script = Script()
    script.finish = lambda b: [named(b, "add1")]
    sweep = GeSweep([script])
    sweep.run(block)
    assert len(sweep.visited) == 10 * 4
    assert sweep.exhausted


def test_scenario_7_revisits_without_end_are_cut_off_too():
    block = four()
    script = Script(add1=lambda s: s.revisit(named(block, "add1")))
    sweep = GeSweep([script])
    sweep.run(block)
    assert (len(sweep.visited), sweep.exhausted) == (40, True)


def test_scenario_8_a_suspended_node_that_is_never_resumed_is_an_error():
    block = four()
    script = Script(data1=lambda s: s.suspend(named(block, "reshape1")))
    with pytest.raises(GeError) as caught:
        visits(block, script)
    assert caught.value.exit_code == ExitCode.INTERNAL
    assert caught.value.diagnostics[0].found == "reshape1"


def test_scenario_8_the_leak_callback_may_resume_it():
    block = four()
    script = Script(data1=lambda s: s.suspend(named(block, "reshape1")))
    script.left = lambda s: s.resume(s.suspended()[0])
    assert visits(block, script) == ["data1", "const1", "add1", "reshape1"]


def test_a_suspended_node_can_be_resumed_by_a_later_one():
    block = four()
    script = Script(
        data1=lambda s: s.suspend(named(block, "const1")),
        const1=lambda s: pytest.fail("suspended"),
    )
    script.left = lambda s: script.actions.pop("const1", None) and s.resume(s.suspended()[0])
    assert visits(block, script) == ["data1", "add1", "reshape1", "const1"]


def test_scenario_12_graph_passes_run_pass_by_pass():
    module = parse_module(NESTED)
    graph = module.body.block.first_op
    names = {id(graph.body): "root"}
    for op, label in zip((o for o in graph.body.ops if o.regions), ("s1", "s2"), strict=True):
        names[id(op.regions[0].block)] = label
    calls: list[str] = []
    run_graph_passes(
        [
            lambda b: calls.append(f"P({names[id(b)]})"),
            lambda b: calls.append(f"Q({names[id(b)]})"),
        ],
        graph,
    )
    assert calls == ["P(root)", "P(s1)", "P(s2)", "Q(root)", "Q(s1)", "Q(s2)"]
    with pytest.raises(ValueError, match="None"):
        run_graph_passes([None], graph)  # type: ignore[list-item]


def test_a_node_with_graphs_is_visited_before_and_behind_them():
    seen: list[str] = []

    class Look(NodePass):
        def run(self, node: Any, sweep: GeSweep) -> None:
            seen.append(node.ge_type + ("*" if sweep.after_graphs else ""))

    GeSweep([Look()]).run(parse_module(NESTED).body.block.first_op.body)
    once = "PartitionedCall Abs NetOutput PartitionedCall*"
    assert " ".join(seen) == f"Relu {once} {once} NetOutput"


def test_graphs_nested_too_deep_are_an_error():
    text = "%o = ge.Abs(%v) : tensor<4xf32>\nge.NetOutput(%o)"
    for _ in range(27):
        text = f"%o = ge.PartitionedCall(%v) : tensor<4xf32> f(%v) {{\n{text}\n}}\nge.NetOutput(%o)"
    module = parse_module(f"ge.graph @g(%v: tensor<4xf32>) {{\n{text}\n}}\n")
    with pytest.raises(GeError, match="25"):
        GeSweep([NodePass()]).run(module.body.block.first_op.body)


# ------------------------------------------------------------------------------ patterns


class Become(Pattern):
    def __init__(self, old: str, new: str) -> None:
        self.root = (old,)  # type: ignore[misc]
        self.new = new

    def match_and_rewrite(self, op: Any, rw: Any) -> None:
        rw.replace(op, build(self.new, [op.operands[0]], result_types=[op.results[0].type]))


def test_patterns_run_in_the_order_of_ge():
    module = parse_module(FOUR)
    report = apply_patterns(module, [Become("Relu", "Abs")], PassContext(driver="ge"))
    assert report == {"Become": 1}
    # the node that goes has its neighbours visited again; the new one is visited when it is ready
    assert report.visits == {"data1": 1, "const1": 1, "add1": 2, "reshape1": 2, "NetOutput": 1}
    assert not verify(module)


def test_every_node_is_visited_once_where_nothing_matches():
    report = apply_patterns(parse_module(FOUR), [Become("Exp", "Abs")], PassContext(driver="ge"))
    assert sum(report.visits.values()) == 5


def test_an_endless_pattern_warns_under_ge_and_is_an_error_by_default():
    class Flip(Pattern):
        name: ClassVar = "flip"
        root: ClassVar = ("Relu", "Abs")

        def match_and_rewrite(self, op: Any, rw: Any) -> None:
            new = "Abs" if op.ge_type == "Relu" else "Relu"
            rw.replace(op, build(new, [op.operands[0]], result_types=[op.results[0].type]))

    ctx = PassContext(driver="ge")
    ctx.pass_name = "flipper"
    module = parse_module(FOUR)
    report = apply_patterns(module, [Flip()], ctx)
    (warning,) = ctx.sink.diagnostics
    assert (warning.severity, warning.code) == ("warning", "GX-414")
    assert "reshape1" in warning.found
    assert report.exhausted
    assert not verify(module)

    ctx = PassContext()
    ctx.pass_name = "flipper"
    assert apply_patterns(parse_module(FOUR), [Flip()], ctx).exhausted
    (error,) = ctx.sink.errors
    assert "'flipper'" in error.message
    assert "flip (" in error.found
    assert "reshape1" in error.found


@pytest.mark.parametrize("pipeline", ["prepare", "stage1", "ge-default"])
def test_stages_give_the_same_graph_under_both_drivers(pipeline: str):
    text = f"""
    ge.graph @g(%x: {T}) {{
      %one = ge.Const() {{value = dense<1.0> : {T}}} : {T}
      %two = ge.Add(%one, %one) : {T}
      %i = ge.Identity(%x) : {T}
      %a = ge.Mul(%i, %two) : {T}
      %t = ge.TransposeD(%a) {{perm = [1, 0]}} : {T}
      %u = ge.TransposeD(%t) {{perm = [1, 0]}} : {T}
      %c = ge.Relu(%u) : {T}
      %d = ge.Relu(%u) : {T}
      %e = ge.Add(%c, %d) : {T}
      ge.NetOutput(%e)
    }}
    """
    ours, theirs = parse_module(text), parse_module(text)
    run_pipeline(ours, pipeline)
    run_pipeline(theirs, pipeline, ctx=PassContext(driver="ge"))
    assert print_module(ours) == print_module(theirs)


def test_rewrite_limits_hold():
    module = parse_module(FOUR)
    ctx = PassContext(driver="ge", rewrite_limit=0)
    assert not apply_patterns(module, [Become("Relu", "Abs")], ctx)


@pytest.mark.parametrize("name", pass_names())
def test_examples_of_passes_come_out_the_same(name: str):
    for example in pass_examples(pass_class(name)):
        ours, theirs = parse_module(example.before), parse_module(example.before)
        run_pipeline(ours, example.pipeline, reproducer=False)
        ctx = PassContext(driver="ge")
        run_pipeline(theirs, example.pipeline, ctx=ctx, reproducer=False, check_contract=True)
        assert print_module(ours) == print_module(theirs)


@pytest.mark.parametrize("seed", range(25))
def test_random_graphs_settle_under_both_drivers(seed: int):
    """Order of visits may change how a graph is reached; here it does not change the graph."""
    from passes.testing.seeded import random_spec

    ours, theirs = random_spec(seed).build(), random_spec(seed).build()
    run_pipeline(ours, "prepare,fuse,stage1", reproducer=False)
    ctx = PassContext(driver="ge")
    run_pipeline(theirs, "prepare,fuse,stage1", ctx=ctx, reproducer=False)
    assert ours.text() == theirs.text()
    assert not [d for d in ctx.sink.diagnostics if d.code == "GX-414"]
