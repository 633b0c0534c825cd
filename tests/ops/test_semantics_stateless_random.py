"""Random numbers by key: published vectors; the others by their distribution."""

from __future__ import annotations

from collections import Counter
from math import log, pi, sin, sqrt

import numpy as np
import pytest

from ge_dialect.dtypes import to_xdsl
from ge_dialect.semantics.evaluator import apply_op
from ge_dialect.semantics.stateless_random import philox_blocks

ALG = np.array(1, np.int32)


def keyed(op, shape, key, counter, dtype="float32"):
    args = [np.array(shape), np.array([key], np.uint64), np.array(counter, np.uint64), ALG]
    return apply_op(op, args, {"dtype": to_xdsl(dtype)})[0]


@pytest.mark.parametrize(
    ("key", "counter", "want"),
    [
        # the known answers that come with Random123 (philox4x32, 10 rounds)
        (0, (0, 0), "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        (2**64 - 1, (2**64 - 1, 2**64 - 1), "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        (
            0x299F31D0A4093822,
            (0x85A308D3243F6A88, 0x0370734413198A2E),
            "d16cfe09 94fdcceb 5001e420 24126ea1",
        ),
    ],
)
def test_philox(key, counter, want):
    (block,) = philox_blocks(key, list(counter), 1)
    assert " ".join(f"{w:08x}" for w in block) == want


def test_numbers_of_a_key():
    words = [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    y = keyed("StatelessRandomUniformV2", [3], 0, [0, 0])
    assert y.tolist() == [(w & 0x7FFFFF) / 2**23 for w in words[:3]]
    y = keyed("StatelessRandomUniformV2", [4], 0, [0, 0], "bfloat16")
    assert [float(v) for v in y] == [(w & 0x7F) / 2**7 for w in words]
    y = keyed("StatelessRandomUniformV2", [2], 0, [0, 0], "float64")
    assert y.tolist() == [((a & 0xFFFFF) << 32 | b) / 2**52 for a, b in (words[:2], words[2:])]
    # the second block is the first of the next counter, across the border of its words
    far = keyed("StatelessRandomUniformV2", [8], 5, [2**64 - 1, 3])
    near = keyed("StatelessRandomUniformV2", [4], 5, [0, 4])
    assert far[4:].tolist() == near.tolist()
    u, v = ((w & 0x7FFFFF) / 2**23 for w in words[:2])
    y = keyed("StatelessRandomNormalV2", [1], 0, [0, 0])
    assert y[0] == pytest.approx(sin(2 * pi * v) * sqrt(-2 * log(u)), rel=1e-5)


def test_distributions():
    y = keyed("StatelessRandomUniformV2", [20000], 7, [1, 2])
    assert abs(y.mean() - 0.5) < 0.01
    assert 0 <= y.min() <= y.max() < 1
    y = keyed("StatelessRandomNormalV2", [20000], 7, [1, 2])
    assert abs(y.mean()) < 0.03
    assert abs(y.std() - 1) < 0.03
    seed, offset = np.array(3), np.array(0)
    args = [np.array([20000]), np.array(0.3, np.float32), seed, offset]
    (y,) = apply_op("StatelessBernoulli", args, {"dtype": to_xdsl("int8")})
    assert set(y.tolist()) == {0, 1}
    assert abs(y.mean() - 0.3) < 0.02
    shares = np.repeat(np.array([0.0, 0.2, 0.7, 1.0], np.float32), 20000)
    (y,) = apply_op("StatelessBernoulliV2", [shares, seed, offset])
    assert y.dtype == np.float32
    assert set(y.tolist()) == {0, 1}
    means = y.reshape(4, -1).mean(axis=1)
    assert means[[0, 3]].tolist() == [0, 1]
    assert np.abs(means - [0, 0.2, 0.7, 1]).max() < 0.02
    (again,) = apply_op("StatelessBernoulliV2", [shares, seed, offset], {"dtype": to_xdsl("int8")})
    assert again.tolist() == y.tolist()
    (other,) = apply_op("StatelessBernoulliV2", [shares, seed, seed])
    assert other.tolist() != y.tolist()
    args = [np.array([100, 200]), np.array(0.75, np.float32), seed, seed]
    (y,) = apply_op("StatelessDropOutGenMask", args)
    assert y.shape == (20096 // 8,)
    assert abs(np.unpackbits(y).mean() - 0.75) < 0.02
    (y,) = apply_op("TruncatedNormal", [np.array([20000])], node_id="a")
    assert np.abs(y).max() <= 2
    assert abs(y.mean()) < 0.03
    assert abs(y.std() - 0.8796) < 0.02  # of a normal number cut at two deviations


def test_orders():
    (y,) = apply_op("StatelessRandperm", [np.array(50), np.array(1), np.array(2)])
    assert sorted(y.tolist()) == list(range(50))
    assert y.tolist() != list(range(50))
    (again,) = apply_op("StatelessRandperm", [np.array(50), np.array(1), np.array(3)])
    assert again.tolist() != y.tolist()
    x = np.arange(60).reshape(20, 3)
    (y,) = apply_op("RandomShuffle", [x], node_id="a")
    assert sorted(map(tuple, y.tolist())) == sorted(map(tuple, x.tolist()))
    assert y.tolist() != x.tolist()


def test_draws_by_weight():
    weights = np.array([[1, 0, 3], [5, 5, 0]], np.float32)
    attrs = {"numsamples": 4000, "replacement": True}
    (y,) = apply_op("MultinomialWithReplacement", [weights, np.array(1), np.array(0)], attrs)
    for row, want in zip(y, ([0.25, 0, 0.75], [0.5, 0.5, 0]), strict=True):
        counts = Counter(row.tolist())
        assert [counts[i] / 4000 for i in range(3)] == pytest.approx(want, abs=0.03)
    first = Counter()
    for seed in range(300):
        args = [np.array([1, 2, 5], np.float32), np.array(seed), np.array(0)]
        (y,) = apply_op("MultinomialWithReplacement", args, {"numsamples": 3})
        assert sorted(y.tolist()) == [0, 1, 2]
        first[y[0]] += 1
    assert first[2] / 300 == pytest.approx(5 / 8, abs=0.1)
