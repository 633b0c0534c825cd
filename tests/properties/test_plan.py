"""The property of compiled models, on plans spoilt by hand."""

from __future__ import annotations

import pytest

from ge_dialect.api import parse
from ge_dialect.rt.view import read_model
from passes.manager import run_pipeline
from passes.testing.properties import plan

GRAPH = """
ge.graph @g(%x: tensor<4x4xf32>, %y: tensor<4x4xi1>) {
  %w = ge.Const() {value = dense<2.0> : tensor<4x4xf32>} : tensor<4x4xf32>
  %a = ge.Relu(%x) : tensor<4x4xf32>
  %b = ge.Mul(%a, %w) : tensor<4x4xf32>
  %c = ge.Cast(%b) {dst_type = 12} : tensor<4x4xi1>
  %d = ge.Add(%y, %c) : tensor<4x4xi1>
  %e = ge.MemcpyAsync(%d) : tensor<4x4xi1>
  %f = ge.Add(%e, %d) : tensor<4x4xi1>
  ge.NetOutput(%f)
}
"""
CHECKS = (plan._engines, plan._places, plan._events, plan._arena)


@pytest.fixture(scope="module")
def text() -> str:
    model = parse(GRAPH)
    run_pipeline(model, "ge-default")
    return model.text()


def wrong(text: str) -> list[str]:
    p = plan._Plan(read_model(parse(text).module, check=False))
    return [found for check in CHECKS if (found := check(p)) is not None]


def test_a_plan_of_ours_is_right(text):
    assert wrong(text) == []
    assert "rt.memcpy" in text
    assert "event_wait" in text


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("arena_bytes = 1024", "arena_bytes = 1536", "1536 bytes, of which 1024 are used"),
        ("output_bytes = 512", "output_bytes = 1024", "of output"),
        ("weight[0]", "weight[512]", "weight[0]"),
        ("rt.output 0 \"f\" = output[0] : tensor<4x4xi1> zero_copy",
         "rt.output 0 \"f\" = output[0] : tensor<4x4xi1>", "not written straight"),
        ("on DNN_VM_AICPU", "on AIcoreEngine", "runs on a stream of DNN_VM_AICPU"),
        ("on DNN_VM_AICPU", "on DNN_VM_RTS", "is a kernel"),
    ],
)  # fmt: skip
def test_what_is_wasted_or_wrong_is_said(text, old, new, said):
    assert old in text, text
    (first, *_) = wrong(text.replace(old, new))
    assert said in first
