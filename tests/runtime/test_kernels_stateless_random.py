"""Kernels of random numbers by key, and of further draws, against the golden functions."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from ge_dialect.dtypes import from_numpy
from tests.runtime.test_kernels_golden import check

FLOATS = [np.float32, np.float16, ml_dtypes.bfloat16, np.float64]


@pytest.mark.parametrize("dtype", FLOATS)
def test_numbers(dtype):
    attrs = {"dtype": from_numpy(np.dtype(dtype))}
    key, counter = np.array([2**63 + 5], np.uint64), np.array([2**64 - 2, 7], np.uint64)
    for shape in ([], [1], [3, 5], [0], [31]):
        args = [np.array(shape, np.int64), key, counter, np.array(1, np.int32)]
        check("StatelessRandomUniformV2", args, attrs, out=[dtype], tol=0)
        check("StatelessRandomNormalV2", args, attrs, out=[dtype])
        check("TruncatedNormal", args[:1], {**attrs, "seed": 4}, out=[dtype])
    seed, offset = np.array(5), np.array([9])
    half = np.array(0.5, np.float32)
    check("StatelessBernoulli", [np.array([3, 5]), half, seed, offset], attrs, out=[dtype], tol=0)
    shares = np.random.default_rng(1).random((3, 50)).astype(np.float32)
    check("StatelessBernoulliV2", [shares, seed, offset], attrs, out=[dtype], tol=0)
    check("StatelessRandperm", [np.array(20), seed, offset], attrs, out=[dtype], tol=0)


def test_choices():
    rng = np.random.default_rng(0)
    seed, offset, share = np.array(5), np.array([9]), np.array(0.7, np.float32)
    for last in (None, offset):
        args = [np.array([3, 50]), share, seed, seed, last]
        check("StatelessDropOutGenMask", args, out=[np.uint8])
    for dtype in (np.float16, np.float32, np.float64):
        x = rng.random((4, 6)).astype(dtype)
        x[1, :4] = 0
        for replacement, count in ((True, 9), (False, 6)):
            attrs = {"numsamples": count, "replacement": replacement}
            check("MultinomialWithReplacement", [x, seed, offset], attrs, out=[np.int64])
        check("MultinomialWithReplacement", [x[0], seed, offset], {"numsamples": 2}, out=[np.int64])
    check("RandomShuffle", [rng.random((7, 2))], {"seed": 3})
    check("RandomShuffle", [rng.random((0, 2))])
