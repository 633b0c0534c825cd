"""Golden meaning of random numbers.

Counter-based: the numbers depend on the run's seed, the node's own seeds, its stable id and how
often it was drawn from, and on nothing else; the order of evaluation does not matter.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from ge_dialect.semantics.context import Context
from ge_dialect.semantics.numerics import F64, Array, int_list, kind, scalar, widen
from ge_dialect.semantics.registry import semantics

# Random bits of a significand: the largest number drawn is 1 - 2**-bits.
_BITS = {"float16": 11, "bfloat16": 8, "float32": 24, "float64": 53}


def random_words(count: int, ctx: Context, *seeds: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """`count` 64-bit words of the node's stream (Philox 4x64-10; J. Salmon et al., SC'11).

    The key is a digest of the run's seed, `seeds` and the node's stable id; the counter's top word
    is the number of earlier draws in this run.
    """
    draw = ctx.state.draws.get(ctx.node_id, 0)
    ctx.state.draws[ctx.node_id] = draw + 1
    text = repr((ctx.seed, seeds, ctx.node_id)).encode()
    key = np.frombuffer(hashlib.sha256(text).digest()[:16], dtype="<u8")
    generator = np.random.Philox(key=key, counter=np.array([0, 0, 0, draw], np.uint64))
    return generator.random_raw(count)


def uniform(shape: list[int], name: str, ctx: Context, *seeds: int) -> Array:
    """Numbers in [0, 1) with as many random bits as the dtype has, held in f64."""
    count = int(np.prod(shape, dtype=np.int64))
    bits = _BITS[name]
    words = random_words(count, ctx, *seeds)
    return ((words >> np.uint64(64 - bits)).astype(F64) * 2.0**-bits).reshape(shape)


@semantics("RandomUniform")
def random_uniform(args: list[Any], attrs: Mapping[str, Any], ctx: Context) -> Array:
    """Uniform numbers in [0, 1) of the given shape and dtype."""
    from ge_dialect.dtypes import ge_name

    name = ge_name(attrs["dtype"])
    if name not in _BITS:
        ctx.fail("random numbers are floats", found=name, expected=", ".join(_BITS))
    values = uniform(int_list(args[0]), name, ctx, attrs["seed"], attrs["seed2"])
    dtype = ctx.dtype(attrs["dtype"])
    assert kind(dtype) == "f"
    return values.astype(dtype)


@semantics("RandomStandardNormal")
def random_standard_normal(args: list[Any], attrs: Mapping[str, Any], ctx: Context) -> Array:
    """Normally distributed numbers, each from two words (G. Box, M. Muller, 1958)."""
    shape = int_list(args[0])
    count = int(np.prod(shape, dtype=np.int64))
    words = random_words(2 * count, ctx, attrs["seed"], attrs["seed2"]) >> np.uint64(11)
    pairs = words.astype(F64).reshape(-1, 2)
    radius = np.sqrt(-2 * np.log((pairs[:, 0] + 1) * 2.0**-53))  # of a number in (0, 1]
    values = radius * np.cos(2 * np.pi * (pairs[:, 1] * 2.0**-53))
    return values.reshape(shape).astype(ctx.dtype(attrs["dtype"]))


@semantics("Multinomial")
def multinomial(args: list[Any], attrs: Mapping[str, Any], ctx: Context) -> Array:
    """Classes drawn by inverting the cumulative probabilities of each row."""
    logits, samples = args[0].astype(F64), scalar(args[1], "num_samples", ctx)
    words = random_words(logits.shape[0] * samples, ctx, attrs["seed"], attrs["seed2"])
    draws = ((words >> np.uint64(11)).astype(F64) * 2.0**-53).reshape(logits.shape[0], samples)
    weight = np.exp(logits - logits.max(axis=1, keepdims=True))
    bound = np.cumsum(weight, axis=1)
    bound /= bound[:, -1:]
    found = (draws[:, :, None] >= bound[:, None, :]).sum(axis=2)
    return np.minimum(found, logits.shape[1] - 1)


@semantics("RandomUniformInt")
def random_uniform_int(args: list[Any], attrs: Mapping[str, Any], ctx: Context) -> Array:
    """Integers from min on, below max."""
    shape = int_list(args[0])
    low, high = (scalar(args[i], name, ctx) for i, name in ((1, "min"), (2, "max")))
    if low >= high:
        ctx.fail("min must be below max", found=(low, high))
    count = int(np.prod(shape, dtype=np.int64))
    words = random_words(count, ctx, attrs["seed"], attrs["seed2"])
    numbers = [low + (int(w) * (high - low) >> 64) for w in words]  # as fractions of 2**64
    return np.array(numbers, args[1].dtype).reshape(shape)


@semantics("DropOutGenMask")
def drop_out_gen_mask(args: list[Any], attrs: Mapping[str, Any], ctx: Context) -> Array:
    """Bits set with a probability, the first in the lowest place."""
    count = -(-int(np.prod(int_list(args[0]), dtype=np.int64)) // 128) * 128
    words = random_words(count, ctx, attrs["seed"], attrs["seed2"])
    share = float(scalar(args[1], "prob", ctx))
    bits = (words >> np.uint64(11)).astype(F64) * 2.0**-53 < share
    return np.packbits(bits, bitorder="little")


@semantics("DropOutDoMask")
def drop_out_do_mask(args: list[Any], attrs: Mapping[str, Any], ctx: Context) -> Array:
    """x scaled up where its bit is set, 0 elsewhere."""
    return _kept(widen(args[0]), args[1], widen(args[2]).reshape(()), ctx)


@semantics("DropOutDoMaskV3D")
def drop_out_do_mask_v3d(args: list[Any], attrs: Mapping[str, Any], ctx: Context) -> Array:
    """x scaled up where its bit is set, 0 elsewhere."""
    x, mask = widen(args[0]), args[1]
    if mask.dtype == np.bool_ or mask.size == -(-x.size // 128) * 128:  # a byte for each
        mask = np.packbits(mask != 0, bitorder="little")
    return _kept(x, mask, np.asarray(attrs["keep_prob"], x.dtype), ctx)


def _kept(x: Array, mask: Array, keep: Array, ctx: Context) -> Array:
    bits = np.unpackbits(mask, bitorder="little")
    if bits.size < x.size:
        ctx.fail("the mask has too few bits", found=bits.size, expected=x.size)
    return np.where(bits[: x.size].reshape(x.shape) != 0, x / keep, np.zeros((), x.dtype))


@semantics("Dropout", "DropOut")
def drop_out(args: list[Any], attrs: Mapping[str, Any], ctx: Context) -> Array:
    """x where a uniform number is not below the ratio, scaled up on demand; 0 elsewhere."""
    x, ratio = args[0], attrs["dropout_ratio"]
    kept = uniform(list(x.shape), "float32", ctx, 0, 0) >= ratio
    if attrs["scale_train"] and ratio < 1:
        x = x / x.dtype.type(1 - ratio)
    return np.where(kept, x, x.dtype.type(0))
