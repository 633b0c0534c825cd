"""Common-subexpression elimination: what is in the key, what the survivor takes over."""

from __future__ import annotations

import pytest

from ge_dialect.ir.printer import print_module
from ge_dialect.ir.reader import parse_module
from ge_dialect.ir.verifier import verify
from passes.context import PassContext
from passes.stage1.common_subexpression_elimination import CommonSubexpressionElimination


def run(body: str, args: str = "%x: tensor<4xf32>"):
    module = parse_module(f"ge.graph @g({args}) {{\n{body}\n}}\n")
    result = CommonSubexpressionElimination().run(module, PassContext())
    assert not verify(module)
    return module, result


def merged(body: str, args: str = "%x: tensor<4xf32>") -> int:
    return sum(run(body, args)[1].counters.values())


TWO = """
  %a = ge.{first} : {type}
  %b = ge.{second} : {type}
  ge.NetOutput(%a, %b)
"""


@pytest.mark.parametrize(
    ("first", "second", "size", "expected"),
    [
        ("Relu(%x)", "Relu(%x)", 4, 1),
        ("Relu(%x)", "Abs(%x)", 4, 0),
        ("Add(%x, %y)", "Add(%y, %x)", 4, 0),
        ("LeakyRelu(%x) {negative_slope = 0.5}", "LeakyRelu(%x)", 4, 0),
        ("LeakyRelu(%x) {negative_slope = 0.0}", "LeakyRelu(%x)", 4, 1),
        ('Relu(%x) {ge.stream_label = "a"}', 'Relu(%x) {ge.stream_label = "b"}', 4, 0),
        ('Relu(%x) {ge.stream_label = "a"}', "Relu(%x)", 4, 0),
        ('Relu(%x) {ge.stream_label = "a"}', 'Relu(%x) {ge.stream_label = "a"}', 4, 1),
        ("Relu(%x) {ge.stream = 1}", "Relu(%x) {ge.stream = 2}", 4, 1),
        ("Relu(%x) {my.note = 1}", "Relu(%x) {my.note = 2}", 4, 1),
        (
            "ConcatD(%x, %y) {concat_dim = 0, N = 2}",
            "ConcatD(%x, %y) {concat_dim = 0, N = 2}",
            8,
            1,
        ),
        (
            "ConcatD(%x, %y) {concat_dim = 0, N = 2}",
            "ConcatD(%x, %x) {concat_dim = 0, N = 2}",
            8,
            0,
        ),
    ],
)
def test_key(first, second, size, expected):
    body = TWO.format(first=first, second=second, type=f"tensor<{size}xf32>")
    assert merged(body, "%x: tensor<4xf32>, %y: tensor<4xf32>") == expected


def test_result_types_are_in_the_key():
    body = """
  %a = ge.TransData(%x) {src_format = "NCHW", dst_format = "NC1HWC0"} : tensor<1x4x2x2xf16, #ge.layout<NC1HWC0>>
  %b = ge.TransData(%x) {src_format = "NCHW", dst_format = "NC1HWC0"} : tensor<1x4x2x2xf16, #ge.layout<NC1HWC0, c0 = 32>>
  ge.NetOutput(%a, %b)
"""  # noqa: E501
    assert merged(body, "%x: tensor<1x4x2x2xf16>") == 0


def test_constants_merge_by_value():
    body = """
  %a = ge.Const() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : tensor<2xf32>
  %b = ge.Const() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : tensor<2xf32>
  %c = ge.Const() {value = dense<[1.0, -0.0]> : tensor<2xf32>} : tensor<2xf32>
  %d = ge.Const() {value = dense<[1.0, 0.0]> : tensor<2xf32>} : tensor<2xf32>
  %e = ge.Const() {value = #ge.weight<"w">} : tensor<2xf32>
  %f = ge.Const() {value = #ge.weight<"w">} : tensor<2xf32>
  ge.NetOutput(%a, %b, %c, %d, %e, %f)
"""
    assert merged(body) == 2


def test_variables_and_reads_never_merge():
    body = """
  %a = ge.Variable() : !ge.ref<tensor<4xf32>>
  %b = ge.Variable() : !ge.ref<tensor<4xf32>>
  %c = ge.Read(%a) : tensor<4xf32>
  %r = ge.Assign(%a, %x) : !ge.ref<tensor<4xf32>>
  %d = ge.Read(%r) : tensor<4xf32>
  %e = ge.Read(%r) : tensor<4xf32>
  ge.NetOutput(%c, %d, %e, %b) after(%c)
"""
    module = parse_module(f"ge.graph @g(%x: tensor<4xf32>) {{\n{body}\n}}\n")
    assert not CommonSubexpressionElimination().run(module, PassContext()).changed


def test_same_control_inputs_merge_in_any_order():
    body = """
  %p = ge.Print(%x) : !ge.ctrl
  %q = ge.Print(%x) after(%p) : !ge.ctrl
  %a = ge.Relu(%x) after(%p, %q) : tensor<4xf32>
  %b = ge.Relu(%x) after(%q, %p) : tensor<4xf32>
  %c = ge.Relu(%x) after(%q) : tensor<4xf32>
  ge.NetOutput(%a, %b, %c)
"""
    module, result = run(body)
    assert result.counters == {"Relu": 1}
    assert print_module(module).count("ge.Relu") == 2


def test_survivor_takes_over_users_control_users_origins_and_attributes():
    body = """
  %a = ge.Relu(%x) {ge.groups = ["one"], my.note = 1} : tensor<4xf32> loc("a"("src1"))
  %b, %done = ge.Relu(%x) {ge.groups = ["two"], your.note = 2} : tensor<4xf32>, !ge.ctrl loc("b"("src2"))
  ge.Print(%x) after(%done)
  %c = ge.Abs(%b) : tensor<4xf32>
  ge.NetOutput(%c)
"""  # noqa: E501
    module, _ = run(body)
    relu = next(op for op in module.walk() if op.name == "ge.Relu")
    assert relu.ge_node_name == "a"
    assert relu.ge_origins == ("src1", "src2")
    assert sorted(relu.attributes) == ["ge.groups", "my.note", "your.note"]
    assert [a.data for a in relu.attributes["ge.groups"].data] == ["one", "two"]
    assert {u.operation.name for u in relu.results[0].uses} == {"ge.Abs"}
    assert {u.operation.name for u in relu.results[-1].uses} == {"ge.Print"}


def test_chains_and_fans_of_duplicates_go_in_one_sweep():
    lines, last = [], ["%x"] * 8
    for depth in range(6):
        for k in range(8):
            lines.append(f"  %v{depth}_{k} = ge.Relu({last[k]}) : tensor<4xf32>")
        last = [f"%v{depth}_{k}" for k in range(8)]
    module, result = run("\n".join(lines) + f"\n  ge.NetOutput({', '.join(last)})")
    assert result.counters == {"Relu": 42}
    assert print_module(module).count("ge.Relu") == 6


def test_property_order_does_not_matter():
    text = """
    "builtin.module"() ({
      "ge.graph"() <{sym_name = "g"}> ({
      ^bb0(%x: tensor<1x4x4x4xf32>, %w: tensor<4x4x1x1xf32>):
        %a = "ge.Conv2D"(%x, %w) <{strides = array<i64: 1, 1, 1, 1>, pads = array<i64: 0, 0, 0, 0>, data_format = "NCHW", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
        %b = "ge.Conv2D"(%x, %w) <{data_format = "NCHW", pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
        "ge.NetOutput"(%a, %b) <{operandSegmentSizes = array<i32: 2, 0>}> : (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) -> ()
      }) : () -> ()
    }) : () -> ()
    """  # noqa: E501
    module = parse_module(text)
    result = CommonSubexpressionElimination().run(module, PassContext())
    assert result.counters == {"Conv2D": 1}


def test_rewrite_limit():
    body = TWO.format(first="Relu(%x)", second="Relu(%x)", type="tensor<4xf32>")
    module = parse_module(f"ge.graph @g(%x: tensor<4xf32>) {{\n{body}\n}}\n")
    result = CommonSubexpressionElimination().run(module, PassContext(rewrite_limit=0))
    assert not result.changed


@pytest.mark.parametrize("awaited", ["a", "c", "both"])
def test_nodes_with_dynamic_results_merge_whoever_is_awaited(awaited):
    """The control result is counted among the sizes of the results."""
    first = "%a, %b, %one" if awaited != "c" else "%a, %b"
    second = "%c, %d, %two" if awaited != "a" else "%c, %d"
    waits = ", ".join(w for w, text in (("%one", first), ("%two", second)) if w in text)

    def split(results: str) -> str:
        types = ", ".join(["tensor<2xf32>"] * 2 + ["!ge.ctrl"] * (results.count("%") - 2))
        return f"  {results} = ge.SplitD(%x) {{split_dim = 0, num_split = 2}} : {types}\n"

    body = f"""{split(first)}{split(second)}
  %y = ge.Relu(%a) after({waits}) : tensor<2xf32>
  ge.NetOutput(%y, %b, %c, %d)"""
    module, result = run(body)
    assert result.counters == {"SplitD": 1}
    assert "ge.NetOutput(%y, %b, %a, %b)" in print_module(module)


def test_nodes_with_results_of_other_numbers_stay():
    body = """
  %a, %b = ge.SplitD(%x) {split_dim = 0, num_split = 2} : tensor<2xf32>, tensor<2xf32>
  %c = ge.SplitD(%x) {split_dim = 0, num_split = 1} : tensor<4xf32>
  ge.NetOutput(%a, %b, %c)"""
    assert merged(body) == 0
