"""Kernels of made tensors, triangles, paddings and blocks against the golden functions."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from tests.runtime import test_kernels_golden as _golden
from tests.runtime.test_kernels_golden import check

DTYPES = [np.float32, np.float16, ml_dtypes.bfloat16, np.int8, np.int64, bool]


@pytest.mark.parametrize("dtype", DTYPES)
def test_moves(dtype):
    rng = np.random.default_rng(0)
    x = (rng.random((2, 4, 3, 2)) * 9).astype(dtype)
    check("Diag", [x[0, 0]])
    check("Diag", [x[0, :0, 0]])
    for k in (-5, -1, 0, 1, 5):
        for upper in (0, 1):
            check("Trilu", [x, np.array(k)], {"upper": upper})
    pads = np.array([[1, 0], [0, 0], [2, 1], [0, 3]])
    check("PadV2", [x, pads, np.array([1], dtype)])
    check("SpaceToBatchND", [x, np.array([2, 3]), np.array([[1, 1], [2, 1]])])
    check("BatchToSpaceND", [x, np.array([2]), np.array([[1, 2]])])
    wide = (rng.random((12, 2, 3)) * 9).astype(dtype)
    check("BatchToSpaceND", [wide, np.array([2, 3]), np.array([[1, 0], [2, 3]])])
    check("Expand", [x, np.array([3, 2, 1, 3, 1])])
    check("Expand", [x[:, :1], np.array([5, 1, 1])])
    for k, sizes in (([0], (-1, -1)), ([2], (-1, 7)), ([-1], (5, -1))):
        numbers = [np.array(v, np.int32) for v in (k, *sizes)]
        check("MatrixDiagV2", [x[0], *numbers, np.array(1, dtype)])
    numbers = [np.array(v, np.int32) for v in ([-1, 2], 4, 3)]
    check("MatrixDiagV2", [wide[:4, 0], *numbers, np.array([1], dtype)])


def test_made():
    check("Empty", [np.array([2, 3], np.int32)], {"dtype": 1}, out=[np.float16])
    for dtype in (np.float32, np.float16, ml_dtypes.bfloat16):
        for count in (1, 2, 7):
            args = [np.array(-1.5, dtype), np.array([2.25], dtype), np.array(count)]
            check("LinSpace", args)


def test_eye():
    from runtime.kernels.registry import AICPU, Call, View, find_kernel

    attrs = {"num_rows": 2, "num_columns": 3, "batch_shape": (2,), "dtype": 3}
    (want,) = _golden._golden("Eye", [], attrs, [np.int32])
    out = View(np.full(want.shape, -1, np.int32), want.shape)
    found = find_kernel("Eye", AICPU, ["ND"])
    assert found is not None
    found.function(Call([], [out], attrs))
    np.testing.assert_array_equal(out.data, want)
