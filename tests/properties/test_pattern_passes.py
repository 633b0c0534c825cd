"""The kit on passes that are patterns alone and show no example."""

from __future__ import annotations

import shlex
import sys
import types
from pathlib import Path

import numpy as np
import pytest

from ge_dialect.api import evaluate, parse
from passes.base import Contract
from passes.context import PassContext
from passes.pattern_dsl import const, make, node, rule, table, value
from passes.pattern_pass import pattern_pass
from passes.plugins import unload
from passes.rewriting import apply_patterns
from passes.testing import check_pass, pattern_specs
from passes.testing.check import main
from passes.testing.compare import compare_values, f64_bound
from passes.testing.from_shape import shape_instance

x = value("x")
over_square = rule("sqrt-square", node("Sqrt", node("Square", x)), x)


def raising(m):
    raise LookupError("no luck")


def made(what: object) -> type:
    module = types.ModuleType("pattern_of_a_user")
    vars(module)["rule"] = what
    sys.modules[module.__name__] = module
    cls = pattern_pass(what)
    cls.__module__ = module.__name__
    return cls


def test_graphs_come_from_the_shape_of_its_rules() -> None:
    cls = made(over_square)
    found = pattern_specs(cls, tries=20)
    assert found.positives
    report = check_pass(cls(), profile="quick", stop_at_first=True)
    assert report.failures[0].prop == "values"
    assert report.failures[0].ops == 2


def test_a_rewrite_that_raises_is_a_finding() -> None:
    cls = made(rule("neg-scaled", node("Neg", node("Mul", x, const("k"))), raising))
    report = check_pass(cls(), profile="quick", stop_at_first=True)
    assert report.failures[0].prop == "ends"
    assert "LookupError: no luck" in report.failures[0].message
    assert report.failures[0].ops == 3  # the constant, too


def test_nodes_marked_to_stay_do_so() -> None:
    text = """
    ge.graph @g(%p: tensor<4xf32>) {
      %a = ge.Neg(%p) PINA : tensor<4xf32>
      %b = ge.Neg(%a) PINB : tensor<4xf32>
      ge.NetOutput(%b)
    }"""
    rules = [rule("neg-neg", node("Neg", node("Neg", x).absorb()), x)]
    pin = "{ge.attr.no_need_constant_folding = true}"
    for a, b, fires in (("", "", 1), (pin, "", 0), ("", pin, 0)):
        model = parse(text.replace("PINA", a).replace("PINB", b))
        assert apply_patterns(model.module, rules, PassContext())["neg-neg"] == fires
    assert check_pass(made(rules[0])(), profile="quick").ok


def test_rules_and_tables_say_what_their_pass_promises() -> None:
    contract = Contract(values="reassociates", grows=True)
    one = rule("neg-neg", node("Neg", node("Neg", x)), x, stage="fuse", contract=contract)
    cls = pattern_pass(one)
    assert (cls.name, cls.stage, cls.contract) == ("neg-neg", "fuse", contract)
    both = table("negs", one, waives={"locality": "for the test"}, contract=contract)
    cls = pattern_pass(both + table("more", over_square))
    assert (cls.stage, cls.contract) == ("", contract)
    assert cls.waives == {"locality": "for the test"}
    with pytest.raises(TypeError, match="'contrct' is none of stage, contract"):
        rule("neg-neg", node("Neg", node("Neg", x)), x, contrct=contract)


def test_a_template_may_stand_there_instead() -> None:
    right = rule("neg-neg", node("Neg", node("Neg", x)), make("Identity", x))
    assert check_pass(made(right)(), profile="quick").ok


def test_a_squared_negative_number_does_not_make_bounds_blind() -> None:
    text = """
    ge.graph @g(%x: tensor<4xf32>) {
      %two = ge.Const() {value = dense<2.0> : tensor<f32>} : tensor<f32>
      %p = ge.Pow(%x, %two) : tensor<4xf32>
      %a = ge.ReduceSumD(%p) {axes = [0], keep_dims = true} : tensor<1xf32>
      %y = ge.RealDiv(%x, %a) : tensor<4xf32>
      ge.NetOutput(%y)
    }"""
    given = np.array([-1.7, 0.3, -2.9, 4.1], "f")
    (bound,) = f64_bound(parse(text), [given]).outputs
    assert bound is not None
    plain = evaluate(parse(text), [given]).outputs
    ulps = (bound.radius / np.spacing(np.abs(plain[0]))).min()
    assert 12 < ulps < 100
    other = plain[0] * np.float32(1 + 6e-7)
    assert compare_values(plain, [other], "reassociates", bound=[bound]) is None


def test_instances_of_a_broadcast_product_with_ranks_given() -> None:
    scaled = node("Mul", x, const("g").rank(1)).commutative().named("mul")
    shape = node("BatchMatMulV2", scaled, const("w").rank(2))
    drawn = [g for seed in range(60) if (g := shape_instance(shape, seed)) is not None]
    assert len(drawn) >= 12
    types = [g.value_types()[g.steps[-1].operands()[0]] for g in drawn]
    assert {t.count("x") for t in types} >= {2, 3}  # axes of the product's input
    assert any("bf16" in str(g) and "f32" in str(g) for g in drawn)  # Mul promotes


def test_the_command_writes_reproducers_where_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "user_rules.py").write_text(
        "from passes.pattern_dsl import node, rule, value\n"
        "x = value('x')\n"
        "over_square = rule('sqrt-square', node('Sqrt', node('Square', x)), x)\n"
    )
    load = f"--load={tmp_path / 'user_rules.py'}"
    found = tmp_path / "found"
    words = ["--pipeline=sqrt-square", "--profile=quick", f"--folder={found}", load]
    assert main([*words, "--property=values"]) == 4
    text = capsys.readouterr().out
    assert "(changed 0" not in text
    command = shlex.split(text.partition("reproduce: ")[2].splitlines()[0])
    assert command[:3] == ["python", "-m", "passes.testing.check"]
    assert command[3] == str(found / "sqrt-square-values.mlir")
    assert main(command[3:]) == 4
    unload(tmp_path / "user_rules.py")
