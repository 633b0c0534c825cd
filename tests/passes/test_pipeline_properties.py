"""Probes of IR properties, and the order they impose on `ge-default`."""

from __future__ import annotations

from pathlib import Path

import pytest

from ge_dialect.api import Model, load
from ge_dialect.diagnostics import GeError
from ge_dialect.ir.printer import print_module
from ge_dialect.ir.reader import parse_module
from passes.manager import run_pipeline
from passes.pipeline import parse_pipeline
from passes.properties import PROPERTIES, check_order
from passes.registry import pass_class, pass_names
from passes.stages import STAGE_NAMES
from passes.testing.seeded import random_spec

RAW = """\
ge.graph @g(%x: tensor<4xf32>) {
  %a = ge.Relu(%x) : tensor<4xf32>
  ge.NetOutput(%a)
}
"""


def held(text: str) -> set[str]:
    module = parse_module(text)
    return {name for name, known in PROPERTIES.items() if known.holds(module)}


def test_probes_of_a_raw_graph() -> None:
    found = held(RAW)
    assert {"graph", "shapes-known"} <= found
    assert not found & {"lowered", "normalized-io", "engines-claimed", "layouts-assigned"}
    assert not found & {"streams-assigned", "memory-planned"}


def test_unknown_dimensions_and_ranks() -> None:
    for unknown in ("tensor<?xf32>", "tensor<*xf32>"):
        assert "shapes-known" not in held(RAW.replace("tensor<4xf32>", unknown))


def test_normalized_io() -> None:
    text = """\
ge.graph @g(%x: tensor<4xf32>, %v: !ge.ref<tensor<4xf32>>) {
  %d = ge.Data(%x) {index = 0} : tensor<4xf32>
  %a = ge.Relu(%d) : tensor<4xf32>
  ge.NetOutput(%a)
}
"""
    assert "normalized-io" in held(text)
    assert "normalized-io" not in held(text.replace("Relu(%d)", "Relu(%x)"))


def test_engines_and_streams() -> None:
    text = RAW.replace("Relu(%x)", 'Relu(%x) {ge.engine = "AIcoreEngine"}')
    assert "engines-claimed" in held(text)
    assert "layouts-assigned" in held(text)
    assert "streams-assigned" not in held(text)
    assert "streams-assigned" in held(RAW.replace("Relu(%x)", "Relu(%x) {ge.stream = 0}"))


def test_an_empty_module_is_no_graph() -> None:
    assert not held("builtin.module {\n}\n") & {"graph", "lowered", "memory-planned"}


@pytest.mark.parametrize("name", pass_names())
def test_needs_are_refused_before_the_pass_runs(name: str) -> None:
    """A pass whose needs are not met on a raw graph is not started."""
    module = parse_module(RAW)
    needs = [n for n in pass_class(name).contract.requires if not PROPERTIES[n].holds(module)]
    if not needs:
        check_order(parse_pipeline(name).passes(), module)
        return
    with pytest.raises(GeError) as caught:
        check_order(parse_pipeline(name).passes(), module)
    assert [d.code for d in caught.value.diagnostics] == ["GX-405"] * len(needs)


def test_the_default_flow_is_in_order() -> None:
    check_order(parse_pipeline("ge-default").passes(), parse_module(RAW))


def test_a_stage_can_start_from_the_text_of_the_one_before() -> None:
    """What a stage establishes is found again in the printed IR."""
    from ge_dialect.ir.printer import print_module
    from passes.stages import STAGE_NAMES

    whole = parse_module(RAW)
    run_pipeline(whole, "ge-default")
    text = RAW
    for stage in STAGE_NAMES:
        module = parse_module(text)
        run_pipeline(module, stage)
        text = print_module(module, debuginfo=True)
    assert print_module(parse_module(text)) == print_module(whole)


EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.mlir"))


def compiled(text: str, weights, pipelines) -> str:
    """Text after the pipelines, each of which reads what the one before it has printed."""
    for pipeline in pipelines:
        model = Model(parse_module(text), weights)
        try:
            run_pipeline(model, pipeline)
        except GeError as error:
            return error.diagnostics[0].code
        text = print_module(model.module)
    return text


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_stages_one_by_one_from_their_text(path: Path) -> None:
    model = load(path)
    text = print_module(model.module)
    whole = compiled(text, model.weights, ["ge-default"])
    assert "rt.model" in whole
    assert compiled(text, model.weights, STAGE_NAMES) == whole


def test_stages_of_random_graphs_one_by_one_from_their_text() -> None:
    done = 0
    for seed in range(25):
        model = random_spec(seed).build()
        text = print_module(model.module)
        whole = compiled(text, model.weights, ["ge-default"])
        assert compiled(text, model.weights, STAGE_NAMES) == whole, seed
        done += "rt.model" in whole
    assert done > 10
