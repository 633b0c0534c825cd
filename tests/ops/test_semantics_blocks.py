"""Made tensors, triangles, paddings and blocks: by hand and element by element."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from ge_dialect.api import parse
from ge_dialect.diagnostics import GeError
from ge_dialect.semantics import evaluate_graph
from ge_dialect.semantics.evaluator import apply_op

DTYPES = [np.float32, np.float16, ml_dtypes.bfloat16, np.int8, np.uint8, np.int64, bool]

OPEN_EXPAND = """
ge.graph @g(%x: tensor<3x1xi8>, %s: tensor<3xi64>) {
  %y = ge.Expand(%x, %s) : tensor<?x3x?xi8>
  ge.NetOutput(%y)
}
"""


def test_made_tensors():
    (y,) = apply_op("Empty", [np.array([2, 0], np.int32)], {"dtype": 1})
    assert (y.shape, y.dtype) == ((2, 0), np.float16)
    (y,) = apply_op("Eye", [], {"num_rows": 2, "num_columns": 3, "batch_shape": [2], "dtype": 3})
    assert y.tolist() == [[[1, 0, 0], [0, 1, 0]]] * 2
    (y,) = apply_op("LinSpace", [np.float32(10), np.float32(12), np.array(3)])
    assert y.tolist() == [10, 11, 12]
    (y,) = apply_op("LinSpace", [np.float32(0), np.float32(-0.3), np.array(4)])
    assert y == pytest.approx(np.array([0, -0.1, -0.2, -0.3]))
    assert apply_op("LinSpace", [np.float32(7), np.float32(9), np.array(1)])[0].tolist() == [7]


@pytest.mark.parametrize("dtype", DTYPES)
def test_diagonals_triangles_and_paddings(dtype):
    x = (np.arange(6) % 5 + 1).reshape(2, 3).astype(dtype)
    (y,) = apply_op("Diag", [x])
    for i, j, k, m in np.ndindex(2, 3, 2, 3):
        assert y[i, j, k, m] == (x[i, j] if (i, j) == (k, m) else dtype(0))
    for k in (-1, 0, 2):
        for upper in (0, 1):
            (y,) = apply_op("Trilu", [x, np.array(k)], {"upper": upper})
            for i, j in np.ndindex(2, 3):
                inside = j - i >= k if upper else j - i <= k
                assert y[i, j] == (x[i, j] if inside else dtype(0))
    (y,) = apply_op("PadV2", [x, np.array([[1, 0], [0, 2]]), dtype(1)])
    assert y.shape == (3, 5)
    for i, j in np.ndindex(3, 5):
        assert y[i, j] == (x[i - 1, j] if i and j < 3 else dtype(1))


def test_blocks_by_the_examples_of_tensorflow():
    x = np.array([[[[1], [2]], [[3], [4]]]])
    two, none = np.array([2, 2]), np.zeros((2, 2), np.int64)
    (y,) = apply_op("SpaceToBatchND", [x, two, none])
    assert y.tolist() == [[[[1]]], [[[2]]], [[[3]]], [[[4]]]]
    assert apply_op("BatchToSpaceND", [y, two, none])[0].tolist() == x.tolist()
    x = np.arange(1, 17).reshape(2, 2, 4, 1)
    (y,) = apply_op("SpaceToBatchND", [x, two, np.array([[0, 0], [2, 0]])])
    assert y.shape == (8, 1, 3, 1)
    assert y.reshape(8, 3).tolist() == [
        [0, 1, 3], [0, 9, 11], [0, 2, 4], [0, 10, 12],
        [0, 5, 7], [0, 13, 15], [0, 6, 8], [0, 14, 16],
    ]  # fmt: skip
    (back,) = apply_op("BatchToSpaceND", [y, two, np.array([[0, 0], [2, 0]])])
    assert back.tolist() == x.tolist()


def test_blocks_element_by_element():
    rng = np.random.default_rng(0)
    x, block, pads = rng.random((2, 3, 4, 2)), (2, 3), [(1, 0), (1, 1)]
    (y,) = apply_op("SpaceToBatchND", [x, np.array(block), np.array(pads)])
    assert y.shape == (12, 2, 2, 2)
    for place in np.ndindex(y.shape):
        number, n = divmod(place[0], 2)
        p = divmod(number, block[1])
        at = [place[i + 1] * block[i] + p[i] - pads[i][0] for i in range(2)]
        inside = all(0 <= a < d for a, d in zip(at, x.shape[1:3], strict=True))
        assert y[place] == (x[(n, *at, place[3])] if inside else 0)


def test_expand():
    x = np.arange(3).reshape(3, 1)
    (y,) = apply_op("Expand", [x, np.array([2, 1, 4])])
    assert y.tolist() == [[[v] * 4 for v in range(3)]] * 2
    assert apply_op("Expand", [x, np.array([1])])[0].shape == (3, 1)
    open_ = parse(OPEN_EXPAND).graphs[0]
    assert evaluate_graph(open_, [x.astype(np.int8), np.array([2, 1, 1])]).outputs[0].shape == (
        2,
        3,
        1,
    )
    with pytest.raises(GeError, match="Expand: shapes do not broadcast"):
        evaluate_graph(open_, [x.astype(np.int8), np.array([1, 2, 1])])


@pytest.mark.parametrize(
    ("diagonal", "k", "sizes", "want"),
    [
        # examples of TensorFlow's documentation of MatrixDiagV2
        ([1, 2, 3], [1], (-1, -1), [[9, 1, 9, 9], [9, 9, 2, 9], [9, 9, 9, 3], [9, 9, 9, 9]]),
        ([1, 2], [-1], (3, 4), [[9, 9, 9, 9], [1, 9, 9, 9], [9, 2, 9, 9]]),
        ([[1, 2, 3], [4, 5, 0]], [-1, 0], (-1, -1), [[1, 9, 9], [4, 2, 9], [9, 5, 3]]),
    ],
)
def test_matrix_diag(diagonal, k, sizes, want):
    args = [np.array(v, np.int32) for v in (diagonal, k, *sizes, 9)]
    assert apply_op("MatrixDiagV2", args)[0].tolist() == want
