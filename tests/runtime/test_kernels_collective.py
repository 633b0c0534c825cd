"""Kernels of communication, of a device that is one rank, against the golden functions."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from runtime.kernels.refusal import Refusal
from runtime.kernels.registry import AICPU, Call, View, find_kernel
from tests.runtime.test_kernels_golden import check

G = {"group": "g"}


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16])
def test_one_rank(dtype):
    rng = np.random.default_rng(0)
    x, w, b = (rng.uniform(-1, 1, s).astype(dtype) for s in ((4, 3), (3, 5), (5,)))
    how = {**G, "reduction": "prod"}
    check("HcomAllReduce", [x], how)
    check("HcomReduce", [x], {**how, "root_rank": 0})
    check("HcomReduceScatter", [x], {**how, "rank_size": 1})
    check("HcomAllGather", [x], {**G, "rank_size": 1})
    check("HcomAllToAll", [x], {**G, "rank_size": 1})
    check("HcomBroadcast", [[x, b]], {**G, "root_rank": 0}, out=[dtype, dtype])
    n = [np.array([v], np.int64) for v in (5, 2, 5, 3)]
    check("HcomAllToAllV", [x, *n], G)
    check("HcomAllToAllVC", [x, np.array([[7]])], {**G, "rank": 0})
    check("HcomAllGatherV", [x, n[0], n[0], n[1]], G)
    check("HcomAllGatherV", [x, n[0], n[0], None], G)
    check("HcomReduceScatterV", [x, n[0], n[0], n[1]], how)
    check("MatmulAllReduce", [x, w, b, x @ w, *[None] * 6], G)
    check("MatmulAllReduce", [x[None], w.T.copy(), *[None] * 8], {**G, "is_trans_b": True})
    check("MatmulReduceScatter", [x, w, b], {**G, "rank_size": 1})
    for shown in (True, False):
        check("AllGatherMatmul", [x, w, None], {**G, "is_gather_out": shown}, out=[dtype] * 2)


@pytest.mark.parametrize(
    ("op_type", "attrs"),
    [
        ("HcomAllGather", {"rank_size": 2}),
        ("HcomBroadcast", {"root_rank": 1}),
        ("HcomSend", {"dest_rank": 1}),
    ],
)
def test_more_ranks_are_refused(op_type, attrs):
    x = np.zeros(2, np.float32)
    call = Call([View(x, x.shape)], [View(x.copy(), x.shape)], attrs)
    found = find_kernel(op_type, AICPU, ["ND"])
    assert found is not None
    with pytest.raises(Refusal, match=r"number of ranks|no such root|a rank alone"):
        found.function(call)
