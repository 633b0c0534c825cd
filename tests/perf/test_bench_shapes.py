"""Nothing in the compile flow takes time that grows with the square of a graph."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ge_dialect.api import parse

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import bench_shapes

    yield bench_shapes
    for name in ("bench_shapes", "shapes"):
        sys.modules.pop(name, None)


def names():
    """The shapes of the benchmark, one test for each."""
    sys.path.insert(0, str(BENCHMARKS))
    try:
        from shapes import SHAPES
    finally:
        sys.path.pop(0)
    return list(SHAPES)


SHAPES = names()


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_have_the_size_asked_for(bench, shape):
    counts = []
    for n in (5, 50):
        module = parse(bench.SHAPES[shape](n)).module
        counts.append(sum(1 for op in module.walk()))
    assert counts[1] - counts[0] >= 45


def test_a_step_that_is_too_slow_fails(bench, monkeypatch, capsys):
    square = bench.Step("square", 0.001, 0.1)
    short = bench.Step("short", 0.00001, 0.001)
    linear = bench.Step("linear", 0.001, 0.014)
    monkeypatch.setattr(sys, "argv", ["bench_shapes.py", "--check", "--shape", "fan"])
    for found, status in ([short, linear], 0), ([short, linear, square], 1):
        monkeypatch.setattr(bench, "steps", lambda *_, found=found: found)
        assert bench.main() == status
        out = capsys.readouterr().out
        assert ("square" in out) == bool(status)
        assert "short" not in out


@pytest.mark.full
@pytest.mark.parametrize("shape", SHAPES)
def test_ten_times_the_nodes(bench, shape):
    for step in bench.steps(shape, 200, 2):
        assert step.growth < 2 * bench.LIMIT or not step.judged, step
