"""The kernel of MapIndex against the golden function."""

from __future__ import annotations

import numpy as np

from tests.runtime import test_kernels_golden as _golden


def test_map_index():
    rng = np.random.default_rng(0)
    for _ in range(20):
        table = rng.integers(0, 2, 8).astype(np.int32)
        x, levels = rng.integers(0, 2, 2).astype(np.int32), np.arange(9, 5, -1, dtype=np.int32)
        _golden.check("MapIndex", [x, table, None])
        _golden.check("MapIndex", [x, table, levels])
