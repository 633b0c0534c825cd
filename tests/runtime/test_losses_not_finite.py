"""Kernels of losses agree with the golden functions where numbers are not finite."""

from __future__ import annotations

import numpy as np
import pytest

from ge_dialect.api import evaluate, parse
from passes.manager import run_pipeline
from runtime.api import simulate

INF, NAN = np.inf, np.nan
ROWS = [[-INF, -1, 2], [-2, -INF, 1], [INF, 1, 2], [-INF, -INF, -INF]]
LABELS = [[0, 1, 0], [0, 0.5, 0.5], [1, 0, 0], [0, 0, 1]]
BOTH = "tensor<4xf32>, tensor<4x3xf32>"

GRAPHS: dict[str, tuple[str, str, list[np.ndarray]]] = {
    "sparse": (
        "%x: tensor<4x3xf32>, %t: tensor<4xi32>",
        f"%y, %z = ge.SparseSoftmaxCrossEntropyWithLogits(%x, %t) : {BOTH}",
        [np.array(ROWS, np.float32), np.array([1, 1, 0, 2], np.int32)],
    ),
    "dense": (
        "%x: tensor<4x3xf32>, %t: tensor<4x3xf32>",
        f"%y, %z = ge.SoftmaxCrossEntropyWithLogits(%x, %t) : {BOTH}",
        [np.array(ROWS, np.float32), np.array(LABELS, np.float32)],
    ),
    "onnx": (
        "%x: tensor<4x3xf32>, %t: tensor<4xi32>",
        f'%y, %z = ge.SoftmaxCrossEntropyLoss(%x, %t) {{reduction = "none"}} : {BOTH}',
        [np.array(ROWS, np.float32), np.array([1, 1, 0, 2], np.int32)],
    ),
    "weight 0": (
        "%x: tensor<3x2xf32>, %t: tensor<3xi32>, %w: tensor<2xf32>",
        '%y, %z = ge.NLLLoss(%x, %t, weight = %w) {reduction = "none"}'
        " : tensor<3xf32>, tensor<f32>",
        [
            np.array([[-INF, -1], [-2, -INF], [-1, NAN]], np.float32),
            np.array([0, 0, 0], np.int32),
            np.array([0, 1], np.float32),
        ],
    ),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_kernel_gives_what_golden_gives(name: str) -> None:
    inputs, op, given = GRAPHS[name]
    text = f"ge.graph @g({inputs}) {{\n  {op}\n  ge.NetOutput(%y, %z)\n}}"
    golden = evaluate(parse(text), given).outputs
    assert any(not np.isfinite(value).all() for value in golden)
    model = parse(text)
    run_pipeline(model.module, "ge-default")
    found = simulate(model, given).outputs
    for want, got in zip(golden, found, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-6)
