"""Kernels of shapes as values, changes of shape and handing on, against the golden functions."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from tests.runtime.test_kernels_golden import check

I32, I64 = np.int32, np.int64


def test_shapes():
    a, b = np.zeros((2, 3), np.float16), np.zeros((), np.int8)
    check("ShapeN", [[a, b]], {"dtype": 9}, out=[I64, I64])
    check("GatherShapes", [[a, b]], {"axes": ((0, 1), (0, 0))}, out=[I32])
    check("BroadcastArgs", [np.array([4, 1, 3]), np.array([5, 1])])
    shapes = [np.array(s, I32) for s in ([2, 2, 7], [2, 3, 7], [2, 0, 7])]
    check("ConcatOffset", [np.array(1, I32), shapes], {"N": 3}, out=[I32] * 3)
    check("ConcatOffset", [np.array([-2], I32), shapes], {"N": 3}, out=[I32] * 3)


@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16, np.int8, bool])
def test_moves(dtype):
    rng = np.random.default_rng(0)
    x = (rng.random((2, 1, 3, 4)) * 9).astype(dtype)
    check("FlattenV2", [x])
    check("FlattenV2", [x], {"axis": 1, "end_axis": 2})
    check("Permute", [x], {"order": (3, 0, -2, 1)})
    check("SqueezeV2", [x])
    check("SqueezeV2", [x], {"axis": (-3,)})
    check("UnsqueezeV2", [x], {"axis": (0, 3)})
    check("TransShape", [x], {"outShape": (4, 6)})
    check("ReFormat", [x])
    check("IdentityN", [[x, x[0]]], out=[dtype] * 2)
    for op in ("StopGradient", "PlaceHolder", "End", "MemcpyAsync", "PlaceholderWithDefault"):
        check(op, [x])
    check("PhonyConcat", [[x, x[:, :, :2]]], {"concat_dim": (2,), "N": (2,)})
    check("PhonySplit", [x], {"split_dim": (-1,), "num_split": (2,)}, out=[dtype] * 2)
