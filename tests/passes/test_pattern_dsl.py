"""The pattern language: shapes, captures, clauses, conditions, replacements, reasons, tables."""

from __future__ import annotations

import io
import random
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from ge_dialect.ir.printer import print_module
from ge_dialect.ir.reader import parse_module
from ge_dialect.ir.verifier import verify
from passes.attempts import Tracer
from passes.context import PassContext
from passes.pattern_dsl import (
    DslPattern,
    absent,
    any_of,
    attr_of,
    const,
    make,
    node,
    optional,
    rule,
    table,
    value,
    values,
    when,
)
from passes.probe import Probe
from passes.rewriting import Pattern, apply_patterns

X, Y = value("x"), value("y")
T = "tensor<4xf32>"


def graph(body: str, ends: str = "%r", inputs: str = f"%x: {T}, %y: {T}") -> Any:
    lines = "\n".join("  " + line.strip() for line in body.strip().splitlines())
    module = parse_module(f"ge.graph @g({inputs}) {{\n{lines}\n  ge.NetOutput({ends})\n}}\n")
    problems = verify(module)
    assert not problems, problems[0].render()
    return module


def apply(module: Any, *patterns: Pattern, ctx: PassContext | None = None, **kw: Any) -> Any:
    report = apply_patterns(module, patterns, ctx or PassContext(near_misses=True), **kw)
    problems = verify(module)
    assert not problems, problems[0].render()
    return report


def types(module: Any) -> list[str]:
    return [op.name[3:] for op in module.walk() if op.name.startswith("ge.") and op.results]


NEG_NEG = rule("neg-neg", node("Neg", node("Neg", X)), X)


# ---------------------------------------------------------------------------- shape and captures


def test_a_nested_shape_and_a_captured_value():
    module = graph(f"%a = ge.Neg(%x) : {T}\n%b = ge.Neg(%a) : {T}\n%r = ge.Relu(%b) : {T}")
    assert apply(module, NEG_NEG) == {"neg-neg": 1}
    assert types(module) == ["Relu"]


def test_an_inner_node_with_other_users_stays():
    module = graph(f"%a = ge.Neg(%x) : {T}\n%r = ge.Neg(%a) : {T}", "%r, %a")
    assert apply(module, NEG_NEG) == {"neg-neg": 1}
    assert types(module) == ["Neg"]


def test_one_name_twice_must_be_one_value():
    square = rule("square", node("Mul", X, X), make("Square", X))
    module = graph(f"%a = ge.Mul(%x, %y) : {T}\n%r = ge.Mul(%a, %a) : {T}")
    ctx = PassContext(near_misses=True)
    assert apply(module, square, ctx=ctx) == {"square": 1}
    assert types(module) == ["Mul", "Square"]
    (said,) = [d for d in ctx.sink.diagnostics if d.category == "unmatched"]
    assert (said.node, said.reason) == ("a", "x is not the same value everywhere")


def test_commutative_operands_are_tried_in_both_orders():
    sub = rule("sub", node("Add", X, node("Neg", Y)).commutative(), make("Sub", X, Y))
    for operands in ("%x, %n", "%n, %x"):
        module = graph(f"%n = ge.Neg(%y) : {T}\n%r = ge.Add({operands}) : {T}")
        assert apply(module, sub) == {"sub": 1}
        assert "ge.Sub(%x, %y)" in print_module(module)


def test_nested_choices_are_searched_completely():
    """The first way to read the inner Add fits its shape and fails outside of it."""
    inner = node("Add", X, Y).commutative()
    both = rule("both", node("Mul", inner, X).commutative(), make("RealDiv", X, Y))
    module = graph(f"%a = ge.Add(%y, %x) : {T}\n%r = ge.Mul(%x, %a) : {T}")
    assert apply(module, both) == {"both": 1}
    assert "ge.RealDiv(%x, %y)" in print_module(module)


def test_alternatives():
    either = any_of(node("Abs", X).named("abs"), node("Square", X).named("square"))
    seen = []
    drop = rule("drop", node("Relu", either), lambda m: seen.append(m.first_of("abs", "square")) or
                m.root.operands[0])  # fmt: skip
    module = graph(f"%a = ge.Square(%x) : {T}\n%r = ge.Relu(%a) : {T}")
    assert apply(module, drop) == {"drop": 1}
    assert [op.name for op in seen] == ["ge.Square"]


def test_several_root_types_and_another_output():
    pick = rule(
        "pick", node("Relu", "Abs", node("Split", "SplitD").named("split").output(1)), "split"
    )
    assert pick.root == ("Relu", "Abs")
    body = (
        "%a, %b = ge.SplitD(%x) {split_dim = 0, num_split = 2} : tensor<2xf32>, tensor<2xf32>\n"
        "%c = ge.Relu(%a) : tensor<2xf32>\n%r = ge.Abs(%b) : tensor<2xf32>"
    )
    ctx = PassContext(near_misses=True)
    module = graph(body, "%r, %c")
    pick = rule("pick", pick.shape, lambda m: m.split.results[1])
    assert apply(module, pick, ctx=ctx) == {"pick": 1}
    assert types(module) == ["SplitD", "Relu"]


def test_optional_and_absent_inputs():
    shape = node("Conv2D", filter=const("w"), bias=optional(const("b")), offset_w=absent())
    found: list[Any] = []
    look = rule("look", shape, lambda m: found.append((m.w is not None, m.b)) or m.decline("seen"))
    conv = '{strides = [1, 1, 1, 1], pads = [0, 0, 0, 0], data_format = "NCHW"}'
    w = "%w = ge.Const() {value = dense<1.0> : tensor<2x2x1x1xf32>} : tensor<2x2x1x1xf32>\n"
    b = "%b = ge.Const() {value = dense<1.0> : tensor<2xf32>} : tensor<2xf32>\n"
    t = "tensor<1x2x4x4xf32>"
    module = graph(f"{w}%r = ge.Conv2D(%x, %w) {conv} : {t}", inputs=f"%x: {t}")
    assert not apply(module, look)
    assert found == [(True, None)]
    module = graph(f"{w}{b}%r = ge.Conv2D(%x, %w, bias = %b) {conv} : {t}", inputs=f"%x: {t}")
    apply(module, look)
    assert found[1][1] is not None
    other = graph(
        f"{w}%r = ge.Conv2D(%x, %w, bias = %b) {conv} : {t}", inputs=f"%x: {t}, %b: tensor<2xf32>"
    )
    assert not apply(other, look).missed
    assert len(found) == 2


def test_dynamic_inputs_are_captured_as_a_tuple():
    one = rule("addn", node("AddN", values("xs")), lambda m: m.xs[0],
               when(lambda m: len(m.xs) == 1, "it has several inputs"))  # fmt: skip
    module = graph(f"%a = ge.AddN(%x) {{N = 1}} : {T}\n%r = ge.AddN(%a, %y) {{N = 2}} : {T}")
    report = apply(module, one)
    assert report == {"addn": 1}
    assert report.missed == {("addn", "it has several inputs"): 1}


# ------------------------------------------------------------------------------------- clauses

CLAUSES = {
    "dtype": (node("Neg", X.dtype("float16")), "the dtype of x is not float16"),
    "dtypes": (node("Neg", X.dtype("float16", "bfloat16")),
               "the dtype of x is not float16 or bfloat16"),
    "rank": (node("Neg", X.rank(2)), "the rank of x is not 2"),
    "shape": (node("Neg", X.shape(None, 3)), "the shape of x is not _x3"),
    "layout": (node("Neg", X.layout("NC1HWC0")), "the layout of x is not NC1HWC0"),
    "single use": (node("Neg", X.single_use()), "x has other users"),
    "constant": (node("Neg", X.constant()), "x is no constant"),
    "root result": (node("Neg").dtype("int8"), "the dtype of the Neg is not int8"),
    "root name": (node("Neg").named("root").rank(3), "the rank of root is not 3"),
    "where": (node("Neg").where(lambda op: op.ge_type == "Abs", "it is no Abs"), "it is no Abs"),
    "own reason": (node("Neg", X.dtype("int8", reason="no")), "no"),
}  # fmt: skip


@pytest.mark.parametrize("case", CLAUSES)
def test_a_failing_clause_is_a_miss_with_a_reason(case: str):
    shape, reason = CLAUSES[case]
    module = graph(f"%a = ge.Relu(%x) : {T}\n%r = ge.Neg(%x) : {T}", "%r, %a")
    ctx = PassContext(remarks_enabled=True)
    report = apply(module, rule("r", shape, "x"), ctx=ctx)
    assert not report
    assert report.missed == {("r", reason): 1}
    (remark,) = ctx.sink.diagnostics
    assert (remark.category, remark.pattern, remark.reason) == ("missed", "r", reason)


def test_clauses_that_hold():
    x = X.dtype("float32").rank(1, 2).shape(4).static().layout(None).single_use()
    module = graph(f"%r = ge.Neg(%x) : {T}")
    assert apply(module, rule("r", node("Neg", x), X)) == {"r": 1}


def test_attributes():
    body = "%a = ge.SoftmaxV2(%x) {axes = [0]} : tensor<4xf32>\n%r = ge.Neg(%a) : tensor<4xf32>"
    soft = node("SoftmaxV2", X).named("soft")
    for given, reason in (
        (soft.attr(axes=[0]), None),
        (soft.attr("axes", (0,)), None),
        (soft.attr("axes", lambda a: len(a) == 1), None),
        (soft.attr(axes=[1]), "axes of soft is not [1]"),
        (soft.attr("axes", lambda a: not a), "axes of soft does not fit"),
        (soft.attr_is("axes", [-1], "the axis is not the last"), "the axis is not the last"),
    ):
        report = apply(graph(body), rule("r", node("Neg", given), X))
        assert dict(report.missed) == ({} if reason is None else {("r", reason): 1})


def test_a_constant_filled_with_a_number():
    zero = rule("add-0", node("Add", X, const("c").filled_with(0)).commutative(), X)
    for number, applied in (("0.0", 1), ("-0.0", 1), ("1.0", 0)):
        body = f"%c = ge.Const() {{value = dense<{number}> : {T}}} : {T}\n%r = ge.Add(%c, %x) : {T}"
        module = graph(body)
        report = apply(module, zero)
        assert report["add-0"] == applied
        assert ("Const" in types(module)) != bool(applied), "an unread constant goes with the rule"
    assert report.missed == {("add-0", "c is not 0 everywhere"): 1}


def test_absorbed_nodes_need_to_be_alone():
    fused = rule("fuse", node("Relu", node("Add", X, Y).named("add").absorb()), make("Sub", X, Y))
    body = f"%a = ge.Add(%x, %y) : {T}\n%r = ge.Relu(%a) : {T}"
    module = graph(body)
    apply(module, fused)
    new = next(op for op in module.walk() if op.name == "ge.Sub")
    assert new.ge_origins == ("r", "a")
    assert new.ge_node_name == "r"
    assert dict(apply(graph(body, "%r, %a"), fused).missed) == {
        ("fuse", "the result of add has other users"): 1
    }
    waited = (
        f"%a, %d = ge.Add(%x, %y) : {T}, !ge.ctrl\n%r = ge.Relu(%a) : {T}\nge.Print(%x) after(%d)"
    )
    assert dict(apply(graph(waited), fused).missed) == {("fuse", "another node waits for add"): 1}


def test_a_guard_belongs_to_the_shape():
    guarded = rule("g", node("Neg", X).only(lambda op: False, "never"), X)
    ctx = PassContext(near_misses=True)
    report = apply(graph(f"%r = ge.Neg(%x) : {T}"), guarded, ctx=ctx)
    assert not report.missed
    (remark,) = ctx.sink.diagnostics
    assert (remark.category, remark.reason) == ("unmatched", "never")


# ------------------------------------------------------------------------------ conditions


def test_conditions_say_why_and_what_held_before():
    picky = rule(
        "picky",
        node("Neg", node("Abs", X.rank(1)).named("abs")),
        X,
        when(lambda m: m.abs.ge_node_name == "a", "the Abs is not called a"),
        when(lambda m: m.x is not None and m.root is not m.abs, "nonsense"),
        when(lambda m: False, "it never applies"),
    )
    ctx = PassContext(remarks_enabled=True)
    apply(graph(f"%a = ge.Abs(%x) : {T}\n%r = ge.Neg(%a) : {T}"), picky, ctx=ctx)
    (remark,) = ctx.sink.diagnostics
    assert remark.reason == "it never applies"
    assert remark.held == ("the rank of x is not 1", "the Abs is not called a", "nonsense")
    assert remark.involved == ("a",)
    assert remark.message == "picky missed: it never applies"


def test_conditions_can_be_taken_as_true():
    picky = rule("p", node("Neg", X.rank(7)), X, when(lambda m: False, "no"))
    module = graph(f"%a = ge.Neg(%x) : {T}\n%r = ge.Relu(%a) : {T}")
    assert not apply(module, picky, ignored=frozenset({("p", "no")}))
    both = frozenset({("p", "no"), ("p", "the rank of x is not 7")})
    assert apply(module, picky, ignored=both) == {"p": 1}


def test_the_failure_that_came_furthest_is_reported():
    add = node("Add", X.rank(1), Y.rank(2).dtype("int8")).commutative()
    far = rule("far", add, X, when(lambda m: True, "?"))
    module = parse_module(
        "ge.graph @g(%x: tensor<4xf32>, %y: tensor<3x4xf32>) {\n"
        "  %r = ge.Add(%y, %x) : tensor<3x4xf32>\n  ge.NetOutput(%r)\n}\n"
    )
    assert dict(apply(module, far).missed) == {("far", "the dtype of y is not int8"): 1}


def test_a_rewrite_can_be_declined_while_building():
    late = rule("late", node("Neg", X), lambda m: m.decline("the recipe is too long"))
    report = apply(graph(f"%r = ge.Neg(%x) : {T}"), late)
    assert report.missed == {("late", "the recipe is too long"): 1}
    broken = rule("broken", node("Neg", X), lambda m: None)
    with pytest.raises(TypeError, match="broken"):
        apply(graph(f"%r = ge.Neg(%x) : {T}"), broken)


# ----------------------------------------------------------------------------- replacements


def test_templates_with_attributes_and_types():
    soft = node("SoftmaxV2", node("Neg", X)).named("soft")
    new = rule(
        "soft", soft, make("Neg", make("SoftmaxV2", X, axes=attr_of("soft", "axes")).typed_like(X))
    )
    body = f"%a = ge.Neg(%x) : {T}\n%r = ge.SoftmaxV2(%a) {{axes = [0]}} : {T}"
    module = graph(body)
    assert apply(module, new, max_rewrites=1)["soft"] == 1
    assert "ge.SoftmaxV2(%x) {axes = [0]}" in print_module(module)


def test_several_results():
    swap = rule("swap", node("IdentityN", values("xs")), lambda m: list(reversed(m.xs)))
    module = graph(f"%a, %r = ge.IdentityN(%x, %y) : {T}, {T}", "%a, %r")
    apply(module, swap)
    assert "ge.NetOutput(%y, %x)" in print_module(module)


def test_names_that_were_not_captured():
    wrong = rule("wrong", node("Neg", X), lambda m: m.nothing)
    with pytest.raises(AttributeError, match="captures nothing called 'nothing'"):
        apply(graph(f"%r = ge.Neg(%x) : {T}"), wrong)
    with pytest.raises(ValueError, match="needs a name"):
        apply(graph(f"%r = ge.Neg(%x) : {T}"), rule("w", node("Neg", X), value()))


def test_bad_declarations():
    for name in ("rw", "build", "nodes", "root", "decline"):
        with pytest.raises(ValueError, match=f"cannot be called '{name}'"):
            rule("r", node("Neg", value(name)), X)
    with pytest.raises(ValueError, match="operator type"):
        node(X)
    with pytest.raises(ValueError, match="first two inputs"):
        rule("r", node("Add", x1=X).commutative(), X)
    with pytest.raises(ValueError, match="two rules are called 'neg-neg'"):
        table("t", NEG_NEG, NEG_NEG)


# --------------------------------------------------------------------- classes, tables, text


@dataclass(frozen=True)
class KeepTimes(DslPattern):
    """A class with an option."""

    wanted: str = "r"
    name: ClassVar[str] = "keep"
    shape: ClassVar = node("Neg", X)
    conditions: ClassVar = (when(lambda m: m.root.ge_node_name is not None, "no name"),)

    def replace(self, m: Any) -> Any:
        return m.x if m.root.ge_node_name == self.wanted else m.decline("another name")


def test_a_class_with_options():
    body = f"%a = ge.Neg(%x) : {T}\n%r = ge.Neg(%a) : {T}"
    assert apply(graph(body), KeepTimes()) == {"keep": 1}
    assert apply(graph(body), KeepTimes("a")).missed == {("keep", "another name"): 1}
    assert KeepTimes.root == ("Neg",)


def test_rules_and_classes_work_together_in_order():
    class Count(Pattern):
        root: ClassVar = ("Neg",)

        def match_and_rewrite(self, op: Any, rw: Any) -> None:
            rw.when(False, "only looking")

    body = f"%a = ge.Neg(%x) : {T}\n%r = ge.Neg(%a) : {T}"
    report = apply(graph(body), Count(), *table("t", NEG_NEG).patterns)
    assert report == {"neg-neg": 1}


def test_tables_are_readable():
    rules = table(
        "algebra",
        NEG_NEG,
        rule("sub", node("Add", X, node("Neg", Y).single_use()).commutative(), make("Sub", X, Y)),
        rule("conv", node("Conv2D", filter=const("w"), offset_w=absent()),
             make("Neg", X, axis=1), when(lambda m: True, "the moon is full")),
    ) + table("more", KeepTimes())  # fmt: skip
    expected = """\
algebra+more:
  neg-neg  Neg(Neg(x))                             => x
  sub      Add(x <-> Neg(y))                       => Sub(x, y)
             unless the Neg has other users
  conv     Conv2D(filter = w: Const, offset_w = -) => Neg(x) {axis = 1}
             unless the moon is full
  keep     Neg(x)                                  => <replace>
             unless no name"""
    assert str(rules) == expected
    assert str(NEG_NEG) == "neg-neg: Neg(Neg(x)) => x"
    assert [r.label for r in rules] == ["neg-neg", "sub", "conv", "keep"]


def test_a_trace_shows_every_step():
    stream = io.StringIO()
    ctx = PassContext(tracer=Tracer("ne*", stream))
    picky = rule("neg-abs", node("Neg", node("Abs", X.rank(1)).named("abs")), X,
                 when(lambda m: m.abs.ge_node_name == "b", "the Abs is not called b"))  # fmt: skip
    body = f"%a = ge.Abs(%x) : {T}\n%b = ge.Neg(%a) : {T}\n%r = ge.Neg(%b) : {T}"
    apply(graph(body), picky, ctx=ctx)
    assert stream.getvalue().splitlines() == [
        "[pass] neg-abs at b (Neg)",
        "    with  a (Abs)",
        "    ok    not so: the rank of x is not 1",
        "    FAIL  the Abs is not called b",
        "    missed",
        "[pass] neg-abs at r (Neg)",
        "    with  b (Neg)",
        "    no    Neg 'b' is not made by Abs",
        "    not a candidate",
    ]
    assert not ctx.sink.diagnostics, "a trace makes no remarks"


class Judge(Probe):
    """Writes down every condition; `verdict` says what counts."""

    def __init__(self, verdict: Any = lambda reason, holds: holds) -> None:
        self.heard: list[tuple[str, str, bool]] = []
        self.verdict = verdict

    def judge(self, pattern: Pattern, reason: str, holds: bool) -> bool:
        self.heard.append((pattern.label, reason, holds))
        return self.verdict(reason, holds)


def probed(probe: Judge) -> PassContext:
    ctx = PassContext()
    ctx.probe = probe
    return ctx


def test_a_probe_sees_and_decides_every_condition():
    """What mutation and coverage rest on: clauses and conditions, rules and classes alike."""

    class Other(Pattern):
        name = "other"
        root: ClassVar = ("Neg",)

        def match_and_rewrite(self, op: Any, rw: Any) -> None:
            rw.when(False, "of a class")

    picky = rule("p", node("Neg", X.rank(1)), X, when(lambda m: False, "no"))
    body = f"%r = ge.Neg(%x) : {T}"
    listening = Judge()
    apply(graph(body), Other(), picky, ctx=probed(listening))
    assert listening.heard == [
        ("other", "of a class", False),
        ("p", "the rank of x is not 1", True),
        ("p", "no", False),
    ]
    dropped = Judge(lambda reason, holds: True)
    assert apply(graph(body), picky, ctx=probed(dropped)) == {"p": 1}
    negated = Judge(lambda reason, holds: holds != (reason == "no"))
    assert apply(graph(body), picky, ctx=probed(negated)) == {"p": 1}


# ---------------------------------------------------------------------------- against brute force


def _random_shape(rng: random.Random, depth: int) -> Any:
    if depth == 0 or rng.random() < 0.3:
        return value(rng.choice("xyz"))
    if rng.random() < 0.3:
        return node("Neg", _random_shape(rng, depth - 1))
    pair = node("Add", _random_shape(rng, depth - 1), _random_shape(rng, depth - 1))
    return pair.commutative() if rng.random() < 0.7 else pair


def _assignments(term: Any, held: Any, bound: dict[str, Any]) -> Any:
    """All ways to match, the slow and simple way."""
    if term.name is not None:
        if bound.get(term.name, held) is held:
            yield {**bound, term.name: held}
        return
    op = held.owner
    if getattr(op, "name", "") != f"ge.{term.types[0]}":
        return
    terms = [t for _, t in term.inputs]
    for order in [terms, terms[::-1]] if term.swaps else [terms]:
        found = [bound]
        for t, operand in zip(order, op.operands, strict=True):
            found = [b for f in found for b in _assignments(t, operand, f)]
        yield from found


@pytest.mark.parametrize("seed", range(40))
def test_matching_finds_a_way_exactly_when_there_is_one(seed: int):
    rng = random.Random(seed)
    lines, names = [], ["x", "y"]
    for i in range(12):
        if rng.random() < 0.3:
            lines.append(f"%n{i} = ge.Neg(%{rng.choice(names)}) : {T}")
        else:
            lines.append(f"%n{i} = ge.Add(%{rng.choice(names)}, %{rng.choice(names)}) : {T}")
        names = [*names[-3:], f"n{i}"]
    module = graph("\n".join(lines), "%n11")
    for _ in range(12):
        shape = _random_shape(rng, 3)
        if not shape.__class__.__name__ == "Node":
            continue
        found: dict[str, dict[str, Any]] = {}

        def note(m: Any, found: Any = found, shape: Any = shape) -> None:
            captured = {n: getattr(m, n) for n in "xyz" if hasattr(m, n)}
            found[m.root.ge_node_name] = captured
            m.decline("only looking")

        apply_patterns(module, [rule("r", shape, note)], PassContext())
        for op in module.walk():
            if op.name != f"ge.{shape.types[0]}":
                continue
            ways = list(_assignments(shape, op.results[0], {}))
            assert (op.ge_node_name in found) == bool(ways)
            assert not ways or found[op.ge_node_name] in ways
