"""The reader: forms it takes, names and locations it gives, and what it says of broken text."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import FileLineColLoc, IntegerAttr, StringAttr

from ge_dialect.diagnostics import GeError
from ge_dialect.ir.base import GeOp
from ge_dialect.ir.control import control_inputs, control_result
from ge_dialect.ir.graph import module_graphs
from ge_dialect.ir.names import file_location, node_name, origins, recorded_origins
from ge_dialect.ir.printer import print_module
from ge_dialect.ir.private import name_hint
from ge_dialect.ir.reader import parse_module
from tests.growth import IN_PROPORTION, growth

T = "tensor<4xf16>"


def graph(body: str, args: str = f"%x: {T}, %w: {T}") -> str:
    return f"ge.graph @g({args}) {{\n{body}\n}}\n"


def ops(text: str) -> list:
    return list(module_graphs(parse_module(text))[0].body.ops)


def problem(text: str | bytes):
    with pytest.raises(GeError) as caught:
        parse_module(text, filename="net.mlir")
    (found,) = caught.value.diagnostics
    assert "Traceback" not in str(caught.value)
    return found


# ---------------------------------------------------------------------------------- accepted


def test_one_line_and_stock_paths_read_the_same():
    """Odd spacing sends a line to xDSL's parser; the result must not differ."""
    lines = [
        f"%a = ge.Relu(%x) : {T}",
        f"%b, %b_done = ge.Add(%a, %w) : {T}, !ge.ctrl",
        f'%c = ge.Relu(%b) after(%b_done) {{ge.engine = "A", ge.n = 3 : i64, ge.u}} : {T} loc("c")',
        f"%d = ge.Conv2D(%c, %w, offset_w = %a) {{strides = [1, 1], pads = []}} : {T}",
        f"%e = ge.ConcatV2([%a, %b], %c) {{N = 2}} : {T}",
        f"%f = ge.Const() {{value = dense<[1.0, 0x7C00, 2.5, -0.0]> : {T}}} : {T}",
        f'%g = ge.Const() {{value = #ge.weight<"w">}} : {T} loc("k"("a"))',
        f'%h = ge.LeakyRelu(%g) {{negative_slope = 0.1}} : {T} loc("l"(fused["a", "b"]))',
        f'%j = ge.Relu(%h) {{ge.l = [0, -5, 70000000000], ge.m = [], ge.o = [1 : i32, "a"]}} : {T}',
        "ge.NetOutput(%a, %h)",
    ]
    fast = parse_module(graph("\n".join("  " + line for line in lines)))
    slow = parse_module(graph("\n".join("  " + line.replace("(", "( ", 1) for line in lines)))
    assert fast.is_structurally_equivalent(slow)
    assert print_module(fast) == print_module(slow)
    names = [node_name(op) for op in module_graphs(fast)[0].body.ops]
    assert names == [node_name(op) for op in module_graphs(slow)[0].body.ops]
    assert names == ["a", "b", "c", "d", "e", "f", "k", "l", "j", "NetOutput"]


@pytest.mark.parametrize("space", ["", " "])
def test_waiting_for_a_node_twice_is_waiting_for_it_once(space: str) -> None:
    """Also where it is named by another of its results; the first place counts."""
    text = graph(
        f"  %a, %a_done = ge.Relu({space}%x) : {T}, !ge.ctrl\n"
        f"  %b, %b_done = ge.Relu({space}%w) : {T}, !ge.ctrl\n"
        f"  %c = ge.Abs({space}%x) after(%b_done, %a, %b, %a_done, %b_done) : {T}\n"
        "  ge.NetOutput(%a, %b, %c)"
    )
    a, b, c, _ = ops(text)
    assert control_inputs(c) == (control_result(b), control_result(a))


def test_a_node_that_waits_for_many() -> None:
    """Ten times as many take ten times as long, not a hundred times."""

    def prepare(n: int) -> str:
        lines = [f"%r{i}, %d{i} = ge.Relu(%x) : {T}, !ge.ctrl" for i in range(n)]
        waits = ", ".join(f"%d{i}" for i in range(n))
        return graph("\n".join(lines) + f"\n%z = ge.Abs(%x) after({waits}) : {T}\nge.NetOutput(%z)")

    assert growth(parse_module, 1_000, prepare) < IN_PROPORTION


ODD_NAMES = (
    ["%0", "%1", "%00"],
    ["%a.b", "%-x", "%$c", "%_", "%."],
    ["%a_1", "%a", "%a-1", "%A"],
)


@pytest.mark.parametrize("names", ODD_NAMES, ids=" ".join)
def test_odd_value_names(names: list[str]) -> None:
    """One line or xDSL's parser: the same names; and they outlive printing."""
    lines = [
        f"  {name}, %c{i} = ge.Relu({before}) : {T}, !ge.ctrl"
        for i, (before, name) in enumerate(zip(["%x", *names], names, strict=False))
    ]
    lines.append(f"  ge.NetOutput({', '.join(names)}, {names[0]}) after(%c0)")
    fast = parse_module(graph("\n".join(lines)))
    slow = parse_module(graph("\n".join(line.replace("(", "( ", 1) for line in lines)))
    (a,), (b,) = module_graphs(fast), module_graphs(slow)
    hints = [[name_hint(r) for r in op.results] for op in a.body.ops]
    assert hints == [[name_hint(r) for r in op.results] for op in b.body.ops]
    assert [node_name(op) for op in a.body.ops] == [*[n[1:] for n in names], "NetOutput"]
    assert print_module(fast) == print_module(slow)
    again = parse_module(print_module(fast))
    assert again.is_structurally_equivalent(fast)
    assert [node_name(op) for op in module_graphs(again)[0].body.ops] == [
        node_name(op) for op in a.body.ops
    ]


@pytest.mark.parametrize("space", ["", " "])  # the second goes to xDSL's parser
def test_groups_of_results_in_generic_text(space: str) -> None:
    types = f"{T}, {T}, {T}"
    text = f""""builtin.module"() ({{
  "ge.graph"() <{{sym_name = "g"}}> ({{
  ^bb0(%x: {T}):
    %a:2, %c = "ge.Opaque"({space}%x) <{{type = "F", operandSegmentSizes = array<i32: 1, 0>, resultSegmentSizes = array<i32: 3, 0>}}> : ({T}) -> ({types})
    %0:1 = "ge.Relu"({space}%a#1) : ({T}) -> {T}
    "ge.NetOutput"({space}%c, %a, %a#1, %0#0) <{{operandSegmentSizes = array<i32: 4, 0>}}> : ({T}, {types}) -> ()
  }}) : () -> ()
}}) : () -> ()
"""  # noqa: E501
    a, b, end = ops(text)
    assert list(end.operands) == [a.results[2], a.results[0], a.results[1], b.results[0]]
    assert list(b.operands) == [a.results[1]]
    assert [name_hint(r) for r in (*a.results, *b.results)] == ["a", "a", "c", None]
    assert [node_name(op) for op in (a, b)] == ["a", "0"]
    assert [(u.operation, u.index) for u in a.results[1].uses] == [(end, 2), (b, 0)]


def test_names_come_from_the_first_result_or_the_type():
    body = f"""
  %a = ge.Relu(%x) : {T}
  %b = ge.Relu(%a) : {T} loc("a")
  ge.Print(%b) : 
  ge.NetOutput(%b)""".replace("  ge.Print(%b) : \n", "  ge.NoOp()\n  ge.NoOp()\n")
    found = ops(graph(body))
    # the given name wins, the one made from the SSA name moves aside
    assert [node_name(op) for op in found] == ["a_1", "a", "NoOp", "NoOp_1", "NetOutput"]
    text = print_module(parse_module(graph(body)))
    assert [node_name(op) for op in ops(text)] == [node_name(op) for op in found]


def test_locations_hold_name_origins_and_position():
    (a, b, _) = ops(
        graph(
            f'  %a = ge.Relu(%x) : {T} loc("net/a"("p"))\n'
            f"  %b = ge.Relu(%a) : {T}\n  ge.NetOutput(%b)"
        )
    )
    assert (node_name(a), origins(a), file_location(a)) == ("net/a", ("p",), "<stdin>:2:3")
    assert (node_name(b), recorded_origins(b)) == ("b", ())
    assert isinstance(b.location.location, FileLineColLoc)
    assert b.location.location.line.data == 3


def test_comments_blank_lines_and_aliases():
    text = """// head
#e = #ge.layout<NC1HWC0>
!t = tensor<1x16x4x4xf16, #e>
ge.graph @g(%x: !t) {  // graph

  // first
  %a = ge.Relu(%x) : !t // tail

  %b = ge.Relu(%a) : tensor<1x16x4x4xf16, #e>\r
  ge.NetOutput(%b)
}
"""
    a, b, _ = ops(text)
    assert a.results[0].type is b.results[0].type


def test_location_aliases_may_stand_behind_their_uses():
    text = f"""ge.graph @g(%x: {T}) {{
  %0 = ge.Relu(%x) : {T} loc(#loc2)
  ge.NetOutput(%0) loc(#loc)
}}
#loc = loc(unknown)
#loc2 = loc("net/a"(#loc1))
#loc1 = loc("net.onnx":3:4)
"""
    a, _ = ops(text)
    assert (node_name(a), file_location(a)) == ("net/a", "net.onnx:3:4")


def test_waiting_for_any_result_makes_a_control_edge():
    a, b, _ = ops(
        graph(f"  %a = ge.Relu(%x) : {T}\n  %b = ge.Relu(%x) after(%a) : {T}\n  ge.NetOutput(%b)")
    )
    assert isinstance(b, GeOp)
    assert b.ge_control_operands == (a.results[-1],)
    assert str(a.results[-1].type) == "!ge.ctrl"


def test_types_and_attributes_are_shared_objects():
    a, b, _ = ops(
        graph(
            f'  %a = ge.Relu(%x) {{ge.s = "q"}} : {T}\n  %b = ge.Relu( %a) {{ge.s = "q"}} : {T}\n'
            "  ge.NetOutput(%b)"
        )
    )
    assert a.results[0].type is b.results[0].type
    assert a.results[0].type is a.operands[0].type


def test_bodies_take_their_types_from_the_node():
    text = graph(
        f"""  %r = ge.If(%p, [%x]) : {T} then_branch(%a) {{
    %s = ge.Relu(%a) : {T}
    ge.NetOutput(%s)
  }} else_branch(%a) {{
    ge.NetOutput(%a)
  }} loc("choose")
  ge.NetOutput(%r)""",
        f"%x: {T}, %p: tensor<i1>",
    )
    node = ops(text)[0]
    assert [a.type for a in node.regions[0].block.args] == [node.operands[1].type]
    assert node_name(node) == "choose"
    assert print_module(parse_module(text)) == text


def test_generic_form_and_foreign_operations():
    text = f"""func.func @f(%q: i32) -> i32 {{
  func.return %q : i32
}}
"builtin.module"() ({{
  "ge.graph"() <{{sym_name = "g"}}> ({{
  ^bb0(%x: {T}):
    %a = "ge.Relu"(%x) : ({T}) -> {T}
    "ge.NetOutput"(%a) <{{operandSegmentSizes = array<i32: 1, 0>}}> : ({T}) -> ()
  }}) : () -> ()
}}) : () -> ()
"""
    module = parse_module(text)
    again = parse_module(print_module(module))
    assert module.is_structurally_equivalent(again)
    assert again.is_structurally_equivalent(parse_module(print_module(again, generic=True)))


def test_dialects_of_xdsl_are_there_when_named():
    text = f"""ge.graph @g(%x: {T}) {{
  %0 = arith.constant 1 : i32
  %1 = "arith.addi"(%0, %0) : (i32, i32) -> i32
  ge.NetOutput(%x)
}}
"""
    module = parse_module(text)
    assert module.is_structurally_equivalent(parse_module(print_module(module)))
    assert module.is_structurally_equivalent(parse_module(print_module(module, generic=True)))


def test_unregistered_operations_on_request():
    from ge_dialect.ir.context import make_context

    text = '%0 = "foo.constant"() {value = 1 : i32} : () -> i32\n'
    assert problem(text).code == "GX-112"
    module = parse_module(text, make_context(allow_unregistered=True))
    assert print_module(module) == text


def test_opaque_nodes_keep_type_and_attributes():
    text = graph(
        f'  %a = ge.Opaque(%x) {{type = "Foo", ge.attr.k = "v", ge.attr.n = 3 : i64}} : {T}\n'
        "  ge.NetOutput(%a)"
    )
    (node, _) = ops(text)
    assert node.ge_attr("type") == "Foo"
    assert node.attributes["ge.attr.k"] == StringAttr("v")
    assert node.attributes["ge.attr.n"] == IntegerAttr(3, 64)
    assert print_module(parse_module(text)) == text


def test_graph_head_with_attributes():
    text = (
        f'ge.graph @"my net"(%x: {T} {{ge.shape_range = "1~8"}}, %y: !ge.ref<{T}>) '
        "attributes {ge.batch = 4 : i64, ge.on} {\n  ge.NetOutput(%x)\n}\n"
    )
    assert print_module(parse_module(text)) == text


def test_module_attributes_are_kept():
    text = f"""builtin.module attributes {{ge.weights = "net.weights"}} {{
  ge.graph @g(%x: {T}) {{
    ge.NetOutput(%x)
  }}
}}
"""
    assert print_module(parse_module(text)) == text


def test_empty_text_is_an_empty_module():
    assert not parse_module(" \n// nothing\n").body.block.ops


def test_nesting_up_to_a_hundred_levels():
    def nest(depth: int) -> str:
        lines = [f"ge.graph @g(%x: {T}) {{"]
        lines += [f"%r = ge.PartitionedCall(%x) : {T} f(%x) {{"] * depth
        lines.append("ge.NetOutput(%x)")
        lines += ["}", "ge.NetOutput(%r)"] * depth
        return "\n".join(lines) + "\n}\n"

    module = parse_module(nest(100))
    assert parse_module(print_module(module)).is_structurally_equivalent(module)
    assert problem(nest(101)).code == "GX-110"


# ------------------------------------------------------------------------------------ refused

BROKEN = {
    "undefined": (f"  %y = ge.Relu(%z) : {T}", "GX-102", "2:16", "%z"),
    "near value": (
        f"  %value = ge.Relu(%x) : {T}\n  ge.NetOutput(%valeu)",
        "GX-102",
        "3:16",
        "value",
    ),
    "before definition": (
        f"  %y = ge.Relu(%z) : {T}\n  %z = ge.Relu(%x) : {T}",
        "GX-103",
        "2:16",
        "line 3",
    ),
    "unknown operator": (f"  %y = ge.Rleu(%x) : {T}", "GX-112", "2:8", "Relu"),
    "unknown attribute": (
        f"  %y = ge.LeakyRelu(%x) {{negative_slop = 0.1}} : {T}",
        "GX-104",
        "2:26",
        "negative_slope",
    ),
    "unknown input": (f"  %y = ge.Conv2D(%x, %x, bais = %x) : {T}", "GX-105", "2:26", "bias"),
    "too many inputs": (f"  %y = ge.Relu(%x, %x) : {T}", "GX-106", "2:20", "1 input"),
    "missing input": (f"  %y = ge.Add(%x) : {T}", "GX-106", "2:14", "x2"),
    "unnamed optional": (f"  %y = ge.Conv2D(%x, %x, %x) : {T}", "GX-106", "2:26", "bias"),
    "twice": (f"  %y = ge.Conv2D(%x, %x, bias = %x, bias = %x) : {T}", "GX-106", "2:37", "twice"),
    "list": (f"  %y = ge.Relu([%x]) : {T}", "GX-106", "2:16", "not a list"),
    "no list": (f"  %y = ge.ConcatV2(%x, %x) : {T}", "GX-106", "2:20", "list"),
    "results": (f"  %y = ge.Relu(%x) : {T}, {T}", "GX-109", "2:22", "1 output"),
    "no results": ("  ge.Relu(%x)", "GX-109", "2:10", "1 output"),
    "kind": (f"  %y = ge.Conv2D(%x, %x) {{strides = 1}} : {T}", "GX-108", "", "ListInt"),
    "integer": (
        f"  %y = ge.Conv2D(%x, %x) {{groups = {1 << 70}}} : {T}",
        "GX-108",
        "2:36",
        "groups",
    ),
    "float": (f"  %y = ge.Muls(%x) {{value = 1.0e50}} : {T}", "GX-108", "", "does not fit f32"),
    "floats": (
        f"  %y = ge.Eltwise(%x) {{coeff = [1.0, -3.5e38]}} : {T}",
        "GX-108",
        "",
        "does not fit f32",
    ),
    "attribute twice": (f"  %y = ge.Relu(%x) {{ge.a = 1, ge.a = 2}} : {T}", "GX-108", "", "twice"),
    "string": (f'  %y = ge.Relu(%x) {{ge.a = "abc}} : {T}', "GX-115", "2:28", ""),
    "dense": (f"  %y = ge.Const() {{value = dense<[1, 2]> : {T}}} : {T}", "GX-113", "2:33", "[4]"),
    "defined twice": (f"  %x = ge.Relu(%x) : {T}", "GX-114", "2:3", "%x"),
    "argument orders nothing": (f"  %y = ge.Relu(%x) after(%w) : {T}", "GX-107", "2:26", "%w"),
    "graph missing": (f"  %y = ge.PartitionedCall(%x) : {T}", "GX-111", "", "'f'"),
    "graph arguments": (
        f"  %y = ge.PartitionedCall(%x) : {T} f(%a, %b) {{\n  ge.NetOutput(%a)\n  }}",
        "GX-111",
        "",
        "2 arguments",
    ),
    "isolation": (
        f"  %y = ge.PartitionedCall(%x) : {T} f(%a) {{\n  ge.NetOutput(%x)\n  }}",
        "GX-102",
        "3:16",
        "%x",
    ),
    "layout": ("  %y = ge.Relu(%x) : tensor<4xf16, #ge.layout<FOO>>", "GX-108", "", "FOO"),
    "type": ("  %y = ge.Relu(%x) : tensor<4xfoo>", "GX-101", "", ""),
    "bracket": (f"  %y = ge.Relu(%x : {T}", "GX-101", "2:19", ""),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_text(name):
    body, code, place, word = BROKEN[name]
    found = problem(graph(body))
    assert found.code == code, found.render()
    assert found.location is not None
    assert found.location.startswith(f"net.mlir:{place}" if place else "net.mlir:2:")
    assert word in found.render()
    line, caret = found.excerpt.split("\n")
    assert caret.strip("^").strip() == ""
    assert len(line) <= 100


def test_all_errors_at_once_and_none_twice():
    text = graph(
        f"""  %a = ge.Rleu(%x) : {T}
  %b = ge.Add(%a, %x) : {T}
  %c = ge.Relu(%b, %a) : {T}
  %d = ge.PartitionedCall(%x) : {T} f(%q) {{
    %e = ge.Relu(%nothing) : {T}
    %f = ge.Relu(%e) : {T}
    %g = ge.LeakyRelu(%q) {{slope = 0.1}} : {T}
    ge.NetOutput(%g)
  }}
  %h = ge.Relu(%d) {{ge.s = "unended}} : {T}
  %i = "ge.Relu"(%h) : ({T}) -> {T}
  ge.NetOutput(%i, %zz)"""
    )
    with pytest.raises(GeError) as caught:
        parse_module(text)
    found = [(d.code, d.location) for d in caught.value.diagnostics]
    assert found == [
        ("GX-112", "<stdin>:2:8"),
        ("GX-102", "<stdin>:6:18"),
        ("GX-104", "<stdin>:8:28"),
        ("GX-115", "<stdin>:11:28"),
        ("GX-102", "<stdin>:13:20"),
    ]


def test_number_of_errors_is_limited():
    text = graph("\n".join(f"  %y{i} = ge.Relu(%z{i}) : {T}" for i in range(100)))
    with pytest.raises(GeError) as caught:
        parse_module(text)
    assert 20 <= len(caught.value.diagnostics) <= 21


def test_not_utf8_and_end_of_text():
    assert problem(b"ge.graph @\xff() {").code == "GX-120"
    assert problem(b"ge.graph @\xff() {").location == "net.mlir:1:11"
    assert problem(f"ge.graph @g(%x: {T}) {{\n  ge.NetOutput(%x)\n").location == "net.mlir:3:1"
    assert problem("}").code == "GX-101"


def test_long_lines_are_cut_around_the_error():
    found = problem(graph(f"  %y = ge.AddN({', '.join(['%x'] * 300)}, %zz) : {T}"))
    line, caret = found.excerpt.split("\n")
    assert len(line) <= 100
    assert line[caret.index("^") :].startswith("%zz")


@pytest.mark.parametrize("name", ["%0a", "%7_x", "%0.5"])
def test_names_that_begin_with_a_digit_are_numbers(name: str) -> None:
    """As in MLIR; however the line is spaced."""
    for line in (f"  {name} = ge.Relu(%x) : {T}", f"  {name} = ge.Relu( %x) : {T}"):
        assert problem(graph(f"{line}\n  ge.NetOutput(%x)")).code == "GX-101"
    generic = f'"ge.Relu"(%x) <{{}}> : ({T}) -> {T}'
    assert problem(graph(f"  {name} = {generic}\n  ge.NetOutput(%x)")).code == "GX-101"
