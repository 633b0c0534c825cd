"""Which conversions of element types keep every value."""

from __future__ import annotations

from functools import lru_cache

from xdsl.ir import Attribute

from ge_dialect.dtypes import ge_name

#: (significant bits, largest exponent, smallest exponent of a normal) of the float dtypes
_FLOATS = {
    "float16": (11, 15, -14),
    "bfloat16": (8, 127, -126),
    "float32": (24, 127, -126),
    "float64": (53, 1023, -1022),
}
_INTS = {
    "int4": (True, 4), "int8": (True, 8), "int16": (True, 16), "int32": (True, 32),
    "int64": (True, 64), "uint8": (False, 8), "uint16": (False, 16), "uint32": (False, 32),
    "uint64": (False, 64),
}  # fmt: skip


@lru_cache(maxsize=256)
def keeps_values(source: Attribute, target: Attribute) -> bool:
    """Whether a cast from `source` to `target` and back gives every value again."""
    a, b = ge_name(source), ge_name(target)
    if a == b:
        return True
    if a == "bool":
        return b in _INTS or b in _FLOATS
    if a in _INTS and b in _INTS:
        (signed_a, bits_a), (signed_b, bits_b) = _INTS[a], _INTS[b]
        return bits_b > bits_a if signed_b and not signed_a else bits_b >= bits_a
    if a in _INTS and b in _FLOATS:
        signed, bits = _INTS[a]
        digits, top, _ = _FLOATS[b]
        return bits - signed <= digits and bits - signed <= top
    if a in _FLOATS and b in _FLOATS:
        fa, fb = _FLOATS[a], _FLOATS[b]
        tiny_a, tiny_b = fa[2] - fa[0], fb[2] - fb[0]  # exponents of the smallest subnormals
        return fb[0] >= fa[0] and fb[1] >= fa[1] and tiny_b <= tiny_a
    return False


def is_whole(elem: Attribute) -> bool:
    """Whether an element type is an integer one; booleans are none."""
    return ge_name(elem) in _INTS


def within(source: Attribute, target: Attribute) -> bool:
    """Whether every number of an integer type is one of another integer type."""
    (signed_a, bits_a), (signed_b, bits_b) = _INTS[ge_name(source)], _INTS[ge_name(target)]
    return (signed_b or not signed_a) and bits_b - signed_b >= bits_a - signed_a


@lru_cache(maxsize=256)
def loses_by_ge_table(source: Attribute, target: Attribute) -> bool:
    """GE's notion of precision loss: to bool, and from float to 32- or 64-bit integers."""
    a, b = ge_name(source), ge_name(target)
    if a == b:
        return False
    return b == "bool" or (a in _FLOATS and b in ("int32", "int64"))
