"""The verifier: every kind of problem is found, all at once, with place and node."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp, StringAttr

from ge_dialect.diagnostics import ExitCode, GeError
from ge_dialect.ir.attributes import CTRL
from ge_dialect.ir.build import build
from ge_dialect.ir.control import segments_attr
from ge_dialect.ir.dense import make_dense
from ge_dialect.ir.graph import module_graphs, new_graph
from ge_dialect.ir.private import set_type
from ge_dialect.ir.reader import parse_module
from ge_dialect.ir.types import tensor_type
from ge_dialect.ir.verifier import verify, verify_or_raise

T = "tensor<4xf16>"


def graph(body: str, args: str = f"%x: {T}") -> str:
    return f"ge.graph @g({args}) {{\n{body}\n}}\n"


def read(body: str, args: str = f"%x: {T}") -> ModuleOp:
    return parse_module(graph(body, args), filename="net.mlir")


def codes(module) -> list[str]:
    return [d.code for d in verify(module)]


def nodes(module) -> list:
    return list(module_graphs(module)[0].body.ops)


def test_a_right_graph_has_no_problems():
    module = read(
        f"""  %a, %a_done = ge.Relu(%x) : {T}, !ge.ctrl
  %b = ge.Add(%a, %x) after(%a_done) : {T}
  ge.NetOutput(%b)"""
    )
    assert verify(module) == []
    assert verify(module) == []  # and again, from the table
    verify_or_raise(module)


def test_all_problems_at_once_with_place_and_node():
    module = read(
        """  %a = ge.Relu(%x) : tensor<4xf32>
  %b = ge.Add(%x, %x) : tensor<5xf16> loc("sum")
  %c = ge.Conv2D(%x, %x) {strides = [1]} : tensor<4xf16>
  ge.NetOutput(%a, %b, %c)"""
    )
    found = verify(module)
    assert len(found) >= 3
    assert {d.location for d in found} == {"net.mlir:2:3", "net.mlir:3:3", "net.mlir:4:3"}
    assert {d.node for d in found} == {"a", "sum", "c"}
    with pytest.raises(GeError) as caught:
        verify_or_raise(module)
    assert caught.value.exit_code == ExitCode.VERIFY
    assert caught.value.diagnostics == tuple(found)


def test_dtypes():
    module = read(
        "  %a = ge.Add(%x, %y) : tensor<4xf16>\n  ge.NetOutput(%a)",
        "%x: tensor<4xf16>, %y: tensor<4xf32>",
    )
    found = verify(module)
    assert [d.code for d in found] == ["GX-209"]
    assert "float32" in found[0].message


def test_inferred_shapes_must_agree_where_both_are_known():
    def relu(type_: str, arg: str = "tensor<2x?xf16>") -> list[str]:
        return codes(read(f"  %a = ge.Relu(%x) : {type_}\n  ge.NetOutput(%a)", f"%x: {arg}"))

    assert relu("tensor<2x?xf16>") == []
    assert relu("tensor<?x3xf16>") == []
    assert relu("tensor<*xf16>") == []
    assert relu("tensor<2x3xf16, #ge.layout<NHWC>>") == []
    assert relu("tensor<3x3xf16>") == ["GX-221"]
    assert relu("tensor<2xf16>") == ["GX-221"]


def test_inference_sees_constants_although_it_is_remembered():
    def reshape(values: str, shape: str) -> list[str]:
        return codes(
            read(
                f"""  %s = ge.Const() {{value = dense<{values}> : tensor<2xi64>}} : tensor<2xi64>
  %a = ge.Reshape(%x, %s) : tensor<{shape}xf16>
  ge.NetOutput(%a)"""
            )
        )

    for _ in range(2):
        assert reshape("[2, 2]", "2x2") == []
        assert reshape("[1, 4]", "2x2") != []
        assert reshape("[1, 4]", "1x4") == []


# ---------------------------------------------------------------------------------- structure


def built():
    g = new_graph("g", [tensor_type([4], _f16())], ["x"])
    a = build("Relu", [g.args[0]], name="a")
    b = build("Add", [a.results[0], g.args[0]], name="b")
    out = build("NetOutput", [[b.results[0]]], name="out")
    g.body.add_ops([a, b, out])
    return ModuleOp([g]), g, a, b, out


def _f16():
    from ge_dialect.dtypes import to_xdsl

    return to_xdsl("float16")


def test_dominance():
    module, g, a, b, _ = built()
    assert codes(module) == []
    a.detach()
    g.body.insert_op_after(a, b)
    (found,) = verify(module)
    assert (found.code, found.node) == ("GX-201", "b")
    assert "%a" in found.message


def test_definition_that_is_gone():
    module, _, a, _, _ = built()
    a.detach()
    assert codes(module) == ["GX-201"]


def test_a_value_read_twice_is_one_problem():
    module, _, a, b, _ = built()
    b.operands = [a.results[0]] * len(b.operands)
    a.detach()
    (found,) = verify(module)
    assert (found.code, found.node) == ("GX-201", "b")


def test_own_result():
    module, _, _, b, _ = built()
    b.operands[0] = b.results[0]
    assert codes(module) == ["GX-201"]


def test_isolation():
    module = read(
        f"""  %r = ge.PartitionedCall(%x) : {T} f(%a) {{
    %s = ge.Relu(%a) : {T}
    ge.NetOutput(%s)
  }}
  ge.NetOutput(%r)"""
    )
    assert codes(module) == []
    call = nodes(module)[0]
    inner = call.regions[0].block.first_op
    inner.operands[0] = module_graphs(module)[0].args[0]
    (found,) = verify(module)
    assert (found.code, found.node) == ("GX-202", "s")


def test_values_of_another_graph():
    first, second = built(), built()
    first[2].operands[0] = second[1].args[0]
    both = ModuleOp([first[1].clone(), second[1].clone()])
    del both
    assert codes(first[0]) == ["GX-202"]


def test_numbers_of_operands_and_results():
    module, g, _, b, _ = built()
    b.operands = [g.args[0]]
    assert codes(module) == ["GX-203"]
    module, g, _, _, out = built()
    out.properties["operandSegmentSizes"] = segments_attr((2, 0))
    assert codes(module) == ["GX-203"]
    module, g, _a, b, out = built()
    del out.properties["operandSegmentSizes"]
    assert codes(module) == ["GX-203"]


def test_control_edges_come_last():
    module, g, a, b, _ = built()
    from ge_dialect.ir.control import control_of

    b.operands = [control_of(a), g.args[0]]
    assert codes(module) == ["GX-210"]
    module, g, a, b, _ = built()
    control_of(a)
    set_type(a.results[0], CTRL)
    assert "GX-210" in codes(module)


def test_attributes():
    body = "  %a = ge.Conv2D(%x, %x) : tensor<1x4x4x4xf16>\n  ge.NetOutput(%a)"
    found = verify(read(body, "%x: tensor<1x4x4x4xf16>"))
    assert {d.code for d in found} == {"GX-206"}
    module, _, a, _, _ = built()
    a.properties["slope"] = StringAttr("x")
    assert codes(module) == ["GX-208"]
    module = read(
        "  %a = ge.LeakyRelu(%x) : tensor<4xf16>\n  ge.NetOutput(%a)",
    )
    nodes(module)[0].properties["negative_slope"] = StringAttr("x")
    assert codes(module) == ["GX-207"]


def test_refs_and_tensors():
    module = read(
        f"  %a = ge.Relu(%x) : {T}\n  ge.NetOutput(%a)",
        f"%x: !ge.ref<{T}>",
    )
    assert codes(module) == ["GX-204"]
    module = read(f"  %a = ge.Read(%x) : {T}\n  ge.NetOutput(%a)")
    assert codes(module) == ["GX-204"]


def test_constants_fit_their_type():
    body = f"  %a = ge.Const() {{value = dense<1.0> : {T}}} : {T}\n  ge.NetOutput(%a)"
    module = read(body)
    assert codes(module) == []
    nodes(module)[0].properties["value"] = make_dense(tensor_type([4], _f16()), b"\0" * 6)
    assert "GX-216" in codes(module)
    assert codes(read(body.replace("} : tensor<4xf16>", "} : tensor<5xf16>"))) != []


@pytest.mark.parametrize(
    ("recipe", "said"),
    [
        ('foo("w")', "foo is neither a short form nor an operator"),
        ('Rleu("w")', "there is no operator Rleu"),
        ('cast("w")', "cast takes 2 arguments, 1 given"),
        ('cast("w", f17)', "f17 is no element type"),
        ('mul("w", "w", "w")', "Mul takes 2 arguments, 3 given"),
        ('Relu("w", "w")', "Relu takes 1 inputs, 2 given"),
        ('Relu(neg("w"), a = 1)', "Relu has no attribute 'a'"),
        ("result(1, 0)", "result(call, index) expected"),
        ("w", "w is no weight: names stand in quotes"),
    ],
)
def test_recipes_no_store_can_make_right(recipe, said):
    body = f"  %a = ge.Const() {{value = #ge.weight<{recipe}>}} : {T}\n  ge.NetOutput(%a)"
    (problem,) = verify(read(body))
    assert (problem.code, problem.node, problem.location) == ("GX-309", "a", "net.mlir:2:3")
    assert problem.message.endswith(said)
    good = 'SplitD(pad(cast(mul("w", "g"), f16), [[0, 1]]), split_dim = 0, num_split = 2)'
    assert codes(read(body.replace(f"<{recipe}>", f"<result({good}, 1)>"))) == []


def test_transdata_formats():
    body = """  %a = ge.TransData(%x) {src_format = "NCHW", dst_format = "NC1HWC0"} : TYPE
  ge.NetOutput(%a)"""
    arg = "%x: tensor<1x16x4x4xf16>"
    good = "tensor<1x16x4x4xf16, #ge.layout<NC1HWC0>>"
    assert codes(read(body.replace("TYPE", good), arg)) == []
    assert codes(read(body.replace("TYPE", good.replace("NC1HWC0", "NHWC")), arg)) != []
    assert codes(read(body.replace("TYPE", good).replace("NCHW", "FRACTAL_Z"), arg)) != []


def test_net_output_ends_every_graph():
    module, g, _, _, out = built()
    out.detach()
    assert codes(module) == ["GX-213"]
    module, g, _a, _b, out = built()
    g.body.add_op(build("Relu", [g.args[0]], name="late"))
    found = codes(module)
    assert found == ["GX-213", "GX-213"]


def test_bodies_against_their_node():
    text = f"""  %r = ge.If(%p, [%x]) : {T} then_branch(%a) {{
    ge.NetOutput(%a)
  }} else_branch(%a) {{
    ge.NetOutput(%a)
  }}
  ge.NetOutput(%r)"""
    args = f"%x: {T}, %p: tensor<i1>"
    module = read(text, args)
    assert codes(module) == []
    set_type(nodes(module)[0].regions[1].block.args[0], tensor_type([5], _f16()))
    assert "GX-211" in codes(module)
    module = read(
        text.replace(
            "else_branch(%a) {\n    ge.NetOutput(%a)", "else_branch(%a) {\n    ge.NetOutput(%a, %a)"
        ),
        args,
    )
    assert "GX-212" in codes(module)


def test_names_are_unique_in_their_graph():
    module = read(
        f'  %a = ge.Relu(%x) : {T} loc("n")\n  %b = ge.Relu(%a) : {T} loc("n")\n  ge.NetOutput(%b)'
    )
    (found,) = verify(module)
    assert (found.code, found.node, found.location) == ("GX-215", "n", "net.mlir:3:3")


def test_graph_names_are_unique():
    text = graph("  ge.NetOutput(%x)")
    assert codes(parse_module(text + text)) != []


def test_nesting_is_limited():
    _module, _g, a, _, _ = built()
    from xdsl.ir import Block, Region

    block = Block(arg_types=[a.results[0].type])
    block.add_op(build("NetOutput", [[block.args[0]]]))
    for _ in range(102):
        outer = Block(arg_types=[a.results[0].type])
        call = build(
            "PartitionedCall",
            [[outer.args[0]]],
            result_types=[a.results[0].type],
            regions=[Region(block)],
        )
        outer.add_ops([call, build("NetOutput", [[call.results[0]]])])
        block = outer
    deep = new_graph("deep", [])
    deep.region.detach_block(0)
    deep.region.add_block(block)
    assert codes(ModuleOp([deep])) == ["GX-110"]


# --------------------------------------------------------------------------- order of effects

VAR = "  %v = ge.Variable() : !ge.ref<tensor<4xf16>>\n"
R = "!ge.ref<tensor<4xf16>>"


def order(body: str, args: str = f"%x: {T}") -> list:
    return [d for d in verify(read(body, args)) if d.code == "GX-214"]


def test_reads_and_writes_need_an_edge():
    unordered = VAR + (
        f"  %a = ge.Assign(%v, %x) : {R}\n  %b = ge.Read(%v) : {T}\n  ge.NetOutput(%b)"
    )
    (found,) = order(unordered)
    assert "Assign 'a'" in found.message
    assert "Read 'b'" in found.message
    assert "Variable 'v'" in found.message
    assert found.location == "net.mlir:4:3"
    assert order(unordered.replace("ge.Read(%v)", "ge.Read(%v) after(%a)")) == []
    assert order(unordered.replace("ge.Read(%v)", "ge.Read(%a)")) == []


def test_reads_do_not_conflict_and_variables_are_apart():
    assert (
        order(
            VAR
            + f"  %a = ge.Read(%v) : {T}\n  %b = ge.Read(%v) : {T}\n"
            + f"  %w = ge.Variable() : {R}\n  %c = ge.Assign(%w, %x) : {R}\n"
            + "  ge.NetOutput(%a, %b)"
        )
        == []
    )


def test_a_write_waits_for_every_read_since_the_last_write():
    body = VAR + (
        f"  %a = ge.Read(%v) : {T}\n  %b = ge.Read(%v) : {T}\n"
        f"  %c = ge.Assign(%v, %x) after(%a) : {R}\n  ge.NetOutput(%a, %b)"
    )
    (found,) = order(body)
    assert "Read 'b'" in found.message
    assert order(body.replace("after(%a)", "after(%a, %b)")) == []


def test_order_may_lead_through_other_nodes():
    body = VAR + (
        f"  %a = ge.Read(%v) : {T}\n  %m = ge.Relu(%a) : {T}\n  %n = ge.Add(%m, %x) : {T}\n"
        f"  %c = ge.Assign(%v, %n) : {R}\n  ge.NetOutput(%n)"
    )
    assert order(body) == []


def test_effects_in_bodies_count_for_their_node():
    body = VAR + (
        f"""  %r = ge.PartitionedCall(%v, %x) : {T} f(%s, %y) {{
    %w = ge.Assign(%s, %y) : {R}
    ge.NetOutput(%y)
  }}
  %b = ge.Read(%v) : {T}
  ge.NetOutput(%b, %r)"""
    )
    (found,) = order(body)
    assert "PartitionedCall 'r'" in found.message
    assert order(body.replace("ge.Read(%v)", "ge.Read(%v) after(%r)")) == []


def test_refs_are_traced_out_of_bodies():
    body = VAR + (
        f"""  %r = ge.PartitionedCall(%v) : {R} f(%s) {{
    ge.NetOutput(%s)
  }}
  %a = ge.Assign(%r, %x) : {R}
  %b = ge.Read(%v) : {T}
  ge.NetOutput(%b)"""
    )
    (found,) = order(body)
    assert "Variable 'v'" in found.message


def test_input_output_is_one_resource_per_channel():
    from ge_dialect.ops.registry import op_class

    table = op_class("Print").ge_table()
    outputs = ", ".join([T] * len(table.outputs))
    names = [s.name for s in table.inputs]
    assert names, "Print takes what it prints"
    results = "%a = " if table.outputs else ""
    again = "%b = " if table.outputs else ""
    types = f" : {outputs}" if outputs else ""
    body = f"  {results}ge.Print(%x){types}\n  {again}ge.Print(%x){types}\n  ge.NetOutput(%x)"
    assert len(order(body)) == 1


def test_many_ordered_effects_are_checked_quickly():
    n = 2000
    lines = [f"  %a0 = ge.Assign(%v, %x) : {R}"]
    lines += [f"  %a{i} = ge.Assign(%a{i - 1}, %x) : {R}" for i in range(1, n)]
    import time

    module = read(VAR + "\n".join(lines) + f"\n  %r = ge.Read(%a{n - 1}) : {T}\n  ge.NetOutput(%r)")
    start = time.process_time()
    assert verify(module) == []
    assert time.process_time() - start < 5


def test_rules_of_ones_own_are_asked():
    from xdsl.utils.exceptions import VerifyException

    from ge_dialect.ir.base import GeOp, ge_op
    from ge_dialect.ir.fields import tin, tout
    from ge_dialect.ops.registry import register_op, unregister_op

    @ge_op
    class TestPicky(GeOp):
        """Refuses everything."""

        name = "ge.TestPicky"
        x = tin("ALL")
        y = tout("ALL")

        def verify_(self) -> None:
            raise VerifyException("not today")

    register_op(TestPicky)
    try:
        (found,) = verify(read(f"  %a = ge.TestPicky(%x) : {T}\n  ge.NetOutput(%a)"))
        assert (found.code, found.node) == ("GX-217", "a")
        assert "not today" in found.message
    finally:
        unregister_op("TestPicky")


@pytest.mark.parametrize(
    ("attrs", "source", "target", "said"),
    [
        ('src_format = "NHWC", dst_format = "NC1HWC0"', "", "NC1HWC0", "src_format"),
        ('src_format = "NC1HWC0", dst_format = "NHWC"', "NC1HWC0", "", "dst_format"),
        ('src_format = "NCHW", dst_format = "NC1HWC0"', "", "NC1HWC0, origin = NHWC", "src_format"),
        ('src_format = "NCHW", dst_format = "FRACTAL_Z", groups = 2', "", "FRACTAL_Z", "groups"),
        ('src_format = "NCHW", dst_format = "FRACTAL_Z"', "", "FRACTAL_Z, groups = 2", "groups"),
        ('src_format = "ND", dst_format = "NC1HWC0"', "", "NC1HWC0", None),
        ('src_format = "NHWC", dst_format = "NC1HWC0"', "", "NC1HWC0, origin = NHWC", None),
        ('src_format = "NCHW", dst_format = "NHWC"', "", "NHWC", None),
        ('src_format = "NC1HWC0", dst_format = "FRACTAL_Z"', "NC1HWC0", "FRACTAL_Z", None),
    ],
)
def test_transdata_says_what_its_types_say(attrs, source, target, said):
    def typed(layout):
        return f"tensor<2x16x4x4xf16{f', #ge.layout<{layout}>' if layout else ''}>"

    body = f"  %a = ge.TransData(%x) {{{attrs}}} : {typed(target)}\n  ge.NetOutput(%a)"
    found = verify(read(body, f"%x: {typed(source)}"))
    assert [d.code for d in found] == (["GX-223"] if said else [])
    assert all(d.message.startswith(f"ge.TransData: {said} does not fit") for d in found)


@pytest.mark.parametrize(
    ("type_", "said"),
    [
        ("1x2x3x4x5x6xf16, #ge.layout<NC1HWC0>", "a rank-6 ND tensor has none"),
        ("3x4x1x1xf16, #ge.layout<FRACTAL_Z, groups = 7>", "do not divide into 7 groups"),
        ("4xf16, #ge.layout<FRACTAL_ZN_LSTM>", "needs named axes"),
        ("1x2x3x4xf16, #ge.layout<MD>", "no storage rule for format MD"),
        ("1x2x3xf16, #ge.layout<NC1HWC0, origin = NCDHW>", None),
        ("2x2x3x4x5xf16, #ge.layout<NC1HWC0, origin = NCHW>", "does not fit origin format NCHW"),
        ("1x2x3x4xf16, #ge.layout<NHWC, groups = 2>", "has no groups"),
        ('1x2xf16, "mine"', "no encoding, or a #ge.layout"),
        ("1x?x3x4xf16, #ge.layout<NC1HWC0>", None),
        ("4xf16, #ge.layout<NC1HWC0>", None),
    ],
)
def test_layouts_hold_their_tensors(type_, said):
    t = f"tensor<{type_}>"
    found = verify(read(f"  %a = ge.Relu(%x) : {t}\n  ge.NetOutput(%a)", f"%x: {t}"))
    assert {d.code for d in found} == ({"GX-204"} if said else set())
    assert all(said in d.expected for d in found)
