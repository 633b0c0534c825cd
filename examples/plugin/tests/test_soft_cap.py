"""Tests of the plug-in: everything is found by name, as a user of it would."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ge_dialect.api import evaluate, parse
from ge_dialect.ir.verifier import verify
from passes import run_pipeline
from passes.testing.check import check_pass
from passes.testing.contract_test import PassContractTest
from runtime.api import simulate

TEXT = """
ge.graph @g(%x: tensor<2x3xTYPE>) {
  %y = ge.SoftCap(%x) {cap = CAP} : tensor<2x3xTYPE>
  ge.NetOutput(%y)
}
"""
X = np.array([[0, 1, -1], [30, -300, np.inf]], np.float32)


class TestSoftCapFusion(PassContractTest):
    """Every property of the pass, on its examples and on generated graphs."""

    subject = "soft-cap-fusion"
    profile = "quick"


@pytest.mark.parametrize("name", ["soft-cap-odd", "soft-cap-split", "drop-second-abs"])
def test_properties(name: str) -> None:
    """The same in one line."""
    check_pass(name, profile="quick").raise_if_failed()


def model(dtype: str = "f32", cap: str = "30.0") -> Any:
    return parse(TEXT.replace("TYPE", dtype).replace("CAP", cap))


def test_meaning() -> None:
    (y,) = evaluate(model(), [X]).outputs
    assert np.allclose(y, 30 * np.tanh(X / 30), rtol=1e-6)
    assert np.abs(y).max() == 30


def test_rule() -> None:
    (problem,) = verify(model(cap="-1.0").module)
    assert "cap must be positive" in problem.message


@pytest.mark.parametrize("dtype", ["f32", "f16"])
def test_device(dtype: str) -> None:
    """The kernel agrees with the golden meaning, compiled and run op by op."""
    x = X.astype(np.float16 if dtype == "f16" else np.float32)
    (wanted,) = evaluate(model(dtype), [x]).outputs
    found = simulate(model(dtype), [x])
    assert np.allclose(found.outputs[0], wanted, rtol=1e-3 if dtype == "f16" else 1e-6)
    (task,) = [t for t in found.timeline.tasks if t.op_type == "SoftCap"]
    assert task.task_type == "AI_CORE"


def test_onnx() -> None:
    onnx = pytest.importorskip("onnx")
    from ge_dialect.importers.onnx import import_onnx

    helper, kind = onnx.helper, onnx.TensorProto.FLOAT
    node = helper.make_node("SoftCap", ["x"], ["y"], domain="com.example", cap=50.0)
    values = [helper.make_tensor_value_info(n, kind, [2, 3]) for n in "xy"]
    graph = helper.make_graph([node], "g", values[:1], values[1:])
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.example", 1)]
    found = import_onnx(helper.make_model(graph, opset_imports=opsets))
    assert "ge.SoftCap(%x) {cap = 50.0}" in found.text()


def test_pipeline() -> None:
    found = parse(
        """
ge.graph @g(%x: tensor<2x3xf32>) {
  %c = ge.Const() {value = dense<30.0> : tensor<f32>} : tensor<f32>
  %d = ge.RealDiv(%x, %c) : tensor<2x3xf32>
  %t = ge.Tanh(%d) : tensor<2x3xf32>
  %y = ge.Mul(%t, %c) : tensor<2x3xf32>
  ge.NetOutput(%y)
}
"""
    )
    run_pipeline(found, "soft-cap-flow")
    assert found.text().count(" = ge.") == 1
