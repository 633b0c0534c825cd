"""Every rule that docs/ir.md states, by its first words, with a test that shows it.

A rule without a test here, and a test whose rule the page no longer states, fail.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from ge_dialect.api import evaluate, parse
from ge_dialect.diagnostics import GeError
from ge_dialect.dtypes import ge_name, to_xdsl
from ge_dialect.ir import module_graphs, node_name
from ge_dialect.ir.control import control_of, control_result
from ge_dialect.ir.names import file_location, origins
from ge_dialect.ir.printer import print_module
from ge_dialect.ir.reader import parse_module
from ge_dialect.ir.types import tensor_type, type_text
from ge_dialect.ir.verifier import verify
from ge_dialect.layouts import storage_shape

PAGE = (Path(__file__).parents[2] / "docs" / "ir.md").read_text(encoding="utf-8")
RULES: dict[str, Callable[[], None]] = {}
X = "%x: tensor<4xf32>"


def rule(begin: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    def add(test: Callable[[], None]) -> Callable[[], None]:
        RULES[begin] = test
        return test

    return add


def graph(*lines: str, args: str = X) -> str:
    return "\n".join([f"ge.graph @g({args}) {{", *(f"  {line}" for line in lines), "}", ""])


def same(text: str) -> None:
    """The text reads, verifies and prints as it is."""
    module = parse_module(text)
    assert [d.render() for d in verify(module)] == []
    assert print_module(module) == text


def becomes(text: str, wanted: str) -> None:
    module = parse_module(text)
    assert [d.render() for d in verify(module)] == []
    assert print_module(module) == wanted


def refused(text: str, code: str, place: str | None = None) -> None:
    """Reading or verifying says so, at that line and column."""
    try:
        found = verify(parse_module(text))
    except GeError as error:
        found = list(error.diagnostics)
    assert code in [d.code for d in found]
    if place is not None:
        assert f"<stdin>:{place}" in [d.location for d in found if d.code == code]


# ------------------------------------------------------------------------------------- a graph


@rule("A graph is one block.")
def _() -> None:
    same(graph("ge.NetOutput(%x)"))
    refused(graph("%a = ge.Relu(%x) : tensor<4xf32>"), "GX-213", "2:3")
    refused(graph("ge.NetOutput(%x)", "ge.NetOutput(%x)"), "GX-213", "2:3")


@rule("Nodes stand after the nodes whose values")
def _() -> None:
    use = "%a = ge.Relu(%b) : tensor<4xf32>"
    made = "%b = ge.Relu(%x) : tensor<4xf32>"
    refused(graph(use, made, "ge.NetOutput(%a)"), "GX-103", "2:16")
    same(graph(made, use, "ge.NetOutput(%a)"))


@rule("A graph sees its own values only.")
def _() -> None:
    def body(value: str) -> str:
        return graph(
            "%r = ge.PartitionedCall(%x) : tensor<4xf32> f(%a) {",
            f"  ge.NetOutput({value})",
            "}",
            "ge.NetOutput(%r)",
        )

    same(body("%a"))
    refused(body("%x"), "GX-102", "3:18")


@rule("A module holds graphs;")
def _() -> None:
    one = graph("ge.NetOutput(%x)")
    same(one + one.replace("@g", "@h"))
    inside = "".join(f"  {line}\n" for line in one.splitlines())
    becomes(f"builtin.module {{\n{inside}}}\n", one)
    same(f"builtin.module @m {{\n{inside}}}\n")
    same(f'builtin.module attributes {{a.b = "c"}} {{\n{inside}}}\n')


# ------------------------------------------------------------------------------------- grammar

CONV = '{strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"}'
IMAGE = "%x: tensor<1x2x3x3xf16>, %w: tensor<2x2x1x1xf16>, %b: tensor<2xf16>"


@rule("**Inputs** are positional up to the first optional one")
def _() -> None:
    end = f" {CONV} : tensor<1x2x3x3xf16>"
    same(graph(f"%y = ge.Conv2D(%x, %w, bias = %b){end}", "ge.NetOutput(%y)", args=IMAGE))
    refused(graph(f"%y = ge.Conv2D(%x, %w, %b){end}", "ge.NetOutput(%y)", args=IMAGE), "GX-106")
    two = "%x: tensor<4xf32>, %i: tensor<i32>"
    same(graph("%y = ge.AddN(%x, %x) {N = 2} : tensor<4xf32>", "ge.NetOutput(%y)"))
    concat = "%y = ge.ConcatV2([%x, %x], %i) {N = 2} : tensor<8xf32>"
    same(graph(concat, "ge.NetOutput(%y)", args=two))


@rule("**Attributes** the operator declares are written by kind")
def _() -> None:
    given = '{data_format = "NCHW", pads = [0, 0, 0, 0], groups = 1, strides = [1, 1, 1, 1]}'
    line = "%y = ge.Conv2D(%x, %w) ATTRS : tensor<1x2x3x3xf16>"
    text = graph(line.replace("ATTRS", given), "ge.NetOutput(%y)", args=IMAGE)
    becomes(text, text.replace(given, CONV))
    same(graph('%y = ge.Relu(%x) {my.own = [1 : i8, "a"]} : tensor<4xf32>', "ge.NetOutput(%y)"))
    refused(graph("%y = ge.Relu(%x) {own = 1} : tensor<4xf32>", "ge.NetOutput(%y)"), "GX-104")


@rule("**Types** of operands are not written")
def _() -> None:
    refused(graph("%y = ge.Relu(%x)", "ge.NetOutput(%y)"), "GX-109")
    same(
        graph(
            "%y, %y_1 = ge.Split(%i, %x) {num_split = 2} : tensor<2xf32>, tensor<2xf32>",
            "ge.NetOutput(%y, %y_1)",
            args="%i: tensor<i32>, %x: tensor<4xf32>",
        )
    )


@rule("**Bodies** are labelled by GE's name")
def _() -> None:
    text = graph(
        "%r = ge.If(%p, [%x]) : tensor<4xf32> then_branch(%a) {",
        "  ge.NetOutput(%a)",
        "} else_branch(%a) {",
        "  %b = ge.Relu(%a) : tensor<4xf32>",
        "  ge.NetOutput(%b)",
        "}",
        "ge.NetOutput(%r)",
        args="%p: tensor<i1>, %x: tensor<4xf32>",
    )
    same(text)
    refused(text.replace("then_branch", "yes"), "GX-111")
    refused(text.replace("then_branch(%a)", "then_branch(%a: tensor<4xf32>)"), "GX-101")


@rule("`//` begins a comment.")
def _() -> None:
    text = graph("%a = ge.Relu(%x) : tensor<4xf32>", "ge.NetOutput(%a)")
    becomes("// one\n" + text.replace("\n", "  // more\n"), text)
    becomes(print_module(parse_module(text), generic=True), text)


# --------------------------------------------------------------------------------------- types


@rule("`tensor<1x16x8x8xf16>` is a value.")
def _() -> None:
    same(graph("ge.NetOutput(%x)", args="%x: tensor<?x3xf16>, %y: tensor<*xf16>"))
    stored = "tensor<1x2x3x3xf16, #ge.layout<NC1HWC0>>"
    same(graph(f"%y = ge.Relu(%x) : {stored}", "ge.NetOutput(%y)", args=f"%x: {stored}"))
    other = f"%y = ge.Relu(%x) : {stored.replace('1x2x3x3', '1x1x3x3')}"
    refused(graph(other, "ge.NetOutput(%y)", args=f"%x: {stored}"), "GX-221")


@rule("`#ge.layout<NC1HWC0>` behind the element type")
def _() -> None:
    def argument(inner: str) -> str:
        return graph("ge.NetOutput(%x)", args=f"%x: tensor<{inner}>")

    same(argument("4x2x3x3xf16, #ge.layout<FRACTAL_Z, origin = NHWC, groups = 2, c0 = 32>"))
    said = argument("4x2x3x3xf16, #ge.layout<NC1HWC0, origin = NCHW, groups = 1, c0 = 16>")
    becomes(said, argument("4x2x3x3xf16, #ge.layout<NC1HWC0>"))
    refused(argument("*xf16, #ge.layout<NC1HWC0>"), "GX-101")
    type_ = (
        parse_module(argument("4x2x3x3xf16, #ge.layout<NC1HWC0>")).body.block.first_op.args[0].type
    )
    assert storage_shape((4, 2, 3, 3), type_.element_type, type_.encoding) == (4, 1, 3, 3, 16)


@rule("`!ge.ref<tensor<…>>` is a handle to state")
def _() -> None:
    ref = "!ge.ref<tensor<4xf32>>"
    same(
        graph(f"%v = ge.Variable() : {ref}", f"%w = ge.Assign(%v, %x) : {ref}", "ge.NetOutput(%x)")
    )
    refused(
        graph("%a = ge.Relu(%x) : tensor<4xf32>", "ge.NetOutput(%a)", args=f"%x: {ref}"), "GX-204"
    )


@rule("`!ge.ctrl` is order without data.")
def _() -> None:
    same(graph("%n = ge.NoOp() : !ge.ctrl", "ge.NetOutput(%x) after(%n)"))
    refused(graph("%n = ge.NoOp() : !ge.ctrl", "ge.NetOutput(%x, %n)"), "GX-203")


# ----------------------------------------------------------------------------- state and order

COUNT = graph(
    "%v = ge.Variable() {value = dense<5.0> : tensor<4xf32>} : !ge.ref<tensor<4xf32>>",
    "%before = ge.Read(%v) : tensor<4xf32>",
    "%w = ge.AssignAdd(%v, %x) after(%before) : !ge.ref<tensor<4xf32>>",
    "%after = ge.Read(%w) : tensor<4xf32>",
    "ge.NetOutput(%before, %after)",
)


@rule("A tensor never changes.")
def _() -> None:
    before, after = evaluate(parse(COUNT), [np.ones(4, np.float32)]).outputs
    assert before.tolist() == [5] * 4
    assert after.tolist() == [6] * 4


@rule("Only data and control edges order effects")
def _() -> None:
    one, two = "%a = ge.Relu(%x) : tensor<4xf32>", "%b = ge.Abs(%x) : tensor<4xf32>"
    same(graph(one, two, "ge.NetOutput(%a, %b)"))
    same(graph(two, one, "ge.NetOutput(%a, %b)"))
    refused(COUNT.replace(" after(%before)", ""), "GX-214", "4:3")


@rule("The control output of a node is its last result")
def _() -> None:
    text = graph(
        "%a, %a_done = ge.Relu(%x) : tensor<4xf32>, !ge.ctrl",
        "%b = ge.Relu(%x) after(%a_done) : tensor<4xf32>",
        "ge.NetOutput(%b)",
    )
    same(text)
    becomes(
        text.replace("%a, %a_done", "%a").replace(", !ge.ctrl", "").replace("(%a_done)", "(%a)"),
        text,
    )
    module = parse_module(graph("%a = ge.Relu(%x) : tensor<4xf32>", "ge.NetOutput(%a)"))
    a = module_graphs(module)[0].body.first_op
    assert control_result(a) is None
    assert control_of(a) is a.results[-1]


@rule("Two nodes that touch the same state")
def _() -> None:
    both = ("ge.Print(%x)", "ge.Print(%x)", "ge.NetOutput(%x)")
    refused(graph(*both), "GX-214", "3:3")
    same(graph("%p = ge.Print(%x) : !ge.ctrl", "ge.Print(%x) after(%p)", "ge.NetOutput(%x)"))
    reads = COUNT.replace("%w = ge.AssignAdd(%v, %x) after(%before)", "%w = ge.Assign(%u, %x)")
    reads = reads.replace("  %before", "  %u = ge.Variable() : !ge.ref<tensor<4xf32>>\n  %before")
    same(reads)


# --------------------------------------------------------------------------------------- names

NAMED = graph(
    "%a = ge.Relu(%x) : tensor<4xf32>",
    '%b = ge.Relu(%a) : tensor<4xf32> loc("scope/b"(fused["one", "two"]))',
    "ge.NoOp()",
    "ge.NoOp()",
    "ge.NetOutput(%b)",
)


@rule("Every node has a name, unique in its graph")
def _() -> None:
    nodes = list(module_graphs(parse_module(NAMED))[0].body.ops)
    assert [node_name(n) for n in nodes] == ["a", "scope/b", "NoOp", "NoOp_1", "NetOutput"]
    assert [origins(n) for n in nodes[:2]] == [("a",), ("one", "two")]
    assert all("name" not in {*n.attributes, *n.properties} for n in nodes)
    refused(
        NAMED.replace("scope/b", "a")
        .replace('(fused["one", "two"])', "")
        .replace("%a = ge.Relu(%x) : tensor<4xf32>", '%a = ge.Relu(%x) : tensor<4xf32> loc("a")'),
        "GX-215",
    )


@rule('`loc("name")` is written only where')
def _() -> None:
    same(NAMED)
    plain = graph("%a = ge.Relu(%x) : tensor<4xf32>", "ge.NetOutput(%a)")
    becomes(plain.replace("f32>\n", 'f32> loc("a")\n', 1), plain)


@rule("In the generic form names appear with")
def _() -> None:
    module = parse_module(NAMED)
    assert "scope/b" not in print_module(module, generic=True)
    shown = print_module(module, generic=True, debuginfo=True)
    assert 'loc("scope/b"(fused["one", "two"' in shown
    assert file_location(module_graphs(module)[0].body.first_op) == "<stdin>:2:3"


# ----------------------------------------------------------------------------------- constants


def const(value: str, type_: str) -> str:
    return graph(
        f"%c = ge.Const() {{value = {value} : {type_}}} : {type_}", "ge.NetOutput(%c)", args=""
    )


@rule("Up to 64 elements stand in the text")
def _() -> None:
    many = ", ".join(f"{i}.0" for i in range(64))
    same(const(f"dense<[{many}]>", "tensor<64xf32>"))
    same(const("dense<1.0>", "tensor<1000xf32>"))


@rule("NaN, infinities and larger data are written as bytes")
def _() -> None:
    becomes(
        const("dense<[0x7FC00000, 1.0]>", "tensor<2xf32>"),
        const('dense<"0x0000C07F0000803F">', "tensor<2xf32>"),
    )
    many = ", ".join(f"{i}" for i in range(65))
    raw = "".join(f"{i:02X}" for i in range(65))
    becomes(
        const(f"dense<[{many}]>", "tensor<65xui8>"), const(f'dense<"0x{raw}">', "tensor<65xui8>")
    )


@rule('Larger constants are `#ge.weight<"name">`')
def _() -> None:
    for value in ('"w"', 'cast(mul("w", "g"), f16)', '"w", abstract'):
        same(
            const("X", "T")
            .replace("X : T", f"#ge.weight<{value}>")
            .replace(" : T", " : tensor<9xf16>")
        )


# ----------------------------------------------------------------------------------- operators


@rule("`ge.Conv2D` and all others have GE's names")
def _() -> None:
    from ge_dialect.ir import op_class

    table = op_class("Conv2D").ge_table()
    assert [s.name for s in table.inputs] == ["x", "filter", "bias", "offset_w"]
    assert list(table.attrs) == [
        "strides", "pads", "dilations", "groups", "data_format", "offset_x",
    ]  # fmt: skip


@rule("A node of a type nobody declared is `ge.Opaque")
def _() -> None:
    line = '%a = ge.Opaque(%x) {type = "Foo", ge.attr.k = 1 : i64} : tensor<4xf32>'
    same(graph(line, "ge.NetOutput(%a)"))
    refused(graph(line.replace("ge.attr.k", "k"), "ge.NetOutput(%a)"), "GX-104")


@rule("Anything else a graph refuses in words")
def _() -> None:
    bad = graph(
        "%a = ge.Rleu(%x) : tensor<4xf32>", "%b = ge.Abs(%y) : tensor<4xf32>", "ge.NetOutput(%x)"
    )
    with pytest.raises(GeError) as caught:
        parse_module(bad)
    found = [(d.code, d.location) for d in caught.value.diagnostics]
    assert found == [("GX-112", "<stdin>:2:8"), ("GX-102", "<stdin>:3:15")]


# ---------------------------------------------------------------------------------- the tests


@pytest.mark.parametrize("begin", RULES)
def test_rule(begin: str) -> None:
    RULES[begin]()


def test_no_rule_is_without_a_test_and_no_test_without_a_rule() -> None:
    stated = re.findall(r"^- (.*)$", PAGE, re.MULTILINE)
    assert [s for s in stated if not any(s.startswith(r) for r in RULES)] == []
    assert [r for r in RULES if not any(s.startswith(r) for s in stated)] == []


def test_the_table_of_dtypes() -> None:
    rows = PAGE.partition("| GE | text | GE | text |")[2].split("\n\n")[0]
    cells = [c.strip() for row in rows.splitlines()[2:] for c in row.strip("|").split("|")]
    seen = 0
    for names, texts in zip(cells[::2], cells[1::2], strict=True):
        listed = [n.strip() for n in names.removeprefix("not GE's:").split(",")]
        written = re.findall(r"`([^`]+)`", texts)
        if len(listed) != len(written) or any(" … " in n or n == "…" for n in listed):
            continue
        for name, text in zip(listed, written, strict=True):
            assert type_text(tensor_type((), to_xdsl(name))) == f"tensor<{text}>"
            assert ge_name(to_xdsl(name)) == name
            seen += 1
    assert seen > 14
