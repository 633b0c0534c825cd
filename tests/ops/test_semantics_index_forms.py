"""Reading and writing by index: loops over the definitions, and examples of the frameworks."""

from __future__ import annotations

import bisect

import ml_dtypes
import numpy as np
import pytest

from ge_dialect.diagnostics import GeError
from ge_dialect.semantics.evaluator import apply_op

DTYPES = [np.float32, np.float16, ml_dtypes.bfloat16, np.int8, np.int64, bool]


def marks(*values):
    return np.array(values, np.int64), np.zeros(0, np.int64)


@pytest.mark.parametrize("dtype", DTYPES)
def test_index(dtype):
    x = (np.arange(24) % 7).reshape(2, 3, 4).astype(dtype)
    i, j = np.array([[0], [1]]), np.array([2, -1, 0])
    (y,) = apply_op("Index", [x, *marks(1, 1), [i, j]])
    assert y.shape == (2, 3, 4)
    for a, b, c in np.ndindex(2, 3, 4):
        assert y[a, b, c] == x[i[a, 0], j[b], c]
    (y,) = apply_op("Index", [x, *marks(0, 1, 1), [j, np.array([3, 3, 1])]])
    for a, b in np.ndindex(2, 3):
        assert y[a, b] == x[a, j[b], (3, 3, 1)[b]]
    (y,) = apply_op("IndexByTensor", [x, [i[:, 0], np.array([1, 2])]], {"indices_mask": [1, 0, 1]})
    assert y.shape == (2, 3)  # the dims of the indices stand in front: the axes are apart
    for a, b in np.ndindex(2, 3):
        assert y[a, b] == x[i[a, 0], b, (1, 2)[a]]
    with pytest.raises(GeError):
        apply_op("Index", [x, *marks(1), [np.array([2])]])


@pytest.mark.parametrize("dtype", DTYPES)
def test_index_put_and_add(dtype):
    x = np.ones((3, 4), dtype)
    rows, columns = np.array([0, 2, 0]), np.array([1, 3, 1])
    value = np.array([1, 2, 3]).astype(dtype)
    (y,) = apply_op("IndexPutV2", [x, value, *marks(1, 1), [rows, columns]])
    want = x.copy()
    want[0, 1], want[2, 3] = value[2], value[1]
    assert y.tobytes() == want.tobytes()
    (y,) = apply_op("IndexPutV2", [x, value, *marks(1, 1), [rows, columns]], {"accumulate": True})
    assert float(y[0, 1]) == (1 if dtype is bool else 5)
    assert float(y[2, 3]) == (1 if dtype is bool else 3)
    assert float(y[1, 1]) == 1
    if dtype is not bool:
        updates = np.array([[1, 2], [3, 4], [5, 6]]).astype(dtype)
        args = [x, np.array([1, 1]), updates, np.array(2).astype(dtype)]
        (y,) = apply_op("InplaceIndexAdd", args, {"axis": 1})
        assert y.astype(float).tolist() == [[1, 7, 1, 1], [1, 15, 1, 1], [1, 23, 1, 1]]


def test_strided_slice_grad_is_the_transpose_of_strided_slice():
    rng = np.random.default_rng(0)
    for attrs in ({}, {"begin_mask": 1}, {"shrink_axis_mask": 2}, {"new_axis_mask": 1}):
        begin, end, step = (np.array(v) for v in ([1, 0], [5, 4], [2, 3]))
        x = rng.random((6, 5))
        (read,) = apply_op("StridedSlice", [x, begin, end, step], attrs)
        dy = rng.random(read.shape)
        shape = np.array([6, 5])
        (dx,) = apply_op("StridedSliceGrad", [shape, begin, end, step, dy], attrs)
        assert dx.shape == x.shape
        assert (dx * x).sum() == pytest.approx((dy * read).sum())


@pytest.mark.parametrize("right", [False, True])
def test_search_sorted(right):
    rows = np.array([[1, 3, 3, 5, 9], [2, 4, 6, 8, 10]], np.int32)
    values = np.array([[3, 6, 9], [0, 4, 99]], np.int32)
    find = bisect.bisect_right if right else bisect.bisect_left
    (y,) = apply_op("SearchSorted", [rows, values], {"right": right})
    assert y.tolist() == [[find(rows[i].tolist(), v) for v in values[i]] for i in range(2)]
    (y,) = apply_op("SearchSorted", [rows[0], values], {"right": right})
    assert y.tolist() == [[find(rows[0].tolist(), v) for v in row] for row in values]
    mixed = rows[:, ::-1].copy()
    order = np.repeat(np.arange(4, -1, -1)[None], 2, 0)
    (again,) = apply_op("SearchSorted", [mixed, values, order], {"right": right})
    (y,) = apply_op("SearchSorted", [rows, values], {"right": right})
    assert again.tolist() == y.tolist()


def test_strided_views():
    x = np.arange(12).reshape(3, 4)
    size, stride = np.array([2, 3]), np.array([5, 2])
    (y,) = apply_op("AsStrided", [x, size, stride, np.array(1)])
    assert y.tolist() == [[1, 3, 5], [6, 8, 10]]
    src = np.array([[70, 80], [90, 100]])
    args = [x, np.array([2, 2]), np.array([4, 1]), np.array(2), src]
    (y,) = apply_op("ViewCopy", [*args, np.array([2, 2]), np.array([1, 2]), np.array(0)])
    assert y.tolist() == [[0, 1, 70, 90], [4, 5, 80, 100], [8, 9, 10, 11]]


def test_embedding_dense_grad():
    grad = np.arange(10, dtype=np.float32).reshape(5, 2)
    indices = np.array([2, 0, 2, 3, 3])
    (y,) = apply_op("EmbeddingDenseGrad", [grad, indices], {"num_weights": 4, "padding_idx": 0})
    assert y.tolist() == [[0, 0], [0, 0], [4, 6], [14, 16]]
    attrs = {"num_weights": 4, "scale_grad_by_freq": True}
    (y,) = apply_op("EmbeddingDenseGrad", [grad, indices], attrs)
    assert y.tolist() == [[2, 3], [0, 0], [2, 3], [7, 8]]


def test_partition_and_stitch_by_the_examples_of_tensorflow():
    x, numbers = np.array([10, 20, 30, 40, 50]), np.array([0, 0, 1, 1, 0], np.int32)
    zero, one = apply_op("DynamicPartition", [x, numbers], {"num_partitions": 2})
    assert (zero.tolist(), one.tolist()) == ([10, 20, 50], [30, 40])
    indices = [np.array(6, np.int32), np.array([4, 1], np.int32),
               np.array([[5, 2], [0, 3]], np.int32)]  # fmt: skip
    parts = [np.array([61, 62]), np.array([[41, 42], [11, 12]]),
             np.array([[[51, 52], [21, 22]], [[1, 2], [31, 32]]])]  # fmt: skip
    (y,) = apply_op("DynamicStitch", [indices, parts], {"N": 3})
    assert y.tolist() == [[1, 2], [11, 12], [21, 22], [31, 32], [41, 42], [51, 52], [61, 62]]
    later = [np.array([0, 2], np.int32), np.array([2], np.int32)]
    (y,) = apply_op("DynamicStitch", [later, [np.array([1, 2]), np.array([3])]], {"N": 2})
    assert y.tolist() == [1, 0, 3]


def test_unique_consecutive_by_the_example_of_torch():
    x = np.array([1, 1, 2, 2, 3, 1, 1, 2])
    attrs = {"return_idx": True, "return_counts": True}
    y, idx, count = apply_op("UniqueConsecutive", [x], attrs)
    assert y.tolist() == [1, 2, 3, 1, 2]
    assert idx.tolist() == [0, 0, 1, 1, 2, 3, 3, 4]
    assert count.tolist() == [2, 2, 1, 2, 1]
    rows = np.array([[1, 2], [1, 2], [0, 2], [1, 2]])
    y, idx, count = apply_op("UniqueConsecutive", [rows], {**attrs, "axis": 0})
    assert y.tolist() == [[1, 2], [0, 2], [1, 2]]
    assert (idx.tolist(), count.tolist()) == ([0, 0, 1, 2], [2, 1, 1])
    assert apply_op("UniqueConsecutive", [np.zeros(0)])[0].shape == (0,)
