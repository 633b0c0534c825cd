"""Pruning keeps effects, inputs and what is marked, and nothing else without users."""

from __future__ import annotations

from ge_dialect.ir.printer import print_module
from ge_dialect.ir.reader import parse_module
from ge_dialect.ir.verifier import verify
from passes.context import PassContext
from passes.stage1.prune import Prune


def run(body: str, **kw):
    module = parse_module(f"ge.graph @g(%x: tensor<4xf32>) {{\n{body}\n}}\n")
    result = Prune().run(module, PassContext(**kw))
    assert not verify(module)
    return print_module(module), result


def test_dead_chains_go_and_are_counted():
    text, result = run(
        """
  %a = ge.Relu(%x) : tensor<4xf32>
  %b = ge.Relu(%a) : tensor<4xf32>
  %c = ge.Abs(%b) : tensor<4xf32>
  ge.NetOutput(%x)
"""
    )
    assert result.counters == {"Abs": 1, "Relu": 2}
    assert "Relu" not in text


def test_random_nodes_and_reads_go_writes_and_variables_stay():
    text, result = run(
        """
  %n = ge.Const() {value = dense<4> : tensor<1xi32>} : tensor<1xi32>
  %r = ge.RandomUniform(%n) {dtype = f32} : tensor<4xf32>
  %v = ge.Variable() : !ge.ref<tensor<4xf32>>
  %w = ge.Variable() : !ge.ref<tensor<4xf32>>
  %s = ge.Assign(%v, %x) : !ge.ref<tensor<4xf32>>
  %t = ge.Read(%s) : tensor<4xf32>
  ge.NetOutput(%x)
"""
    )
    assert result.counters == {"Const": 1, "RandomUniform": 1, "Read": 1}
    assert text.count("ge.Variable") == 2
    assert "ge.Assign" in text


def test_a_dead_node_that_waits_takes_its_control_edge_along():
    text, _ = run(
        """
  %p = ge.Print(%x) : !ge.ctrl
  %a = ge.Relu(%x) after(%p) : tensor<4xf32>
  ge.NetOutput(%x)
"""
    )
    assert "ge.Relu" not in text
    assert "ge.Print(%x)" in text


def test_conditionals_go_only_without_effects_inside():
    body = """
  %c = ge.Const() {value = dense<true> : tensor<i1>} : tensor<i1>
  %y = ge.If(%c, [%x]) : tensor<4xf32> then_branch(%a) {
    INNER
    ge.NetOutput(%a)
  } else_branch(%a) {
    ge.NetOutput(%a)
  }
  ge.NetOutput(%x)
"""
    text, result = run(body.replace("INNER", "%r = ge.Relu(%a) : tensor<4xf32>"))
    assert result.counters == {"Const": 1, "If": 1}
    text, result = run(body.replace("INNER", "ge.Print(%a)"))
    assert not result.changed
    assert "ge.Print" in text


def test_rewrite_limit_and_remarks():
    body = """
  %a = ge.Relu(%x) : tensor<4xf32>
  %b = ge.Abs(%x) : tensor<4xf32>
  ge.NetOutput(%x)
"""
    _, result = run(body, rewrite_limit=1)
    assert result.counters == {"Abs": 1}
    module = parse_module(f"ge.graph @g(%x: tensor<4xf32>) {{\n{body}\n}}\n")
    ctx = PassContext(remarks_enabled=True)
    Prune().run(module, ctx)
    assert [d.node for d in ctx.sink.diagnostics] == ["b", "a"]


def test_deep_nesting():
    inner = "ge.NetOutput(%a)"
    for _ in range(60):
        inner = (
            "%r = ge.Relu(%a) : tensor<4xf32>\n"
            f"%c = ge.PartitionedCall(%a) : tensor<4xf32> f(%a) {{\n{inner}\n}}\n"
            "ge.NetOutput(%c)"
        )
    module = parse_module(f"ge.graph @g(%a: tensor<4xf32>) {{\n{inner}\n}}\n")
    result = Prune().run(module, PassContext())
    assert result.counters == {"Relu": 60}
