"""Kernels of ONNX's LSTM and GRU against the golden functions."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from tests.runtime.test_kernels_golden import check


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16, np.float64])
def test_layers(dtype):
    rng = np.random.default_rng(0)

    def draw(*shape):
        return rng.uniform(-1, 1, shape).astype(dtype)

    for direction, d in (("forward", 1), ("reverse", 1), ("bidirectional", 2)):
        x, lengths = draw(4, 3, 2), np.array([4, 0, 2], np.int32)
        attrs = {"hidden_size": 5, "direction": direction, "clip": 0.7}
        args = [x, draw(d, 20, 2), draw(d, 20, 5), draw(d, 40), lengths]
        args += [draw(d, 3, 5), draw(d, 3, 5), draw(d, 15)]
        check("CommonLSTM", args, attrs, out=[dtype] * 3)
        check("CommonLSTM", [*args[:3], *[None] * 5], attrs, out=[dtype] * 3)
        args = [x, draw(d, 15, 2), draw(d, 15, 5), draw(d, 30), lengths, draw(d, 3, 5)]
        for before in (0, 1):
            attrs["linear_before_reset"] = before
            check("CommonGRU", args, attrs, out=[dtype] * 2)
        check("CommonGRU", [*args[:3], None, None, None], attrs, out=[dtype] * 2)
