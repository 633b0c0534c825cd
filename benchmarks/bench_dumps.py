"""Speed of GE's dumps: reading, importing and exporting 1.4 MB of protobuf text.

CPU seconds, best of several, in a warm process. With ``--check`` the exit status says whether the
figures of the project hold (times a slack for slower machines).

    python benchmarks/bench_dumps.py --check
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from dumpgen import dump_text

from ge_dialect.tools.arguments import amount, number

#: CPU seconds that a step may take.
WANTED = {"reader": 0.2, "import": 0.6, "export": 0.4}


def best(work: Callable[[], object], rounds: int) -> float:
    """Best CPU time of `work`."""
    found = float("inf")
    for _ in range(rounds):
        gc.collect()
        start = time.process_time()
        work()
        found = min(found, time.process_time() - start)
    return found


def main() -> int:
    """Measure and print; 1 where --check was asked for and a figure does not hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--rounds", type=number, default=5)
    parser.add_argument("--slack", type=amount, default=1.0)
    args = parser.parse_args()

    from ge_dialect.exporters.ge_dump import export_dump
    from ge_dialect.importers.ge_dump import import_dump
    from ge_dialect.importers.ge_message import Source
    from ge_dialect.importers.ge_text import read_text

    text = dump_text()
    model = import_dump(text)
    written = export_dump(model)
    times = {
        "reader": best(lambda: read_text(Source(text, "x"), "ModelDef"), args.rounds),
        "import": best(lambda: import_dump(text), args.rounds),
        "export": best(lambda: export_dump(model), args.rounds),
    }
    nodes = sum(1 for _ in model.graphs[0].body.ops)
    print(f"{len(text) / 1e6:.2f} MB, {nodes} nodes, written again {len(written) / 1e6:.2f} MB")
    good = len(written) == len(text)
    for step, seconds in times.items():
        limit = WANTED[step] * args.slack
        good = good and seconds <= limit
        print(f"{step:8} {seconds:6.3f} s  (at most {limit:.2f})")
    return int(args.check and not good)


if __name__ == "__main__":
    sys.exit(main())
