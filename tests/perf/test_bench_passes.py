"""The benchmark of passes runs, and judges growth as it says (the figures are not judged here)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parents[2] / "benchmarks" / "bench_passes.py"


def test_it_runs() -> None:
    done = subprocess.run(
        [sys.executable, str(BENCH), "--ops", "300", "--rounds", "1", "--skip-linear"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "cse" in done.stdout
    assert "fusion patterns" in done.stdout


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH.parent))
    import bench_passes

    return bench_passes


@pytest.fixture
def growth(bench):
    """The module that measures growth; it stands beside the benchmark."""
    import growth

    return growth


def grown(growth, ratio: float):
    """Three rounds of a pass; one of them was disturbed."""
    return growth.Growth([0.002] * 3, [0.002 * ratio, 0.002 * ratio, 0.2])


@pytest.mark.parametrize(
    ("measure", "checked"), [("alone", True), ("used", True), ("chained", False)]
)
@pytest.mark.parametrize("ratio", [10.0, 13.0])
def test_what_is_checked_fails_above_the_limit(bench, growth, capsys, measure, checked, ratio):
    found = {name: {"cse": grown(growth, 10.0)} for name in ("alone", "used", "chained")}
    found[measure] = {"cse": grown(growth, ratio)}
    assert bench._linearity(found) == (checked and ratio > bench.LINEAR)
    assert f"{ratio:.1f}x" in capsys.readouterr().out


def test_the_control_and_larger_graphs_are_shown_only(bench, growth, capsys):
    slow = grown(growth, 50.0)
    steady = grown(growth, 10.0)
    found = {
        "alone": {"cse": steady, growth.CONTROL: slow},
        "used": {"cse": steady},
        "200k/20k": {"cse": slow},
    }
    assert not bench._linearity(found)
    assert "50.0x-" in capsys.readouterr().out


def test_every_pass_of_the_library_is_timed_on_a_text_of_its_own_place(growth):
    texts = growth.texts(100)
    assert growth.CONTROL in texts
    assert {"prune", "common-subexpression-elimination", *growth.LATE} <= set(texts)
    assert "ge.stream" not in texts["stream-assignment"]
    assert "ge.stream" in texts["event-insertion"]
    assert "ge.events_inserted" in texts["memory-plan"]


def test_growth_is_measured_round_by_round(growth):
    texts = growth.texts(100)
    small, large = texts["prune"], growth.texts(200)["prune"]
    for used in (False, True):
        found = growth.grown("prune", small, large, 2, used=used)
        assert [len(times) for times in found] == [2, 2]
        assert min(found.small + found.large) > 0


def test_chained_passes_run_in_turn_on_one_graph(growth):
    text = growth.texts(100)["topological-order"]
    found = growth.chained(["topological-order", "stream-assignment"], text, text, 2)
    assert list(found) == ["topological-order", "stream-assignment"]
    assert [len(times) for one in found.values() for times in one] == [2, 2, 2, 2]
