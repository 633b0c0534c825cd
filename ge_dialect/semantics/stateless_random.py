"""Golden meaning of numbers by key, and of further draws."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import F64, Array, cast, int_list, scalar, widen
from ge_dialect.semantics.random import random_words
from ge_dialect.semantics.registry import semantics

Attrs = Mapping[str, Any]
_U32, _U64 = np.uint32, np.uint64
_LOW = _U64(0xFFFFFFFF)


def philox_blocks(key: int, counter: list[int], count: int) -> Array:
    """`count` blocks of four 32-bit words of Philox 4x32 with ten rounds, [count, 4].

    J. Salmon et al., SC'11, with TensorFlow's order: `counter` is two 64-bit words, low one first,
    and counts up from block to block.
    """
    first = counter[0] | counter[1] << 64
    numbers = [(first + i) & (1 << 128) - 1 for i in range(count)]
    c = [np.array([n >> 32 * i & 0xFFFFFFFF for n in numbers], _U64) for i in range(4)]
    k0, k1 = key & 0xFFFFFFFF, key >> 32
    for _ in range(10):
        a, b = c[0] * _U64(0xD2511F53), c[2] * _U64(0xCD9E8D57)
        c = [
            (b >> _U64(32)) ^ c[1] ^ _U64(k0),
            b & _LOW,
            (a >> _U64(32)) ^ c[3] ^ _U64(k1),
            a & _LOW,
        ]
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return np.stack(c, axis=1).astype(_U32)


def _keyed(args: list[Any], ctx: Context, blocks: int) -> Array:
    key, counter = (([int(v) for v in a.reshape(-1)]) for a in args[1:3])
    alg = scalar(args[3], "alg", ctx)
    if alg not in (1, 3):
        ctx.fail("the algorithm is not supported", found=alg, expected="1 (Philox) or 3 (auto)")
    return philox_blocks(key[0], counter, blocks)


def _unit32(words: Array) -> Array:
    """Words as float32 in [0, 1): their low 23 bits as the significand of a number in [1, 2)."""
    return ((words & _U32(0x7FFFFF)) | _U32(0x3F800000)).view(np.float32) - np.float32(1)


def _unit64(words: Array) -> Array:
    """Pairs of words as float64 in [0, 1): 20 bits of the first, 32 of the second."""
    pairs = words.reshape(-1, 2).astype(_U64)
    bits = (pairs[:, 0] & _U64(0xFFFFF)) << _U64(32) | pairs[:, 1] | _U64(1023 << 52)
    return bits.view(F64) - 1.0


def _type(attrs: Attrs) -> np.dtype[Any]:
    from ge_dialect.dtypes import numpy_dtype

    return numpy_dtype(attrs["dtype"])


@semantics("StatelessRandomUniformV2")
def stateless_random_uniform_v2(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """A word, or two for float64, per number."""
    shape, dtype = int_list(args[0]), _type(attrs)
    count = int(np.prod(shape))
    words = _keyed(args, ctx, -(-count // (2 if dtype.itemsize == 8 else 4))).reshape(-1)
    if dtype.itemsize == 8:
        values: Array = _unit64(words)
    elif dtype.itemsize == 4:
        values = _unit32(words)
    else:  # as many low bits as the significand has
        bits = 10 if dtype == np.float16 else 7
        values = (words & _U32((1 << bits) - 1)).astype(np.float32) / np.float32(1 << bits)
    return values[:count].reshape(shape).astype(ctx.dtype(attrs["dtype"]))


@semantics("StatelessRandomNormalV2")
def stateless_random_normal_v2(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Two numbers from two uniform ones (G. Box, M. Muller, 1958)."""
    shape, dtype = int_list(args[0]), _type(attrs)
    count = int(np.prod(shape))
    words = _keyed(args, ctx, -(-count // (2 if dtype.itemsize == 8 else 4))).reshape(-1)
    uniform = _unit64(words) if dtype.itemsize == 8 else _unit32(words)
    u, v = uniform.reshape(-1, 2).T
    radius = np.sqrt(-2 * np.log(np.maximum(u, u.dtype.type(1e-7))))
    angle = (u.dtype.type(2) * u.dtype.type(np.pi)) * v
    values = np.stack([np.sin(angle) * radius, np.cos(angle) * radius], axis=1).reshape(-1)
    return values[:count].reshape(shape).astype(ctx.dtype(attrs["dtype"]))


def words_of(count: int, *numbers: Any) -> Array:
    """`count` 64-bit words that follow from some numbers alone (Philox 4x64-10)."""
    text = repr(tuple(int(np.asarray(n).reshape(-1)[0]) for n in numbers)).encode()
    key = np.frombuffer(hashlib.sha256(text).digest()[:16], dtype="<u8")
    return np.random.Philox(key=key).random_raw(count)


def _fractions(words: Array) -> Array:
    return (words >> _U64(11)).astype(F64) * 2.0**-53


@semantics("StatelessBernoulli")
def stateless_bernoulli(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """1 where a number in [0, 1) is below the probability."""
    shape, share = int_list(args[0]), float(scalar(widen(args[1]), "prob", ctx))
    hits = _fractions(words_of(int(np.prod(shape)), args[2], args[3])) < share
    return cast(hits.reshape(shape), ctx.dtype(attrs["dtype"]))


@semantics("StatelessBernoulliV2")
def stateless_bernoulli_v2(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """1 where a number in [0, 1) is below the probability of its place."""
    x = widen(args[0])
    hits = _fractions(words_of(x.size, args[1], args[2])).reshape(x.shape) < x.astype(F64)
    return cast(hits, args[0].dtype if attrs["dtype"] is None else ctx.dtype(attrs["dtype"]))


@semantics("StatelessDropOutGenMask")
def stateless_drop_out_gen_mask(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Bits set with a probability, the first in the lowest place."""
    count = -(-int(np.prod(int_list(args[0]))) // 128) * 128
    offset = 0 if args[4] is None else args[4]
    share = float(scalar(widen(args[1]), "prob", ctx))
    bits = _fractions(words_of(count, args[2], args[3], offset)) < share
    return np.packbits(bits, bitorder="little")


@semantics("StatelessRandperm")
def stateless_randperm(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The places in which random words are sorted."""
    count = scalar(args[0], "n", ctx)
    if count < 0:
        ctx.fail("n must not be negative", found=count, expected="≥ 0")
    order = np.argsort(words_of(count, args[1], args[2]), kind="stable")
    return cast(order, ctx.dtype(attrs["dtype"]))


@semantics("MultinomialWithReplacement")
def multinomial_with_replacement(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Classes by inverting cumulative weights; without replacement weights drop out."""
    weights, draws = args[0].astype(F64), attrs["numsamples"]
    if not np.isfinite(weights).all():
        ctx.fail("a weight is not finite", expected="finite weights")
    rows = weights.reshape(-1, weights.shape[-1])
    numbers = _fractions(words_of(len(rows) * draws, args[1], args[2])).reshape(len(rows), draws)
    out = np.zeros((len(rows), draws), np.int64)
    for i, row in enumerate(rows.copy()):
        for j in range(draws):
            bound = np.cumsum(row)
            found = int((numbers[i, j] * bound[-1] >= bound).sum())
            out[i, j] = min(found, int(np.flatnonzero(row)[-1]) if row.any() else len(row) - 1)
            if not attrs["replacement"]:
                row[out[i, j]] = 0
    return out.reshape(*weights.shape[:-1], draws)


@semantics("TruncatedNormal")
def truncated_normal(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """The first number of each place's own row that is small enough."""
    shape = int_list(args[0])
    count, tries = int(np.prod(shape)), 16
    words = random_words(2 * tries * count, ctx, attrs["seed"], attrs["seed2"])
    pairs = _fractions(words).reshape(count, tries, 2)
    found = np.sqrt(-2 * np.log(pairs[..., 0] + 2.0**-53)) * np.cos(2 * np.pi * pairs[..., 1])
    small = np.abs(found) <= 2
    first = small.argmax(axis=1)  # 16 misses in a row come once in 10**21 numbers: then clipped
    values = np.clip(found[np.arange(count), first], -2, 2)
    return values.reshape(shape).astype(ctx.dtype(attrs["dtype"]))


@semantics("RandomShuffle")
def random_shuffle(args: list[Any], attrs: Attrs, ctx: Context) -> Array:
    """Slices in the order in which random words are sorted."""
    (x,) = args
    words = random_words(len(x), ctx, attrs["seed"], attrs["seed2"])
    return x[np.argsort(words, kind="stable")]
