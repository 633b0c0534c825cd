"""Kernels of numbers by key, and of further draws, on ND."""

from __future__ import annotations

import hashlib
from math import cos, log, pi, sin, sqrt

import numpy as np

from runtime.kernels.random import node_words, philox
from runtime.kernels.refusal import Refusal
from runtime.kernels.registry import Call, kernel
from runtime.kernels.views import logical, store, wide

_MASK32 = 0xFFFFFFFF


def _block(key: int, counter: int) -> list[int]:
    """Four 32-bit words: ten rounds on one counter, in whole numbers."""
    c = [counter >> 32 * i & _MASK32 for i in range(4)]
    k = [key & _MASK32, key >> 32]
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [b >> 32 ^ c[1] ^ k[0], b & _MASK32, a >> 32 ^ c[3] ^ k[1], a & _MASK32]
        k = [k[0] + 0x9E3779B9 & _MASK32, k[1] + 0xBB67AE85 & _MASK32]
    return c


def _units(call: Call, bits: int) -> list[float]:
    """Uniform numbers of the call's key: of one word each, of two for 52 bits."""
    count = call.outs[0].data.size
    (key,), (low, high) = ([int(v) for v in call.arg(i).data.reshape(-1)] for i in (1, 2))
    words: list[int] = []
    number = low | high << 64
    while len(words) < (2 if bits == 52 else 1) * (count + count % 2):
        words += _block(key, number)
        number = number + 1 & (1 << 128) - 1
    if bits == 52:
        pairs = zip(words[::2], words[1::2], strict=True)
        return [((a & 0xFFFFF) << 32 | b) / 2.0**52 for a, b in pairs]
    return [(w & (1 << bits) - 1) / 2.0**bits for w in words]


_BITS = {"float64": 52, "float32": 23, "float16": 10, "bfloat16": 7}


@kernel("StatelessRandomUniformV2")
def stateless_random_uniform_v2(call: Call) -> None:
    """Low bits over their number."""
    out = call.outs[0]
    values = np.array(_units(call, _BITS[out.data.dtype.name])[: out.data.size])
    store(out, values.astype(out.data.dtype).reshape(out.shape))


@kernel("StatelessRandomNormalV2")
def stateless_random_normal_v2(call: Call) -> None:
    """Pair by pair, in double precision."""
    out = call.outs[0]
    units = _units(call, 52 if out.data.dtype == np.float64 else 23)
    values: list[float] = []
    for u, v in zip(units[::2], units[1::2], strict=True):
        radius = sqrt(-2 * log(max(u, 1e-7)))
        values += [sin(2 * pi * v) * radius, cos(2 * pi * v) * radius]
    found = np.array(values[: out.data.size])
    single = found if out.data.dtype == np.float64 else found.astype(np.float32)
    store(out, single.astype(out.data.dtype).reshape(out.shape))


def _words(count: int, *numbers: int) -> np.ndarray:
    digest = hashlib.sha256(repr(numbers).encode()).digest()
    key = int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:16], "little")
    return philox(count, key, 0)


def _below(words: np.ndarray, share: float) -> np.ndarray:
    """Which of the words are below a share of all, by 53 bits."""
    return (words >> np.uint64(11)).astype(np.float64) < share * 2.0**53


def _share(call: Call) -> float:
    return float(wide(call.arg(1).data.reshape(-1)[:1])[0])


@kernel("StatelessBernoulli")
def stateless_bernoulli(call: Call) -> None:
    """A comparison each."""
    out = call.outs[0]
    hits = _below(_words(out.data.size, call.ints(2)[0], call.ints(3)[0]), _share(call))
    store(out, hits.astype(out.data.dtype).reshape(out.shape))


@kernel("StatelessBernoulliV2")
def stateless_bernoulli_v2(call: Call) -> None:
    """A comparison each, with the share of the place."""
    out, share = call.outs[0], wide(logical(call.arg(0))).astype(np.float64)
    words = _words(share.size, call.ints(1)[0], call.ints(2)[0])
    hits = [w >> 11 < p * 2.0**53 for w, p in zip(words.tolist(), share.reshape(-1), strict=True)]
    store(out, np.array(hits, bool).reshape(share.shape).astype(out.data.dtype))


@kernel("StatelessDropOutGenMask")
def stateless_drop_out_gen_mask(call: Call) -> None:
    """Byte by byte from eight comparisons."""
    out = call.outs[0]
    offset = 0 if call.opt(4) is None else call.ints(4)[0]
    words = _words(8 * out.data.size, call.ints(2)[0], call.ints(3)[0], offset)
    hits = _below(words, _share(call)).reshape(-1, 8)
    store(out, (hits * (1 << np.arange(8))).sum(axis=1).astype(np.uint8))


@kernel("StatelessRandperm")
def stateless_randperm(call: Call) -> None:
    """Numbers sorted by their words."""
    out = call.outs[0]
    words = _words(out.data.size, call.ints(1)[0], call.ints(2)[0]).tolist()
    order = sorted(range(len(words)), key=words.__getitem__)
    store(out, np.array(order, np.int64).astype(out.data.dtype))


@kernel("MultinomialWithReplacement")
def multinomial_with_replacement(call: Call) -> None:
    """By walking along the weights."""
    x, out = logical(call.arg(0)).astype(np.float64), call.outs[0]
    if not np.isfinite(x).all():
        raise Refusal("a weight is not finite", expected="finite weights")
    rows, draws = x.reshape(-1, x.shape[-1]), call.attrs["numsamples"]
    words = _words(len(rows) * draws, call.ints(1)[0], call.ints(2)[0])
    numbers = ((words >> np.uint64(11)).astype(np.float64) * 2.0**-53).reshape(-1, draws)
    value = np.zeros((len(rows), draws), np.int64)
    for i, row in enumerate(rows):
        left = row.copy()
        for j in range(draws):
            ends = np.cumsum(left)
            aim = numbers[i, j] * ends[-1]
            found = int(np.searchsorted(ends, aim, side="right"))
            last = [c for c in range(len(left)) if left[c] != 0] or [len(left) - 1]
            value[i, j] = min(found, last[-1])
            if not call.attrs["replacement"]:
                left[value[i, j]] = 0
    store(out, value.reshape(out.shape))


@kernel("TruncatedNormal")
def truncated_normal(call: Call) -> None:
    """Each place tries the pairs of its own row in turn."""
    out = call.outs[0]
    words = node_words(call, 32 * out.data.size)
    units = ((words >> np.uint64(11)).astype(np.float64) * 2.0**-53).reshape(-1, 16, 2)
    values = np.zeros(out.data.size)
    for i, row in enumerate(units):
        tries = np.cos(2 * np.pi * row[:, 1]) * np.sqrt(-2 * np.log(row[:, 0] + 2.0**-53))
        good = [t for t in tries if -2 <= t <= 2] or [min(max(tries[0], -2.0), 2.0)]
        values[i] = good[0]
    store(out, values.astype(out.data.dtype).reshape(out.shape))


@kernel("RandomShuffle")
def random_shuffle(call: Call) -> None:
    """Slices sorted by their words."""
    x = logical(call.arg(0))
    words = node_words(call, len(x)).tolist()
    order = sorted(range(len(words)), key=words.__getitem__)
    store(call.outs[0], np.stack([x[i] for i in order]) if order else x)
