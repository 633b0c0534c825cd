"""What every pass on graphs must hold, on random graphs.

The IR verifies, values are as the contract says, the outcome is reported truthfully, a second run
changes nothing, and runs are reproducible.
"""

from __future__ import annotations

import numpy as np
import pytest

from ge_dialect.ir.printer import print_module
from ge_dialect.ir.verifier import verify
from ge_dialect.semantics import evaluate_graph
from passes.context import PassContext
from passes.pipeline import parse_pipeline
from passes.registry import PASSES, pass_class

SEEDS = range(40)
MORE_SEEDS = range(40, 400)
OURS = [
    name
    for name, target in PASSES.items()
    if target.startswith(("passes.prepare", "passes.fuse", "passes.stage1"))
]
#: Passes with contract "reassociates" may move values by rounding.
TOLERANCE = 1e-5


def text(model) -> str:
    return print_module(model.module, debuginfo=True)


def run(name: str, model):
    ctx = PassContext(weights=model.weights)
    result = pass_class(name)().run(model.module, ctx)
    assert not ctx.sink.errors, ctx.sink.errors[0].render()
    return result


def outcome(model, inputs):
    result = evaluate_graph(model.graphs[0], inputs, model.weights)
    return result.outputs, [t for _, t in result.state.printed]


def assert_same(before, after, exact: bool) -> None:
    assert before[1] == after[1], "prints changed"
    assert len(before[0]) == len(after[0])
    for a, b in zip(before[0], after[0], strict=True):
        assert a.shape == b.shape
        assert a.dtype == b.dtype
        if exact:
            assert a.tobytes() == b.tobytes()
        else:
            bound = TOLERANCE * max(1.0, float(np.abs(a.astype(np.float64)).max(initial=0)))
            assert np.abs(a.astype(np.float64) - b.astype(np.float64)).max(initial=0) <= bound


@pytest.mark.parametrize("name", OURS)
def test_a_pass_keeps_its_promises(name, random_model, random_inputs):
    check_pass(name, random_model, random_inputs, SEEDS)


@pytest.mark.full
@pytest.mark.parametrize("name", OURS)
def test_a_pass_keeps_its_promises_on_more_graphs(name, random_model, random_inputs):
    check_pass(name, random_model, random_inputs, MORE_SEEDS)


def check_pass(name, random_model, random_inputs, seeds) -> None:
    exact = pass_class(name).contract.values == "exact"
    changed = 0
    for seed in seeds:
        model = random_model(seed, convolutions=not exact)
        assert not verify(model.module), seed
        before_text, inputs = text(model), random_inputs(seed)
        before = outcome(model, inputs)

        result = run(name, model)
        problems = verify(model.module)
        assert not problems, (seed, problems[0].render())
        after_text = text(model)
        assert result.changed == (after_text != before_text), f"seed {seed}: changed is untrue"
        assert_same(before, outcome(model, inputs), exact)
        if not pass_class(name).contract.grows:
            assert ops(model) <= ops_of_text(before_text), seed

        again = run(name, model)
        assert not again.changed, (seed, again.counters)
        assert text(model) == after_text

        other = random_model(seed, convolutions=not exact)
        run(name, other)
        assert text(other) == after_text, "two runs differ"
        changed += result.changed
    if pass_class(name).contract.reads_only or name == "func-to-graph":  # it changes functions
        assert not changed
        return
    assert changed, f"no graph made {name} do anything"


def ops(model) -> int:
    return sum(1 for _ in model.module.walk())


def ops_of_text(source: str) -> int:
    from ge_dialect.ir.reader import parse_module

    return sum(1 for _ in parse_module(source).walk())


@pytest.mark.parametrize("pipeline", ["prepare", "prepare,fuse,stage1,stage2"])
def test_stages_keep_values(pipeline, random_model, random_inputs):
    check_stages(pipeline, random_model, random_inputs, SEEDS)


@pytest.mark.full
def test_stages_keep_values_on_more_graphs(random_model, random_inputs):
    check_stages("prepare,fuse,stage1,stage2", random_model, random_inputs, MORE_SEEDS)


def check_stages(pipeline, random_model, random_inputs, seeds) -> None:
    passes = [item.name for item in parse_pipeline(pipeline).passes()]
    for seed in seeds:
        model, inputs = random_model(seed, convolutions=True), random_inputs(seed)
        before = outcome(model, inputs)
        for name in passes:
            run(name, model)
            problems = verify(model.module)
            assert not problems, (seed, name, problems[0].render())
        assert_same(before, outcome(model, inputs), exact=False)
