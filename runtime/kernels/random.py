"""Random kernels: counter-based numbers, keyed by the run's seed, the node's seeds and its id.

Philox 4x64 with ten rounds (J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
SC'11), on whole arrays of counters.
"""

from __future__ import annotations

import hashlib

import numpy as np

from runtime.kernels.registry import Call, kernel
from runtime.kernels.views import logical, store, wide

_U64 = np.uint64
_MULTIPLIERS = (0xD2E7470EE14C6C93, 0xCA5A826395121157)
_WEYL = (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)
_MASK = (1 << 64) - 1
_LOW = _U64(0xFFFFFFFF)
_HALF = _U64(32)

#: Random bits of a significand, by dtype name.
_BITS = {"float16": 11, "bfloat16": 8, "float32": 24, "float64": 53}


def _multiply(a: np.ndarray, constant: int) -> tuple[np.ndarray, np.ndarray]:
    """High and low word of the 128-bit products `a * constant`."""
    b_low, b_high = _U64(constant & 0xFFFFFFFF), _U64(constant >> 32)
    a_low, a_high = a & _LOW, a >> _HALF
    low = a_low * b_low
    middle = a_high * b_low + (low >> _HALF)
    other = a_low * b_high + (middle & _LOW)
    high = a_high * b_high + (middle >> _HALF) + (other >> _HALF)
    return high, a * _U64(constant)


def philox(count: int, key: tuple[int, int], top: int) -> np.ndarray:
    """`count` words of the stream of `key`; the counter starts at 1, its top word is `top`."""
    blocks = -(-count // 4)
    words = [
        np.arange(1, blocks + 1, dtype=_U64),
        np.zeros(blocks, _U64),
        np.zeros(blocks, _U64),
        np.full(blocks, top, _U64),
    ]
    k0, k1 = key
    with np.errstate(over="ignore"):
        for _ in range(10):
            high0, low0 = _multiply(words[0], _MULTIPLIERS[0])
            high1, low1 = _multiply(words[2], _MULTIPLIERS[1])
            words = [high1 ^ words[1] ^ _U64(k0), low1, high0 ^ words[3] ^ _U64(k1), low0]
            k0, k1 = (k0 + _WEYL[0]) & _MASK, (k1 + _WEYL[1]) & _MASK
    return np.stack(words, axis=1).reshape(-1)[:count]


def node_words(call: Call, count: int) -> np.ndarray:
    """The node's next words in this run."""
    seeds = (int(call.attrs.get("seed") or 0), int(call.attrs.get("seed2") or 0))
    digest = hashlib.sha256(repr((call.seed, seeds, call.node_id)).encode()).digest()
    key = int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:16], "little")
    return philox(count, key, call.draw)


def _fractions(words: np.ndarray) -> np.ndarray:
    """Words as float64 in [0, 1)."""
    return (words >> _U64(11)).astype(np.float64) * 2.0**-53


@kernel("RandomStandardNormal")
def random_standard_normal(call: Call) -> None:
    """Normal numbers by angle and radius of a point in the plane (Box and Muller)."""
    out = call.outs[0]
    first, second = _fractions(node_words(call, 2 * out.data.size)).reshape(-1, 2).T
    angle = 2 * np.pi * second
    values = np.cos(angle) * np.sqrt(-2 * np.log(first + 2.0**-53))
    out.data[...] = values.reshape(out.data.shape)


@kernel("Multinomial")
def multinomial(call: Call) -> None:
    """Draws by the cumulative probabilities of each row."""
    logits, out = call.arg(0).data.astype(np.float64), call.outs[0]
    draws = _fractions(node_words(call, out.data.size)).reshape(out.shape)
    for row, (scores, chosen) in enumerate(zip(logits, draws, strict=True)):
        bound = np.cumsum(np.exp(scores - scores.max()))
        found = np.searchsorted(bound / bound[-1], chosen, side="right")
        out.data.reshape(out.shape)[row] = np.minimum(found, scores.size - 1)


@kernel("RandomUniform")
def random_uniform(call: Call) -> None:
    """Uniform numbers in [0, 1), as many random bits as the dtype has."""
    out = call.outs[0]
    bits = _BITS[out.data.dtype.name]
    words = node_words(call, out.data.size)
    values = (words >> _U64(64 - bits)).astype(np.float64) * 2.0**-bits
    out.data[...] = values.reshape(out.data.shape)


@kernel("RandomUniformInt")
def random_uniform_int(call: Call) -> None:
    """The high half of a word times the number of choices, by halves of 32 bits."""
    out = call.outs[0]
    low, high = call.ints(1)[0], call.ints(2)[0]
    top, _ = _multiply(node_words(call, out.data.size), high - low)
    out.data[...] = (top.astype(np.int64) + low).reshape(out.data.shape)


@kernel("DropOutGenMask")
def drop_out_gen_mask(call: Call) -> None:
    """Byte by byte from eight comparisons."""
    out = call.outs[0]
    share = float(call.arg(1).data.reshape(-1)[0])
    hits = (_fractions(node_words(call, 8 * out.data.size)) < share).reshape(-1, 8)
    weights = 1 << np.arange(8)
    out.data[...] = (hits * weights).sum(axis=1).astype(np.uint8).reshape(out.data.shape)


@kernel("DropOutDoMask", "DropOutDoMaskV3D")
def drop_out_do_mask(call: Call) -> None:
    """Each element by the bit, or the byte, of its number."""
    x, mask, out = wide(logical(call.arg(0))), call.arg(1).data.reshape(-1), call.outs[0]
    given = call.opt(2)  # None: an attribute
    keep = np.float32(call.attrs["keep_prob"]) if given is None else wide(given.data.reshape(-1))[0]
    number = np.arange(x.size)
    blocks = -(-x.size // 128)
    if given is None and (mask.dtype == np.bool_ or mask.size == 128 * blocks):
        bit = (mask[: x.size] != 0).astype(np.uint8)  # a byte for each
    else:
        bit = (mask[number // 8] >> (number % 8).astype(np.uint8)) & 1
    store(out, np.where(bit.reshape(x.shape) == 1, x / keep, 0).astype(out.data.dtype))


@kernel("Dropout", "DropOut")
def drop_out(call: Call) -> None:
    """Copies the elements that stay, in their order, into zeros."""
    x, out = logical(call.arg(0)), call.outs[0]
    ratio = float(call.attrs.get("dropout_ratio", 0.5))
    first = node_words(call, x.size) >> _U64(40)  # 24 bits: what a float32 tells apart
    stays = np.flatnonzero(first.astype(np.float64) >= ratio * 2.0**24)
    y = np.zeros(x.size, x.dtype)
    y[stays] = x.reshape(-1)[stays]
    if call.attrs.get("scale_train", True) and stays.size:
        y /= np.float32(1 - ratio)
    store(out, y.reshape(x.shape))
