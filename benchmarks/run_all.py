"""Run every benchmark and print its table: `python benchmarks/run_all.py [--check]`.

Each `bench_*.py` beside this file measures ratios in one run (CPU time, one BLAS thread, several
rounds, interleaved) and takes `--check` to exit 1 where a figure is missed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> int:
    env = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    missed: list[str] = []
    for bench in sorted(HERE.glob("bench_*.py")):
        print(f"== {bench.stem}", flush=True)
        run = subprocess.run([sys.executable, str(bench), *sys.argv[1:]], env=env, check=False)
        if run.returncode:
            missed.append(bench.stem)
    if missed:
        print("missed: " + ", ".join(missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
