"""Constant folding: inline or recipe, size limit, effects, order, engines, bytes."""

from __future__ import annotations

import numpy as np
import pytest

from ge_dialect.ir.attributes import WeightAttr
from ge_dialect.ir.printer import print_module
from ge_dialect.ir.reader import parse_module
from ge_dialect.ir.verifier import verify
from ge_dialect.semantics import evaluate_graph
from ge_dialect.weights.store import WeightStore
from passes import run_pipeline
from passes.context import PassContext
from passes.prepare.constant_folding import ConstantFolding


def fold(body: str, weights=None, *, args: str = "%x: tensor<4xf32>", **options):
    module = parse_module(f"ge.graph @g({args}) {{\n{body}\n}}\n")
    problems = verify(module)
    assert not problems, problems[0].render()
    ctx = PassContext(weights=weights, remarks_enabled=True)
    result = ConstantFolding(**options).run(module, ctx)
    problems = verify(module)
    assert not problems, problems[0].render()
    return module, result, ctx


def ends(module):
    end = module.body.block.first_op.net_output
    return [v.owner for v in end.ge_data_operands]


def held(module, index: int = 0):
    return ends(module)[index].properties["value"]


A = "  %a = ge.Const() {value = dense<[1.5, -2.0, 3.0, 0.25]> : tensor<4xf32>} : tensor<4xf32>\n"
I = "  %i = ge.Const() {value = dense<[7, -2, 3, 0]> : tensor<4xi32>} : tensor<4xi32>\n"  # noqa: E741


@pytest.mark.parametrize(
    ("node", "type_", "inline"),
    [
        ("Add(%a, %a)", "4xf32", True),
        ("Mul(%a, %a)", "4xf32", True),
        ("RealDiv(%a, %a)", "4xf32", True),
        ("Sqrt(%a)", "4xf32", True),
        ("Cast(%a) {dst_type = 1}", "4xf16", True),
        ("Less(%a, %a)", "4xi1", True),
        ("ReduceMaxD(%a) {axes = [0]}", "f32", True),
        ("ReduceSumD(%i) {axes = [0]}", "i32", True),
        ("Pow(%i, %i)", "4xi32", True),
        ("ReduceSumD(%a) {axes = [0]}", "f32", False),
        ("Exp(%a)", "4xf32", False),
        ("Pow(%a, %a)", "4xf32", False),
        ("Tanh(%a)", "4xf32", False),
        ("SoftmaxV2(%a) {axes = [0]}", "4xf32", False),
    ],
)
def test_inline_only_if_every_step_is_exact(node, type_, inline):
    body = f"{A}{I}  %y = ge.{node} : tensor<{type_}>\n  ge.NetOutput(%y, %a, %i)"
    module, result, _ = fold(body)
    assert result.counters == {"fold-constant": 1}
    assert isinstance(held(module), WeightAttr) != inline


def test_a_recipe_taints_what_comes_after():
    body = f"{A}  %e = ge.Exp(%a) : tensor<4xf32>\n  %n = ge.Neg(%e) : tensor<4xf32>\n"
    module, _, _ = fold(body + "  ge.NetOutput(%n)")
    assert held(module).expr == "neg(exp(const([1.5, -2.0, 3.0, 0.25], f32)))"


def test_values_are_those_of_the_golden_semantics():
    weights = WeightStore({"w": np.arange(96, dtype=np.float32).reshape(8, 12) / 8})
    body = """
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<8x12xf32>
  %t = ge.TransposeD(%w) {perm = [1, 0]} : tensor<12x8xf32>
  %m = ge.MatMulV2(%w, %t) : tensor<8x8xf32>
  %s, %u = ge.SplitD(%m) {split_dim = 0, num_split = 2} : tensor<4x8xf32>, tensor<4x8xf32>
  %c = ge.ConcatD(%u, %s) {concat_dim = 1, N = 2} : tensor<4x16xf32>
  %o = ge.Const() {value = dense<[1, 2]> : tensor<2xi32>} : tensor<2xi32>
  %z = ge.Const() {value = dense<[2, 3]> : tensor<2xi32>} : tensor<2xi32>
  %q = ge.Slice(%w, %o, %z) : tensor<2x3xf32>
  ge.NetOutput(%c, %q, %s)
"""
    module = parse_module(f"ge.graph @g() {{\n{body}\n}}\n")
    before = evaluate_graph(module.body.block.first_op, [], weights).outputs
    module, _, _ = fold(body, weights, args="")
    assert all(op.name == "ge.Const" for op in ends(module))
    assert not isinstance(held(module, 1), WeightAttr), "small and exact from stored bytes"
    after = evaluate_graph(module.body.block.first_op, [], weights).outputs
    for a, b in zip(before, after, strict=True):
        assert a.tobytes() == b.tobytes()


def test_without_a_store_small_results_of_weights_are_recipes():
    body = """
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<2x2xf32>
  %n = ge.Neg(%w) : tensor<2x2xf32>
  ge.NetOutput(%n)
"""
    module, _, _ = fold(body)
    assert held(module).expr == 'neg("w")'


def test_abstract_weights_give_abstract_recipes():
    body = """
  %w = ge.Const() {value = #ge.weight<"w", abstract>} : tensor<1024x1024xf32>
  %c = ge.Cast(%w) {dst_type = 1} : tensor<1024x1024xf16>
  ge.NetOutput(%c)
"""
    weights = WeightStore()
    weights.declare("w", "float32", (1024, 1024))
    module, _, _ = fold(body, weights)
    assert held(module).abstract
    assert held(module).expr == 'cast("w", f16)'


def test_size_limit_holds_growth_back_and_says_so():
    body = """
  %n = ge.Const() {value = dense<[1000]> : tensor<1xi32>} : tensor<1xi32>
  %v = ge.Const() {value = dense<1.5> : tensor<f32>} : tensor<f32>
  %p = ge.Fill(%n, %v) : tensor<1000xf32>
  ge.NetOutput(%p)
"""
    module, result, ctx = fold(body, max_bytes=3999)
    assert not result.changed
    assert result.counters == {"above max-bytes": 1}
    assert "max-bytes" in ctx.sink.diagnostics[0].message
    module, result, _ = fold(body, max_bytes=4000)
    assert held(module).expr == "splat(1.5, [1000], f32)"
    from ge_dialect.weights.resolve import resolve

    assert resolve(held(module), None).tolist() == [1.5] * 1000


def test_size_limit_does_not_stop_what_does_not_grow():
    body = """
  %w = ge.Const() {value = #ge.weight<"w">} : tensor<1000xf32>
  %c = ge.Cast(%w) {dst_type = 1} : tensor<1000xf16>
  ge.NetOutput(%c)
"""
    _, result, _ = fold(body, max_bytes=8)
    assert result.counters == {"fold-constant": 1}


@pytest.mark.parametrize(
    ("node", "reason"),
    [
        ("RandomUniform(%n) {dtype = f32} : tensor<?xf32>", None),
        ("Print(%n)", None),
        ("Neg(%n) {ge.attr._do_not_constant_folding} : tensor<1xi32>", "no_need_constant_folding"),
    ],
)
def test_never_folded(node, reason):
    left = "" if node.startswith("Print") else "%y = "
    body = f"""
  %n = ge.Const() {{value = dense<[3]> : tensor<1xi32>}} : tensor<1xi32>
  {left}ge.{node}
  ge.NetOutput({"%y" if left else ""})
"""
    _, result, ctx = fold(body)
    assert not result.changed
    found = [d.message for d in ctx.sink.diagnostics]
    assert bool(found) == bool(reason)


@pytest.mark.parametrize("pass_name", ["constant-folding", "infer-shape-for-preprocess"])
def test_a_list_of_no_tensors_is_left_alone(pass_name):
    text = """
ge.graph @g() {
  %m = ge.Const() {value = dense<5> : tensor<1xi8>} : tensor<1xi8>
  ge.ForeachRoundOffNumber([], %m)
  ge.NetOutput()
}
"""
    module = parse_module(text)
    run_pipeline(module, pass_name)
    assert any(op.name == "ge.ForeachRoundOffNumber" for op in module.walk())


def test_a_recipe_never_grows_without_bound():
    lines = ['  %v0 = ge.Const() {value = #ge.weight<"a_long_name_of_a_weight">} : tensor<100xf32>']
    lines += [f"  %v{i + 1} = ge.Add(%v{i}, %v{i}) : tensor<100xf32>" for i in range(40)]
    module, result, ctx = fold("\n".join(lines) + "\n  ge.NetOutput(%v40)")
    assert 4 < result.counters["fold-constant"] < 40
    assert "the recipe would be too long" in ctx.sink.diagnostics[-1].message
    assert len(print_module(module)) < 40_000


def test_shape_data_folds_where_the_shape_is_known():
    body = """
  %s = ge.Shape(%x) {dtype = 9} : tensor<2xi64>
  %n = ge.Size(%x) : tensor<i32>
  %r = ge.Rank(%y) : tensor<i32>
  %u = ge.Shape(%y) : tensor<2xi32>
  ge.NetOutput(%s, %n, %r, %u)
"""
    module, result, _ = fold(body, args="%x: tensor<2x3xf32>, %y: tensor<?x3xf32>")
    assert result.counters == {"fold-constant": 3}
    assert [op.name for op in ends(module)] == ["ge.Const"] * 3 + ["ge.Shape"]
    assert "dense<[2, 3]> : tensor<2xi64>" in print_module(module)


def test_only_used_results_become_constants():
    body = """
  %a = ge.Const() {value = dense<[1, 2, 3, 4]> : tensor<4xi32>} : tensor<4xi32>
  %s, %t = ge.SplitD(%a) {split_dim = 0, num_split = 2} : tensor<2xi32>, tensor<2xi32>
  ge.NetOutput(%t)
"""
    module, _, _ = fold(body)
    text = print_module(module)
    assert text.count("ge.Const") == 1
    assert "dense<[3, 4]>" in text


def test_inputs_with_other_users_stay():
    body = f"{A}  %y = ge.Neg(%a) : tensor<4xf32>\n  ge.NetOutput(%y, %a)"
    module, _, _ = fold(body)
    assert print_module(module).count("ge.Const") == 2


def test_a_layout_change_of_a_constant_costs_nothing():
    body = """
  %w = ge.Const() {value = #ge.weight<"w">, ge.engine = "DNN_VM_GE_LOCAL"} : tensor<16x16x1x1xf16>
  %t = ge.TransData(%w) {src_format = "NCHW", dst_format = "FRACTAL_Z", ge.engine = "AIcoreEngine"} : tensor<16x16x1x1xf16, #ge.layout<FRACTAL_Z>>
  ge.NetOutput(%t)
"""  # noqa: E501
    module, _, _ = fold(body)
    const = ends(module)[0]
    assert const.properties["value"].expr == '"w"'
    assert "FRACTAL_Z" in str(const.results[0].type)
    assert const.attributes["ge.engine"].data == "DNN_VM_GE_LOCAL"


def test_special_floats_survive():
    values = "[0x7FC00000, 0x7F800000, 0xFF800000, 0x80000000]"
    body = f"""
  %a = ge.Const() {{value = dense<{values}> : tensor<4xf32>}} : tensor<4xf32>
  %e = ge.Exp(%a) : tensor<4xf32>
  %n = ge.Neg(%a) : tensor<4xf32>
  ge.NetOutput(%e, %n)
"""
    module, _, _ = fold(body)
    out = evaluate_graph(module.body.block.first_op, [np.zeros(4, np.float32)]).outputs
    assert np.isnan(out[0][0])
    assert out[0].tolist()[1:] == [np.inf, 0.0, 1.0]
    assert np.signbit(out[1]).tolist()[1:] == [True, False, False]


def test_no_weight_store_is_opened_without_need():
    def opened():
        raise AssertionError("opened")

    from passes.folding import Folder, Refusal

    module = parse_module(
        f"ge.graph @g() {{\n{A}  %y = ge.Neg(%a) : tensor<4xf32>\n  ge.NetOutput(%y)\n}}\n"
    )
    neg = next(op for op in module.walk() if op.name == "ge.Neg")
    assert not isinstance(Folder(opened).fold(neg), Refusal)


C = (
    "  %c = ge.Const() {value = dense<[[true, false], [true, true]]> : tensor<2x2xi1>} "
    ": tensor<2x2xi1>\n"
)


def test_results_sized_by_values_are_folded_where_they_are_small():
    module, _, _ = fold(f"{C}  %w = ge.Where(%c) : tensor<?x2xi64>\n  ge.NetOutput(%w)")
    value = held(module)
    assert str(value.type) == "tensor<3x2xi64>"
    assert [int(v) for v in value.get_values()] == [0, 0, 1, 0, 1, 1]
    many = '  %c = ge.Const() {value = #ge.weight<"c">} : tensor<100xi1>\n'
    store = WeightStore()
    store.put("c", np.ones(100, bool))
    body = f"{many}  %w = ge.Where(%c) : tensor<?x1xi64>\n  ge.NetOutput(%w)"
    module, result, _ = fold(body, store)
    assert not result.changed
