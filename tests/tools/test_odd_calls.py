"""Calls of the Python functions that nobody makes on purpose: an error that says what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ge_dialect import evaluate, load
from ge_dialect.api import Model, parse
from ge_dialect.diagnostics import GeError
from passes import run_pipeline
from runtime import simulate

NET = """\
ge.graph @g(%x: tensor<4xf32>) {
  %y = ge.Relu(%x) : tensor<4xf32>
  %yes = ge.Neg(%y) : tensor<4xf32>
  ge.NetOutput(%yes)
}
"""
X = np.array([-1, 2, -3, 4], np.float32)
RUNS: tuple[Callable[..., Any], ...] = (
    evaluate,
    simulate,
    lambda model, inputs, **options: simulate(model, inputs, mode="eager", **options),
)


@pytest.fixture
def net() -> Model:
    """A small model."""
    return parse(NET)


@pytest.mark.parametrize("run", RUNS, ids=["golden", "graph", "eager"])
def test_inputs_in_every_form(net: Model, run: Callable[..., Any]) -> None:
    wanted = [0, -2, 0, -4]
    for given in (
        [X],
        {"x": X},
        [[-1, 2, -3, 4]],
        [(-1.0, 2.0, -3.0, 4.0)],
        [np.repeat(X, 2)[::2]],
        (x for x in [X]),
    ):
        assert run(net, given).outputs[0].tolist() == wanted


@pytest.mark.parametrize("run", RUNS, ids=["golden", "graph", "eager"])
@pytest.mark.parametrize(
    "given",
    [
        None,
        [],
        [X, X],
        X,
        {"y": X},
        {0: X},
        [["a", "b", "c", "d"]],
        [[1, [2], 3, 4]],
        [3.0],
        [X.astype(np.float64)],
        [X.astype(">f4")],
        [[object()] * 4],
    ],
)
def test_inputs_that_do_not_fit(net: Model, run: Callable[..., Any], given: Any) -> None:
    with pytest.raises(GeError, match=r"GX-246|GX-602|GX-603"):
        run(net, given)


@pytest.mark.parametrize("run", RUNS, ids=["golden", "graph", "eager"])
def test_one_kept_name_is_no_set_of_letters(net: Model, run: Callable[..., Any]) -> None:
    assert set(run(net, [X], keep="yes").values) == {"yes"}
    assert set(run(net, [X], keep=["y"]).values) == {"y"}
    assert {"y", "yes"} <= set(run(net, [X], keep="all").values)


@pytest.mark.parametrize("run", RUNS, ids=["golden", "graph", "eager"])
def test_a_name_to_keep_that_no_node_has(net: Model, run: Callable[..., Any]) -> None:
    for keep, unknown in (("yess", ["yess"]), (["y", "z", "yess"], ["yess", "z"]), ({""}, [""])):
        with pytest.raises(GeError) as refused:
            run(net, [X], keep=keep)
        said = refused.value.diagnostics
        assert [(d.code, d.found) for d in said] == [("GX-255", repr(n)) for n in unknown]
        assert all(d.expected for d in said)
        if "yess" in unknown:
            assert said[0].hint == "did you mean 'yes'?"
    assert not run(net, [X], keep=[]).values


def test_one_pass_to_leave_out(net: Model) -> None:
    report = run_pipeline(net, "prune,cse", disable="prune")
    assert "prune" not in report.counters()
    with pytest.raises(GeError, match="'prnue'"):
        run_pipeline(net, "prune", disable="prnue")


def test_what_is_no_pipeline(net: Model) -> None:
    for given in (None, 3, ["cse", 3]):
        with pytest.raises(TypeError, match="a pipeline is text, passes or a list"):
            run_pipeline(net, given)  # type: ignore[arg-type]


@pytest.mark.parametrize("depth", [9, -1, "x"])
def test_queues_that_no_host_has(net: Model, depth: Any) -> None:
    with pytest.raises(ValueError, match="host_queue"):
        simulate(net, [X], mode="eager", host_queue=depth)


def test_paths_in_every_form(tmp_path: Path) -> None:
    (tmp_path / "net.mlir").write_text(NET)
    name = str(tmp_path / "net.mlir")
    for path in (name, Path(name), name.encode()):
        assert load(path).text() == NET  # type: ignore[arg-type]
    for path in ("a\0b", b"nope", "", tmp_path):
        with pytest.raises(GeError, match="GX-001"):
            load(path)  # type: ignore[arg-type]
