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


def growth(bench, micros: float, ratio: float):
    """Three rounds of a pass that takes so many us per node; one of them was disturbed."""
    found = bench._Growth()
    small = micros * bench.SMALL / 1e6
    found.small = [small] * 3
    found.large = [small * ratio, small * ratio, small * 100]
    return found


@pytest.mark.parametrize(
    ("measure", "micros", "checked"),
    [("used", 0.1, True), ("cold", 0.1, True), ("alone", 0.1, False), ("alone", 9.0, True)],
)
@pytest.mark.parametrize("ratio", [10.0, 13.0])
def test_what_is_checked_fails_above_the_limit(bench, capsys, measure, micros, checked, ratio):
    found = {name: {"cse": growth(bench, micros, 10.0)} for name in ("used", "cold", "alone")}
    found[measure] = {"cse": growth(bench, micros, ratio)}
    assert bench._linearity(found) == (checked and ratio > bench.LINEAR)
    assert f"{ratio:.1f}x" in capsys.readouterr().out


def test_the_control_and_larger_graphs_are_shown_only(bench, capsys):
    slow = growth(bench, 9.0, 50.0)
    steady = growth(bench, 9.0, 10.0)
    found = {
        "used": {"cse": steady},
        "alone": {"cse": steady, bench.CONTROL: slow},
        "200k/20k": {"cse": slow},
    }
    assert not bench._linearity(found)
    assert "50.0x-" in capsys.readouterr().out


def test_passes_run_in_turn_on_one_graph(bench):
    seen: list[str] = []
    works = {"a": lambda m: m.append("a"), "b": lambda m: seen.extend([*m, "b"])}
    times = bench._in_turn(works, list, False)
    assert seen == ["a", "b"]
    assert list(times) == ["a", "b"]
    assert min(times.values()) >= 0
