"""Dropout with its own random numbers: which elements stay, what they become, what keys them."""

from __future__ import annotations

import numpy as np
import pytest

from ge_dialect.api import evaluate, parse
from ge_dialect.dtypes import to_xdsl
from ge_dialect.semantics.evaluator import apply_op

NAMES = ("Dropout", "DropOut")
X = (np.arange(6000, dtype=np.float32) + 1).reshape(20, 300)


@pytest.mark.parametrize("op", NAMES)
@pytest.mark.parametrize("ratio", [0.0, 0.25, 0.875, 1.0])
def test_elements_stay_where_a_number_is_not_below_the_ratio(op, ratio):
    (y,) = apply_op(op, [X], {"dropout_ratio": ratio}, node_id="n")
    shape = {"dtype": to_xdsl("float32")}
    (number,) = apply_op("RandomUniform", [np.array(X.shape)], shape, node_id="n")
    want = [
        np.float32(v) / np.float32(1 - ratio) if u >= ratio else np.float32(0)
        for v, u in zip(X.reshape(-1).tolist(), number.reshape(-1).tolist(), strict=True)
    ]
    np.testing.assert_array_equal(y.reshape(-1), np.array(want, np.float32))
    assert abs((y != 0).mean() - (1 - ratio)) < 0.02


def test_without_scaling_what_stays_is_as_it_was():
    (y,) = apply_op("Dropout", [X], {"scale_train": False}, node_id="n")
    assert set(np.unique(y / X).tolist()) == {0.0, 1.0}


def test_what_is_dropped_is_zero_though_it_was_no_number():
    x = np.full(400, np.nan, np.float32)
    (y,) = apply_op("Dropout", [x], node_id="n")
    assert set(np.unique(np.isnan(y)).tolist()) == {False, True}
    assert (y[~np.isnan(y)] == 0).all()


def test_a_mask_and_a_share_as_attribute():
    bits = np.random.default_rng(1).integers(0, 256, 752).astype(np.uint8)
    (y,) = apply_op("DropOutDoMaskV3D", [X, bits], {"keep_prob": 0.75})
    for i, v in enumerate(X.reshape(-1).tolist()):
        kept = bits[i // 8] >> (i % 8) & 1
        assert y.reshape(-1)[i] == (np.float32(v) / np.float32(0.75) if kept else 0)
    each = np.zeros(6016, np.uint8)
    each[: X.size] = np.unpackbits(bits, bitorder="little")[: X.size]
    for mask in (each, each * 7, each.astype(bool)):
        np.testing.assert_array_equal(
            apply_op("DropOutDoMaskV3D", [X, mask], {"keep_prob": 0.75})[0], y
        )


TWO = """
ge.graph @g(%x: tensor<20x300xf32>) {
  %a = ge.Dropout(%x) {dropout_ratio = 0.25} : tensor<20x300xf32>
  %b = ge.DropOut(%x) {dropout_ratio = 0.25} : tensor<20x300xf32>
  ge.NetOutput(%a, %b)
}
"""


def test_numbers_are_keyed_by_the_run_and_the_node():
    model = parse(TWO)
    one, again, other = (evaluate(model, [X], seed=s).outputs for s in (3, 3, 4))
    np.testing.assert_array_equal(one[0], again[0])
    np.testing.assert_array_equal(one[1], again[1])
    assert (one[0] != one[1]).any()
    assert (one[0] != other[0]).any()


def test_the_device_draws_the_same_numbers():
    from runtime import simulate

    model = parse(TWO)
    want = evaluate(model, [X]).outputs
    for mode in ("graph", "eager"):
        for mine, golden in zip(simulate(model, [X], mode=mode).outputs, want, strict=True):
            np.testing.assert_array_equal(mine, golden)


@pytest.mark.parametrize("scaled", [True, False])
def test_onnx_has_it_as_dropout_in_training(scaled):
    pytest.importorskip("onnx", reason="needs the extra ge-opt[onnx]")
    from ge_dialect.exporters.onnx import export_onnx
    from ge_dialect.importers.onnx import import_onnx

    text = f"""
    ge.graph @g(%x: tensor<20x300xf32>) {{
      %a = ge.Dropout(%x) {{dropout_ratio = 0.25, scale_train = {str(scaled).lower()}}}
         : tensor<20x300xf32>
      ge.NetOutput(%a)
    }}
    """
    written = export_onnx(parse(text))
    assert "Dropout" in [n.op_type for n in written.graph.node]
    (y,) = evaluate(import_onnx(written), [X]).outputs
    kept = y != 0
    np.testing.assert_allclose(y[kept], X[kept] / (0.75 if scaled else 1), rtol=1e-6)
    assert abs(kept.mean() - 0.75) < 0.02
