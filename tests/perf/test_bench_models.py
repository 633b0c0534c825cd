"""The benchmarks of inference and of models run and print (figures are not judged here)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("onnx", reason="needs the extra ge-opt[onnx]")

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


def output(name: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / name), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_inference():
    shown = output("bench_infer.py", "--ops", "300", "--rounds", "1", "--skip-linear")
    assert "towers, ranks unknown" in shown
    assert "exported decoder" in shown


def test_models():
    shown = output("bench_models.py", "bert", "mobilenet_v2", "--rounds", "1")
    assert "bert: " in shown
    assert "as fast as the reference" in shown
