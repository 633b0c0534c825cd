"""Expressions over symbols, given ranges, and what operators make of them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ge_dialect.api import parse
from ge_dialect.diagnostics import GeError
from ge_dialect.ir.graph import module_graphs
from ge_dialect.ir.names import node_name
from passes.context import PassContext
from passes.shapes.expr import (
    broadcast,
    ceildiv,
    constant,
    maximum,
    minimum,
    symbol,
)
from passes.shapes.given import parse_ranges
from passes.shapes.ranges import INF, range_of

A, B, C = symbol("a"), symbol("b"), symbol("c")


def same_forms():
    return [
        (A + B, B + A),
        ((A + 1) * (A - 1), A * A - 1),
        (ceildiv(A, 2), (A + 1) // 2),
        (-(-A // 2), (A + 1) // 2),
        ((A - 1) // 2 + 1, (A + 1) // 2),
        ((6 * A + 4) // 2, 3 * A + 2),
        ((2 * A + 1) // 4, A // 2),
        ((A // 2) // 3, A // 6),
        ((A // 2 + 1) // 3, (A + 2) // 6),
        ((A * B * 48) // (A * 12), 4 * B),
        ((A * A - B * B) // (A + B), A - B),
        (minimum([A, B, A + 1]), minimum([B, A])),
        (minimum([A, maximum([A, B])]), A),
        (maximum([A, minimum([A, B])]), A),
        (broadcast([A, constant(1)]), A),
        (broadcast([A, A]), A),
        (broadcast([A, minimum([A, constant(64)])]), A),
        (broadcast([broadcast([A, B]), A]), broadcast([B, A])),
    ]


@pytest.mark.parametrize("i", range(len(same_forms())))
def test_equal_expressions_are_equal(i):
    one, other = same_forms()[i]
    assert one == other
    assert str(one) == str(other)
    assert hash(one) == hash(other)


def test_text():
    assert str(A * B + 2 * C - 1) == "a*b + 2*c - 1"
    assert str((A - 3) // 2 + 1) == "ceildiv(a, 2) - 1"
    assert str(A // 3) == "floordiv(a, 3)"
    assert str(A // B) == "floordiv(a, b)"
    assert str(minimum([constant(64), A])) == "min(64, a)"
    assert str(A - A) == "0"
    assert str(-A) == "-a"


_LEAVES = st.sampled_from(["a", "b", "c"]).map(symbol) | st.integers(-5, 9).map(constant)


def _grown(inner):
    pairs = st.tuples(inner, inner)
    return st.one_of(
        pairs.map(lambda p: p[0] + p[1]),
        pairs.map(lambda p: p[0] - p[1]),
        pairs.map(lambda p: p[0] * p[1]),
        pairs.map(minimum),
        pairs.map(maximum),
        st.tuples(inner, st.integers(1, 6)).map(lambda p: p[0] // p[1]),
        st.tuples(inner, st.integers(1, 6)).map(lambda p: ceildiv(*p)),
    )


@settings(max_examples=150, deadline=None)
@given(
    st.recursive(_LEAVES, _grown, max_leaves=8),
    st.recursive(_LEAVES, _grown, max_leaves=4),
    st.integers(1, 7),
    st.fixed_dictionaries({n: st.integers(0, 12) for n in "abc"}),
)
def test_the_canonical_form_keeps_the_value(e, f, n, sizes):
    x, y = e.evaluate(sizes), f.evaluate(sizes)
    assert (e + f).evaluate(sizes) == x + y
    assert (e * f).evaluate(sizes) == x * y
    assert (e // n).evaluate(sizes) == x // n
    assert ceildiv(e, n).evaluate(sizes) == -(-x // n)
    assert minimum([e, f]).evaluate(sizes) == min(x, y)
    if y:
        assert (e * f // f).evaluate(sizes) == x
    (atom,) = A.atoms()
    assert e.substitute({atom: f}).evaluate(sizes) == e.evaluate({**sizes, "a": y})
    low, high = range_of(e, {"a": (0, 12), "b": (0, 12), "c": (0, 12)})
    assert low <= x <= high
    low, high = range_of(e, {"a": (sizes["a"], INF), "b": (0, sizes["b"]), "c": (0, INF)})
    assert low <= x <= high


def test_for_loops_and_bounds():
    body = """
    %one = ge.Const() {value = dense<1> : tensor<i32>} : tensor<i32>
    %y = ge.For(%one, %one, %one, [%x]) : tensor<?xf32> body(%i, %a) {
      %c = ge.Relu(%a) : tensor<?xf32>
      ge.NetOutput(%c)
    }
    %u, %idx = ge.Unique(%y) : tensor<?xf32>, tensor<?xi32>
    ge.NetOutput(%y, %u, %idx)"""
    args = '%x: tensor<?xf32> {ge.symbols = ["n"], ge.shape_range = "2~5"}'
    model, found = analysed(body, arguments=args)
    (graph,) = module_graphs(model.module)
    y, u, idx = graph.net_output.operands
    assert [str(found.shape(v)[0]) for v in (y, u, idx)] == ["n", "?u[0]", "n"]
    assert found.range(u, 0) == (0, 5)


def test_resize_by_short_fractions():
    line = (
        "%s = ge.Const() {value = dense<[1.0, 1.0, 2.0, 0.5]> : tensor<4xf32>} : tensor<4xf32>\n"
        "%y = ge.Resize(%x, scales = %s) : tensor<?x3x?x?xf32>\nge.NetOutput(%y)"
    )
    args = '%x: tensor<?x3x?x?xf32> {ge.symbols = ["n", "", "h", "w"]}'
    assert shapes(line, arguments=args)["y"] == "n, 3, 2*h, floordiv(w, 2)"


def test_ranges_as_text():
    assert parse_ranges("[1~10,3,-1,4~-1]") == [(1, 10), (3, 3), (1, INF), (4, INF)]
    assert parse_ranges("1~8") == [(1, 8)]
    for wrong in ("a", "3~1", "1~2~3", "-2"):
        with pytest.raises(ValueError):  # noqa: PT011
            parse_ranges(wrong)


def analysed(body, *, arguments, weights=None):
    model = parse(f"ge.graph @g({arguments}) {{\n{body}\n}}")
    ctx = PassContext(weights=model.weights)
    return model, ctx.analysis("symbolic-shapes", model.module)


def shapes(body, *, arguments):
    """Shapes of named results as text."""
    model, found = analysed(body, arguments=arguments)
    (graph,) = module_graphs(model.module)
    out = {}
    for op in graph.body.ops:
        for r in op.results:
            dims = found.graphs["g"].shapes.get(r)
            name = (node_name(op) or "") + (f":{r.index}" if r.index else "")
            out[name] = "*" if dims is None else ", ".join(map(str, dims))
    return out


X = '%x: tensor<?x8x?xf32> {ge.symbols = ["n", "", "s"]}'


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("%y = ge.TransposeD(%x) {perm = [2, 0, 1]} : tensor<?x?x8xf32>", "s, n, 8"),
        ("%y = ge.ReduceSumD(%x) {axes = [1]} : tensor<?x?xf32>", "n, s"),
        ("%y = ge.ConcatD(%x, %x) {concat_dim = 2, N = 2} : tensor<?x8x?xf32>", "n, 8, 2*s"),
        ("%y = ge.PadD(%x) {paddings = [[0, 0], [0, 0], [1, 2]]} : tensor<?x8x?xf32>",
         "n, 8, s + 3"),
        ("%y = ge.TileD(%x) {multiples = [2, 1, 3]} : tensor<?x8x?xf32>", "2*n, 8, 3*s"),
        ("%y = ge.FlattenV2(%x) {axis = 1, end_axis = -1} : tensor<?x?xf32>", "n, 8*s"),
        ("%y = ge.StridedSliceD(%x) {begin = [0, 0, 1], end = [9, 8, 100], strides = [1, 1, 2]} "
         ": tensor<?x8x?xf32>", "min(9, n), 8, floordiv(min(100, s), 2)"),
        ("%y = ge.BatchMatMulV2(%x, %x) {adj_x1 = true} : tensor<?x?x?xf32>", "n, s, s"),
        ("%y = ge.Add(%x, %x) : tensor<?x8x?xf32>", "n, 8, s"),
    ],
)  # fmt: skip
def test_operators(line, expected):
    assert shapes(f"{line}\nge.NetOutput(%y)", arguments=X)["y"] == expected


def test_broadcasts_of_unrelated_sizes():
    body = "%y = ge.Add(%a, %b) : tensor<?xf32>\nge.NetOutput(%y)"
    free = "%a: tensor<?xf32>, %b: tensor<?xf32>"
    assert shapes(body, arguments=free)["y"] == "broadcast(a[0], b[0])"
    # neither is 1: they are equal in every run that works
    far = '%a: tensor<?xf32> {ge.shape_range = "2~9"}, %b: tensor<?xf32> {ge.shape_range = "4~-1"}'
    model, found = analysed(body, arguments=far)
    (graph,) = module_graphs(model.module)
    assert found.equal(graph.args[0], 0, graph.args[1], 0) is True
    assert found.range(graph.args[0], 0) == (4, 9)
    assert len(found.graphs["g"].facts) == 1


def test_sizes_that_differ():
    body = "%y = ge.ConcatD(%a, %a) {concat_dim = 0, N = 2} : tensor<?xf32>\nge.NetOutput(%y)"
    model, found = analysed(body, arguments="%a: tensor<?xf32>, %b: tensor<?xf32>")
    (graph,) = module_graphs(model.module)
    y = graph.body.first_op.results[0]
    assert found.equal(y, 0, graph.args[0], 0) is False
    assert found.equal(y, 0, graph.args[1], 0) is None
    assert found.equal(y, 0, y, 0) is True


def test_branches():
    body = """
    %y = ge.If(%c, [%x]) : tensor<?xf32> then_branch(%a) {
      ge.NetOutput(%a)
    } else_branch(%a) {
      %z = ge.ConcatD(%a, %a) {concat_dim = 0, N = 2} : tensor<?xf32>
      ge.NetOutput(%z)
    }
    ge.NetOutput(%y)"""
    args = '%x: tensor<?xf32> {ge.symbols = ["n"], ge.shape_range = "2~5"}, %c: tensor<i1>'
    model, found = analysed(body, arguments=args)
    (graph,) = module_graphs(model.module)
    y = graph.body.first_op.results[0]
    assert found.shape(y)[0].name == "?y[0]"
    assert found.range(y, 0) == (2, 10)


def test_loops():
    body = """
    %y, %z = ge.While(%x, %x) : tensor<?x3xf32>, tensor<?x3xf32> cond(%a, %b) {
      %no = ge.Const() {value = dense<false> : tensor<i1>} : tensor<i1>
      ge.NetOutput(%no)
    } body(%a, %b) {
      %c = ge.Relu(%a) : tensor<?x3xf32>
      %d = ge.ConcatD(%a, %b) {concat_dim = 0, N = 2} : tensor<?x3xf32>
      ge.NetOutput(%c, %d)
    }
    ge.NetOutput(%y, %z)"""
    args = '%x: tensor<?x3xf32> {ge.symbols = ["n", ""], ge.shape_range = "2~5,3"}'
    model, found = analysed(body, arguments=args)
    (graph,) = module_graphs(model.module)
    y, z = graph.body.first_op.results
    assert [str(e) for e in found.shape(y)] == ["n", "3"]
    assert [str(e) for e in found.shape(z)] == ["?y:1[0]", "3"]
    assert found.range(z, 0) == (0, INF)


@pytest.mark.parametrize(
    "given_range", ["4~2", "1~2,3", "x", "5"], ids=["empty", "length", "text", "type"]
)
def test_ranges_that_do_not_fit(given_range):
    with pytest.raises(GeError) as caught:
        analysed(
            "ge.NetOutput(%x)", arguments=f'%x: tensor<4xf32> {{ge.shape_range = "{given_range}"}}'
        )
    assert caught.value.diagnostics[0].code == "GX-434"


def test_names_that_spell_out_expressions():
    args = (
        '%a: tensor<?xf32> {ge.symbols = ["p"]}, %b: tensor<?xf32> {ge.symbols = ["q"]}, '
        '%c: tensor<?xf32> {ge.symbols = ["p + 2*q - 1"]}, '
        '%d: tensor<?xf32> {ge.symbols = ["r - 1"]}'
    )
    _, found = analysed("ge.NetOutput(%a)", arguments=args)
    assert [str(s[0]) for s in found.graphs["g"].shapes.values()] == [
        "p", "q", "p + 2*q - 1", "r - 1",
    ]  # fmt: skip
    assert set(found.graphs["g"].ranges) == {"p", "q", "r - 1"}


def test_an_analysis_goes_with_what_it_rests_on():
    model = parse("ge.graph @g(%x: tensor<?xf32>) { ge.NetOutput(%x) }")
    ctx = PassContext()
    ctx.analysis("shape-ranges", model.module)
    assert ctx.analyses.rests_on["shape-ranges"] == {"symbolic-shapes"}
    ctx.analyses.invalidate(["shape-ranges"])
    assert ctx.analyses.cached() == ()


def test_types_are_not_shared_with_those_of_symbolic_sizes():
    from ge_dialect.ir import types

    before = len(types._tensors)
    shapes("%y = ge.Add(%x, %x) : tensor<?x8x?xf32>\nge.NetOutput(%y)", arguments=X)
    kept = list(types._tensors)[before:]
    assert all(isinstance(d, int) for key in kept for d in key[0] or ())
