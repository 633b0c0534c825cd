"""Decisions of the passes that plan and lower a build are judged on the simulated device.

What a plan does shows only when it runs: the whole pipeline `build` is one subject here, and a
mutant of any of its passes is killed by a wrong value, a race or a refusal of the machine, by an
invalid result, or by the example of a pass. What is left either plans worse, not wrongly (more
events, less reuse of memory), or is not reached by graphs of this size; it is printed.
"""

from __future__ import annotations

import sys

import pytest

from passes.testing.graphs import Profile
from passes.testing.mutation import mutate_pass, score

#: So many of the mutants that change a result are found.
LEAST = 0.8
SMALL = Profile("build", 24, 8, 40, 6, 1, 60, 40, 0, 1, 0.0)
LARGE = Profile("build", 300, 100, 300, 60, 1, 60, 40, 0, 1, 0.0)


def simulated(model, inputs):
    """Outputs, prints and final variables of a compiled model on the simulated device, under
    another legal order of tasks."""
    from passes.testing.observe import Observed
    from runtime.loaded import load_model
    from runtime.scheduler import parse_schedule

    loaded = load_model(model.module, model.weights)
    run = loaded.run(list(inputs), schedule=parse_schedule("adversarial:1"))
    return Observed(run.outputs, run.output_names, run.printed, loaded.variables())


@pytest.mark.parametrize(
    "profile",
    [
        pytest.param(SMALL, marks=pytest.mark.full, id="small"),
        pytest.param(LARGE, marks=pytest.mark.nightly, id="large"),
    ],
)
def test_wrong_plans_are_found(profile):
    corpus, verdicts = mutate_pass("build", profile, source=True, executor=simulated)
    killed, counted = score(verdicts)
    left = "\n".join(str(v.mutant) for v in verdicts if v.survives)
    sys.stdout.write(f"\n{killed} of {counted} mutants of the build killed; left:\n{left}\n")
    assert len(corpus.entries) > 40
    assert counted > 150
    assert killed >= LEAST * counted
