"""Numbers that constants and inputs are made of.

Small integers and dyadic fractions: sums and products of a few of them are exact in float32, and
mostly in float16.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any

from passes.testing.spec import Literal

_FLOATS = ("float32", "float16", "bfloat16", "float64", "complex64")
#: An irregular order of small numbers, so that permuted or shifted tensors differ.
_WALK = (3, -1, 0, 2, -4, 1, 5, -2, 4, -3, 7, -5, 6, 1, -6, 2, 0, -7, 8, 3, -8, 1, 4)
_UNSIGNED_WALK = (3, 1, 0, 2, 4, 7, 5, 6, 9, 8, 3, 11, 1, 13, 2, 12, 10, 0, 5)
SPECIALS = (float("nan"), float("inf"), float("-inf"), -0.0, 0.0, 1.0, -1.0)

#: 0 and 1: walks of numbers; 2: zeros; 3: ones; 4: halves and quarters; 5: special values.
_VARIANTS = 4


def variant_count(dtype: str, *, special: bool) -> int:
    """How many kinds of content `literal` has for a dtype."""
    if dtype not in _FLOATS:
        return _VARIANTS
    return _VARIANTS + (2 if special and dtype != "complex64" else 1)


@lru_cache(maxsize=8192)
def literal(dims: tuple[int, ...], dtype: str, variant: int) -> Literal:
    """A tensor of small numbers; variant -1 holds positive ones only."""
    return Literal(dtype, dims, small_numbers(dims, dtype, variant).tobytes())


@lru_cache(maxsize=4096)
def small_numbers(dims: tuple[int, ...], dtype: str, variant: int = 0) -> Any:
    """An array of small numbers, not to be written to; see `literal`."""
    import numpy as np

    from ge_dialect.dtypes import numpy_dtype, to_xdsl

    count = prod(dims)
    if variant == 2:
        values: Any = np.zeros(count)
    elif variant == 3:
        values = np.ones(count)
    elif variant == 5:
        values = np.resize(np.array(SPECIALS), count)
    else:
        signed = variant >= 0 and not dtype.startswith("uint")
        walk = _WALK if signed else _UNSIGNED_WALK
        shift = 5 * variant if variant > 0 else 0
        values = np.resize(np.roll(np.array(walk, np.float64), -shift), count)
        if variant < 0:
            values = values + 1
        if variant == 4:
            values = values / 4
    if dtype == "bool":
        values = values % 2 != 0
    array = values.astype(numpy_dtype(to_xdsl(dtype))).reshape(dims)
    array.flags.writeable = False
    return array
