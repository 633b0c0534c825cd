"""Kernels of reading and writing by index against the golden functions."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from tests.runtime import test_kernels_golden as _golden
from tests.runtime.test_kernels_golden import check

DTYPES = [np.float32, np.float16, ml_dtypes.bfloat16, np.int8, np.int64, bool]
NONE = np.zeros(0, np.int64)


@pytest.mark.parametrize("dtype", DTYPES)
def test_by_index(dtype):
    rng = np.random.default_rng(0)
    x = (rng.random((3, 4, 2, 5)) * 9).astype(dtype)
    for mask in ((1,), (0, 1), (1, 1), (1, 0, 1), (0, 1, 1), (0, 1, 0, 1), (1, 1, 1, 1)):
        axes = [a for a, m in enumerate(mask) if m]
        shapes = [(2, 1), (3,), (2, 3), ()][: len(axes)]
        size = [x.shape[a] for a in axes]
        indices = [rng.integers(-n, n, s) for n, s in zip(size, shapes, strict=True)]
        marks = np.array(mask)
        check("Index", [x, marks, NONE, indices])
        check("IndexByTensor", [x, indices], {"indices_mask": mask})
        read = _golden._golden("Index", [x, marks, NONE, indices], {}, [dtype])[0]
        value = (rng.random(read.shape) * 9).astype(dtype)
        for accumulate in (False, True):
            args = [x, value, marks, NONE, indices]
            check("IndexPutV2", args, {"accumulate": accumulate})
    if dtype is not bool:
        updates = (rng.random((3, 6, 2, 5)) * 9).astype(dtype)
        args = [x, rng.integers(0, 4, 6), updates, np.array([3], dtype)]
        check("InplaceIndexAdd", args, {"axis": -3})
        check("InplaceIndexAdd", [*args[:3], None], {"axis": 1})


@pytest.mark.parametrize("dtype", DTYPES)
def test_strides(dtype):
    rng = np.random.default_rng(1)
    x = (rng.random((4, 6)) * 9).astype(dtype)
    size, stride, offset = np.array([3, 2, 2]), np.array([1, 6, 3]), np.array([2])
    check("AsStrided", [x, size, stride, offset])
    src = (rng.random(40) * 9).astype(dtype)
    args = [x, size, stride, offset, src, size, np.array([7, 2, 3]), np.array(1)]
    check("ViewCopy", args)
    bounds = [np.array(v) for v in ([1, 0], [4, 5], [2, 2])]
    for attrs, shape in (({}, (2, 3)), ({"shrink_axis_mask": 1}, (3,)), ({"end_mask": 2}, (2, 3))):
        dy = (rng.random(shape) * 9).astype(dtype)
        check("StridedSliceGrad", [np.array([4, 6]), *bounds, dy], attrs, out=[dtype])


def test_search_and_gradient():
    rng = np.random.default_rng(2)
    rows = np.sort(rng.integers(0, 9, (3, 6)), axis=-1).astype(np.float32)
    rows[1, -1] = np.nan
    values = rng.integers(-1, 11, (3, 8)).astype(np.float32)
    values[1, 0] = np.nan
    for right in (False, True):
        for dtype, number in ((np.int64, "int64"), (np.int32, "int32")):
            from ge_dialect.dtypes import to_xdsl

            attrs = {"right": right, "dtype": to_xdsl(number)}
            check("SearchSorted", [rows, values, None], attrs, out=[dtype])
            check("SearchSorted", [rows[0], values[0], None], attrs, out=[dtype])
            check("SearchSorted", [rows[:, ::-1].copy(), values, None], attrs, out=[dtype])
            order = np.argsort(rows[:, ::-1], axis=-1, kind="stable")
            check("SearchSorted", [rows[:, ::-1].copy(), values, order], attrs, out=[dtype])
    for dtype in (np.float32, np.float16):
        grad, indices = rng.random((2, 5, 3)).astype(dtype), rng.integers(0, 4, (2, 5))
        for scaled in (False, True):
            attrs = {"num_weights": 5, "padding_idx": 1, "scale_grad_by_freq": scaled}
            check("EmbeddingDenseGrad", [grad, indices], attrs)
