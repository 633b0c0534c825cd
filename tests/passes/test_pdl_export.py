"""PDL of rules: it parses and verifies in xDSL, and xDSL's interpreter rewrites as we do."""

from __future__ import annotations

from typing import Any

import pytest

from ge_dialect.ir.reader import parse_module
from ge_dialect.ir.verifier import verify
from passes import run_pipeline
from passes.context import PassContext
from passes.fuse.conv_bn_fold import FoldConvBn
from passes.pattern_dsl import (
    absent,
    any_of,
    attr_of,
    const,
    make,
    node,
    optional,
    rule,
    value,
    values,
    when,
)
from passes.pdl_export import PdlExportError, apply_pdl, export_pdl, parse_pdl
from passes.prepare.identity_remove import DropIdentity
from passes.prepare.no_use_reshape_remove import DROP_RESHAPE
from passes.prepare.unchanged_transpose_remove import DROP_TRANSPOSE
from passes.rewriting import apply_patterns

X, Y = value("x"), value("y")
T = "tensor<4xf32>"

NEG_NEG = rule("neg-neg", node("Neg", node("Neg", X)), X)
ADD_NEG = rule("add-neg", node("Add", X, node("Neg", Y)).commutative(), make("Sub", X, Y))
SQUARE = rule("square", node("Mul", X, X), make("Square", X))
RELU = rule(
    "relu",
    node("Relu", node("Abs", "Square", X.dtype("float32").rank(1)).named("inner").absorb()),
    X,
    when(lambda m: m.inner.results[0].type == m.root.results[0].type, "the types differ"),
)
SOFT = rule(
    "soft",
    node("Neg", node("SoftmaxV2", X).attr(axes=[0]).named("soft")),
    make("SoftmaxV2", make("Neg", X).typed_like(X), axes=attr_of("soft", "axes")),
)
PAIR = rule("either", node("Exp", any_of(node("Relu", X), node("Abs", X))), make("Exp", X))

GRAPHS = {
    "neg-neg": (NEG_NEG, f"%a = ge.Neg(%x) : {T}\n%r = ge.Neg(%a) : {T}"),
    "add-neg": (ADD_NEG, f"%a = ge.Neg(%x) : {T}\n%r = ge.Add(%a, %y) : {T}"),
    "add-neg second": (ADD_NEG, f"%a = ge.Neg(%x) : {T}\n%r = ge.Add(%y, %a) : {T}"),
    "square": (SQUARE, f"%a = ge.Mul(%x, %y) : {T}\n%r = ge.Mul(%a, %a) : {T}"),
    "square near miss": (SQUARE, f"%r = ge.Mul(%x, %y) : {T}"),
    "attributes": (
        SOFT, f"%a = ge.SoftmaxV2(%x) {{axes = [0]}} : {T}\n%r = ge.Neg(%a) : {T}"
    ),
    "other attribute": (
        SOFT, f"%a = ge.SoftmaxV2(%x) {{axes = [-1]}} : {T}\n%r = ge.Neg(%a) : {T}"
    ),
    "alternatives": (PAIR, f"%a = ge.Abs(%x) : {T}\n%r = ge.Exp(%a) : {T}"),
}  # fmt: skip


def graph(body: str) -> Any:
    lines = "\n".join("  " + line for line in body.splitlines())
    module = parse_module(f"ge.graph @g(%x: {T}, %y: {T}) {{\n{lines}\n  ge.NetOutput(%r)\n}}\n")
    assert not verify(module)
    return module


@pytest.mark.parametrize("case", GRAPHS)
def test_xdsl_rewrites_as_we_do(case: str):
    a_rule, body = GRAPHS[case]
    ours, theirs = graph(body), graph(body)
    applied = apply_patterns(ours, [a_rule], PassContext())
    assert apply_pdl(export_pdl(a_rule), theirs) == applied.changed
    for module in (ours, theirs):
        run_pipeline(module, "prune", verify="off")  # PDL leaves the inner nodes to others
    assert not verify(theirs)
    assert _shape(ours) == _shape(theirs)


def _shape(module: Any) -> list[str]:
    """The graph without names."""
    numbers: dict[Any, int] = {}
    out = []
    for op in module.walk():
        for v in (*op.operands, *op.results):
            numbers.setdefault(v, len(numbers))
        args = [numbers[v] for v in op.operands]
        out.append(f"{op.name} {args} {sorted(map(str, op.properties.items()))}")
    return [line.partition("sym_name")[0] for line in out]


def test_native_constraints_judge_what_pdl_cannot_say():
    export = export_pdl(RELU)
    assert export.patterns == 2
    names = sorted(export.constraints)
    assert names[:5] == [
        "relu_0.another_node_waits_for_inner",
        "relu_0.the_dtype_of_x_is_not_float32",
        "relu_0.the_rank_of_x_is_not_1",
        "relu_0.the_result_of_inner_has_other_users",
        "relu_0.the_types_differ",
    ]
    parse_pdl(export)
    fine = f"%a = ge.Square(%x) : {T}\n%r = ge.Relu(%a) : {T}"
    shared = f"%a = ge.Square(%x) : {T}\n%b = ge.Relu(%a) : {T}\n%r = ge.Add(%a, %b) : {T}"
    assert not apply_pdl(export, graph(shared))
    module = graph(fine)
    assert apply_pdl(export, module)
    assert [op.name for op in module.walk() if op.results] == []
    wrong = rule("relu", node("Relu", node("Square", X.rank(2)).named("inner")), "inner")
    assert not apply_pdl(export_pdl(wrong), graph(fine))


def test_the_text():
    assert (
        export_pdl(ADD_NEG).text
        == """\
builtin.module {
  pdl.pattern @add_neg_0 : benefit(2) {
    %t1 = pdl.type
    %x_2 = pdl.operand : %t1
    %t3 = pdl.type
    %y_4 = pdl.operand : %t3
    %t6 = pdl.type
    %op5 = pdl.operation "ge.Neg" (%y_4 : !pdl.value) -> (%t6 : !pdl.type)
    %v7 = pdl.result 0 of %op5
    %t9 = pdl.type
    %op8 = pdl.operation "ge.Add" (%x_2, %v7 : !pdl.value, !pdl.value) -> (%t9 : !pdl.type)
    pdl.rewrite %op8 {
      %new10 = pdl.operation "ge.Sub" (%x_2, %y_4 : !pdl.value, !pdl.value) -> (%t9 : !pdl.type)
      pdl.replace %op8 with %new10
    }
  }
  pdl.pattern @add_neg_1 : benefit(2) {
    %t1 = pdl.type
    %y_2 = pdl.operand : %t1
    %t4 = pdl.type
    %op3 = pdl.operation "ge.Neg" (%y_2 : !pdl.value) -> (%t4 : !pdl.type)
    %v5 = pdl.result 0 of %op3
    %t6 = pdl.type
    %x_7 = pdl.operand : %t6
    %t9 = pdl.type
    %op8 = pdl.operation "ge.Add" (%v5, %x_7 : !pdl.value, !pdl.value) -> (%t9 : !pdl.type)
    pdl.rewrite %op8 {
      %new10 = pdl.operation "ge.Sub" (%x_7, %y_2 : !pdl.value, !pdl.value) -> (%t9 : !pdl.type)
      pdl.replace %op8 with %new10
    }
  }
}
"""
    )


@pytest.mark.parametrize(
    "pattern",
    [DROP_RESHAPE, DROP_TRANSPOSE, FoldConvBn(), NEG_NEG, RELU, SOFT, PAIR, SQUARE],
    ids=lambda p: p.label,
)
def test_rules_of_the_project_parse_and_verify(pattern: Any):
    export = export_pdl(pattern)
    module = parse_pdl(export)
    assert sum(op.name == "pdl.pattern" for op in module.walk()) == export.patterns
    used = {op.constraint_name.data for op in module.walk() if op.name.endswith("constraint")}
    assert used == set(export.constraints)


def test_optional_inputs_and_constants_become_choices():
    shape = node("Conv2D", X, const("w"), bias=optional(value("b")), offset_w=absent())
    export = export_pdl(rule("conv", shape, X))
    assert export.patterns == 4  # Const or Constant, bias or none
    assert "array<i32: 1, 1, 0, 0, 0>" in export.text
    assert "array<i32: 1, 1, 1, 0, 0>" in export.text
    parse_pdl(export)


def test_a_replacement_in_python_is_a_native_rewrite():
    export = export_pdl(rule("built", node("Neg", X), lambda m: m.x))
    assert list(export.rewrites) == ["built"]
    assert 'pdl.rewrite %op3 with "built"' in export.text
    parse_pdl(export)
    with pytest.raises(PdlExportError, match="native rewrites"):
        apply_pdl(export, graph(f"%r = ge.Neg(%x) : {T}"))


def test_what_cannot_be_said():
    with pytest.raises(PdlExportError, match="dynamic"):
        export_pdl(rule("n", node("AddN", values("xs")), X))
    with pytest.raises(PdlExportError, match="dynamic"):
        export_pdl(DropIdentity())
    many = node("Add", any_of(*[node("Neg", X)] * 9), any_of(*[node("Neg", Y)] * 9))
    with pytest.raises(PdlExportError, match="more than 64"):
        export_pdl(rule("m", many, X))
