"""The benchmark of passes runs and prints its table (figures are not judged here)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parents[2] / "benchmarks" / "bench_passes.py"


def test_it_runs():
    done = subprocess.run(
        [sys.executable, str(BENCH), "--ops", "300", "--rounds", "1", "--skip-linear"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "cse" in done.stdout
    assert "fusion patterns" in done.stdout
