"""Golden runs have limits: loops end, and what is too large is refused before it is made."""

from __future__ import annotations

import time

import numpy as np
import pytest

from ge_dialect.api import evaluate, parse
from ge_dialect.diagnostics import GeError
from ge_dialect.ir.graph import find_ops
from ge_dialect.semantics import Budget, apply_op, fold_op, limited
from ge_dialect.semantics.budget import DEFAULT

SMALL = Budget(array_bytes=1 << 20, steps=200)

ENDLESS = """ge.graph @g(%x: tensor<i32>) {
  %w = ge.While(%x) : tensor<i32> cond(%a) {
    %one = ge.Const() {value = dense<1> : tensor<i32>} : tensor<i32>
    %c = ge.Equal(%one, %one) : tensor<i1>
    ge.NetOutput(%c)
  } body(%a) {
    ge.NetOutput(%a)
  }
  ge.NetOutput(%w)
}"""


def refusal(run) -> tuple[str, str | None]:
    start = time.process_time()
    with pytest.raises(GeError) as caught:
        run()
    assert time.process_time() - start < 5
    (diagnostic,) = caught.value.diagnostics
    return diagnostic.code, diagnostic.node


def test_a_loop_that_does_not_end_is_a_diagnostic_at_the_loop():
    model = parse(ENDLESS)
    code, node = refusal(lambda: evaluate(model, [np.asarray(0, np.int32)], budget=SMALL))
    assert code == "GX-249"
    assert node is not None
    assert node.startswith("w")


def test_there_is_a_budget_of_steps_without_asking():
    assert DEFAULT.steps == 1_000_000
    assert DEFAULT.array_bytes is None


def test_a_step_takes_so_little_that_an_endless_loop_is_found_in_time():
    """A few calls of numpy, of which a million take under a second on a usual machine."""
    count, one = 50_000, np.asarray(1, np.int32)
    start = time.process_time()
    for _ in range(count):
        np.equal(one, one)
    called = time.process_time()
    with pytest.raises(GeError, match="GX-249"):
        evaluate(parse(ENDLESS), [np.asarray(0, np.int32)], budget=Budget(steps=count))
    assert time.process_time() - called < 40 * (called - start)


def test_a_loop_within_the_budget_runs():
    text = ENDLESS.replace("ge.Equal(%one, %one)", "ge.Less(%a, %one)").replace(
        "body(%a) {", "body(%a) {\n    %two = ge.Const() {value = dense<1> : tensor<i32>} : "
        "tensor<i32>\n    %b = ge.Add(%a, %two) : tensor<i32>",
    ).replace("    ge.NetOutput(%a)", "    ge.NetOutput(%b)")  # fmt: skip
    found = evaluate(parse(text), [np.asarray(-20, np.int32)], budget=SMALL)
    assert found.outputs[0] == 1


def test_a_size_that_only_a_value_tells_is_looked_at_before_the_run():
    text = """ge.graph @g(%n: tensor<i32>) {
      %zero = ge.Const() {value = dense<0> : tensor<i32>} : tensor<i32>
      %one = ge.Const() {value = dense<1> : tensor<i32>} : tensor<i32>
      %r = ge.Range(%zero, %n, %one) : tensor<?xi32>
      ge.NetOutput(%r)
    }"""
    model = parse(text)
    assert refusal(lambda: evaluate(model, [np.asarray(2**31 - 1, np.int32)], budget=SMALL)) == (
        "GX-248",
        "r",
    )
    assert evaluate(model, [np.asarray(5, np.int32)], budget=SMALL).outputs[0].shape == (5,)


def test_what_a_formula_makes_on_the_way_counts():
    """Windows far apart: the result is small, the padded data is not."""
    x, w = np.zeros((1, 1, 2, 2), np.float32), np.zeros((1, 1, 2, 2), np.float32)
    far = {"strides": (1, 1, 10**7, 1), "pads": (10**7, 10**7, 0, 0), "data_format": "NCHW"}
    with limited(SMALL):
        code, _ = refusal(lambda: apply_op("Conv2D", [x, w], far))
    assert code == "GX-248"


def test_results_of_folding_and_of_single_operators_count():
    with limited(SMALL):
        code, _ = refusal(lambda: apply_op("Tile", [np.zeros(8, np.float32), np.array([1 << 20])]))
        assert code == "GX-248"
        model = parse(
            "ge.graph @g() {\n  %v = ge.Const() {value = dense<1.0> : tensor<f32>} : tensor<f32>\n"
            "  %d = ge.Const() {value = dense<[4096, 4096]> : tensor<2xi32>} : tensor<2xi32>\n"
            "  %f = ge.Fill(%d, %v) : tensor<4096x4096xf32>\n  ge.NetOutput(%f)\n}"
        )
        (op,) = find_ops(model.module, ("ge.Fill",))
        args = [np.array([4096, 4096], np.int32), np.float32(1)]
        assert refusal(lambda: fold_op(op, args)) == ("GX-248", "f")
