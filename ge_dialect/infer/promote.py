"""Dtypes of operands: the one that two meet in (a `promote` symbol in GE), and having an order."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from xdsl.ir import Attribute

from ge_dialect.dtypes import ge_name, to_xdsl
from ge_dialect.infer.errors import DTYPE, InferError

if TYPE_CHECKING:
    from ge_dialect.infer.node import InferNode

_SIGNED = {"int8": 8, "int16": 16, "int32": 32, "int64": 64}
_UNSIGNED = {"uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64}
_REAL = {"float16": 16, "bfloat16": 16, "float32": 32, "float64": 64}
_COMPLEX = {"complex32": 16, "complex64": 32, "complex128": 64}


@cache
def promote(a: Attribute, b: Attribute) -> Attribute:
    """Common dtype: bool < integer < real < complex; within a kind the wider one.

    A signed and an unsigned integer meet in the signed one that holds both (int64 at most),
    float16 and bfloat16 in float32. A dtype of a higher kind wins whatever its width, so an int64
    and a float16 give float16.
    """
    if a == b:
        return a
    x, y = ge_name(a), ge_name(b)
    ranks = (_rank(x), _rank(y))
    if None in ranks:
        raise InferError(
            "these dtypes have no common one", found=f"{x} and {y}", expected="numbers", code=DTYPE
        )
    if ranks[0] != ranks[1]:
        if set(ranks) == {2, 3}:  # a real with a complex: the complex of the wider part
            real, cplx = (x, y) if ranks[0] == 2 else (y, x)
            want = max(_REAL[real], _COMPLEX[cplx])
            return to_xdsl(next(n for n, w in _COMPLEX.items() if w == want))
        return a if (ranks[0] or 0) > (ranks[1] or 0) else b
    if ranks[0] == 1:
        return to_xdsl(_integers(x, y))
    table = _REAL if ranks[0] == 2 else _COMPLEX
    if table[x] == table[y]:
        return to_xdsl("float32")
    return a if table[x] > table[y] else b


def _rank(name: str) -> int | None:
    if name == "bool":
        return 0
    for rank, table in ((1, _SIGNED), (1, _UNSIGNED), (2, _REAL), (3, _COMPLEX)):
        if name in table:
            return rank
    return None


def _integers(x: str, y: str) -> str:
    for table in (_SIGNED, _UNSIGNED):
        if x in table and y in table:
            return x if table[x] > table[y] else y
    signed, unsigned = (x, y) if x in _SIGNED else (y, x)
    need = max(_SIGNED[signed], min(64, 2 * _UNSIGNED[unsigned]))
    return f"int{need}"


def need_order(n: InferNode, name: str) -> None:
    """InferError where an input holds complex numbers, which have no largest one."""
    found = ge_name(n.elem(name))
    if found in _COMPLEX:
        n.fail("complex numbers have no order", found=found, expected="real numbers", code=DTYPE)
