"""Functions of numpy against plain Python: loops, `math`, whole numbers.

Those that a kernel and the golden function of its operator both rest on; which these are is read
from the code by `test_independent_references.py`.
"""

from __future__ import annotations

import functools
import itertools
import math

import numpy as np
import pytest

NUMBERS = [0.0, -0.0, 0.25, -0.75, 1.0, -1.0, 1.5, 2.5, -2.5, 3.0, 7.5, 1e-3, -1e-3, 20.0]
SPECIAL = [*NUMBERS, math.nan, math.inf, -math.inf]
WHOLE = [0, 1, -1, 2, 3, -4, 5, 7, -8, 100]


def _limited(function, where=lambda v: True, otherwise=math.nan):
    """NaN (or another number) outside of the domain, infinities where they overflow."""

    def run(value):
        if math.isnan(value):
            return math.nan
        if not where(value):
            return otherwise
        try:
            return function(value)
        except OverflowError:
            return math.inf

    return run


def _nearest(value):
    if not math.isfinite(value):
        return value
    low = math.floor(value)
    rest = value - low
    return float(low + (rest > 0.5 or (rest == 0.5 and low % 2)))


def _sign(value):
    return value if math.isnan(value) else float((value > 0) - (value < 0))


def _toward(function):
    return lambda v: float(function(v)) if math.isfinite(v) else v


#: numpy's name -> the function of one Python float.
OF_ONE = {
    "exp": _limited(math.exp),
    "expm1": _limited(math.expm1),
    "log": _limited(lambda v: math.log(v) if v else -math.inf, lambda v: v >= 0),
    "log2": _limited(lambda v: math.log2(v) if v else -math.inf, lambda v: v >= 0),
    "log10": _limited(lambda v: math.log10(v) if v else -math.inf, lambda v: v >= 0),
    "log1p": _limited(lambda v: math.log1p(v) if v > -1 else -math.inf, lambda v: v >= -1),
    "sqrt": _limited(math.sqrt, lambda v: v >= 0),
    "tanh": _limited(math.tanh),
    "sinh": lambda v: math.copysign(_limited(math.sinh)(abs(v)), v),
    "cosh": lambda v: _limited(math.cosh)(abs(v)),
    "sin": _limited(math.sin, math.isfinite),
    "cos": _limited(math.cos, math.isfinite),
    "tan": _limited(math.tan, math.isfinite),
    "arcsin": _limited(math.asin, lambda v: abs(v) <= 1),
    "arccos": _limited(math.acos, lambda v: abs(v) <= 1),
    "arctan": _limited(math.atan),
    "floor": _toward(math.floor),
    "ceil": _toward(math.ceil),
    "trunc": _toward(math.trunc),
    "rint": _nearest,
    "round": _nearest,
    "sign": _sign,
    "abs": abs,
    "absolute": abs,
    "negative": lambda v: -v,
    "square": lambda v: v * v,
    "isnan": math.isnan,
    "isinf": math.isinf,
    "isfinite": math.isfinite,
    "isneginf": lambda v: v == -math.inf,
    "isposinf": lambda v: v == math.inf,
    "signbit": lambda v: math.copysign(1, v) < 0,
    "logical_not": lambda v: not v,
    "nan_to_num": lambda v: 0.0 if math.isnan(v) else v,
}
_KEPT = {"nan_to_num": {"posinf": np.inf, "neginf": -np.inf}}


def _lost(function):
    return lambda a, b: math.nan if math.isnan(a) or math.isnan(b) else function(a, b)


def _power(a, b):
    if b == 0 or a == 1:
        return 1.0
    try:
        return math.pow(a, b)
    except OverflowError:
        return -math.inf if a < 0 and b % 2 == 1 else math.inf
    except ValueError:
        return (
            math.nan if a else (-math.inf if math.copysign(1, a) < 0 and b % 2 == 1 else math.inf)
        )


def _fmod(a, b):
    return math.nan if math.isinf(a) or b == 0 else math.fmod(a, b)


def _mod(a, b):
    if math.isinf(a) or b == 0:
        return math.nan
    rest = math.fmod(a, b)
    return rest + b if rest and (rest < 0) != (b < 0) else rest


#: numpy's name -> the function of two Python floats.
OF_TWO = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "maximum": _lost(lambda a, b: a if a >= b else b),
    "minimum": _lost(lambda a, b: a if a <= b else b),
    "power": _power,
    "fmod": _lost(_fmod),
    "equal": lambda a, b: a == b,
    "not_equal": lambda a, b: not a == b,
    "less": lambda a, b: a < b,
    "less_equal": lambda a, b: a <= b,
    "greater": lambda a, b: a > b,
    "greater_equal": lambda a, b: a >= b,
    "logical_and": lambda a, b: bool(a) and bool(b),
    "logical_or": lambda a, b: bool(a) or bool(b),
    "arctan2": _lost(math.atan2),
    "hypot": math.hypot,
}
#: The same on whole numbers, besides those above whose result is exact on them.
OF_INTEGERS = {
    "bitwise_and": lambda a, b: a & b,
    "bitwise_or": lambda a, b: a | b,
    "bitwise_xor": lambda a, b: a ^ b,
    "left_shift": lambda a, b: a << b,
    "right_shift": lambda a, b: a >> b,
    "floor_divide": lambda a, b: a // b,
    "invert": lambda a: ~a,
}


def _close(found, want, dtype, what):
    found, want = np.asarray(found), np.asarray(want)
    if found.dtype == bool:
        np.testing.assert_array_equal(found, want, err_msg=what)
        return
    eps, tiny = np.finfo(dtype).eps, np.finfo(dtype).tiny
    np.testing.assert_allclose(found.astype(float), want, rtol=4 * eps, atol=tiny, err_msg=what)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", OF_ONE)
def test_functions_of_one_number(name, dtype):
    values = np.array(SPECIAL, dtype)
    with np.errstate(all="ignore"):
        found = getattr(np, name)(values, **_KEPT.get(name, {}))
    _close(found, [OF_ONE[name](float(v)) for v in values], dtype, name)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", OF_TWO)
def test_functions_of_two_numbers(name, dtype):
    pairs = list(itertools.product(SPECIAL, repeat=2))
    a, b = (np.array(v, dtype) for v in zip(*pairs, strict=True))
    with np.errstate(all="ignore"):
        found = getattr(np, name)(a, b)
        want = [OF_TWO[name](float(x), float(y)) for x, y in zip(a, b, strict=True)]
    largest = float(np.finfo(dtype).max)
    want = [math.copysign(math.inf, w) if abs(w) > largest else w for w in map(float, want)]
    if found.dtype == bool:
        want = [bool(w) for w in want]
    _close(found, want, dtype, name)


@pytest.mark.parametrize("name", OF_INTEGERS)
def test_functions_of_whole_numbers(name):
    if name == "invert":
        np.testing.assert_array_equal(np.invert(np.array(WHOLE)), [~v for v in WHOLE])
        return
    second = [abs(v) % 7 + 1 for v in WHOLE] if "shift" in name or "divide" in name else WHOLE
    pairs = list(itertools.product(WHOLE, second))
    a, b = (np.array(v, np.int64) for v in zip(*pairs, strict=True))
    np.testing.assert_array_equal(
        getattr(np, name)(a, b), [OF_INTEGERS[name](x, y) for x, y in pairs]
    )


@pytest.mark.parametrize(
    "name", ["add", "subtract", "multiply", "maximum", "minimum", "mod", "fmod"]
)
def test_integers_wrap_and_divide(name):
    plain = {
        "add": lambda a, b: a + b,
        "subtract": lambda a, b: a - b,
        "multiply": lambda a, b: a * b,
        "maximum": max,
        "minimum": min,
        "mod": lambda a, b: a - a // b * b,
        "fmod": lambda a, b: int(math.copysign(abs(a) % abs(b), a)),
    }[name]
    values = [-128, -7, -1, 1, 3, 100, 127]
    pairs = list(itertools.product(values, repeat=2))
    a, b = (np.array(v, np.int8) for v in zip(*pairs, strict=True))
    want = [(plain(x, y) + 128) % 256 - 128 for x, y in pairs]
    np.testing.assert_array_equal(getattr(np, name)(a, b), want)


def test_mod_of_floats_takes_the_sign_of_the_divisor():
    pairs = list(itertools.product(NUMBERS, [0.25, -0.75, 3.0, -2.5]))
    a, b = (np.array(v) for v in zip(*pairs, strict=True))
    np.testing.assert_allclose(np.mod(a, b), [_mod(x, y) for x, y in pairs], atol=1e-15)


# ----------------------------------------------------------- functions of whole arrays, by loops


def _array(*shape, seed=3):
    return np.random.default_rng(seed).integers(-5, 6, shape).astype(np.float64)


def _lines(x, axis):
    """The places that are reduced together: for each place of the result its elements."""
    rest = [range(n) for i, n in enumerate(x.shape) if i != axis]
    for place in itertools.product(*rest):
        yield place, [x[(*place[:axis], i, *place[axis:])] for i in range(x.shape[axis])]


REDUCED = {
    "sum": math.fsum,
    "prod": math.prod,
    "mean": lambda v: math.fsum(v) / len(v),
    "max": lambda v: functools.reduce(OF_TWO["maximum"], v),
    "min": lambda v: functools.reduce(OF_TWO["minimum"], v),
    "all": all,
    "any": any,
    "argmax": lambda v: v.index(max(v)),
    "argmin": lambda v: v.index(min(v)),
}


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("name", REDUCED)
def test_reductions(name, axis):
    x = _array(3, 4, 2)
    found = getattr(np, name)(x, axis=axis)
    for place, line in _lines(x, axis):
        assert found[place] == pytest.approx(REDUCED[name](line), rel=1e-14)


def _stable(line):
    return sorted(range(len(line)), key=lambda i: (math.isnan(line[i]), line[i], i))


RUNNING = {
    "cumsum": lambda v: list(itertools.accumulate(v)),
    "cumprod": lambda v: list(itertools.accumulate(v, lambda a, b: a * b)),
    "argsort": _stable,
    "sort": lambda v: [v[i] for i in _stable(v)],
}


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("name", RUNNING)
def test_running_and_sorting(name, axis):
    x = _array(5, 4)
    more = {"kind": "stable"} if "sort" in name else {}
    found = np.moveaxis(getattr(np, name)(x, axis=axis, **more), axis, -1)
    for place, line in _lines(x, axis):
        np.testing.assert_array_equal(found[place], RUNNING[name](line))


def test_matmul():
    a, b = _array(2, 3, 4), _array(2, 4, 5, seed=4)
    for found in (np.matmul(a, b), a @ b):
        for n, i, j in itertools.product(range(2), range(3), range(5)):
            assert found[n, i, j] == sum(a[n, i, k] * b[n, k, j] for k in range(4))


def test_dot_tensordot_einsum():
    a, b = _array(3, 4), _array(4, 5)
    want = [[sum(a[i, k] * b[k, j] for k in range(4)) for j in range(5)] for i in range(3)]
    for found in (np.dot(a, b), np.tensordot(a, b, 1), np.einsum("ik,kj->ij", a, b)):
        np.testing.assert_array_equal(found, want)


def test_concatenate():
    a, b = _array(2, 3), _array(2, 1)
    want = [[*a[i].tolist(), *b[i].tolist()] for i in range(2)]
    assert np.concatenate([a, b], axis=1).tolist() == want


def test_take_tile_pad_clip():
    x = _array(4)
    values = x.tolist()
    assert np.take(x, [3, 0, 0]).tolist() == [values[3], values[0], values[0]]
    assert np.tile(x, 2).tolist() == values + values
    assert np.pad(x, (1, 2)).tolist() == [0, *values, 0, 0]
    assert np.pad(x, (1, 2), "edge").tolist() == [values[0], *values, values[3], values[3]]
    assert np.pad(x, (2, 1), "reflect").tolist() == [values[2], values[1], *values, values[2]]
    assert np.clip(x, -1, 2).tolist() == [min(max(v, -1), 2) for v in values]


def test_searchsorted_diff_packbits():
    x = np.array([1, 3, 3, 8])
    for side, fn in (
        ("left", lambda v: sum(e < v for e in x)),
        ("right", lambda v: sum(e <= v for e in x)),
    ):
        assert np.searchsorted(x, [0, 3, 9], side).tolist() == [fn(v) for v in (0, 3, 9)]
    assert np.diff(x).tolist() == [b - a for a, b in itertools.pairwise(x.tolist())]
    bits = np.array([1, 0, 1, 1, 0, 0, 0, 1, 1], bool)
    assert np.packbits(bits, bitorder="little").tolist() == [0b10001101, 1]
    assert (
        np.unpackbits(np.packbits(bits, bitorder="little"), bitorder="little")[:9].tolist()
        == bits.tolist()
    )


def test_outer_and_triangles():
    a, b = _array(3), _array(2)
    assert np.outer(a, b).tolist() == [[x * y for y in b] for x in a]
    x = _array(3, 3)
    assert np.triu(x).tolist() == [[x[i, j] if j >= i else 0 for j in range(3)] for i in range(3)]
    assert np.tril(x).tolist() == [[x[i, j] if j <= i else 0 for j in range(3)] for i in range(3)]


def _reads(found, x, source):
    """Each element of an array is the one of x at the place `source` says."""
    for place in np.ndindex(found.shape):
        assert found[place] == x[source(place)], place


MOVED = {
    "transpose": (lambda x: np.transpose(x, (2, 0, 1)), lambda p: (p[1], p[2], p[0])),
    "swapaxes": (lambda x: np.swapaxes(x, 0, 2), lambda p: (p[2], p[1], p[0])),
    "moveaxis": (lambda x: np.moveaxis(x, 0, -1), lambda p: (p[2], p[0], p[1])),
    "roll": (lambda x: np.roll(x, 1, 1), lambda p: (p[0], (p[1] - 1) % 3, p[2])),
    "flip": (lambda x: np.flip(x, 2), lambda p: (p[0], p[1], 3 - p[2])),
    "repeat": (lambda x: np.repeat(x, 2, 1), lambda p: (p[0], p[1] // 2, p[2])),
    "expand_dims": (lambda x: np.expand_dims(x, 1), lambda p: (p[0], p[2], p[3])),
    "squeeze": (lambda x: np.squeeze(x[:, :1], 1), lambda p: (p[0], 0, p[1])),
    "broadcast_to": (lambda x: np.broadcast_to(x[:, :1], (5, 2, 3, 4)), lambda p: (p[1], 0, p[3])),
    "split": (lambda x: np.split(x, 2, 2)[1], lambda p: (p[0], p[1], p[2] + 2)),
    "stack": (lambda x: np.stack([x[0], x[1]], 1), lambda p: (p[1], p[0], p[2])),
    "take_along_axis": (
        lambda x: np.take_along_axis(x, np.array([[[3, 0]]]), 2),
        lambda p: (p[0], p[1], (3, 0)[p[2]]),
    ),
    "where": (
        lambda x: np.where(np.arange(4) < 2, x, x[:, ::-1]),
        lambda p: (p[0], p[1] if p[2] < 2 else 2 - p[1], p[2]),
    ),
}


@pytest.mark.parametrize("name", MOVED)
def test_moves(name):
    x = np.arange(24.0).reshape(2, 3, 4)
    move, source = MOVED[name]
    _reads(move(x), x, source)


def test_reshape_keeps_the_order_of_elements():
    x = _array(2, 3, 4)
    in_order = [x[p] for p in itertools.product(range(2), range(3), range(4))]
    y = x.reshape(4, 6)
    assert [y[p] for p in itertools.product(range(4), range(6))] == in_order


#: numpy functions with a plain formulation in this file.
PLAIN = {
    *OF_ONE,
    *OF_TWO,
    *OF_INTEGERS,
    *REDUCED,
    *RUNNING,
    *MOVED,
    "reshape",
    "mod",
    *"matmul dot tensordot einsum concatenate take tile pad clip searchsorted diff".split(),
    *"packbits unpackbits outer triu tril".split(),
}
