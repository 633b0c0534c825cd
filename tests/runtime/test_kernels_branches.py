"""The kernel of MapIndex against the golden function."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np

_spec = importlib.util.spec_from_file_location(
    "kernels_golden", Path(__file__).with_name("test_kernels_golden.py")
)
assert _spec is not None
assert _spec.loader is not None
_golden = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_golden)


def test_map_index():
    rng = np.random.default_rng(0)
    for _ in range(20):
        table = rng.integers(0, 2, 8).astype(np.int32)
        x, levels = rng.integers(0, 2, 2).astype(np.int32), np.arange(9, 5, -1, dtype=np.int32)
        _golden.check("MapIndex", [x, table, None])
        _golden.check("MapIndex", [x, table, levels])
