"""Kernels of recurrent layers against the golden functions."""

from __future__ import annotations

import numpy as np
import pytest

from tests.runtime.test_kernels_golden import check

F32 = np.float32


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_layers(dtype):
    rng = np.random.default_rng(0)

    def draw(*shape, kind=dtype):
        return rng.uniform(-1, 1, shape).astype(kind)

    x, w, b = draw(4, 3, 5), draw(11, 24), draw(24, kind=F32)
    h, c = draw(1, 3, 6), draw(3, 6)
    mask = (rng.random((4, 3, 6)) < 0.5).astype(dtype)
    gates = [dtype] * 3 + [F32] * 5
    for direction in ("UNIDIRECTIONAL", "REDIRECTIONAL"):
        attrs = {"direction": direction, "cell_clip": 0.3, "forget_bias": 1.0}
        check("DynamicRNN", [x, w, b, mask, h, c, *[None] * 4], attrs, out=gates)
        lengths = np.array([4, 0, 2], np.int32)
        check("DynamicRNN", [x, w, b, lengths, *[None] * 6], attrs, out=gates)
        attrs = {"direction": direction, "gate_order": "rzh"}
        args = [x, draw(5, 18), draw(6, 18), draw(18), draw(18), lengths, h]
        check("DynamicGRUV2", args, attrs, out=[dtype] * 6)
    check("DynamicGRUV2", [x, draw(5, 18), draw(6, 18), *[None] * 4], out=[dtype] * 6)
    args = [x[0], h[0], c.astype(F32), w, b, None]
    check("BasicLSTMCell", args, out=[F32, dtype, *[F32] * 5])
