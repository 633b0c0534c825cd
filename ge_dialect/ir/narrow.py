"""Questions whose answer also tells a type checker the parameters of xDSL's generic classes.

`isinstance(x, ArrayAttr)` leaves the elements unknown; that they are attributes is certain. For
Python's containers see `ge_dialect.containers`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
)
from xdsl.ir import Attribute

if TYPE_CHECKING:
    from typing_extensions import TypeIs


def is_array(value: object) -> TypeIs[ArrayAttr[Attribute]]:
    """Whether it is an `ArrayAttr`."""
    return isinstance(value, ArrayAttr)


def is_dense(value: object) -> TypeIs[DenseIntOrFPElementsAttr]:
    """Whether it is a dense literal."""
    return isinstance(value, DenseIntOrFPElementsAttr)


def is_dense_array(value: object) -> TypeIs[DenseArrayBase]:
    """Whether it is an `array<…>` of integers or floats."""
    return isinstance(value, DenseArrayBase)


def is_integer(value: object) -> TypeIs[IntegerAttr]:
    """Whether it is an integer or index attribute."""
    return isinstance(value, IntegerAttr)


def is_float(value: object) -> TypeIs[FloatAttr]:
    """Whether it is a float attribute."""
    return isinstance(value, FloatAttr)


def is_integer_type(value: object) -> TypeIs[IntegerType]:
    """Whether it is an integer type of any width."""
    return isinstance(value, IntegerType)
