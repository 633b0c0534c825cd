"""Every decision in the inference rules of operators is taken otherwise, and that shows in runs."""

from __future__ import annotations

import sys

import pytest

from passes.testing.inference import families, mutate_inference
from passes.testing.mutation import score

LEAST = 0.95


@pytest.mark.parametrize(
    "seeds",
    [pytest.param(8, marks=pytest.mark.full), pytest.param(80, marks=pytest.mark.nightly)],
)
def test_wrong_inference_is_found(seeds):
    verdicts = [
        v for module, ops in families().items() for v in mutate_inference(module, ops, seeds)
    ]
    killed, counted = score(verdicts)
    left = "\n".join(str(v.mutant) for v in verdicts if v.survives)
    sys.stdout.write(f"\n{killed} of {counted} mutants of inference killed; left:\n{left}\n")
    assert counted > 500
    assert killed >= LEAST * counted


def test_the_machinery_on_one_family():
    (found,) = [v for v in mutate_inference("ge_dialect.ops.pooling", ["MaxPool"], 6)
                if v.killed_by == "values"][:1]  # fmt: skip
    assert found.mutant.how in ("drop", "never")
    assert found.graph is not None
