"""The printer: names, the generic form, locations, and IR that is not right yet."""

from __future__ import annotations

from io import StringIO

import pytest
from xdsl.dialects.builtin import (
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    ModuleOp,
    NameLoc,
    NoneAttr,
    StringAttr,
    UnknownLoc,
)
from xdsl.printer import Printer

from ge_dialect.ir.attributes import quote
from ge_dialect.ir.build import build
from ge_dialect.ir.context import make_context
from ge_dialect.ir.control import control_of, segments_attr
from ge_dialect.ir.dense_writer import attribute_text
from ge_dialect.ir.graph import module_graphs, new_graph
from ge_dialect.ir.names import node_name, set_node_name
from ge_dialect.ir.op_text import location_text
from ge_dialect.ir.printer import op_text, print_module
from ge_dialect.ir.private import set_name_hint
from ge_dialect.ir.reader import parse_module
from ge_dialect.ir.types import tensor_type
from ge_dialect.ops.registry import register_op, unregister_op

T = "tensor<4xf16>"


def f16():
    from ge_dialect.dtypes import to_xdsl

    return to_xdsl("float16")


def small():
    g = new_graph("g", [tensor_type([4], f16())], ["x"])
    a = build("Relu", [g.args[0]], name="a")
    b = build("Add", [a.results[0], g.args[0]], name="b")
    out = build("NetOutput", [[b.results[0]]], name="NetOutput")
    g.body.add_ops([a, b, out])
    return ModuleOp([g]), g, a, b, out


SMALL = f"""ge.graph @g(%x: {T}) {{
  %a = ge.Relu(%x) : {T}
  %b = ge.Add(%a, %x) : {T}
  ge.NetOutput(%b)
}}
"""


def test_built_graphs_print_plainly():
    assert print_module(small()[0]) == SMALL


def test_names_that_are_no_ssa_names_are_written():
    module, _, a, b, _ = small()
    set_node_name(a, "net/conv:0", ("p", "q"))
    set_node_name(b, "b", ("p",))
    text = print_module(module)
    assert '%a = ge.Relu(%x) : tensor<4xf16> loc("net/conv:0"(fused["p", "q"]))' in text
    assert '%b = ge.Add(%a, %x) : tensor<4xf16> loc("b"("p"))' in text
    again = parse_module(text)
    assert print_module(again) == text


def test_hints_that_meet_are_told_apart():
    module, _, a, b, _ = small()
    set_name_hint(b.results[0], "a")
    assert '%a_1 = ge.Add(%a, %x) : tensor<4xf16> loc("b")' in print_module(module)
    set_name_hint(a.results[0], "x")
    assert "%x_1 = ge.Relu(%x)" in print_module(module)


def test_nodes_without_hint_take_their_name_or_a_number():
    module, _, a, b, _ = small()
    set_name_hint(a.results[0], None)
    set_name_hint(b.results[0], None)
    set_node_name(b, "not a name")
    text = print_module(module)
    assert "%a = ge.Relu(%x)" in text
    assert '%0 = ge.Add(%a, %x) : tensor<4xf16> loc("not a name")' in text


def test_numbered_names_stay_as_they_are():
    text = f"""ge.graph @g(%0: {T}) {{
  %v_7 = ge.Relu(%0) : {T}
  %3 = ge.Relu(%v_7) : {T}
  %v_2 = ge.Relu(%3) : {T}
  ge.NetOutput(%v_2)
}}
"""
    module = parse_module(text)
    assert print_module(module) == text
    assert [node_name(op) for op in module_graphs(module)[0].body.ops][:3] == ["v_7", "3", "v_2"]


def test_generic_form_is_stock_xdsls():
    module = parse_module(SMALL)
    out = StringIO()
    Printer(out, print_generic_format=True).print_op(module)
    assert print_module(module, generic=True) == out.getvalue() + "\n"


def test_custom_form_is_what_stock_xdsl_prints_with_our_classes():
    module = parse_module(SMALL)
    out = StringIO()
    Printer(out).print_op(module_graphs(module)[0])
    assert print_module(module) == out.getvalue() + "\n"


def test_debuginfo_writes_all_locations():
    module = parse_module(SMALL, filename="f.mlir")
    text = print_module(module, debuginfo=True)
    assert 'ge.Relu(%x) : tensor<4xf16> loc("a"("f.mlir":2:3))' in text
    assert 'ge.NetOutput(%b) loc("NetOutput"("f.mlir":4:3))' in text
    assert print_module(parse_module(text), debuginfo=True) == text
    generic = print_module(module, generic=True, debuginfo=True)
    assert 'loc("a"("f.mlir":2:3))' in generic
    assert "loc(" not in print_module(module, generic=True)


def test_body_names_may_repeat_in_the_custom_form_only():
    text = f"""ge.graph @g(%x: {T}) {{
  %r = ge.PartitionedCall(%x) : {T} f(%x) {{
    %r = ge.Relu(%x) : {T}
    ge.NetOutput(%r)
  }}
  ge.NetOutput(%r)
}}
"""
    module = parse_module(text)
    assert print_module(module) == text
    generic = print_module(module, generic=True)
    assert "^bb0(%x_1: tensor<4xf16>)" in generic
    assert parse_module(generic).is_structurally_equivalent(module)


def test_one_operation_alone():
    _, _, _, b, _ = small()
    assert op_text(b) == f"%b = ge.Add(%a, %x) : {T}"
    assert op_text(b, generic=True) == f'%b = "ge.Add"(%a, %x) : ({T}, {T}) -> {T}'


def test_ir_that_is_not_right_prints_in_the_generic_form():
    module, g, a, b, out = small()
    b.properties["oops"] = StringAttr("x")
    assert '"ge.Add"(%a, %x) <{oops = "x"}>' in print_module(module)
    del b.properties["oops"]
    out.properties["operandSegmentSizes"] = segments_attr((7, 0))
    assert '"ge.NetOutput"(%b)' in print_module(module)
    b.operands = [g.args[0]]
    assert '%b = "ge.Add"(%x)' in print_module(module)
    b.operands = [control_of(a), g.args[0]]
    print_module(module)
    a.detach()
    text = print_module(module)
    assert '"ge.Add"(%a_done, %x)' in text


def test_use_before_definition_still_prints_text_that_reads():
    module, g, a, b, _ = small()
    a.detach()
    g.body.insert_op_after(a, b)
    text = print_module(module)
    assert '%b = "ge.Add"(%a, %x)' in text
    assert print_module(parse_module(text)) == text


def test_several_dynamic_outputs_are_grouped():
    cls = register_op(_many_outputs())
    try:
        t = tensor_type([4], f16())
        g = new_graph("g", [t], ["x"])
        op = cls.create(
            operands=[g.args[0]],
            result_types=[t, t, t],
            properties={"resultSegmentSizes": segments_attr((2, 1, 0, 0))},
        )
        g.body.add_ops([op, build("NetOutput", [list(op.results)])])
        text = print_module(ModuleOp([g]))
        assert f": [{T}, {T}], {T}, []" in text
        module = parse_module(text)
        assert module.is_structurally_equivalent(ModuleOp([g.clone()]))
        out = StringIO()
        Printer(out).print_op(module)
        assert parse_module(out.getvalue()).is_structurally_equivalent(module)
    finally:
        unregister_op("TestManyOutputs")


def _many_outputs():
    from ge_dialect.ir.base import GeOp, ge_op
    from ge_dialect.ir.fields import dyn_tout, tin, tout

    @ge_op
    class TestManyOutputs(GeOp):
        """Two dynamic outputs."""

        name = "ge.TestManyOutputs"
        x = tin("ALL")
        a = dyn_tout("ALL")
        b = tout("ALL")
        c = dyn_tout("ALL")

    return TestManyOutputs


def test_strings_and_names_of_any_kind():
    module, g, a, _, _ = small()
    for text in ('q"uo\\te', "tab\tnl\n", "{[(%x)]}", "ü→", "\x01"):
        a.attributes["ge.s"] = StringAttr(text)
        set_node_name(a, text)
        g.properties["sym_name"] = StringAttr(text)
        for generic in (False, True):
            printed = print_module(module, generic=generic, debuginfo=generic)
            again = parse_module(printed)
            assert again.is_structurally_equivalent(module)
            assert node_name(module_graphs(again)[0].body.first_op) == text


def test_attributes_print_the_same_whatever_order_hashes_come_in():
    text = SMALL.replace("ge.Relu(%x)", "ge.Relu(%x) {ge.z = 1 : i64, ge.a = 2 : i64}")
    assert print_module(parse_module(text)) == text


def test_foreign_operations_between_nodes():
    text = f"""func.func @f(%x: {T}) -> {T} {{
  %a = ge.Relu(%x) : {T} loc("n/a")
  func.return %a : {T}
}}
ge.graph @g(%x_1: {T}) {{
  %0 = builtin.unrealized_conversion_cast %x_1 : {T} to {T}
  %b = ge.Relu(%0) : {T}
  ge.NetOutput(%b)
}}
"""
    module = parse_module(text)
    assert print_module(module) == text


def test_nodes_that_read_foreign_values_keep_their_form():
    text = f"""ge.graph @g(%x: {T}) {{
  %a = "foo.one"(%x) {{k = 1 : i32}} : ({T}) -> {T}
  %b, %c = "foo.two"(%a) ({{
  ^bb0(%y: {T}):
    %d = ge.Relu(%y) : {T}
    "foo.end"(%d) : ({T}) -> ()
  }}) : ({T}) -> ({T}, {T})
  %e = ge.Add(%b, %c) : {T}
  ge.NetOutput(%e)
}}
"""
    module = parse_module(text, make_context(allow_unregistered=True))
    assert print_module(module) == text


def test_locations_are_written_as_stock_printing_writes_them() -> None:
    odd = 'a "b" \\ c\n\t\x01\x7f é'
    file = FileLineColLoc(StringAttr(odd), IntAttr(3), IntAttr(7))
    plain = NameLoc(StringAttr("n"), NoneAttr())
    fused = FusedLoc([plain, file], NoneAttr())
    locations = [
        UnknownLoc(),
        file,
        plain,
        NameLoc(StringAttr(odd), file),
        NameLoc(StringAttr("outer"), NameLoc(StringAttr(""), file)),
        NameLoc(StringAttr("of two"), fused),
        NameLoc(StringAttr("over"), NameLoc(StringAttr("of two"), fused)),
        NameLoc(StringAttr("nowhere"), UnknownLoc()),
        CallSiteLoc(plain, file),
        fused,
    ]
    for loc in locations:
        assert location_text(loc) == attribute_text(loc)


@pytest.mark.parametrize("code", range(256))
def test_each_character_of_a_literal(code: int) -> None:
    """What MLIR escapes is escaped, everything else stands as it is."""
    ch = chr(code)
    special = {"\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
    wanted = special.get(ch, f"\\{code:02X}" if code < 32 or code == 127 else ch)
    assert quote(f"a{ch}b") == f'"a{wanted}b"'
