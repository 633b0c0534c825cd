"""Decisions of the passes that plan and lower a build are judged on the simulated device.

What a plan does shows only when it runs: the whole pipeline `build` is one subject here, and a
mutant of any of its passes is killed by a wrong value, print or variable, a race or a refusal of
the machine, by an invalid or wasteful plan (`passes.testing.properties.plan`), or by the example of
a pass. What is left is listed with its reason, or printed: graphs of this size do not reach it.
"""

from __future__ import annotations

import sys

import pytest

from ge_dialect.api import parse
from passes.testing.graphs import Profile
from passes.testing.mutation import mutate_pass, score
from passes.testing.spec import GraphSpec

#: A copy behind a task of the second stream, one before, and one of an input: rare in drawn graphs.
COPIES = """
ge.graph @g(%x: tensor<4x4xf32>, %y: tensor<4x4xi1>) {
  %a = ge.Relu(%x) : tensor<4x4xf32>
  %b = ge.Add(%y, %y) : tensor<4x4xi1>
  %c = ge.MemcpyAsync(%b) : tensor<4x4xi1>
  %d = ge.MemcpyAsync(%c) : tensor<4x4xi1>
  %e = ge.MemcpyAsync(%y) : tensor<4x4xi1>
  %f = ge.Add(%e, %e) : tensor<4x4xi1>
  ge.NetOutput(%a, %d, %f)
}
"""
#: Survivors with the reason why nothing can or need notice them.
EQUAL = {
    "_clique: never 'i in candidates'": "a smaller lower bound is still one; more places are tried",
}
#: So many of the mutants that change a result are found.
LEAST = 0.95
SMALL = Profile("build", 24, 8, 40, 6, 1, 60, 40, 0, 1, 0.0)
LARGE = Profile("build", 300, 100, 300, 60, 1, 60, 40, 0, 1, 0.0)


@pytest.fixture
def another_order(on_device):
    """Runs a compiled model on the simulated device under another legal order of tasks."""
    return lambda model, inputs: on_device(model, inputs, "adversarial:1")


@pytest.mark.parametrize(
    "profile",
    [
        pytest.param(SMALL, marks=pytest.mark.full, id="small"),
        pytest.param(LARGE, marks=pytest.mark.nightly, id="large"),
    ],
)
def test_wrong_plans_are_found(profile, another_order):
    copies = GraphSpec.from_model(parse(COPIES))
    corpus, verdicts = mutate_pass(
        "build", profile, graphs=[copies], source=True, executor=another_order
    )
    killed, counted = score(verdicts)
    lines = [str(v.mutant) for v in verdicts if v.survives]
    unequal = [line for line in lines if line.removeprefix("build/") not in EQUAL]
    left = "\n".join(unequal)
    sys.stdout.write(f"\n{killed} of {counted} mutants of the build killed; left:\n{left}\n")
    assert len(corpus.entries) > 40
    assert counted > 150
    assert killed >= LEAST * counted
