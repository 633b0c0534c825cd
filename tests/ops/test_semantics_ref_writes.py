"""Writes into parts of a variable, by the evaluator and by the eager runtime."""

from __future__ import annotations

import numpy as np
import pytest

from ge_dialect.api import parse
from ge_dialect.diagnostics import GeError
from ge_dialect.ir.verifier import verify
from ge_dialect.semantics import evaluate_graph
from runtime import simulate


def both(text, inputs):
    model = parse(text)
    assert not verify(model.module)
    got = evaluate_graph(model.graphs[0], inputs).outputs
    for mode in ("eager", "graph"):
        ran = simulate(model, inputs, mode=mode).outputs
        for a, b in zip(got, ran, strict=True):
            np.testing.assert_array_equal(a, b)
    return got


def test_scatter_nd_update():
    text = """
    ge.graph @g(%i: tensor<3x1xi64>, %u: tensor<3x2xf32>) {
      %v = ge.Variable() {value = dense<1.0> : tensor<4x2xf32>} : !ge.ref<tensor<4x2xf32>>
      %w = ge.ScatterNdUpdate(%v, %i, %u) : !ge.ref<tensor<4x2xf32>>
      %r = ge.Read(%w) : tensor<4x2xf32>
      ge.NetOutput(%r)
    }
    """
    updates = np.arange(6, dtype=np.float32).reshape(3, 2)
    (y,) = both(text, [np.array([[3], [0], [3]]), updates])
    assert y.tolist() == [[2, 3], [1, 1], [1, 1], [4, 5]]
    with pytest.raises(GeError):
        evaluate_graph(parse(text).graphs[0], [np.array([[4], [0], [1]]), updates])


def test_strided_slice_assign():
    text = """
    ge.graph @g(%x: tensor<2xi32>) {
      %v = ge.Variable() {value = dense<9> : tensor<3x4xi32>} : !ge.ref<tensor<3x4xi32>>
      %b = ge.Const() {value = dense<[1, 3]> : tensor<2xi64>} : tensor<2xi64>
      %e = ge.Const() {value = dense<[2, 0]> : tensor<2xi64>} : tensor<2xi64>
      %s = ge.Const() {value = dense<[1, -2]> : tensor<2xi64>} : tensor<2xi64>
      %w = ge.StridedSliceAssign(%v, %b, %e, %s, %x) {shrink_axis_mask = 1} : REF
      %r = ge.Read(%w) : tensor<3x4xi32>
      ge.NetOutput(%r)
    }
    """
    text = text.replace("REF", "!ge.ref<tensor<3x4xi32>>")
    (y,) = both(text, [np.array([1, 2], np.int32)])
    assert y.tolist() == [[9, 9, 9, 9], [9, 2, 9, 1], [9, 9, 9, 9]]


def test_paged_cache():
    type_ = "!ge.ref<tensor<3x2x1x2xf32>>"
    text = f"""
    ge.graph @g(%k: tensor<3x1x2xf32>, %s: tensor<3xi32>, %x: tensor<3x1x2xf32>) {{
      %a = ge.Variable() {{value = dense<0.0> : tensor<3x2x1x2xf32>}} : {type_}
      %b = ge.Variable() {{value = dense<0.0> : tensor<3x2x1x2xf32>}} : {type_}
      %c, %d = ge.ScatterPaKvCache(%k, %a, %s, %x, %b) : {type_}, {type_}
      %p = ge.Read(%c) : tensor<3x2x1x2xf32>
      %q = ge.Read(%d) : tensor<3x2x1x2xf32>
      ge.NetOutput(%p, %q)
    }}
    """
    keys = np.arange(1, 7, dtype=np.float32).reshape(3, 1, 2)
    p, q = both(text, [keys, np.array([5, -1, 2], np.int32), -keys])
    want = np.zeros((6, 2))
    want[5], want[2] = [1, 2], [5, 6]
    assert p.reshape(6, 2).tolist() == want.tolist()
    assert q.reshape(6, 2).tolist() == (-want).tolist()
